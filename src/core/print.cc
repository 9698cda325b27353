#include <ostream>

#include "core/jaxpr_utils.h"
#include "core/layout.h"
#include "core/params_ops.h"
#include "core/primitive.h"
#include "core/print.h"
#include "core/program_names.h"

namespace cotan {
namespace {

// A literal's value is shown as Python's float, int or complex of the same value.
std::string literal_text(const Literal& l) {
  const DType d = l.value.dtype;
  const std::string value = is_floating(d)  ? HostScalar(l.value.as_double()).str()
                            : is_complex(d) ? HostScalar(l.value.as_complex()).str()
                                            : l.value.str();
  return value + ':' + l.aval().str();
}

std::string quoted(const std::string& s) {
  const char quote = s.find('\'') != std::string::npos && s.find('"') == std::string::npos ? '"' : '\'';
  std::string out(1, quote);
  for (char c : s) {
    if (c == quote || c == '\\') out += '\\';
    if (c == '\n') out += "\\n";
    else out += c;
  }
  return out + quote;
}

class ProgramPrinter {
 public:
  explicit ProgramPrinter(const Jaxpr& top) : shared_(top), names_(shared_), top_(top) {
    const std::vector<std::uint32_t> last = last_uses(top);
    for (const JaxprEqn& e : top.eqns)
      for (Atom a : top.outputs(e))
        if (last[a.var().id] == never_used) names_.set(top, a.var(), "_");
  }

  std::string print() {
    for (const auto& [name, jaxpr] : shared_.in_order()) {
      out.text("let " + name + " = ");
      whole(*jaxpr);
      out.text(" in");
      out.brk();
    }
    whole(top_);
    return out.str();
  }

  void program(const Jaxpr& j) {
    if (const std::string* name = shared_.name_of(j)) out.text(*name);
    else whole(j);
  }

  void equation(const Jaxpr&, const JaxprEqn&);
  Layout out;

 private:
  void whole(const Jaxpr&);
  template <class V> void variables(const Jaxpr& j, const V& vs, const char* separator, bool with_types) {
    out.begin_nest(2);
    out.begin_group();
    for (std::size_t i = 0; i < vs.size(); ++i) {
      const Atom a = vs[i];
      if (i) {
        out.text(separator);
        out.begin_group();
        out.brk();
        out.end_group();
      }
      if (a.is_literal()) out.text(literal_text(j.literals[a.literal_index()]));
      else out.text(names_.of(j, a.var()));
      if (with_types) out.text(':' + j.aval(a).str());
    }
    out.end_group();
    out.end_nest();
  }

  SharedPrograms shared_;
  VariableNames names_;
  const Jaxpr& top_;
  int depth_ = 0;
};

// Shows parameters as `[name=value ...]`, values as Python's str of what JAX has there.
class ParamsPrinter final : public PrettyParams, FieldSink {
 public:
  explicit ParamsPrinter(ProgramPrinter& p) : printer_(p), out_(p.out) {}

  void print(const JaxprEqn& e) {
    e.params->ops->pretty(*e.params, *this);
    if (!any_) return;
    out_.end_nest();
    out_.brk("");
    out_.text("]");
    out_.end_group();
  }

 private:
  struct Open {  // a list or struct
    bool is_list;
    const char* struct_name;
    int items = 0;
  };
  void text(const char* n, std::string value) override {
    name(n);
    out_.text(value);
  }
  void call(const char* n, const ClosedJaxpr& j) override {
    name(n);
    jaxpr(j);
  }
  FieldSink& sink() override { return *this; }

  void name(const char* n) override {
    if (!open_.empty()) {
      field_ = open_.back().struct_name ? n : nullptr;
      return;
    }
    if (any_) {
      out_.brk();
    } else {
      out_.begin_group();
      out_.begin_nest(2);
      out_.text("[");
      out_.brk("");
    }
    any_ = true;
    out_.text(std::string(n) + '=');
  }
  void item(std::string_view s) {
    if (open_.empty()) return out_.text(s);
    if (open_.back().items++) value_ += ", ";
    if (field_) (value_ += std::exchange(field_, nullptr)) += '=';
    value_ += s;
  }
  void none() override { item("None"); }
  void boolean(bool v) override { item(v ? "True" : "False"); }
  void integer(std::int64_t v) override { item(std::to_string(v)); }
  void real(double v) override { item(HostScalar(v).str()); }
  void dtype(DType v) override {
    if (open_.empty()) item(dtype_name(v));
    else item(std::string("dtype('") + dtype_name(v) + "')");
  }
  void ints(const IntList& v) override {
    if (open_.empty() && v.empty()) empty_tuple();
    else item(v.str());
  }
  void string(const std::string& v) override { item(open_.empty() ? v : quoted(v)); }
  void enumerator(std::size_t v, EnumNames names) override { item(names[v]); }

  void jaxpr(const ClosedJaxpr& j) override {
    if (!j.has_value()) return item("None");
    if (open_.empty()) return printer_.program(j.jaxpr());
    if (open_.back().items++ == 0) {  // a list of programs: one to a line, if they do not fit on one
      out_.begin_group();
      out_.begin_nest(2);
      out_.text("(");
      out_.brk("");
      of_programs_ = true;
    } else {
      out_.brk();
    }
    printer_.program(j.jaxpr());
  }
  void callable(const CallableRef& c) override { item(c->name); }
  void empty_tuple() {
    out_.begin_group();
    out_.begin_nest(2);
    out_.text("(");
    out_.brk("");
    out_.end_nest();
    out_.brk("");
    out_.text(")");
    out_.end_group();
  }

  void begin_list(std::size_t) override { begin({true, nullptr}); }
  void end_list() override { end(); }
  void begin_struct(const char* n) override { begin({false, n}); }
  void end_struct() override { end(); }
  void begin(Open o) {
    if (open_.empty()) value_.clear();
    else item("");
    if (o.struct_name) value_ += o.struct_name;
    value_ += '(';
    open_.push_back(o);
  }
  void end() {
    const Open o = open_.back();
    open_.pop_back();
    value_ += o.items == 1 && !o.struct_name ? ",)" : ")";
    if (!open_.empty()) return;
    if (std::exchange(of_programs_, false)) {
      out_.end_nest();
      out_.brk("");
      out_.text(")");
      out_.end_group();
    } else if (o.is_list && o.items == 0) {
      empty_tuple();
    } else {
      out_.text(value_);
    }
  }

  ProgramPrinter& printer_;
  Layout& out_;
  std::vector<Open> open_;
  std::string value_;
  const char* field_ = nullptr;
  bool any_ = false, of_programs_ = false;
};

void ProgramPrinter::whole(const Jaxpr& j) {
  if (++depth_ > max_jaxpr_depth) {
    throw ValueError("ClosedJaxpr::str: programs are nested more than " + std::to_string(max_jaxpr_depth) + " deep");
  }
  out.begin_group();
  out.begin_nest(2);
  out.text("{ lambda ");
  variables(j, j.constvars, "", true);
  out.text("; ");
  variables(j, j.invars, "", true);
  out.text(". let");
  out.begin_nest(2);
  out.brk();
  for (std::size_t i = 0; i < j.eqns.size(); ++i) {
    if (i) out.brk("; ");
    equation(j, j.eqns[i]);
  }
  out.end_nest();
  out.brk();
  out.text("in (");
  variables(j, j.outvars, ",", false);
  out.text(j.outvars.size() == 1 ? ",)" : ")");
  out.end_nest();
  out.text(" }");
  out.end_group();
  --depth_;
}

void ProgramPrinter::equation(const Jaxpr& j, const JaxprEqn& e) {
  const Jaxpr* called = ShownPrograms(e).called;
  if (called && !shared_.name_of(*called)) {
    names_.suggest(*called, {called->invars.begin(), called->invars.end()}, j, j.inputs(e));
    names_.suggest(*called, called->outvars, j, j.outputs(e));
  }
  if (e.outputs) {
    variables(j, j.outputs(e), "", true);
    out.text(" = ");
  }
  out.text(e.primitive->name);
  if (e.params) ParamsPrinter(*this).print(e);
  out.text(" ");
  variables(j, j.inputs(e), "", false);
}

}  // namespace

std::string ClosedJaxpr::str() const { return has_value() ? ProgramPrinter(jaxpr()).print() : "None"; }

std::string pretty_equation(const Jaxpr& j, const JaxprEqn& e) {
  ProgramPrinter p(j);
  p.equation(j, e);
  return p.out.str();
}

std::ostream& operator<<(std::ostream& os, const ClosedJaxpr& j) { return os << j.str(); }

}  // namespace cotan

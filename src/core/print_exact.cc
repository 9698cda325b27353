#include <unordered_map>

#include "core/jaxpr_utils.h"
#include "core/params_ops.h"
#include "core/primitive.h"
#include "core/print.h"

namespace cotan {
namespace {

std::string exact_aval(const Aval& a) { return a.weak_type ? a.str() + '~' : a.str(); }
std::string literal_text(const Literal& l) { return l.value.exact_str() + ':' + exact_aval(l.aval()); }

bool is_word(std::string_view s) {
  if (s.empty() || s == "None" || (s[0] >= '0' && s[0] <= '9')) return false;
  for (char c : s)
    if (!(c == '_' || c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
      return false;
  return true;
}

std::string quoted(std::string_view s) {
  std::string out = "\"";
  for (char c : s) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') (out += '\\') += c;
    else if (u >= 0x20 && u != 0x7f) out += c;
    else ((out += "\\x") += "0123456789abcdef"[u >> 4]) += "0123456789abcdef"[u & 15];
  }
  return out + '"';
}

std::string constant_text(const Array& a) {
  if (!a.has_value() || !is_concrete(a)) {
    throw TracerArrayConversionError("to_text: a constant of the program is a traced value, which has no text");
  }
  std::string out = "[";
  const auto* p = static_cast<const unsigned char*>(bytes_of(a));
  for (std::int64_t i = 0; i < a.size(); ++i) {
    if (i) out += ' ';
    out += HostScalar::load(a.dtype(), p + static_cast<std::size_t>(i) * item_size(a.dtype())).exact_str();
  }
  return out + ']';
}

// The programs that occur several times, by program and constants.
class Labels {
 public:
  explicit Labels(const Jaxpr& top) {
    std::vector<const Jaxpr*> open{&top};
    while (!open.empty()) {
      const Jaxpr* j = open.back();
      open.pop_back();
      for (const JaxprEqn& e : j->eqns) {
        each_jaxpr(e, [&](const ClosedJaxpr& c) {
          if (++entry(c).uses == 1) open.push_back(&c.jaxpr());
        });
      }
    }
  }
  struct Entry {
    std::vector<const detail::Node*> consts;
    int uses = 0;
    int label = -1;  // given when it is first written
  };
  Entry& entry(const ClosedJaxpr& c) {
    std::vector<const detail::Node*> consts;
    for (const Array& a : c.consts()) consts.push_back(a.node());
    std::vector<Entry>& same = entries_[&c.jaxpr()];
    for (Entry& e : same)
      if (e.consts == consts) return e;
    return same.emplace_back(Entry{std::move(consts)});
  }
  int next = 0;

 private:
  std::unordered_map<const Jaxpr*, std::vector<Entry>> entries_;
};

class ExactPrinter final : FieldSink {
 public:
  std::string out;

  ExactPrinter(Labels* labels, int depth) : labels_(labels), depth_(depth) {
    if (depth > max_jaxpr_depth)
      throw ValueError("to_text: programs are nested more than " + std::to_string(max_jaxpr_depth) + " deep");
  }

  void program(const ClosedJaxpr& c) {
    const Jaxpr& j = c.jaxpr();
    number_.assign(j.vars.size(), undefined);
    out += "{ lambda";
    for (std::size_t i = 0; i < j.constvars.size(); ++i) {
      declare(j, j.constvars[i]);
      out += '=' + constant_text(c.consts()[i]);
    }
    out += " ;";
    for (Var v : j.invars) declare(j, v);
    out += " . let\n";
    for (const JaxprEqn& e : j.eqns) {
      out.append(static_cast<std::size_t>(4 * depth_ + 3), ' ');
      equation(j, e);
      out += '\n';
    }
    out.append(static_cast<std::size_t>(4 * depth_ + 2), ' ');
    out += "in (";
    for (std::size_t i = 0; i < j.outvars.size(); ++i) {
      if (i) out += ", ";
      atom(j, j.outvars[i]);
    }
    out += ')';
    effects(j.effects);
    out += " }";
  }

  void equation(const Jaxpr& j, const JaxprEqn& e) {
    for (Atom a : j.outputs(e)) declare(j, a.var());
    out += " = ";
    out += e.primitive->name;
    if (e.params) {
      out += '[';
      count_ = 0;
      e.params->ops->send(*e.params, *this);
      out += ']';
    }
    for (Atom a : j.inputs(e)) {
      out += ' ';
      atom(j, a);
    }
    effects(e.effects);
    out += ';';
  }

  void number_by_id(const Jaxpr& j) {
    number_.resize(j.vars.size());
    for (std::uint32_t i = 0; i < number_.size(); ++i) number_[i] = i;
    by_id_ = true;
  }

 private:
  // A message may be about an equation that refers to what the program does not have.
  void declare(const Jaxpr& j, Var v) {
    if (v.id >= number_.size()) {
      out += " %" + std::to_string(v.id) + ":?";
      return;
    }
    if (!by_id_ && number_[v.id] == undefined) number_[v.id] = next_++;
    out += " %" + std::to_string(number_[v.id]) + ':' + exact_aval(j.aval(v));
  }
  void atom(const Jaxpr& j, Atom a) {
    if (!a.is_literal()) out += '%' + std::to_string(a.var().id < number_.size() ? number_[a.var().id] : a.var().id);
    else out += a.literal_index() < j.literals.size() ? literal_text(j.literals[a.literal_index()]) : "?";
  }
  void effects(Effects e) {
    if (e != no_effects) out += " !" + std::to_string(e);
  }

  void separate() {
    if (count_++) out += ", ";
  }
  void value(std::string_view s) {  // an item of a list, or what follows `name=`
    if (!std::exchange(named_, false)) separate();
    out += s;
  }
  void name(const char* n) override {
    separate();
    (out += n) += '=';
    named_ = true;
  }
  void none() override { value("None"); }
  void boolean(bool v) override { value(v ? "True" : "False"); }
  void integer(std::int64_t v) override { value(std::to_string(v)); }
  void real(double v) override { value(HostScalar(v).exact_str()); }
  void dtype(DType v) override { value(dtype_name(v)); }
  void ints(const IntList& v) override { value(v.str()); }
  void string(const std::string& v) override { value(quoted(v)); }
  void enumerator(std::size_t v, EnumNames names) override { value(is_word(names[v]) ? names[v] : quoted(names[v])); }
  void jaxpr(const ClosedJaxpr& c) override {
    value("");
    if (!c.has_value()) {
      out += "None";
      return;
    }
    if (!labels_) {
      out += "{...}";
      return;
    }
    Labels::Entry& e = labels_->entry(c);
    if (e.label >= 0) {
      out += '@' + std::to_string(e.label);
      return;
    }
    if (e.uses > 1) out += '@' + std::to_string(e.label = labels_->next++);
    ExactPrinter inner(labels_, depth_ + 1);
    inner.program(c);
    out += inner.out;
  }
  void callable(const CallableRef& c) override { value(callable_handle(c)); }
  void begin_list(std::size_t) override { begin("["); }
  void end_list() override { end("]"); }
  void begin_struct(const char* n) override { begin(std::string(n ? n : "") + '('); }
  void end_struct() override { end(")"); }
  void begin(const std::string& s) {
    value(s);
    outer_.push_back(std::exchange(count_, 0));
  }
  void end(const char* s) {
    out += s;
    count_ = outer_.back();
    outer_.pop_back();
  }

  static constexpr std::uint32_t undefined = ~0u;
  Labels* labels_;
  int depth_;
  std::vector<std::uint32_t> number_;
  std::uint32_t next_ = 0;
  bool by_id_ = false, named_ = false;
  std::size_t count_ = 0;
  std::vector<std::size_t> outer_;
};

}  // namespace

std::string ClosedJaxpr::to_text() const {
  if (!has_value()) throw ValueError("to_text: the ClosedJaxpr has no value");
  Labels labels(jaxpr());
  ExactPrinter p(&labels, 0);
  p.program(*this);
  return std::move(p.out);
}

std::string equation_text(const Jaxpr& j, const JaxprEqn& e) {
  ExactPrinter p(nullptr, 0);
  p.number_by_id(j);
  p.equation(j, e);
  return p.out.substr(1);
}

}  // namespace cotan

// Reads the exact text of a program; core/print.h describes it.
#include <cstring>
#include <limits>
#include <unordered_map>

#include "core/jaxpr_utils.h"
#include "core/params_ops.h"
#include "core/primitive.h"
#include "core/text_reader.h"
#include "core/typecheck.h"

namespace cotan {
namespace {

constexpr std::int64_t max_int = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t max_dimensions = 64;

class Parser final : public ParamsParser {
 public:
  explicit Parser(std::string_view text) : in_(text) {}

  ClosedJaxpr whole_text() {
    ClosedJaxpr c = program();
    if (!in_.at_end()) in_.fail("expected the end of the text");
    return c;
  }

 private:
  // A program being read: its variables by the numbers that the text gives them.
  struct Scope {
    Ref<Jaxpr> jaxpr = make_ref<Jaxpr>();
    std::unordered_map<std::int64_t, Var> vars;
    std::vector<Array> consts;
  };
  struct Declared {
    std::size_t position;
    std::int64_t number;
    Aval aval;
  };

  ClosedJaxpr program() {
    if (++depth_ > max_jaxpr_depth)
      in_.fail("programs are nested more than " + std::to_string(max_jaxpr_depth) + " deep");
    Scope s;
    in_.expect("{");
    if (!in_.accept_word("lambda")) in_.fail("expected 'lambda'");
    while (in_.peek() == '%') {
      const Declared d = declaration();
      s.jaxpr->constvars.push_back(define(s, d));
      in_.expect("=");
      s.consts.push_back(constant(d.aval));
    }
    in_.expect(";");
    while (in_.peek() == '%') s.jaxpr->invars.push_back(define(s, declaration()));
    in_.expect(".");
    if (!in_.accept_word("let")) in_.fail("expected 'let'");
    while (!in_.accept_word("in")) equation(s);
    in_.expect("(");
    for (bool first = true; !in_.accept(")"); first = false) {
      if (!first) in_.expect(",");
      s.jaxpr->outvars.push_back(atom(s));
    }
    const std::size_t position = in_.position();
    if (effects() != s.jaxpr->effects) in_.fail_at(position, "the effects are not those of the equations");
    in_.expect("}");
    --depth_;
    return close_jaxpr(std::move(s.jaxpr), std::move(s.consts));
  }

  void equation(Scope& s) {
    in_.skip_space();
    const std::size_t position = in_.position();
    std::vector<Declared> declared;
    while (in_.peek() == '%') declared.push_back(declaration());
    in_.expect("=");
    const Primitive* p = primitive();
    ParamsRef params = parameters(*p);
    std::vector<Atom> operands;
    while (in_.peek() != ';' && in_.peek() != '!') operands.push_back(atom(s));
    const Effects e = effects();
    in_.expect(";");
    std::vector<Var> results;
    for (const Declared& d : declared) results.push_back(define(s, d));
    JaxprEqn& eqn = s.jaxpr->add_eqn(*p, std::move(params), operands, results);
    eqn.effects = e;
    s.jaxpr->effects |= e;
    try {
      check_equation(*s.jaxpr, eqn);
    } catch (const Error& error) { in_.fail_at(position, error.message()); }
  }

  const Primitive* primitive() {
    in_.skip_space();
    const std::size_t position = in_.position();
    const std::string name(in_.until("[;%!"));
    const Primitive* p = find_primitive(name);
    if (!p) in_.fail_at(position, "there is no primitive '" + name + "'");
    return p;
  }

  ParamsRef parameters(const Primitive& p) {
    if (!p.params) return {};
    in_.expect("[");
    const bool outer_first = std::exchange(first_, true);
    ParamsRef params(p.params->parse(*this));
    first_ = outer_first;
    in_.expect("]");
    return params;
  }

  Declared declaration() {
    in_.expect("%");
    const std::size_t position = in_.position();
    const std::int64_t number = in_.integer(0, max_int);
    in_.expect(":");
    return {position, number, aval()};
  }

  Var define(Scope& s, const Declared& d) {
    const Var v = s.jaxpr->add_var(d.aval);
    if (!s.vars.emplace(d.number, v).second)
      in_.fail_at(d.position, '%' + std::to_string(d.number) + " is defined again");
    return v;
  }

  Aval aval() {
    Aval a;
    a.dtype = dtype();
    in_.expect("[");
    std::int64_t room = max_int / 16;  // so that the size in bytes is a number too
    for (bool first = true; !in_.accept("]"); first = false) {
      if (!first) in_.expect(",");
      if (a.ndim() == max_dimensions) in_.fail("a type has at most " + std::to_string(max_dimensions) + " dimensions");
      a.shape.push_back(in_.integer(0, room));
      room /= std::max<std::int64_t>(a.shape.back(), 1);
    }
    a.weak_type = in_.accept("~");
    return a;
  }

  Atom atom(Scope& s) {
    if (in_.accept("%")) {
      const std::size_t position = in_.position();
      const std::int64_t number = in_.integer(0, max_int);
      const auto it = s.vars.find(number);
      if (it == s.vars.end()) in_.fail_at(position, '%' + std::to_string(number) + " is not defined");
      return it->second;
    }
    in_.skip_space();
    const std::size_t position = in_.position();
    const std::string_view text = in_.until(":;,");
    in_.expect(":");
    const Aval a = aval();
    if (a.ndim() != 0) in_.fail_at(position, "a literal is a scalar");
    return s.jaxpr->add_literal({scalar(text, a.dtype, position), a.weak_type});
  }

  HostScalar scalar(std::string_view text, DType d, std::size_t position) const {
    try {
      return HostScalar::parse(text, d);
    } catch (const Error& e) { in_.fail_at(position, e.message()); }
  }

  Array constant(const Aval& a) {
    in_.expect("[");
    std::vector<unsigned char> bytes;
    const std::size_t each = item_size(a.dtype);
    std::int64_t n = 0;
    for (; n < a.size() && in_.peek() != ']'; ++n) {
      in_.skip_space();
      const std::size_t position = in_.position();
      const HostScalar v = scalar(in_.until("]"), a.dtype, position);
      bytes.insert(bytes.end(), v.bytes, v.bytes + each);
    }
    if (n < a.size()) in_.fail("expected " + std::to_string(a.size()) + " values, got " + std::to_string(n));
    in_.expect("]");
    return evaluation_hook().from_bytes(a, bytes.data());
  }

  Effects effects() {
    return in_.accept("!") ? static_cast<Effects>(in_.integer(1, std::numeric_limits<Effects>::max())) : no_effects;
  }

  // --- values of parameters ------------------------------------------------------------------------------------------
  void name(const char* n) override {
    if (!std::exchange(first_, false)) in_.expect(",");
    if (!in_.accept_word(n)) in_.fail("expected '" + std::string(n) + "='");
    in_.expect("=");
  }
  bool none() override { return in_.accept_word("None"); }
  bool boolean() override {
    if (in_.accept_word("True")) return true;
    if (!in_.accept_word("False")) in_.fail("expected True or False");
    return false;
  }
  std::int64_t integer(std::int64_t low, std::int64_t high) override { return in_.integer(low, high); }
  double real() override {
    in_.skip_space();
    const std::size_t position = in_.position();
    return scalar(in_.until(",])"), DType::float64, position).as_double();
  }
  DType dtype() override {
    in_.skip_space();
    const std::size_t position = in_.position();
    const std::string_view name = in_.until("[],;()");
    DType d;
    if (!dtype_from_name(name.data(), name.size(), &d))
      in_.fail_at(position, "there is no dtype '" + std::string(name) + "'");
    return d;
  }
  IntList ints() override {
    IntList l;
    in_.expect("(");
    while (!in_.accept(")")) {
      l.push_back(in_.integer(std::numeric_limits<std::int64_t>::min(), max_int));
      if (!in_.accept(",") && in_.peek() != ')') in_.fail("expected ',' or ')'");
    }
    return l;
  }
  std::string string() override { return in_.quoted(); }
  std::size_t enumerator(EnumNames names) override {
    in_.skip_space();
    const std::size_t position = in_.position();
    const std::string name = in_.peek() == '"' ? in_.quoted() : std::string(in_.word());
    for (std::size_t i = 0; i < names.size(); ++i)
      if (name == names[i]) return i;
    in_.fail_at(position, "unknown value '" + name + "'");
  }
  ClosedJaxpr jaxpr() override {
    if (none()) return {};
    if (!in_.accept("@")) return program();
    const std::size_t position = in_.position();
    const auto label = static_cast<std::size_t>(in_.integer(0, max_int));
    if (in_.peek() == '{') {  // labels count up from 0 in the order of the text
      if (label != labels_.size()) in_.fail_at(position, "expected @" + std::to_string(labels_.size()));
      labels_.emplace_back();
      ClosedJaxpr c = program();
      return labels_[label] = std::move(c);
    }
    if (label >= labels_.size() || !labels_[label].has_value())
      in_.fail_at(position, '@' + std::to_string(label) + " is not defined");
    return labels_[label];
  }
  CallableRef callable() override {
    in_.skip_space();
    const std::size_t position = in_.position();
    CallableRef c = find_callable(std::string(in_.word()));
    if (!c) in_.fail_at(position, "expected a function that a program of this process holds");
    return c;
  }
  void begin_list() override {
    in_.expect("[");
    list_first_.push_back(true);
  }
  bool next_item() override {
    if (in_.accept("]")) {
      list_first_.pop_back();
      return false;
    }
    if (!list_first_.back()) in_.expect(",");
    list_first_.back() = false;
    return true;
  }
  void begin_struct(const char* n) override {
    if (n && !in_.accept_word(n)) in_.fail("expected '" + std::string(n) + "('");
    in_.expect("(");
    struct_first_.push_back(std::exchange(first_, true));
  }
  void end_struct() override {
    in_.expect(")");
    first_ = struct_first_.back();
    struct_first_.pop_back();
  }

  TextReader in_;
  int depth_ = 0;
  bool first_ = true;  // of the parameters or fields of a struct
  std::vector<bool> list_first_, struct_first_;
  std::vector<ClosedJaxpr> labels_;
};

}  // namespace

ClosedJaxpr parse_jaxpr(const std::string& text) { return Parser(text).whole_text(); }

}  // namespace cotan

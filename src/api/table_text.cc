// Reads values of the table as Python writes them.
#include "api/table_value.h"
#include "base/host_scalar.h"
#include "core/primitive.h"

namespace cotan::table {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text, const Lookup& lookup) : text_(text), lookup_(lookup) {}
  Value whole() {
    Value v = value();
    if (peek()) fail("the end was expected");
    return v;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw ValueError("a value's text, at '" + std::string(text_.substr(at_, 20)) + "': " + what);
  }
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(std::string_view s) {
    peek();
    if (!text_.substr(at_).starts_with(s)) return false;
    at_ += s.size();
    return true;
  }
  void expect(std::string_view s) {
    if (!accept(s)) fail("'" + std::string(s) + "' was expected");
  }
  std::string_view until(char end) {  // and past it
    const std::size_t from = at_, to = text_.find(end, at_);
    if (to == text_.npos) fail("there is no '" + std::string(1, end) + "'");
    at_ = to + 1;
    return text_.substr(from, to - from);
  }
  std::string_view run(std::string_view of) {
    peek();
    const std::size_t from = at_;
    at_ = std::min(text_.find_first_not_of(of, at_), text_.size());
    return text_.substr(from, at_ - from);
  }

  Value value() {
    const char c = peek();
    if (accept("...")) return ellipsis;
    if (accept("[")) return Value::list(items(']'));
    if (accept("{")) return dict();
    if (accept("'")) return text();
    if (accept("<")) return object();
    if (accept("@")) return lookup_("@" + std::string(run(name_letters)));
    if (accept("$")) return lookup_(run(digits));
    if (accept("(")) return tuple();
    if (c == '-' || c == '+' || (c >= '0' && c <= '9')) return number();
    return word();
  }
  Value::Items items(char end) {
    Value::Items r;
    while (!accept({&end, 1})) {
      r.push_back(value());
      if (accept(",")) continue;
      expect({&end, 1});
      break;
    }
    return r;
  }
  Value tuple() {
    const std::size_t from = at_;
    Value::Items r = items(')');
    // (1+2j) and other parentheses around one value
    if (r.size() == 1 && text_.substr(from, at_ - from).find(",)") == text_.npos) return r[0];
    return Value::tuple(static_cast<Value::Items&&>(r));
  }
  Value dict() {
    Value::Entries r;
    while (!accept("}")) {
      expect("'");
      std::string key(until('\''));
      expect(":");
      r.emplace_back(static_cast<std::string&&>(key), value());
      if (accept(",")) continue;
      expect("}");
      break;
    }
    return Value::dict(static_cast<Value::Entries&&>(r));
  }
  Value text() {
    std::string s(until('\''));
    for (std::size_t at = 0; (at = s.find("\\n", at)) != s.npos;) s.replace(at, 2, "\n");
    return s;
  }
  Value object() {  // <class 'numpy.float32'>, <RoundingMethod.AWAY_FROM_ZERO: 0>, <function f at 0x1>
    std::string_view s = until('>');
    const std::size_t dot = s.find('.'), colon = s.find(": ");
    if (dot < colon && colon != s.npos) return s.substr(dot + 1, colon - dot - 1);
    if (!s.starts_with("class '") || !s.ends_with('\'')) return {};
    s = s.substr(7, s.size() - 8);
    return named(s.substr(s.rfind('.') + 1));  // npos + 1 is 0
  }
  Value number() {
    const std::string s(run("+-.0123456789eEjinfa"));
    if (s.ends_with('j')) return HostScalar::parse(s, DType::complex128).as_complex();
    if (s.find_first_not_of("-+0123456789") == s.npos) {
      const bool large =
          s.size() > 18 && s[0] != '-' && HostScalar::parse(s, DType::uint64).value<std::uint64_t>() >> 63 != 0;
      if (large) return HostScalar::parse(s, DType::uint64).value<std::uint64_t>();
      return HostScalar::parse(s, DType::int64).as_int64();
    }
    return HostScalar::parse(s, DType::float64).as_double();
  }
  Value word() {
    const std::string_view w = run(name_letters);
    if (w == "None") return {};
    if (w == "True" || w == "False") return w == "True";
    if (w == "Ellipsis") return ellipsis;
    if (w == "inf" || w == "nan") return HostScalar::parse(w, DType::float64).as_double();
    if (w == "frozenset") {
      expect("(");
      return Value::tuple(items(')'));
    }
    if (accept("(")) {
      if (w == "np.float32") return items(')').at(0);  // a default of lognormal
      if (w != "slice") fail("'" + std::string(w) + "' cannot be called");
      return range(items(')'));
    }
    const Value type = named(w);
    if (const DType* d = type.get<DType>(); d && (peek() == '[' || peek() == '*')) return array(*d);
    return type;
  }
  Value range(const Value::Items& i) {
    const auto bound = [&](std::size_t k) {
      if (k >= i.size() || i[k].is_none()) return Bound(none);
      if (!i[k].get<std::int64_t>()) fail("a slice is of integers");
      return Bound(*i[k].get<std::int64_t>());
    };
    return slice(bound(0), bound(1), bound(2));
  }
  Value named(std::string_view w) {
    if (w == "bool") return DType::bool_;
    if (w == "int") return DType::int64;
    if (w == "float") return DType::float64;
    if (w == "complex") return DType::complex128;
    DType d;
    if (dtype_from_name(w.data(), w.size(), &d)) return d;
    fail("'" + std::string(w) + "' is no value");
  }
  Array array(DType d) {  // f32*[2,3]{1 2 3 4 5 6}; one element between the braces stands for all
    Aval aval{{}, d, accept("*")};
    expect("[");
    for (const Value& n : items(']')) aval.shape.push_back(*n.get<std::int64_t>());
    expect("{");
    const std::string_view all = until('}');
    const std::size_t width = item_size(d), count = static_cast<std::size_t>(aval.size());
    std::vector<unsigned char> bytes(count * width + 1);
    std::size_t n = 0, from = 0;
    while (n < count && (from = all.find_first_not_of(' ', from)) != all.npos) {
      const std::size_t to = std::min(all.find(' ', from), all.size());
      HostScalar::parse(all.substr(from, to - from), d).store(bytes.data() + n++ * width);
      from = to;
    }
    if (n == 1)
      for (; n < count; ++n) std::copy_n(bytes.data(), width, bytes.data() + n * width);
    if (n != count) fail("an array of " + std::to_string(count) + " elements was expected");
    Array a = evaluation_hook().from_bytes(aval, bytes.data());
    a.node()->plain_number = aval.weak_type && aval.ndim() == 0;
    return a;
  }

  static constexpr std::string_view digits = "0123456789";
  static constexpr std::string_view name_letters = "_.<>0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string_view text_;
  std::size_t at_ = 0;
  const Lookup& lookup_;
};

}  // namespace

Value parse_value(std::string_view text, const Lookup& lookup) { return Reader(text, lookup).whole(); }

}  // namespace cotan::table

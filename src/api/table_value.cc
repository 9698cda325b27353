#include "api/table_value.h"

#include "base/host_scalar.h"

namespace cotan::table {

Value Value::list(Items items) {
  Value v;
  v.v_ = std::make_shared<const Sequence>(Sequence{false, static_cast<Items&&>(items), {}});
  return v;
}
Value Value::tuple(Items items, std::vector<std::string> names) {
  Value v;
  v.v_ = std::make_shared<const Sequence>(
      Sequence{true, static_cast<Items&&>(items), static_cast<std::vector<std::string>&&>(names)});
  return v;
}
Value Value::dict(Entries entries) {
  Value v;
  v.v_ = std::make_shared<const Entries>(static_cast<Entries&&>(entries));
  return v;
}

const char* Value::type_name() const {
  static constexpr const char* names[] = {"NoneType", "bool",  "int",   "int",      "float",    "complex", "str",
                                          "dtype",    "Array", "slice", "ellipsis", "function", "list",    "dict"};
  if (is_sequence()) return is_list() ? "list" : "tuple";
  return names[v_.index()];
}

namespace {

std::string bound_text(const Bound& b) { return b.given ? std::to_string(b.value) : "None"; }

std::string items_text(const Value::Items& items) {
  std::string r;
  for (const Value& v : items) r += (r.empty() ? "" : ", ") + v.str();
  return r;
}

}  // namespace

std::string Value::str() const {
  struct Text {
    std::string operator()(none_t) { return "None"; }
    std::string operator()(bool b) { return b ? "True" : "False"; }
    std::string operator()(std::int64_t i) { return std::to_string(i); }
    std::string operator()(std::uint64_t i) { return std::to_string(i); }  // more than fits in int64
    std::string operator()(double d) { return HostScalar(d).str(); }
    std::string operator()(std::complex<double> c) { return HostScalar(c).str(); }
    std::string operator()(const std::string& s) { return "'" + s + "'"; }
    std::string operator()(DType d) { return dtype_name(d); }
    std::string operator()(const Array& a) { return a.has_value() ? a.repr() : "None"; }
    std::string operator()(const slice& s) {
      return "slice(" + bound_text(s.first) + ", " + bound_text(s.last) + ", " + bound_text(s.stride) + ")";
    }
    std::string operator()(ellipsis_t) { return "Ellipsis"; }
    std::string operator()(const Function&) { return "<function>"; }
    std::string operator()(const std::shared_ptr<const Sequence>& s) {
      if (!s->tuple) return "[" + items_text(s->items) + "]";
      return "(" + items_text(s->items) + (s->items.size() == 1 ? ",)" : ")");
    }
    std::string operator()(const std::shared_ptr<const Entries>& entries) {
      std::string r;
      for (const auto& [key, value] : *entries) r += (r.empty() ? "'" : ", '") + key + "': " + value.str();
      return "{" + r + "}";
    }
  };
  return std::visit(Text(), v_);
}

bool Value::same(const Value& o) const {
  if (v_.index() != o.v_.index() || get<Array>() || get<Function>()) return false;
  return str() == o.str() && is_list() == o.is_list();
}

}  // namespace cotan::table

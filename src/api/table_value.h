// What goes in and out of a function of the table when its type is not known to the compiler: a value as Python has it.
#pragma once
#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cotan/array.h"

namespace cotan::table {

class Value {
 public:
  using Items = std::vector<Value>;
  using Entries = std::vector<std::pair<std::string, Value>>;
  struct Function {
    std::function<Value(const Items&)> call;
    std::string name = {};  // of a function of the table: "numpy.add"
    Value operator()(const Items&) const;
  };

  Value() = default;  // None
  Value(none_t) {}
  Value(std::same_as<bool> auto b) : v_(b) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) Value(T i) {
    if (std::in_range<std::int64_t>(i)) v_ = static_cast<std::int64_t>(i);
    else v_ = static_cast<std::uint64_t>(i);
  }
  Value(double d) : v_(d) {}
  Value(std::complex<double> c) : v_(c) {}
  Value(std::string s) : v_(static_cast<std::string&&>(s)) {}
  Value(std::string_view s) : v_(std::string(s)) {}
  Value(const char* s) : v_(std::string(s)) {}
  Value(DType d) : v_(d) {}
  Value(const Array& a) : v_(a) {}
  Value(const slice& s) : v_(s) {}
  Value(ellipsis_t e) : v_(e) {}
  Value(Function f) : v_(static_cast<Function&&>(f)) {}
  static Value list(Items);
  static Value tuple(Items, std::vector<std::string> names = {});  // names: of a named tuple's fields
  static Value dict(Entries);

  bool is_none() const { return std::holds_alternative<none_t>(v_); }
  bool is_sequence() const { return std::holds_alternative<std::shared_ptr<const Sequence>>(v_); }  // a list or a tuple
  bool is_list() const { return is_sequence() && !sequence().tuple; }
  bool is_dict() const { return std::holds_alternative<std::shared_ptr<const Entries>>(v_); }
  template <class T> const T* get() const { return std::get_if<T>(&v_); }  // null: another type
  const Items& items() const { return sequence().items; }
  const std::vector<std::string>& names() const { return sequence().names; }
  const Entries& entries() const { return *std::get<std::shared_ptr<const Entries>>(v_); }

  template <class F> auto visit(F f) const {  // of what is no container
    return std::visit(
        [&](const auto& x) -> decltype(f(none)) {
          if constexpr (requires { f(x); }) return f(x);
          else return {};
        },
        v_);
  }

  const char* type_name() const;  // Python's: "int", "list", "Array"
  std::string str() const;        // as Python writes it
  bool same(const Value&) const;  // equal types and values; never for Arrays and functions

 private:
  struct Sequence {
    bool tuple;
    Items items;
    std::vector<std::string> names;
  };
  const Sequence& sequence() const { return *std::get<std::shared_ptr<const Sequence>>(v_); }
  std::variant<none_t, bool, std::int64_t, std::uint64_t, double, std::complex<double>, std::string, DType, Array,
               slice, ellipsis_t, Function, std::shared_ptr<const Sequence>, std::shared_ptr<const Entries>>
      v_;
};

inline Value Value::Function::operator()(const Items& items) const { return call(items); }

// Reads what Python writes for None, True, 3, -2.5, inf, (1+2j), 'text', [1, 2], (1,), {'a': 1}, slice(1, None), ... and
// <class 'float'> (an enum <E.NAME: 0> gives 'NAME', other objects between < and > None); a dtype by its name; an Array as
// f32[2,2]{1 2 3 4}, with a star where it is weakly typed: f32*[]{1}, and f32[9]{0} for nine zeros. $3 is what `lookup` gives
// for "3", @numpy.sin for "@numpy.sin". ValueError otherwise.
using Lookup = std::function<Value(std::string_view)>;
Value parse_value(std::string_view text, const Lookup& lookup = {});

}  // namespace cotan::table

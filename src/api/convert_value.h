// From table::Value to the types of C++ parameters, and from results to table::Value. An area whose function takes a type of
// its own specialises FromValue for it, beside the function.
#pragma once
#include <optional>
#include <tuple>
#include <utility>

#include "api/table_value.h"
#include "cotan/axes.h"
#include "cotan/precision.h"
#include "cotan/tree_reflect.h"

namespace cotan::table {

// Where a value is bound for, which messages name.
struct Place {
  const char* function;
  const char* parameter;
  bool may_be_none = false;                                              // the parameter's default is None
  [[noreturn]] void fail(const char* expected, const Value& got) const;  // TypeError
};

template <class T> struct FromValue;  // static T get(const Value&, const Place&)
// A plain struct from a sequence of its fields, or from a named tuple or a dict with their names.
template <class T>
requires(std::is_aggregate_v<T>) struct FromValue<T> {
  static T get(const Value&, const Place&);
};

Array to_array(const Value&, const Place&);  // numbers become weak; sequences are refused, as JAX does
std::int64_t to_integer(const Value&, const Place&);
double to_double(const Value&, const Place&);
bool to_bool(const Value&, const Place&);
DType to_dtype(const Value&, const Place&);
const std::string& to_string(const Value&, const Place&);
IntList to_integers(const Value&, const Place&);    // of one integer or a sequence
Value::Items to_items(const Value&, const Place&);  // of a sequence, or the rows of an Array

template <> struct FromValue<Value> {
  static const Value& get(const Value& v, const Place&) { return v; }
};
template <> struct FromValue<Array> {
  static Array get(const Value& v, const Place& p) { return to_array(v, p); }
};
template <> struct FromValue<bool> {
  static bool get(const Value& v, const Place& p) { return to_bool(v, p); }
};
template <> struct FromValue<cotan::detail::Flag> {
  static cotan::detail::Flag get(const Value& v, const Place& p) { return to_bool(v, p); }
};
template <std::integral T>
requires(!std::same_as<T, bool>) struct FromValue<T> {
  static T get(const Value& v, const Place& p) {
    const std::int64_t i = to_integer(v, p);
    if (!std::in_range<T>(i))
      throw OverflowError(std::string(p.function) + ": " + p.parameter + "=" + std::to_string(i) + " is too large");
    return static_cast<T>(i);
  }
};
template <std::floating_point T> struct FromValue<T> {
  static T get(const Value& v, const Place& p) { return static_cast<T>(to_double(v, p)); }
};
template <> struct FromValue<DType> {
  static DType get(const Value& v, const Place& p) { return to_dtype(v, p); }
};
template <> struct FromValue<std::string> {
  static std::string get(const Value& v, const Place& p) { return to_string(v, p); }
};
template <> struct FromValue<std::string_view> {  // valid while the arguments live
  static std::string_view get(const Value& v, const Place& p) { return to_string(v, p); }
};
template <> struct FromValue<const char*> {
  static const char* get(const Value& v, const Place& p) { return to_string(v, p).c_str(); }
};
template <> struct FromValue<IntList> {
  static IntList get(const Value& v, const Place& p) { return to_integers(v, p); }
};
template <> struct FromValue<Shape> {
  static Shape get(const Value& v, const Place& p) { return to_integers(v, p); }
};
template <> struct FromValue<Axes> {
  static Axes get(const Value& v, const Place& p) { return v.is_none() ? Axes() : Axes(to_integers(v, p)); }
};
template <> struct FromValue<Precision> {
  static Precision get(const Value& v, const Place& p);  // ValueError for what is none
};
template <class T> struct FromValue<std::optional<T>> {
  static std::optional<T> get(const Value& v, const Place& p) {
    if (v.is_none()) return std::nullopt;
    return FromValue<T>::get(v, p);
  }
};
template <class T> struct FromValue<std::vector<T>> {
  static std::vector<T> get(const Value& v, const Place& p) {
    std::vector<T> r;
    for (const Value& item : to_items(v, p)) r.push_back(FromValue<T>::get(item, p));
    return r;
  }
};
template <> struct FromValue<std::vector<bool>> {  // one for all, or a sequence
  static std::vector<bool> get(const Value& v, const Place& p) {
    if (!v.is_sequence()) return {to_bool(v, p)};
    std::vector<bool> r;
    for (const Value& item : v.items()) r.push_back(to_bool(item, p));
    return r;
  }
};
template <class A, class B> struct FromValue<std::pair<A, B>> {
  static std::pair<A, B> get(const Value& v, const Place& p) {
    const Value::Items items = to_items(v, p);
    if (items.size() != 2) p.fail("a pair", v);
    return {FromValue<A>::get(items[0], p), FromValue<B>::get(items[1], p)};
  }
};
template <class R, class... A> struct FromValue<std::function<R(A...)>> {
  static std::function<R(A...)> get(const Value& v, const Place& p);
};

// Results. An aggregate becomes a named tuple of its fields.
inline Value to_value(const Value& v) { return v; }
inline Value to_value(const Array& a) { return a; }
inline Value to_value(std::same_as<bool> auto b) { return b; }
inline Value to_value(std::integral auto i) requires(!std::same_as<decltype(i), bool>) { return i; }
inline Value to_value(double d) { return d; }
inline Value to_value(std::complex<double> c) { return c; }
inline Value to_value(DType d) { return d; }
inline Value to_value(const std::string& s) { return s; }
inline Value to_value(const char* s) { return s; }
Value to_value(const IntList&);
template <class T> Value to_value(const std::optional<T>& o);
template <class A, class B> Value to_value(const std::pair<A, B>& p);
template <class... T> Value to_value(const std::tuple<T...>& t);
template <class T> Value to_value(const std::vector<T>& v);
template <class T>
requires(std::is_aggregate_v<T>) Value to_value(const T& t);

template <class T> Value to_value(const std::optional<T>& o) { return o ? to_value(*o) : Value(); }
template <class A, class B> Value to_value(const std::pair<A, B>& p) {
  return Value::tuple({to_value(p.first), to_value(p.second)});
}
template <class... T> Value to_value(const std::tuple<T...>& t) {
  return std::apply([](const auto&... x) { return Value::tuple({to_value(x)...}); }, t);
}
template <class T> Value to_value(const std::vector<T>& v) {
  Value::Items items;
  for (const auto& x : v) items.push_back(to_value(static_cast<const T&>(x)));
  return Value::list(static_cast<Value::Items&&>(items));
}
// Several results that JAX returns as a tuple.
template <class T> Value tuple_value(const std::vector<T>& v) { return Value::tuple(to_value(v).items()); }
std::vector<const Value*> field_values(const Value&, const Place&, const char* const* fields, std::size_t count);
std::vector<std::string> names_of(const char* const* fields, std::size_t count);  // without a trailing underscore
template <class T>
requires(std::is_aggregate_v<T>) Value to_value(const T& t) {
  return cotan::detail::with_fields(t, [](const auto&... x) {
    return Value::tuple({to_value(x)...}, names_of(cotan::detail::field_names<T>, sizeof...(x)));
  });
}

template <class T>
requires(std::is_aggregate_v<T>) T FromValue<T>::get(const Value& v, const Place& p) {
  T t{};
  cotan::detail::with_fields(t, [&](auto&... field) {
    const std::vector<const Value*> values = field_values(v, p, cotan::detail::field_names<T>, sizeof...(field));
    std::size_t i = 0;
    const auto set = [&](auto& f, const Value* given) {
      if (given) f = FromValue<std::remove_cvref_t<decltype(f)>>::get(*given, p);
    };
    (set(field, values[i++]), ...);
  });
  return t;
}

template <class R, class... A>
std::function<R(A...)> FromValue<std::function<R(A...)>>::get(const Value& v, const Place& p) {
  const Value::Function* f = v.get<Value::Function>();
  if (!f) p.fail("a function", v);
  const char *function = p.function, *parameter = p.parameter;
  return [f = *f, function, parameter](A... a) -> R {
    return FromValue<std::remove_cvref_t<R>>::get(f({to_value(a)...}), Place{function, parameter});
  };
}

}  // namespace cotan::table

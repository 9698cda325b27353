// The table of public functions: one line for each, in the .cc beside the function.
//
//   const FunctionTable reductions_table{"numpy", {
//       function<sum>("sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, promote_integers=True)",
//                     "Sum of the elements over the axes."),
//   }};
//
// The signature is what inspect.signature of JAX 0.10.2 prints, without annotations (tools/api_coverage.py --signatures NAME).
// C++ parameters before the options are the signature's first ones, in order; the fields of the options have its names (a
// trailing underscore is dropped). A third string lists the names of the C++ parameters where they are not the first:
// "a axis". A parameter that falls on *args takes them all if it is a std::vector, else one of them, and so do those after it.
// What C++ lacks is refused with NotImplementedError when it is given. What no plain function can do is a lambda:
//
//   function<[](const table::Call& call) -> table::Value { ... call["axis"] ... }>("...", "...")   // every parameter by name
//   function<[](const table::Value& start, ...) { ... }>("arange(start, ...)", "...")              // or of other types
#pragma once
#include <cstddef>

#include "api/convert_value.h"
#include "api/signature.h"
#include "cotan/options.h"

namespace cotan::table {

// The arguments of one call, bound.
class Call {
 public:
  Call(const char* function, const Signature& s, const std::vector<std::optional<Value>>& bound,
       const std::vector<std::string>& positional)
      : function_(function), signature_(s), bound_(bound), positional_(positional) {}
  const Value& operator[](std::string_view parameter) const;  // as given, or the default
  bool given(std::string_view parameter) const;
  template <class T> T get(const char* parameter) const {
    return FromValue<T>::get((*this)[parameter], place(parameter));
  }
  Place place(const char* parameter) const;
  const char* function() const { return function_; }

  // C++ parameter i. `whole`: all of *args if that is what it falls on.
  const Value& positional(std::size_t i, bool whole, Place* place) const;
  const Value* option(const char* field, Place* place) const;  // null: not given

 private:
  const char* function_;
  const Signature& signature_;
  const std::vector<std::optional<Value>>& bound_;
  const std::vector<std::string>& positional_;  // names of C++ parameters, where the record gives them
};

template <class T> inline constexpr bool is_list_type = false;
template <class T> inline constexpr bool is_list_type<std::vector<T>> = true;
template <class T>
inline constexpr bool takes_none = cotan::detail::Omissible<T> || std::is_same_v<T, Value> || std::is_same_v<T, Array>;
template <class T> inline constexpr bool takes_none<std::optional<T>> = true;

template <class T> void set_field(const Call& call, const char* name, T& field) {
  Place place{};
  const Value* v = call.option(name, &place);
  if (!v || (v->is_none() && place.may_be_none && !takes_none<T>)) return;  // as if it were not given
  field = FromValue<T>::get(*v, place);
}

template <class T> T make_argument(const Call& call, std::size_t i) {
  if constexpr (std::is_same_v<T, Call>) return call;
  else if constexpr (cotan::detail::OptionsStruct<T>) {
    T options{};
    cotan::detail::with_fields(options, [&](auto&... fields) {
      const char* const* name = cotan::detail::field_names<T>;
      (set_field(call, *name++, fields), ...);
    });
    return options;
  } else {
    Place place{};
    const Value& v = call.positional(i, is_list_type<T>, &place);
    return FromValue<T>::get(v, place);
  }
}

template <class R, class... P, std::size_t... I>
Value call_plain(R (*f)(P...), const Call& call, std::index_sequence<I...>) {
  std::tuple<std::remove_cvref_t<P>...> arguments{make_argument<std::remove_cvref_t<P>>(call, I)...};
  return to_value(f(static_cast<P>(std::get<I>(arguments))...));
}

struct FunctionRecord {
  const char* signature;
  const char* doc;
  const char* names;  // of the C++ parameters, or null: the first ones of the signature
  Value (*call)(const Call&);
  int positional;             // C++ parameters before the options; -1: a lambda that takes them all by name
  const char* const* fields;  // of the options; null: none
};

template <class... P> struct Shapes {  // of a parameter list
  static constexpr bool by_name = (std::is_same_v<std::remove_cvref_t<P>, Call> || ...);
  static constexpr bool options = (cotan::detail::OptionsStruct<std::remove_cvref_t<P>> || ...);
  static constexpr int positional = by_name ? -1 : static_cast<int>(sizeof...(P)) - options;
  static constexpr const char* const* fields() {
    if constexpr (!options) return nullptr;
    else
      return cotan::detail::field_names<std::remove_cvref_t<std::tuple_element_t<sizeof...(P) - 1, std::tuple<P...>>>>;
  }
};
template <class R, class... P> Shapes<P...> shapes_of(R (*)(P...));

// F: a function, or a lambda without captures.
template <auto F>
constexpr FunctionRecord function(const char* signature, const char* doc, const char* names = nullptr) {
  using S = decltype(shapes_of(+F));
  return {signature,
          doc,
          names,
          [](const Call& call) {
            return []<class R, class... P>(R (*f)(P...), const Call& c) {
              return call_plain(f, c, std::index_sequence_for<P...>());
            }(+F, call);
          },
          S::positional,
          S::fields()};
}

// Links itself into the list of all tables.
class AnyFunctionTable {
 public:
  AnyFunctionTable(const char* module, const FunctionRecord* records, std::size_t count);
  AnyFunctionTable(const AnyFunctionTable&) = delete;
  const char* module;
  const FunctionRecord* records;
  std::size_t count;
  const AnyFunctionTable* next;
};
template <std::size_t N> struct FunctionTable : AnyFunctionTable {
  FunctionTable(const char* module_name, const FunctionRecord (&r)[N]) : AnyFunctionTable(module_name, own, N) {
    for (std::size_t i = 0; i < N; ++i) own[i] = r[i];
  }
  FunctionRecord own[N];
};

// A line with its signature read.
struct Function {
  std::string module;
  Signature signature;
  std::vector<std::string> positional;  // names of the C++ parameters, from the record or the signature
  std::vector<std::string> options;     // and of the fields of the options
  std::vector<std::string> lacking;     // parameters that C++ does not have
  const FunctionRecord* record;
  std::string full_name() const { return module + "." + signature.name; }  // "numpy.sum"
  Value operator()(const Arguments&) const;
};
const std::vector<Function>& all_functions();               // by name
const Function* find_function(std::string_view full_name);  // null: none

}  // namespace cotan::table

namespace cotan {
using table::function;
using table::FunctionTable;
}  // namespace cotan

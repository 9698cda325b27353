// The fields of a plain struct: how many, by reference, and their names; without registration, by structured bindings.
#pragma once
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cotan::detail {

template <class... T> struct List { static constexpr std::size_t size = sizeof...(T); };

struct AnyValue {  // stands for one initialiser of any type
  template <class T> operator T() const;
};
template <class Derived> struct AnyBase {  // stands for a base class of Derived
  template <class B>
  requires(std::is_base_of_v<B, Derived> && !std::is_same_v<B, Derived>) operator B() const;
};
template <std::size_t> using AnyAt = AnyValue;
template <int N> using count_to = std::make_index_sequence<static_cast<std::size_t>(N)>;

// T{x, x, ...} with as many x as there are indices.
template <class T, class Seq> inline constexpr bool takes_flat = false;
template <class T, std::size_t... I>
requires requires { T{AnyAt<I>{}...}; }
inline constexpr bool takes_flat<T, std::index_sequence<I...>> = true;

// T{x..., {x...}, x...}: the braces in the middle are for one field.
template <class T, class Before, class Inside, class After> inline constexpr bool takes_braced = false;
template <class T, std::size_t... A, std::size_t... B, std::size_t... C>
requires requires { T{AnyAt<A>{}..., {AnyAt<B>{}...}, AnyAt<C>{}...}; }
inline constexpr bool takes_braced<T, std::index_sequence<A...>, std::index_sequence<B...>, std::index_sequence<C...>> =
    true;
template <class T, int Before, int Inside, int After>
inline constexpr bool takes_braced_n = takes_braced<T, count_to<Before>, count_to<Inside>, count_to<After>>;

inline constexpr int max_fields = 24;

// The most initialisers that T takes without inner braces. Each element of a C array counts; -1: more than max_fields.
template <class T, int N> constexpr int count_initialisers() {
  if constexpr (takes_flat<T, count_to<N>>) return N;
  else if constexpr (N == 0) return -1;
  else return count_initialisers<T, N - 1>();
}

// How many of those the field that begins with initialiser At takes: more than one only for a C array. For a class the
// braces free initialisers, which the next fields then take; for a C array they free none.
template <class T, int At, int Total, int N> constexpr int array_length_from() {
  if constexpr (N <= 1) return 1;
  else if constexpr (takes_braced_n<T, At, N, Total - At - N> && !takes_braced_n<T, At, N, Total - At - N + 1>)
    return N;
  else return array_length_from<T, At, Total, N - 1>();
}
template <class T, int At, int Total> constexpr int initialisers_at() {
  if constexpr (!takes_braced_n<T, At, 2, 0> && takes_braced_n<T, At, 1, 0>) return 1;  // the common case, quickly
  else return array_length_from<T, At, Total, Total - At>();
}
template <class T, int At, int Total> constexpr int count_fields_from() {
  if constexpr (At >= Total) return 0;
  else return 1 + count_fields_from<T, At + initialisers_at<T, At, Total>(), Total>();
}

template <class T> inline constexpr bool has_base = requires { T{AnyBase<T>{}}; };
template <class T>
inline constexpr int initialiser_count =
    count_initialisers<T, (sizeof(T) < max_fields + 1 ? static_cast<int>(sizeof(T)) : max_fields + 1)>();
template <class T> constexpr int count_fields() {
  if constexpr (initialiser_count<T> < 0 || initialiser_count < T >> max_fields) return -1;
  else return count_fields_from<T, 0, initialiser_count<T>>();
}
// Fields of the aggregate T; -1 when they can't be seen.
template <class T> inline constexpr int field_count = count_fields<T>();

#define COTAN_BIND(N, ...)     \
  else if constexpr (n == N) { \
    auto& [__VA_ARGS__] = t;   \
    return f(__VA_ARGS__);     \
  }
#define COTAN_F8 f0, f1, f2, f3, f4, f5, f6, f7
#define COTAN_F16 COTAN_F8, f8, f9, f10, f11, f12, f13, f14, f15
// Calls f with a reference to each field of t.
template <class T, class F> constexpr decltype(auto) with_fields(T& t, F&& f) {
  constexpr int n = field_count<std::remove_const_t<T>>;
  if constexpr (n == 0) return f();
  COTAN_BIND(1, f0)
  COTAN_BIND(2, f0, f1)
  COTAN_BIND(3, f0, f1, f2)
  COTAN_BIND(4, f0, f1, f2, f3)
  COTAN_BIND(5, f0, f1, f2, f3, f4)
  COTAN_BIND(6, f0, f1, f2, f3, f4, f5)
  COTAN_BIND(7, f0, f1, f2, f3, f4, f5, f6)
  COTAN_BIND(8, COTAN_F8)
  COTAN_BIND(9, COTAN_F8, f8)
  COTAN_BIND(10, COTAN_F8, f8, f9)
  COTAN_BIND(11, COTAN_F8, f8, f9, f10)
  COTAN_BIND(12, COTAN_F8, f8, f9, f10, f11)
  COTAN_BIND(13, COTAN_F8, f8, f9, f10, f11, f12)
  COTAN_BIND(14, COTAN_F8, f8, f9, f10, f11, f12, f13)
  COTAN_BIND(15, COTAN_F8, f8, f9, f10, f11, f12, f13, f14)
  COTAN_BIND(16, COTAN_F16)
  COTAN_BIND(17, COTAN_F16, f16)
  COTAN_BIND(18, COTAN_F16, f16, f17)
  COTAN_BIND(19, COTAN_F16, f16, f17, f18)
  COTAN_BIND(20, COTAN_F16, f16, f17, f18, f19)
  COTAN_BIND(21, COTAN_F16, f16, f17, f18, f19, f20)
  COTAN_BIND(22, COTAN_F16, f16, f17, f18, f19, f20, f21)
  COTAN_BIND(23, COTAN_F16, f16, f17, f18, f19, f20, f21, f22)
  COTAN_BIND(24, COTAN_F16, f16, f17, f18, f19, f20, f21, f22, f23)
}
#undef COTAN_BIND
#undef COTAN_F8
#undef COTAN_F16

// Names of fields, for paths in messages: each is the compiler's text "... (& object.Type::name)]", cut where it is used.
#if defined(__GNUC__) && !defined(__clang__)
template <class T> struct Holder { T value; };
template <class T> extern const Holder<T> named_object;  // never defined: only the addresses of its parts are named
template <auto Pointer> consteval const char* pointer_text() { return __PRETTY_FUNCTION__; }
template <class T> consteval auto field_pointers() {
  return with_fields(named_object<T>.value, [](auto&... x) { return std::tuple(&x...); });
}
template <class T, class Seq> struct FieldNames;
template <class T, std::size_t... I> struct FieldNames<T, std::index_sequence<I...>> {
  static constexpr const char* value[] = {pointer_text<std::get<I>(field_pointers<T>())>()..., nullptr};
};
template <class T>
inline constexpr const char* const* field_names =
    FieldNames<T, std::make_index_sequence<static_cast<std::size_t>(field_count<T>)>>::value;
#else
template <class T> inline constexpr const char* const* field_names = nullptr;
#endif

}  // namespace cotan::detail

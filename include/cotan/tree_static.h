// What a type is to a transformation: a pytree (it holds Arrays), a static value (part of cache keys), or neither. The type
// alone decides, never the value. Standard containers are known by their interface, so that their headers are not needed.
#pragma once
#include "cotan/shape.h"
#include "cotan/tree_key.h"
#include "cotan/tree_reflect.h"

namespace cotan {
class Array;

namespace tree {
template <class... F> struct Fields { std::tuple<F&...> refs; };
// Makes a class with private members a pytree: friend auto tree_fields(auto& s) { return ct::tree::fields(s.a, s.b); }
template <class... F> Fields<F...> fields(F&... f) { return {std::tuple<F&...>(f...)}; }
}  // namespace tree

namespace detail {

// --- kinds of types
template <class T>
concept HasFields = requires(T& t) {
  tree_fields(t);
};
template <class T>
concept HasKey = requires(const T& t, Key& k) {
  tree_key(t, k);
};
template <class T>
concept MapLike = requires(T& t) {
  typename T::key_type;
  typename T::mapped_type;
  t.begin();
  t.end();
  t.size();
};
template <class T>
concept Hashed = requires {
  typename T::hasher;
};
template <class T>
concept SeqLike = !MapLike<T> && requires(T & t) {
  typename T::value_type;
  t.begin();
  t.end();
  t.size();
};
template <class T>
concept StringLike = SeqLike<T> && requires {
  typename T::traits_type;
};
template <class T>
concept SetLike = SeqLike<T> && requires {
  typename T::key_compare;
};
template <class T>
concept OptionalLike = requires(T& t) {
  typename T::value_type;
  t.has_value();
  *t;
  t.reset();
};
template <class T>
concept TupleLike = requires {
  std::tuple_size<T>::value;
}
&&!SeqLike<T>;
template <class T>
concept Aggregate = std::is_class_v<T> && std::is_aggregate_v<T> && !SeqLike<T> && !TupleLike<T> && !HasFields<T>;
template <class T>
concept ComplexLike = !SeqLike<T> && requires(const T& t) {
  typename T::value_type;
  t.real();
  t.imag();
};
template <class T>
concept PointerLike = std::is_pointer_v<T> || requires(T& t) {
  typename T::element_type;
  t.get();
};
template <class T>
concept FunctionPointer = std::is_pointer_v<T> && std::is_function_v<std::remove_pointer_t<T>>;
// Tags and captureless lambdas: the type says all.
template <class T>
concept Stateless = std::is_empty_v<T> && std::is_trivially_copyable_v<T>;
template <class T>
concept IntListLike = std::is_base_of_v<IntList, T>;
template <class T>
concept Reflected = Aggregate<T> && !std::is_empty_v<T> && !has_base<T> && (field_count<T> > 0);

template <class T, std::size_t... I> List<std::tuple_element_t<I, T>...> elements_of(std::index_sequence<I...>);
template <class T> using elements = decltype(elements_of<T>(std::make_index_sequence<std::tuple_size_v<T>>()));
template <class... T> List<std::remove_reference_t<T>...> as_list(const std::tuple<T...>&);
template <class T> using listed_fields = decltype(as_list(tree_fields(std::declval<T&>()).refs));
template <class T>
using reflected_fields = decltype(with_fields(
    std::declval<T&>(), [](auto&... x) { return List<std::remove_reference_t<decltype(x)>...>{}; }));

// --- does it hold Arrays?
template <class T> constexpr bool holds_array_();
template <class T> struct HoldsArray { static constexpr bool value = holds_array_<T>(); };  // a class, to be lazy
template <class T> inline constexpr bool holds_array = HoldsArray<std::remove_cv_t<T>>::value;
// Arrays are looked for first, so that struct Node { std::vector<Node> kids; Array v; } is decided before it is asked.
template <class... T> constexpr bool any_holds(List<T...>) {
  if constexpr ((std::is_same_v<std::remove_cv_t<T>, Array> || ...)) return true;
  else return std::disjunction<HoldsArray<std::remove_cv_t<T>>...>::value;
}
template <class T> constexpr bool holds_array_() {
  if constexpr (std::is_same_v<T, Array>) return true;
  else if constexpr (std::is_array_v<T>) return holds_array<std::remove_all_extents_t<T>>;
  else if constexpr (!std::is_class_v<T> || StringLike<T> || HasKey<T> || SetLike<T>) return false;
  else if constexpr (HasFields<T>) return any_holds(listed_fields<T>{});
  else if constexpr (MapLike<T>) return holds_array<typename T::mapped_type>;
  else if constexpr (SeqLike<T> || OptionalLike<T>) return holds_array<typename T::value_type>;
  else if constexpr (TupleLike<T>) return any_holds(elements<T>{});
  else if constexpr (Reflected<T>) return any_holds(reflected_fields<T>{});
  else return false;
}

// --- is it static?
template <class T> constexpr bool is_static_();
template <class T> struct IsStatic { static constexpr bool value = is_static_<T>(); };
template <class T> inline constexpr bool is_static = IsStatic<std::remove_cv_t<T>>::value;
template <class... T> constexpr bool all_static(List<T...>) {
  return std::conjunction<IsStatic<std::remove_cv_t<T>>...>::value;
}
template <class T> constexpr bool is_static_() {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::nullptr_t>) return true;
  else if constexpr (std::is_pointer_v<T>) return FunctionPointer<T> || std::is_same_v<T, const char*>;
  else if constexpr (std::is_array_v<T>) return is_static<std::remove_all_extents_t<T>>;
  else if constexpr (!std::is_class_v<T> || std::is_same_v<T, Array>) return false;
  else if constexpr (HasKey<T> || Stateless<T> || StringLike<T> || IntListLike<T> || ComplexLike<T>) return true;
  else if constexpr (HasFields<T>) return all_static(listed_fields<T>{});
  else if constexpr (MapLike<T>)
    return !Hashed<T> && is_static<typename T::key_type> && is_static<typename T::mapped_type>;
  else if constexpr (SeqLike<T>) return !Hashed<T> && is_static<typename T::value_type>;
  else if constexpr (OptionalLike<T>) return is_static<typename T::value_type>;
  else if constexpr (TupleLike<T>) return all_static(elements<T>{});
  else if constexpr (Reflected<T>) return all_static(reflected_fields<T>{});
  else return false;
}

// Adds what tells t from other values of its type. Field by field: the padding of a struct is not part of its value.
template <class T> void put_key(const T& t, Key& k) {
  if constexpr (HasKey<T>) {
    const std::size_t start = k.begin_part();
    tree_key(t, k);
    k.end_part(start);
  } else if constexpr (std::is_same_v<T, const char*>) {
    const std::size_t n = t ? std::strlen(t) : 0;
    k.put(t ? n : ~n);
    if (t) k.put(t, n);
  } else if constexpr (std::is_array_v<T>)
    for (const auto& x : t) put_key(x, k);
  else if constexpr (Stateless<T> || std::is_same_v<T, std::nullptr_t>) {
  } else if constexpr (std::is_same_v<T, long double>) {  // its storage has padding: the value as two doubles
    const double high = static_cast<double>(t), low = static_cast<double>(t - static_cast<long double>(high));
    k.put(high);
    k.put(low);
  } else if constexpr (std::is_scalar_v<T>) k.put(&t, sizeof t);
  else if constexpr (ComplexLike<T>) {
    put_key(t.real(), k);
    put_key(t.imag(), k);
  } else if constexpr (IntListLike<T>) {
    k.put(t.length());
    k.put(t.data(), sizeof(std::int64_t) * static_cast<std::size_t>(t.length()));
  } else if constexpr (HasFields<T>)
    std::apply([&](auto&... x) { (put_key<std::remove_cvref_t<decltype(x)>>(x, k), ...); }, tree_fields(t).refs);
  else if constexpr (SeqLike<T> || MapLike<T>) {
    k.put(t.size());
    for (const auto& x : t) put_key<std::remove_cvref_t<decltype(x)>>(x, k);
  } else if constexpr (OptionalLike<T>) {
    k.put(t.has_value());
    if (t.has_value()) put_key(*t, k);
  } else if constexpr (TupleLike<T>) std::apply([&](const auto&... x) { (put_key(x, k), ...); }, t);
  else with_fields(t, [&](const auto&... x) { (put_key(x, k), ...); });
}

template <class T> void Key::put(const T& t) {
  static_assert(is_static<T>, "cotan: a part of a tree_key is not a static value");
  put_key(t, *this);
}

}  // namespace detail
}  // namespace cotan

// The one traversal per type, which serves flattening, refilling, structure, paths and cache keys; and the type, erased.
#pragma once
#include <new>

#include "cotan/tree_static.h"

namespace cotan::detail {

// A static value, erased.
struct Static {
  const void* value;
  void (*put)(const void*, Key&);
  void (*print)(const void*, std::string&);
};
void print_text(std::string& out, const char* text, std::size_t n);  // in quotes
void print_number(std::string& out, long long);
void print_number(std::string& out, double);
template <class T>
concept ByteString = StringLike<T> && requires(const T& t) {
  requires sizeof(*t.data()) == 1;
};
template <class T> void print_static(const T& t, std::string& out) {
  if constexpr (ByteString<T>) print_text(out, t.data(), t.size());
  else if constexpr (std::is_same_v<T, const char*>) print_text(out, t ? t : "", t ? std::strlen(t) : 0);
  else if constexpr (std::is_floating_point_v<T>) print_number(out, static_cast<double>(t));
  else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) print_number(out, static_cast<long long>(t));
  else out += "...";
}
template <class T> Static static_of(const T& t) {
  return {&t, [](const void* p, Key& k) { put_key(*static_cast<const T*>(p), k); },
          [](const void* p, std::string& out) { print_static(*static_cast<const T*>(p), out); }};
}

enum class TreeNode : char { sequence = 'l', map = 'm', tuple = 't', fields = 's', optional = 'o' };

class Visitor {
 public:
  virtual ~Visitor();
  virtual void leaf(Array&) = 0;
  // A node and how many children follow. `names`: of fields, as the compiler prints them, or null.
  virtual void open(TreeNode, std::size_t children, const char* const* names);
  virtual void close();
  virtual void fixed(const Static&);    // a child without Arrays
  virtual void map_key(const Static&);  // before each child of a map
  bool wants_static = false;            // else fixed and map_key are not called

 protected:
  Visitor() = default;
  explicit Visitor(bool statics) : wants_static(statics) {}
};

template <class T> void visit(T& t, Visitor& v) {
  if constexpr (std::is_same_v<T, Array>) v.leaf(t);
  else if constexpr (!holds_array<T>) {
    if (v.wants_static) v.fixed(static_of<std::remove_const_t<T>>(t));
  } else if constexpr (std::is_array_v<T>) {
    v.open(TreeNode::sequence, std::extent_v<T>, nullptr);
    for (auto& x : t) visit(x, v);
    v.close();
  } else if constexpr (HasFields<T>) {
    v.open(TreeNode::fields, listed_fields<T>::size, nullptr);
    std::apply([&](auto&... x) { (visit(x, v), ...); }, tree_fields(t).refs);
    v.close();
  } else if constexpr (MapLike<T>) {
    v.open(TreeNode::map, t.size(), nullptr);
    for (auto& [key, x] : t) {
      if (v.wants_static) v.map_key(static_of(key));
      visit(x, v);
    }
    v.close();
  } else if constexpr (SeqLike<T>) {
    v.open(TreeNode::sequence, t.size(), nullptr);
    for (auto& x : t) visit(x, v);
    v.close();
  } else if constexpr (OptionalLike<T>) {
    v.open(TreeNode::optional, t.has_value() ? 1 : 0, nullptr);
    if (t.has_value()) visit(*t, v);
    v.close();
  } else if constexpr (TupleLike<T>) {
    v.open(TreeNode::tuple, std::tuple_size_v<T>, nullptr);
    std::apply([&](auto&... x) { (visit(x, v), ...); }, t);
    v.close();
  } else {
    v.open(TreeNode::fields, static_cast<std::size_t>(field_count<T>), field_names<T>);
    with_fields(t, [&](auto&... x) { (visit(x, v), ...); });
    v.close();
  }
}

// A type, erased: all that the library needs to know of it.
struct TypeOps {
  std::size_t size, align;
  bool dynamic;  // holds Arrays
  void (*copy)(const void* from, void* to);
  void (*destroy)(void*);
  void (*visit)(void*, Visitor&);  // changes the tree only where the visitor does
};
template <class T>
inline constexpr TypeOps type_ops = {sizeof(T),
                                     alignof(T),
                                     holds_array<T>,
                                     [](const void* from, void* to) { new (to) T(*static_cast<const T*>(from)); },
                                     [](void* p) { static_cast<T*>(p)->~T(); },
                                     [](void* p, Visitor& v) { cotan::detail::visit(*static_cast<T*>(p), v); }};

// --- one sentence per mistake, with the type in the "[with T = ...]" line above it
// `Above`: the types that T is a part of, since a type may hold a container of itself.
template <class T, class Above> constexpr bool tree_ok_();
template <class T, class Above> struct TreeOk { static constexpr bool value = tree_ok_<T, Above>(); };
template <class T, class... A> constexpr bool child_ok(List<A...>) {
  using U = std::remove_cv_t<T>;
  if constexpr ((std::is_same_v<U, A> || ...)) return true;
  else return !(std::is_const_v<T> && holds_array<U>)&&TreeOk<U, List<A...>>::value;
}
template <class Above, class... T> constexpr bool children_ok(List<T...>) { return (child_ok<T>(Above{}) && ...); }
template <class T, class... A> List<T, A...> prepend(List<A...>);
template <class T, class Above> constexpr bool tree_ok_() {
  using Here = decltype(prepend<T>(Above{}));
  if constexpr (!holds_array<T>) return is_static<T>;
  else if constexpr (std::is_same_v<T, Array>) return true;
  else if constexpr (std::is_array_v<T>) return child_ok<std::remove_all_extents_t<T>>(Above{});
  else if constexpr (!std::is_copy_constructible_v<T> || Hashed<T>) return false;
  else if constexpr (HasFields<T>) return children_ok<Here>(listed_fields<T>{});
  else if constexpr (MapLike<T>) return is_static<typename T::key_type> && child_ok<typename T::mapped_type>(Here{});
  else if constexpr (SeqLike<T> || OptionalLike<T>) return child_ok<typename T::value_type>(Here{});
  else if constexpr (TupleLike<T>) return children_ok<Here>(elements<T>{});
  else return children_ok<Here>(reflected_fields<T>{});
}
template <class T> inline constexpr bool tree_ok = TreeOk<std::remove_cv_t<T>, List<>>::value;

#define COTAN_FIELDS_HINT \
  "list its fields in it: friend auto tree_fields(auto& s) { return ct::tree::fields(s.a, s.b); }"
template <class T> constexpr bool check_tree();
template <class... T> constexpr bool check_trees(List<T...>) {
  return (static_cast<int>(check_tree<std::remove_cv_t<T>>()) & ... & 1) != 0;
}
template <class T> constexpr bool check_tree() {
  constexpr bool ok = tree_ok<T>;
  if constexpr (ok) return true;
  else if constexpr (std::is_void_v<T>)
    static_assert(ok,
                  "cotan: the function returns void; a function that cotan transforms must return an Array or a pytree "
                  "of Arrays");
  else if constexpr (PointerLike<T>)
    static_assert(ok, "cotan: a pointer is neither a pytree nor a static value; pass the value it points to");
  else if constexpr (Hashed<T>)
    static_assert(ok, "cotan: an unordered container has no fixed order of leaves; use std::map");
  else if constexpr (requires(T & t) { t.target_type(); })
    static_assert(ok,
                  "cotan: a std::function has no identity to be part of a cache key; pass a function pointer, a "
                  "captureless lambda or a ct::Fn, "
                  "or capture it in the function");
  else if constexpr (holds_array<T> && !std::is_copy_constructible_v<T>)
    static_assert(ok, "cotan: a pytree must be copyable; this type is not");
  else if constexpr (Aggregate<T> && has_base<T>)
    static_assert(ok, "cotan: this struct has a base class; " COTAN_FIELDS_HINT);
  else if constexpr (Aggregate<T> && field_count<T> < 0)
    static_assert(ok, "cotan: this struct has more than 24 fields, or fields cotan cannot see; " COTAN_FIELDS_HINT);
  else if constexpr (Aggregate<T>)
    static_assert(ok,
                  "cotan: a field of this struct is neither a pytree nor a static value (a pointer, a std::function, a "
                  "const Array, a class "
                  "without tree_fields)");
  else if constexpr (MapLike<T>) return check_trees(List<typename T::key_type, typename T::mapped_type>{});
  else if constexpr (SeqLike<T> || OptionalLike<T>) return check_tree<std::remove_cv_t<typename T::value_type>>();
  else if constexpr (TupleLike<T>) return check_trees(elements<T>{});
  else if constexpr (std::is_class_v<T>)
    static_assert(ok,
                  "cotan: this class is not a pytree: it has private members or a constructor; make it a plain struct, "
                  "or " COTAN_FIELDS_HINT);
  else static_assert(ok, "cotan: this type is neither a pytree nor a static value");
  return false;
}
#undef COTAN_FIELDS_HINT

}  // namespace cotan::detail

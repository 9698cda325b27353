// Pytrees: values made of Arrays by plain structs, std containers, optional, C arrays and classes that list their fields.
// Parts that hold no Array are static: they stay as they are, and two trees have one structure only if theirs are equal.
#pragma once
#include "cotan/array.h"
#include "cotan/tree_visit.h"

namespace cotan {
namespace detail {
std::vector<Array> leaves_of(const TypeOps&, const void* tree);
void assign_leaves(const TypeOps&, void* tree, const std::vector<Array>& leaves);
std::vector<std::string> paths_of(const TypeOps&, const void* tree);
using LeafFn = Array (*)(void* f, const Array* const* leaves);
void map_trees(const TypeOps&, const void* const* trees, int n, void* out, LeafFn,
               void* f);  // out: a copy of the first
using PathFn = Array (*)(void* f, const std::string& path, const Array& leaf);
void map_tree_with_path(const TypeOps&, void* tree, PathFn, void* f);
}  // namespace detail

template <class T>
concept Pytree = detail::holds_array<std::remove_cvref_t<T>>;

namespace tree {

// How a tree is built: the nodes, their sizes, the keys of maps and the static values. Empty optionals have no leaves.
class Structure {
 public:
  int num_leaves() const { return leaves_; }
  std::string str() const { return text_; }  // "[{w: *, b: *}, 'name']"
  friend bool operator==(const Structure& a, const Structure& b) { return a.bytes_ == b.bytes_; }

  Structure(const detail::TypeOps&, const void* tree);  // for the library

 private:
  std::string bytes_, text_;
  int leaves_ = 0;
};
template <class T> Structure structure(const T& t) { return Structure(detail::type_ops<T>, &t); }

// The Arrays of t, in the order of fields and elements.
template <class T> std::vector<Array> leaves(const T& t) { return detail::leaves_of(detail::type_ops<T>, &t); }

// t with other leaves. ValueError when their number differs.
template <class T> T with_leaves(const T& t, const std::vector<Array>& leaves) {
  T out = t;
  detail::assign_leaves(detail::type_ops<T>, &out, leaves);
  return out;
}

// Where each leaf is, written as C++ would: "[1].w", "['key']", ".first" is "[0]". Optionals add nothing, fields of
// classes that list them are ".0", ".1".
template <class T> std::vector<std::string> paths(const T& t) { return detail::paths_of(detail::type_ops<T>, &t); }
struct PathAndLeaf {
  std::string path;
  Array leaf;
};
template <class T> std::vector<PathAndLeaf> flatten_with_path(const T& t) {
  std::vector<PathAndLeaf> out;
  std::vector<Array> l = leaves(t);
  std::vector<std::string> p = paths(t);
  for (std::size_t i = 0; i < l.size(); ++i) out.push_back({p[i], l[i]});
  return out;
}

// f of each leaf, or of the leaves at each place of several trees. ValueError, naming the first path that differs, when the
// trees do not have one structure.
template <class F, class T, class... Ts> T map(F f, const T& t, const Ts&... ts) {
  static_assert(Pytree<T>, "cotan: tree::map: the tree holds no Array");
  static_assert((std::is_same_v<T, Ts> && ...), "cotan: tree::map takes trees of one type");
  constexpr bool fits = std::is_invocable_r_v<Array, F&, const Array&, std::conditional_t<true, const Array&, Ts>...>;
  static_assert(fits, "cotan: tree::map's function takes one Array per tree and returns an Array");
  T out = t;
  if constexpr (fits && Pytree<T> && (std::is_same_v<T, Ts> && ...)) {
    const void* trees[] = {&t, &ts...};
    detail::map_trees(
        detail::type_ops<T>, trees, 1 + sizeof...(Ts), &out,
        [](void* g, const Array* const* x) -> Array {
          return [&]<std::size_t... I>(std::index_sequence<I...>)->Array { return (*static_cast<F*>(g))(*x[I]...); }
          (std::make_index_sequence<1 + sizeof...(Ts)>());
        },
        &f);
  }
  return out;
}

// f(path, leaf) for each leaf.
template <class F, class T> T map_with_path(F f, const T& t) {
  constexpr bool fits = std::is_invocable_r_v<Array, F&, const std::string&, const Array&>;
  static_assert(fits, "cotan: tree::map_with_path's function takes (path, Array) and returns an Array");
  T out = t;
  if constexpr (fits)
    detail::map_tree_with_path(
        detail::type_ops<T>, &out,
        [](void* g, const std::string& path, const Array& x) -> Array { return (*static_cast<F*>(g))(path, x); }, &f);
  return out;
}

}  // namespace tree
}  // namespace cotan

// A pytree as one vector, and back.
#pragma once
#include "cotan/fn.h"

namespace cotan {
namespace detail {
Array run_ravel(const TypeOps&, const void* tree);
FnRef make_unravel(const TypeOps&, const void* tree, const TypeOps* const* vector);
}  // namespace detail

namespace tree {
// All elements of t as one 1-d Array, of the dtype that the leaves promote to (float32 when there are none), and the
// function from such an Array to a T with t's structure, shapes and dtypes. That raises ValueError for another size and
// TypeError for another dtype.
template <class T> auto ravel(const T& t) {
  static_assert(Pytree<T>, "cotan: tree::ravel: the tree holds no Array");
  return std::pair<Array, Fn<T(Array)>>(
      detail::run_ravel(detail::type_ops<T>, &t),
      Fn<T(Array)>(detail::make_unravel(detail::type_ops<T>, &t, detail::ops_of<Array>)));
}
}  // namespace tree
}  // namespace cotan

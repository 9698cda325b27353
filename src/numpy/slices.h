// Slices along one axis, staged as indexing stages them.
#pragma once
#include "numpy/common.h"

namespace cotan::numpy {

// x[first : last] along an axis.
inline Array slice_of(const Array& x, std::int64_t first, std::int64_t last, int axis) {
  IntList start = IntList::filled(x.ndim(), 0), limit = x.shape();
  start[axis] = first, limit[axis] = last;
  return ops::slice(x, start, limit);
}
// x[i] along an axis.
inline Array element_of(const Array& x, std::int64_t i, int axis) {
  return ops::squeeze(slice_of(x, i, i + 1, axis), {axis});
}

}  // namespace cotan::numpy

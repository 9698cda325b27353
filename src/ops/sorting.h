// Sorting and cumulative operations: binding functions. Axes are not negative.
#pragma once
#include <span>
#include <vector>

#include "core/primitive.h"

namespace cotan::ops {

// The operands, of one shape, along `dimension` in the order of the first num_keys of them.
std::vector<Array> sort(std::span<const Array> operands, int dimension, int num_keys = 1, bool is_stable = true);
inline Array sort(const Array& x, int dimension, bool is_stable = true) {
  return sort(std::span(&x, 1), dimension, 1, is_stable)[0];
}
struct Largest {
  Array values, indices;  // indices: int32
};
struct ApproxTopK {
  std::int64_t k = 0;
  bool is_max_k = true;
  int reduction_dimension = -1;
  double recall_target = 0.95;
  std::int64_t reduction_input_size_override = -1;
  bool aggregate_to_topk = true;
};
Largest approx_top_k(const Array& x, const ApproxTopK&);
Largest top_k(const Array& x, std::int64_t k, int axis);

Array cumsum(const Array& x, int axis, bool reverse = false);
Array cumprod(const Array& x, int axis, bool reverse = false);
Array cummax(const Array& x, int axis, bool reverse = false);
Array cummin(const Array& x, int axis, bool reverse = false);
Array cumlogsumexp(const Array& x, int axis, bool reverse = false);

// x at `indices` along the axis; both have the same other sizes. The indices are in bounds.
Array take_along_axis(const Array& x, const Array& indices, int axis);

// Row-wise form of an array: the sizes before, of, and after an axis.
struct RowSizes {
  std::int64_t outer = 1, n = 1, inner = 1;
};
RowSizes rows_along(const Shape& shape, int axis);

}  // namespace cotan::ops

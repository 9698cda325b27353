// The parameters of library operations, as a LibraryCall carries them: each struct as the list of its numbers.
#pragma once
#include <cstdint>
#include <vector>

#include "cotan/shape.h"

namespace cotan::kernel {

// dot: result[b, i, j] = sum over k of lhs[b, i, k] * rhs[b, k, j], over one dtype: a float or complex type, an integer type
// (wrapping), or bool (or of ands). Of 16-bit floats, whose products are added in float32, the result may be float32. The result
// is row-major; over no k it is zero. In each operand the stride of the row or of the column dimension is 1, unless their sizes are.
struct DotParams {
  std::int64_t batch = 1, m = 1, n = 1, k = 1;
  std::int64_t lhs_b = 0, lhs_i = 0, lhs_k = 0;  // strides in elements
  std::int64_t rhs_b = 0, rhs_k = 0, rhs_j = 0;

  std::vector<std::int64_t> encode() const { return {batch, m, n, k, lhs_b, lhs_i, lhs_k, rhs_b, rhs_k, rhs_j}; }
  static DotParams decode(const std::vector<std::int64_t>& v) {
    return {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]};
  }
};

// gather: inputs the array and the start indices; the output is the array of windows, one at each index vector. scatter: inputs
// the index vectors and the windows; each is combined with its place in the output, which holds the array, in order.
// A window at index vector i stands in the array at the sum of component_stride[k] * i[k], where it fits if 0 <= i[k] <=
// component_limit[k] for every k; what else is clamped, or filled (gather) or dropped (scatter).
struct IndexedParams {
  IntList batch;                                      // the loop over index vectors
  IntList batch_windows, batch_indices, batch_array;  // strides in elements: among windows, of indices, of the array
  IntList component_stride, component_limit;
  IntList window, window_windows, window_array;  // the loop over a window's elements, and strides
  bool clamps = false;
  std::int64_t wrap = 0;          // added to indices below 0, if single_positions()
  bool windows_overlap = true;    // elements of one window may be at the place of other elements of another
  int combiner = 0;               // of scatter: an IndexedCombiner
  std::int64_t fill[2] = {0, 0};  // the bytes of the element

  // Whether the windows are single elements at positions along one axis.
  bool single_positions() const {
    return window.empty() && component_stride.length() == 1 && (batch.empty() || batch_array.back() == 0);
  }
  std::vector<std::int64_t> encode() const;
  static IndexedParams decode(const std::vector<std::int64_t>& v);
};
enum class IndexedCombiner : std::uint8_t { set, add, sub, mul, min, max };

}  // namespace cotan::kernel

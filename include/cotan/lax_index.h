// jax.lax: parts of arrays at positions known at run time. Index arrays are of any integer type.
#pragma once
#include <string_view>

#include "cotan/array.h"
#include "cotan/function_ref.h"

namespace cotan::lax {

// A window of slice_sizes stands at each index vector (the last dimension of start_indices) along the dimensions of
// start_index_map. Its dimensions, but for collapsed_slice_dims, are offset_dims of the result; the others are those of
// start_indices. Dimensions of operand_batching_dims go along with those of start_indices_batching_dims.
struct GatherDimensionNumbers {
  IntList offset_dims, collapsed_slice_dims, start_index_map, operand_batching_dims = {},
                                                              start_indices_batching_dims = {};
};
// mode: what a window does that is not inside; a scatter's default is "drop". "clip": it is moved inside. "fill" or "drop": it
// reads fill_value (default: NaN, the lowest integer, the highest unsigned one, true), and is not written.
// "promise_in_bounds": there is none. ValueError for other words and for indices that are no integers, TypeError for a
// fill_value of another dtype.
struct GatherOptions {
  using is_options = void;
  bool unique_indices = false, indices_are_sorted = false;
  std::string_view mode = "clip";
  Array fill_value = {};
};
Array gather(const Array& operand, const Array& start_indices, const GatherDimensionNumbers& dimension_numbers,
             const Shape& slice_sizes, const GatherOptions& = {});

// The updates' dimensions update_window_dims are those of the operand but inserted_window_dims.
struct ScatterDimensionNumbers {
  IntList update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims, operand_batching_dims = {},
                                                                                  scatter_indices_batching_dims = {};
};
struct ScatterOptions {
  using is_options = void;
  bool indices_are_sorted = false, unique_indices = false;
  std::string_view mode = "drop";
};
// The operand with windows replaced by the updates, or combined with them, in the order of the indices.
Array scatter(const Array& operand, const Array& scatter_indices, const Array& updates,
              const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& = {});
Array scatter_add(const Array& operand, const Array& scatter_indices, const Array& updates,
                  const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& = {});
Array scatter_sub(const Array& operand, const Array& scatter_indices, const Array& updates,
                  const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& = {});
Array scatter_mul(const Array& operand, const Array& scatter_indices, const Array& updates,
                  const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& = {});
Array scatter_min(const Array& operand, const Array& scatter_indices, const Array& updates,
                  const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& = {});
Array scatter_max(const Array& operand, const Array& scatter_indices, const Array& updates,
                  const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& = {});
struct ScatterApplyOptions {
  using is_options = void;
  Shape update_shape = {};
  bool indices_are_sorted = false, unique_indices = false;
  std::string_view mode = "drop";
};
// func, elementwise, applied to the windows: once for each time that a place occurs. Where indices are traced and not unique, at
// most 64 windows (NotImplementedError).
Array scatter_apply(const Array& operand, const Array& scatter_indices, const FunctionRef<Array(const Array&)>& func,
                    const ScatterDimensionNumbers& dimension_numbers, const ScatterApplyOptions& = {});

// Whether a start below 0 counts from the end: for each axis, or one for all.
struct StartOptions {
  using is_options = void;
  std::vector<bool> allow_negative_indices = {true};
};
// Negative indices count from the end, unless forbidden; then they are clamped. `axis` may be negative.
Array dynamic_slice_in_dim(const Array& operand, const Array& start_index, std::int64_t slice_size, int axis = 0,
                           const StartOptions& = {});
Array dynamic_index_in_dim(const Array& operand, const Array& index, int axis = 0, bool keepdims = true,
                           const StartOptions& = {});
Array dynamic_update_slice_in_dim(const Array& operand, const Array& update, const Array& start_index, int axis,
                                  const StartOptions& = {});
Array dynamic_update_index_in_dim(const Array& operand, const Array& update, const Array& index, int axis,
                                  const StartOptions& = {});
// IndexError when the index is out of bounds.
Array index_in_dim(const Array& operand, std::int64_t index, int axis = 0, bool keepdims = true);
// src at the positions idxs[k] of axes[k], which wrap around.
Array index_take(const Array& src, const std::vector<Array>& idxs, const IntList& axes);

}  // namespace cotan::lax

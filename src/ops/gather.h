// gather and the scatters: binding functions. Dimension numbers are as lax's; they are checked by abstract_eval.
#pragma once
#include <optional>

#include "base/host_scalar.h"
#include "core/primitive.h"

namespace cotan::ops {

extern const Primitive gather_p, scatter_p, scatter_add_p, scatter_sub_p, scatter_mul_p, scatter_min_p, scatter_max_p;

// What happens where a window does not lie inside the array. clip: it is moved inside. fill_or_drop: reads give the fill value,
// writes are left out. promise_in_bounds: reads as clip, writes as fill_or_drop.
enum class GatherScatterMode : std::uint8_t { clip, fill_or_drop, promise_in_bounds };

struct GatherDims {
  IntList offset_dims, collapsed_slice_dims, start_index_map, operand_batching_dims, start_indices_batching_dims;
  static constexpr const char* struct_name = "GatherDimensionNumbers";
  template <class S, class V> static void fields(S& s, V& v) {
    v("offset_dims", s.offset_dims), v("collapsed_slice_dims", s.collapsed_slice_dims);
    v("start_index_map", s.start_index_map), v("operand_batching_dims", s.operand_batching_dims);
    v("start_indices_batching_dims", s.start_indices_batching_dims);
  }
};
struct ScatterDims {
  IntList update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims, operand_batching_dims,
      scatter_indices_batching_dims;
  static constexpr const char* struct_name = "ScatterDimensionNumbers";
  template <class S, class V> static void fields(S& s, V& v) {
    v("update_window_dims", s.update_window_dims), v("inserted_window_dims", s.inserted_window_dims);
    v("scatter_dims_to_operand_dims", s.scatter_dims_to_operand_dims);
    v("operand_batching_dims", s.operand_batching_dims);
    v("scatter_indices_batching_dims", s.scatter_indices_batching_dims);
  }
};
struct GatherScatterOptions {
  bool indices_are_sorted = false, unique_indices = false;  // promises
  GatherScatterMode mode = GatherScatterMode::fill_or_drop;
};

// fill_value: none: NaN, the lowest integer, the highest unsigned one, true.
Array gather(const Array& x, const Array& indices, const GatherDims&, const Shape& slice_sizes,
             const GatherScatterOptions& = {}, const std::optional<HostScalar>& fill_value = std::nullopt);

// `how`: scatter_p, scatter_add_p, ... Updates are applied in row-major order of the indices.
Array scatter(const Primitive& how, const Array& x, const Array& indices, const Array& updates, const ScatterDims&,
              const GatherScatterOptions& = {});

// The windows of a scatter as those of the gather that reads the same places.
GatherDims gather_dims_of(const ScatterDims&);
ScatterDims scatter_dims_of(const GatherDims&);
Shape window_sizes(const Shape& operand, const Shape& updates, const ScatterDims&);

// The elements of x at positions of one axis, out of bounds as the mode says: x's other axes, with those of `indices` in its place.
Array take_axis(const Array& x, const Array& indices, int axis, const GatherScatterOptions& = {},
                const std::optional<HostScalar>& fill_value = std::nullopt);

}  // namespace cotan::ops

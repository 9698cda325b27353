// jax.ops: reductions of the rows of an array by segment.
#pragma once
#include <optional>
#include <string_view>

#include "cotan/array.h"

namespace cotan::segment {

// num_segments: of the result; none: the largest id and one, which must be concrete (ConcretizationTypeError). Rows with ids outside
// are left out, or as `mode` says ("clip", "fill", "drop", "promise_in_bounds"). bucket_size: rows are reduced by so many first,
// then the results; it does not change integers.
struct SegmentOptions {
  using is_options = void;
  bool indices_are_sorted = false, unique_indices = false;
  std::optional<std::int64_t> bucket_size = std::nullopt;
  std::string_view mode = {};
};
// data: its first axes are those of segment_ids (integers; TypeError). The result has num_segments rows; where there are no rows
// stand 0, 1, the lowest, the highest value of the type.
Array segment_sum(const Array& data, const Array& segment_ids, std::optional<std::int64_t> num_segments = std::nullopt,
                  const SegmentOptions& = {});
Array segment_prod(const Array& data, const Array& segment_ids, std::optional<std::int64_t> num_segments = std::nullopt,
                   const SegmentOptions& = {});
Array segment_max(const Array& data, const Array& segment_ids, std::optional<std::int64_t> num_segments = std::nullopt,
                  const SegmentOptions& = {});
Array segment_min(const Array& data, const Array& segment_ids, std::optional<std::int64_t> num_segments = std::nullopt,
                  const SegmentOptions& = {});

}  // namespace cotan::segment

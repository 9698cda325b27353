// jax.lax: arrays made from one number, and arrays and shapes put together.
#pragma once
#include <optional>
#include <vector>

#include "cotan/array.h"
#include "cotan/options.h"

namespace cotan::lax {

// fill_value in every element: without a dtype of its own type, weak if it is. TypeError unless it is 0-d, or for negative sizes.
Array full(const Shape& shape, const Array& fill_value, std::optional<DType> dtype = std::nullopt);
struct FullLikeOptions {
  using is_options = void;
  std::optional<DType> dtype = std::nullopt;  // none: x's, weak if it is
  std::optional<Shape> shape = std::nullopt;
};
Array full_like(const Array& x, const Array& fill_value, const FullLikeOptions& = {});
Array empty(const Shape& shape, DType dtype);  // zeros

// arr repeated to the shape of like_arr, in its own dtype. ValueError where it does not fit.
Array broadcast_like(const Array& arr, const Array& like_arr);
// The shape that all broadcast to. ValueError where there is none, TypeError for negative sizes.
Shape broadcast_shapes(const std::vector<Shape>& shapes);

// Arrays of one shape (ValueError) and dtype (TypeError) side by side along a new axis; IndexError for none at all.
Array stack(const std::vector<Array>& operands, int axis = 0);
std::vector<Array> unstack(const Array& x, int axis = 0);  // the parts along an axis, without it
// The array repeated reps[i] times along axis i. TypeError unless there is one number for each axis.
Array tile(const Array& operand, const IntList& reps);
Array shape_as_value(const Shape& shape);  // the sizes as a vector of int32

}  // namespace cotan::lax

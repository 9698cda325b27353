// Primitives that move elements: binding functions. Arguments are as lax's; shapes and axes are checked by abstract_eval.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "core/primitive.h"

namespace cotan::ops {

struct PadDim {
  std::int64_t low, high, interior;
};

Array broadcast_in_dim(const Array& x, const Shape& shape, const IntList& broadcast_dimensions);
Array reshape(const Array& x, const Shape& new_sizes);  // x itself when the shape is the same
// The elements in the order of the dimensions permuted.
Array reshape_permuted(const Array& x, const Shape& new_sizes, const IntList& dimensions);
Array transpose(const Array& x, const IntList& permutation);  // x itself for the identity
Array squeeze(const Array& x, const IntList& dimensions);
Array expand_dims(const Array& x, const IntList& dimensions);  // positions in the result; by broadcast_in_dim
Array slice(const Array& x, const IntList& start, const IntList& limit,
            const std::optional<IntList>& strides = std::nullopt);
Array slice_in_dim(const Array& x, std::int64_t start, std::int64_t limit, std::int64_t stride, int axis);
Array concatenate(std::span<const Array> xs, int dimension);
std::vector<Array> split(const Array& x, const IntList& sizes, int axis);
Array stack(std::span<const Array> xs, int axis);
Array pad(const Array& x, const Array& padding_value, std::span<const PadDim> config);
Array rev(const Array& x, const IntList& dimensions);
Array iota(DType, const Shape& shape, int dimension);
Array dynamic_slice(const Array& x, std::span<const Array> start_indices, const IntList& slice_sizes);
Array dynamic_update_slice(const Array& x, const Array& update, std::span<const Array> start_indices);
Array copy(const Array& x);
Array optimization_barrier(const Array& x);  // x, as something that passes know nothing of
Array tile(const Array& x, const IntList& reps);
void unstack(const Array& x, int axis, ArrayVec& out);  // appends the parts

}  // namespace cotan::ops

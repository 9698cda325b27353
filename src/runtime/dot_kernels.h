// The matrix products that are ours. Every element is summed over k in an order that depends on the sizes alone.
#pragma once
#include <cstdint>

#include "kernel/library_params.h"

namespace cotan::runtime {

// One matrix product; strides in elements, the result row-major. Over k in turn, from zero, with fused multiply-adds; integers wrap.
void small_product(const kernel::DotParams&, const float* lhs, const float* rhs, float* out);
void small_product(const kernel::DotParams&, const double* lhs, const double* rhs, double* out);
void small_product(const kernel::DotParams&, const std::uint16_t* lhs, const std::uint16_t* rhs, std::uint16_t* out);
void small_product(const kernel::DotParams&, const std::uint32_t* lhs, const std::uint32_t* rhs, std::uint32_t* out);
void small_product(const kernel::DotParams&, const std::uint64_t* lhs, const std::uint64_t* rhs, std::uint64_t* out);

// out[i] = sum over k of matrix[i * row + k * column] * vector[k * step]. Chunks of vector_chunk are added in turn; within a chunk,
// eight lanes take every eighth product by fused multiply-adds, then the upper half of the lanes is added to the lower.
inline constexpr std::int64_t vector_chunk = 2048;
struct MatrixVector {
  std::int64_t rows = 0, k = 0, row = 0, column = 0, step = 0;
};
void matrix_vector(const MatrixVector&, const float* matrix, const float* vector, float* out);
void matrix_vector(const MatrixVector&, const double* matrix, const double* vector, double* out);

}  // namespace cotan::runtime

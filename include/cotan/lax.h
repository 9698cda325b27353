// jax.lax: the primitives as functions. Operands of binary functions must have one dtype (TypeError) and one shape, or be
// scalars; plain numbers take the other operand's dtype. Axes and dimensions are not negative unless said.
#pragma once
#include <optional>
#include <utility>

#include "cotan/array.h"
#include "cotan/lax_create.h"
#include "cotan/lax_index.h"
#include "cotan/options.h"
#include "cotan/precision.h"

namespace cotan::lax {

Array neg(const Array&);
Array sign(const Array&);
Array abs(const Array&);
Array floor(const Array&);
Array ceil(const Array&);
Array is_finite(const Array&);
Array sqrt(const Array&);
Array rsqrt(const Array&);
Array cbrt(const Array&);
Array square(const Array&);
Array exp(const Array&);
Array exp2(const Array&);
Array expm1(const Array&);
Array log(const Array&);
Array log1p(const Array&);
Array logistic(const Array&);
Array sin(const Array&);
Array cos(const Array&);
Array tan(const Array&);
Array asin(const Array&);
Array acos(const Array&);
Array atan(const Array&);
Array sinh(const Array&);
Array cosh(const Array&);
Array tanh(const Array&);
Array asinh(const Array&);
Array acosh(const Array&);
Array atanh(const Array&);
Array erf_inv(const Array&);
Array erf(const Array&);
Array erfc(const Array&);
Array lgamma(const Array&);
Array digamma(const Array&);
Array bessel_i0e(const Array&);
Array bessel_i1e(const Array&);
Array real(const Array&);
Array imag(const Array&);
Array conj(const Array&);
Array bitwise_not(const Array&);
Array reciprocal(const Array&);
Array stop_gradient(const Array&);
Array optimization_barrier(const Array&);  // x, not merged with the same value where it was computed before

Array add(const Array&, const Array&);
Array sub(const Array&, const Array&);
Array mul(const Array&, const Array&);
Array div(const Array&, const Array&);
Array rem(const Array&, const Array&);
Array max(const Array&, const Array&);
Array min(const Array&, const Array&);
Array pow(const Array&, const Array&);
Array atan2(const Array&, const Array&);  // of complex x, y: -i log((y + ix) / sqrt(x^2 + y^2))
Array complex(const Array&, const Array&);
Array polygamma(const Array& m, const Array& x);
Array zeta(const Array& x, const Array& q);    // Hurwitz's
Array igamma(const Array& a, const Array& x);  // regularised; igammac = 1 - igamma
Array igammac(const Array& a, const Array& x);
Array igamma_grad_a(const Array& a, const Array& x);
Array random_gamma_grad(const Array& a, const Array& x);
Array betainc(const Array& a, const Array& b, const Array& x);
Array eq(const Array&, const Array&);
Array ne(const Array&, const Array&);
Array lt(const Array&, const Array&);
Array le(const Array&, const Array&);
Array gt(const Array&, const Array&);
Array ge(const Array&, const Array&);
Array bitwise_and(const Array&, const Array&);
Array bitwise_or(const Array&, const Array&);
Array bitwise_xor(const Array&, const Array&);
Array shift_left(const Array&, const Array&);
Array shift_right_logical(const Array&, const Array&);
Array shift_right_arithmetic(const Array&, const Array&);

enum class RoundingMethod : std::uint8_t { away_from_zero, to_nearest_even };
Array round(const Array&, RoundingMethod = RoundingMethod::away_from_zero);
Array integer_pow(const Array&, int y);
Array clamp(const Array& min, const Array& x, const Array& max);  // min(max(x, min), max); the bounds may be scalars
Array select(const Array& predicate, const Array& on_true, const Array& on_false);
// which: bools, or integers, which are clamped; a scalar chooses a whole case. ValueError for no cases.
Array select_n(const Array& which, const std::vector<Array>& cases);
Array convert_element_type(const Array&, DType);  // TypeError for a plain complex number to a real dtype
Array bitcast_convert_type(const Array&, DType);  // wider: joins the last axis; narrower: adds one

Array broadcast_in_dim(const Array&, const Shape& shape, const IntList& broadcast_dimensions);
Array broadcast(const Array&, const Shape& sizes);  // new leading axes
// dimensions: the axes in the order in which the elements are read.
Array reshape(const Array&, const Shape& new_sizes, const std::optional<IntList>& dimensions = std::nullopt);
Array transpose(const Array&, const IntList& permutation);
Array squeeze(const Array&, const IntList& dimensions);      // may be negative
Array expand_dims(const Array&, const IntList& dimensions);  // of the result; may be negative
Array slice(const Array&, const IntList& start_indices, const IntList& limit_indices,
            const std::optional<IntList>& strides = std::nullopt);
// Bounds below 0 count from the end; none: the whole axis.
Array slice_in_dim(const Array&, std::optional<std::int64_t> start, std::optional<std::int64_t> limit,
                   std::int64_t stride = 1, int axis = 0);
Array concatenate(const std::vector<Array>&, int dimension);
struct PadDimension {
  std::int64_t low = 0, high = 0, interior = 0;
};
Array pad(const Array&, const Array& padding_value, const std::vector<PadDimension>&);
Array rev(const Array&, const IntList& dimensions);
Array iota(DType, std::int64_t size);
Array broadcasted_iota(DType, const Shape&, int dimension);
// Starts, of one integer type (TypeError), count from the end where they are below 0 and allowed to be; then they are clamped.
// ValueError for a number below 0 where it is not allowed.
Array dynamic_slice(const Array&, const std::vector<Array>& start_indices, const IntList& slice_sizes,
                    const StartOptions& = {});
Array dynamic_update_slice(const Array&, const Array& update, const std::vector<Array>& start_indices,
                           const StartOptions& = {});

Array reduce_sum(const Array&, const IntList& axes);
Array reduce_prod(const Array&, const IntList& axes);
Array reduce_max(const Array&, const IntList& axes);
Array reduce_min(const Array&, const IntList& axes);
Array reduce_and(const Array&, const IntList& axes);
Array reduce_or(const Array&, const IntList& axes);
Array reduce_xor(const Array&, const IntList& axes);
Array argmax(const Array&, int axis, DType index_dtype);
Array argmin(const Array&, int axis, DType index_dtype);

struct DotDimensionNumbers {
  IntList lhs_contract, rhs_contract, lhs_batch = {}, rhs_batch = {};
};
// preferred_element_type: of the result; operands' products are formed in it where it is wider. TypeError where it is narrower,
// unless they are floating. Operands may differ in dtype: both become the result's first.
struct DotGeneralOptions {
  using is_options = void;
  Precision precision = {};
  std::optional<DType> preferred_element_type = std::nullopt;
};
struct DotOptions {
  using is_options = void;
  std::optional<DotDimensionNumbers> dimension_numbers = std::nullopt;
  Precision precision = {};
  std::optional<DType> preferred_element_type = std::nullopt;
};
struct PrecisionOptions {
  using is_options = void;
  Precision precision = {};
};
// Products summed over the contracting dimensions, for each index of the batch dimensions. The result's dimensions are the
// batch's, then lhs's others, then rhs's others. TypeError where sizes do not fit.
Array dot_general(const Array& lhs, const Array& rhs, const DotDimensionNumbers& dimension_numbers,
                  const DotGeneralOptions& = {});
Array dot(const Array& lhs, const Array& rhs,
          const DotOptions& = {});  // of vectors and matrices, unless dimension_numbers
Array batch_matmul(const Array& lhs, const Array& rhs,
                   const PrecisionOptions& = {});  // leading dimensions are the batch's

// Over a named axis of vmap (NameError when none has the name).
Array psum(const Array&, const char* axis_name);
Array pmax(const Array&, const char* axis_name);
Array pmin(const Array&, const char* axis_name);
Array axis_index(const char* axis_name);  // int32

}  // namespace cotan::lax

#include "cotan/lax_sort.h"

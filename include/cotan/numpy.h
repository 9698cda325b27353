// NumPy's functions with JAX's types and rules. Every name is one plain function, so that grad(jnp::sin) and
// vmap(jnp::dot, ...) work: leading parameters are positional as in NumPy, the rest stand in a trailing struct:
// jnp::sum(x, 0, {.keepdims = true}).
//
// Operands broadcast: sizes must be equal or 1, from the last axis on (ValueError). Types promote by JAX's lattice: plain
// numbers are weak and take the other operand's type. Axes may be negative; an axis out of range raises ValueError.
#pragma once
#include <optional>

#include "cotan/array.h"
#include "cotan/axes.h"

namespace cotan::numpy {

// --- elementwise -------------------------------------------------------------------------------------------------------------
// Integers and bools enter the functions of calculus as floats of the default type.
Array exp(const Array&);
Array exp2(const Array&);
Array expm1(const Array&);
Array log(const Array&);
Array log2(const Array&);
Array log10(const Array&);
Array log1p(const Array&);
Array sqrt(const Array&);
Array cbrt(const Array&);
Array sin(const Array&);
Array cos(const Array&);
Array tan(const Array&);
Array arcsin(const Array&);
Array arccos(const Array&);
Array arctan(const Array&);
Array sinh(const Array&);
Array cosh(const Array&);
Array tanh(const Array&);
Array arcsinh(const Array&);
Array arccosh(const Array&);
Array arctanh(const Array&);
Array arctan2(const Array&, const Array&);
Array negative(const Array&);
Array positive(const Array&);
Array abs(const Array&);
Array absolute(const Array&);
Array fabs(const Array&);
Array sign(const Array&);
Array square(const Array&);
Array reciprocal(const Array&);
Array floor(const Array&);
Array ceil(const Array&);
Array trunc(const Array&);
Array rint(const Array&);
Array deg2rad(const Array&);
Array rad2deg(const Array&);
Array isfinite(const Array&);
Array isinf(const Array&);
Array isnan(const Array&);
Array signbit(const Array&);
Array real(const Array&);
Array imag(const Array&);
Array conj(const Array&);
Array conjugate(const Array&);
Array angle(const Array&);
Array add(const Array&, const Array&);
Array subtract(const Array&, const Array&);
Array multiply(const Array&, const Array&);
Array divide(const Array&, const Array&);
Array true_divide(const Array&, const Array&);
Array floor_divide(const Array&, const Array&);
Array remainder(const Array&, const Array&);
Array mod(const Array&, const Array&);
Array fmod(const Array&, const Array&);
Array power(const Array&, const Array&);
Array float_power(const Array&, const Array&);
Array maximum(const Array&, const Array&);
Array minimum(const Array&, const Array&);
Array fmax(const Array&, const Array&);
Array fmin(const Array&, const Array&);
Array hypot(const Array&, const Array&);
Array copysign(const Array&, const Array&);
Array logaddexp(const Array&, const Array&);
Array logaddexp2(const Array&, const Array&);
Array equal(const Array&, const Array&);
Array not_equal(const Array&, const Array&);
Array less(const Array&, const Array&);
Array less_equal(const Array&, const Array&);
Array greater(const Array&, const Array&);
Array greater_equal(const Array&, const Array&);
Array logical_and(const Array&, const Array&);
Array logical_or(const Array&, const Array&);
Array logical_xor(const Array&, const Array&);
Array logical_not(const Array&);
Array bitwise_and(const Array&, const Array&);
Array bitwise_or(const Array&, const Array&);
Array bitwise_xor(const Array&, const Array&);
Array bitwise_not(const Array&);
Array invert(const Array&);
Array left_shift(const Array&, const Array&);
Array right_shift(const Array&, const Array&);
Array where(const Array& condition, const Array& x, const Array& y);
Array clip(const Array& x, const Array& min, const Array& max);

// --- reductions --------------------------------------------------------------------------------------------------------------
Array sum(const Array&, const Axes& axis = none, const ReduceOptions& = {});
Array prod(const Array&, const Axes& axis = none, const ReduceOptions& = {});
Array mean(const Array&, const Axes& axis = none, const ReduceOptions& = {});
Array var(const Array&, const Axes& axis = none, const VarOptions& = {});
Array std(const Array&, const Axes& axis = none, const VarOptions& = {});
Array max(const Array&, const Axes& axis = none, const KeepdimsOptions& = {});  // ValueError over no element
Array min(const Array&, const Axes& axis = none, const KeepdimsOptions& = {});
Array all(const Array&, const Axes& axis = none, const KeepdimsOptions& = {});
Array any(const Array&, const Axes& axis = none, const KeepdimsOptions& = {});
Array argmax(const Array&, const Axes& axis = none,
             const KeepdimsOptions& = {});  // of one axis, or of the flattened array
Array argmin(const Array&, const Axes& axis = none, const KeepdimsOptions& = {});
Array allclose(const Array&, const Array&, double rtol = 1e-5, double atol = 1e-8);
Array isclose(const Array&, const Array&, double rtol = 1e-5, double atol = 1e-8);
Array array_equal(const Array&, const Array&);

// --- products ----------------------------------------------------------------------------------------------------------------
// TypeError when the contracted sizes differ.
Array dot(const Array&, const Array&);
Array matmul(const Array&, const Array&);
Array vdot(const Array&, const Array&);
Array inner(const Array&, const Array&);
Array outer(const Array&, const Array&);
Array tensordot(const Array&, const Array&, int axes = 2);

// --- shape -------------------------------------------------------------------------------------------------------------------
Array reshape(const Array&, const Shape&);  // one size may be -1
Array ravel(const Array&);
Array broadcast_to(const Array&, const Shape&);
Array transpose(const Array&, const Axes& axes = none);  // none: reversed
Array swapaxes(const Array&, int axis1, int axis2);
Array moveaxis(const Array&, int source, int destination);
Array expand_dims(const Array&, const Axes& axis);
Array squeeze(const Array&, const Axes& axis = none);  // ValueError for an axis whose size is not 1
Array flip(const Array&, const Axes& axis = none);
Array roll(const Array&, std::int64_t shift, const Axes& axis = none);
Array tile(const Array&, const Shape& reps);
Array repeat(const Array&, std::int64_t repeats, const Axes& axis = none);
Array concatenate(const std::vector<Array>&, int axis = 0);
Array stack(const std::vector<Array>&, int axis = 0);
Array vstack(const std::vector<Array>&);
Array hstack(const std::vector<Array>&);
std::vector<Array> split(const Array&, int sections, int axis = 0);
Array pad(const Array&, const std::vector<std::pair<std::int64_t, std::int64_t>>& pad_width,
          const Array& constant_values = 0);

// --- creation ----------------------------------------------------------------------------------------------------------------
Array zeros(const Shape&, std::optional<DType> dtype = std::nullopt);  // of the default float type
Array ones(const Shape&, std::optional<DType> dtype = std::nullopt);
Array full(const Shape&, const Array& value, std::optional<DType> dtype = std::nullopt);
Array empty(const Shape&, std::optional<DType> dtype = std::nullopt);  // zeros
Array zeros_like(const Array&);
Array ones_like(const Array&);
Array full_like(const Array&, const Array& value);
Array eye(std::int64_t n, std::int64_t m = -1, std::int64_t k = 0, std::optional<DType> dtype = std::nullopt);
Array identity(std::int64_t n, std::optional<DType> dtype = std::nullopt);
Array tri(std::int64_t n, std::int64_t m = -1, std::int64_t k = 0, std::optional<DType> dtype = std::nullopt);
Array tril(const Array&, std::int64_t k = 0);
Array triu(const Array&, std::int64_t k = 0);
Array linspace(double start, double stop, std::int64_t num = 50);
Array astype(const Array&, DType);

}  // namespace cotan::numpy

#include "cotan/numpy_create.h"

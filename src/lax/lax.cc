// lax's functions over the primitives' binding functions.
#include "cotan/lax.h"

#include <algorithm>

#include "lax/operands.h"
#include "ops/collective.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/reduction.h"
#include "ops/structural.h"

namespace cotan::lax {

#define COTAN_UNARY(NAME)      \
  Array NAME(const Array& x) { \
    COTAN_API;                 \
    return ops::NAME(x);       \
  }
COTAN_UNARY(neg)
COTAN_UNARY(sign)
COTAN_UNARY(abs)
COTAN_UNARY(floor)
COTAN_UNARY(ceil)
COTAN_UNARY(is_finite)
COTAN_UNARY(sqrt)
COTAN_UNARY(rsqrt)
COTAN_UNARY(cbrt)
COTAN_UNARY(square)
COTAN_UNARY(exp)
COTAN_UNARY(exp2)
COTAN_UNARY(expm1)
COTAN_UNARY(log)
COTAN_UNARY(log1p)
COTAN_UNARY(logistic)
COTAN_UNARY(sin)
COTAN_UNARY(cos)
COTAN_UNARY(tan)
COTAN_UNARY(asin)
COTAN_UNARY(acos)
COTAN_UNARY(atan)
COTAN_UNARY(sinh)
COTAN_UNARY(cosh)
COTAN_UNARY(tanh)
COTAN_UNARY(asinh)
COTAN_UNARY(acosh)
COTAN_UNARY(atanh)
COTAN_UNARY(erf_inv)
COTAN_UNARY(real)
COTAN_UNARY(imag)
COTAN_UNARY(stop_gradient)
COTAN_UNARY(optimization_barrier)
#undef COTAN_UNARY

#define COTAN_BINARY(NAME, OP)                                \
  Array NAME(const Array& x, const Array& y) {                \
    COTAN_API;                                                \
    return ops::OP(with_dtype_of(x, y), with_dtype_of(y, x)); \
  }
COTAN_BINARY(add, add)
COTAN_BINARY(sub, sub)
COTAN_BINARY(mul, mul)
COTAN_BINARY(div, div)
COTAN_BINARY(rem, rem)
COTAN_BINARY(max, max)
COTAN_BINARY(min, min)
COTAN_BINARY(complex, complex)
COTAN_BINARY(eq, eq)
COTAN_BINARY(ne, ne)
COTAN_BINARY(lt, lt)
COTAN_BINARY(le, le)
COTAN_BINARY(gt, gt)
COTAN_BINARY(ge, ge)
COTAN_BINARY(bitwise_and, bit_and)
COTAN_BINARY(bitwise_or, bit_or)
COTAN_BINARY(bitwise_xor, bit_xor)
COTAN_BINARY(shift_left, shift_left)
COTAN_BINARY(shift_right_logical, shift_right_logical)
COTAN_BINARY(shift_right_arithmetic, shift_right_arithmetic)
#undef COTAN_BINARY

Array pow(const Array& x, const Array& y) {
  COTAN_API;
  const bool integer_exponent = is_integer(y.dtype()) && is_inexact(x.dtype());
  return ops::pow(with_dtype_of(x, y), integer_exponent ? y : with_dtype_of(y, x));
}
// For complex numbers -i log((y + ix) / sqrt(x^2 + y^2)), which is atan(x / y) on the right branch.
Array atan2(const Array& x_given, const Array& y_given) {
  COTAN_API;
  const Array x = with_dtype_of(x_given, y_given), y = with_dtype_of(y_given, x_given);
  if (!is_complex(x.dtype()) || x.dtype() != y.dtype()) return ops::atan2(x, y);
  const Array i = ops::complex(ops::scalar(real_dtype(x.dtype()), 0), ops::scalar(real_dtype(x.dtype()), 1));
  const Array xx = ops::mul(x, x), yy = ops::mul(y, y), ix = ops::mul(x, i);
  return ops::neg(ops::mul(i, ops::log(ops::div(ops::add(y, ix), ops::sqrt(ops::add(xx, yy))))));
}
Array conj(const Array& x) {
  COTAN_API;
  return ops::conj(x, x.dtype());
}
Array bitwise_not(const Array& x) {
  COTAN_API;
  return ops::bit_not(x);
}
Array reciprocal(const Array& x) {
  COTAN_API;
  return ops::integer_pow(x, -1);
}
Array round(const Array& x, RoundingMethod m) {
  COTAN_API;
  return ops::round(x, static_cast<ops::RoundingMethod>(m));
}
Array integer_pow(const Array& x, int y) {
  COTAN_API;
  return ops::integer_pow(x, y);
}
Array clamp(const Array& low, const Array& x, const Array& high) {
  COTAN_API;
  const Array least = with_dtype_of(low, x), most = with_dtype_of(high, x);
  if (is_complex(x.dtype()) || x.dtype() == DType::bool_) return min(max(least, x), most);
  return ops::clamp(least, x, most);
}
Array select(const Array& p, const Array& t, const Array& f) {
  COTAN_API;
  return select_n(p, {with_dtype_of(f, t), with_dtype_of(t, f)});
}
Array select_n(const Array& which, const std::vector<Array>& cases) {
  COTAN_API;
  if (cases.empty()) throw ValueError("select_n: at least one case is expected, got none");
  if (which.dtype() == DType::int32 || !is_integer(which.dtype())) return ops::select_n(which, cases);
  const auto last = static_cast<std::int64_t>(cases.size()) - 1;
  const Array inside = ops::clamp(ops::scalar_int(which.dtype(), 0), which, ops::scalar_int(which.dtype(), last));
  return ops::select_n(to_dtype(inside, DType::int32, false), cases);
}
Array convert_element_type(const Array& x, DType d) {
  COTAN_API;
  refuse_complex_number("convert_element_type", x, d);
  return to_dtype(x, canonical_dtype(d), false);
}
Array bitcast_convert_type(const Array& x, DType d) {
  COTAN_API;
  return ops::bitcast_convert_type(to_dtype(x, x.dtype(), false), canonical_dtype(d));
}

namespace {
void check_length(const char* what, const IntList& list, const Array& x) {
  if (list.length() != x.ndim())
    throw ValueError(std::string(what) + " must have one entry for each dimension, got " + list.str() + " for shape " +
                     x.shape().str());
}
}  // namespace

Array broadcast_in_dim(const Array& x, const Shape& s, const IntList& d) {
  COTAN_API;
  return ops::broadcast_in_dim(x, s, d);
}
Array broadcast(const Array& x, const Shape& sizes) {
  COTAN_API;
  Shape s = sizes;
  IntList dims;
  for (std::int64_t n : x.shape()) {
    dims.push_back(s.length());
    s.push_back(n);
  }
  return ops::broadcast_in_dim(x, s, dims);
}
Array reshape(const Array& x, const Shape& s, const std::optional<IntList>& dimensions) {
  COTAN_API;
  if (std::ranges::all_of(s, [](std::int64_t n) { return n >= 0; }) && s.size() != x.size())
    throw ValueError("reshape: the number of elements must stay, got new_sizes " + s.str() + " for shape " +
                     x.shape().str());
  return dimensions ? ops::reshape_permuted(x, s, *dimensions) : ops::reshape(x, s);
}
Array transpose(const Array& x, const IntList& p) {
  COTAN_API;
  return ops::transpose(x, p);
}
Array squeeze(const Array& x, const IntList& d) {
  COTAN_API;
  return ops::squeeze(x, canonical_axes("squeeze", d, x.ndim()));
}
Array expand_dims(const Array& x, const IntList& d) {
  COTAN_API;
  return ops::expand_dims(x, canonical_axes("expand_dims", d, x.ndim() + d.length()));
}
Array slice(const Array& x, const IntList& start, const IntList& limit, const std::optional<IntList>& strides) {
  COTAN_API;
  check_length("slice: start_indices", start, x);
  check_length("slice: limit_indices", limit, x);
  return ops::slice(x, start, limit, strides);
}
Array slice_in_dim(const Array& x, std::optional<std::int64_t> start, std::optional<std::int64_t> limit,
                   std::int64_t stride, int axis) {
  COTAN_API;
  const int a = indexed_axis("slice_in_dim", axis, x.ndim());
  const std::int64_t n = x.shape()[a], from = start.value_or(0), to = limit.value_or(n);
  return ops::slice_in_dim(x, from < 0 ? from + n : from, to < 0 ? to + n : to, stride, a);
}
Array concatenate(const std::vector<Array>& xs, int dimension) {
  COTAN_API;
  if (xs.empty()) throw ValueError("concatenate: at least one array is expected, got none");
  return ops::concatenate(xs, dimension);
}
Array pad(const Array& x, const Array& value, const std::vector<PadDimension>& config) {
  COTAN_API;
  std::vector<ops::PadDim> dims;
  for (const PadDimension& d : config) dims.push_back({d.low, d.high, d.interior});
  return ops::pad(x, with_dtype_of(value, x), dims);
}
Array rev(const Array& x, const IntList& d) {
  COTAN_API;
  return ops::rev(x, d);
}
Array iota(DType d, std::int64_t size) {
  COTAN_API;
  return ops::iota(canonical_dtype(d), Shape(size), 0);
}
Array broadcasted_iota(DType d, const Shape& s, int dimension) {
  COTAN_API;
  return ops::iota(canonical_dtype(d), s, dimension);
}

namespace {
std::vector<Array> starts_from_end(const char* function, const Array& x, std::vector<Array> starts,
                                   const StartOptions& o) {
  if (static_cast<int>(starts.size()) != x.ndim()) return starts;  // the primitive says so
  const std::vector<bool>& allowed = o.allow_negative_indices;
  if (allowed.size() != 1 && allowed.size() != starts.size())
    throw ValueError(std::string(function) + ": allow_negative_indices must be one or one for each axis, got " +
                     std::to_string(allowed.size()) + " for " + std::to_string(starts.size()) + " axes");
  for (const Array& s : starts)
    for (const Array& t : starts)
      if (s.dtype() != t.dtype() && !s.node()->plain_number && !t.node()->plain_number)
        throw TypeError(std::string(function) + ": indices must be integers of one type, got " + s.aval().str() +
                        " and " + t.aval().str());
  for (std::size_t i = 0; i < starts.size(); ++i)
    starts[i] = start_from_end(function, starts[i], x.shape()[static_cast<std::int64_t>(i)],
                               allowed[allowed.size() == 1 ? 0 : i]);
  return starts;
}
}  // namespace

Array dynamic_slice(const Array& x, const std::vector<Array>& start, const IntList& sizes, const StartOptions& o) {
  COTAN_API;
  check_length("dynamic_slice: slice_sizes", sizes, x);
  return ops::dynamic_slice(x, starts_from_end("dynamic_slice", x, start, o), sizes);
}
Array dynamic_update_slice(const Array& x, const Array& update, const std::vector<Array>& start,
                           const StartOptions& o) {
  COTAN_API;
  return ops::dynamic_update_slice(x, with_dtype_of(update, x), starts_from_end("dynamic_update_slice", x, start, o));
}

namespace {
// Outside: the class of the exception for axes that there are not even from the end, JAX's for the function.
template <class Outside = ValueError>
const IntList& checked_axes(const char* function, const IntList& axes, const Array& x) {
  for (std::int64_t a : axes) {
    if (a >= 0 && a < x.ndim()) continue;
    const std::string what = std::string(function) + ": axis " + std::to_string(a) +
                             " is out of bounds for array of dimension " + std::to_string(x.ndim()) +
                             ", axes do not count from the end";
    if (a >= x.ndim() || a < -x.ndim()) throw Outside(what);
    throw ValueError(what);
  }
  return axes;
}
}  // namespace

#define COTAN_REDUCE(NAME, OUTSIDE)                             \
  Array NAME(const Array& x, const IntList& axes) {             \
    COTAN_API;                                                  \
    return ops::NAME(x, checked_axes<OUTSIDE>(#NAME, axes, x)); \
  }
COTAN_REDUCE(reduce_sum, ValueError)
COTAN_REDUCE(reduce_prod, ValueError)
COTAN_REDUCE(reduce_max, ValueError)
COTAN_REDUCE(reduce_min, ValueError)
COTAN_REDUCE(reduce_and, IndexError)
COTAN_REDUCE(reduce_or, IndexError)
COTAN_REDUCE(reduce_xor, IndexError)
#undef COTAN_REDUCE
Array argmax(const Array& x, int axis, DType d) {
  COTAN_API;
  checked_axes("argmax", {axis}, x);
  return ops::argmax(x, axis, canonical_dtype(d));
}
Array argmin(const Array& x, int axis, DType d) {
  COTAN_API;
  checked_axes("argmin", {axis}, x);
  return ops::argmin(x, axis, canonical_dtype(d));
}

namespace {
ops::AxisNames named(const char* axis) {
  if (!axis) throw TypeError("a collective needs the name of an axis, got a null pointer");
  return {axis};
}
}  // namespace
Array psum(const Array& x, const char* axis_name) {
  COTAN_API;
  return ops::psum(x, named(axis_name));
}
Array pmax(const Array& x, const char* axis_name) {
  COTAN_API;
  return ops::pmax(x, named(axis_name));
}
Array pmin(const Array& x, const char* axis_name) {
  COTAN_API;
  return ops::pmin(x, named(axis_name));
}
Array axis_index(const char* axis_name) {
  COTAN_API;
  return ops::axis_index(named(axis_name)[0]);
}

}  // namespace cotan::lax

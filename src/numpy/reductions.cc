// numpy's reductions.
#include <cmath>
#include <limits>

#include "api/function_table.h"
#include "numpy/common.h"

namespace cotan::numpy {

namespace {

IntList reduced_axes(const char* function, const Axes& axes, int ndim) {
  return axes.all() ? IntList::range(ndim) : canonical_axes(function, axes.list(), ndim);
}
Array with_kept(const Array& x, const IntList& axes, bool keepdims) { return keepdims ? ops::expand_dims(x, axes) : x; }
// At most the largest int64: an array without elements may have axes whose product is more.
std::int64_t count_over(const Shape& shape, const IntList& axes) {
  std::int64_t n = 1;
  bool overflow = false;
  for (std::int64_t a : axes) {
    if (shape[a] == 0) return 0;
    overflow |= __builtin_mul_overflow(n, shape[a], &n);
  }
  return overflow ? std::numeric_limits<std::int64_t>::max() : n;
}
Array as_bool(const Array& x) { return to_dtype(x, DType::bool_, false); }

void check_number(const char* function, const Array& x) {
  if (is_key(x.dtype()) || x.dtype() == DType::float0)
    throw TypeError(std::string(function) + " does not accept dtype " + dtype_name(x.dtype()) + ", got " +
                    x.aval().str());
}

// 16-bit floats are accumulated in float32.
DType accumulator(DType d) { return is_floating(d) && item_size(d) == 2 ? DType::float32 : d; }

// Narrow integers are summed in the default integer type of their sign.
DType sum_dtype(DType d) {
  if (d == DType::bool_) return default_int_dtype();
  const DType wide = is_unsigned_integer(d) ? canonical_dtype(DType::uint64) : default_int_dtype();
  return is_integer(d) && item_size(d) < item_size(wide) ? wide : d;
}

using Reduce = Array (*)(const Array&, const IntList&);

// of_bools: what f is where the result's dtype is bool.
Array accumulate(const char* function, Reduce f, Reduce of_bools, const Array& x, const Axes& axis,
                 const ReduceOptions& o) {
  check_number(function, x);
  const IntList axes = reduced_axes(function, axis, x.ndim());
  const DType result = o.dtype ? canonical_dtype(*o.dtype) : sum_dtype(x.dtype());
  const DType wide = o.dtype ? result : accumulator(result);
  if (result == DType::bool_) f = of_bools;
  return to_dtype(with_kept(f(to_dtype(x, wide, false), axes), axes, o.keepdims), result, false);
}

Array extremum(const char* function, Reduce f, const Array& x, const Axes& axis, const KeepdimsOptions& o) {
  check_number(function, x);
  const IntList axes = reduced_axes(function, axis, x.ndim());
  if (count_over(x.shape(), axes) == 0)
    throw ValueError("zero-size array to reduction operation " + std::string(function) + " which has no identity");
  return with_kept(f(to_dtype(x, x.dtype(), false), axes), axes, o.keepdims);
}

using ArgReduce = Array (*)(const Array&, int, DType);

Array arg_extremum(const char* function, ArgReduce f, const Array& x, const Axes& axis, const KeepdimsOptions& o) {
  check_number(function, x);
  if (!axis.all() && axis.list().length() != 1)
    throw TypeError(std::string(function) + ": axis must be one integer or none, got " + axis.list().str());
  const Array v = axis.all() ? ops::reshape(x, Shape(x.size())) : x;
  const int a = axis.all() ? 0 : canonical_axis(function, axis.list()[0], x.ndim());
  if (v.shape()[a] == 0) throw ValueError("attempt to get " + std::string(function) + " of an empty sequence");
  const Array r = f(v, a, default_int_dtype());
  return with_kept(r, axis.all() ? IntList::range(x.ndim()) : IntList{a}, o.keepdims);
}

std::uint64_t static_key(const IntList& axes, bool keepdims) {
  std::uint64_t key = keepdims;
  for (std::int64_t a : axes) key = combine_key(key, static_cast<std::uint64_t>(a) + 1);
  return key;
}

// Of real and complex numbers; a[1] is ddof. Where the divisor is not positive, NaN.
Array var_values(const Array& x, const Array& ddof, const IntList& axes, bool keepdims) {
  const DType computed = accumulator(canonical_dtype(to_inexact_dtype(x.dtype())));
  const DType real = real_dtype(computed), result = real_dtype(canonical_dtype(to_inexact_dtype(x.dtype())));
  const auto count = static_cast<double>(count_over(x.shape(), axes));
  const Array v = to_dtype(x, computed, false);
  const Array center = ops::div(ops::expand_dims(ops::reduce_sum(v, axes), axes), ops::scalar(computed, count));
  const Array d = ops::sub(v, center);
  const Array squares = is_complex(computed) ? ops::real(ops::mul(d, ops::conj(d, computed))) : ops::square(d);
  const Array divisor = ops::sub(ops::scalar(real, count), to_dtype(ddof, real, false));
  const Array total = with_kept(ops::reduce_sum(squares, axes), axes, keepdims);
  const Array r = to_dtype(ops::div(total, divisor), result, false);
  return where(ops::gt(divisor, ops::scalar(real, 0)), r, Array(NAN));
}

Array named_var(const Array& x, const IntList& axes, const Array& ddof, bool keepdims) {
  return named_jit(
      "_var", [&](const Arrays& a) { return Arrays{var_values(a[0], a[1], axes, keepdims)}; }, {x, ddof},
      static_key(axes, keepdims))[0];
}

}  // namespace

Array sum(const Array& x, const Axes& axis, const ReduceOptions& o) {
  COTAN_API;
  return accumulate("sum", ops::reduce_sum, ops::reduce_or, x, axis, o);
}
Array prod(const Array& x, const Axes& axis, const ReduceOptions& o) {
  COTAN_API;
  return accumulate("prod", ops::reduce_prod, ops::reduce_and, x, axis, o);
}

Array mean(const Array& x, const Axes& axis, const ReduceOptions& o) {
  COTAN_API;
  check_number("mean", x);
  const IntList axes = reduced_axes("mean", axis, x.ndim());
  const DType result = canonical_dtype(o.dtype ? *o.dtype : to_inexact_dtype(x.dtype()));
  const DType wide = accumulator(result);
  const Array total = with_kept(ops::reduce_sum(to_dtype(x, wide, false), axes), axes, o.keepdims);
  const std::int64_t n = count_over(x.shape(), axes);
  const Array count = is_integer(wide) ? ops::scalar_int(wide, n) : ops::scalar(wide, static_cast<double>(n));
  return to_dtype(ops::div(total, count), result, false);
}

Array var(const Array& x, const Axes& axis, const VarOptions& o) {
  COTAN_API;
  check_number("var", x);
  return named_var(x, reduced_axes("var", axis, x.ndim()), Array(o.ddof), o.keepdims);
}

Array std(const Array& x, const Axes& axis, const VarOptions& o) {
  COTAN_API;
  check_number("std", x);
  const IntList axes = reduced_axes("std", axis, x.ndim());
  return named_jit(
      "_std", [&](const Arrays& a) { return Arrays{ops::sqrt(named_var(a[0], axes, a[1], o.keepdims))}; },
      {x, Array(o.ddof)}, static_key(axes, o.keepdims))[0];
}

Array max(const Array& x, const Axes& axis, const KeepdimsOptions& o) {
  COTAN_API;
  return extremum("max", ops::reduce_max, x, axis, o);
}
Array min(const Array& x, const Axes& axis, const KeepdimsOptions& o) {
  COTAN_API;
  return extremum("min", ops::reduce_min, x, axis, o);
}

Array all(const Array& x, const Axes& axis, const KeepdimsOptions& o) {
  COTAN_API;
  const IntList axes = reduced_axes("all", axis, x.ndim());
  return with_kept(ops::reduce_and(as_bool(x), axes), axes, o.keepdims);
}
Array any(const Array& x, const Axes& axis, const KeepdimsOptions& o) {
  COTAN_API;
  const IntList axes = reduced_axes("any", axis, x.ndim());
  return with_kept(ops::reduce_or(as_bool(x), axes), axes, o.keepdims);
}

Array argmax(const Array& x, const Axes& axis, const KeepdimsOptions& o) {
  COTAN_API;
  return arg_extremum("argmax", ops::argmax, x, axis, o);
}
Array argmin(const Array& x, const Axes& axis, const KeepdimsOptions& o) {
  COTAN_API;
  return arg_extremum("argmin", ops::argmin, x, axis, o);
}

namespace {

// |x - y| <= atol + rtol |y|, where y is finite; equal values, infinities among them, are close.
Array isclose_values(const Array& a, const Array& b, const Array& rtol, const Array& atol) {
  const Pair p = promote_inexact("isclose", a, b);
  const DType real = real_dtype(p.x.dtype());
  const Array finite = isfinite(p.y), distance = ops::abs(ops::sub(p.x, p.y));
  const Array bound = ops::add(to_dtype(atol, real, false), ops::mul(to_dtype(rtol, real, false), ops::abs(p.y)));
  const Array near = ops::le(distance, bound), same = ops::eq(p.x, p.y);
  return ops::bit_or(same, ops::bit_and(finite, near));
}

std::uint64_t tolerance_key(double rtol, double atol) {
  return combine_key(std::bit_cast<std::uint64_t>(rtol), std::bit_cast<std::uint64_t>(atol));
}

}  // namespace

Array isclose(const Array& x, const Array& y, double rtol, double atol) {
  COTAN_API;
  return named_jit(
      "isclose", [&](const Arrays& a) { return Arrays{isclose_values(a[0], a[1], Array(rtol), Array(atol))}; }, {x, y},
      tolerance_key(rtol, atol))[0];
}

Array allclose(const Array& x, const Array& y, double rtol, double atol) {
  COTAN_API;
  const auto close = [](const Arrays& a) { return Arrays{isclose_values(a[0], a[1], a[2], a[3])}; };
  return named_jit(
      "allclose",
      [&](const Arrays& a) {
        return Arrays{all(named_jit("isclose", close, {a[0], a[1], Array(rtol), Array(atol)})[0])};
      },
      {x, y}, tolerance_key(rtol, atol))[0];
}

Array array_equal(const Array& x, const Array& y) {
  COTAN_API;
  if (!(x.shape() == y.shape())) return ops::scalar_int(DType::bool_, 0);
  return all(equal(x, y));
}

const FunctionTable reductions_table{
    "numpy",
    {
        function<sum>(
            "sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, promote_integers=True)",
            "Sum of the elements over the axes."),
        function<prod>(
            "prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, promote_integers=True)",
            "Product of the elements over the axes."),
        function<mean>("mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None)",
                       "Arithmetic mean over the axes."),
    }};

}  // namespace cotan::numpy

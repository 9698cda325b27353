// numpy's reductions over the elements that are not NaN.
#include <cmath>

#include "api/function_table.h"
#include "numpy/reduce_common.h"

namespace cotan::numpy {

namespace {

Array is_nan(const Array& x) { return ops::ne(x, x); }

// x with NaNs replaced; x itself where its type has none.
Array without_nan(const Array& x, const Array& replacement) {
  return is_inexact(x.dtype()) ? where(is_nan(x), replacement, x) : x;
}

using Accumulate = Array (*)(const Array&, const Axes&, const SumOptions&);

Array nan_accumulate(const char* function, Accumulate f, double identity, const Array& x, const Axes& axis,
                     const NanSumOptions& o) {
  check_number_operand(function, x);
  const IntList axes = reduced_axes(function, axis, x.ndim());
  OptionalOperands operands;
  operands.add(x), operands.add(o.initial), operands.add(o.where);
  return named_jit(
      function,
      [&](const Arrays& a) {
        OptionalOperands::Reader in(operands, a);
        const Array v = in.next(), initial = in.next(), mask = in.next();
        const Array numbers = without_nan(v, is_inexact(v.dtype()) ? ops::scalar(v.dtype(), identity) : Array());
        return Arrays{f(numbers, axes, {.dtype = o.dtype, .keepdims = o.keepdims, .initial = initial, .where = mask})};
      },
      operands.arrays(), static_key(axes, {o.keepdims, dtype_key(o.dtype), operands.key()}))[0];
}

Array nan_extremum(const char* function, bool highest, const Array& x, const Axes& axis, const ExtremumOptions& o) {
  check_number_operand(function, x);
  const IntList axes = reduced_axes(function, axis, x.ndim());
  OptionalOperands operands;
  operands.add(x), operands.add(o.initial), operands.add(o.where);
  return named_jit(
      function,
      [&](const Arrays& a) {
        OptionalOperands::Reader in(operands, a);
        const Array v = in.next(), initial = in.next(), mask = in.next();
        const Array numbers = without_nan(v, is_inexact(v.dtype()) ? extreme_value(v.dtype(), !highest) : Array());
        const Array r =
            (highest ? max : min)(numbers, axes, {.keepdims = o.keepdims, .initial = initial, .where = mask});
        if (initial.has_value() || !is_inexact(v.dtype())) return Arrays{r};
        const Array none_left = with_kept(ops::reduce_and(is_nan(v), axes), axes, o.keepdims);
        return Arrays{where(none_left, ops::scalar(v.dtype(), NAN), r)};
      },
      operands.arrays(), static_key(axes, {o.keepdims, operands.key()}))[0];
}

using ArgExtremum = Array (*)(const Array&, const Axes&, const KeepdimsOptions&);

Array nan_arg_extremum(const char* function, ArgExtremum f, double worst, const Array& x, const Axes& axis,
                       const KeepdimsOptions& o) {
  check_number_operand(function, x);
  if (!axis.all() && axis.list().length() != 1)
    throw TypeError(std::string(function) + ": axis must be one integer or none, got " + axis.list().str());
  check_indexable(function, axis, x.ndim());
  const IntList axes = reduced_axes(function, axis, x.ndim());
  return named_jit(
      function,
      [&](const Arrays& a) {
        if (!is_inexact(a[0].dtype())) return Arrays{f(a[0], axis, o)};
        const Array nan = is_nan(a[0]);
        const Array r = f(where(nan, Array(worst), a[0]), axis, o);
        const Array none_left = with_kept(ops::reduce_and(nan, axes), axes, o.keepdims);
        return Arrays{where(none_left, Array(-1), r)};
      },
      {x}, static_key(axes, {o.keepdims, axis.all()}))[0];
}

}  // namespace

Array nansum(const Array& x, const Axes& axis, const NanSumOptions& o) {
  COTAN_API;
  return nan_accumulate("nansum", sum, 0, x, axis, o);
}
Array nanprod(const Array& x, const Axes& axis, const NanSumOptions& o) {
  COTAN_API;
  return nan_accumulate("nanprod", prod, 1, x, axis, o);
}
Array nanmax(const Array& x, const Axes& axis, const ExtremumOptions& o) {
  COTAN_API;
  return nan_extremum("nanmax", true, x, axis, o);
}
Array nanmin(const Array& x, const Axes& axis, const ExtremumOptions& o) {
  COTAN_API;
  return nan_extremum("nanmin", false, x, axis, o);
}
Array nanargmax(const Array& x, const Axes& axis, const KeepdimsOptions& o) {
  COTAN_API;
  return nan_arg_extremum("_nanargmax", argmax, -INFINITY, x, axis, o);
}
Array nanargmin(const Array& x, const Axes& axis, const KeepdimsOptions& o) {
  COTAN_API;
  return nan_arg_extremum("_nanargmin", argmin, INFINITY, x, axis, o);
}

namespace {

Array nanmean_values(const Array& x, const Array& mask, const IntList& axes, const MeanOptions& o) {
  if (!is_inexact(x.dtype())) return mean(x, axes, {.dtype = o.dtype, .keepdims = o.keepdims, .where = mask});
  const DType d = canonical_dtype(o.dtype ? *o.dtype : x.dtype());
  const Array count = sum(ops::bit_not(is_nan(x)), axes, {.dtype = d, .keepdims = o.keepdims, .where = mask});
  const Array total = nansum(x, axes, {.dtype = d, .keepdims = o.keepdims, .where = mask});
  return ops::div(total, count);
}

Array nanvar_values(const Array& x, const Array& ddof, const Array& mask, const Array& known_mean, const IntList& axes,
                    const NanVarOptions& o) {
  if (o.dtype && is_complex(x.dtype()) && !is_complex(*o.dtype))
    throw ValueError(std::string("nanvar: a real dtype, ") + dtype_name(*o.dtype) +
                     ", is not supported for complex elements, got " + x.aval().str());
  const DType own = canonical_dtype(o.dtype ? *o.dtype : to_inexact_dtype(x.dtype()));
  const Array v = to_dtype(x, accumulator(own), false);
  const Array center = known_mean.has_value() ? to_dtype(known_mean, v.dtype(), false)
                                              : nanmean(v, axes, {.dtype = v.dtype(), .keepdims = true, .where = mask});
  if (center.ndim() != 0 && center.ndim() != v.ndim())
    throw TypeError("nanvar: mean must have as many dimensions as the operand, " + std::to_string(v.ndim()) + ", got " +
                    center.aval().str());
  const Array nan = is_nan(v), deviation = where(nan, Array(0), ops::sub(v, center));
  const Array squares =
      is_complex(v.dtype()) ? ops::real(ops::mul(deviation, ops::conj(deviation, v.dtype()))) : ops::square(deviation);
  const Array present = ops::bit_not(is_nan(v));
  const DType integer = default_int_dtype();
  const Array count = sum(present, axes, {.dtype = integer, .keepdims = o.keepdims, .where = mask});
  const Array divisor = ddof.has_value() ? subtract(count, ddof) : ops::sub(count, ops::scalar_int(integer, 0));
  const Array undefined = ops::le(divisor, number_like(divisor, 0));
  const Array total = where(undefined, Array(NAN),
                            sum(squares, axes, {.dtype = squares.dtype(), .keepdims = o.keepdims, .where = mask}));
  const Array r = ops::div(total, to_dtype(where(undefined, Array(1), divisor), total.dtype(), false));
  return to_dtype(r, o.dtype ? own : real_dtype(own), false);
}

// `root`: what follows the variance, in a function of its own.
Array named_nanvar(const Array& x, const Axes& axis, const NanVarOptions& o) {
  check_number_operand("nanvar", x);
  const IntList axes = reduced_axes("nanvar", axis, x.ndim());
  OptionalOperands operands;
  operands.add(x), operands.add(o.ddof), operands.add(o.where), operands.add(o.mean);
  return named_jit(
      "nanvar",
      [&](const Arrays& a) {
        OptionalOperands::Reader in(operands, a);
        const Array v = in.next(), ddof = in.next(), mask = in.next(), known_mean = in.next();
        return Arrays{nanvar_values(v, ddof, mask, known_mean, axes, o)};
      },
      operands.arrays(), static_key(axes, {o.keepdims, dtype_key(o.dtype), operands.key()}))[0];
}

}  // namespace

Array nanmean(const Array& x, const Axes& axis, const MeanOptions& o) {
  COTAN_API;
  check_number_operand("nanmean", x);
  const IntList axes = reduced_axes("nanmean", axis, x.ndim());
  OptionalOperands operands;
  operands.add(x), operands.add(o.where);
  return named_jit(
      "nanmean", [&](const Arrays& a) { return Arrays{nanmean_values(a[0], a.size() > 1 ? a[1] : Array(), axes, o)}; },
      operands.arrays(), static_key(axes, {o.keepdims, dtype_key(o.dtype)}))[0];
}
Array nanvar(const Array& x, const Axes& axis, const NanVarOptions& o) {
  COTAN_API;
  return named_nanvar(x, axis, o);
}
Array nanstd(const Array& x, const Axes& axis, const NanVarOptions& o) {
  COTAN_API;
  const IntList axes = reduced_axes("nanstd", axis, x.ndim());
  OptionalOperands operands;
  operands.add(x), operands.add(o.ddof), operands.add(o.where), operands.add(o.mean);
  return named_jit(
      "nanstd",
      [&](const Arrays& a) {
        OptionalOperands::Reader in(operands, a);
        NanVarOptions traced = o;
        const Array v = in.next(), ddof = in.next();
        traced.ddof = ddof.has_value() ? ddof : Array(0), traced.where = in.next(), traced.mean = in.next();
        return Arrays{ops::sqrt(named_nanvar(v, axes, traced))};
      },
      operands.arrays(), static_key(axes, {o.keepdims, dtype_key(o.dtype), operands.key()}))[0];
}

const FunctionTable nan_reductions_table{
    "numpy",
    {

        function<nansum>("nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None)",
                         "Sum of the elements that are not NaN."),
        function<nanprod>("nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None)",
                          "Product of the elements that are not NaN."),
        function<nanmax>("nanmax(a, axis=None, out=None, keepdims=False, initial=None, where=None)",
                         "Largest element that is not NaN."),
        function<nanmin>("nanmin(a, axis=None, out=None, keepdims=False, initial=None, where=None)",
                         "Smallest element that is not NaN."),
        function<nanmean>("nanmean(a, axis=None, dtype=None, out=None, keepdims=False, where=None)",
                          "Mean of the elements that are not NaN."),
        function<nanvar>("nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None, mean=None)",
                         "Variance of the elements that are not NaN."),
        function<nanstd>("nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None, mean=None)",
                         "Standard deviation of the elements that are not NaN."),
        function<nanargmax>("nanargmax(a, axis=None, out=None, keepdims=None)",
                            "First position of the largest element that is not NaN; -1 without one."),
        function<nanargmin>("nanargmin(a, axis=None, out=None, keepdims=None)",
                            "First position of the smallest element that is not NaN; -1 without one."),
    }};

}  // namespace cotan::numpy

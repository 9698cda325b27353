// numpy's means and variances.
#include <algorithm>
#include <cmath>

#include "api/function_table.h"
#include "numpy/reduce_common.h"

namespace cotan::numpy {

Array mean(const Array& x, const Axes& axis, const MeanOptions& o) {
  COTAN_API;
  check_number_operand("mean", x);
  check_mask("mean", o.where);
  check_indexable("mean", axis, x.ndim());
  const IntList axes = reduced_axes("mean", axis, x.ndim());
  const DType result = canonical_dtype(o.dtype ? *o.dtype : to_inexact_dtype(x.dtype()));
  const DType wide = o.dtype ? result : accumulator(result);
  Array count = count_of(wide, count_over(x.shape(), axes));
  if (o.where.has_value())
    count = with_kept(ops::reduce_sum(widened(broadcast_to(o.where, x.shape()), wide), axes), axes, o.keepdims);
  const Array number = o.dtype ? widened(x, wide) : to_dtype(x, wide, false);
  const Array total = ops::reduce_sum(masked(number, o.where, count_of(wide, 0)), axes);
  return to_dtype(ops::div(with_kept(total, axes, o.keepdims), count), result, false);
}

namespace {

// x less `center`, whose sizes are the same or 1.
Array deviation(const char* function, const Array& x, const Array& center) {
  const Array c = to_dtype(center, x.dtype(), false);
  if (c.ndim() != 0 && c.ndim() != x.ndim())
    throw TypeError(std::string(function) + ": mean must have as many dimensions as the operand, " +
                    std::to_string(x.ndim()) + ", got " + center.aval().str());
  return ops::sub(x, c);
}

Array squared(const Array& d) {
  if (!is_complex(d.dtype())) return ops::square(d);
  const Array conjugate = ops::conj(d, d.dtype());
  return ops::real(ops::mul(d, conjugate));
}

// ddof or correction, as it was given: the operand of the traced function.
Array delta_of(const VarOptions& o) {
  if (!o.correction.has_value()) return o.ddof.has_value() ? o.ddof : Array(0);
  if (o.ddof.has_value() && !(is_concrete(o.ddof) && o.ddof.item<double>() == 0))
    throw ValueError("ddof and correction can't be provided simultaneously");
  return o.correction;
}

struct VarTypes {
  DType computed, result;
};
VarTypes var_types(const Array& x, const std::optional<DType>& dtype) {
  if (dtype && is_complex(x.dtype()) && !is_complex(*dtype))
    throw ValueError(std::string("var: a real dtype, ") + dtype_name(*dtype) +
                     ", is not supported for complex elements, got " + x.aval().str());
  const DType own = canonical_dtype(dtype ? *dtype : to_inexact_dtype(x.dtype()));
  return {accumulator(own), dtype ? own : real_dtype(own)};
}

struct VarInputs {
  Array x, mean, ddof, where;
};

Array var_values(const VarInputs& in, const IntList& axes, const std::optional<DType>& dtype, bool keepdims) {
  const VarTypes types = var_types(in.x, dtype);
  const DType real = real_dtype(types.computed);
  const Array v = to_dtype(in.x, types.computed, false);
  const Array center =
      in.mean.has_value() ? in.mean : mean(v, axes, {.dtype = types.computed, .keepdims = true, .where = in.where});
  const Array squares = squared(deviation("var", v, center));
  Array count = count_of(real, count_over(in.x.shape(), axes));
  if (in.where.has_value())
    count = sum(broadcast_to(in.where, in.x.shape()), axes, {.dtype = real, .keepdims = keepdims});
  const Array divisor = ops::sub(count, to_dtype(in.ddof, real, false));
  const Array total = sum(squares, axes, {.dtype = real, .keepdims = keepdims, .where = in.where});
  const Array quotient = ops::div(total, divisor),
              r = is_integer(types.result) ? quotient : to_dtype(quotient, types.result, false);
  return where(ops::gt(divisor, count_of(real, 0)), r, Array(NAN));
}

// `root`: what follows the variance, in a function of its own.
Array named_var(const Array& x, const Axes& axis, const VarOptions& o, const char* root) {
  check_number_operand("var", x);
  check_mask("var", o.where);
  check_indexable("var", axis, x.ndim());
  const IntList axes = reduced_axes("var", axis, x.ndim());
  OptionalOperands operands;
  operands.add(x), operands.add(o.mean), operands.add(delta_of(o)), operands.add(o.where);
  const std::uint64_t key = static_key(axes, {o.keepdims, dtype_key(o.dtype), operands.key()});
  const auto variance = [&](const Arrays& a) {
    OptionalOperands::Reader in(operands, a);
    const Array v = in.next(), center = in.next(), ddof = in.next(), mask = in.next();
    return Arrays{var_values({v, center, ddof, mask}, axes, o.dtype, o.keepdims)};
  };
  if (!root) return named_jit("_var", variance, operands.arrays(), key)[0];
  return named_jit(
      root, [&](const Arrays& a) { return Arrays{ops::sqrt(named_jit("_var", variance, a, key)[0])}; },
      operands.arrays(), key)[0];
}

}  // namespace

Array var(const Array& x, const Axes& axis, const VarOptions& o) {
  COTAN_API;
  return named_var(x, axis, o, nullptr);
}

Array std(const Array& x, const Axes& axis, const VarOptions& o) {
  COTAN_API;
  if (o.dtype && !is_inexact(*o.dtype))
    throw ValueError(std::string("std: dtype must be of floats or complex numbers, got ") + dtype_name(*o.dtype));
  return named_var(x, axis, o, "_std");
}

namespace {

// Weights with the operand's rank: those of some axes stand there, with sizes of 1 elsewhere.
Array spread_weights(const Array& w, const Array& x, const Axes& axis) {
  if (w.shape() == x.shape()) return w;
  if (axis.all())
    throw ValueError("average: axis must be given when the shapes of the operand and of weights differ, got " +
                     x.shape().str() + " and " + w.shape().str());
  IntList axes;
  Shape sizes, spread = Shape(IntList::filled(x.ndim(), 1));
  for (std::int64_t a : axis.list()) {
    axes.push_back(canonical_axis("average", a, x.ndim()));
    sizes.push_back(x.shape()[axes.back()]);
    spread[axes.back()] = sizes[sizes.ndim() - 1];
  }
  if (!(w.shape() == sizes))
    throw ValueError("average: weights' shape must be that of the operand along axis, " + sizes.str() + ", got " +
                     w.shape().str());
  IntList order = IntList::range(axes.length());
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return axes[a] < axes[b]; });
  return ops::reshape(ops::transpose(w, order), spread);
}

AverageResult weighted_average(const Array& a, const Axes& axis, const AverageOptions& o, bool returned) {
  const Pair p = promote_inexact_types("average", a, o.weights);
  const Array &x = p.x, w = spread_weights(p.y, x, axis);
  const Array weight = sum(w, axis, {.keepdims = o.keepdims});
  const Array total = sum(multiply(x, w), axis, {.keepdims = o.keepdims});
  AverageResult r{divide(total, weight), weight};
  if (returned) r.sum_of_weights = broadcast_to(weight, r.average.shape());
  return r;
}

AverageResult average_values(const Array& x, const Axes& axis, const AverageOptions& o, bool returned) {
  check_number_operand("average", x);
  const IntList axes = reduced_axes("average", axis, x.ndim());
  if (o.weights.has_value()) {
    check_number_operand("average", o.weights);
    return weighted_average(x, axis, o, returned);
  }
  AverageResult r{mean(x, axis, {.keepdims = o.keepdims}), {}};
  if (!returned) return r;
  const Array n = count_of(r.average.dtype(), count_over(x.shape(), axes));
  r.sum_of_weights = broadcast_to(n, r.average.shape());
  return r;
}

}  // namespace

Array average(const Array& x, const Axes& axis, const AverageOptions& o) {
  COTAN_API;
  return average_values(x, axis, o, false).average;
}
AverageResult average_returned(const Array& x, const Axes& axis, const AverageOptions& o) {
  COTAN_API;
  return average_values(x, axis, o, true);
}

const FunctionTable moments_table{
    "numpy",
    {

        function<mean>("mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None)",
                       "Arithmetic mean over the axes."),
        function<var>("var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, "
                      "correction=None)",
                      "Mean squared deviation from the mean over the axes."),
        function<std>("std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, "
                      "correction=None)",
                      "Square root of var."),
        function<[](const table::Call& c) -> table::Value {
          const Array x = c.get<Array>("a");
          const Axes axis = c.get<Axes>("axis");
          const AverageOptions o{.weights = c.get<Array>("weights"), .keepdims = c.get<bool>("keepdims")};
          if (!c.get<bool>("returned")) return average(x, axis, o);
          const AverageResult r = average_returned(x, axis, o);
          return table::Value::tuple({r.average, r.sum_of_weights});
        }>("average(a, axis=None, weights=None, returned=False, keepdims=False)",
           "Weighted mean over the axes, and with returned the sum of the weights."),
    }};

}  // namespace cotan::numpy

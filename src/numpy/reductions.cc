// numpy's sums, products, extrema and their positions.
#include "api/function_table.h"
#include "numpy/reduce_common.h"

namespace cotan::numpy {

namespace {

// `initial` in dtype d. It is one number.
Array initial_value(const Array& initial, DType d) {
  if (initial.ndim() != 0)
    throw ValueError("initial value must be a scalar, got an array of shape " + initial.shape().str());
  return to_dtype(initial, d, false);
}

struct Accumulation {
  const char* name;
  ReduceOp reduce, of_bools;
  Binary join, join_bools;
  int identity;
};
const Accumulation sum_of{"sum", ops::reduce_sum, ops::reduce_or, ops::add, ops::bit_or, 0},
    prod_of{"prod", ops::reduce_prod, ops::reduce_and, ops::mul, ops::bit_and, 1};

Array accumulate(const Accumulation& a, const Array& x, const Axes& axis, const SumOptions& o) {
  check_number_operand(a.name, x);
  check_mask(a.name, o.where);
  const IntList axes = reduced_axes(a.name, axis, x.ndim());
  const DType own = o.promote_integers || is_bool(x) ? sum_dtype(x.dtype()) : x.dtype();
  const DType result = o.dtype ? canonical_dtype(*o.dtype) : own;
  // Sums and products of 16-bit floats are those in float32, rounded once: where there is no program to fuse them into, nothing
  // else widens the array.
  const bool alone = is_concrete(x) && x.dtype() == result && !o.where.has_value() && !o.initial.has_value();
  const DType wide = o.dtype || alone ? result : accumulator(result);
  const bool bools = result == DType::bool_;
  const Array values = masked(widened(x, wide), o.where, count_of(wide, a.identity));
  Array r = (bools ? a.of_bools : a.reduce)(values, axes);
  if (o.initial.has_value()) r = (bools ? a.join_bools : a.join)(initial_value(o.initial, wide), r);
  return to_dtype(with_kept(r, axes, o.keepdims), result, false);
}

Array extremum(const char* function, bool highest, const Array& x, const Axes& axis, const ExtremumOptions& o) {
  check_number_operand(function, x);
  check_mask(function, o.where);
  const IntList axes = reduced_axes(function, axis, x.ndim());
  if (!o.initial.has_value() && count_over(x.shape(), axes) == 0)
    throw ValueError("zero-size array to reduction operation " + std::string(function) + " which has no identity");
  if (!o.initial.has_value() && o.where.has_value())
    throw ValueError("reduction operation " + std::string(function) +
                     " does not have an identity, so to use a where mask one has to specify 'initial'");
  Array values = to_dtype(x, x.dtype(), false);
  if (o.where.has_value()) values = masked(values, o.where, extreme_value(x.dtype(), !highest));
  Array r = (highest ? ops::reduce_max : ops::reduce_min)(values, axes);
  if (o.initial.has_value()) {
    const Array initial = initial_value(o.initial, x.dtype());
    r = (highest ? ops::max : ops::min)(initial, r);
  }
  return with_kept(r, axes, o.keepdims);
}

Array logical(const char* function, bool of_all, const Array& x, const Axes& axis, const LogicalOptions& o) {
  check_mask(function, o.where);
  const IntList axes = reduced_axes(function, axis, x.ndim());
  const Array values = masked(as_bool(x), o.where, ops::scalar_int(DType::bool_, of_all));
  return with_kept((of_all ? ops::reduce_and : ops::reduce_or)(values, axes), axes, o.keepdims);
}

using ArgReduce = Array (*)(const Array&, int, DType);

Array arg_extremum(const char* function, ArgReduce f, const Array& x, const Axes& axis, const KeepdimsOptions& o) {
  check_number_operand(function, x);
  if (!axis.all() && axis.list().length() != 1)
    throw TypeError(std::string(function) + ": axis must be one integer or none, got " + axis.list().str());
  check_indexable(function, axis, x.ndim());
  const Array v = axis.all() ? ops::reshape(x, Shape(x.size())) : x;
  const int a = axis.all() ? 0 : canonical_axis(function, axis.list()[0], x.ndim());
  if (v.shape()[a] == 0) throw ValueError("attempt to get " + std::string(function) + " of an empty sequence");
  const Array r = f(v, a, default_int_dtype());
  return with_kept(r, axis.all() ? IntList::range(x.ndim()) : IntList{a}, o.keepdims);
}

}  // namespace

Array sum(const Array& x, const Axes& axis, const SumOptions& o) {
  COTAN_API;
  return accumulate(sum_of, x, axis, o);
}
Array prod(const Array& x, const Axes& axis, const SumOptions& o) {
  COTAN_API;
  return accumulate(prod_of, x, axis, o);
}

Array max(const Array& x, const Axes& axis, const ExtremumOptions& o) {
  COTAN_API;
  return extremum("max", true, x, axis, o);
}
Array min(const Array& x, const Axes& axis, const ExtremumOptions& o) {
  COTAN_API;
  return extremum("min", false, x, axis, o);
}
Array amax(const Array& x, const Axes& axis, const ExtremumOptions& o) {
  COTAN_API;
  return max(x, axis, o);
}
Array amin(const Array& x, const Axes& axis, const ExtremumOptions& o) {
  COTAN_API;
  return min(x, axis, o);
}
Array ptp(const Array& x, const Axes& axis, const KeepdimsOptions& o) {
  COTAN_API;
  const IntList axes = reduced_axes("ptp", axis, x.ndim());
  return named_jit(
      "_ptp",
      [&](const Arrays& a) {
        const Array high = max(a[0], axes, {.keepdims = o.keepdims}), low = min(a[0], axes, {.keepdims = o.keepdims});
        return Arrays{ops::sub(high, low)};
      },
      {x}, static_key(axes, {o.keepdims}))[0];
}

Array all(const Array& x, const Axes& axis, const LogicalOptions& o) {
  COTAN_API;
  return logical("all", true, x, axis, o);
}
Array any(const Array& x, const Axes& axis, const LogicalOptions& o) {
  COTAN_API;
  return logical("any", false, x, axis, o);
}

Array argmax(const Array& x, const Axes& axis, const KeepdimsOptions& o) {
  COTAN_API;
  return arg_extremum("argmax", ops::argmax, x, axis, o);
}
Array argmin(const Array& x, const Axes& axis, const KeepdimsOptions& o) {
  COTAN_API;
  return arg_extremum("argmin", ops::argmin, x, axis, o);
}

Array count_nonzero(const Array& x, const Axes& axis, const KeepdimsOptions& o) {
  COTAN_API;
  check_number_operand("count_nonzero", x);
  const IntList axes = reduced_axes("count_nonzero", axis, x.ndim());
  return named_jit(
      "count_nonzero",
      [&](const Arrays& a) {
        const Array nonzero = ops::ne(a[0], number_like(a[0], 0));
        return Arrays{sum(nonzero, axes, {.dtype = default_int_dtype(), .keepdims = o.keepdims})};
      },
      {x}, static_key(axes, {o.keepdims}))[0];
}

namespace {

// x with two axes moved to the end.
Array with_last(const Array& x, int axis1, int axis2) {
  IntList permutation;
  for (int i = 0; i < x.ndim(); ++i)
    if (i != axis1 && i != axis2) permutation.push_back(i);
  permutation.push_back(axis1), permutation.push_back(axis2);
  return ops::transpose(x, permutation);
}

Array trace_values(const Array& x, const Array& offset, int axis1, int axis2, const TraceOptions& o) {
  const Array v = with_last(x, axis1, axis2);
  const int n = v.ndim();
  const Shape plane{v.shape()[n - 2], v.shape()[n - 1]};
  const Array rows = ops::iota(default_int_dtype(), plane, 0), columns = ops::iota(default_int_dtype(), plane, 1);
  const Array by =
      offset.has_value() ? to_dtype(offset, default_int_dtype(), false) : ops::scalar_int(default_int_dtype(), 0);
  const Array on_diagonal = ops::eq(ops::add(rows, by), columns);
  const Array zeros = ops::full({v.shape(), v.dtype(), false}, 0);
  return sum(where(on_diagonal, v, zeros), {n - 2, n - 1}, {.dtype = o.dtype});
}

}  // namespace

Array trace(const Array& x, const Array& offset, std::int64_t axis1, std::int64_t axis2, const TraceOptions& o) {
  COTAN_API;
  check_number_operand("trace", x);
  if (x.ndim() < 2) throw ValueError("trace requires an array of at least two dimensions, got " + x.aval().str());
  if (offset.has_value() && (offset.ndim() != 0 || !(is_integer(offset.dtype()))))
    throw ValueError("trace: offset must be an integer, got " + offset.aval().str());
  const int a = canonical_axis("trace", axis1, x.ndim()), b = canonical_axis("trace", axis2, x.ndim());
  if (a == b)
    throw ValueError("trace: axis1 and axis2 must differ, got " + std::to_string(axis1) + " and " +
                     std::to_string(axis2));
  Arrays operands{x};
  if (offset.has_value()) operands.push_back(offset);
  return named_jit(
      "trace", [&](const Arrays& v) { return Arrays{trace_values(v[0], v.size() > 1 ? v[1] : Array(), a, b, o)}; },
      operands, static_key({a, b}, {dtype_key(o.dtype)}))[0];
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
        function<max>("max(a, axis=None, out=None, keepdims=False, initial=None, where=None)",
                      "Largest element over the axes; NaN where there is one."),
        function<min>("min(a, axis=None, out=None, keepdims=False, initial=None, where=None)",
                      "Smallest element over the axes; NaN where there is one."),
        function<amax>("amax(a, axis=None, out=None, keepdims=False, initial=None, where=None)", "Alias of max."),
        function<amin>("amin(a, axis=None, out=None, keepdims=False, initial=None, where=None)", "Alias of min."),
        function<ptp>("ptp(a, axis=None, out=None, keepdims=False)", "Largest less smallest element over the axes."),
        function<all>("all(a, axis=None, out=None, keepdims=False, *, where=None)",
                      "Whether no element over the axes is 0."),
        function<any>("any(a, axis=None, out=None, keepdims=False, *, where=None)",
                      "Whether an element over the axes is not 0."),
        function<argmax>("argmax(a, axis=None, out=None, keepdims=None)",
                         "First position of the largest element, or of a NaN."),
        function<argmin>("argmin(a, axis=None, out=None, keepdims=None)",
                         "First position of the smallest element, or of a NaN."),
        function<count_nonzero>("count_nonzero(a, axis=None, keepdims=False)",
                                "How many elements over the axes are not 0."),
        function<trace>("trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None)",
                        "Sum over a diagonal of the matrices over two axes."),
    }};

}  // namespace cotan::numpy

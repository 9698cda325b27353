// numpy's differences and integrals.
#include "api/function_table.h"
#include "numpy/reduce_common.h"
#include "numpy/slices.h"

namespace cotan::numpy {

namespace {

// x[first : size - last] along an axis, empty where that leaves nothing.
Array without_ends(const Array& x, std::int64_t first, std::int64_t last, int axis) {
  const std::int64_t n = x.shape()[axis];
  return slice_of(x, std::min(first, n), std::max(std::min(first, n), n - last), axis);
}

Array difference(const Array& x, int axis) {
  const Array after = without_ends(x, 1, 0, axis), before = without_ends(x, 0, 1, axis);
  return is_bool(x) ? ops::ne(after, before) : ops::sub(after, before);
}

// A number stands for one element along the axis.
Array as_joined(const Array& part, const Array& x, int axis) {
  if (part.ndim() > 0) return part;
  Shape one = x.shape();
  one[axis] = 1;
  return ops::broadcast_in_dim(part, one, {});
}

Array diff_values(const Array& x, const Array& prepend, const Array& append, std::int64_t n, int axis) {
  std::vector<Array> parts;
  if (prepend.has_value()) parts.push_back(as_joined(prepend, x, axis));
  parts.push_back(x);
  if (append.has_value()) parts.push_back(as_joined(append, x, axis));
  Array r = concatenate(parts, axis);
  for (std::int64_t i = 0; i < n; ++i) {
    if (r.shape()[axis] == 0) break;
    r = difference(r, axis);
  }
  return r;
}

}  // namespace

Array diff(const Array& x, std::int64_t n, std::int64_t axis, const DiffOptions& o) {
  COTAN_API;
  check_number_operand("diff", x);
  if (n == 0) return x;
  if (n < 0) throw ValueError("diff: n must not be negative, got " + std::to_string(n));
  if (x.ndim() == 0) throw ValueError("diff requires an array of at least one dimension, got " + x.aval().str());
  const int a = canonical_axis("diff", axis, x.ndim());
  OptionalOperands operands;
  operands.add(x), operands.add(o.prepend), operands.add(o.append);
  return named_jit(
      "diff",
      [&](const Arrays& v) {
        OptionalOperands::Reader in(operands, v);
        const Array y = in.next(), prepend = in.next(), append = in.next();
        return Arrays{diff_values(y, prepend, append, n, a)};
      },
      operands.arrays(), static_key({a}, {static_cast<std::uint64_t>(n), operands.key()}))[0];
}

Array ediff1d(const Array& x, const Ediff1dOptions& o) {
  COTAN_API;
  check_number_operand("ediff1d", x);
  OptionalOperands operands;
  operands.add(x), operands.add(o.to_begin), operands.add(o.to_end);
  return named_jit(
      "ediff1d",
      [&](const Arrays& v) {
        OptionalOperands::Reader in(operands, v);
        const Array flat = ravel(in.next()), begin = in.next(), end = in.next();
        const Array after = without_ends(flat, 1, 0, 0), before = without_ends(flat, 0, 1, 0);
        Array r = ops::sub(after, before);
        if (begin.has_value()) r = concatenate({ravel(to_dtype(begin, x.dtype(), false)), r}, 0);
        if (end.has_value()) r = concatenate({r, ravel(to_dtype(end, x.dtype(), false))}, 0);
        return Arrays{r};
      },
      operands.arrays(), static_key({}, {operands.key()}))[0];
}

namespace {

// f[first : first + count] along an axis.
Array part(const Array& f, int axis, std::int64_t first, std::int64_t count) {
  IntList start = IntList::filled(f.ndim(), 0), limit = f.shape();
  start[axis] = first, limit[axis] = first + count;
  return ops::slice(f, start, limit, IntList::filled(f.ndim(), 1));
}
Array step(const Array& f, int axis, std::int64_t from, std::int64_t to, std::int64_t count = 1) {
  const Array after = part(f, axis, to, count), before = part(f, axis, from, count);
  return ops::sub(after, before);
}

Array even_gradient(const Array& f, const Array& h, int axis) {
  const std::int64_t n = f.shape()[axis];
  const Array first = step(f, axis, 0, 1), last = step(f, axis, n - 2, n - 1);
  const Array inner = ops::mul(step(f, axis, 0, 2, n - 2), number_like(f, 0.5));
  const Array slopes = ops::div(inner, h), last_slope = ops::div(last, h), first_slope = ops::div(first, h);
  const Array parts[] = {first_slope, slopes, last_slope};
  return ops::concatenate(parts, axis);
}

// By the parabola through each point and its neighbours, at distances h before and k after:
// f' = -k / (h (h + k)) f[i-1] + (k - h) / (h k) f[i] + h / (k (h + k)) f[i+1].
Array uneven_gradient(const Array& f, const Array& coordinates, int axis) {
  const std::int64_t n = f.shape()[axis];
  Shape along = Shape(IntList::filled(f.ndim(), 1));
  along[axis] = n;
  const Array first = step(f, axis, 0, 1), last = step(f, axis, n - 2, n - 1);
  const Array x = ops::reshape(coordinates, along);
  const Array first_slope = ops::div(first, step(x, axis, 0, 1)),
              last_slope = ops::div(last, step(x, axis, n - 2, n - 1));
  const Array h = step(x, axis, 0, 1, n - 2), k = step(x, axis, 1, 2, n - 2);
  const Array a = ops::div(ops::neg(k), ops::mul(h, ops::add(h, k)));
  const Array b = ops::div(ops::sub(k, h), ops::mul(h, k));
  const Array c = ops::div(h, ops::mul(k, ops::add(h, k)));
  const Array before = ops::mul(a, part(f, axis, 0, n - 2)), here = ops::mul(b, part(f, axis, 1, n - 2));
  const Array sum_before = ops::add(before, here), after = ops::mul(c, part(f, axis, 2, n - 2));
  const Array parts[] = {first_slope, ops::add(sum_before, after), last_slope};
  return ops::concatenate(parts, axis);
}

void check_spacing(const Array& h, const Array& f, int axis) {
  if (h.ndim() > 1)
    throw ValueError("gradient: a spacing must be a number or the coordinates along its axis, got " + h.aval().str());
  if (h.ndim() == 1 && h.shape()[0] != f.shape()[axis])
    throw ValueError("gradient: coordinates must be as many as elements along the axis, " +
                     std::to_string(f.shape()[axis]) + ", got " + std::to_string(h.shape()[0]));
}

}  // namespace

std::vector<Array> gradient(const Array& f, const std::vector<Array>& spacing, const Axes& axis) {
  COTAN_API;
  check_number_operand("gradient", f);
  IntList axes;
  if (axis.all()) axes = IntList::range(f.ndim());
  else
    for (std::int64_t a : axis.list()) axes.push_back(canonical_axis("gradient", a, f.ndim()));
  const auto count = static_cast<std::size_t>(axes.length());
  if (spacing.size() > 1 && spacing.size() != count)
    throw TypeError("gradient: spacing must be one for all axes or one for each of " + std::to_string(count) +
                    ", got " + std::to_string(spacing.size()));
  for (std::size_t i = 0; i < count; ++i) {
    const int a = static_cast<int>(axes[static_cast<std::int64_t>(i)]);
    if (f.shape()[a] < 2) throw ValueError("gradient: an axis needs at least 2 elements, got shape " + f.shape().str());
    if (!spacing.empty()) check_spacing(spacing[spacing.size() == 1 ? 0 : i], f, a);
  }
  std::vector<LatticeType> types{{f.dtype(), f.weak_type()}};
  Arrays operands{f};
  for (const Array& h : spacing) types.push_back({h.dtype(), h.weak_type()}), operands.push_back(h);
  const LatticeType t = promote_types(types);
  const DType d = canonical_dtype(to_inexact_dtype(t.dtype));
  return named_jit(
      "gradient",
      [&](const Arrays& v) {
        Arrays in, out;
        for (const Array& x : v) in.push_back(to_dtype(x, d, t.weak));
        for (std::size_t i = 0; i < count; ++i) {
          const int a = static_cast<int>(axes[static_cast<std::int64_t>(i)]);
          const Array h = spacing.empty() ? number_like(in[0], 1) : in[spacing.size() == 1 ? 1 : i + 1];
          out.push_back(h.ndim() == 0 ? even_gradient(in[0], h, a) : uneven_gradient(in[0], h, a));
        }
        return out;
      },
      operands, static_key(axes, {}));
}

namespace {

Array trapezoid_values(const Array& y0, const Array& x, const Array& dx0, int axis) {
  Array distance = dx0.has_value() ? dx0 : Array(1.0), values = y0;
  LatticeType t{y0.dtype(), y0.weak_type()};
  if (x.has_value()) t = promote_types(t, {x.dtype(), x.weak_type()});
  const DType d = canonical_dtype(to_inexact_dtype(t.dtype));
  values = to_dtype(y0, d, t.weak);
  if (x.has_value()) {
    const Array coordinates = to_dtype(x, d, t.weak);
    distance = x.ndim() == 1 ? diff(coordinates) : ops::move_axis(diff(coordinates, 1, axis), axis, x.ndim() - 1);
  }
  values = ops::move_axis(values, axis, values.ndim() - 1);
  const std::int64_t n = values.shape()[values.ndim() - 1];
  if (n == 0) throw IndexError("trapezoid needs at least one element along the axis, got shape " + y0.shape().str());
  const Array half = ops::scalar(d, 0.5);
  if (distance.size() == 1) {
    const Array total = sum(values, -1), first = element_of(values, 0, values.ndim() - 1),
                last = element_of(values, n - 1, values.ndim() - 1);
    const Array inner = ops::sub(total, ops::mul(half, ops::add(first, last)));
    return multiply(ops::reshape(distance, Shape()), inner);
  }
  const int last = values.ndim() - 1;
  const Array after = without_ends(values, 1, 0, last), before = without_ends(values, 0, 1, last);
  return multiply(half, sum(multiply(distance, ops::add(after, before)), -1));
}

}  // namespace

Array trapezoid(const Array& y, const Array& x, const TrapezoidOptions& o) {
  COTAN_API;
  check_number_operand("trapezoid", y);
  const int axis = canonical_axis("trapezoid", o.axis, y.ndim());
  if (x.has_value() && x.ndim() > 1) canonical_axis("trapezoid", axis, x.ndim());
  OptionalOperands operands;
  operands.add(y), operands.add(x), operands.add(x.has_value() ? Array() : o.dx);
  return named_jit(
      "trapezoid",
      [&](const Arrays& v) {
        OptionalOperands::Reader in(operands, v);
        const Array values = in.next(), coordinates = in.next(), dx = in.next();
        return Arrays{trapezoid_values(values, coordinates, dx, axis)};
      },
      operands.arrays(), static_key({axis}, {operands.key()}))[0];
}

const FunctionTable differences_table{
    "numpy",
    {
        function<diff>("diff(a, n=1, axis=-1, prepend=None, append=None)", "Differences of neighbours along an axis."),
        function<ediff1d>("ediff1d(ary, to_end=None, to_begin=None)",
                          "Differences of neighbours in the flattened array."),
        function<[](const table::Call& c) -> table::Value {
          if (!c["edge_order"].is_none()) throw NotImplementedError("gradient: edge_order is not implemented");
          const Array f = c.get<Array>("f");
          const std::vector<Array> r = gradient(f, c.get<std::vector<Array>>("varargs"), c.get<Axes>("axis"));
          if (r.size() == 1) return r[0];
          return table::to_value(r);
        }>("gradient(f, *varargs, axis=None, edge_order=None)",
           "Derivatives along axes by central differences; one Array where there is one axis."),
        function<trapezoid>("trapezoid(y, x=None, dx=1.0, axis=-1)", "Integral along an axis by the trapezoidal rule."),
    }};

}  // namespace cotan::numpy

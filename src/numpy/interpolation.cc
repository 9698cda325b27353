// numpy's interp.
#include <cmath>

#include "api/function_table.h"
#include "numpy/order.h"
#include "numpy/reduce_common.h"
#include "ops/gather.h"

namespace cotan::numpy {

InterpEdge::InterpEdge(std::string_view word) : extrapolate_(true) {
  if (word != "extrapolate")
    throw ValueError("interp: the only word for left or right is \"extrapolate\", got \"" + std::string(word) + "\"");
}

namespace {

// Elements at indices, of which -1 counts as 0.
Array at(const Array& v, const Array& indices) {
  return ops::take_axis(v, indices, 0, {.mode = ops::GatherScatterMode::clip});
}
Array end_of(const Array& v, std::int64_t i) { return ops::squeeze(ops::slice_in_dim(v, i, i + 1, 1, 0), {0}); }

struct Points {
  Array x, f;
};

double smallest_step(DType d) {  // the distance of numbers around the type's epsilon
  switch (d) {
    case DType::bfloat16: return 0x1p-14;
    case DType::float16: return 0x1p-20;
    case DType::float32: return 0x1p-46;
    default: return 0x1p-104;
  }
}

Array interp_values(const Array& x, const Points& p) {
  const std::int64_t n = p.x.shape()[0];
  const Array i = clip(search_sorted(p.x, x, true), 1, n - 1), before = ops::sub(i, number_like(i, 1));
  const Array f0 = at(p.f, before), df = subtract(at(p.f, i), f0);
  const Array x0 = at(p.x, before), dx = ops::sub(at(p.x, i), x0), delta = ops::sub(x, x0);
  const Array is_step = ops::le(ops::abs(dx), ops::scalar(dx.dtype(), smallest_step(dx.dtype())));
  const Array slope_part = multiply(divide(delta, where(is_step, Array(1), dx)), df);
  return where(is_step, f0, add(f0, slope_part));
}

// One period of the points in order, with the last before and the first after it.
Points periodic(const Points& p, const Array& period) {
  const Array operands[] = {mod(p.x, period), p.f};
  const Arrays sorted = ops::sort(operands, 0);
  const auto ends = [](const Array& v) { return std::pair(v(slice(-1, none)), v(slice(0, 1))); };
  const auto [last_x, first_x] = ends(sorted[0]);
  const auto [last_f, first_f] = ends(sorted[1]);
  return {concatenate({subtract(last_x, period), sorted[0], add(first_x, period)}),
          concatenate({last_f, sorted[1], first_f})};
}

}  // namespace

Array interp(const Array& x, const Array& xp, const Array& fp, const InterpOptions& o) {
  COTAN_API;
  if (xp.ndim() != 1 || !(xp.shape() == fp.shape()))
    throw ValueError("interp: xp and fp must be vectors of one size, got shapes " + xp.shape().str() + " and " +
                     fp.shape().str());
  if (is_complex(x.dtype()) || is_complex(xp.dtype()))
    throw ValueError("interp: x and xp must be real, got " + x.aval().str() + " and " + xp.aval().str());
  if (xp.shape()[0] == 0) throw IndexError("interp needs at least one point, got xp of shape (0,)");
  if (o.period.has_value() && o.period.ndim() != 0)
    throw ValueError("interp: period must be a scalar, got " + o.period.aval().str());
  const bool wraps = o.period.has_value(), left = !wraps && !o.left.extrapolate(),
             right = !wraps && !o.right.extrapolate();
  OptionalOperands operands;
  for (const Array* a : {&x, &xp, &fp}) operands.add(*a);
  operands.add(o.left.value()), operands.add(o.right.value()), operands.add(o.period);
  return named_jit(
      "_interp",
      [&](const Arrays& a) {
        OptionalOperands::Reader in(operands, a);
        const Array x_in = in.next(), xp_in = in.next(), fp_in = in.next();
        const Array left_value = in.next(), right_value = in.next(), period = in.next();
        const Pair p = promote_inexact_types("interp", x_in, xp_in);
        Array at_x = to_dtype(p.x, p.x.dtype(), false);
        Points points{to_dtype(p.y, p.y.dtype(), false), promote_inexact(fp_in)};
        if (wraps) {
          const Array length = abs(period);
          at_x = mod(at_x, length);
          points = periodic(points, length);
        }
        const std::int64_t last = points.x.shape()[0] - 1;
        Array r = interp_values(at_x, points);
        if (left) {
          const Array beyond = left_value.has_value() ? left_value : end_of(points.f, 0);
          r = where(ops::lt(at_x, broadcast_to(end_of(points.x, 0), at_x.shape())), beyond, r);
        }
        if (right) {
          const Array beyond = right_value.has_value() ? right_value : end_of(points.f, last);
          r = where(ops::gt(at_x, broadcast_to(end_of(points.x, last), at_x.shape())), beyond, r);
        }
        return Arrays{to_dtype(r, r.dtype(), false)};
      },
      operands.arrays(), static_key({}, {operands.key(), left, right}))[0];
}

}  // namespace cotan::numpy

namespace cotan::table {
template <> struct FromValue<numpy::InterpEdge> {
  static numpy::InterpEdge get(const Value& v, const Place& p) {
    if (v.is_none()) return {};
    if (const std::string* word = v.get<std::string>()) return std::string_view(*word);
    return to_array(v, p);
  }
};
}  // namespace cotan::table

namespace cotan::numpy {

const FunctionTable interpolation_table{"numpy",
                                        {
                                            function<interp>("interp(x, xp, fp, left=None, right=None, period=None)",
                                                             "Piecewise linear interpolation between points."),
                                        }};

}  // namespace cotan::numpy

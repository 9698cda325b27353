// numpy's functions of angles and phases.
#include <cmath>

#include "api/function_table.h"
#include "cotan/numpy_numerics.h"
#include "cotan/numpy_sort.h"
#include "numpy/common.h"
#include "ops/special.h"

namespace cotan::numpy {

namespace {

Array scaled(const Array& x, double factor) {
  const Array v = promote_inexact(x);
  return ops::mul(v, constant_like(v, factor));
}

Array angle_values(const Array& z, bool deg) {
  const Array re = real(z), im = imag(z);
  const DType d = is_inexact(re.dtype()) ? re.dtype() : default_float_dtype();
  const bool weak =
      z.weak_type() && (z.ndim() > 0 || is_complex(z.dtype()));  // a real number alone gives a strong result
  const Array y = to_dtype(im, d, weak);
  const Array r = ops::atan2(y, to_dtype(re, d, re.weak_type()));
  return deg ? ops::mul(r, constant_like(r, 180 / M_PI)) : r;
}

// Each step becomes its remainder by the period around 0; what that changes is added up. A step of half a period keeps its
// sign: in floating point and for even integer periods the remainder gives the lower end for both.
Array unwrapped(const Array& p, const Array& period, const Array& discont, int axis) {
  const Array step = diff(p, 1, axis);
  const bool whole = is_integer(step.dtype());
  const Array half = whole ? floor_divide(period, 2) : divide(period, 2), low = negative(half);
  Array folded = add(remainder(subtract(step, low), period), low);
  const Array even = whole ? equal(remainder(period, 2), 0) : equal(period, period);
  folded = where(logical_and(even, logical_and(equal(folded, low), greater(step, 0))), half, folded);
  const Array change = where(less(abs(step), discont.has_value() ? discont : half), 0, subtract(folded, step));
  const std::int64_t n = p.shape()[axis];
  const Array first = ops::slice_in_dim(p, 0, 1, 1, axis), rest = ops::slice_in_dim(p, 1, n, 1, axis);
  return concatenate({first, add(rest, cumsum(change, axis))}, axis);
}

}  // namespace

Array unwrap(const Array& p, const UnwrapOptions& o) {
  COTAN_API;
  if (is_complex(p.dtype())) throw ValueError("unwrap: expected real numbers, got " + p.aval().str());
  const int axis = o.axis < 0 ? o.axis + p.ndim() : o.axis;
  if (axis < 0 || axis >= p.ndim())
    throw IndexError("unwrap: axis " + std::to_string(o.axis) + " is out of bounds for " + p.aval().str());
  const Array x = promote("unwrap", p, o.period).x;
  if (p.shape()[axis] == 0) return x;
  return unwrapped(x, o.period, o.discont, axis);
}

Array i0(const Array& x) {
  COTAN_API;
  const Array v = promote_inexact(x);
  if (is_complex(v.dtype())) throw ValueError("i0: expected real numbers, got " + x.aval().str());
  // x sign(x): |x| with the derivative 0 at 0, where that of i0 is.
  return jitted(
      "i0", [](const Arrays& a) { return ops::mul(ops::exp(ops::mul(a[0], ops::sign(a[0]))), ops::bessel_i0e(a[0])); },
      {v});
}

Array deg2rad(const Array& x) {
  COTAN_API;
  return scaled(x, M_PI / 180);
}
Array radians(const Array& x) {
  COTAN_API;
  return scaled(x, M_PI / 180);
}
Array rad2deg(const Array& x) {
  COTAN_API;
  return scaled(x, 180 / M_PI);
}
Array degrees(const Array& x) {
  COTAN_API;
  return scaled(x, 180 / M_PI);
}
Array angle(const Array& z, const AngleOptions& o) {
  COTAN_API;
  return named_jit(
      "angle", [deg = o.deg](const Arrays& a) { return Arrays{angle_values(a[0], deg)}; }, {z}, o.deg)[0];
}

Array sinc(const Array& x) {
  COTAN_API;
  return jitted("sinc",
                [](const Arrays& a) {
                  const Array v = promote_inexact(a[0]);
                  const Array at_zero = ops::eq(v, number_like(v, 0)), y = ops::mul(constant_like(v, M_PI), v);
                  const Array safe = where(at_zero, constant_like(y, 1), y), one = ops::sinc_at_zero(y);
                  return where(at_zero, one, ops::div(ops::sin(safe), safe));
                },
                {x});
}

const FunctionTable angles_table{
    "numpy",
    {
        function<radians>("radians(x, /)", "Degrees as radians."),
        function<degrees>("degrees(x, /)", "Radians as degrees."),
        function<unwrap>("unwrap(p, discont=None, axis=-1, period=6.283185307179586)",
                         "Phases without jumps of more than half a period."),
        function<i0>("i0(x)", "The modified Bessel function of the first kind, of order 0."),
        function<sinc>("sinc(x, /)", "sin(pi x) / (pi x), 1 at 0."),
    }};

}  // namespace cotan::numpy

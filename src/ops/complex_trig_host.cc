// Complex trigonometric and hyperbolic functions and their inverses. The circular ones are the hyperbolic ones turned by i.
#include <cmath>
#include <limits>

#include "ops/complex_host.h"
#include "ops/elementary_host.h"

namespace cotan::ops::host {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using C = Complex128;

C times_i(C z) { return {-z.im, z.re}; }
C times_minus_i(C z) { return {z.im, -z.re}; }

// sinh x cos y + i cosh x sin y, with factors swapped for cosh; e^|x| / 2 in two factors where it overflows.
C hyperbolic(double x, double first, double second, bool cosine) {
  if (!(std::fabs(x) >= 700)) {
    const double s = sinh(x), c = cosh(x);
    return cosine ? C{c * first, s * second} : C{s * first, c * second};
  }
  const double e = exp(std::fmin(std::fabs(x), 2200) / 2), half = 0.5 * e, sign = std::copysign(1.0, x);
  return cosine ? C{half * first * e, sign * half * second * e} : C{sign * half * first * e, half * second * e};
}

// The pieces of asin and acos after Hull, Fairgrieve and Tang (1997), for the quadrant x, y >= 0: with r and s the
// distances to -1 and 1, a = (r + s) / 2 and b = x / a, Re asin = asin b, Im asin = log(a + sqrt(a^2 - 1)).
struct Quadrant {
  double asin_re, acos_re, im;
};

double acosh_of_a(double x, double y, double r, double s, double a) {
  if (a > 1.5) return log(a + std::sqrt((a - 1) * (a + 1)));
  const double far = y * y / (r + (x + 1));
  const double near = x < 1 ? y * y / (s + (1 - x)) : s + (x - 1);
  const double less_one = (far + near) / 2;  // a - 1 without cancellation
  return log1p(less_one + std::sqrt(less_one * (a + 1)));
}

Quadrant inverse_quadrant(double x, double y) {
  constexpr double large = 0x1p60, tiny = 0x1p-500;
  if (x > large || y > large) {  // log 2|z|
    const double h = hypot(x / 4, y / 4);
    return {atan2(x, y), atan2(y, x), log(h) + 3 * M_LN2};
  }
  if (y < tiny) {  // y^2 underflows
    if (x < 1) {
      const double room = (1 - x) * (1 + x);
      return {asin(x), acos(x), y / std::sqrt(room)};
    }
    if (x == 1) return {M_PI_2 - std::sqrt(y), std::sqrt(y), std::sqrt(y)};
    const double t = x - 1;
    return {M_PI_2, y / std::sqrt(t * (x + 1)), log1p(t + std::sqrt(t * (x + 1)))};
  }
  const double r = hypot(x + 1, y), s = hypot(x - 1, y), a = (r + s) / 2, b = x / a;
  const double im = acosh_of_a(x, y, r, s, a);
  if (b <= 0.64) return {asin(b), acos(b), im};
  double other;  // sqrt(a^2 - x^2)
  if (x <= 1) {
    other = std::sqrt((a + x) / 2 * (y * y / (r + (x + 1)) + (s + (1 - x))));
  } else {
    other = y * std::sqrt(((a + x) / (r + (x + 1)) + (a + x) / (s + (x - 1))) / 2);
  }
  return {atan2(x, other), atan2(other, x), im};
}

}  // namespace

C sinh(C z) {
  if (z.im == 0) return {sinh(z.re), z.im};
  if (!std::isfinite(z.im)) {
    if (z.re == 0) return {z.re, nan};
    return {std::isinf(z.re) ? z.re : nan, nan};
  }
  const SinCos<double> t = sincos(z.im);
  if (std::isinf(z.re)) return {z.re * t.cos, inf * t.sin};
  return z.re == 0 ? C{z.re * t.cos, t.sin} : hyperbolic(z.re, t.cos, t.sin, false);
}

C cosh(C z) {
  if (z.im == 0) return {cosh(z.re), std::signbit(z.re) ? -z.im : z.im};
  if (!std::isfinite(z.im)) {
    if (z.re == 0) return {nan, z.re};
    return {std::isinf(z.re) ? inf : nan, nan};
  }
  const SinCos<double> t = sincos(z.im);
  if (std::isinf(z.re)) return {inf * t.cos, z.re * t.sin};
  return hyperbolic(z.re, t.cos, t.sin, true);
}

// After Kahan (1987): with t = tan y, s = sinh x: (s sqrt(1 + s^2) (1 + t^2) + i t) / (1 + (1 + t^2) s^2).
C tanh(C z) {
  if (z.im == 0) return {tanh(z.re), z.im};
  if (std::isnan(z.re)) return {nan, nan};
  if (std::fabs(z.re) > 22) {
    const double one = std::copysign(1.0, z.re);
    if (!std::isfinite(z.im)) return std::isinf(z.re) ? C{one, std::copysign(0.0, z.im)} : C{nan, nan};
    const SinCos<double> t = sincos(z.im);
    const double e = exp(-std::fabs(z.re));
    return {one, 4 * t.sin * t.cos * e * e};
  }
  if (!std::isfinite(z.im)) return {z.re == 0 ? z.re : nan, nan};
  // Multiplied through by cos^2 y, which does not overflow where tan y does.
  const SinCos<double> t = sincos(z.im);
  const double s = sinh(z.re), below = std::fma(t.cos, t.cos, s * s);
  return {s * cosh(z.re) / below, t.sin * t.cos / below};
}

C sin(C z) { return times_minus_i(sinh(times_i(z))); }
C cos(C z) { return cosh(times_i(z)); }
C tan(C z) { return times_minus_i(tanh(times_i(z))); }

C asin(C z) {
  if (std::isnan(z.re) || std::isnan(z.im)) {
    if (std::isinf(z.re) || std::isinf(z.im)) return {nan, std::isinf(z.im) ? z.im : inf};
    return z.re == 0 ? C{z.re, nan} : C{nan, nan};
  }
  const Quadrant q = inverse_quadrant(std::fabs(z.re), std::fabs(z.im));
  return {std::copysign(q.asin_re, z.re), std::copysign(q.im, z.im)};
}

C acos(C z) {
  if (std::isnan(z.re) || std::isnan(z.im)) {
    if (std::isinf(z.re) || std::isinf(z.im)) return {nan, std::isinf(z.im) ? -z.im : inf};
    return {z.re == 0 ? M_PI_2 : nan, nan};
  }
  const Quadrant q = inverse_quadrant(std::fabs(z.re), std::fabs(z.im));
  return {std::signbit(z.re) ? M_PI - q.acos_re : q.acos_re, std::copysign(q.im, -z.im)};
}

// Re: log1p(4x / ((1 - x)^2 + y^2)) / 4.  Im: atan2(2y, (1 - x)(1 + x) - y^2) / 2.
C atanh(C z) {
  const double x = std::fabs(z.re), y = std::fabs(z.im);
  if (std::isnan(x) || std::isnan(y)) {
    if (std::isinf(z.re)) return {std::copysign(0.0, z.re), nan};
    if (std::isinf(z.im)) return {std::copysign(0.0, z.re), std::copysign(M_PI_2, z.im)};
    return {z.re == 0 ? z.re : nan, nan};
  }
  C w;
  if (x > 0x1p60 || y > 0x1p60) {  // 1 / z
    const double h = std::fmax(x, y), u = x / h, v = y / h;
    w = {std::isinf(h) ? 0.0 : u / std::fma(u, u, v * v) / h, M_PI_2};
  } else if (x == 1 && y < 0x1p-500) {
    w = y == 0 ? C{inf, 0} : C{(M_LN2 - log(y)) / 2, M_PI_4};
  } else {
    const double d = 1 - x;
    const double square = y * y;
    w = {log1p(4 * x / std::fma(d, d, square)) / 4, atan2(2 * y, std::fma(d, 1 + x, -square)) / 2};
  }
  return {std::copysign(w.re, z.re), std::copysign(w.im, z.im)};
}

C asinh(C z) { return times_i(asin(times_minus_i(z))); }
C atan(C z) { return times_minus_i(atanh(times_i(z))); }
C acosh(C z) {
  const C w = acos(z);
  if (std::isnan(w.re) && std::isnan(w.im)) return w;
  return {std::fabs(w.im), std::copysign(w.re, z.im)};
}

}  // namespace cotan::ops::host

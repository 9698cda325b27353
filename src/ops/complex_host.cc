// Complex exponentials, logarithms, roots and powers. The trigonometric functions: complex_trig_host.cc.
#include "ops/complex_host.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/elementary_host.h"

namespace cotan::ops::host {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using C = Complex128;

C conj(C z) { return {z.re, -z.im}; }

// The power of two that brings the larger of two magnitudes near 1.
double normalising(double larger) {
  int e;
  std::frexp(larger, &e);
  return std::ldexp(1.0, std::clamp(-e, -1000, 1000));
}

// e^x (c + i s) where e^x alone may overflow or underflow.
C scaled_exp(double x, double c, double s) {
  if (std::fabs(x) < 700) return {exp(x) * c, exp(x) * s};
  const double part = exp(std::clamp(x, -2200.0, 2200.0) / 4);
  return {part * c * part * part * part, part * s * part * part * part};
}

// x^2 + y^2 + 2 rest - 1 as hi + lo, from exact products.
struct Sum {
  double hi, lo;
  void add(double x) {
    const double s = hi + x, v = s - hi;
    lo += (hi - (s - v)) + (x - v);
    hi = s;
  }
  void add_square(double x) {
    add(x * x);
    lo += std::fma(x, x, -(x * x));
  }
  void normalise() {
    const double s = hi + lo;
    lo -= s - hi;
    hi = s;
  }
};

}  // namespace

double hypot(double x, double y) {
  x = std::fabs(x), y = std::fabs(y);
  if (x == inf || y == inf) return inf;
  const double larger = std::fmax(x, y);
  if (std::isnan(x) || std::isnan(y) || larger == 0) return x + y;
  const bool plain = larger < 0x1p500 && larger > 0x1p-450;
  const double scale = plain ? 1 : normalising(larger);
  x *= scale, y *= scale;
  Sum sum{0, 0};
  sum.add_square(std::fmax(x, y));
  sum.add_square(std::fmin(x, y));
  sum.normalise();
  const double h = std::sqrt(sum.hi);
  return (h + (std::fma(-h, h, sum.hi) + sum.lo) / (2 * h)) / scale;
}

C exp(C z) {
  if (z.im == 0) return {exp(z.re), z.im};
  if (!std::isfinite(z.im)) {
    if (z.re == -inf) return {0, std::copysign(0.0, z.im)};
    return {z.re == inf ? inf : nan, nan};
  }
  const SinCos<double> t = sincos(z.im);
  if (z.re == inf) return {std::copysign(inf, t.cos), std::copysign(inf, t.sin)};
  if (z.re == -inf) return {std::copysign(0.0, t.cos), std::copysign(0.0, t.sin)};
  return scaled_exp(z.re, t.cos, t.sin);
}

C exp2(C z) {
  if (z.im == 0) return {exp2(z.re), z.im};
  if (!std::isfinite(z.re) || !std::isfinite(z.im)) return exp(z);
  const double turn = z.im * M_LN2, lost = std::fma(z.im, M_LN2, -turn) + z.im * 2.3190468138462996e-17;
  const SinCos<double> most = sincos(turn), rest = sincos(lost);  // `lost` is above 1 for a large imaginary part
  const double c = std::fma(most.cos, rest.cos, -most.sin * rest.sin),
               s = std::fma(most.sin, rest.cos, most.cos * rest.sin);
  const double half = exp2(std::clamp(z.re, -2200.0, 2200.0) / 2);
  return {half * c * half, half * s * half};
}

// Re: expm1(x) cos y - 2 sin(y/2)^2.
C expm1(C z) {
  if (z.im == 0) return {expm1(z.re), z.im};
  if (!std::isfinite(z.im) || !std::isfinite(z.re) || z.re > 40) {
    const C e = exp(z);
    return {e.re - 1, e.im};
  }
  const SinCos<double> t = sincos(z.im);
  const double h = sin(z.im / 2), e = expm1(z.re);
  return {std::fma(e, t.cos, -2 * h * h), exp(z.re) * t.sin};
}

// log |z| by log1p(x^2 + y^2 - 1) / 2 near the unit circle, the difference in double length.
C log(C z) {
  const double x = std::fabs(z.re), y = std::fabs(z.im), h = hypot(x, y), angle = atan2(z.im, z.re);
  if (!(h > 0.5 && h < 2)) {
    if (std::isfinite(x) && std::isfinite(y) && (h == inf || h < 0x1p-1000)) {  // beyond, or short of bits
      const double scale = h == inf ? 0.25 : 0x1p60;
      return {log(hypot(x * scale, y * scale)) - (h == inf ? -2 : 60) * M_LN2, angle};
    }
    return {log(h), angle};
  }
  Sum s{-1, 0};
  s.add_square(std::fmax(x, y));
  s.add_square(std::fmin(x, y));
  s.normalise();
  return {log1p_pair(s.hi, s.lo) / 2, angle};
}

C log1p(C z) {
  const double x = z.re, y = z.im, angle = atan2(y, 1 + x);
  if (std::fmax(std::fabs(x), std::fabs(y)) < 2) {
    Sum s{2 * x, 0};
    s.add_square(x);
    s.add_square(y);
    s.normalise();
    if (s.hi > -0.5) return {log1p_pair(s.hi, s.lo) / 2, angle};
  }
  C shifted = log(C{1 + x, y});
  shifted.im = angle;
  return shifted;
}

// With c = cos(y/2): (expm1(x) + 2 c^2 + i sin y) / (4 (c^2 + sinh(x/2)^2)), accurate near the poles too.
C logistic(C z) {
  if (z.im == 0) return {logistic(z.re), z.im};
  if (z.re < -40) return exp(z);
  if (z.re > 40)
    return {1, std::isfinite(z.im) ? exp(-z.re) * sin(z.im) : std::isinf(z.re) ? std::copysign(0.0, z.im) : nan};
  const SinCos<double> half = sincos(z.im / 2);
  const double s = sinh(z.re / 2), square = half.cos * half.cos, below = 4 * std::fma(s, s, square);
  return {std::fma(2, square, expm1(z.re)) / below, 2 * half.sin * half.cos / below};
}

C sqrt(C z) {
  const double x = z.re, y = z.im;
  if (std::isinf(y)) return {inf, y};
  if (x == inf) return {inf, std::isnan(y) ? nan : std::copysign(0.0, y)};
  if (x == -inf) return std::isnan(y) ? C{nan, inf} : C{0, std::copysign(inf, y)};
  if (std::isnan(x) || std::isnan(y)) return {nan, nan};
  if (x == 0 && y == 0) return {0, y};
  const double larger = std::fmax(std::fabs(x), std::fabs(y));
  double scale = 1, back = 1;  // by powers of 4
  if (larger > 0x1p1000) scale = 0x1p-4, back = 0x1p2;
  if (larger < 0x1p-900) scale = 0x1p160, back = 0x1p-80;
  const double a = std::fabs(x) * scale, b = y * scale;
  const double t = std::sqrt((a + hypot(a, b)) / 2), other = b / (2 * t);
  if (x >= 0) return {t * back, other * back};
  return {std::fabs(other) * back, std::copysign(t * back, y)};
}

C rsqrt(C z) {
  if (std::isinf(z.re) || std::isinf(z.im)) return {0, std::copysign(0.0, -z.im)};
  const double larger = std::fmax(std::fabs(z.re), std::fabs(z.im));
  if (larger == 0) return {inf, nan};
  double scale = 1, back = 1;
  if (larger > 0x1p1000) scale = 0x1p-4, back = 0x1p-2;
  if (larger < 0x1p-900) scale = 0x1p160, back = 0x1p80;
  const C scaled{z.re * scale, z.im * scale}, root = conj(sqrt(scaled));
  const double h = hypot(scaled.re, scaled.im);
  return {root.re / h * back, root.im / h * back};
}

C pow(C z, C w) {
  if ((w.re == 0 && w.im == 0) || (z.re == 1 && z.im == 0)) return {1, 0};
  if (z.re == 0 && z.im == 0) return w.re > 0 ? C{0, 0} : C{nan, nan};
  if (z.im == 0 && w.im == 0 && z.re > 0) return {pow(z.re, w.re), 0};
  const C l = log(z);
  const double h = hypot(z.re, z.im), turn = std::fma(w.re, l.im, w.im * l.re);
  const SinCos<double> t = sincos(turn);
  const double size = pow(h, w.re);
  if (size > 0x1p-900 && size < 0x1p900 && std::fabs(w.im * l.im) < 80) {  // |z|^Re w keeps more than its logarithm
    const double modulus = size * exp(-w.im * l.im);
    return {modulus * t.cos, modulus * t.sin};
  }
  return exp(C{std::fma(w.re, l.re, -w.im * l.im), turn});
}

}  // namespace cotan::ops::host

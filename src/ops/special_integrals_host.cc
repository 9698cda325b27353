// Integrals of elementary functions: error functions in the complex plane, exponential, sine and Fresnel integrals, the
// dilogarithm, Owen's T, the normal distribution function's inverse and logarithm.
#include <cmath>
#include <complex>
#include <iterator>
#include <limits>

#include "ops/elementary_host.h"
#include "ops/special_coefficients.h"
#include "ops/special_host.h"

namespace cotan::ops::host {
namespace {

using C = SpecialCoefficients<double>;
using Z = std::complex<double>;
constexpr double pi = 3.14159265358979323846, half_pi = pi / 2, inf = HUGE_VAL, euler = 0.57721566490153286061;
constexpr double root_pi = 1.77245385090551602730, root_half = 0.70710678118654752440;
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

// Products of finite numbers; std::complex's own look for infinities.
Z times(Z a, Z b) { return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()}; }
Z inverse(Z a) {
  const double n = a.real() * a.real() + a.imag() * a.imag();
  return {a.real() / n, -a.imag() / n};
}
Z exp_of(Z z) {
  const double r = exp(z.real());
  if (r == 0) return {0, 0};
  return {r * cos(z.imag()), r * sin(z.imag())};
}

}  // namespace

double erfcx(double x) {
  if (std::isnan(x)) return x;
  if (x < 0.49) {
    if (x < -27) return inf;
    const double square = x * x, low = std::fma(x, x, -square);
    const double e = exp(square);
    return std::fma(e, low, e) * erfc(x);
  }
  if (x > 28) {
    const double z = 1 / (2 * x * x);
    return (1 - z * (1 - 3 * z * (1 - 5 * z * (1 - 7 * z * (1 - 9 * z * (1 - 11 * z)))))) / (x * root_pi);
  }
  const double t = (x - 3) / (x + 3);
  double y = C::erfcx[std::size(C::erfcx) - 1];
  for (std::size_t i = std::size(C::erfcx) - 1; i-- > 1;) y = std::fma(y, t, C::erfcx[i]);
  return (C::erfcx[0] + std::fma(y, t, C::erfcx_lost)) / (1 + 2 * x);
}

// G. B. Rybicki, "Dawson's integral and the sampling theorem", Computers in Physics 3 (1989): a sum of Gaussians, whose error is
// exp(-(pi / 2h)^2).
double dawsn(double x) {
  const double a = std::abs(x);
  if (std::isnan(x) || x == 0) return x;
  if (a < 0.3) {
    double term = x, sum = x;
    for (int k = 1; k < 14; ++k) {
      term *= -2 * x * x / (2 * k + 1);
      sum += term;
    }
    return sum;
  }
  if (a > 7) {
    const double z = 1 / (2 * x * x);
    double sum = 1;
    for (int k = 17; k > 0; --k) sum = 1 + (2 * k - 1) * z * sum;
    return sum / (2 * x);
  }
  constexpr double h = 0.25;
  const double even = 2 * std::rint(a / (2 * h)), off = a - even * h;
  double sum = 0;
  for (int n = -27; n <= 27; n += 2) {
    const double d = off - n * h;
    sum += exp(-d * d) / (n + even);
  }
  return std::copysign(sum / root_pi, x);
}

namespace {

// E_n(x) for x > 1: the continued fraction of DLMF 8.19.17, by Lentz.
double expn_fraction(double n, double x) {
  double b = x + n, c = 1e300, d = 1 / b, h = d;
  for (int i = 1; i < 1000; ++i) {
    const double a = -i * (n - 1 + i);
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    h *= c * d;
    if (std::abs(c * d - 1) < 2e-16) break;
  }
  return h * exp(-x);
}

// DLMF 8.19.8, for 0 < x <= 1.
double expn_series(double n, double x) {
  double sum = n == 1 ? -log(x) - euler : 1 / (n - 1), factor = 1;
  for (int k = 1; k < 60; ++k) {
    factor *= -x / k;
    const double term = k == n - 1 ? factor * (digamma(n) - log(x)) : -factor / (k - (n - 1));
    sum += term;
    if (std::abs(term) < 1e-18 * std::abs(sum) && k > n) break;
  }
  return sum;
}

}  // namespace

double expn(double n, double x) {
  if (std::isnan(n) || std::isnan(x) || x < 0 || n != std::floor(n) || std::isinf(n)) return nan_value;
  if (x == inf) return 0;
  if (x == 0) return n > 1 ? 1 / (n - 1) : inf;
  if (n < -1e4) return inf;
  if (n < 1) {
    double y = exp(-x) / x;
    for (double m = 1; m <= -n && y < inf; m += 1) y = (exp(-x) + m * y) / x;
    return y;
  }
  return x > 1 || n > 40 ? expn_fraction(n, x) : expn_series(n, x);
}

double expi(double x) {
  if (std::isnan(x)) return x;
  if (x == 0) return -inf;
  if (x < 0) return x == -inf ? -0.0 : -expn(1, -x);
  if (x > 712)
    return x > 717 ? inf : exp(x - 10) / x * (1 + 1 / x * (1 + 2 / x * (1 + 3 / x))) * 22026.4657948067165170;
  double sum = 0, term = 1;
  if (x > 40) {
    for (int k = 1; k < 60 && term > 1e-17; ++k) {
      sum += term;
      term *= k / x;
    }
    return exp(x) / x * sum;
  }
  for (int k = 1; k < 300; ++k) {
    term *= x / k;
    sum += term / k;
    if (term < 1e-17 * k * sum) break;
  }
  return euler + log(x) + sum;
}

namespace {

// E_1(ix) for x > 4 gives both integrals: Ci = -Re, Si = pi/2 + Im. DLMF 6.9.1.
Z exponential_integral(double x) {
  Z b{1, x}, c{1e300, 0}, d = inverse(b), h = d;
  for (int i = 1; i < 200; ++i) {
    const double a = -static_cast<double>(i) * i;
    b += 2;
    d = inverse(a * d + b);
    c = b + a * inverse(c);
    const Z step = times(c, d);
    h = times(h, step);
    if (std::abs(step.real() - 1) + std::abs(step.imag()) < 2e-16) break;
  }
  return times(h, {cos(x), -sin(x)});
}

}  // namespace

double sine_integral(double x) {
  const double a = std::abs(x);
  if (std::isnan(x) || x == 0) return x;
  if (a == inf) return std::copysign(half_pi, x);
  if (a > 4) return std::copysign(half_pi + exponential_integral(a).imag(), x);
  double term = x, sum = x;
  for (int k = 1; k < 30; ++k) {
    term *= -x * x / (2 * k * (2 * k + 1));
    sum += term / (2 * k + 1);
  }
  return sum;
}

double cosine_integral(double x) {
  const double a = std::abs(x);
  if (std::isnan(x) || x == -inf) return nan_value;
  if (a == inf) return 0;
  if (a == 0) return -inf;
  if (a > 4) return -exponential_integral(a).real();
  double term = 1, sum = 0;
  for (int k = 1; k < 30; ++k) {
    term *= -x * x / (2 * k * (2 * k - 1));
    sum += term / (2 * k);
  }
  return euler + log(a) + sum;
}

namespace {

// C + iS at a > 1.6 by the continued fraction of erfc; the phase pi a^2 / 2 is reduced before it is rounded.
Z fresnel_far(double a) {
  if (a > 1e15) return {0.5, 0.5};
  const double square = a * a, low = std::fma(a, a, -square);
  const double phase = half_pi * (std::fmod(square, 4) + low);
  Z b{1, -pi * square}, c{1e300, 0}, d = inverse(b), h = d;
  for (int k = 1; k < 400; k += 2) {
    const double step_a = -static_cast<double>(k) * (k + 1);
    b += 4;
    d = inverse(step_a * d + b);
    c = b + step_a * inverse(c);
    const Z step = times(c, d);
    h = times(h, step);
    if (std::abs(step.real() - 1) + std::abs(step.imag()) < 2e-16) break;
  }
  h = times(h, {a, -a});
  const Z rest = Z{1, 0} - times({cos(phase), sin(phase)}, h);
  return times({0.5, 0.5}, rest);
}

// Powers of the phase: the sum over k of (-1)^k p^(2k + first) / ((2k + first)! (4k + 2 first + 1)), times x.
double fresnel_near(double x, int first) {
  const double p = half_pi * x * x;
  double term = first == 0 ? 1 : p, sum = term / (2 * first + 1);
  for (int k = 1; k < 30; ++k) {
    const int n = 2 * k + first;
    term *= -p * p / (n * (n - 1));
    sum += term / (2 * n + 1);
  }
  return x * sum;
}

}  // namespace

double fresnel_sine(double x) {
  const double a = std::abs(x);
  if (!(a > 1.6)) return fresnel_near(x, 1);
  return std::copysign(a == inf ? 0.5 : fresnel_far(a).imag(), x);
}
double fresnel_cosine(double x) {
  const double a = std::abs(x);
  if (!(a > 1.6)) return fresnel_near(x, 0);
  return std::copysign(a == inf ? 0.5 : fresnel_far(a).real(), x);
}

namespace {

// Li_2(1 - e^-u) = the sum of B_n u^(n+1) / (n+1)!, for |u| <= ln 2.
double dilogarithm(double u) {
  static constexpr double b[] = {1.0 / 36,
                                 -1.0 / 3600,
                                 1.0 / 211680,
                                 -1.0 / 10886400,
                                 1.0 / 526901760.0,
                                 -691.0 / 16999766784000.0,
                                 1.0 / 1120863744000.0};
  const double z = u * u;
  double sum = 0;
  for (std::size_t i = std::size(b); i-- > 0;) sum = std::fma(sum, z, b[i]);
  return u - z / 4 + u * z * sum;
}

}  // namespace

double spence(double z) {
  if (!(z >= 0)) return nan_value;
  if (z == 0 || z == 1) return z == 0 ? pi * pi / 6 : 0;
  if (z == inf) return -inf;
  if (z > 2) {
    const double l = log(z);
    return -spence(1 / z) - 0.5 * l * l;
  }
  if (z >= 0.5) return dilogarithm(-log(z));
  const double other = -log1p(-z);
  return pi * pi / 6 + log(z) * other - dilogarithm(other);
}

namespace {

// erfc(x / sqrt 2) / 2; what rounding the argument loses is given back, for it counts x^2 times.
double upper_normal(double x) {
  const double y = x * root_half, q = 0.5 * erfc(y);
  if (!(y > 0.5) || y > 27) return q;
  const double low = std::fma(x, root_half, -y) + x * -4.833646656726456e-17;
  return q - q * low * (2 / root_pi) / erfcx(y);
}

// Owen's integral for 0 <= a <= 1.
double owens_integral(double h, double a) {
  const double top = h > 9 ? std::fmin(a, 9 / h) : a, half = top / 2;
  double sum = 0;
  const auto f = [h](double x) { return exp(-0.5 * h * h * (1 + x * x)) / (1 + x * x); };
  for (std::size_t i = std::size(legendre_node); i-- > 0;) {
    const double d = half * legendre_node[i];
    sum += legendre_weight[i] * (f(half - d) + f(half + d));
  }
  return half * sum / (2 * pi);
}
}  // namespace

double owens_t(double h0, double a0) {
  if (std::isnan(h0) || std::isnan(a0)) return nan_value;
  const double h = std::abs(h0), a = std::abs(a0);
  double t;
  if (h == inf) t = 0;
  else if (h == 0) t = atan(a) / (2 * pi);
  else if (a <= 1) t = owens_integral(h, a);
  else {
    const double q = upper_normal(h);
    if (a == inf) t = 0.5 * q;
    else {
      const double r = upper_normal(a * h);
      t = 0.5 * (q + r) - q * r - owens_integral(a * h, 1 / a);
    }
  }
  return std::copysign(t, a0);
}

double log_ndtr(double x) {
  if (std::isnan(x)) return x;
  if (x > -1) return log1p(-upper_normal(x));
  return x == -inf ? -inf : log(0.5 * erfcx(-x * root_half)) - 0.5 * x * x;
}

double ndtri(double p) {
  if (!(p >= 0) || p > 1) return nan_value;
  if (p == 0) return -inf;
  if (p == 1) return inf;
  if (p > 0.5) return -ndtri(1 - p);
  if (p == 0.5) return 0;
  double x;
  if (p > 0.02) {
    x = 1.41421356237309504880 * erf_inv(2 * p - 1);
    if (p > 0.25) return x;
    const double density = 0.39894228040143267794 * exp(-0.5 * x * x);
    return x - (upper_normal(-x) - p) / density;
  }
  // Newton on the logarithm, which is nearly a parabola.
  const double target = log(p), t = std::sqrt(-2 * target);
  x = -(t - (log(t) + 0.91893853320467274178) / t);
  for (int i = 0; i < 5; ++i) {
    const double ratio = 0.79788456080286535588 / erfcx(-x * root_half);  // the derivative of log_ndtr
    const double step = (log_ndtr(x) - target) / ratio;
    x -= step;
    if (std::abs(step) < 1e-9 * std::abs(x)) break;
  }
  return x;
}

namespace {

// Im z >= 0, |z| <= 8: the trapezoidal rule for the integral of exp(-t^2) / (z - t), with its residue at z (M. Al Azah and S. N.
// Chandler-Wilde, SIAM J. Numer. Anal. 59, 2021); of the rules with nodes kh and (k + 1/2)h the one whose nodes are farther from z.
Z wofz_near(Z z) {
  constexpr double h = 0.5;
  const double position = std::abs(z.real()) / h, off = std::abs(position - std::rint(position));
  const bool middle = off < 0.25;
  const Z square = times(z, z);
  Z sum{0, 0};
  for (int k = 13; k >= 0; --k) {
    const double t = (k + (middle ? 0.5 : 0)) * h;
    if (k == 0 && !middle) sum += 0.5 * inverse(square);
    else sum += exp(-t * t) * inverse(square - t * t);
  }
  Z w = times({0, 2 * h / pi}, times(z, sum));
  if (z.imag() < pi / h) {
    const Z turn = exp_of(times({0, -2 * pi / h}, z));  // grows with Im z
    w += 2.0 * times(exp_of(-square), inverse(middle ? Z{1, 0} + turn : Z{1, 0} - turn));
  }
  return w;
}

// The continued fraction of Laplace, for large |z|.
Z wofz_far(Z z) {
  Z f = z;
  for (int k = 16; k > 0; --k) f = z - 0.5 * k * inverse(f);
  return times({0, 1 / root_pi}, inverse(f));
}

}  // namespace

ComplexValue wofz(ComplexValue v) {
  const Z z{v.re, v.im};
  if (std::isnan(v.re) || std::isnan(v.im)) return {nan_value, nan_value};
  const bool below = v.im < 0;
  const Z up = below ? -z : z;
  const double size = std::abs(v.re) + std::abs(v.im);
  Z w;
  if (size == inf) w = {0, 0};
  else if (size > 1e150) w = times({0, 1 / root_pi}, Z{1 / size, 0} * std::conj(up / size));
  else w = std::abs(up) > 8 ? wofz_far(up) : wofz_near(up);
  if (v.im == 0 && std::abs(v.re) < inf) w = {exp(-v.re * v.re), 2 / root_pi * dawsn(v.re)};
  if (!below) return {w.real(), w.imag()};
  const Z reflected = 2.0 * exp_of(-times(z, z)) - w;
  return {reflected.real(), reflected.imag()};
}

}  // namespace cotan::ops::host

// The gamma function of complex numbers, its logarithm and the derivatives of that: Stirling's series where |z| is large, the
// recurrence towards there, and reflection left of 1/2. Errors are against the larger part of the result.
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "ops/complex_host.h"
#include "ops/elementary_host.h"
#include "ops/special_coefficients.h"
#include "ops/special_host.h"

namespace cotan::ops::host {
namespace {

using Z = std::complex<double>;
constexpr double pi = 3.14159265358979323846;
constexpr Z i_unit{0, 1};

Z log_of(Z z) {
  const Complex128 w = log(Complex128{z.real(), z.imag()});
  return {w.re, w.im};
}
// exp(2 pi i z) - 1, right near whole z.
Z turn_minus_one(Z z) {
  const Complex128 w = expm1(Complex128{-2 * pi * z.imag(), 2 * pi * (z.real() - std::rint(z.real()))});
  return {w.re, w.im};
}
Z reciprocal_power(Z z, int n) {
  Z p = 1;
  for (int k = 0; k < n; ++k) p /= z;
  return p;
}
double factorial(int n) {
  double f = 1;
  for (int k = 2; k <= n; ++k) f *= k;
  return f;
}

// The sum of B_2k / (2k)! (2k + m - 1)! z^-(2k + m), m = -1 for the logarithm of gamma: DLMF 5.11.1 and its derivatives.
Z stirling_tail(Z z, int m) {
  const Z square = 1.0 / (z * z);
  Z power = (m < 0 ? 1.0 / z : reciprocal_power(z, m + 2) * factorial(m + 1)), sum = 0;
  for (int k = 1; k <= 12; ++k) {
    sum += power * bernoulli_over_factorial[k - 1];
    power *= square * static_cast<double>((2 * k + m) * (2 * k + m + 1));
  }
  return sum;
}

// For Re z >= 1/2.
Z loggamma_right(Z z) {
  Z shift = 0;
  for (; std::abs(z) < 14; z += 1.0) shift += log_of(z);
  return (z - 0.5) * log_of(z) - z + (0.91893853320467274178 + stirling_tail(z, -1)) - shift;
}
// log Gamma(z) = log(2 pi) - i pi/2 + i pi z - log(1 - exp(2 pi i z)) - log Gamma(1 - z) above the real axis: there every term is
// analytic, so that the branch is the principal one.
Z loggamma_left(Z z) {
  return 1.83787706640934548356 + i_unit * (pi * z - 0.5 * pi) - log_of(-turn_minus_one(z)) - loggamma_right(1.0 - z);
}
Z loggamma_above(Z z) { return z.real() < 0.5 ? loggamma_left(z) : loggamma_right(z); }

// The m-th derivative of pi cot(pi z), Im z >= 0: pi^(m+1) p_m(cot(pi z)), where p' makes p of the next order: -(1 + c^2) p'.
Z cotangent_derivative(Z z, int m) {
  std::vector<double> p = {0, 1};
  for (int order = 0; order < m; ++order) {
    std::vector<double> next(p.size() + 1);
    for (std::size_t k = 1; k < p.size(); ++k) {
      next[k - 1] -= static_cast<double>(k) * p[k];
      next[k + 1] -= static_cast<double>(k) * p[k];
    }
    p = std::move(next);
  }
  const Z c = i_unit * (1.0 + 2.0 / turn_minus_one(z));
  Z value = 0;
  for (std::size_t k = p.size(); k-- > 0;) value = value * c + p[k];
  for (int k = 0; k <= m; ++k) value *= pi;
  return value;
}

// For Re z >= 1/2.
Z polygamma_right(int m, Z z) {
  const double sign = m % 2 == 0 ? -1 : 1, scale = factorial(m);
  Z shift = 0;
  for (; std::abs(z) < 14 + m; z += 1.0) shift += reciprocal_power(z, m + 1);
  const Z leading = m == 0 ? -log_of(z) : reciprocal_power(z, m) * factorial(m - 1);
  return sign * (leading + scale * (shift + 0.5 * reciprocal_power(z, m + 1)) + stirling_tail(z, m));
}
Z polygamma_above(int m, Z z) {
  if (z.real() >= 0.5) return polygamma_right(m, z);
  return (m % 2 == 0 ? 1.0 : -1.0) * polygamma_right(m, 1.0 - z) - cotangent_derivative(z, m);
}

// f is given above the real axis, and real on it: below, it has the conjugate value.
template <class F> ComplexValue by_conjugation(ComplexValue z, F f) {
  constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
  if (std::isnan(z.re) || std::isnan(z.im)) return {nan_value, nan_value};
  const bool below = std::signbit(z.im);
  const Z w = f(Z{z.re, below ? -z.im : z.im});
  return {w.real(), below ? -w.imag() : w.imag()};
}

}  // namespace

// At the poles and at infinity on the real axis there is no value: SciPy's NaN.
ComplexValue loggamma(ComplexValue z) {
  constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
  if (z.im == 0 && (z.re > 0 ? std::isinf(z.re) : z.re == std::floor(z.re))) return {nan_value, nan_value};
  if (z.im == 0 && z.re > 0) return {lgamma(z.re), z.im};
  return by_conjugation(z, loggamma_above);
}
ComplexValue gamma(ComplexValue z) {
  const ComplexValue w = loggamma(z);
  if (z.im == 0 && !std::isnan(w.re)) return {gamma(z.re), z.im};
  const Complex128 y = exp(Complex128{w.re, w.im});
  return {y.re, y.im};
}
ComplexValue polygamma(int m, ComplexValue z) {
  return by_conjugation(z, [m](Z w) { return polygamma_above(m, w); });
}

}  // namespace cotan::ops::host

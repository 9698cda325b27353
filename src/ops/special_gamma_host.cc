// Gamma, its logarithm and their derivatives; Hurwitz's zeta; the rules of special_rules.h on single values.
#include <cmath>
#include <limits>

#include "kernel/builder_scalar.h"
#include "ops/coefficients.h"
#include "ops/special_parts.h"

namespace cotan::ops {
namespace {
namespace rules {
#include "ops/elementary_rules.h"
#include "ops/exp_log_rules.h"
#include "ops/special_rules.h"
}  // namespace rules
}  // namespace

namespace host {

using C = SpecialCoefficients<double>;
constexpr double pi = 3.14159265358979323846, inf = HUGE_VAL;
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

#define COTAN_DEFINE(f)              \
  float f(float x) {                 \
    kernel::ScalarBuilder<float> b;  \
    return rules::f(b, x);           \
  }                                  \
  double f(double x) {               \
    kernel::ScalarBuilder<double> b; \
    return rules::f(b, x);           \
  }
COTAN_DEFINE(erf)
COTAN_DEFINE(erfc)
COTAN_DEFINE(bessel_i0e)
COTAN_DEFINE(bessel_i1e)
#undef COTAN_DEFINE

namespace {

using special::digamma_rest, special::gamma_near, special::horner, special::lgamma_one_plus, special::lgamma_two;
using special::stirling_rest;

// Reduced angles: f in [-1/2, 1/2] with x - f an integer, which is exact.
double off_integer(double x) { return x - std::rint(x); }

}  // namespace

double lgamma(double x) {
  if (std::isnan(x)) return x;
  if (std::isinf(x)) return inf;
  if (x <= 0) {
    if (x == std::floor(x)) return inf;
    const double a = -x;
    if (a < 0x1p-60) return -log(a);
    return log(pi / (a * sin(pi * std::abs(off_integer(a))))) - lgamma(a);
  }
  if (x < 0.5) return lgamma_two(x) - log(x * (1 + x));
  if (x <= 2.5) return lgamma_one_plus(x - 1);
  if (x < 8) {
    double p = 1;
    while (x > 2.5) p *= x -= 1;
    return lgamma_two(x - 2) + log(p);
  }
  if (x > 0x1p60) return x * (log(x) - 1);
  return (x - 0.5) * (log(x) - 1) + (0.41893853320467274178 + stirling_rest(x));
}

double digamma(double x) {
  if (std::isnan(x) || x == inf) return x;
  if (x <= 0) {
    if (x == std::floor(x)) return nan_value;
    if (x > -0.5) return digamma(1 + x) - 1 / x;
    const double a = -x, f = pi * off_integer(a);
    return digamma(a) + 1 / a + pi * cos(f) / sin(f);
  }
  if (x >= 8) return log(x) - digamma_rest(x);
  double sum = 0;
  if (x < 1) {
    sum = -1 / x;
    x += 1;
  }
  for (; x > 2; sum += 1 / x) x -= 1;
  return sum + ((x - digamma_root[0]) - digamma_root[1]) * horner(x - 1.5, C::digamma_near);
}

namespace {

// (q / (q + k))^s; what the rounding of the sum and of the quotient takes, s times, is put back.
double power_of_ratio(double s, double q, double k) {
  const double w = q + k, added = w - q, lost = (q - (w - added)) + (k - added), ratio = q / w;
  const double power = pow(ratio, s);
  return power == 0 ? 0 : power * (1 + s * (std::fma(-ratio, w, q) / q - lost / w));
}

// q^s zeta(s, q) for s > 1, q > 0: Euler and Maclaurin, after as many terms as let the sum of derivatives converge.
double scaled_zeta(double s, double q) {
  if (q > 1e15) return s / q > 1e-3 ? -1 / expm1(-s / q) : q / (s - 1) + 0.5;  // (1 + k/q)^-s as exp(-ks/q)
  const double first = q < 10 + s ? 1 : 0;                                     // the largest term: added last
  double sum = 0, k = first;
  for (; q + k < 10 + s; k += 1) {
    const double term = power_of_ratio(s, q, k);
    sum += term;
    if (!(term >= 1e-18)) return first + sum;
  }
  const double last = power_of_ratio(s, q, k), w = q + k;
  double rest = last * w / (s - 1) + 0.5 * last, factor = last * s / w;
  double tail = 0;
  for (int j = 0; j < 12; ++j) {
    const double term = factor * bernoulli_over_factorial[j];
    tail += term;
    if (std::abs(term) < 1e-18 * std::abs(rest)) break;
    factor *= (s + 2 * j + 1) / w * ((s + 2 * j + 2) / w);
  }
  return first + (sum + (rest + tail));
}

double zeta_positive(double s, double q) {
  if (q == inf) return 0;
  return q < 1e-300 ? pow(q, -s) : pow(q, -s) * scaled_zeta(s, q);
}

// zeta(s, q) times a factor for integer s and q < 0 not an integer, by `positive`, the same of positive q: the terms below zero,
// counted from the nearest to it, and those above.
template <class F> double below_zero(double s, double q, F positive) {
  const double a = -q, f = a - std::floor(a);
  const bool even = std::fmod(s, 2) == 0;
  if (!even && f == 0.5) return positive(a + 1);
  const double below = positive(f), above = positive(1 - f);
  return even ? below + above - positive(a + 1) : above - below + positive(a + 1);
}

}  // namespace

double zeta(double s, double q) {
  if (std::isnan(s) || std::isnan(q)) return nan_value;
  if (s == 1) return inf;
  if (s < 1) return nan_value;
  if (q <= 0) {
    if (q == std::floor(q)) return inf;
    if (s != std::floor(s)) return nan_value;
    return below_zero(s, q, [s](double positive) { return zeta_positive(s, positive); });
  }
  if (s == inf) return q > 1 ? 0 : q == 1 ? 1 : inf;
  return zeta_positive(s, q);
}

namespace {

// m! zeta(m + 1, x) for x > 0: in the logarithm, or factor by factor, where a factor may overflow and the product does not.
double polygamma_magnitude(double m, double x) {
  if (x < 1e-300) return exp(lgamma(m + 1) - (m + 1) * log(x));
  if (m > 150) return exp(lgamma(m + 1) - (m + 1) * log(x)) * scaled_zeta(m + 1, x);
  const double power = pow(x, m + 1);
  double factorial = 1;  // exact up to 22!
  for (double k = 2; k <= m; k += 1) factorial *= k;
  if (power > 1e-290 && power < 1e290) return factorial / power * scaled_zeta(m + 1, x);
  double product = 1 / x;
  for (double k = 1; k <= m; k += 1) product *= k / x;
  return product * scaled_zeta(m + 1, x);
}

}  // namespace

double polygamma(double m, double x) {
  if (m == 0) return digamma(x);
  if (!(m > 0) || m != std::floor(m) || m == inf || std::isnan(x)) return nan_value;
  const bool odd = std::fmod(m, 2) == 1;
  if (x <= 0 && x == std::floor(x)) return odd ? inf : nan_value;
  const double sign = odd ? 1 : -1;
  if (x == inf) return 0 * sign;
  if (x > 0) return sign * polygamma_magnitude(m, x);
  return sign * below_zero(m + 1, x, [m](double positive) { return polygamma_magnitude(m, positive); });
}

double gamma(double x) {
  if (std::isnan(x) || x == inf) return x;
  if (x == 0) return std::copysign(inf, x);
  if (x < 0) {
    if (x == std::floor(x)) return nan_value;
    const double a = -x, s = sin(pi * off_integer(a));
    if (a > 190) return std::fmod(std::floor(a), 2) == 0 ? -0.0 : 0.0;
    const double odd = std::fmod(std::rint(a), 2) == 0 ? 1 : -1;  // the sign of cos at the nearest integer
    if (a < 1e-20) return -1 / a;
    return a > 140 ? -pi / (odd * s) / gamma(a) / a : -pi / (a * odd * s * gamma(a));
  }
  if (x <= 20) return x < 1e-20 ? 1 / x : gamma_near(x);
  if (x > 172) return inf;
  const double root = pow(x, 0.5 * x - 0.25);
  return root * exp(-x) * (2.50662827463100050242 * exp(stirling_rest(x))) * root;
}

}  // namespace host
}  // namespace cotan::ops

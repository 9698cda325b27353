// The incomplete gamma and beta functions, and the derivative of the former by its parameter.
//
// Where the parameters are large, and in the upper tail, they are integrals of exp(-E) over the logarithm of the variable: E is
// convex, so that a fixed Gauss-Legendre rule up to E = 42 is as good as the arithmetic. All terms have one sign, and what E
// and the factor before the integral would lose by cancellation is computed as a deviation from the mode.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "ops/elementary_host.h"
#include "ops/special_coefficients.h"
#include "ops/special_host.h"

namespace cotan::ops::host {
namespace {

constexpr double inf = HUGE_VAL, two_pi = 6.28318530717958647693;
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double cutoff = 42;  // exp(-42) is below the last bit

// Sum of the integrand at the points of the rule on [0, top].
template <class F> double integrate(double top, F f) {
  double sum = 0;
  const double half = top / 2;
  for (std::size_t i = std::size(legendre_node); i-- > 0;) {
    const double d = half * legendre_node[i];
    sum += legendre_weight[i] * (f(half - d) + f(half + d));
  }
  return half * sum;
}

// Where the convex function with E(0) = 0 reaches the cutoff: Newton's steps from above never pass it.
template <class F> double reach(double first, F energy) {
  double high = first, low = 0;
  while (energy(high) < cutoff) {
    low = high;
    high *= 2;
  }
  for (int i = 0; i < 5; ++i) {
    const double middle = (low + high) / 2;
    (energy(middle) < cutoff ? low : high) = middle;
  }
  return high;
}

}  // namespace

double expm1_rest(double x) {
  if (std::abs(x) > 0.5) return expm1(x) - x;
  double sum = 0, term = x * x / 2;
  for (int k = 3; std::abs(term) > 1e-18 * std::abs(sum) && k < 30; ++k) {
    sum += term;
    term *= x / k;
  }
  return sum;
}

// By s = x / (2 + x): log(1 + x) = 2 atanh(s) and x - 2s = x s.
double log1p_rest(double x) {
  if (!(std::abs(x) <= 0.5)) return x - log1p(x);
  const double s = x / (2 + x), z = s * s;
  double sum = 0, power = 1;
  for (int k = 3; k < 45 && power > 1e-18; k += 2) {
    sum += power / k;
    power *= z;
  }
  return s * (x - 2 * z * sum);
}

namespace {

// x^a e^-x / Gamma(a).
double gamma_kernel(double a, double x) {
  if (a < 10) {
    if (x > 600) return exp(a * log(x) - x - lgamma(a));
    const double scale = a < 0.5 ? a / gamma_near(1 + a) : 1 / gamma_near(a);
    return pow(x, a) * exp(-x) * scale;
  }
  const double deviation = (x - a) / a;
  const double exponent = deviation > -0.5 ? -a * log1p_rest(deviation) : a * log(x / a) + (a - x);
  return sqrt(a / two_pi) * exp(exponent - stirling_rest(a));
}

// log x - digamma(a), for x and a of any size.
double log_less_digamma(double a, double x) {
  if (a < 8) return log(x) - digamma(a);
  const double ratio = x / a;
  return (ratio > 0.5 && ratio < 2 ? log1p((x - a) / a) : log(ratio)) + digamma_rest(a);
}

bool is_upper(double a, double x) { return x > a && x > 1; }

// The integral of gamma_density over the side of x that is away from the mode, divided by gamma_kernel; `weighted`: with the factor
// log t - digamma(a) in the integrand.
double side_integral(double a, double x, bool weighted) {
  const bool upper = is_upper(a, x);
  const double sign = upper ? 1 : -1, slope = std::abs(x - a);
  const auto energy = [&](double u) { return slope * u + x * expm1_rest(sign * u); };
  const double width = 1 / (slope / cutoff + std::sqrt(x / (2 * cutoff)) + 1e-300);
  const double top = reach(std::min(width, upper ? 8.0 : 1e300), energy);
  if (!weighted) return integrate(top, [&](double u) { return exp(-energy(u)); });
  const double middle = log_less_digamma(a, x);
  return integrate(top, [&](double u) { return (middle + sign * u) * exp(-energy(u)); });
}

bool by_series(double a, double x) { return !is_upper(a, x) && a < 30; }

// The sum of x^n / ((a+1) ... (a+n)), and that of each term times 1/(a+1) + ... + 1/(a+n), the derivative by -a.
struct SeriesSums {
  double sum, slope;
};
SeriesSums gamma_series(double a, double x) {
  double term = 1, sum = 1, harmonic = 0, slope = 0;
  for (double n = 1; n < 500; n += 1) {
    term *= x / (a + n);
    harmonic += 1 / (a + n);
    sum += term;
    slope += term * harmonic;
    if (term < 1e-17 * sum) break;
  }
  return {sum, slope};
}

double lower_part(double a, double x) {
  if (by_series(a, x)) {
    // x^a e^-x / Gamma(a + 1)
    const double kernel = a < 10 ? pow(x, a) * exp(-x) / gamma_near(1 + a) : gamma_kernel(a, x) / a;
    return kernel * gamma_series(a, x).sum;
  }
  return gamma_kernel(a, x) * side_integral(a, x, false);
}

// For a < 1 and x <= 1: 1 - x^a / Gamma(1 + a) and what the rest of the power series of the lower part takes away.
double upper_part_small(double a, double x) {
  const double exponent = a * log(x) - lgamma_one_plus(a);
  double term = 1, sum = 0;
  for (double n = 1; n < 40; n += 1) {
    term *= -x / n;
    sum += term * (a / (a + n));
    if (std::abs(term) < 1e-18) break;
  }
  return -expm1(exponent) - exp(exponent) * sum;
}

// What igamma gives without a computation; false: none of that.
bool igamma_corner(double a, double x, double* value) {
  if (std::isnan(a) || std::isnan(x) || a < 0 || x < 0 || (a == 0 && x == 0)) return *value = nan_value, true;
  if (x == 0) return *value = 0, true;
  if (x == inf || a == 0) return *value = 1, true;
  if (a == inf) return *value = 0, true;
  return false;
}

}  // namespace

double igamma(double a, double x) {
  double value;
  if (igamma_corner(a, x, &value)) return value;
  if (is_upper(a, x)) return 1 - gamma_kernel(a, x) * side_integral(a, x, false);
  return std::min(1.0, lower_part(a, x));
}

double igammac(double a, double x) {
  double value;
  if (igamma_corner(a, x, &value)) return 1 - value;
  if (is_upper(a, x)) return gamma_kernel(a, x) * side_integral(a, x, false);
  if (a < 1) return upper_part_small(a, x);
  return 1 - lower_part(a, x);
}

double gamma_density(double a, double x) {
  if (std::isnan(a) || std::isnan(x) || a < 0 || x < 0) return nan_value;
  if (x == inf || a == 0 || a == inf) return 0;
  if (x == 0) return a < 1 ? inf : a == 1 ? 1 : 0;
  if (x < 1e-290 && a < 10) return exp((a - 1) * log(x) - lgamma(a));
  return gamma_kernel(a, x) / x;
}

namespace {
// random_gamma_grad by the series: igamma_grad_a over the kernel, times -x.
double gamma_slope(double a, double x) {
  if (by_series(a, x)) {
    const SeriesSums s = gamma_series(a, x);
    return x / a * (s.slope - s.sum * (log(x) - digamma(a + 1)));
  }
  return (is_upper(a, x) ? x : -x) * side_integral(a, x, true);
}
}  // namespace

double igamma_grad_a(double a, double x) {
  if (std::isnan(a) || std::isnan(x) || a <= 0 || x < 0) return nan_value;
  if (x == 0 || x == inf || a == inf) return 0;
  a = std::max(a, 1e-290);  // the limit at 0 is -E_1(x); digamma would overflow
  return -gamma_slope(a, x) / x * gamma_kernel(a, x);
}

double random_gamma_grad(double a, double x) {
  if (std::isnan(a) || std::isnan(x) || a <= 0 || x < 0 || x == inf || a == inf) return nan_value;
  return x == 0 ? 0 : gamma_slope(a, x);
}

namespace {

// Gamma(b) / Gamma(a + b) a-th powers apart: log(Gamma(a + b) / (Gamma(b) (a + b)^a)) for b >= 10.
double log_gamma_ratio(double a, double b) {
  return (b - 0.5) * log1p(a / b) - a + (stirling_rest(a + b) - stirling_rest(b));
}

// y^b, where y is 1 - x rounded: what the rounding takes, b times, is put back. Nothing, where x is the rounded one.
double power_of_complement(double b, double x, double y) { return pow(y, b) * (1 + b * ((1 - y) - x) / y); }

// x^a y^b / B(a, b) for y = 1 - x.
double beta_kernel(double a, double b, double x, double y) {
  if (a > b) return beta_kernel(b, a, y, x);
  const double scale = a < 0.5 ? a / gamma_near(1 + a) : a < 10 ? 1 / gamma_near(a) : 0;
  if (b < 10) {
    const double ratio =
        b < 1 ? b / (a + b) * gamma_near(1 + a + b) / gamma_near(1 + b) : gamma_near(a + b) / gamma_near(b);
    return power_of_complement(a, y, x) * power_of_complement(b, x, y) * scale * ratio;
  }
  if (a < 10) {
    const double exponent = b * (x < 0.5 ? log1p(-x) : log(y)), base = x * (a + b), ratio = log_gamma_ratio(a, b);
    if (base > 1e25) return exp(a * log(base) + (exponent + ratio)) * scale;
    if (exponent < -600) return pow(base, a) * exp(exponent + ratio) * scale;  // a factor would be denormal
    return pow(base, a) * power_of_complement(b, x, y) * exp(ratio) * scale;
  }
  const double n = a + b, deviation = std::fma(x, b, -a * y);  // (x - a/n) n
  const double exponent = a * log1p_rest(deviation / a) + b * log1p_rest(-deviation / b);
  return sqrt(a / two_pi * (b / n)) * exp((stirling_rest(n) - stirling_rest(a) - stirling_rest(b)) - exponent);
}

// The continued fraction of DLMF 8.17.22 by Lentz's method, for x below the mode.
double beta_fraction(double a, double b, double x) {
  constexpr double least = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < least ? least : d);
  double h = d;
  for (double m = 1; m < 20000; m += 1) {
    for (int odd = 0; odd < 2; ++odd) {
      const double numerator = odd ? -(a + m) / (a + 2 * m) * ((a + b + m) / (a + 2 * m + 1)) * x
                                   : m / (a + 2 * m - 1) * ((b - m) / (a + 2 * m)) * x;
      d = 1 + numerator * d;
      c = 1 + numerator / c;
      d = 1 / (std::abs(d) < least ? least : d);
      c = std::abs(c) < least ? least : c;
      h *= d * c;
    }
    if (std::abs(d * c - 1) < 2e-16) break;
  }
  return h;
}

// I_x(a, b) for b < 1 by powers of x, DLMF 8.17.7: all terms are positive, so that a small value is right to its last digits.
double beta_powers(double a, double b, double x, double y) {
  double term = 1, sum = 1 / a;
  for (double n = 1; n < 10000; n += 1) {
    term *= (n - b) / n * x;
    sum += term / (a + n);
    if (term < 1e-17 * (a + n) * sum * (1 - x)) break;
  }
  return beta_kernel(a, b, x, y) * sum / pow(y, b);
}

// I_x(a, b) for x at or below the mode.
double beta_lower(double a, double b, double x, double y) {
  const double kernel = beta_kernel(a, b, x, y);
  if (kernel == 0) return 0;
  if (std::min(a, b) < 30) return kernel / a * beta_fraction(a, b, x);
  const double n = a + b, slope = std::max(0.0, std::fma(a, y, -b * x));
  const auto energy = [&](double u) {
    const double w = x * expm1(-u);
    return slope * u + n * (x * expm1_rest(-u) - log1p_rest(w));
  };
  const double width = 1 / (slope / cutoff + std::sqrt(n * x * y / (2 * cutoff)) + 1e-300);
  return kernel * integrate(reach(width, energy), [&](double u) { return exp(-energy(u)); });
}

}  // namespace

double betainc(double a, double b, double x) {
  if (!(a >= 0) || !(b >= 0) || !(x >= 0) || x > 1 || (a == 0 && b == 0) || (a == inf && b == inf)) return nan_value;
  if (x == 0 || x == 1) return x;
  if (a == 0 || b == inf) return 1;
  if (b == 0 || a == inf) return 0;
  const double y = 1 - x;
  if (b < 1 && x <= 0.9) return std::min(1.0, beta_powers(a, b, x, y));
  if (x <= (a + 1) / (a + b + 2)) return beta_lower(a, b, x, y);
  const double value = 1 - beta_lower(b, a, y, x);
  return b < 1 && value < 0.5 && x < 0.995 ? beta_powers(a, b, x, y)
                                           : value;  // rather thousands of terms than cancellation
}

double beta_density(double a, double b, double x) {
  if (!(a >= 0) || !(b >= 0) || !(x >= 0) || x > 1) return nan_value;
  if (a == 0 || b == 0 || a == inf || b == inf) return 0;
  if (x == 0) return a < 1 ? inf : a == 1 ? b : 0;
  if (x == 1) return b < 1 ? inf : b == 1 ? a : 0;
  return beta_kernel(a, b, x, 1 - x) / x / (1 - x);
}

namespace {
double product_with_log(double x, double log_y) { return x == 0 ? 0 : x * log_y; }
}  // namespace

double log_gamma_density(double a, double x) {
  if (!(a >= 10) || !(x > 0) || x == inf || a == inf) return product_with_log(a - 1, log(x)) - x - lgamma(a);
  const double deviation = (x - a) / a;
  const double exponent = deviation > -0.5 ? -a * log1p_rest(deviation) : a * log(x / a) + (a - x);
  return 0.5 * log(a / two_pi) + (exponent - stirling_rest(a)) - log(x);
}

double log_beta_density(double a, double b, double x) {
  if (a < 0 || b < 0) return nan_value;
  if (!(a >= 10) || !(b >= 10) || !(x > 0) || !(x < 1) || a == inf || b == inf)
    return product_with_log(a - 1, log(x)) + product_with_log(b - 1, log1p(-x)) - betaln(a, b);
  const double n = a + b, deviation = std::fma(x, b, -a * (1 - x));
  const double exponent = a * log1p_rest(deviation / a) + b * log1p_rest(-deviation / b);
  const double corrections = stirling_rest(n) - stirling_rest(a) - stirling_rest(b);
  return 0.5 * log(a / two_pi * (b / n)) + (corrections - exponent) - log(x) - log1p(-x);
}

}  // namespace cotan::ops::host

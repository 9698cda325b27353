// Hypergeometric functions by their power series, with the derivatives by the parameters carried along; Bessel's J.
#include <math.h>

#include <cmath>
#include <limits>

#include "ops/dual_numbers.h"

namespace cotan::ops::host {
namespace {

constexpr double inf = HUGE_VAL;
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

template <class D> D reciprocal_gamma(const D& x) {
  const double v = value_of(x);
  if (v <= 0 && v == std::floor(v)) {  // 1 / Gamma has zeros there, of slope (-1)^n n!
    const double slope = gamma(1 - v) * (std::fmod(v, 2) == 0 ? 1 : -1);
    return chain(x, 0, slope, -2 * slope * digamma(1 - v));
  }
  const double r = 1 / gamma(v), psi = digamma(v);
  return chain(x, r, -r * psi, r * (psi * psi - polygamma(1, v)));
}
bool is_pole(double x) { return x <= 0 && x == std::floor(x); }

// The sum of (a)_n (b)_n / (c)_n x^n / n!; without `b` where `one` is set.
template <class D> D series(const D& a, const D& b, const D& c, const D& x, bool one) {
  D sum = constant<D>(1), term = sum;
  for (double n = 0; n < 300000; n += 1) {
    const D step = constant<D>(n);
    term = term * ((a + step) / (c + step)) * (x / constant<D>(n + 1));
    if (!one) term = term * (b + step);
    sum = sum + term;
    if (negligible(term, sum)) break;
  }
  return sum;
}
template <class D> D series(const D& a, const D& b, const D& x) { return series(a, constant<D>(0), b, x, true); }

// Gamma(b) / Gamma(b - a) y^-a 2F0(a, 1 + a - b; 1/y) for large y = -x.
template <class D> D hyp1f1_far(const D& a, const D& b, const D& y) {
  const D one = constant<D>(1), c = a - b + one;
  D sum = one, term = one;
  for (double n = 0; n < 60; n += 1) {
    const D next = term * (a + constant<D>(n)) * (c + constant<D>(n)) / (y * constant<D>(n + 1));
    if (std::abs(value_of(next)) > std::abs(value_of(term)) && n > 2) break;
    term = next;
    sum = sum + term;
    if (std::abs(value_of(term)) < 1e-17 * std::abs(value_of(sum))) break;
  }
  return one / reciprocal_gamma(b) * reciprocal_gamma(b - a) * power(y, constant<D>(0) - a) * sum;
}

template <class D> D hyp1f1_of(const D& a, const D& b, double x) {
  const double u = value_of(a), v = value_of(b);
  if (std::isnan(u + v + x)) return Filled<D>::of(nan_value, nan_value);
  if (is_pole(v)) return Filled<D>::of(x == 0 ? 1 : inf, nan_value);
  if (x >= 0 || (is_pole(u) && !varies(a))) return series(a, b, constant<D>(x));  // a polynomial, if a is a pole
  if (x < -60 - 4 * std::abs(u) - 4 * std::abs(v)) return hyp1f1_far(a, b, constant<D>(-x));
  return constant<D>(exp(x)) * series(b - a, b, constant<D>(-x));
}

template <class D> D hyp2f1_of(const D& a, const D& b, const D& c, double x) {
  const double u = value_of(a), v = value_of(b), w = value_of(c);
  const D zero = constant<D>(0), one = constant<D>(1);
  if (std::isnan(u + v + w + x)) return Filled<D>::of(nan_value, nan_value);
  if (x == 0) return one;
  const bool finite = (is_pole(u) && !varies(a)) || (is_pole(v) && !varies(b));
  if (is_pole(w) && !(finite && std::fmin(is_pole(u) ? -u : inf, is_pole(v) ? -v : inf) <= -w))
    return Filled<D>::of(inf, nan_value);
  if (finite) return series(a, b, c, constant<D>(x), false);
  if (x > 1) return Filled<D>::of(inf, nan_value);
  const D s = c - a - b;
  if (x == 1) {
    if (!(value_of(s) > 0)) return Filled<D>::of(inf, nan_value);
    return one / reciprocal_gamma(c) / reciprocal_gamma(s) * reciprocal_gamma(c - a) * reciprocal_gamma(c - b);
  }
  if (x < 0) return power(constant<D>(1 - x), zero - a) * hyp2f1_of(a, c - b, c, x / (x - 1));
  if (x > 0.9 && std::abs(value_of(s) - std::rint(value_of(s))) > 1e-3) {  // DLMF 15.8.4
    const D y = constant<D>(1 - x), g = one / reciprocal_gamma(c);
    const D first = reciprocal_gamma(c - a) * reciprocal_gamma(c - b) / reciprocal_gamma(s);
    const D second = reciprocal_gamma(a) * reciprocal_gamma(b) / reciprocal_gamma(zero - s);
    return g *
           (first * series(a, b, one - s, y, false) + second * power(y, s) * series(c - a, c - b, one + s, y, false));
  }
  return series(a, b, c, constant<D>(x), false);
}

using Twice = Dual<Dual<double>>;
// The i-th of some operands, seeded for the directions of the first and second derivative; second < 0: there is none.
Twice seeded(double x, int i, int first, int second) {
  return {{x, i == first ? 1.0 : 0.0}, {i == second ? 1.0 : 0.0, 0}};
}
double derivative(const Twice& y, int second) { return second < 0 ? y.v.d : y.d.d; }

}  // namespace

double hyp1f1(double a, double b, double x) { return hyp1f1_of(a, b, x); }
double hyp1f1_grad(int first, int second, double a, double b, double x) {
  return derivative(hyp1f1_of(seeded(a, 0, first, second), seeded(b, 1, first, second), x), second);
}
double hyp2f1(double a, double b, double c, double x) { return hyp2f1_of(a, b, c, x); }
double hyp2f1_grad(int first, int second, double a, double b, double c, double x) {
  const Twice u = seeded(a, 0, first, second), v = seeded(b, 1, first, second), w = seeded(c, 2, first, second);
  return derivative(hyp2f1_of(u, v, w, x), second);
}

// By the recurrence in n from P_m^m, DLMF 14.10.3 normalised.
double sph_legendre(double n, double m, double theta) {
  if (std::isnan(n) || std::isnan(m) || std::isnan(theta) || n < 0 || n > 1e5 || n != std::floor(n) ||
      m != std::floor(m))
    return nan_value;
  const double order = std::abs(m);
  if (order > n) return 0;
  const double s = sin(theta), c = cos(theta);
  double p = 0.28209479177387814347;  // 1 / sqrt(4 pi)
  for (double k = 1; k <= order; k += 1) p *= -s * std::sqrt((2 * k + 1) / (2 * k));
  double before = 0;
  for (double k = order + 1; k <= n; k += 1) {
    const double scale = std::sqrt((4 * k * k - 1) / (k * k - order * order));
    const double back =
        k == order + 1 ? 0 : std::sqrt(((k - 1) * (k - 1) - order * order) / (4 * (k - 1) * (k - 1) - 1));
    const double next = scale * (c * p - back * before);
    before = p;
    p = next;
  }
  return m < 0 && std::fmod(order, 2) == 1 ? -p : p;
}

// The order is a whole number.
double bessel_jn(double n, double x) {
  return std::abs(n) <= 1e5 && n == std::floor(n) ? ::jn(static_cast<int>(n), x) : nan_value;
}

}  // namespace cotan::ops::host

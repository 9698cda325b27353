// Hypergeometric functions by their power series, with the derivatives by the parameters carried along; Bessel's J.
#include <math.h>

#include <cmath>
#include <limits>

#include "ops/elementary_host.h"
#include "ops/special_host.h"

namespace cotan::ops::host {
namespace {

constexpr double inf = HUGE_VAL;
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

// A value and its derivative by one parameter.
struct Dual {
  double v, d;
};
Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.d - b.d}; }
Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
Dual operator/(Dual a, Dual b) {
  const double q = a.v / b.v;
  return {q, (a.d - q * b.d) / b.v};
}
Dual constant(double v) { return {v, 0}; }
Dual power(Dual a, Dual y) {  // for a.v > 0
  const double p = pow(a.v, y.v);
  return {p, p * (y.d * log(a.v) + y.v * a.d / a.v)};
}
Dual reciprocal_gamma(Dual x) {
  if (x.v <= 0 && x.v == std::floor(x.v)) {  // 1 / Gamma has zeros there, of slope (-1)^n n!
    const double slope = gamma(1 - x.v) * (std::fmod(x.v, 2) == 0 ? 1 : -1);
    return {0, slope * x.d};
  }
  const double r = 1 / gamma(x.v);
  return {r, -r * digamma(x.v) * x.d};
}
bool is_pole(double x) { return x <= 0 && x == std::floor(x); }

// The sum of (a)_n (b)_n / (c)_n x^n / n!; without `b` where `one` is set.
Dual series(Dual a, Dual b, Dual c, Dual x, bool one) {
  Dual sum = constant(1), term = constant(1);
  for (double n = 0; n < 300000; n += 1) {
    const Dual step = constant(n);
    term = term * ((a + step) / (c + step)) * (x / constant(n + 1));
    if (!one) term = term * (b + step);
    sum = sum + term;
    if (!(std::abs(term.v) > 1e-17 * std::abs(sum.v)) && !(std::abs(term.d) > 1e-17 * std::abs(sum.d))) break;
  }
  return sum;
}

// Gamma(b) / Gamma(b - a) y^-a 2F0(a, 1 + a - b; 1/y) for large y = -x.
Dual hyp1f1_far(Dual a, Dual b, Dual y) {
  Dual sum = constant(1), term = constant(1);
  const Dual c = a - b + constant(1);
  for (double n = 0; n < 60; n += 1) {
    const Dual next = term * (a + constant(n)) * (c + constant(n)) / (y * constant(n + 1));
    if (std::abs(next.v) > std::abs(term.v) && n > 2) break;
    term = next;
    sum = sum + term;
    if (std::abs(term.v) < 1e-17 * std::abs(sum.v)) break;
  }
  return constant(1) / reciprocal_gamma(b) * reciprocal_gamma(b - a) * power(y, constant(0) - a) * sum;
}

Dual hyp1f1_dual(Dual a, Dual b, double x) {
  if (std::isnan(a.v + b.v + x)) return {nan_value, nan_value};
  if (is_pole(b.v)) return {x == 0 ? 1 : inf, nan_value};
  if (x >= 0) return series(a, constant(0), b, constant(x), true);
  if (is_pole(a.v) && a.d == 0) return series(a, constant(0), b, constant(x), true);  // a polynomial
  if (x < -60 - 4 * std::abs(a.v) - 4 * std::abs(b.v)) return hyp1f1_far(a, b, constant(-x));
  return constant(exp(x)) * series(b - a, constant(0), b, constant(-x), true);
}

Dual hyp2f1_dual(Dual a, Dual b, Dual c, double x) {
  if (std::isnan(a.v + b.v + c.v + x)) return {nan_value, nan_value};
  if (x == 0) return {1, 0};
  const bool finite = (is_pole(a.v) && a.d == 0) || (is_pole(b.v) && b.d == 0);
  if (is_pole(c.v) && !(finite && std::fmin(is_pole(a.v) ? -a.v : inf, is_pole(b.v) ? -b.v : inf) <= -c.v))
    return {inf, nan_value};
  if (finite) return series(a, b, c, constant(x), false);
  if (x > 1) return {inf, nan_value};
  const Dual s = c - a - b;
  if (x == 1) {
    if (!(s.v > 0)) return {inf, nan_value};
    return constant(1) / reciprocal_gamma(c) / reciprocal_gamma(s) * reciprocal_gamma(c - a) * reciprocal_gamma(c - b);
  }
  if (x < 0) return power(constant(1 - x), constant(0) - a) * hyp2f1_dual(a, c - b, c, x / (x - 1));
  if (x > 0.9 && std::abs(s.v - std::rint(s.v)) > 1e-3) {  // DLMF 15.8.4
    const Dual one = constant(1), y = constant(1 - x), g = one / reciprocal_gamma(c);
    const Dual first = reciprocal_gamma(c - a) * reciprocal_gamma(c - b) / reciprocal_gamma(s);
    const Dual second = reciprocal_gamma(a) * reciprocal_gamma(b) / reciprocal_gamma(constant(0) - s);
    return g *
           (first * series(a, b, one - s, y, false) + second * power(y, s) * series(c - a, c - b, one + s, y, false));
  }
  return series(a, b, c, constant(x), false);
}

}  // namespace

double hyp1f1(double a, double b, double x) { return hyp1f1_dual({a, 0}, {b, 0}, x).v; }
double hyp1f1_grad_a(double a, double b, double x) { return hyp1f1_dual({a, 1}, {b, 0}, x).d; }
double hyp1f1_grad_b(double a, double b, double x) { return hyp1f1_dual({a, 0}, {b, 1}, x).d; }

double hyp2f1(double a, double b, double c, double x) { return hyp2f1_dual({a, 0}, {b, 0}, {c, 0}, x).v; }
double hyp2f1_grad(int operand, double a, double b, double c, double x) {
  const auto seed = [operand](int i) { return operand == i ? 1.0 : 0.0; };
  return hyp2f1_dual({a, seed(0)}, {b, seed(1)}, {c, seed(2)}, x).d;
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

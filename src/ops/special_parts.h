// What the templates of special functions share (choose.h): the elementary functions by one name for every type of numbers, and parts.
#pragma once
#include <cmath>
#include <limits>

#include "ops/choose.h"
#include "ops/elementary_host.h"
#include "ops/special_coefficients.h"
#include "ops/special_host.h"

namespace cotan::ops::special {

using host::atan, host::atan2, host::cos, host::erf_inv, host::exp, host::expm1, host::log, host::log1p, host::pow,
    host::sin;
using host::digamma, host::erfc, host::gamma, host::lgamma, host::polygamma, host::zeta;
using std::abs, std::copysign, std::floor, std::fma, std::fmod, std::isnan, std::rint, std::sqrt;

using C = SpecialCoefficients<double>;
inline constexpr double pi = 3.14159265358979323846, two_pi = 2 * pi, half_pi = pi / 2,
                        root_pi = 1.77245385090551602730;
inline constexpr double root_half = 0.70710678118654752440, euler = 0.57721566490153286061;
inline constexpr double half_log_two_pi = 0.91893853320467274178, inf = HUGE_VAL;
inline constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

// The first where neither is, as std::min and std::max.
template <class T> T smaller(const T& a, const T& b) { return choose(b < a, b, a); }
template <class T> T larger(const T& a, const T& b) { return choose(a < b, b, a); }
template <class T> auto whole(const T& x) { return x == floor(x); }

// a b + c, rounded once where that is cheap.
inline double madd(double a, double b, double c) { return std::fma(a, b, c); }
inline Lanes madd(const Lanes& a, const Lanes& b, const Lanes& c) { return a * b + c; }

template <class T, std::size_t n> T horner(const T& x, const double (&c)[n], std::size_t first = 0) {
  T y = c[n - 1];
  for (std::size_t i = n - 1; i-- > first;) y = madd(y, x, T(c[i]));
  return y;
}

// f (c[0] + lost + f (c[1] + ...)).
template <class T, std::size_t n> T zero_at_origin(const T& f, const double (&c)[n], double lost) {
  return f * (c[0] + madd(horner(f, c, 1), f, T(lost)));
}
// log Gamma(2 + f) for |f| <= 1/2, log Gamma(1 + f) for -1/4 <= f <= 1/2.
template <class T> T lgamma_two(const T& f) { return zero_at_origin(f, C::lgamma_two, C::lgamma_two_lost); }
template <class T> T lgamma_one(const T& f) { return zero_at_origin(f, C::lgamma_one, C::lgamma_one_lost); }

// log Gamma(x) - ((x - 1/2) log x - x + log(2 pi)/2), for x >= 8.
template <class T> T stirling_rest(const T& x) { return horner(T(1 / (x * x)), C::stirling) / x; }
// log x - digamma(x), for x >= 8.
template <class T> T digamma_rest(const T& x) {
  const T z = 1 / (x * x);
  return 0.5 / x + z * horner(z, C::digamma_tail);
}
// log Gamma(1 + x) for -0.5 <= x <= 1.5, relative to its size.
template <class T> T lgamma_one_plus(const T& x) {
  return choose(
      x < -0.25, [&] { return lgamma_two(x) - log1p(x); }, x < 0.5, [&] { return lgamma_one(x); },
      [&] { return lgamma_two(T(x - 1)); });
}
// Gamma(x) for 0 < x <= 20.
template <class T> T gamma_near(const T& x) {
  using State = std::array<T, 2>;  // x, a product
  const State down = iterate(
      State{x, 1}, [](const State& s) { return s[0] > 2.5; },
      [](const State& s) {
        return State{s[0] - 1, s[1] * (s[0] - 1)};
      });
  const State up = iterate(
      down, [](const State& s) { return s[0] < 1.5; },
      [](const State& s) {
        return State{s[0] + 1, s[1] / s[0]};
      });
  return up[1] * exp(lgamma_two(T(up[0] - 2)));
}

// exp(x) - 1 - x.
template <class T> T expm1_rest(const T& x) {
  using State = std::array<T, 3>;  // sum, term, k
  const auto series = [&] {
    return iterate(
        State{0, x * x / 2, 3}, [](const State& s) { return abs(s[1]) > 1e-18 * abs(s[0]) && s[2] < 30; },
        [&](const State& s) {
          return State{s[0] + s[1], s[1] * (x / s[2]), s[2] + 1};
        })[0];
  };
  return choose(
      abs(x) > 0.5, [&] { return expm1(x) - x; }, series);
}
// x - log(1 + x), by s = x / (2 + x): log(1 + x) = 2 atanh(s) and x - 2s = x s.
template <class T> T log1p_rest(const T& x) {
  using State = std::array<T, 3>;  // sum, power, k
  const auto series = [&] {
    const T s = x / (2 + x), z = s * s;
    const T sum = iterate(
        State{0, 1, 3}, [](const State& v) { return v[2] < 45 && v[1] > 1e-18; },
        [&](const State& v) {
          return State{v[0] + v[1] / v[2], v[1] * z, v[2] + 2};
        })[0];
    return s * (x - 2 * z * sum);
  };
  return choose(abs(x) <= 0.5, series, [&] { return x - log1p(x); });
}

// Continued fractions by Lentz's method: the next denominators, kept off zero, and the product.
template <class T> T off_zero(const T& v) { return choose(abs(v) < 1e-300, T(1e-300), v); }

// log |B(a, b)|.
template <class T> T betaln_ordered(const T& a, const T& b) {  // a <= b
  const auto near = [&] {                                      // logarithms of products, which do not cancel
    const T scale = choose(
        a < 0.5, [&] { return -log(a) + lgamma_one_plus(a); }, a <= 2.5, [&] { return lgamma_one_plus(T(a - 1)); },
        [&] { return log(gamma_near(a)); });
    return scale + log(gamma_near(b) / gamma_near(T(a + b)));
  };
  const auto far = [&] {
    const T ratio = (b - 0.5) * log1p(a / b) - a + (stirling_rest(T(a + b)) - stirling_rest(b));
    return lgamma(a) - (ratio + a * log(a + b));
  };
  return choose(b < 10, near, far);
}
template <class T> T betaln(const T& a, const T& b) {
  const auto usual = a > 0 && b > 0 && a < inf && b < inf;
  return choose(
      !usual, [&] { return lgamma(a) + (lgamma(b) - lgamma(a + b)); },
      [&] { return betaln_ordered(smaller(a, b), larger(b, a)); });
}

}  // namespace cotan::ops::special

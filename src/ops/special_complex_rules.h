// The gamma function of complex numbers, its logarithm and the derivatives of that: Stirling's series where |z| is large, the
// recurrence towards there, and reflection left of 1/2. Errors are against the larger part of the result.
#pragma once
#include <vector>

#include "ops/complex_host.h"
#include "ops/complex_pair.h"

namespace cotan::ops::special {

#define COTAN_COMPLEX(name)                                   \
  inline Pair<double> complex_##name(const Pair<double>& z) { \
    const auto w = host::name(host::Complex128{z.re, z.im});  \
    return {w.re, w.im};                                      \
  }                                                           \
  Pair<Lanes> complex_##name(const Pair<Lanes>& z);
COTAN_COMPLEX(log)
COTAN_COMPLEX(exp)
COTAN_COMPLEX(expm1)
#undef COTAN_COMPLEX

// 1 / z without overflow; 0 at infinity.
template <class T> Pair<T> reciprocal(const Pair<T>& z) {
  const T size = larger(T(abs(z.re)), T(abs(z.im)));
  return choose(size == inf, Pair<T>{0, 0}, [&] {
    const T scale = choose(size > 1e150, T(0x1p-520), size < 1e-150, T(0x1p520), T(1.0));
    return scale * inverse(scale * z);
  });
}
// exp(2 pi i z) - 1, right near whole z.
template <class T> Pair<T> turn_minus_one(const Pair<T>& z) {
  return complex_expm1(Pair<T>{-2 * pi * z.im, 2 * pi * (z.re - rint(z.re))});
}
template <class T> Pair<T> real_pair(const T& x) { return {x, 0.0}; }
template <class T> Pair<T> power_of(const Pair<T>& z, int n) {
  Pair<T> p{1, 0};
  for (int k = 0; k < n; ++k) p = p * z;
  return p;
}
inline double factorial(int n) {
  double f = 1;
  for (int k = 2; k <= n; ++k) f *= k;
  return f;
}

// The sum of B_2k / (2k)! (2k + m - 1)! z^-(2k + m), m = -1 for the logarithm of gamma: DLMF 5.11.1 and its derivatives.
template <class T> Pair<T> stirling_tail(const Pair<T>& z, int m) {
  const Pair<T> r = reciprocal(z), square = r * r;
  Pair<T> power = m < 0 ? r : T(factorial(m + 1)) * power_of(r, m + 2), sum{0, 0};
  for (int k = 1; k <= 12; ++k) {
    sum = sum + T(host::bernoulli_over_factorial[k - 1]) * power;
    power = T((2 * k + m) * (2 * k + m + 1)) * (power * square);
  }
  return sum;
}

template <class T> struct Shifted {  // z where |z| is large, and what the steps there give
  using Number = T;
  Pair<T> z, sum;
  template <class F> void parts(F f) { f(z), f(sum); }
};
template <class T, class F> Shifted<T> shifted(const Pair<T>& z, double size, const F& term) {
  using State = Shifted<T>;
  return iterate(
      State{z, {0, 0}}, [size](const State& s) { return norm(s.z) < size * size; },
      [&](const State& s) {
        return State{s.z + Pair<T>{1, 0}, s.sum + term(s.z)};
      });
}

// For Re z >= 1/2.
template <class T> Pair<T> loggamma_right(const Pair<T>& at) {
  const auto [z, shift] = shifted(at, 14, [](const Pair<T>& s) { return complex_log(s); });
  const Pair<T> rest = real_pair(T(half_log_two_pi)) + stirling_tail(z, -1);
  return (z - real_pair(T(0.5))) * complex_log(z) - z + rest - shift;
}
// Left of 1/2 log Gamma(z) = log(2 pi) - i pi/2 + i pi z - log(1 - exp(2 pi i z)) - log Gamma(1 - z) above the real axis: there every
// term is analytic, so that the branch is the principal one.
template <class T> Pair<T> loggamma_above(const Pair<T>& z) {
  const auto left = z.re < 0.5;
  const Pair<T> right = loggamma_right(Pair<T>(choose(
      left, [&] { return real_pair(T(1)) - z; }, z)));
  const auto reflected = [&] {
    const Pair<T> start{1.83787706640934548356 - pi * z.im, pi * z.re - 0.5 * pi};
    return start - complex_log(-turn_minus_one(z)) - right;
  };
  return choose(left, reflected, right);
}

// The m-th derivative of pi cot(pi z), Im z >= 0: pi^(m+1) p_m(cot(pi z)), where p' makes p of the next order: -(1 + c^2) p'.
template <class T> Pair<T> cotangent_derivative(const Pair<T>& z, int m) {
  std::vector<double> p = {0, 1};
  for (int order = 0; order < m; ++order) {
    std::vector<double> next(p.size() + 1);
    for (std::size_t k = 1; k < p.size(); ++k) {
      next[k - 1] -= static_cast<double>(k) * p[k];
      next[k + 1] -= static_cast<double>(k) * p[k];
    }
    p = std::move(next);
  }
  const Pair<T> turn = reciprocal(turn_minus_one(z)), c{-2 * turn.im, 1 + 2 * turn.re};
  Pair<T> value{0, 0};
  for (std::size_t k = p.size(); k-- > 0;) value = value * c + real_pair(T(p[k]));
  for (int k = 0; k <= m; ++k) value = T(pi) * value;
  return value;
}

// For Re z >= 1/2.
template <class T> Pair<T> polygamma_right(int m, const Pair<T>& at) {
  const double sign = m % 2 == 0 ? -1 : 1, scale = factorial(m);
  const auto [z, shift] = shifted(at, 14 + m, [m](const Pair<T>& s) { return power_of(reciprocal(s), m + 1); });
  const Pair<T> r = reciprocal(z);
  const Pair<T> leading = m == 0 ? -complex_log(z) : T(factorial(m - 1)) * power_of(r, m);
  return T(sign) * (leading + T(scale) * (shift + T(0.5) * power_of(r, m + 1)) + stirling_tail(z, m));
}
template <class T> Pair<T> polygamma_above(int m, const Pair<T>& z) {
  const auto left = z.re < 0.5;
  const Pair<T> right = polygamma_right(m, Pair<T>(choose(
                                               left, [&] { return real_pair(T(1)) - z; }, z)));
  return choose(
      left, [&] { return T(m % 2 == 0 ? 1.0 : -1.0) * right - cotangent_derivative(z, m); }, right);
}

// f is given above the real axis, and real on it: below, it has the conjugate value.
template <class T, class F> Pair<T> by_conjugation(const Pair<T>& z, const F& f) {
  const auto below = copysign(T(1), z.im) < 0;
  const auto value = [&] {
    const Pair<T> w = f(Pair<T>{z.re, choose(
                                          below, [&] { return -z.im; }, z.im)});
    return Pair<T>{w.re, choose(
                             below, [&] { return -w.im; }, w.im)};
  };
  return choose(isnan(z.re) || isnan(z.im), Pair<T>{nan_value, nan_value}, value);
}

// At the poles and at infinity on the real axis there is no value: SciPy's NaN.
template <class T> Pair<T> loggamma(const Pair<T>& z) {
  const auto real = z.im == 0;
  const auto none = real && (z.re == inf || (z.re <= 0 && whole(z.re)));
  return choose(
      none, Pair<T>{nan_value, nan_value}, real && z.re > 0,
      [&] {
        return Pair<T>{lgamma(z.re), z.im};
      },
      [&] { return by_conjugation(z, [](const Pair<T>& w) { return loggamma_above(w); }); });
}
template <class T> Pair<T> complex_gamma(const Pair<T>& z) {
  const Pair<T> w = loggamma(z);
  return choose(
      z.im == 0 && !isnan(w.re),
      [&] {
        return Pair<T>{gamma(z.re), z.im};
      },
      [&] { return complex_exp(w); });
}
template <class T> Pair<T> complex_polygamma(int m, const Pair<T>& z) {
  return by_conjugation(z, [m](const Pair<T>& w) { return polygamma_above(m, w); });
}

}  // namespace cotan::ops::special

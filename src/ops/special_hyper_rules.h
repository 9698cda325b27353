// Hypergeometric functions by their power series, and zeta, with the derivatives by the parameters carried along; Pochhammer's symbol,
// spherical harmonics, Bessel's J.
#pragma once
#include "ops/dual_numbers.h"

namespace cotan::ops::special {

template <class T> auto is_even(const T& x) { return fmod(x, T(2)) == 0; }
template <class T> auto is_pole(const T& x) { return x <= 0 && whole(x); }

template <class D> D reciprocal_gamma(const D& x) {
  using T = Number<D>;
  const T v = value_of(x);
  const auto pole = is_pole(v);
  if constexpr (std::is_same_v<D, T>) return choose(pole, 0.0, [&] { return 1 / gamma(v); });
  else {
    // 1 / Gamma has zeros at the poles, of slope (-1)^n n!.
    const T at = choose(
                pole, [&] { return 1 - v; }, v),
            g = gamma(at), psi = digamma(at);
    const auto at_pole = [&] {
      const T slope = g * choose(is_even(v), T(1), T(-1));
      return chain(x, T(0), slope, T(-2 * slope * psi));
    };
    const auto regular = [&] {
      const T r = 1 / g;
      return chain(x, r, T(-r * psi), T(r * (psi * psi - polygamma(T(1), v))));
    };
    return choose(pole, at_pole, regular);
  }
}

template <class D> struct PowerSeries {
  using Number = special::Number<D>;
  D sum, term;
  Number n, last;  // whether `term` was negligible
  template <class F> void parts(F f) { f(sum), f(term), f(n), f(last); }
};
// The sum of (a)_n (b)_n / (c)_n x^n / n!; without `b` where `one` is set.
template <class D> D series(const D& a, const D& b, const D& c, const D& x, bool one) {
  using T = Number<D>;
  using State = PowerSeries<D>;
  return iterate(
             State{constant<D>(1), constant<D>(1), 0, 0}, [](const State& s) { return s.n < 300000 && s.last == 0; },
             [&](const State& s) {
               const D step = constant<D>(s.n);
               D term = s.term * ((a + step) / (c + step)) * (x / constant<D>(s.n + 1));
               if (!one) term = term * (b + step);
               const D sum = s.sum + term;
               return State{sum, term, s.n + 1, choose(negligible(term, sum), T(1), T(0))};
             })
      .sum;
}
template <class D> D series(const D& a, const D& b, const D& x) { return series(a, constant<D>(0.0), b, x, true); }

// Gamma(b) / Gamma(b - a) y^-a 2F0(a, 1 + a - b; 1/y) for large y = -x.
template <class D> D hyp1f1_far(const D& a, const D& b, const D& y) {
  using T = Number<D>;
  using State = PowerSeries<D>;
  const D one = constant<D>(1.0), c = a - b + one;
  const auto step = [&](const State& s) {
    const D k = constant<D>(s.n), next = s.term * (a + k) * (c + k) / (y * constant<D>(s.n + 1));
    const auto grows = abs(value_of(next)) > abs(value_of(s.term)) && s.n > 2;
    const D sum = s.sum + next;
    const auto small = abs(value_of(next)) < 1e-17 * abs(value_of(sum));
    return choose(grows, State{s.sum, s.term, s.n, 1}, State{sum, next, s.n + 1, choose(small, T(1), T(0))});
  };
  const D sum = iterate(
                    State{one, one, 0, 0}, [](const State& s) { return s.n < 60 && s.last == 0; }, step)
                    .sum;
  return one / reciprocal_gamma(b) * reciprocal_gamma(D(b - a)) * power(y, D(constant<D>(0.0) - a)) * sum;
}

template <class D> D hyp1f1_of(const D& a, const D& b, const Number<D>& x) {
  using T = Number<D>;
  const T u = value_of(a), v = value_of(b);
  const auto at = [](const T& value) { return filled<D>(value, nan_value); };
  return choose(
      isnan(u + v + x), at(nan_value), is_pole(v), [&] { return at(choose(x == 0, T(1), T(inf))); },
      x >= 0 || (is_pole(u) && !varies(a)),  // a polynomial, if a is a pole
      [&] { return series(a, b, constant<D>(x)); }, x < -60 - 4 * abs(u) - 4 * abs(v),
      [&] { return hyp1f1_far(a, b, constant<D>(-x)); },
      [&] { return constant<D>(exp(x)) * series(D(b - a), b, constant<D>(-x)); });
}

// At 1, and beyond 0.9 unless c - a - b is nearly whole: DLMF 15.4.20 and 15.8.4.
template <class D> D hyp2f1_near_one(const D& a, const D& b, const D& c, const Number<D>& x) {
  const D one = constant<D>(1.0), s = c - a - b, zero = constant<D>(0.0);
  const D y = constant<D>(1 - x), g = one / reciprocal_gamma(c);
  const D first = reciprocal_gamma(D(c - a)) * reciprocal_gamma(D(c - b)) / reciprocal_gamma(s);
  const auto at_one = [&] {
    return choose(
        value_of(s) > 0, [&] { return g * first; }, [] { return filled<D>(inf, nan_value); });
  };
  const auto beside = [&] {
    const D second = reciprocal_gamma(a) * reciprocal_gamma(b) / reciprocal_gamma(D(zero - s));
    return g * (first * series(a, b, D(one - s), y, false) +
                second * power(y, s) * series(D(c - a), D(c - b), D(one + s), y, false));
  };
  return choose(x == 1, at_one, beside);
}

// Negative x is reflected to x / (x - 1), unless the series ends.
template <class D> D hyp2f1_inside(const D& a, const D& b0, const D& c, const Number<D>& x0) {
  using T = Number<D>;
  const auto ends = [](const D& v) { return is_pole(value_of(v)) && !varies(v); };
  const auto reflected = x0 < 0 && !(ends(a) || ends(b0));
  const D b = choose(
      reflected, [&] { return c - b0; }, b0);
  const T x = choose(
              reflected, [&] { return x0 / (x0 - 1); }, x0),
          s = value_of(c) - value_of(a) - value_of(b);
  const auto near_one = !(ends(a) || ends(b)) && (x == 1 || (x > 0.9 && abs(s - rint(s)) > 1e-3));
  const D value = choose(
      near_one, [&] { return hyp2f1_near_one(a, b, c, x); }, [&] { return series(a, b, c, constant<D>(x), false); });
  const auto with_factor = [&] { return power(constant<D>(1 - x0), D(constant<D>(0.0) - a)) * value; };
  return choose(reflected, with_factor, value);
}

template <class D> D hyp2f1_of(const D& a, const D& b, const D& c, const Number<D>& x) {
  using T = Number<D>;
  const T u = value_of(a), v = value_of(b), w = value_of(c);
  const auto finite = (is_pole(u) && !varies(a)) || (is_pole(v) && !varies(b));
  const T last = smaller(T(choose(is_pole(u), T(-u), T(inf))), T(choose(is_pole(v), T(-v), T(inf))));
  const auto at_pole = is_pole(w) && !(finite && last <= -w);
  return choose(
      isnan(u + v + w + x), [&] { return filled<D>(nan_value, nan_value); }, x == 0, [&] { return constant<D>(1.0); },
      at_pole || (x > 1 && !finite), [] { return filled<D>(inf, nan_value); },
      [&] { return hyp2f1_inside(a, b, c, x); });
}

// The i-th of some operands, seeded for the directions of the first and second derivative.
template <class D> D seeded(const Number<D>& x, int i, int first, int second) {
  if constexpr (std::is_same_v<D, Dual<Number<D>>>) return {x, i == first ? 1.0 : 0.0};
  else return {{x, i == first ? 1.0 : 0.0}, {i == second ? 1.0 : 0.0, 0.0}};
}
// f of operands seeded with either type; second < 0: there is none.
template <class T, class F> T derivative(int second, const F& f) {
  return second < 0 ? f(Dual<T>{}).d : f(Dual<Dual<T>>{}).d.d;
}

template <class T> T hyp1f1(const T& a, const T& b, const T& x) { return hyp1f1_of(a, b, x); }
template <class T> T hyp1f1_grad(int first, int second, const T& a, const T& b, const T& x) {
  return derivative<T>(second, [&]<class D>(const D&) {
    return hyp1f1_of(seeded<D>(a, 0, first, second), seeded<D>(b, 1, first, second), x);
  });
}
template <class T> T hyp2f1(const T& a, const T& b, const T& c, const T& x) { return hyp2f1_of(a, b, c, x); }
template <class T> T hyp2f1_grad(int first, int second, const T& a, const T& b, const T& c, const T& x) {
  return derivative<T>(second, [&]<class D>(const D&) {
    return hyp2f1_of(seeded<D>(a, 0, first, second), seeded<D>(b, 1, first, second), seeded<D>(c, 2, first, second), x);
  });
}

// --- zeta -----------------------------------------------------------------------------------------------------------------------
template <class D> struct ZetaSum {
  using Number = special::Number<D>;
  D sum;
  Number w, going;
  template <class F> void parts(F f) { f(sum), f(w), f(going); }
};
// zeta(s, q) with its derivatives by s, for s > 1 and q > 0: Euler and Maclaurin, term by term.
template <class D> D zeta_series(const D& s, const Number<D>& q) {
  using T = Number<D>;
  using State = ZetaSum<D>;
  const auto scaled = [&](const T& base, const T& exponent) {  // base^s, whose logarithm is given
    const T p = pow(base, value_of(s));
    return chain(s, p, T(p * exponent), T(p * exponent * exponent));
  };
  const D one = constant<D>(1.0);
  const auto term_at = [&](const T& w) { return choose(w == q, one, [&] { return scaled(T(q / w), T(log(q / w))); }); };
  const State early = iterate(
      State{constant<D>(0.0), q, 1}, [&](const State& v) { return v.w < 10 + value_of(s) && v.going == 1; },
      [&](const State& v) {
        const D term = term_at(v.w);
        return State{v.sum + term, v.w + 1, choose(value_of(term) < 1e-18, T(0), T(1))};
      });
  const auto with_tail = [&] {
    const T w = early.w;
    const D last = term_at(w), inverse = constant<D>(1 / w);
    D sum = early.sum + last * (constant<D>(w) / (s - one) + constant<D>(0.5)), factor = last * s * inverse;
    for (int k = 0; k < 12; ++k) {
      sum = sum + factor * constant<D>(host::bernoulli_over_factorial[k]);
      factor = factor * ((s + constant<D>(2 * k + 1)) * inverse) * ((s + constant<D>(2 * k + 2)) * inverse);
    }
    return sum;
  };
  return scaled(T(1 / q), T(-log(q))) * choose(early.going == 1, with_tail, early.sum);
}

template <class T> T zeta_grad_x(int order, const T& s, const T& q) {
  const auto outside = [&] { return choose(s == 1, order == 1 ? -inf : inf, nan_value); };
  const auto large = [&] { return (order == 1 ? T(-1) : T(log(q))) * log(q) * zeta(s, q); };
  const auto value = [&] {
    return order == 1 ? zeta_series(Dual<T>{s, 1.0}, q).d : zeta_series(Dual<Dual<T>>{{s, 1.0}, {1.0, 0.0}}, q).d.d;
  };
  return choose(!(s > 1 && q > 0 && s < inf && q < inf), outside, q > 1e15, large, value);
}

// Gamma(z + m) / Gamma(z).
template <class T> T poch(const T& z, const T& m) {
  using State = std::array<T, 2>;  // product, k
  const T end = z + m, parity = choose(is_even(m), T(1), T(-1));
  const auto product = [&] {
    return iterate(
        State{z, 1}, [&](const State& s) { return s[1] < m; },
        [&](const State& s) {
          return State{s[0] * (z + s[1]), s[1] + 1};
        })[0];
  };
  // 1 / gamma(z) is 0; a ratio of two poles is that of the reflected.
  const auto at_pole = [&] {
    return choose(end > 0 || !whole(end), 0.0, [&] { return parity * exp(lgamma(1 - z) - lgamma(1 - end)); });
  };
  const auto ratio_of = [&] {
    const T added = end - z, lost = (z - (end - added)) + (m - added);  // end + lost is z + m
    const T ratio = gamma(end) / gamma(z);
    return choose(lost == 0 || !(abs(ratio) < inf), ratio, [&] { return ratio * (1 + lost * digamma(end)); });
  };
  return choose(
      m == 0, 1.0, m > 0 && m <= 64 && whole(m), product, z <= 0 && whole(z) && abs(m) < inf, at_pole,
      z > 0 && end > 100 && z < inf && m < inf, [&] { return exp(lgamma(end) - lgamma(z)); }, ratio_of);
}

// --- harmonics ------------------------------------------------------------------------------------------------------------------
// By the recurrence in n from P_m^m, DLMF 14.10.3 normalised.
template <class T> T sph_legendre(const T& n, const T& m, const T& theta) {
  using Powers = std::array<T, 2>;  // p, k
  using State = std::array<T, 3>;   // p, the one before, k
  const T order = abs(m), s = sin(theta), c = cos(theta);
  const auto value = [&] {
    const Powers start = iterate(
        Powers{0.28209479177387814347, 1}, [&](const Powers& v) { return v[1] <= order; },  // 1 / sqrt(4 pi)
        [&](const Powers& v) {
          return Powers{v[0] * (-s * sqrt((2 * v[1] + 1) / (2 * v[1]))), v[1] + 1};
        });
    const auto step = [&](const State& v) {
      const T k = v[2], scale = sqrt((4 * k * k - 1) / (k * k - order * order));
      const auto back = [&] { return sqrt(((k - 1) * (k - 1) - order * order) / (4 * (k - 1) * (k - 1) - 1)); };
      return State{scale * (c * v[0] - choose(k == order + 1, 0.0, back) * v[1]), v[0], k + 1};
    };
    const T p = iterate(
        State{start[0], 0, order + 1}, [&](const State& v) { return v[2] <= n; }, step)[0];
    return choose(
        m < 0 && !is_even(order), [&] { return -p; }, p);
  };
  return choose(isnan(n) || isnan(m) || isnan(theta) || n < 0 || n > 1e5 || !whole(n) || !whole(m), nan_value,
                order > n, 0.0, value);
}

}  // namespace cotan::ops::special

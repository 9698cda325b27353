// The incomplete gamma and beta functions, and the derivative of the former by its parameter.
//
// Where the parameters are large, and in the upper tail, they are integrals of exp(-E) over the logarithm of the variable: E is
// convex, so that a fixed Gauss-Legendre rule up to E = 42 is as good as the arithmetic. All terms have one sign, and what E
// and the factor before the integral would lose by cancellation is computed as a deviation from the mode.
#pragma once
#include "ops/special_parts.h"

namespace cotan::ops::special {

inline constexpr double cutoff = 42;  // exp(-42) is below the last bit

// Sum of the integrand at the points of the rule on [0, top].
template <class T, class F> T integrate(const T& top, const F& f) {
  using Sum = std::array<T, 1>;
  const T half = top / 2;
  return half * table_sum<T>(legendre_node, legendre_weight, [&](const T& node, const T& weight) {
           const T d = half * node;
           return T(weight * repeat(2, Sum{0}, [&](const T& i, const Sum& s) {
                      return Sum{s[0] + f(T(half + (2 * i - 1) * d))};
                    })[0]);
         });
}

// Where the convex function with E(0) = 0 reaches the cutoff: the bound above is doubled until it does, then five times the middle is
// tried.
template <class T, class F> T reach(const T& first, const F& energy) {
  using State = std::array<T, 3>;  // below, above, steps since the bound above held
  return iterate(
      State{0, first, 0}, [](const State& s) { return s[2] < 6; },
      [&](const State& s) {
        const auto bounded = s[2] > 0;
        const T at = choose(
            bounded, [&] { return (s[0] + s[1]) / 2; }, s[1]);
        const auto inside = energy(at) < cutoff;
        const State failed{s[0], at, s[2] + 1};
        return choose(
            inside,
            [&] {
              return choose(bounded, State{at, s[1], s[2] + 1}, State{at, at * 2, 0});
            },
            failed);
      })[1];
}

// 1 / Gamma(a) for 0 < a < 20.
template <class T> T reciprocal_gamma_near(const T& a) {
  const auto small = a < 0.5;
  const T g = gamma_near(T(choose(
      small, [&] { return 1 + a; }, a)));
  return choose(small, a, T(1.0)) / g;
}

// x^a e^-x / Gamma(a).
template <class T> T gamma_kernel(const T& a, const T& x) {
  const auto near = [&] {
    return choose(
        x > 600, [&] { return exp(a * log(x) - x - lgamma(a)); },
        [&] { return pow(x, a) * exp(-x) * reciprocal_gamma_near(a); });
  };
  const auto far = [&] {
    const T deviation = (x - a) / a;
    const T exponent = choose(
        deviation > -0.5, [&] { return -a * log1p_rest(deviation); }, [&] { return a * log(x / a) + (a - x); });
    return sqrt(a / two_pi) * exp(exponent - stirling_rest(a));
  };
  return choose(a < 10, near, far);
}

// log x - digamma(a), for x and a of any size.
template <class T> T log_less_digamma(const T& a, const T& x) {
  const T ratio = x / a;
  const auto log_ratio = [&] {
    return choose(
        ratio > 0.5 && ratio < 2, [&] { return log1p((x - a) / a); }, [&] { return log(ratio); });
  };
  return choose(
      a < 8, [&] { return log(x) - digamma(a); }, [&] { return log_ratio() + digamma_rest(a); });
}

template <class T> auto is_upper(const T& a, const T& x) { return x > a && x > 1; }
template <class T> auto by_series(const T& a, const T& x) { return !is_upper(a, x) && a < 30; }

// The integral of gamma_density over the side of x that is away from the mode, divided by gamma_kernel; `weighted`: with the factor
// log t - digamma(a) in the integrand.
template <class T> T side_integral(const T& a, const T& x, bool weighted) {
  const auto upper = is_upper(a, x);
  const T sign = choose(upper, T(1), T(-1)), slope = abs(x - a);
  const auto energy = [&](const T& u) { return T(slope * u + x * expm1_rest(T(sign * u))); };
  const T width = 1 / (slope / cutoff + sqrt(x / (2 * cutoff)) + 1e-300);
  const T top = reach(smaller(width, T(choose(upper, T(8.0), T(1e300)))), energy);
  if (!weighted) return integrate(top, [&](const T& u) { return T(exp(-energy(u))); });
  const T middle = log_less_digamma(a, x);
  return integrate(top, [&](const T& u) { return T((middle + sign * u) * exp(-energy(u))); });
}

// The sum of x^n / ((a+1) ... (a+n)), and that of each term times 1/(a+1) + ... + 1/(a+n), the derivative by -a.
template <class T> struct SeriesSums {
  using Number = T;
  T sum, slope, term, harmonic, n;
  template <class F> void parts(F f) { f(sum), f(slope), f(term), f(harmonic), f(n); }
};
template <class T> SeriesSums<T> gamma_series(const T& a, const T& x) {
  using State = SeriesSums<T>;
  return iterate(
      State{1, 0, 1, 0, 1}, [](const State& s) { return s.term >= 1e-17 * s.sum && s.n < 500; },
      [&](const State& s) {
        const T term = s.term * (x / (a + s.n)), harmonic = s.harmonic + 1 / (a + s.n);
        return State{s.sum + term, s.slope + term * harmonic, term, harmonic, s.n + 1};
      });
}

// igamma below the mode, igammac above it.
template <class T> T smaller_part(const T& a, const T& x) {
  const auto series = [&] {
    const T kernel = choose(
        a < 10, [&] { return pow(x, a) * exp(-x) / gamma_near(T(1 + a)); }, [&] { return gamma_kernel(a, x) / a; });
    return kernel * gamma_series(a, x).sum;
  };
  return choose(by_series(a, x), series, [&] { return gamma_kernel(a, x) * side_integral(a, x, false); });
}

// For a < 1 and x <= 1: 1 - x^a / Gamma(1 + a) and what the rest of the power series of the lower part takes away.
template <class T> T upper_part_small(const T& a, const T& x) {
  using State = std::array<T, 3>;  // sum, term, n
  const T exponent = a * log(x) - lgamma_one_plus(a);
  const T sum = iterate(
      State{0, 1, 1}, [](const State& s) { return s[2] < 40 && abs(s[1]) >= 1e-18; },
      [&](const State& s) {
        const T term = s[1] * (-x / s[2]);
        return State{s[0] + term * (a / (a + s[2])), term, s[2] + 1};
      })[0];
  return -expm1(exponent) - exp(exponent) * sum;
}

// Corners of igamma, or its complement; elsewhere `inside`.
template <class T, class F> T igamma_or_corner(const T& a, const T& x, double at_zero, const F& inside) {
  return choose(isnan(a) || isnan(x) || a < 0 || x < 0 || (a == 0 && x == 0), nan_value, x == 0, at_zero,
                x == inf || a == 0, 1 - at_zero, a == inf, at_zero, inside);
}
template <class T> T igamma(const T& a, const T& x) {
  return igamma_or_corner(a, x, 0, [&] {
    const T part = smaller_part(a, x);
    return choose(
        is_upper(a, x), [&] { return 1 - part; }, [&] { return smaller(T(1.0), part); });
  });
}
template <class T> T igammac(const T& a, const T& x) {
  const auto upper = is_upper(a, x);
  const auto by_part = [&] {
    const T part = smaller_part(a, x);
    return choose(upper, part, [&] { return 1 - part; });
  };
  return igamma_or_corner(a, x, 1, [&] {
    return choose(
        a < 1 && !upper, [&] { return upper_part_small(a, x); }, by_part);
  });
}

template <class T> T gamma_density(const T& a, const T& x) {
  return choose(
      isnan(a) || isnan(x) || a < 0 || x < 0, nan_value, x == inf || a == 0 || a == inf, 0.0, x == 0,
      [&] { return choose(a < 1, inf, a == 1, 1.0, 0.0); }, x < 1e-290 && a < 10,
      [&] { return exp((a - 1) * log(x) - lgamma(a)); }, [&] { return gamma_kernel(a, x) / x; });
}

// random_gamma_grad by the series: igamma_grad_a over the kernel, times -x.
template <class T> T gamma_slope(const T& a, const T& x) {
  const auto series = [&] {
    const auto s = gamma_series(a, x);
    return x / a * (s.slope - s.sum * (log(x) - digamma(a + 1)));
  };
  const auto integral = [&] { return choose(is_upper(a, x), x, T(-x)) * side_integral(a, x, true); };
  return choose(by_series(a, x), series, integral);
}
template <class T> T igamma_grad_a(const T& a, const T& x) {
  const auto inside = [&] {
    const T positive = larger(a, T(1e-290));  // the limit at 0 is -E_1(x); digamma would overflow
    return -gamma_slope(positive, x) / x * gamma_kernel(positive, x);
  };
  return choose(isnan(a) || isnan(x) || a <= 0 || x < 0, nan_value, x == 0 || x == inf || a == inf, 0.0, inside);
}
template <class T> T random_gamma_grad(const T& a, const T& x) {
  return choose(isnan(a) || isnan(x) || a <= 0 || x < 0 || x == inf || a == inf, nan_value, x == 0, 0.0,
                [&] { return gamma_slope(a, x); });
}

// --- beta -----------------------------------------------------------------------------------------------------------------------
// Gamma(b) / Gamma(a + b) a-th powers apart: log(Gamma(a + b) / (Gamma(b) (a + b)^a)) for b >= 10.
template <class T> T log_gamma_ratio(const T& a, const T& b) {
  return (b - 0.5) * log1p(a / b) - a + (stirling_rest(T(a + b)) - stirling_rest(b));
}

// y^b, where y is 1 - x rounded: what the rounding takes, b times, is put back. Nothing, where x is the rounded one.
template <class T> T power_of_complement(const T& b, const T& x, const T& y) {
  return pow(y, b) * (1 + b * ((1 - y) - x) / y);
}

// x^a y^b / B(a, b) for y = 1 - x and a <= b.
template <class T> T ordered_beta_kernel(const T& a, const T& b, const T& x, const T& y) {
  const T scale = choose(
      a < 10, [&] { return reciprocal_gamma_near(a); }, 0.0);
  const auto both_small = [&] {
    const auto small = b < 1;
    const T one = choose(small, T(1.0), T(0.0));
    const T ratio = gamma_near(T(one + a + b)) / gamma_near(T(one + b));
    return power_of_complement(a, y, x) * power_of_complement(b, x, y) * scale *
           choose(
               small, [&] { return b / (a + b) * ratio; }, ratio);
  };
  const auto one_small = [&] {
    const T exponent = b * choose(
                               x < 0.5, [&] { return log1p(-x); }, [&] { return log(y); });
    const T base = x * (a + b), ratio = log_gamma_ratio(a, b);
    return choose(
               base > 1e25, [&] { return exp(a * log(base) + (exponent + ratio)); }, exponent < -600,
               [&] { return pow(base, a) * exp(exponent + ratio); },  // a factor would be denormal
               [&] { return pow(base, a) * power_of_complement(b, x, y) * exp(ratio); }) *
           scale;
  };
  const auto both_large = [&] {
    const T n = a + b, deviation = fma(x, b, -a * y);  // (x - a/n) n
    const T exponent = a * log1p_rest(T(deviation / a)) + b * log1p_rest(T(-deviation / b));
    return sqrt(a / two_pi * (b / n)) * exp((stirling_rest(n) - stirling_rest(a) - stirling_rest(b)) - exponent);
  };
  return choose(b < 10, both_small, a < 10, one_small, both_large);
}
template <class T> T beta_kernel(const T& a, const T& b, const T& x, const T& y) {
  const auto swapped = a > b;
  return ordered_beta_kernel<T>(choose(swapped, b, a), choose(swapped, a, b), choose(swapped, y, x),
                                choose(swapped, x, y));
}

// The continued fraction of DLMF 8.17.22 by Lentz's method, for x below the mode.
template <class T> struct Fraction {
  using Number = T;
  T c, d, h, m, factor;
  template <class F> void parts(F f) { f(c), f(d), f(h), f(m), f(factor); }
};
template <class T> T beta_fraction(const T& a, const T& b, const T& x) {
  using State = Fraction<T>;
  const auto advance = [](State s, const T& numerator) {
    s.d = 1 / off_zero(T(1 + numerator * s.d));
    s.c = off_zero(T(1 + numerator / s.c));
    s.factor = s.d * s.c;
    s.h *= s.factor;
    return s;
  };
  const T first = 1 / off_zero(T(1 - (a + b) * x / (a + 1)));
  return iterate(
             State{1, first, first, 1, 0}, [](const State& s) { return s.m < 20000 && abs(s.factor - 1) >= 2e-16; },
             [&](const State& s) {
               const T& m = s.m;
               const State half = advance(s, T(m / (a + 2 * m - 1) * ((b - m) / (a + 2 * m)) * x));
               State next = advance(half, T(-(a + m) / (a + 2 * m) * ((a + b + m) / (a + 2 * m + 1)) * x));
               next.m = m + 1;
               return next;
             })
      .h;
}

// I_x(a, b) for b < 1 by powers of x, DLMF 8.17.7: all terms are positive, so that a small value is right to its last digits.
template <class T> T beta_powers(const T& a, const T& b, const T& x, const T& y, const T& kernel) {
  using State = std::array<T, 3>;  // sum, term, n of the next one
  const auto going = [&](const State& s) { return s[2] < 10000 && s[1] >= 1e-17 * (a + (s[2] - 1)) * s[0] * (1 - x); };
  const T sum = iterate(State{1 / a, 1, 1}, going, [&](const State& s) {
    const T term = s[1] * ((s[2] - b) / s[2] * x);
    return State{s[0] + term / (a + s[2]), term, s[2] + 1};
  })[0];
  return kernel * sum / pow(y, b);
}

// I_x(a, b) for x at or below the mode.
template <class T> T beta_lower(const T& a, const T& b, const T& x, const T& y, const T& kernel) {
  const auto integral = [&] {
    const T n = a + b, slope = larger(T(0.0), T(fma(a, y, -b * x)));
    const auto energy = [&](const T& u) {
      const T w = x * expm1(-u);
      return T(slope * u + n * (x * expm1_rest(T(-u)) - log1p_rest(w)));
    };
    const T width = 1 / (slope / cutoff + sqrt(n * x * y / (2 * cutoff)) + 1e-300);
    return kernel * integrate(reach(width, energy), [&](const T& u) { return T(exp(-energy(u))); });
  };
  return choose(
      kernel == 0, 0.0, smaller(a, b) < 30, [&] { return kernel / a * beta_fraction(a, b, x); }, integral);
}

template <class T> T betainc_inside(const T& a, const T& b, const T& x) {
  const T y = 1 - x, kernel = beta_kernel(a, b, x, y);
  const auto above = x > (a + 1) / (a + b + 2), near = b < 1 && x <= 0.9;
  const auto by_side = [&] {
    const T lower =
        beta_lower<T>(choose(above, b, a), choose(above, a, b), choose(above, y, x), choose(above, x, y), kernel);
    return choose(
        above, [&] { return 1 - lower; }, lower);
  };
  const T value = choose(near, 0.0, by_side);
  // Rather thousands of terms than cancellation.
  const auto cancelled = above && b < 1 && value < 0.5 && x < 0.995;
  return choose(
      near || cancelled, [&] { return smaller(T(1.0), beta_powers(a, b, x, y, kernel)); }, value);
}
template <class T> T betainc(const T& a, const T& b, const T& x) {
  const auto valid = a >= 0 && b >= 0 && x >= 0 && x <= 1 && (a > 0 || b > 0) && (a < inf || b < inf);
  return choose(!valid, nan_value, x == 0 || x == 1, x, a == 0 || b == inf, 1.0, b == 0 || a == inf, 0.0,
                [&] { return betainc_inside(a, b, x); });
}

template <class T> T beta_density(const T& a, const T& b, const T& x) {
  const auto valid = a >= 0 && b >= 0 && x >= 0 && x <= 1;
  const auto at_end = [](const T& own, const T& other) { return choose(own < 1, inf, own == 1, other, 0.0); };
  return choose(
      !valid, nan_value, a == 0 || b == 0 || a == inf || b == inf, 0.0, x == 0, [&] { return at_end(a, b); }, x == 1,
      [&] { return at_end(b, a); }, [&] { return beta_kernel(a, b, x, T(1 - x)) / x / (1 - x); });
}

// --- logarithms -----------------------------------------------------------------------------------------------------------------
template <class T> T product_with_log(const T& x, const T& log_y) {
  return choose(x == 0, 0.0, [&] { return x * log_y; });
}

template <class T> T log_gamma_density(const T& a, const T& x) {
  const auto direct = [&] { return product_with_log(T(a - 1), T(log(x))) - x - lgamma(a); };
  const auto far = [&] {
    const T deviation = (x - a) / a;
    const T exponent = choose(
        deviation > -0.5, [&] { return -a * log1p_rest(deviation); }, [&] { return a * log(x / a) + (a - x); });
    return 0.5 * log(a / two_pi) + (exponent - stirling_rest(a)) - log(x);
  };
  return choose(a >= 10 && x > 0 && x < inf && a < inf, far, direct);
}

template <class T> T log_beta_density(const T& a, const T& b, const T& x) {
  const auto direct = [&] {
    return product_with_log(T(a - 1), T(log(x))) + product_with_log(T(b - 1), T(log1p(-x))) - betaln(a, b);
  };
  const auto far = [&] {
    const T n = a + b, deviation = fma(x, b, -a * (1 - x));
    const T exponent = a * log1p_rest(T(deviation / a)) + b * log1p_rest(T(-deviation / b));
    const T corrections = stirling_rest(n) - stirling_rest(a) - stirling_rest(b);
    return 0.5 * log(a / two_pi * (b / n)) + (corrections - exponent) - log(x) - log1p(-x);
  };
  const auto large = a >= 10 && b >= 10 && x > 0 && x < 1 && a < inf && b < inf;
  return choose(a < 0 || b < 0, nan_value, large, far, direct);
}

}  // namespace cotan::ops::special

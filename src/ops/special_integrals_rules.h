// Integrals of elementary functions: error functions in the complex plane, exponential, sine and Fresnel integrals, the
// dilogarithm, Owen's T, the normal distribution function's inverse and logarithm.
#pragma once
#include "ops/complex_pair.h"
#include "ops/special_incomplete_rules.h"

namespace cotan::ops::special {

template <class T> T erfcx(const T& x) {
  const auto low_side = [&] {
    const T square = x * x, low = fma(x, x, -square), e = exp(square);
    return choose(x < -27, inf, [&] { return madd(e, low, e) * erfc(x); });
  };
  const auto far = [&] {
    const T z = 1 / (2 * x * x);
    return (1 - z * (1 - 3 * z * (1 - 5 * z * (1 - 7 * z * (1 - 9 * z * (1 - 11 * z)))))) / (x * root_pi);
  };
  const auto middle = [&] {
    const T t = (x - 3) / (x + 3);
    return (C::erfcx[0] + madd(horner(t, C::erfcx, 1), t, T(C::erfcx_lost))) / (1 + 2 * x);
  };
  return choose(x<0.49, low_side, x> 28, far, middle);
}

// G. B. Rybicki, "Dawson's integral and the sampling theorem", Computers in Physics 3 (1989): a sum of Gaussians, whose error is
// exp(-(pi / 2h)^2).
template <class T> T dawsn(const T& x) {
  using State = std::array<T, 2>;
  const T a = abs(x);
  const auto near = [&] {
    return repeat(13, State{x, x}, [&](const T& i, const State& s) {
      const T term = s[1] * (-2 * x * x / (2 * i + 3));
      return State{s[0] + term, term};
    })[0];
  };
  const auto far = [&] {
    const T z = 1 / (2 * x * x);
    const T sum = repeat(17, std::array<T, 1>{1.0}, [&](const T& i, const std::array<T, 1>& s) {
      return std::array<T, 1>{1 + (33 - 2 * i) * z * s[0]};
    })[0];
    return sum / (2 * x);
  };
  const auto middle = [&] {
    constexpr double h = 0.25;
    const T even = 2 * rint(a / (2 * h)), off = a - even * h;
    const T sum = repeat(28, std::array<T, 1>{0.0}, [&](const T& i, const std::array<T, 1>& s) {
      const T n = 2 * i - 27, d = off - n * h;
      return std::array<T, 1>{s[0] + exp(-d * d) / (n + even)};
    })[0];
    return copysign(T(sum / root_pi), x);
  };
  return choose(isnan(x) || x == 0, x, a<0.3, near, a> 7, far, middle);
}

// --- exponential integrals --------------------------------------------------------------------------------------------------------
// E_n(x) for x > 1: the continued fraction of DLMF 8.19.17, by Lentz.
template <class T> T expn_fraction(const T& n, const T& x) {
  struct Names {
    enum { b, c, d, h, i, factor };
  };
  using State = std::array<T, 6>;
  const auto step = [&](const State& s) {
    const T i = s[Names::i], a = -i * (n - 1 + i), b = s[Names::b] + 2;
    const T d = 1 / (a * s[Names::d] + b), c = b + a / s[Names::c], factor = c * d;
    return State{b, c, d, s[Names::h] * factor, i + 1, factor};
  };
  const T first = x + n;
  return iterate(
             State{first, 1e300, 1 / first, 1 / first, 1, 0},
             [](const State& s) { return s[Names::i] < 1000 && abs(s[Names::factor] - 1) >= 2e-16; }, step)[Names::h] *
         exp(-x);
}

// DLMF 8.19.8, for 0 < x <= 1.
template <class T> T expn_series(const T& n, const T& x) {
  using State = std::array<T, 4>;  // sum, factor, term, k of the next one
  const T first = choose(
      n == 1, [&] { return -log(x) - euler; }, [&] { return 1 / (n - 1); });
  const T at_order = digamma(n) - log(x);
  return iterate(
      State{first, 1, 1, 1},
      [&](const State& s) { return s[3] < 60 && !(abs(s[2]) < 1e-18 * abs(s[0]) && s[3] - 1 > n); },
      [&](const State& s) {
        const T k = s[3], factor = s[1] * (-x / k);
        const T term = choose(
            k == n - 1, [&] { return factor * at_order; }, [&] { return -factor / (k - (n - 1)); });
        return State{s[0] + term, factor, term, k + 1};
      })[0];
}

template <class T> T expn(const T& n, const T& x) {
  using State = std::array<T, 2>;  // E_-m, the next m
  const auto upwards = [&] {
    const T e = exp(-x);
    return iterate(
        State{e / x, 1}, [&](const State& s) { return s[1] <= -n && s[0] < inf; },
        [&](const State& s) {
          return State{(e + s[1] * s[0]) / x, s[1] + 1};
        })[0];
  };
  const auto at_zero = [&] {
    return choose(
        n > 1, [&] { return 1 / (n - 1); }, inf);
  };
  return choose(
      isnan(n) || isnan(x) || x < 0 || !whole(n) || abs(n) == inf, nan_value, x == inf, 0.0, x == 0, at_zero, n < -1e4,
      inf, n<1, upwards, x> 1 || n > 40, [&] { return expn_fraction(n, x); }, [&] { return expn_series(n, x); });
}

template <class T> T expi(const T& x) {
  using State = std::array<T, 3>;  // sum, term, k
  const auto negative = [&] { return choose(x == -inf, -0.0, [&] { return -expn(T(1.0), T(-x)); }); };
  const auto huge = [&] {
    return choose(x > 717, inf,
                  [&] { return exp(x - 10) / x * (1 + 1 / x * (1 + 2 / x * (1 + 3 / x))) * 22026.4657948067165170; });
  };
  const auto asymptotic = [&] {
    const T sum = iterate(
        State{0, 1, 1}, [](const State& s) { return s[2] < 60 && s[1] > 1e-17; },
        [&](const State& s) {
          return State{s[0] + s[1], s[1] * (s[2] / x), s[2] + 1};
        })[0];
    return exp(x) / x * sum;
  };
  const auto series = [&] {
    const T sum = iterate(
        State{0, 1, 1}, [](const State& s) { return s[2] < 300 && s[1] >= 1e-17 * (s[2] - 1) * s[0]; },
        [&](const State& s) {
          const T term = s[1] * (x / s[2]);
          return State{s[0] + term / s[2], term, s[2] + 1};
        })[0];
    return euler + log(x) + sum;
  };
  return choose(isnan(x), x, x == 0, -inf, x<0, negative, x> 712, huge, x > 40, asymptotic, series);
}

// --- sine and cosine integrals ------------------------------------------------------------------------------------------------------
// A continued fraction in the complex plane, by Lentz: the product h of the factors c d.
template <class T> struct ComplexFraction {
  using Number = T;
  Pair<T> b, c, d, h, factor;
  T i;
  template <class F> void parts(F f) { f(b), f(c), f(d), f(h), f(factor), f(i); }
};
// Denominators b, b + by, ..., numerators that `numerator` gives for i = 1, 1 + step, ... below `most`.
template <class T, class F>
Pair<T> complex_fraction(const Pair<T>& b, double by, double step, double most, const F& numerator) {
  using State = ComplexFraction<T>;
  const Pair<T> first = inverse(b);
  const auto going = [most](const State& s) { return s.i < most && abs(s.factor.re - 1) + abs(s.factor.im) >= 2e-16; };
  return iterate(State{b, {1e300, 0}, first, first, {0, 0}, 1}, going,
                 [&](State s) {
                   const T a = numerator(s.i);
                   s.b.re += by;
                   s.d = inverse(a * s.d + s.b);
                   s.c = s.b + a * inverse(s.c);
                   s.factor = s.c * s.d;
                   s.h = s.h * s.factor;
                   s.i += step;
                   return s;
                 })
      .h;
}

// E_1(ix) for x > 4 gives both integrals: Ci = -Re, Si = pi/2 + Im. DLMF 6.9.1.
template <class T> Pair<T> exponential_integral(const T& x) {
  const Pair<T> h = complex_fraction(Pair<T>{1, x}, 2, 1, 200, [](const T& i) { return T(-i * i); });
  return h * Pair<T>{cos(x), -sin(x)};
}

template <class T> T sine_integral(const T& x) {
  using State = std::array<T, 2>;
  const T a = abs(x);
  const auto series = [&] {
    return repeat(29, State{x, x}, [&](const T& i, const State& s) {
      const T k = i + 1, term = s[1] * (-x * x / (2 * k * (2 * k + 1)));
      return State{s[0] + term / (2 * k + 1), term};
    })[0];
  };
  return choose(
      isnan(x) || x == 0, x, a == inf, [&] { return copysign(T(half_pi), x); }, a > 4,
      [&] { return copysign(T(half_pi + exponential_integral(a).im), x); }, series);
}

template <class T> T cosine_integral(const T& x) {
  using State = std::array<T, 2>;
  const T a = abs(x);
  const auto series = [&] {
    const T sum = repeat(29, State{0, 1}, [&](const T& i, const State& s) {
      const T k = i + 1, term = s[1] * (-x * x / (2 * k * (2 * k - 1)));
      return State{s[0] + term / (2 * k), term};
    })[0];
    return euler + log(a) + sum;
  };
  return choose(
      isnan(x) || x == -inf, nan_value, a == inf, 0.0, a == 0, -inf, a > 4, [&] { return -exponential_integral(a).re; },
      series);
}

// --- Fresnel integrals ----------------------------------------------------------------------------------------------------------------
// C + iS at a > 1.6 by the continued fraction of erfc; the phase pi a^2 / 2 is reduced before it is rounded.
template <class T> Pair<T> fresnel_far(const T& a) {
  const auto fraction = [&] {
    const T square = a * a, low = fma(a, a, -square);
    const T phase = half_pi * (fmod(square, T(4)) + low);
    const Pair<T> h = complex_fraction(Pair<T>{1, -pi * square}, 4, 2, 400, [](const T& k) { return T(-k * (k + 1)); });
    const Pair<T> rest = Pair<T>{1, 0} - Pair<T>{cos(phase), sin(phase)} * (h * Pair<T>{a, -a});
    return Pair<T>{0.5, 0.5} * rest;
  };
  return choose(a > 1e15, Pair<T>{0.5, 0.5}, fraction);
}

// Powers of the phase: the sum over k of (-1)^k p^(2k + first) / ((2k + first)! (4k + 2 first + 1)), times x.
template <class T> T fresnel_near(const T& x, int first) {
  using State = std::array<T, 2>;  // sum, term
  const T p = half_pi * x * x, start = first == 0 ? T(1.0) : p;
  return x * repeat(29, State{start / (2 * first + 1), start}, [&](const T& i, const State& s) {
           const T n = 2 * (i + 1) + first, term = s[1] * (-p * p / (n * (n - 1)));
           return State{s[0] + term / (2 * n + 1), term};
         })[0];
}
template <class T> T fresnel_sine(const T& x) {
  const T a = abs(x);
  return choose(
      a > 1.6, [&] { return copysign(T(choose(a == inf, 0.5, [&] { return fresnel_far(a).im; })), x); },
      [&] { return fresnel_near(x, 1); });
}
template <class T> T fresnel_cosine(const T& x) {
  const T a = abs(x);
  return choose(
      a > 1.6, [&] { return copysign(T(choose(a == inf, 0.5, [&] { return fresnel_far(a).re; })), x); },
      [&] { return fresnel_near(x, 0); });
}

// --- the dilogarithm --------------------------------------------------------------------------------------------------------------------
// Li_2(1 - e^-u) = the sum of B_n u^(n+1) / (n+1)!, for |u| <= ln 2.
template <class T> T dilogarithm(const T& u) {
  static constexpr double b[] = {1.0 / 36,
                                 -1.0 / 3600,
                                 1.0 / 211680,
                                 -1.0 / 10886400,
                                 1.0 / 526901760.0,
                                 -691.0 / 16999766784000.0,
                                 1.0 / 1120863744000.0};
  const T z = u * u;
  return u - z / 4 + u * z * horner(z, b);
}
template <class T> T spence_up_to_two(const T& z) {
  const auto small = [&] {
    const T other = -log1p(-z);
    return pi * pi / 6 + log(z) * other - dilogarithm(other);
  };
  return choose(
      z >= 0.5, [&] { return dilogarithm(T(-log(z))); }, small);
}
template <class T> T spence(const T& z) {
  const auto large = [&] {
    const T l = log(z);
    return -spence_up_to_two(T(1 / z)) - 0.5 * l * l;
  };
  return choose(!(z >= 0), nan_value, z == 0, pi * pi / 6, z == 1, 0.0, z == inf, -inf, z > 2, large,
                [&] { return spence_up_to_two(z); });
}

// --- the normal distribution ------------------------------------------------------------------------------------------------------------
// erfc(x / sqrt 2) / 2; what rounding the argument loses is given back, for it counts x^2 times.
template <class T> T upper_normal(const T& x) {
  const T y = x * root_half, q = 0.5 * erfc(y);
  const auto corrected = [&] {
    const T low = fma(x, T(root_half), -y) + x * -4.833646656726456e-17;
    return q - q * low * (2 / root_pi) / erfcx(y);
  };
  return choose(y > 0.5 && y <= 27, corrected, q);
}

// Owen's integral for 0 <= a <= 1.
template <class T> T owens_integral(const T& h, const T& a) {
  const T top = choose(
      h > 9, [&] { return smaller(a, T(9 / h)); }, a);
  return integrate(top, [&](const T& x) { return T(exp(-0.5 * h * h * (1 + x * x)) / (1 + x * x)); }) / (2 * pi);
}
template <class T> T owens_t(const T& h0, const T& a0) {
  const T h = abs(h0), a = abs(a0);
  const auto above_one = [&] {
    const T q = upper_normal(h), r = upper_normal(T(a * h));
    return choose(
        a == inf, [&] { return 0.5 * q; }, [&] { return 0.5 * (q + r) - q * r - owens_integral(T(a * h), T(1 / a)); });
  };
  const T t = choose(
      h == inf, 0.0, h == 0, [&] { return atan(a) / (2 * pi); }, a <= 1, [&] { return owens_integral(h, a); },
      above_one);
  return choose(isnan(h0) || isnan(a0), nan_value, [&] { return copysign(t, a0); });
}

template <class T> T log_ndtr(const T& x) {
  return choose(
      isnan(x), x, x > -1, [&] { return log1p(-upper_normal(x)); }, x == -inf, -inf,
      [&] { return log(0.5 * erfcx(T(-x * root_half))) - 0.5 * x * x; });
}

// For 0 < p < 1/2.
template <class T> T ndtri_lower(const T& p) {
  using State = std::array<T, 3>;  // x, step, steps
  const auto middle = [&] {
    const T x = 1.41421356237309504880 * erf_inv(2 * p - 1);
    const auto corrected = [&] {
      const T density = 0.39894228040143267794 * exp(-0.5 * x * x);
      return x - (upper_normal(T(-x)) - p) / density;
    };
    return choose(p > 0.25, x, corrected);
  };
  const auto tail = [&] {  // Newton on the logarithm, which is nearly a parabola
    const T target = log(p), t = sqrt(-2 * target);
    const auto newton = [&](const State& s) {
      const T scaled = erfcx(T(-s[0] * root_half)),
              ratio = 0.79788456080286535588 / scaled;  // the derivative of log_ndtr
      const T step = (log(0.5 * scaled) - 0.5 * s[0] * s[0] - target) / ratio;
      return State{s[0] - step, step, s[2] + 1};
    };
    return iterate(
        State{-(t - (log(t) + half_log_two_pi) / t), inf, 0},
        [](const State& s) { return s[2] < 5 && abs(s[1]) >= 1e-9 * abs(s[0]); }, newton)[0];
  };
  return choose(p > 0.02, middle, tail);
}
template <class T> T ndtri(const T& p) {
  return choose(
      !(p >= 0) || p > 1, nan_value, p == 0, -inf, p == 1, inf, p == 0.5, 0.0, p > 0.5,
      [&] { return -ndtri_lower(T(1 - p)); }, [&] { return ndtri_lower(p); });
}

// --- the Faddeeva function --------------------------------------------------------------------------------------------------------------
// Im z >= 0, |z| <= 8: the trapezoidal rule for the integral of exp(-t^2) / (z - t), with its residue at z (M. Al Azah and S. N.
// Chandler-Wilde, SIAM J. Numer. Anal. 59, 2021); of the rules with nodes kh and (k + 1/2)h the one whose nodes are farther from z.
template <class T> Pair<T> wofz_near(const Pair<T>& z) {
  constexpr double h = 0.5;
  const T position = abs(z.re) / h, off = abs(position - rint(position));
  const auto middle = off < 0.25;
  const T shift = choose(middle, T(0.5), T(0.0));
  const Pair<T> square = z * z;
  // From the last node to the first, which counts half where it is 0.
  const Pair<T> sum = repeat(14, Pair<T>{0, 0}, [&](const T& i, const Pair<T>& s) {
    const T t = (13 - i + shift) * h, weight = choose(t == 0, T(0.5), [&] { return exp(-t * t); });
    return s + weight * inverse(square - Pair<T>{t * t, 0});
  });
  const Pair<T> w = Pair<T>{0, 2 * h / pi} * (z * sum);
  const auto with_residue = [&] {
    const Pair<T> turn = exp_of(Pair<T>{0, -2 * pi / h} * z);  // grows with Im z
    const Pair<T> one{1, 0};
    return w + T(2.0) * (exp_of(-square) * inverse(choose(middle, one + turn, one - turn)));
  };
  return choose(z.im < pi / h, with_residue, w);
}

// The continued fraction of Laplace, for large |z|.
template <class T> Pair<T> wofz_far(const Pair<T>& z) {
  const Pair<T> f = repeat(16, z, [&](const T& i, const Pair<T>& s) { return z - 0.5 * (16 - i) * inverse(s); });
  return Pair<T>{0, 1 / root_pi} * inverse(f);
}

template <class T> Pair<T> wofz(const Pair<T>& z) {
  const auto below = z.im < 0;
  const Pair<T> up = choose(below, -z, z);
  const T size = abs(z.re) + abs(z.im);
  const auto huge = [&] {
    return Pair<T>{0, 1 / root_pi} * (Pair<T>{1 / size, 0} * Pair<T>{up.re / size, -(up.im / size)});
  };
  const auto real = [&] { return Pair<T>{exp(-z.re * z.re), 2 / root_pi * dawsn(z.re)}; };
  const auto upper = [&] {
    return choose(
        size == inf, Pair<T>{0, 0}, z.im == 0, real, size > 1e150, huge, up.re * up.re + up.im * up.im > 64,
        [&] { return wofz_far(up); }, [&] { return wofz_near(up); });
  };
  const auto value = [&] {
    const Pair<T> w = upper();
    return choose(
        below, [&] { return T(2.0) * exp_of(-(z * z)) - w; }, w);
  };
  return choose(isnan(z.re) || isnan(z.im), Pair<T>{nan_value, nan_value}, value);
}

}  // namespace cotan::ops::special

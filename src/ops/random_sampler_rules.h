// Samplers by rejection: each element draws from its own sequence, the threefry2x32 hashes of 0, 1, 2, ... under a key of 64 bits,
// so that no sample depends on where its element stands in a batch. All are computed in float64, whatever the result's type.
//   random_gamma(shape): Marsaglia and Tsang, "A simple method for generating gamma variables", TOMS 2000; or its logarithm.
//   random_poisson(rate): `invalid` where the rate is none; inversion below 10; else PTRS: Hoermann, "The transformed rejection
//   method for generating Poisson random variables", 1993.
//   random_binomial(count, probability): inversion where the mean is below 10; else BTRS: Hoermann, "The generation of binomial
//   random variates", 1993.
// `uniform(i)` is the i-th number of the sequence, in (0, 1).
#pragma once
#include "ops/special_parts.h"

namespace cotan::ops::special {

template <class T> struct Trial {
  using Number = T;
  T draws, value, done;  // how many were drawn; what was accepted; 1: it was
  template <class F> void parts(F f) { f(draws), f(value), f(done); }
};
// The value that `trial`, given how many were drawn before, accepts.
template <class T, class F> Trial<T> accepted(const F& trial) {
  return iterate(
      Trial<T>{0, 0, 0}, [](const Trial<T>& t) { return t.done == 0; },
      [&](const Trial<T>& t) { return trial(t.draws); });
}

template <class T, class U> T gamma_sample(const T& shape, const U& uniform, bool log_space) {
  const auto boosted = shape < 1;  // a sample for shape + 1 times uniform^(1 / shape)
  const T d = choose(
                  boosted, [&] { return shape + 1; }, shape) -
              1.0 / 3,
          c = 1 / sqrt(9 * d);
  const auto trial = [&](const T& drawn) {
    const T x = std::sqrt(2.0) * erf_inv(2 * uniform(drawn) - 1), s = 1 + c * x;
    const auto positive = [&] {
      const T v = s * s * s, u = uniform(T(drawn + 1)), x2 = x * x;
      const auto taken = u < 1 - 0.0331 * x2 * x2 || log(u) < 0.5 * x2 + d * (1 - v + 3 * log(s));
      return Trial<T>{drawn + 2, s, choose(taken, T(1), T(0))};
    };
    return choose(s > 0, positive, Trial<T>{drawn + 1, 0, 0});
  };
  const auto sample = [&] {
    const Trial<T> t = accepted<T>(trial);
    const T s = t.value, v = s * s * s;
    const T log_boost = choose(
        boosted, [&] { return log(uniform(t.draws)) / shape; }, 0.0);
    if (log_space) return T(log(d) + 3 * log(s) + log_boost);
    return T(choose(
        boosted, [&] { return d * v * exp(log_boost); }, [&] { return d * v; }));
  };
  return choose(!(shape >= 0), nan_value, shape == inf, inf, sample);
}

// log k! - (k log k - k + log(2 pi k) / 2).
template <class T> T stirling_error(const T& k) {
  using State = std::array<T, 2>;
  const auto small = [&] {
    const T factorial = iterate(
        State{1, 2}, [&](const State& s) { return s[1] <= k; },
        [](const State& s) {
          return State{s[0] * s[1], s[1] + 1};
        })[0];
    return log(factorial) - ((k + 0.5) * log(k) - k + half_log_two_pi);
  };
  const auto large = [&] {
    const T r = 1 / (k * k);
    return (1.0 / 12 - r * (1.0 / 360 - r * (1.0 / 1260 - r * (1.0 / 1680)))) / k;
  };
  return choose(k < 10, small, large);
}

// k log(k / mean) + mean - k, whose error does not grow with k as that of its terms does (Loader's deviance).
template <class T> T deviance(const T& k, const T& mean) {
  const T e = (k - mean) / mean;
  return mean * ((1 + e) * log1p(e) - e);
}

template <class T> T log_poisson(const T& k, const T& rate) {
  return choose(
      k == 0, [&] { return -rate; }, [&] { return -stirling_error(k) - deviance(k, rate) - 0.5 * log(two_pi * k); });
}

// The first k with u below the sum of probabilities up to its own, of which `next` makes another: beyond `last`, or 200, they are below
// the resolution of u.
template <class T, class F> T by_inversion(const T& u, const T& first, const T& last, const F& next) {
  using State = std::array<T, 3>;  // what is left of u, the probability, k
  return iterate(
      State{u, first, 0}, [&](const State& s) { return s[0] > s[1] && s[2] < last && s[2] < 200; },
      [&](const State& s) {
        return State{s[0] - s[1], next(s[1], T(s[2] + 1)), s[2] + 1};
      })[2];
}

// Of transformed rejection: where a trial of k may be taken without its probability, must not be, or by it.
template <class T, class F>
Trial<T> transformed_trial(const T& drawn, const T& k, const T& us, const T& v, const T& sure, const T& last,
                           const F& by_probability) {
  const auto at_once = us >= 0.07 && v <= sure;
  const auto never = k < 0 || k > last || (us < 0.013 && v > us);
  const auto taken = choose(at_once, T(1), never, T(0), [&] { return choose(by_probability(), T(1), T(0)); });
  return Trial<T>{drawn + 2, k, taken};
}

template <class T, class U> T poisson_sample(const T& rate, const U& uniform, double invalid) {
  const auto small = [&] {
    return by_inversion(uniform(T(0)), T(exp(-rate)), T(inf),
                        [&](const T& p, const T& k) { return T(p * (rate / k)); });
  };
  const auto large = [&] {
    const T b = 0.931 + 2.53 * sqrt(rate), a = -0.059 + 0.02483 * b;
    const T inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), sure = 0.9277 - 3.6224 / (b - 2);
    return accepted<T>([&](const T& drawn) {
             const T u = uniform(drawn) - 0.5, v = uniform(T(drawn + 1)), us = 0.5 - abs(u);
             const T k = floor((2 * a / us + b) * u + rate + 0.43);
             return transformed_trial(drawn, k, us, v, sure, T(inf), [&] {
               return log(v * inverse_alpha / (a / (us * us) + b)) <= log_poisson(k, rate);
             });
           })
        .value;
  };
  return choose(!(rate >= 0), invalid, rate == inf, inf, rate < 10, small, large);
}

template <class T> T log_binomial(const T& k, const T& n, const T& p) {
  const auto inside = [&] {
    return stirling_error(n) - stirling_error(k) - stirling_error(T(n - k)) - deviance(k, T(n * p)) -
           deviance(T(n - k), T(n * (1 - p))) + 0.5 * log(n / (two_pi * k * (n - k)));
  };
  return choose(
      k == 0, [&] { return n * log1p(-p); }, k == n, [&] { return n * log(p); }, inside);
}

// For p up to 1/2.
template <class T, class U> T binomial_half(const T& n, const T& p, const U& uniform) {
  const T mean = n * p;
  const auto small = [&] {
    const T odds = p / (1 - p);
    return by_inversion(uniform(T(0)), T(exp(n * log1p(-p))), n,
                        [&](const T& f, const T& k) { return T(f * ((n - k + 1) / k * odds)); });
  };
  const auto large = [&] {
    const T spread = sqrt(mean * (1 - p)), b = 1.15 + 2.53 * spread, a = -0.0873 + 0.0248 * b + 0.01 * p;
    const T alpha = (2.83 + 5.1 / b) * spread, sure = 0.92 - 4.2 / b;
    const T at_mode = log_binomial(T(floor((n + 1) * p)), n, p);
    return accepted<T>([&](const T& drawn) {
             const T u = uniform(drawn) - 0.5, v = uniform(T(drawn + 1)), us = 0.5 - abs(u);
             const T k = floor((2 * a / us + b) * u + mean + 0.5);
             return transformed_trial(drawn, k, us, v, sure, n, [&] {
               return log(v * alpha / (a / (us * us) + b)) <= log_binomial(k, n, p) - at_mode;
             });
           })
        .value;
  };
  return choose(mean < 10, small, large);
}

template <class T, class U> T binomial_sample(const T& count, const T& p, const U& uniform) {
  const T n = floor(count);
  const auto lower = p <= 0.5;
  const auto sample = [&] {
    const T k = binomial_half<T>(n, choose(lower, p, [&] { return 1 - p; }), uniform);
    return choose(lower, k, [&] { return n - k; });
  };
  return choose(!(n >= 0 && p >= 0 && p <= 1), nan_value, n == 0 || p == 0, 0.0, p == 1 || n == inf, n, sample);
}

}  // namespace cotan::ops::special

// Samplers by rejection have the distribution that they claim. Seeds are fixed, so a test passes always or never; bounds are those
// that a right sampler crosses once in ten thousand seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "cotan/cotan.h"
#include "ops/special.h"

namespace cotan {
namespace {
namespace jnp = cotan::numpy;

constexpr std::int64_t n = 20000;

// sqrt(n) times the largest distance between the distribution functions: Kolmogorov and Smirnov. Beyond 2.23 once in 10^4.
double kolmogorov(const Array& samples, const std::function<Array(const Array&)>& distribution) {
  enable_x64 x64;
  const View<double> values = samples.astype(float64).span<double>();
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const Array f = distribution(jnp::array(sorted));
  double most = 0;
  const auto count = static_cast<double>(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double p = f.span<double>()[i];
    most = std::max(
        {most, std::fabs(p - static_cast<double>(i) / count), std::fabs(p - static_cast<double>(i + 1) / count)});
  }
  return most * std::sqrt(count);
}
#define EXPECT_DISTRIBUTION(samples, cdf) EXPECT_LT(kolmogorov(samples, cdf), 2.23)

Array f64(double v) { return Array(v).astype(float64); }

// (chi^2 - bins) / sqrt(2 bins) over bins of at least 20 expected samples; beyond 4.3 once in 10^4, roughly.
double chi_square(const Array& samples, const std::function<double(double)>& probability, double first, double last) {
  std::map<double, double> counts;
  {
    enable_x64 x64;
    for (double v : samples.astype(float64).span<double>()) ++counts[v];
  }
  double stat = 0, bins = 0, expected = 0, observed = 0, seen = 0, total = 0;
  const auto size = static_cast<double>(samples.size());
  const auto close = [&] {
    stat += (observed - expected) * (observed - expected) / expected;
    ++bins;
    seen += expected, total += observed;
    expected = observed = 0;
  };
  for (double k = first; k <= last; ++k) {
    expected += size * probability(k);
    observed += counts.count(k) ? counts[k] : 0;
    if (expected >= 20 && seen + expected <= size - 20) close();
  }
  expected = size - seen, observed = size - total;  // the rest
  if (expected > 1) close();
  else EXPECT_LT(observed, 8);
  return (stat - (bins - 1)) / std::sqrt(2 * std::max(bins - 1, 1.0));
}

TEST(Distributions, Gamma) {
  const Array key = random::key(1);
  for (double a : {1e-3, 0.05, 0.5, 0.999, 1.0, 1.5, 10.0, 1e3, 1e6}) {
    const auto cdf = [&](const Array& x) { return ops::igamma(jnp::full({n}, a, float64), x); };
    const auto log_cdf = [&](const Array& x) { return ops::igamma(jnp::full({n}, a, float64), jnp::exp(x)); };
    enable_x64 x64;
    if (a > 0.01) {
      EXPECT_DISTRIBUTION(random::gamma(key, a, n, float64), cdf) << a;
      EXPECT_DISTRIBUTION(random::loggamma(key, a, n, float64), log_cdf) << a;
    }
    const Array u = random::loggamma(key, a, n, float64);  // log P = a log x - lgamma(a + 1) far below 1
    if (a < 0.01) {
      EXPECT_DISTRIBUTION(
          u, [&](const Array& x) { return jnp::where(x < -30., jnp::exp(a * x - std::lgamma(a + 1)), log_cdf(x)); });
    }
  }
  EXPECT_DISTRIBUTION(random::gamma(key, 2.5, n),
                      [](const Array& x) { return ops::igamma(jnp::full({n}, 2.5, float64), x); });
}

TEST(Distributions, MadeOfGamma) {
  enable_x64 x64;
  const Array key = random::key(2);
  for (const auto& [a, b] : {std::pair(0.5, 0.5), {1.0, 1.0}, {2.0, 7.0}, {0.05, 3.0}, {300.0, 200.0}}) {
    const auto cdf = [&](const Array& x) {
      return ops::betainc(jnp::full({n}, a, float64), jnp::full({n}, b, float64), x);
    };
    EXPECT_DISTRIBUTION(random::beta(key, a, b, n), cdf) << a;
    const Array d = random::dirichlet(key, jnp::array({a, b}), n);
    EXPECT_DISTRIBUTION(d(all, 0), cdf) << a;
    EXPECT_LT(jnp::max(jnp::abs(jnp::sum(d, -1) - 1.)).item<double>(), 1e-15);
    EXPECT_DISTRIBUTION(random::f(key, 2 * a, 2 * b, n), [&](const Array& x) { return cdf(a * x / (a * x + b)); }) << a;
    EXPECT_DISTRIBUTION(random::chisquare(key, 2 * a, n),
                        [&](const Array& x) { return ops::igamma(jnp::full({n}, a, float64), x / 2.); });
  }
  for (double df : {1.0, 3.5, 30.0})
    EXPECT_DISTRIBUTION(random::t(key, df, n), [&](const Array& x) {
      const Array tail =
          0.5 * ops::betainc(jnp::full({n}, df / 2, float64), jnp::full({n}, 0.5, float64), df / (df + x * x));
      return jnp::where(x > 0., 1. - tail, tail);
    }) << df;
  for (double p : {0.5, 1.0, 2.0, 5.0})
    EXPECT_DISTRIBUTION(random::generalized_normal(key, p, n), [&](const Array& x) {
      const Array part = 0.5 * ops::igamma(jnp::full({n}, 1 / p, float64), jnp::power(jnp::abs(x), p));
      return jnp::where(x > 0., 0.5 + part, 0.5 - part);
    }) << p;
  const Array inside = random::ball(key, 3, 2, n);  // the norm's cube is uniform
  EXPECT_DISTRIBUTION(jnp::power(jnp::sum(inside * inside, -1), 1.5), [](const Array& x) { return x; });
}

TEST(Distributions, Poisson) {
  const Array key = random::key(3);
  for (double rate : {1e-3, 0.5, 3.0, 9.99, 10.0, 30.0, 1000.0, 1e6}) {
    const auto pmf = [&](double k) { return std::exp(k * std::log(rate) - rate - std::lgamma(k + 1)); };
    const double spread = 8 * std::sqrt(rate) + 10;
    EXPECT_LT(chi_square(random::poisson(key, rate, n), pmf, std::max(0.0, std::floor(rate - spread)), rate + spread),
              4.3)
        << rate;
  }
  const Array big = random::poisson(key, 1e8, n).astype(float32) - 1e8;  // nearly normal
  EXPECT_LT(std::fabs(jnp::mean(big).item<float>()), 4 * 1e4 / std::sqrt(n) + 8);
  EXPECT_NEAR(jnp::std(big).item<float>(), 1e4, 4 * 1e4 / std::sqrt(2.0 * n));
}

TEST(Distributions, Binomial) {
  const Array key = random::key(9);
  for (double p : {1e-4, 0.01, 0.3, 0.5, 0.7, 0.999})
    for (double m : {1.0, 5.0, 40.0, 1000.0, 100000.0}) {
      const auto pmf = [&](double k) {
        return std::exp(std::lgamma(m + 1) - std::lgamma(k + 1) - std::lgamma(m - k + 1) + k * std::log(p) +
                        (m - k) * std::log1p(-p));
      };
      const double spread = 8 * std::sqrt(m * p * (1 - p)) + 10;
      EXPECT_LT(chi_square(random::binomial(key, m, p, n), pmf, std::max(0.0, std::floor(m * p - spread)),
                           std::min(m, m * p + spread)),
                4.3)
          << m << " " << p;
    }
}

TEST(Distributions, Multinomial) {
  const Array p = jnp::array({0.1, 0.0, 0.5, 0.4});
  const Array counts = random::multinomial(random::key(5), 100, p, {.shape = {5000, 4}});
  EXPECT_TRUE(bool(jnp::all(jnp::sum(counts, -1) == 100.)));
  const Array mean = jnp::mean(counts, 0) / 100.;
  EXPECT_LT(jnp::max(jnp::abs(mean - p)).item<float>(), 4 * 0.05 / std::sqrt(5000.0));
  const Array spread = jnp::var(counts, 0) / 100.;
  EXPECT_LT(jnp::max(jnp::abs(spread - p * (1. - p))).item<float>(), 0.02);
}

TEST(Distributions, DoNotDependOnBatches) {
  const Array keys = random::split(random::key(6), 3), a = jnp::array({0.5, 2.0, 30.0});
  const auto one = [](const Array& k, const Array& x) { return random::gamma(k, x, 4); };
  const auto counted = [](const Array& k, const Array& x) { return random::poisson(k, x, 4); };
  const auto trials = [](const Array& k, const Array& x) { return random::binomial(k, x, 0.3, 4); };
  const Array g = vmap(one)(keys, a), c = vmap(counted)(keys, a), b = vmap(trials)(keys, a);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(bool(jnp::all(g(i) == one(keys(i), a(i)))));
    EXPECT_TRUE(bool(jnp::all(c(i) == counted(keys(i), a(i)))));
    EXPECT_TRUE(bool(jnp::all(b(i) == trials(keys(i), a(i)))));
  }
  EXPECT_TRUE(bool(jnp::all(jit(one)(keys(0), 3.5) == one(keys(0), 3.5))));
  EXPECT_TRUE(bool(jnp::all(random::gamma(keys(0), 2., 3) == random::gamma(keys(0), 2., 5)(slice(0, 3)))));
}

// A sample x is a function of a with P(a, x) fixed: its derivative, by differences of the quantile.
double quantile(double a, double p) {
  double low = -2000, high = 20;  // of log x
  for (int i = 0; i < 200; ++i) {
    const double mid = (low + high) / 2;
    const double value =
        mid < -30 ? std::exp(a * mid - std::lgamma(a + 1)) : ops::igamma(f64(a), f64(std::exp(mid))).item<double>();
    (value < p ? low : high) = mid;
  }
  return (low + high) / 2;
}
double log_p(double a, double log_x) {
  return log_x < -30 ? std::exp(a * log_x - std::lgamma(a + 1))
                     : ops::igamma(f64(a), f64(std::exp(log_x))).item<double>();
}

TEST(Distributions, GradientOfGamma) {
  enable_x64 x64;
  const auto draw = [](const Array& a, const Array& key) { return random::loggamma(key, a, Shape{}, float64); };
  const auto plain = [](const Array& a, const Array& key) { return random::gamma(key, a, Shape{}, float64); };
  for (double a : {0.01, 0.3, 1.0, 4.0, 200.0})
    for (int seed = 0; seed < 5; ++seed) {
      const Array key = random::key(seed);
      const double log_x = draw(f64(a), key).item<double>(), p = log_p(a, log_x), h = 1e-5 * a;
      if (p < 1e-6 || p > 1 - 1e-6) continue;
      const double slope = (quantile(a + h, p) - quantile(a - h, p)) / (2 * h);
      EXPECT_NEAR(grad(draw)(f64(a), key).item<double>(), slope, 1e-6 * std::fabs(slope)) << a << " " << seed;
      const double x = plain(f64(a), key).item<double>();
      if (x > 1e-300) { EXPECT_NEAR(grad(plain)(f64(a), key).item<double>(), slope * x, 1e-6 * std::fabs(slope * x)); }
    }
}

TEST(Distributions, GradientsThroughGamma) {
  enable_x64 x64;
  const Array key = random::key(8);
  const auto mean = [&](const Array& a) { return jnp::mean(random::beta(key, a, 3., 4000)); };
  const double expected = 3.0 / 25;  // of a / (a + 3) at 2
  EXPECT_NEAR(grad(mean)(f64(2)).item<double>(), expected, 0.01);
  const auto share = [&](const Array& a) { return jnp::mean(random::dirichlet(key, a, 4000)(all, 0)); };
  const Array g = grad(share)(jnp::array({2.0, 1.0, 1.0}));  // of a0 / sum: (a1 + a2) / sum^2, -a0 / sum^2
  EXPECT_NEAR(g(0).item<double>(), 2.0 / 16, 0.01);
  EXPECT_NEAR(g(1).item<double>(), -2.0 / 16, 0.01);
}

}  // namespace
}  // namespace cotan

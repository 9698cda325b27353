// Samplers by rejection: each element draws from its own sequence, the threefry2x32 hashes of 0, 1, 2, ... under a key of 64 bits,
// so that no sample depends on where its element stands in a batch. All are computed in float64, whatever the result's type.
//   random_gamma(shape, key): Marsaglia and Tsang, "A simple method for generating gamma variables", TOMS 2000. aux 1: its
//   logarithm.
//   random_poisson(rate, key): -1, with aux infinity, where the rate is none; inversion below 10; else PTRS: Hoermann, "The
//   transformed rejection method for generating Poisson random variables", 1993.
//   random_binomial(count, probability, key): inversion where the mean is below 10; else BTRS: Hoermann, "The generation of
//   binomial random variates", 1993.
#include "ops/random_sampler_tiles.h"

#include <bit>
#include <cmath>
#include <limits>

#include "ops/elementary_host.h"

namespace cotan::ops {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

// Threefry2x32 with 20 rounds; a pair of words has its first in the low half.
std::uint64_t threefry(std::uint64_t key, std::uint64_t counter) {
  constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  const std::uint32_t k[3] = {k0, k1, k0 ^ k1 ^ 0x1BD11BDAu};
  std::uint32_t x = static_cast<std::uint32_t>(counter) + k0, y = static_cast<std::uint32_t>(counter >> 32) + k1;
  for (unsigned i = 0; i < 5; ++i) {
    for (int r : rotations[i % 2]) {
      x += y;
      y = std::rotl(y, r) ^ x;
    }
    x += k[(i + 1) % 3];
    y += k[(i + 2) % 3] + i + 1;
  }
  return x | static_cast<std::uint64_t>(y) << 32;
}

class Draws {
 public:
  explicit Draws(std::uint64_t key) : key_(key) {}
  double uniform() {  // in (0, 1): a multiple of 2^-53 that is none of 2^-52
    return (static_cast<double>(threefry(key_, counter_++) >> 12) + 0.5) * 0x1p-52;
  }
  double normal() { return std::sqrt(2.0) * host::erf_inv(2 * uniform() - 1); }

 private:
  std::uint64_t key_, counter_ = 0;
};

double gamma_sample(double shape, Draws draws, bool log_space) {
  if (!(shape >= 0)) return nan;
  if (shape == infinity) return infinity;
  const bool boosted = shape < 1;  // a sample for shape + 1 times uniform^(1 / shape)
  const double d = (boosted ? shape + 1 : shape) - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  double v, log_v;
  for (;;) {
    const double x = draws.normal(), s = 1 + c * x;
    if (s <= 0) continue;
    v = s * s * s;
    const double u = draws.uniform(), x2 = x * x;
    log_v = 3 * host::log(s);
    if (u < 1 - 0.0331 * x2 * x2 || host::log(u) < 0.5 * x2 + d * (1 - v + log_v)) break;
  }
  const double log_boost = boosted ? host::log(draws.uniform()) / shape : 0;
  if (log_space) return host::log(d) + log_v + log_boost;
  return boosted ? d * v * host::exp(log_boost) : d * v;
}

// log k! - (k log k - k + log(2 pi k) / 2).
double stirling_error(double k) {
  constexpr double half_log_two_pi = 0.91893853320467274178;
  if (k < 10) {
    double factorial = 1;
    for (double i = 2; i <= k; ++i) factorial *= i;
    return host::log(factorial) - ((k + 0.5) * host::log(k) - k + half_log_two_pi);
  }
  const double r = 1 / (k * k);
  return (1.0 / 12 - r * (1.0 / 360 - r * (1.0 / 1260 - r * (1.0 / 1680)))) / k;
}

// k log(k / mean) + mean - k, whose error does not grow with k as that of its terms does (Loader's deviance).
double deviance(double k, double mean) {
  const double e = (k - mean) / mean;
  return mean * ((1 + e) * host::log1p(e) - e);
}

double log_poisson(double k, double rate) {
  constexpr double two_pi = 6.28318530717958647693;
  if (k == 0) return -rate;
  return -stirling_error(k) - deviance(k, rate) - 0.5 * host::log(two_pi * k);
}

double poisson_small(double rate, Draws draws) {
  double u = draws.uniform(), p = host::exp(-rate), k = 0;
  while (u > p && k < 200) {  // beyond, the probabilities are below the resolution of u
    u -= p;
    ++k;
    p *= rate / k;
  }
  return k;
}

double poisson_sample(double rate, Draws draws, double invalid) {
  if (!(rate >= 0)) return invalid;
  if (rate == infinity) return infinity;
  if (rate < 10) return poisson_small(rate, draws);
  const double b = 0.931 + 2.53 * std::sqrt(rate), a = -0.059 + 0.02483 * b,
               inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), sure = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = draws.uniform() - 0.5, v = draws.uniform(), us = 0.5 - std::fabs(u);
    const double k = std::floor((2 * a / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= sure) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (host::log(v * inverse_alpha / (a / (us * us) + b)) <= log_poisson(k, rate)) return k;
  }
}

double log_binomial(double k, double n, double p) {
  constexpr double two_pi = 6.28318530717958647693;
  if (k == 0) return n * host::log1p(-p);
  if (k == n) return n * host::log(p);
  return stirling_error(n) - stirling_error(k) - stirling_error(n - k) - deviance(k, n * p) -
         deviance(n - k, n * (1 - p)) + 0.5 * host::log(n / (two_pi * k * (n - k)));
}

// For p up to 1/2.
double binomial_half(double n, double p, Draws draws) {
  const double mean = n * p;
  if (mean < 10) {
    double u = draws.uniform(), f = host::exp(n * host::log1p(-p)), k = 0;
    const double odds = p / (1 - p);
    while (u > f && k < n && k < 200) {
      u -= f;
      ++k;
      f *= (n - k + 1) / k * odds;
    }
    return k;
  }
  const double spread = std::sqrt(mean * (1 - p)), b = 1.15 + 2.53 * spread, a = -0.0873 + 0.0248 * b + 0.01 * p,
               alpha = (2.83 + 5.1 / b) * spread, sure = 0.92 - 4.2 / b;
  const double at_mode = log_binomial(std::floor((n + 1) * p), n, p);
  for (;;) {
    const double u = draws.uniform() - 0.5, v = draws.uniform(), us = 0.5 - std::fabs(u);
    const double k = std::floor((2 * a / us + b) * u + mean + 0.5);
    if (us >= 0.07 && v <= sure) return k;
    if (k < 0 || k > n) continue;
    if (host::log(v * alpha / (a / (us * us) + b)) <= log_binomial(k, n, p) - at_mode) return k;
  }
}

double binomial_sample(double count, double p, Draws draws) {
  const double n = std::floor(count);
  if (!(n >= 0) || !(p >= 0 && p <= 1)) return nan;
  if (n == 0 || p == 0) return 0;
  if (p == 1 || n == infinity) return n;
  return p <= 0.5 ? binomial_half(n, p, draws) : n - binomial_half(n, 1 - p, draws);
}

template <class F>
void run_sampler(void* const* regs, const kernel::Ins* ins, std::size_t n, unsigned key_register, std::size_t key_step,
                 F sample) {
  auto* dst = static_cast<double*>(regs[ins->dst]);
  const auto* key = static_cast<const std::uint64_t*>(regs[key_register]);
  for (std::size_t i = 0; i < n; ++i) dst[i] = sample(i, Draws(key[i * key_step]));
}

const double* reals(void* const* regs, unsigned r) { return static_cast<const double*>(regs[r]); }

void gamma_tile(void* const* regs, const kernel::Ins* ins, std::size_t n) {
  const double* shape = reals(regs, ins->a);
  run_sampler(regs, ins, n, ins->b, ins->step_b,
              [&](std::size_t i, Draws d) { return gamma_sample(shape[i * ins->step_a], d, ins->aux != 0); });
}
void poisson_tile(void* const* regs, const kernel::Ins* ins, std::size_t n) {
  const double *rate = reals(regs, ins->a), invalid = ins->aux ? infinity : -1;
  run_sampler(regs, ins, n, ins->b, ins->step_b,
              [&](std::size_t i, Draws d) { return poisson_sample(rate[i * ins->step_a], d, invalid); });
}
void binomial_tile(void* const* regs, const kernel::Ins* ins, std::size_t n) {
  const double *count = reals(regs, ins->a), *p = reals(regs, ins->b);
  run_sampler(regs, ins, n, ins->c, ins->step_c,
              [&](std::size_t i, Draws d) { return binomial_sample(count[i * ins->step_a], p[i * ins->step_b], d); });
}

}  // namespace

void register_random_sampler_tiles(kernel::TileRegistry& r) {
  r.add("random_gamma", 2, DType::float64, gamma_tile);
  r.add("random_poisson", 2, DType::float64, poisson_tile);
  r.add("random_binomial", 3, DType::float64, binomial_tile);
}

}  // namespace cotan::ops

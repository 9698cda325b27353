// The samplers of random_sampler_rules.h at each element.
#include "ops/random_sampler_tiles.h"

#include <bit>
#include <cmath>

#include "ops/random_sampler_rules.h"

namespace cotan::ops {

namespace {

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

// A multiple of 2^-53 that is none of 2^-52.
struct Draws {
  std::uint64_t key;
  double operator()(double i) const {
    return (static_cast<double>(threefry(key, static_cast<std::uint64_t>(i)) >> 12) + 0.5) * 0x1p-52;
  }
};

template <class F>
void run_sampler(void* const* regs, const kernel::Ins* ins, std::size_t n, unsigned key_register, std::size_t key_step,
                 F sample) {
  auto* dst = static_cast<double*>(regs[ins->dst]);
  const auto* key = static_cast<const std::uint64_t*>(regs[key_register]);
  for (std::size_t i = 0; i < n; ++i) dst[i] = sample(i, Draws{key[i * key_step]});
}

const double* reals(void* const* regs, unsigned r) { return static_cast<const double*>(regs[r]); }

void gamma_tile(void* const* regs, const kernel::Ins* ins, std::size_t n) {
  const double* shape = reals(regs, ins->a);
  run_sampler(regs, ins, n, ins->b, ins->step_b,
              [&](std::size_t i, Draws d) { return special::gamma_sample(shape[i * ins->step_a], d, ins->aux != 0); });
}
void poisson_tile(void* const* regs, const kernel::Ins* ins, std::size_t n) {
  const double *rate = reals(regs, ins->a), invalid = ins->aux ? special::inf : -1;
  run_sampler(regs, ins, n, ins->b, ins->step_b,
              [&](std::size_t i, Draws d) { return special::poisson_sample(rate[i * ins->step_a], d, invalid); });
}
void binomial_tile(void* const* regs, const kernel::Ins* ins, std::size_t n) {
  const double *count = reals(regs, ins->a), *p = reals(regs, ins->b);
  run_sampler(regs, ins, n, ins->c, ins->step_c, [&](std::size_t i, Draws d) {
    return special::binomial_sample(count[i * ins->step_a], p[i * ins->step_b], d);
  });
}

}  // namespace

void register_random_sampler_tiles(kernel::TileRegistry& r) {
  r.add("random_gamma", 2, DType::float64, gamma_tile);
  r.add("random_poisson", 2, DType::float64, poisson_tile);
  r.add("random_binomial", 3, DType::float64, binomial_tile);
}

}  // namespace cotan::ops

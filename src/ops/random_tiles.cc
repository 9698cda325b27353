// Tile operations of counter-based generators (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011). A uint64
// holds a pair of 32-bit words, the first in its low half.
//   threefry2x32 (20 rounds): threefry(key a, counter b).
//   philox4x32 (10 rounds): half a & 1 of the block of 128 bits philox(key b, counter c + (a >> 1) with b above it).
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/random_tiles.cc"
#include "hwy/foreach_target.h"
#include "kernel/tile_loops-inl.h"
#include "ops/random_sampler_tiles.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::random_tiles {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using kernel::Ins;
using D = hn::ScalableTag<std::uint32_t>;
using V = hn::Vec<D>;

struct Pairs {
  V first, second;
};

template <int r0, int r1, int r2, int r3> HWY_INLINE void four_rounds(Pairs& x) {
  const auto round = [&](V rotated) { x.second = hn::Xor(x.first, rotated); };
  x.first = hn::Add(x.first, x.second), round(hn::RotateRight<32 - r0>(x.second));
  x.first = hn::Add(x.first, x.second), round(hn::RotateRight<32 - r1>(x.second));
  x.first = hn::Add(x.first, x.second), round(hn::RotateRight<32 - r2>(x.second));
  x.first = hn::Add(x.first, x.second), round(hn::RotateRight<32 - r3>(x.second));
}

// Two independent groups at once: a round is a chain of dependent operations, and one group would leave units idle.
HWY_INLINE void threefry(Pairs& x, Pairs& y, const Pairs& kx, const Pairs& ky) {
  const D d;
  const auto third = [&](const Pairs& k) { return hn::Xor(hn::Xor(k.first, k.second), hn::Set(d, 0x1BD11BDAu)); };
  const V kx2 = third(kx), ky2 = third(ky);
  const auto inject = [&](Pairs& p, V a, V b, std::uint32_t i) {
    p = {hn::Add(p.first, a), hn::Add(p.second, hn::Add(b, hn::Set(d, i)))};
  };
  inject(x, kx.first, kx.second, 0), inject(y, ky.first, ky.second, 0);
  four_rounds<13, 15, 26, 6>(x), four_rounds<13, 15, 26, 6>(y);
  inject(x, kx.second, kx2, 1), inject(y, ky.second, ky2, 1);
  four_rounds<17, 29, 16, 24>(x), four_rounds<17, 29, 16, 24>(y);
  inject(x, kx2, kx.first, 2), inject(y, ky2, ky.first, 2);
  four_rounds<13, 15, 26, 6>(x), four_rounds<13, 15, 26, 6>(y);
  inject(x, kx.first, kx.second, 3), inject(y, ky.first, ky.second, 3);
  four_rounds<17, 29, 16, 24>(x), four_rounds<17, 29, 16, 24>(y);
  inject(x, kx.second, kx2, 4), inject(y, ky.second, ky2, 4);
  four_rounds<13, 15, 26, 6>(x), four_rounds<13, 15, 26, 6>(y);
  inject(x, kx2, kx.first, 5), inject(y, ky2, ky.first, 5);
}

HWY_INLINE Pairs load(const std::uint32_t* p, bool splat) {
  const D d;
  Pairs r;
  if (splat) r.first = hn::Set(d, p[0]), r.second = hn::Set(d, p[1]);
  else hn::LoadInterleaved2(d, p, r.first, r.second);
  return r;
}

void block(std::uint32_t* dst, const std::uint32_t* key, bool same_key, const std::uint32_t* counter,
           bool same_counter) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  Pairs x = load(counter, same_counter), y = same_counter ? x : load(counter + 2 * lanes, false);
  const Pairs kx = load(key, same_key), ky = same_key ? kx : load(key + 2 * lanes, false);
  threefry(x, y, kx, ky);
  hn::StoreInterleaved2(x.first, x.second, d, dst);
  hn::StoreInterleaved2(y.first, y.second, d, dst + 2 * lanes);
}

void threefry_tile(void* const* regs, const Ins* ins, std::size_t n) {
  const std::size_t step = 2 * hn::Lanes(D());  // pairs a block
  auto* dst = static_cast<std::uint32_t*>(regs[ins->dst]);
  const auto *key = static_cast<const std::uint32_t*>(regs[ins->a]),
             *counter = static_cast<const std::uint32_t*>(regs[ins->b]);
  const bool same_key = ins->step_a == 0, same_counter = ins->step_b == 0;
  std::size_t i = 0;
  for (; i + step <= n; i += step)
    block(dst + 2 * i, same_key ? key : key + 2 * i, same_key, same_counter ? counter : counter + 2 * i, same_counter);
  if (i == n) return;
  HWY_ALIGN std::uint32_t k[4 * hn::MaxLanes(D())] = {}, c[4 * hn::MaxLanes(D())] = {};
  const std::size_t rest = (n - i) * sizeof(std::uint64_t);
  if (!same_key) std::memcpy(k, key + 2 * i, rest);
  if (!same_counter) std::memcpy(c, counter + 2 * i, rest);
  block(c, same_key ? key : k, same_key, same_counter ? counter : c, same_counter);
  std::memcpy(dst + 2 * i, c, rest);
}

// Eight blocks at once, for the vectoriser.
constexpr std::size_t wide = 8;
struct PhiloxBlocks {
  std::uint32_t w[4][wide];
};
void philox(PhiloxBlocks& x, std::uint32_t k0, std::uint32_t k1) {
  for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
#pragma GCC ivdep
    for (std::size_t j = 0; j < wide; ++j) {
      const std::uint64_t p = 0xD2511F53ull * x.w[0][j], q = 0xCD9E8D57ull * x.w[2][j];
      x.w[0][j] = static_cast<std::uint32_t>(q >> 32) ^ x.w[1][j] ^ k0, x.w[1][j] = static_cast<std::uint32_t>(q);
      x.w[2][j] = static_cast<std::uint32_t>(p >> 32) ^ x.w[3][j] ^ k1, x.w[3][j] = static_cast<std::uint32_t>(p);
    }
  }
}

// The elements index[i * stride] for i < n: at most 2 * wide of them, all of blocks first, first + 1, ... first + wide - 1.
void philox_elements(std::uint64_t* dst, const std::uint64_t* index, std::size_t stride, std::size_t n,
                     std::uint64_t key, std::uint64_t counter, std::uint64_t first) {
  PhiloxBlocks x;
  for (std::size_t j = 0; j < wide; ++j) {
    const std::uint64_t low = counter + first + j, high = key + (low < counter);
    x.w[0][j] = static_cast<std::uint32_t>(low), x.w[1][j] = static_cast<std::uint32_t>(low >> 32);
    x.w[2][j] = static_cast<std::uint32_t>(high), x.w[3][j] = static_cast<std::uint32_t>(high >> 32);
  }
  philox(x, static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32));
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t at = index[i * stride];
    const std::size_t j = at / 2 - first, half = 2 * (at % 2);
    dst[i] = x.w[half][j] | static_cast<std::uint64_t>(x.w[half + 1][j]) << 32;
  }
}

void philox_tile(void* const* regs, const Ins* ins, std::size_t n) {
  auto* dst = static_cast<std::uint64_t*>(regs[ins->dst]);
  const auto *index = static_cast<const std::uint64_t*>(regs[ins->a]),
             *key = static_cast<const std::uint64_t*>(regs[ins->b]),
             *counter = static_cast<const std::uint64_t*>(regs[ins->c]);
  const bool same = ins->step_b == 0 && ins->step_c == 0;
  std::uint64_t out[2 * wide];  // dst may be an operand
  for (std::size_t i = 0; i < n;) {
    const std::uint64_t k = key[i * ins->step_b], c = counter[i * ins->step_c];
    const std::uint64_t first = index[i * ins->step_a] / 2;
    std::size_t run = 1;
    while (same && run < 2 * wide && i + run < n && index[(i + run) * ins->step_a] / 2 - first < wide) ++run;
    philox_elements(out, index + i * ins->step_a, ins->step_a, run, k, c, first);
    std::memcpy(dst + i, out, run * sizeof *out);
    i += run;
  }
}

void add_tiles(kernel::TileRegistry& r) {
  r.add("threefry2x32", 2, DType::uint64, threefry_tile);
  r.add("philox4x32", 3, DType::uint64, philox_tile);
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::random_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_random_tiles(kernel::TileRegistry& r) {
  using namespace random_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
  register_random_sampler_tiles(r);
}
}  // namespace cotan::ops
#endif

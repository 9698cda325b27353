// The tile operation of the counter-based generator threefry2x32 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// SC 2011; 20 rounds). A uint64 holds a pair of 32-bit words, the first in its low half: result = threefry(key a, counter b).
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/random_tiles.cc"
#include "hwy/foreach_target.h"
#include "kernel/tile_loops-inl.h"
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

void add_tiles(kernel::TileRegistry& r) { r.add("threefry2x32", 2, DType::uint64, threefry_tile); }

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::random_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_random_tiles(kernel::TileRegistry& r) {
  using namespace random_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

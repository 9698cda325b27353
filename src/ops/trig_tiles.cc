// Tile functions of sin cos tan, of float32 and float64; the 16-bit floats go through float32.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/trig_tiles.cc"
#include "hwy/foreach_target.h"
#include "kernel/tile_loops-inl.h"
#include "ops/coefficients.h"
#include "ops/elementary_host.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::trig_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;

namespace rules {
#include "ops/elementary_rules.h"
#include "ops/trig_rules.h"
}  // namespace rules
#include "ops/elementary_tile_structs.h"

COTAN_HEAVY_RARE_1(Sin, sin);
COTAN_HEAVY_RARE_1(Cos, cos);
COTAN_HEAVY_RARE_1(Tan, tan);

// What sin and cos share is most of either.
template <class T> void sin_cos(void* const* regs, const kernel::Ins* ins, std::size_t n) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<T> d;
  constexpr std::size_t N = loops::vector_lanes<T>;
  const T* const x = static_cast<const T*>(regs[ins->a]);
  T *const s = static_cast<T*>(regs[ins->dst]), *const c = static_cast<T*>(regs[ins->b]);
  const auto one = [&](std::size_t i) {
    s[i] = Sin::host(x[i]);
    c[i] = Cos::host(x[i]);
  };
  if (n < N) {
    for (std::size_t i = 0; i < n; ++i) one(i);
    return;
  }
  for (std::size_t i = 0; i < n; i += N) {
    const std::size_t at = std::min(i, n - N);
    loops::HwyBuilder<decltype(d)> b;
    const auto y = rules::sincos(b, hn::LoadU(d, x + at));
    hn::StoreU(y.sin, d, s + at);
    hn::StoreU(y.cos, d, c + at);
    if (HWY_LIKELY(hn::AllFalse(d, b.bad))) continue;
    alignas(64) T marked[N];
    hn::StoreU(hn::IfThenElseZero(b.bad, hn::Set(d, T(1))), d, marked);
    for (std::size_t j = 0; j < N; ++j)
      if (marked[j] != T(0)) one(at + j);
  }
}

void add_tiles(kernel::TileRegistry& r) {
  r.add_both({"sin", "cos", DType::float32, sin_cos<float>});
  r.add_both({"sin", "cos", DType::float64, sin_cos<double>});
  loops::add_heavy<Sin>(r, "sin");
  loops::add_heavy<Cos>(r, "cos");
  loops::add_heavy<Tan>(r, "tan");
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::trig_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_trig_tiles(kernel::TileRegistry& r) {
  using namespace trig_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

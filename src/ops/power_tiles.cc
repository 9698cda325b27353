// Tile functions of pow rsqrt cbrt, of float32 and float64; the 16-bit floats go through float32. sqrt: arith_tiles.cc.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/power_tiles.cc"
#include "hwy/foreach_target.h"
#include "kernel/tile_loops-inl.h"
#include "ops/coefficients.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::power_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;

namespace rules {
#include "ops/elementary_rules.h"
#include "ops/exp_log_rules.h"
#include "ops/power_rules.h"
}  // namespace rules
#include "ops/elementary_tile_structs.h"

COTAN_HEAVY_1(Rsqrt, rsqrt);
COTAN_HEAVY_1(Cbrt, cbrt);
COTAN_HEAVY_2(Pow, pow);

void add_tiles(kernel::TileRegistry& r) {
  loops::add_heavy<Rsqrt>(r, "rsqrt");
  loops::add_heavy<Cbrt>(r, "cbrt");
  loops::add_heavy<Pow>(r, "pow");
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::power_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_power_tiles(kernel::TileRegistry& r) {
  using namespace power_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

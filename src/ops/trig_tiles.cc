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

void add_tiles(kernel::TileRegistry& r) {
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

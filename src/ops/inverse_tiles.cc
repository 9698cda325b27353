// Tile functions of asin acos atan atan2 erf_inv, of float32 and float64; the 16-bit floats go through float32.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/inverse_tiles.cc"
#include "hwy/foreach_target.h"
#include "kernel/tile_loops-inl.h"
#include "ops/coefficients.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::inverse_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;

namespace rules {
#include "ops/elementary_rules.h"
#include "ops/exp_log_rules.h"
#include "ops/inverse_rules.h"
}  // namespace rules
#include "ops/elementary_tile_structs.h"

COTAN_HEAVY_1(Asin, asin);
COTAN_HEAVY_1(Acos, acos);
COTAN_HEAVY_1(Atan, atan);
COTAN_HEAVY_1(ErfInv, erf_inv);
COTAN_HEAVY_2(Atan2, atan2);

void add_tiles(kernel::TileRegistry& r) {
  loops::add_heavy<Asin>(r, "asin");
  loops::add_heavy<Acos>(r, "acos");
  loops::add_heavy<Atan>(r, "atan");
  loops::add_heavy<ErfInv>(r, "erf_inv");
  loops::add_heavy<Atan2>(r, "atan2");
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::inverse_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_inverse_tiles(kernel::TileRegistry& r) {
  using namespace inverse_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

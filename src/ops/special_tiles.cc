// Tile functions of erf erfc bessel_i0e bessel_i1e, of float32 and float64; the 16-bit floats go through float32.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/special_tiles.cc"
#include "hwy/foreach_target.h"
#include "kernel/tile_loops-inl.h"
#include "ops/coefficients.h"
#include "ops/special_coefficients.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::special_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;

namespace rules {
#include "ops/elementary_rules.h"
#include "ops/exp_log_rules.h"
#include "ops/special_rules.h"
}  // namespace rules
#include "ops/elementary_tile_structs.h"

COTAN_HEAVY_1(Erf, erf);
COTAN_HEAVY_1(Erfc, erfc);
COTAN_HEAVY_1(BesselI0e, bessel_i0e);
COTAN_HEAVY_1(BesselI1e, bessel_i1e);

void add_tiles(kernel::TileRegistry& r) {
  loops::add_heavy<Erf>(r, "erf");
  loops::add_heavy<Erfc>(r, "erfc");
  loops::add_heavy<BesselI0e>(r, "bessel_i0e");
  loops::add_heavy<BesselI1e>(r, "bessel_i1e");
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::special_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_special_tiles(kernel::TileRegistry& r) {
  using namespace special_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

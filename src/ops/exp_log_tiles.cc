// Tile functions of exp exp2 expm1 log log1p logistic, of float32 and float64; the 16-bit floats go through float32.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/exp_log_tiles.cc"
#include "hwy/foreach_target.h"
#include "kernel/tile_loops-inl.h"
#include "ops/coefficients.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::exp_log_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;

namespace rules {
#include "ops/elementary_rules.h"
#include "ops/exp_log_rules.h"
}  // namespace rules
#include "ops/elementary_tile_structs.h"

COTAN_HEAVY_1(Exp, exp);
COTAN_HEAVY_1(Exp2, exp2);
COTAN_HEAVY_1(Expm1, expm1);
COTAN_HEAVY_1(Log, log);
COTAN_HEAVY_1(Log1p, log1p);
COTAN_HEAVY_1(Logistic, logistic);

void add_tiles(kernel::TileRegistry& r) {
  loops::add_heavy<Exp>(r, "exp");
  loops::add_heavy<Exp2>(r, "exp2");
  loops::add_heavy<Expm1>(r, "expm1");
  loops::add_heavy<Log>(r, "log");
  loops::add_heavy<Log1p>(r, "log1p");
  loops::add_heavy<Logistic>(r, "logistic");
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::exp_log_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_exp_log_tiles(kernel::TileRegistry& r) {
  using namespace exp_log_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

// Tile functions of sinh cosh tanh asinh acosh atanh, of float32 and float64; the 16-bit floats go through float32.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/hyperbolic_tiles.cc"
#include "hwy/foreach_target.h"
#include "kernel/tile_loops-inl.h"
#include "ops/coefficients.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::hyperbolic_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;

namespace rules {
#include "ops/elementary_rules.h"
#include "ops/exp_log_rules.h"
#include "ops/hyperbolic_rules.h"
}  // namespace rules
#include "ops/elementary_tile_structs.h"

COTAN_HEAVY_1(Sinh, sinh);
COTAN_HEAVY_1(Cosh, cosh);
COTAN_HEAVY_1(Tanh, tanh);
COTAN_HEAVY_1(Asinh, asinh);
COTAN_HEAVY_1(Acosh, acosh);
COTAN_HEAVY_1(Atanh, atanh);

void add_tiles(kernel::TileRegistry& r) {
  loops::add_heavy<Sinh>(r, "sinh");
  loops::add_heavy<Cosh>(r, "cosh");
  loops::add_heavy<Tanh>(r, "tanh");
  loops::add_heavy<Asinh>(r, "asinh");
  loops::add_heavy<Acosh>(r, "acosh");
  loops::add_heavy<Atanh>(r, "atanh");
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::hyperbolic_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_hyperbolic_tiles(kernel::TileRegistry& r) {
  using namespace hyperbolic_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

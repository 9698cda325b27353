// Tile functions of the floating-point remainder.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/rem_tiles.cc"
#include "hwy/foreach_target.h"
#include "kernel/tile_loops-inl.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::rem_tiles {
namespace HWY_NAMESPACE {
namespace rules {
#include "ops/rem_rules.h"
}

struct Rem {
  static constexpr int arity = 2;
  static constexpr bool has_rare = true;
  template <class B> static COTAN_RULE typename B::F run(B& b, typename B::F x, typename B::F y) {
    return rules::rem(b, x, y);
  }
  template <class T> static T host(T x, T y) {
    return std::fmod(x, y);  // exact, so every libm has the same bits
  }
};

void add_tiles(kernel::TileRegistry& r) { kernel::HWY_NAMESPACE::add_heavy<Rem>(r, "rem"); }

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::rem_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_rem_tiles(kernel::TileRegistry& r) {
  using namespace rem_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

// Tile functions on the bits of integers and bool, by width alone.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/bits_tiles.cc"
#include "hwy/foreach_target.h"
#include "kernel/tile_loops-inl.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::bits_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;

namespace rules {
#include "ops/int_rules.h"
}
#include "ops/tile_rule_structs.h"

COTAN_PLAIN_2(And, static_cast<T>(x& y));
COTAN_PLAIN_2(Or, static_cast<T>(x | y));
COTAN_PLAIN_2(Xor, static_cast<T>(x ^ y));
COTAN_PLAIN_1(Not, static_cast<T>(~x));
COTAN_PLAIN_1(NotBool, static_cast<T>(x ^ 1));
COTAN_PLAIN_2(ShiftLeft, rules::shift_left(x, y));
COTAN_PLAIN_2(ShiftRightLogical, rules::shift_right_logical(x, y));
COTAN_PLAIN_2(ShiftRightArithmetic, rules::shift_right_arithmetic(x, y));
COTAN_PLAIN_1(PopulationCount, rules::population_count(x));
COTAN_PLAIN_1(Clz, rules::count_leading_zeros(x));

template <class U> void add_width(kernel::TileRegistry& r) {
  using S = std::make_signed_t<U>;
  for (DType d : {kernel::dtype_of<U>, kernel::dtype_of<S>}) {
    r.add("and", 2, d, loops::run_plain<U, U, And>);
    r.add("or", 2, d, loops::run_plain<U, U, Or>);
    r.add("xor", 2, d, loops::run_plain<U, U, Xor>);
    r.add("not", 1, d, loops::run_plain<U, U, Not>);
    r.add("shift_left", 2, d, loops::run_plain<U, U, ShiftLeft>);
    r.add("shift_right_logical", 2, d, loops::run_plain<U, U, ShiftRightLogical>);
    r.add("shift_right_arithmetic", 2, d, loops::run_plain<U, U, ShiftRightArithmetic>);
    r.add("population_count", 1, d, loops::run_plain<U, U, PopulationCount>);
    r.add("clz", 1, d, loops::run_plain<U, U, Clz>);
  }
}

void add_tiles(kernel::TileRegistry& r) {
  add_width<std::uint8_t>(r), add_width<std::uint16_t>(r), add_width<std::uint32_t>(r), add_width<std::uint64_t>(r);
  r.add("and", 2, DType::bool_, loops::run_plain<std::uint8_t, std::uint8_t, And>);
  r.add("or", 2, DType::bool_, loops::run_plain<std::uint8_t, std::uint8_t, Or>);
  r.add("xor", 2, DType::bool_, loops::run_plain<std::uint8_t, std::uint8_t, Xor>);
  r.add("not", 1, DType::bool_, loops::run_plain<std::uint8_t, std::uint8_t, NotBool>);
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::bits_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_bits_tiles(kernel::TileRegistry& r) {
  using namespace bits_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

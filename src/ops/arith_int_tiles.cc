// Tile functions of integer arithmetic, by auto-vectorised loops.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/arith_int_tiles.cc"
#include "hwy/foreach_target.h"
#include "kernel/tile_loops-inl.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::arith_int_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;
using kernel::Bool;

namespace rules {
#include "ops/int_rules.h"
}
#include "ops/tile_rule_structs.h"

COTAN_PLAIN_2(Add, rules::int_add(x, y));
COTAN_PLAIN_2(Sub, rules::int_sub(x, y));
COTAN_PLAIN_2(Mul, rules::int_mul(x, y));
COTAN_PLAIN_2(Div, rules::int_div(x, y));
COTAN_PLAIN_2(Rem, rules::int_rem(x, y));
COTAN_PLAIN_2(Gcd, rules::int_gcd(x, y));
COTAN_PLAIN_2(Max, rules::int_max(x, y));
COTAN_PLAIN_2(Min, rules::int_min(x, y));
COTAN_PLAIN_2(WrapIndex, rules::int_wrap_index(x, y));
COTAN_PLAIN_1(Neg, rules::int_neg(x));
COTAN_PLAIN_1(Abs, rules::int_abs(x));
COTAN_PLAIN_1(Sign, rules::int_sign(x));
COTAN_PLAIN_1(Square, rules::int_mul(x, x));
struct Clamp {
  static constexpr int arity = 3;
  template <class T> static COTAN_RULE T run(T lo, T x, T hi) { return rules::int_clamp(lo, x, hi); }
};
struct IntegerPow {
  static constexpr int arity = 1;
  template <class T> static COTAN_RULE T run(T x, std::uint32_t exponent) { return rules::int_pow(x, exponent); }
};

// Operations that do not see the sign: one function for the signed and the unsigned type.
template <class U> void add_signless(kernel::TileRegistry& r) {
  using S = std::make_signed_t<U>;
  for (DType d : {kernel::dtype_of<U>, kernel::dtype_of<S>}) {
    r.add("add", 2, d, loops::run_plain<U, U, Add>);
    r.add("sub", 2, d, loops::run_plain<U, U, Sub>);
    r.add("mul", 2, d, loops::run_plain<U, U, Mul>);
    r.add("neg", 1, d, loops::run_plain<U, U, Neg>);
    r.add("square", 1, d, loops::run_plain<U, U, Square>);
  }
}
template <class T> void add_signed(kernel::TileRegistry& r) {
  loops::add_plain<T, Div>(r, "div");
  loops::add_plain<T, Rem>(r, "rem");
  loops::add_plain<T, Gcd>(r, "gcd");
  loops::add_plain<T, Max>(r, "max");
  loops::add_plain<T, Min>(r, "min");
  loops::add_plain<T, Sign>(r, "sign");
  loops::add_plain<T, Clamp>(r, "clamp");
  loops::add_plain<T, IntegerPow>(r, "integer_pow");
  if constexpr (std::is_signed_v<T>) {
    loops::add_plain<T, Abs>(r, "abs");
    loops::add_plain<T, WrapIndex>(r, "wrap_index");
  }
}

void add_tiles(kernel::TileRegistry& r) {
  add_signless<std::uint8_t>(r), add_signless<std::uint16_t>(r), add_signless<std::uint32_t>(r),
      add_signless<std::uint64_t>(r);
  add_signed<std::int8_t>(r), add_signed<std::int16_t>(r), add_signed<std::int32_t>(r), add_signed<std::int64_t>(r);
  add_signed<std::uint8_t>(r), add_signed<std::uint16_t>(r), add_signed<std::uint32_t>(r), add_signed<std::uint64_t>(r);
  r.add("max", 2, DType::bool_, loops::run_plain<std::uint8_t, std::uint8_t, Max>);
  r.add("min", 2, DType::bool_, loops::run_plain<std::uint8_t, std::uint8_t, Min>);
  r.add("clamp", 3, DType::bool_, loops::run_plain<std::uint8_t, std::uint8_t, Clamp>);
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::arith_int_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_arith_int_tiles(kernel::TileRegistry& r) {
  using namespace arith_int_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

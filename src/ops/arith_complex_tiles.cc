// Tile functions of complex arithmetic, by plain loops over interleaved pairs.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/arith_complex_tiles.cc"
#include "hwy/foreach_target.h"
#include <limits>

#include "kernel/tile_loops-inl.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::arith_complex_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;
using kernel::Complex;
using kernel::Ins;

namespace rules {
#include "ops/complex_rules.h"
}
#include "ops/tile_rule_structs.h"

COTAN_PLAIN_2(Add, rules::c_add(x, y));
COTAN_PLAIN_2(Sub, rules::c_sub(x, y));
COTAN_PLAIN_2(Mul, rules::c_mul(x, y));
COTAN_PLAIN_2(Div, rules::c_div(x, y));
COTAN_PLAIN_2(Max, rules::c_max(x, y));
COTAN_PLAIN_2(Min, rules::c_min(x, y));
COTAN_PLAIN_1(Neg, rules::c_neg(x));
COTAN_PLAIN_1(Conj, rules::c_conj(x));
COTAN_PLAIN_1(Abs, rules::c_abs(x));
COTAN_PLAIN_1(Sign, rules::c_sign(x));
COTAN_PLAIN_1(Square, rules::c_mul(x, x));
COTAN_PLAIN_1(Real, x.re);
COTAN_PLAIN_1(Imag, x.im);
struct MakeComplex {
  static constexpr int arity = 2;
  template <class T> static COTAN_RULE Complex<T> run(T re, T im) { return {re, im}; }
};
struct Clamp {
  static constexpr int arity = 3;
  template <class T> static COTAN_RULE Complex<T> run(Complex<T> lo, Complex<T> x, Complex<T> hi) {
    return rules::c_min(rules::c_max(lo, x), hi);
  }
};
struct IntegerPow {
  static constexpr int arity = 1;
  template <class T> static COTAN_RULE Complex<T> run(Complex<T> x, std::uint32_t exponent) {
    return rules::c_integer_pow(x, exponent);
  }
};

template <class T> void add_complex(kernel::TileRegistry& r) {
  using Z = Complex<T>;
  loops::add_plain<Z, Add>(r, "add");
  loops::add_plain<Z, Sub>(r, "sub");
  loops::add_plain<Z, Mul>(r, "mul");
  loops::add_plain<Z, Div>(r, "div");
  loops::add_plain<Z, Max>(r, "max");
  loops::add_plain<Z, Min>(r, "min");
  loops::add_plain<Z, Neg>(r, "neg");
  loops::add_plain<Z, Conj>(r, "conj");
  loops::add_plain<Z, Sign>(r, "sign");
  loops::add_plain<Z, Square>(r, "square");
  loops::add_plain<Z, Clamp>(r, "clamp");
  loops::add_plain<Z, IntegerPow>(r, "integer_pow");
  loops::add_plain<Z, Abs, T>(r, "abs");
  loops::add_plain<Z, Real, T>(r, "real");
  loops::add_plain<Z, Imag, T>(r, "imag");
  loops::add_plain<T, MakeComplex, Z>(r, "complex");
}

void add_tiles(kernel::TileRegistry& r) {
  add_complex<float>(r);
  add_complex<double>(r);
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::arith_complex_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_arith_complex_tiles(kernel::TileRegistry& r) {
  using namespace arith_complex_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

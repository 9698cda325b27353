// Tile functions of floating-point arithmetic without fma.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/arith_tiles.cc"
#include "hwy/foreach_target.h"
#include "kernel/tile_loops-inl.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::arith_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;
using kernel::Ins;

namespace rules {
#include "ops/arith_rules.h"
}

template <int operands> struct Cheap {
  static constexpr int arity = operands;
  static constexpr bool has_rare = false;
};
#define COTAN_ARITH_1(Name, expression)                                                                  \
  struct Name : Cheap<1> {                                                                               \
    template <class B> static COTAN_RULE typename B::F run(B& b, typename B::F x) { return expression; } \
  }
#define COTAN_ARITH_2(Name, expression)                                                              \
  struct Name : Cheap<2> {                                                                           \
    template <class B> static COTAN_RULE typename B::F run(B& b, typename B::F x, typename B::F y) { \
      return expression;                                                                             \
    }                                                                                                \
  }
COTAN_ARITH_1(Neg, b.neg(x));
COTAN_ARITH_1(Abs, b.abs(x));
COTAN_ARITH_1(Sign, rules::sign(b, x));
COTAN_ARITH_1(Floor, b.floor(x));
COTAN_ARITH_1(Ceil, b.ceil(x));
COTAN_ARITH_1(RoundAway, rules::round_away(b, x));
COTAN_ARITH_1(RoundEven, b.rint(x));
COTAN_ARITH_1(Sqrt, b.sqrt(x));
COTAN_ARITH_1(Square, b.mul(x, x));
COTAN_ARITH_2(Add, b.add(x, y));
COTAN_ARITH_2(Sub, b.sub(x, y));
COTAN_ARITH_2(Mul, b.mul(x, y));
COTAN_ARITH_2(Div, b.div(x, y));
COTAN_ARITH_2(Max, rules::max(b, x, y));
COTAN_ARITH_2(Min, rules::min(b, x, y));

struct Clamp : Cheap<3> {
  template <class B> static COTAN_RULE typename B::F run(B& b, typename B::F lo, typename B::F x, typename B::F hi) {
    return rules::clamp(b, lo, x, hi);
  }
};
struct IntegerPow : Cheap<1> {
  template <class B> static COTAN_RULE typename B::F run(B& b, typename B::F x, std::uint32_t exponent) {
    return rules::integer_pow(b, x, exponent);
  }
};

template <std::uint32_t exponent> struct Power : Cheap<1> {
  template <class B> static COTAN_RULE typename B::F run(B& b, typename B::F x) {
    return rules::integer_pow(b, x, exponent);
  }
};
template <class T> void integer_pow(void* const* regs, const Ins* ins, std::size_t n) {
  switch (ins->aux) {  // the common ones without a loop for each vector
    case 2: return loops::run_cheap<T, Power<2>>(regs, ins, n);
    case 3: return loops::run_cheap<T, Power<3>>(regs, ins, n);
    case 4: return loops::run_cheap<T, Power<4>>(regs, ins, n);
    default: return loops::run_heavy<T, IntegerPow>(regs, ins, n);
  }
}

template <class T>
void round(void* const* regs, const Ins* ins, std::size_t n) {  // aux: 0 halves away from zero, 1 to even
  ins->aux == 0 ? loops::run_cheap<T, RoundAway>(regs, ins, n) : loops::run_cheap<T, RoundEven>(regs, ins, n);
}

void add_tiles(kernel::TileRegistry& r) {
  loops::add_cheap<Neg>(r, "neg");
  loops::add_cheap<Abs>(r, "abs");
  loops::add_cheap<Sign>(r, "sign");
  loops::add_cheap<Floor>(r, "floor");
  loops::add_cheap<Ceil>(r, "ceil");
  loops::add_cheap<Sqrt>(r, "sqrt");
  loops::add_cheap<Square>(r, "square");
  loops::add_cheap<Add>(r, "add");
  loops::add_cheap<Sub>(r, "sub");
  loops::add_cheap<Mul>(r, "mul");
  loops::add_cheap<Div>(r, "div");
  loops::add_cheap<Max>(r, "max");
  loops::add_cheap<Min>(r, "min");
  loops::add_cheap<Clamp>(r, "clamp");
  r.add("round", 1, DType::float32, round<float>);
  r.add("round", 1, DType::float64, round<double>);
  loops::add_halves<round<float>, 1>(r, "round");
  r.add("integer_pow", 1, DType::float32, integer_pow<float>);
  r.add("integer_pow", 1, DType::float64, integer_pow<double>);
  loops::add_halves<integer_pow<float>, 1>(r, "integer_pow");
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::arith_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_arith_tiles(kernel::TileRegistry& r) {
  using namespace arith_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

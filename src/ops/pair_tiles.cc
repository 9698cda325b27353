// Tile functions of two operations in one: "mul_add" is x * y + z, each operation rounded by itself. kernel/combine.cc puts them in
// the place of two instructions, which halves the traffic of cheap chains with L1.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/pair_tiles.cc"
#include "hwy/foreach_target.h"
#include "kernel/tile_loops-inl.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::pair_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;

namespace rules {
#include "ops/arith_rules.h"
}

#define COTAN_OPERATION(Name, expression)                                                           \
  struct Name {                                                                                     \
    template <class B> static COTAN_RULE typename B::F of(B& b, typename B::F x, typename B::F y) { \
      return expression;                                                                            \
    }                                                                                               \
  }
COTAN_OPERATION(Add, b.add(x, y));
COTAN_OPERATION(Sub, b.sub(x, y));
COTAN_OPERATION(Mul, b.mul(x, y));

COTAN_OPERATION(Max, rules::max(b, x, y));
COTAN_OPERATION(Min, rules::min(b, x, y));

// second(first(x, y), z), or, where it is turned, second(z, first(x, y)).
template <class First, class Second, bool turned> struct Pair {
  static constexpr int arity = 3;
  static constexpr bool has_rare = false;
  template <class B> static COTAN_RULE typename B::F run(B& b, typename B::F x, typename B::F y, typename B::F z) {
    const typename B::F inner = First::of(b, x, y);
    return turned ? Second::of(b, z, inner) : Second::of(b, inner, z);
  }
};

template <class First> struct SquareOf {
  static constexpr int arity = 2;
  static constexpr bool has_rare = false;
  template <class B> static COTAN_RULE typename B::F run(B& b, typename B::F x, typename B::F y) {
    const typename B::F inner = First::of(b, x, y);
    return b.mul(inner, inner);
  }
};
template <class First> void add_square(kernel::TileRegistry& r, const char* name) {
  r.add(name, 2, DType::float32, loops::run_cheap<float, SquareOf<First>>);
  r.add(name, 2, DType::float64, loops::run_cheap<double, SquareOf<First>>);
}

template <class First, class Second, bool turned> void add_pair(kernel::TileRegistry& r, const char* name) {
  r.add(name, 3, DType::float32, loops::run_cheap<float, Pair<First, Second, turned>>);
  r.add(name, 3, DType::float64, loops::run_cheap<double, Pair<First, Second, turned>>);
}

void add_tiles(kernel::TileRegistry& r) {
  add_pair<Add, Add, false>(r, "add_add"), add_pair<Add, Add, true>(r, "add_radd");
  add_pair<Add, Sub, false>(r, "add_sub"), add_pair<Add, Sub, true>(r, "add_rsub");
  add_pair<Add, Mul, false>(r, "add_mul"), add_pair<Add, Mul, true>(r, "add_rmul");
  add_pair<Sub, Add, false>(r, "sub_add"), add_pair<Sub, Add, true>(r, "sub_radd");
  add_pair<Sub, Sub, false>(r, "sub_sub"), add_pair<Sub, Sub, true>(r, "sub_rsub");
  add_pair<Sub, Mul, false>(r, "sub_mul"), add_pair<Sub, Mul, true>(r, "sub_rmul");
  add_pair<Mul, Add, false>(r, "mul_add"), add_pair<Mul, Add, true>(r, "mul_radd");
  add_pair<Mul, Sub, false>(r, "mul_sub"), add_pair<Mul, Sub, true>(r, "mul_rsub");
  add_pair<Mul, Mul, false>(r, "mul_mul"), add_pair<Mul, Mul, true>(r, "mul_rmul");
  add_pair<Add, Max, false>(r, "add_max"), add_pair<Add, Min, false>(r, "add_min");
  add_pair<Sub, Max, false>(r, "sub_max"), add_pair<Sub, Min, false>(r, "sub_min");
  add_pair<Mul, Max, false>(r, "mul_max"), add_pair<Mul, Min, false>(r, "mul_min");
  add_pair<Max, Add, false>(r, "max_add"), add_pair<Min, Add, false>(r, "min_add");
  add_pair<Max, Mul, false>(r, "max_mul"), add_pair<Min, Mul, false>(r, "min_mul");
  add_pair<Max, Min, false>(r, "max_min"), add_pair<Min, Max, false>(r, "min_max");
  add_square<Add>(r, "add_square"), add_square<Sub>(r, "sub_square"), add_square<Mul>(r, "mul_square");
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::pair_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_pair_tiles(kernel::TileRegistry& r) {
  using namespace pair_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

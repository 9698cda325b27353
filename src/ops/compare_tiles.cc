// Tile functions that compare: the result is bool, or with "_number" the float32 that it is as a number (see kernel/combine.cc).
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/compare_tiles.cc"
#include "hwy/foreach_target.h"
#include "kernel/tile_loops-inl.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::compare_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;
using kernel::Bool;
using kernel::Complex;
using kernel::Ins;

namespace rules {
#include "ops/compare_rules.h"
}
#include "ops/tile_rule_structs.h"

COTAN_PLAIN_2(Eq, rules::equal(x, y));
COTAN_PLAIN_2(Ne, std::uint8_t(rules::equal(x, y) ^ 1));
COTAN_PLAIN_2(Lt, rules::less(x, y));
COTAN_PLAIN_2(Le, rules::less_equal(x, y));
COTAN_PLAIN_2(LtTo, rules::less(rules::ordered(x), rules::ordered(y)));
COTAN_PLAIN_2(LeTo, rules::less_equal(rules::ordered(x), rules::ordered(y)));
COTAN_PLAIN_1(IsFinite, rules::finite(x));
template <class R> struct Number {
  static constexpr int arity = 2;
  template <class T> static COTAN_RULE float run(T x, T y) { return R::run(x, y) ? 1.0f : 0.0f; }
};

template <kernel::TileFn fn> void swapped(void* const* regs, const Ins* ins, std::size_t n) {
  Ins other = *ins;
  std::swap(other.a, other.b);
  std::swap(other.step_a, other.step_b);
  fn(regs, &other, n);
}

template <class T, class R> constexpr kernel::TileFn compare = loops::run_plain<std::uint8_t, T, R>;

// gt and ge are lt and le of the operands in the other order.
template <class T> void add_order(kernel::TileRegistry& r, DType d) {
  r.add("lt", 2, d, compare<T, Lt>, true);
  r.add("le", 2, d, compare<T, Le>, true);
  r.add("gt", 2, d, swapped<compare<T, Lt>>, true);
  r.add("ge", 2, d, swapped<compare<T, Le>>, true);
}
template <class T> void add_equality(kernel::TileRegistry& r, DType d) {
  r.add("eq", 2, d, compare<T, Eq>, true);
  r.add("ne", 2, d, compare<T, Ne>, true);
}
template <class T> void add_numbers(kernel::TileRegistry& r, DType d) {
  constexpr kernel::TileFn less = loops::run_plain<float, T, Number<Lt>>,
                           below = loops::run_plain<float, T, Number<Le>>;
  r.add("eq_number", 2, d, loops::run_plain<float, T, Number<Eq>>);
  r.add("ne_number", 2, d, loops::run_plain<float, T, Number<Ne>>);
  r.add("lt_number", 2, d, less);
  r.add("le_number", 2, d, below);
  r.add("gt_number", 2, d, swapped<less>);
  r.add("ge_number", 2, d, swapped<below>);
}
// Types whose total order is the order: integers and bool.
template <class T> void add_discrete(kernel::TileRegistry& r, DType d) {
  add_order<T>(r, d);
  r.add("lt_to", 2, d, compare<T, Lt>, true);
  r.add("le_to", 2, d, compare<T, Le>, true);
}
template <class U> void add_width(kernel::TileRegistry& r) {
  using S = std::make_signed_t<U>;
  add_discrete<U>(r, kernel::dtype_of<U>);
  add_discrete<S>(r, kernel::dtype_of<S>);
  for (DType d : {kernel::dtype_of<U>, kernel::dtype_of<S>}) {
    add_equality<U>(r, d);
    r.add("eq_to", 2, d, compare<U, Eq>, true);
  }
}
template <class T, class U> void add_float(kernel::TileRegistry& r) {
  constexpr DType d = kernel::dtype_of<T>;
  add_order<T>(r, d);
  add_equality<T>(r, d);
  r.add("eq_to", 2, d, compare<U, Eq>, true);
  r.add("lt_to", 2, d, compare<U, LtTo>, true);
  r.add("le_to", 2, d, compare<U, LeTo>, true);
  r.add("is_finite", 1, d, compare<T, IsFinite>, true);
}

void add_tiles(kernel::TileRegistry& r) {
  add_width<std::uint8_t>(r), add_width<std::uint16_t>(r), add_width<std::uint32_t>(r), add_width<std::uint64_t>(r);
  add_discrete<std::uint8_t>(r, DType::bool_);
  add_equality<std::uint8_t>(r, DType::bool_);
  r.add("eq_to", 2, DType::bool_, compare<std::uint8_t, Eq>, true);
  add_float<float, std::uint32_t>(r);
  add_float<double, std::uint64_t>(r);
  add_float<BFloat16, std::uint16_t>(r);
  add_float<Float16, std::uint16_t>(r);
  add_numbers<std::int32_t>(r, DType::int32);
  add_numbers<float>(r, DType::float32);
  add_equality<Complex<float>>(r, DType::complex64);
  add_equality<Complex<double>>(r, DType::complex128);
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::compare_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_compare_tiles(kernel::TileRegistry& r) {
  using namespace compare_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

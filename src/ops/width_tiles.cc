// Tile functions of nextafter, reduce_precision and mulhi.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/width_tiles.cc"
#include "hwy/foreach_target.h"
#include "kernel/tile_loops-inl.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::width_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;

template <class Bits, int mantissa> struct Layout {
  using U = Bits;
  static constexpr int mantissa_bits = mantissa;
};

namespace rules {
#include "ops/width_rules.h"
}

template <class F> struct NextAfter {
  static constexpr int arity = 2;
  template <class U> static COTAN_RULE U run(U x, U y) { return rules::next_after<F>(x, y); }
};
template <class F> struct FewerBits {
  static constexpr int arity = 1;
  template <class U> static COTAN_RULE U run(U x, std::uint32_t bits) { return rules::fewer_bits<F>(x, bits); }
};
struct MulHigh {
  static constexpr int arity = 2;
  template <class T> static COTAN_RULE T run(T x, T y) { return rules::multiply_high(x, y); }
};

template <class F> void add_floats(kernel::TileRegistry& r, DType d) {
  using U = typename F::U;
  r.add("nextafter", 2, d, loops::run_plain<U, U, NextAfter<F>>);
  r.add("reduce_precision", 1, d, loops::run_plain<U, U, FewerBits<F>>);
}
template <class T> void add_integers(kernel::TileRegistry& r) {
  r.add("mulhi", 2, kernel::dtype_of<T>, loops::run_plain<T, T, MulHigh>);
}

void add_tiles(kernel::TileRegistry& r) {
  add_floats<Layout<std::uint16_t, 7>>(r, DType::bfloat16);
  add_floats<Layout<std::uint16_t, 10>>(r, DType::float16);
  add_floats<Layout<std::uint32_t, 23>>(r, DType::float32);
  add_floats<Layout<std::uint64_t, 52>>(r, DType::float64);
  add_integers<std::int8_t>(r), add_integers<std::int16_t>(r), add_integers<std::int32_t>(r),
      add_integers<std::int64_t>(r);
  add_integers<std::uint8_t>(r), add_integers<std::uint16_t>(r), add_integers<std::uint32_t>(r),
      add_integers<std::uint64_t>(r);
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::width_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_width_tiles(kernel::TileRegistry& r) {
  using namespace width_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

// Tile functions that find the first largest or smallest element: dst[0] = its position, int64. A NaN is both.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/argmax_tiles.cc"
#include "hwy/foreach_target.h"
#include <limits>

#include "ops/reduce_lanes-inl.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::argmax_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;
namespace lanes = reduce_lanes::HWY_NAMESPACE;
using kernel::Ins;

namespace rules {
#include "ops/arith_rules.h"
#include "ops/int_rules.h"
}  // namespace rules

struct Max {
  template <class B> static COTAN_RULE typename B::F run(B& b, typename B::F x, typename B::F y) {
    return rules::max(b, x, y);
  }
  template <class T> static COTAN_RULE T run(T x, T y) { return rules::int_max(x, y); }
};
struct Min {
  template <class B> static COTAN_RULE typename B::F run(B& b, typename B::F x, typename B::F y) {
    return rules::min(b, x, y);
  }
  template <class T> static COTAN_RULE T run(T x, T y) { return rules::int_min(x, y); }
};

// The first of v[0..n) that equals x, or that is NaN as x is; n if there is none.
template <class T> std::size_t find_first(const T* v, std::size_t n, T x) {
  constexpr std::size_t stretch = 64;
  std::size_t i = 0;
  for (; i + stretch <= n; i += stretch) {
    std::uint32_t hits = 0;
    for (std::size_t k = 0; k < stretch; ++k) hits |= (v[i + k] == x) | ((v[i + k] != v[i + k]) & (x != x));
    if (hits != 0) break;
  }
  for (; i < n; ++i) {
    if (v[i] == x || (v[i] != v[i] && x != x)) return i;
  }
  return n;
}

template <class R, class T, class S> void arg(void* const* regs, const Ins* ins, std::size_t n) {
  const S* a = static_cast<const S*>(regs[ins->a]);
  auto* dst = static_cast<std::int64_t*>(regs[ins->dst]);
  *dst = 0;
  if (n <= 1 || ins->step_a == 0) return;
  const T best = lanes::reduce_values<R, T, S>(a, true, n, lanes::widen(a[0]));
  alignas(64) T buffer[lanes::block];
  for (std::size_t i = 0; i < n; i += lanes::block) {
    const std::size_t m = std::min(lanes::block, n - i),
                      at = find_first(lanes::values<T>(a, true, i, m, buffer), m, best);
    if (at < m) {
      *dst = static_cast<std::int64_t>(i + at);
      return;
    }
  }
}

template <class T, class S> void add(kernel::TileRegistry& r, DType d) {
  r.add("argmax", 1, d, arg<Max, T, S>);
  r.add("argmin", 1, d, arg<Min, T, S>);
}
template <class T> void add(kernel::TileRegistry& r) { add<T, T>(r, kernel::dtype_of<T>); }

void add_tiles(kernel::TileRegistry& r) {
  add<std::int8_t>(r), add<std::int16_t>(r), add<std::int32_t>(r), add<std::int64_t>(r);
  add<std::uint8_t>(r), add<std::uint16_t>(r), add<std::uint32_t>(r), add<std::uint64_t>(r);
  add<float>(r), add<double>(r);
  add<float, BFloat16>(r, DType::bfloat16), add<float, Float16>(r, DType::float16);
  add<std::uint8_t, std::uint8_t>(r, DType::bool_);
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::argmax_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_argmax_tiles(kernel::TileRegistry& r) {
  using namespace argmax_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

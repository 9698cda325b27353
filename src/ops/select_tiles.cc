// Tile functions that move elements without looking at them, by size alone.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/select_tiles.cc"
#include "hwy/foreach_target.h"
#include "kernel/tile_loops-inl.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::select_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;
using kernel::Ins;

struct Bits128 {
  std::uint64_t word[2];
};

// a: predicate, b: taken where false, c: where true.
template <class U> void select(void* const* regs, const Ins* ins, std::size_t n) {
  U* dst = static_cast<U*>(regs[ins->dst]);
  const auto* p = static_cast<const std::uint8_t*>(regs[ins->a]);
  const U *no = static_cast<const U*>(regs[ins->b]), *yes = static_cast<const U*>(regs[ins->c]);
  if (n == 0) return;
  if (ins->step_a == 0) {
    const U* from = *p != 0 ? yes : no;
    if ((*p != 0 ? ins->step_c : ins->step_b) == 0) {
      std::fill_n(dst, n, U(*from));
    } else if (dst != from) {
      std::memmove(dst, from, n * sizeof(U));
    }
    return;
  }
  const U k_no = *no, k_yes = *yes;
  if (ins->step_b && ins->step_c) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) {
      const U x = no[i], y = yes[i];
      dst[i] = p[i] != 0 ? y : x;
    }
  } else if (ins->step_b) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) {
      const U x = no[i];
      dst[i] = p[i] != 0 ? k_yes : x;
    }
  } else if (ins->step_c) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) {
      const U y = yes[i];
      dst[i] = p[i] != 0 ? y : k_no;
    }
  } else {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) dst[i] = p[i] != 0 ? k_yes : k_no;
  }
}

template <class U> void copy(void* const* regs, const Ins* ins, std::size_t n) {
  U* dst = static_cast<U*>(regs[ins->dst]);
  const U* a = static_cast<const U*>(regs[ins->a]);
  if (n == 0 || dst == a) return;
  if (ins->step_a == 0) {
    std::fill_n(dst, n, U(*a));
  } else {
    std::memmove(dst, a, n * sizeof(U));
  }
}
template <class U>
void fill(void* const* regs, const Ins* ins, std::size_t n) {  // with the first element of a, whatever its step
  if (n > 0) std::fill_n(static_cast<U*>(regs[ins->dst]), n, U(*static_cast<const U*>(regs[ins->a])));
}

template <class U> void add_size(kernel::TileRegistry& r) {
  for (int i = 0; i < dtype_count; ++i) {
    const auto d = static_cast<DType>(i);
    if (item_size(d) != sizeof(U)) continue;
    r.add("select", 3, d, select<U>);
    r.add("copy", 1, d, copy<U>);
    r.add("fill", 1, d, fill<U>);
  }
}

void add_tiles(kernel::TileRegistry& r) {
  add_size<std::uint8_t>(r), add_size<std::uint16_t>(r), add_size<std::uint32_t>(r), add_size<std::uint64_t>(r),
      add_size<Bits128>(r);
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::select_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_select_tiles(kernel::TileRegistry& r) {
  using namespace select_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

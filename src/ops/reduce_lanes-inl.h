// Reductions of a run of elements over 64 virtual lanes: lane j takes elements j, j + 64, ... in turn, then the upper half of
// the lanes is folded into the lower until one is left. So the order depends on n alone, not on the vector length.
// Included once per instruction set.
#if defined(COTAN_OPS_REDUCE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef COTAN_OPS_REDUCE_LANES_INL_H_
#undef COTAN_OPS_REDUCE_LANES_INL_H_
#else
#define COTAN_OPS_REDUCE_LANES_INL_H_
#endif
#include <algorithm>
#include <bit>

#include "kernel/tile_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::reduce_lanes {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;
using kernel::Ins;

constexpr std::size_t lane_count = 64;
constexpr std::size_t block = 256;  // elements converted at a time; a multiple of the lanes

// R folds two values: over a builder for floating types, on elements otherwise.
template <class R, class T> HWY_INLINE T fold(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    kernel::ScalarBuilder<T> b;
    return R::run(b, x, y);
  } else {
    return R::run(x, y);
  }
}

// n is a multiple of lane_count in all calls but the last.
template <class R, class T> void accumulate(T* HWY_RESTRICT lanes, const T* HWY_RESTRICT a, std::size_t n) {
  std::size_t whole = n / lane_count * lane_count, done = whole;
  if constexpr (std::is_floating_point_v<T>) {
    using D = hn::ScalableTag<T>;
    constexpr std::size_t N = loops::vector_lanes<T>, vectors = lane_count / N, group = vectors < 8 ? vectors : 8;
    const D d;
    loops::HwyBuilder<D> b;
    for (std::size_t g = 0; whole > 0 && g < lane_count; g += group * N) {
      hn::Vec<D> acc[group];
#pragma GCC unroll 8
      for (std::size_t k = 0; k < group; ++k) acc[k] = hn::LoadU(d, lanes + g + k * N);
      for (std::size_t i = g; i < whole; i += lane_count) {
#pragma GCC unroll 8
        for (std::size_t k = 0; k < group; ++k) acc[k] = R::run(b, acc[k], hn::LoadU(d, a + i + k * N));
      }
#pragma GCC unroll 8
      for (std::size_t k = 0; k < group; ++k) hn::StoreU(acc[k], d, lanes + g + k * N);
    }
    for (; done + N <= n; done += N) {
      T* lane = lanes + (done - whole);
      hn::StoreU(R::run(b, hn::LoadU(d, lane), hn::LoadU(d, a + done)), d, lane);
    }
  } else {
    for (std::size_t i = 0; i < whole; i += lane_count) {
      for (std::size_t j = 0; j < lane_count; ++j) lanes[j] = fold<R>(lanes[j], a[i + j]);
    }
  }
  for (; done < n; ++done) {
    lanes[done - whole] = fold<R>(lanes[done - whole], a[done]);
    asm volatile("");  // a vector form of this loop would be dead weight
  }
}

// Lanes from `used` on hold the identity, and folding that in changes nothing.
template <class R, class T> T finish(T* lanes, std::size_t used) {
  std::size_t half = (used >= lane_count ? lane_count : std::bit_ceil(used)) / 2;
  if constexpr (std::is_floating_point_v<T>) {
    using D = hn::ScalableTag<T>;
    constexpr std::size_t N = loops::vector_lanes<T>;
    const D d;
    loops::HwyBuilder<D> b;
    for (; half >= N; half /= 2) {
      for (std::size_t j = 0; j < half; j += N) {
        hn::StoreU(R::run(b, hn::LoadU(d, lanes + j), hn::LoadU(d, lanes + j + half)), d, lanes + j);
      }
    }
  }
  for (; half > 0; half /= 2) {
    for (std::size_t j = 0; j < half; ++j) {
      lanes[j] = fold<R>(lanes[j], lanes[j + half]);
      asm volatile("");
    }
  }
  return lanes[0];
}

template <class T> HWY_INLINE T widen(T x) { return x; }
HWY_INLINE float widen(BFloat16 x) { return kernel::half_to_float(x); }
HWY_INLINE float widen(Float16 x) { return kernel::half_to_float(x); }

// Elements i..i+m of the operand as values of T: in place, or in `buffer` (which a splat fills once).
template <class T, class S> HWY_INLINE const T* values(const S* a, bool step, std::size_t i, std::size_t m, T* buffer) {
  if constexpr (std::is_same_v<T, S>) {
    if (step) return a + i;
  }
  if (step) {
    for (std::size_t k = 0; k < m; ++k) buffer[k] = widen(a[i + k]);
  } else if (i == 0) {
    std::fill_n(buffer, m, T(widen(*a)));
  }
  return buffer;
}

// The reduction of elements of S, n > 0, computed in T.
template <class R, class T, class S> T reduce_values(const S* a, bool step, std::size_t n, T identity) {
  alignas(64) T lanes[lane_count];
  alignas(64) T buffer[block];
  std::fill_n(lanes, lane_count, identity);
  if (std::is_same_v<T, S> && step) {
    accumulate<R>(lanes, values<T>(a, step, 0, n, buffer), n);
  } else {
    for (std::size_t i = 0; i < n; i += block) {
      const std::size_t m = std::min(block, n - i);
      accumulate<R>(lanes, values<T>(a, step, i, m, buffer), m);
    }
  }
  return finish<R>(lanes, n);
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::reduce_lanes
HWY_AFTER_NAMESPACE();
#endif

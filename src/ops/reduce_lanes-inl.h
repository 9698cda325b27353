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
#include <limits>

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

// --- Many rows at once ---

// The halving of one vector's lanes: lane j is folded with lane j + half, and lane 0 is the result.
template <class R, class D, class V = hn::Vec<D>> HWY_INLINE hn::TFromD<D> fold_lanes(D d, V v) {
  using T = hn::TFromD<D>;
  constexpr std::size_t bytes = loops::vector_lanes<T> * sizeof(T);
  loops::HwyBuilder<D> b;
  if constexpr (bytes > 32) v = R::run(b, v, hn::ConcatLowerUpper(d, v, v));
  if constexpr (bytes > 16) v = R::run(b, v, hn::SwapAdjacentBlocks(v));
  if constexpr (sizeof(T) == 4) v = R::run(b, v, hn::Shuffle1032(v)), v = R::run(b, v, hn::Shuffle2301(v));
  else v = R::run(b, v, hn::Shuffle01(v));
  return hn::GetLane(v);
}

// The same of four vectors of 4-byte lanes, which share the steps: after each, a vector holds twice as many of them.
template <class R, class D, class T = hn::TFromD<D>, class V = hn::Vec<D>>
HWY_INLINE void fold_four(D d, const V* v, T* dst) {
  constexpr std::size_t N = loops::vector_lanes<T>;
  static_assert(N == 8 || N == 16);
  loops::HwyBuilder<D> b;
  const auto halves = [&](V x, V y) { return R::run(b, hn::ConcatLowerLower(d, y, x), hn::ConcatUpperUpper(d, y, x)); };
  V s = halves(v[0], v[1]);
  const V t = halves(v[2], v[3]);
  if constexpr (N == 16) {  // blocks of four lanes
    s = R::run(b, hn::OddEvenBlocks(hn::SwapAdjacentBlocks(t), s), hn::OddEvenBlocks(t, hn::SwapAdjacentBlocks(s)));
    s = R::run(b, s, hn::Shuffle1032(s));
  } else {  // pairs of lanes
    const hn::Repartition<double, D> pairs;
    const auto x = hn::BitCast(pairs, s), y = hn::BitCast(pairs, t);
    s = R::run(b, hn::BitCast(d, hn::InterleaveLower(pairs, x, y)), hn::BitCast(d, hn::InterleaveUpper(pairs, x, y)));
  }
  s = R::run(b, s, hn::Shuffle2301(s));
  alignas(64) T lanes[N];
  hn::Store(s, d, lanes);
  dst[0] = lanes[0], dst[1] = lanes[N / 2], dst[2] = lanes[N / 4], dst[3] = lanes[N / 4 * 3];
}

// A vector of values of T: of elements of T, or of 16-bit floats.
template <class D, class T = hn::TFromD<D>> HWY_INLINE hn::Vec<D> load(D d, const T* p) { return hn::LoadU(d, p); }
template <class D> HWY_INLINE hn::Vec<D> load(D d, const BFloat16* p) {
  const hn::Rebind<std::uint16_t, D> narrow;
  const hn::Rebind<std::uint32_t, D> wide;
  const auto bits = hn::LoadU(narrow, reinterpret_cast<const std::uint16_t*>(p));
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(wide, bits)));
}
template <class D> HWY_INLINE hn::Vec<D> load(D d, const Float16* p) {
  const hn::Rebind<std::uint16_t, D> bits;
  const hn::Rebind<hwy::float16_t, D> narrow;
  return hn::PromoteTo(d, hn::BitCast(narrow, hn::LoadU(bits, reinterpret_cast<const std::uint16_t*>(p))));
}
// Its first n lanes; the others are zero.
template <class D, class S> HWY_INLINE hn::Vec<D> load_first(D d, const S* p, std::size_t n) {
  if constexpr (std::is_same_v<S, hn::TFromD<D>>) {
    return hn::MaskedLoad(hn::FirstN(d, n), d, p);
  } else {
    S lanes[loops::vector_lanes<hn::TFromD<D>>] = {};
    std::copy_n(p, n, lanes);
    return load(d, lanes);
  }
}

// Where the values of rows come from: an array, or two of them.
template <class S> struct Elements {
  const S* x;
  template <class D> HWY_INLINE hn::Vec<D> load(D d, std::size_t i) const {
    return reduce_lanes::HWY_NAMESPACE::load(d, x + i);
  }
  template <class D> HWY_INLINE hn::Vec<D> first(D d, std::size_t i, std::size_t n) const {
    return load_first(d, x + i, n);
  }
  HWY_INLINE Elements operator+(std::ptrdiff_t n) const { return {x + n}; }
  template <class T> HWY_INLINE T one() const { return widen(*x); }
};
// Op::of(b, x, y) of each pair; y is a splat where `repeated`.
template <class Op, class T, bool repeated> struct Computed {
  const T *x, *y;
  template <class D> HWY_INLINE hn::Vec<D> load(D d, std::size_t i) const {
    loops::HwyBuilder<D> b;
    return Op::of(b, hn::LoadU(d, x + i), hn::LoadU(d, y + (repeated ? 0 : i)));
  }
  template <class D> HWY_INLINE hn::Vec<D> first(D d, std::size_t i, std::size_t n) const {
    loops::HwyBuilder<D> b;
    const auto mask = hn::FirstN(d, n);
    return Op::of(b, hn::MaskedLoad(mask, d, x + i), hn::MaskedLoad(mask, d, y + (repeated ? 0 : i)));
  }
  HWY_INLINE Computed operator+(std::ptrdiff_t n) const { return {x + n, y + (repeated ? 0 : n)}; }
  template <class> HWY_INLINE T one() const {
    kernel::ScalarBuilder<T> b;
    return Op::of(b, *x, *y);
  }
};

// Floats as integers in the same order, -0 below 0 and NaN beyond all: at the end where the extremum is. Folding these waits for one
// comparison where that of floats waits for four instructions.
template <class T> using KeyOf = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
template <bool highest> struct ExtremeKey {
  template <class B, class V> static HWY_INLINE V run(B&, V x, V y) { return highest ? hn::Max(x, y) : hn::Min(x, y); }
};
template <class DI, class V = hn::Vec<DI>> HWY_INLINE V flip_negative(DI d, V bits) {
  return hn::Xor(bits, hn::And(hn::BroadcastSignBit(bits), hn::Set(d, hwy::LimitsMax<hn::TFromD<DI>>())));
}
template <bool highest, class DI> HWY_INLINE hn::Vec<DI> key(DI d, hn::Vec<hn::RebindToFloat<DI>> x) {
  const auto nan = hn::NaN(hn::RebindToFloat<DI>());
  return flip_negative(d,
                       hn::BitCast(d, hn::IfThenElse(hn::IsNaN(x), highest ? hn::Abs(nan) : hn::Neg(hn::Abs(nan)), x)));
}
template <bool highest, class Values> struct Keys {
  Values of;
  template <class D> HWY_INLINE hn::Vec<D> load(D d, std::size_t i) const {
    return key<highest>(d, of.load(hn::RebindToFloat<D>(), i));
  }
  template <class D> HWY_INLINE hn::Vec<D> first(D d, std::size_t i, std::size_t n) const {
    return key<highest>(d, of.first(hn::RebindToFloat<D>(), i, n));
  }
  HWY_INLINE Keys operator+(std::ptrdiff_t n) const { return {of + n}; }
  template <class K> HWY_INLINE K one() const {
    using T = std::conditional_t<sizeof(K) == 4, float, double>;
    const hn::CappedTag<K, 1> d;
    return hn::GetLane(key<highest>(d, hn::Set(hn::RebindToFloat<decltype(d)>(), of.template one<T>())));
  }
};

// One row over `vectors` vectors of lanes, as accumulate and finish make it, down to one vector. Lanes without an element hold the
// identity. Where all have one, it is folded in at the end: that it turns a sum of -0 to 0 is all that it does.
template <class R, std::size_t vectors, class D, class Values, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> reduce_row(D d, const Values& x, std::size_t n, T identity) {
  constexpr std::size_t N = loops::vector_lanes<T>, width = vectors * N;
  loops::HwyBuilder<D> b;
  const auto start = hn::Set(d, identity);
  hn::Vec<D> acc[vectors];
  std::size_t i = n < width ? 0 : width;
#pragma GCC unroll 16
  for (std::size_t k = 0; k < vectors; ++k) acc[k] = i == 0 ? start : x.load(d, k * N);
  for (; i + width <= n; i += width) {
#pragma GCC unroll 16
    for (std::size_t k = 0; k < vectors; ++k) acc[k] = R::run(b, acc[k], x.load(d, i + k * N));
  }
#pragma GCC unroll 16
  for (std::size_t k = 0; k < vectors; ++k) {
    const std::size_t at = i + k * N;
    if (at + N <= n) acc[k] = R::run(b, acc[k], x.load(d, at));
    else if (at < n) acc[k] = R::run(b, acc[k], hn::IfThenElse(hn::FirstN(d, n - at), x.first(d, at, n - at), start));
  }
#pragma GCC unroll 4
  for (std::size_t half = vectors / 2; half > 0; half /= 2)
#pragma GCC unroll 8
    for (std::size_t k = 0; k < half; ++k) acc[k] = R::run(b, acc[k], acc[k + half]);
  return R::run(b, start, acc[0]);
}

template <class R, std::size_t vectors, class T, class Values>
void reduce_rows(T* dst, Values x, std::size_t n, std::size_t rows, std::ptrdiff_t stride, T identity) {
  const hn::ScalableTag<T> d;
  std::size_t r = 0;
  if constexpr (sizeof(T) == 4 && (loops::vector_lanes<T> == 8 || loops::vector_lanes<T> == 16)) {
    for (; r + 4 <= rows; r += 4, x = x + 4 * stride) {
      hn::Vec<decltype(d)> four[4];
#pragma GCC unroll 4
      for (int k = 0; k < 4; ++k) four[k] = reduce_row<R, vectors>(d, x + k * stride, n, identity);
      fold_four<R>(d, four, dst + r);
    }
  }
  for (; r < rows; ++r, x = x + stride) dst[r] = fold_lanes<R>(d, reduce_row<R, vectors>(d, x, n, identity));
}

template <class R, class T, class Values>
void reduce_each(T* dst, Values x, std::size_t n, std::size_t rows, std::ptrdiff_t stride, T identity) {
  constexpr std::size_t N = loops::vector_lanes<T>, most = lane_count / N;
  const std::size_t lanes = n >= lane_count ? lane_count : std::bit_ceil(n);
  if (n == 1) {
    for (std::size_t r = 0; r < rows; ++r, x = x + stride) dst[r] = x.template one<T>();
  } else if (lanes <= N) {
    reduce_rows<R, 1>(dst, x, n, rows, stride, identity);
  } else if (lanes == 2 * N) {
    reduce_rows<R, 2>(dst, x, n, rows, stride, identity);
  } else if (lanes == 4 * N) {
    reduce_rows<R, 4>(dst, x, n, rows, stride, identity);
  } else if (lanes == 8 * N) {
    reduce_rows<R, 8>(dst, x, n, rows, stride, identity);
  } else {
    reduce_rows<R, most>(dst, x, n, rows, stride, identity);
  }
}

// The greatest or least of each row.
template <bool highest, class T, class S>
void extreme_each(void* dst, const S* x, std::size_t n, std::size_t rows, std::ptrdiff_t stride) {
  using K = KeyOf<T>;
  const hn::ScalableTag<K> d;
  constexpr std::size_t N = loops::vector_lanes<K>;
  const K none =
      hn::GetLane(key<highest>(d, hn::Set(hn::ScalableTag<T>(), highest ? -std::numeric_limits<T>::infinity()
                                                                        : std::numeric_limits<T>::infinity())));
  K* const keys = static_cast<K*>(dst);
  reduce_each<ExtremeKey<highest>>(keys, Keys<highest, Elements<S>>{{x}}, n, rows, stride, none);
  const auto value = [d](auto k) HWY_ATTR {  // NaN is positive
    const hn::RebindToFloat<decltype(d)> f;
    const auto found = hn::BitCast(f, flip_negative(d, k));
    return hn::BitCast(d, hn::IfThenElse(hn::IsNaN(found), hn::Abs(found), found));
  };
  std::size_t r = 0;
  for (; r + N <= rows; r += N) hn::StoreU(value(hn::LoadU(d, keys + r)), d, keys + r);
  const auto last = hn::FirstN(d, rows - r);
  hn::BlendedStore(value(hn::MaskedLoad(last, d, keys + r)), last, d, keys + r);
}

// The same of 16-bit floats, by keys of 16 bits. The results are float32.
template <bool highest, class H>
HWY_INLINE hn::Vec<hn::ScalableTag<std::int16_t>> half_keys(hn::Vec<hn::ScalableTag<std::int16_t>> bits) {
  constexpr int infinity = std::is_same_v<H, BFloat16> ? 0x7f80 : 0x7c00, nan = highest ? 0x7fff : -1;
  const hn::ScalableTag<std::int16_t> d;
  const auto is_nan = hn::Gt(hn::And(bits, hn::Set(d, 0x7fff)), hn::Set(d, infinity));
  return flip_negative(d, hn::IfThenElse(is_nan, hn::Set(d, nan), bits));
}
template <bool highest, class H>
void extreme_half_each(float* dst, const H* x, std::size_t n, std::size_t rows, std::ptrdiff_t stride) {
  const hn::ScalableTag<std::int16_t> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t N = loops::vector_lanes<std::int16_t>;
  const V none = hn::Set(d, highest ? hwy::LimitsMin<std::int16_t>() : hwy::LimitsMax<std::int16_t>());
  const auto fold = [](V a, V b) HWY_ATTR { return highest ? hn::Max(a, b) : hn::Min(a, b); };
  for (std::size_t r = 0; r < rows; ++r, x += stride) {
    const auto* const at = reinterpret_cast<const std::int16_t*>(x);
    const auto keys = [&](std::size_t i) HWY_ATTR { return half_keys<highest, H>(hn::LoadU(d, at + i)); };
    V a = none, b = none;
    std::size_t i = 0;
    for (; i + 2 * N <= n; i += 2 * N) a = fold(a, keys(i)), b = fold(b, keys(i + N));
    if (i + N <= n) a = fold(a, keys(i)), i += N;
    if (i < n) {
      alignas(64) std::int16_t last[N];
      std::fill_n(last, N, at[i]);
      std::copy_n(at + i, n - i, last);
      b = fold(b, half_keys<highest, H>(hn::Load(d, last)));
    }
    a = fold(a, b);
    const std::int16_t k = hn::GetLane(highest ? hn::MaxOfLanes(d, a) : hn::MinOfLanes(d, a));
    H best;
    best.bits = static_cast<std::uint16_t>(k < 0 ? k ^ 0x7fff : k);
    if (best.bits == 0xffff) best.bits = 0x7fff;  // NaN is positive
    dst[r] = widen(best);
  }
}

// dst[j] folded with the rows in turn, for `count` columns of fixed number: in registers.
template <class R, std::size_t vectors, class T, class S>
HWY_INLINE void fold_strip(T* HWY_RESTRICT dst, const S* HWY_RESTRICT x, std::size_t rows, std::ptrdiff_t stride) {
  using D = hn::ScalableTag<T>;
  constexpr std::size_t N = loops::vector_lanes<T>;
  const D d;
  loops::HwyBuilder<D> b;
  hn::Vec<D> acc[vectors];
#pragma GCC unroll 8
  for (std::size_t k = 0; k < vectors; ++k) acc[k] = hn::LoadU(d, dst + k * N);
  for (; rows > 0; --rows, x += stride) {
#pragma GCC unroll 8
    for (std::size_t k = 0; k < vectors; ++k) acc[k] = R::run(b, acc[k], load(d, x + k * N));
  }
#pragma GCC unroll 8
  for (std::size_t k = 0; k < vectors; ++k) hn::StoreU(acc[k], d, dst + k * N);
}

// The same for the columns that make no vector.
template <class R, class T, class S>
HWY_INLINE void fold_last(T* HWY_RESTRICT dst, const S* HWY_RESTRICT x, std::size_t n, std::size_t rows,
                          std::ptrdiff_t stride) {
  using D = hn::ScalableTag<T>;
  const D d;
  loops::HwyBuilder<D> b;
  const auto mask = hn::FirstN(d, n);
  hn::Vec<D> acc = hn::MaskedLoad(mask, d, dst);
  for (; rows > 0; --rows, x += stride) acc = R::run(b, acc, load_first(d, x, n));
  hn::BlendedStore(acc, mask, d, dst);
}

// Rows go in groups where a row is longer than the registers, so that memory is read along rows.
template <class R, class T, class S>
void fold_rows(T* dst, const S* x, std::size_t n, std::size_t rows, std::ptrdiff_t stride) {
  constexpr std::size_t N = loops::vector_lanes<T>;
  const std::size_t group = n > 8 * N ? 8 : rows;
  for (std::size_t r = 0; r < rows; r += group, x += static_cast<std::ptrdiff_t>(group) * stride) {
    const std::size_t m = std::min(group, rows - r);
    std::size_t j = 0;
    for (; j + 8 * N <= n; j += 8 * N) fold_strip<R, 8>(dst + j, x + j, m, stride);
    if (j + 4 * N <= n) fold_strip<R, 4>(dst + j, x + j, m, stride), j += 4 * N;
    if (j + 2 * N <= n) fold_strip<R, 2>(dst + j, x + j, m, stride), j += 2 * N;
    if (j + N <= n) fold_strip<R, 1>(dst + j, x + j, m, stride), j += N;
    if (j < n) fold_last<R>(dst + j, x + j, n - j, m, stride);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::reduce_lanes
HWY_AFTER_NAMESPACE();
#endif

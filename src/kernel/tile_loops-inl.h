// The loops that make tile functions out of scalar rules. Included once per instruction set, after `hwy/foreach_target.h`.
//
//   run_heavy<T, R>    R over the vector builder: one loop whatever the operands are; rare lanes are redone by R::host
//   run_cheap<T, R>    R over the vector builder: a loop for each pattern of splat operands
//   run_plain<O, A, R> R::run(A...) -> O on single elements, by the auto-vectoriser: integers, bits, conversions, complex
//   via_float32<H, F>  a 16-bit float form of the float32 tile function F
//   add_heavy, add_cheap, add_plain   register one of these, for the dtypes named
//
// A rule R has `arity`, `run` (generic over the builder, or on elements), and, where has_rare, `host` on single elements.
// Where n is no multiple of the vector length, the last vector overlaps the one before it; its operands are loaded before
// anything is stored, since the destination may be an operand.
#if defined(COTAN_KERNEL_TILE_LOOPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef COTAN_KERNEL_TILE_LOOPS_INL_H_
#undef COTAN_KERNEL_TILE_LOOPS_INL_H_
#else
#define COTAN_KERNEL_TILE_LOOPS_INL_H_
#endif
#include <algorithm>
#include <cstring>

#include "kernel/builder_hwy-inl.h"
#include "kernel/half_bits.h"
#include "kernel/tile.h"
#include "kernel/tile_types.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::kernel {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
constexpr std::size_t vector_lanes = hn::MaxLanes(hn::ScalableTag<T>());  // exact on the targets that we compile for

template <class T> HWY_INLINE const T* operand(void* const* regs, unsigned r) { return static_cast<const T*>(regs[r]); }

// The operands of one vector step: vectors, or splats held in registers.
template <class T, int arity> struct Operands {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  const T* p[3];
  bool step[3];

  HWY_INLINE Operands(void* const* regs, const Ins* ins) {
    p[0] = operand<T>(regs, ins->a), step[0] = ins->step_a != 0;
    p[1] = arity > 1 ? operand<T>(regs, ins->b) : p[0], step[1] = arity > 1 ? ins->step_b != 0 : step[0];
    p[2] = arity > 2 ? operand<T>(regs, ins->c) : p[0], step[2] = arity > 2 ? ins->step_c != 0 : step[0];
  }
  HWY_INLINE V load(int j, std::size_t i) const { return hn::LoadU(D(), p[j] + (step[j] ? i : 0)); }
};

template <class R, class B, class V> HWY_INLINE V apply(B& b, std::uint32_t aux, V x, V y, V z) {
  (void)aux;  // for unary rules that take it
  if constexpr (R::arity == 1) {
    if constexpr (requires { R::run(b, x, aux); }) return R::run(b, x, aux);
    else return R::run(b, x);
  }
  if constexpr (R::arity == 2) return R::run(b, x, y);
  if constexpr (R::arity == 3) return R::run(b, x, y, z);
}
template <class R, class T> HWY_INLINE T apply_host(T x, T y, T z) {
  if constexpr (R::arity == 1) return R::host(x);
  if constexpr (R::arity == 2) return R::host(x, y);
  if constexpr (R::arity == 3) return R::host(x, y, z);
}

// Stores y to dst, with the marked lanes redone.
template <class R, class D, class T = hn::TFromD<D>, class V = hn::Vec<D>>
HWY_NOINLINE void redo_rare(D d, hn::Mask<D> bad, V y, V x0, V x1, V x2, T* dst) {
  constexpr std::size_t N = vector_lanes<T>;
  alignas(64) T out[N], in[3][N], marked[N];
  hn::StoreU(y, d, out);
  hn::StoreU(x0, d, in[0]);
  hn::StoreU(x1, d, in[1]);
  hn::StoreU(x2, d, in[2]);
  hn::StoreU(hn::IfThenElseZero(bad, hn::Set(d, T(1))), d, marked);
  for (std::size_t j = 0; j < N; ++j) {
    if (marked[j] != T(0)) out[j] = apply_host<R>(in[0][j], in[1][j], in[2][j]);
  }
  hn::StoreU(hn::LoadU(d, out), d, dst);
}

template <class T, class R> void run_heavy(void* const* regs, const Ins* ins, std::size_t n) {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  constexpr std::size_t N = vector_lanes<T>;
  constexpr int arity = R::arity;
  const D d;
  if (n == 0) return;
  Operands<T, arity> in(regs, ins);
  T* dst = static_cast<T*>(regs[ins->dst]);
  alignas(64) T short_in[arity][N], short_out[N];
  T* const result = dst;
  const std::size_t count = n;
  if (n < N) {  // through buffers whose unused lanes repeat the first element
    for (int j = 0; j < arity; ++j) {
      for (std::size_t i = 0; i < N; ++i) short_in[j][i] = in.p[j][i < n && in.step[j] ? i : 0];
      in.p[j] = short_in[j];
    }
    dst = short_out;
    n = N;
  }
  const std::size_t last = n - N;
  const V l0 = in.load(0, last), l1 = arity > 1 ? in.load(1, last) : l0, l2 = arity > 2 ? in.load(2, last) : l0;
  for (std::size_t i = 0; i < n; i += N) {
    V x0 = l0, x1 = l1, x2 = l2;
    std::size_t at = last;
    if (HWY_LIKELY(i < last)) {
      at = i;
      x0 = in.load(0, i);
      if constexpr (arity > 1) x1 = in.load(1, i);
      if constexpr (arity > 2) x2 = in.load(2, i);
    }
    HwyBuilder<D> b;
    const V y = apply<R>(b, ins->aux, x0, x1, x2);
    if constexpr (R::has_rare) {
      if (HWY_UNLIKELY(!hn::AllFalse(d, b.bad))) {
        redo_rare<R>(d, b.bad, y, x0, x1, x2, dst + at);
        continue;
      }
    }
    hn::StoreU(y, d, dst + at);
  }
  if (dst != result) std::memcpy(result, dst, count * sizeof(T));
}

// One loop of run_cheap, for operands whose steps are known. Two vectors an iteration, as one store a cycle is the limit.
template <class T, class R, bool s0, bool s1, bool s2>
HWY_INLINE void cheap_loop(const Operands<T, R::arity>& in, std::uint32_t aux, T* dst, std::size_t n) {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  constexpr std::size_t N = vector_lanes<T>;
  const D d;
  const V k0 = hn::LoadU(d, in.p[0]), k1 = hn::LoadU(d, in.p[1]), k2 = hn::LoadU(d, in.p[2]);
  const T *p0 = in.p[0], *p1 = in.p[1], *p2 = in.p[2];
  HwyBuilder<D> b;
  auto one = [&](std::size_t i) HWY_ATTR {
    return apply<R>(b, aux, s0 ? hn::LoadU(d, p0 + i) : k0, s1 ? hn::LoadU(d, p1 + i) : k1,
                    s2 ? hn::LoadU(d, p2 + i) : k2);
  };
  const V tail = one(n - N);
  std::size_t i = 0;
  for (; i + 2 * N <= n; i += 2 * N) {
    const V y0 = one(i), y1 = one(i + N);
    hn::StoreU(y0, d, dst + i);
    hn::StoreU(y1, d, dst + i + N);
  }
  if (i + N <= n) hn::StoreU(one(i), d, dst + i);
  hn::StoreU(tail, d, dst + n - N);
}

// n is less than a vector, or all operands are splats.
template <class T, class R>
HWY_INLINE void cheap_short(const Operands<T, R::arity>& in, std::uint32_t aux, T* dst, std::size_t n, bool splat) {
#if HWY_TARGET == HWY_AVX3
  using D = hn::ScalableTag<T>;
  constexpr std::size_t N = vector_lanes<T>;
  const D d;
  HwyBuilder<D> b;
  const auto first = hn::FirstN(d, n);
  auto load = [&](int j) HWY_ATTR { return in.step[j] ? hn::MaskedLoad(first, d, in.p[j]) : hn::LoadU(d, in.p[j]); };
  const auto y = apply<R>(b, aux, load(0), load(1), load(2));
  std::size_t i = 0;
  for (; splat && i + N <= n; i += N) hn::StoreU(y, d, dst + i);
  hn::BlendedStore(y, hn::FirstN(d, n - i), d, dst + i);
#else
  ScalarBuilder<T> b;
  for (std::size_t i = 0; i < (splat ? std::min<std::size_t>(n, 1) : n); ++i) {
    dst[i] = apply<R>(b, aux, in.p[0][in.step[0] ? i : 0], in.p[1][in.step[1] ? i : 0], in.p[2][in.step[2] ? i : 0]);
    asm volatile("");  // a vector form of this loop would be dead weight
  }
  if (splat && n > 1) std::fill_n(dst + 1, n - 1, T(dst[0]));
#endif
}

template <class T, class R> void run_cheap(void* const* regs, const Ins* ins, std::size_t n) {
  constexpr int arity = R::arity;
  Operands<T, arity> in(regs, ins);
  T* dst = static_cast<T*>(regs[ins->dst]);
  const bool splat = !in.step[0] && !in.step[1] && !in.step[2];
  if (n < vector_lanes<T> || splat) return cheap_short<T, R>(in, ins->aux, dst, n, splat);
  if constexpr (arity == 1) {
    cheap_loop<T, R, true, true, true>(in, ins->aux, dst, n);
  } else if constexpr (arity == 2) {
    if (in.step[0] && in.step[1]) return cheap_loop<T, R, true, true, false>(in, ins->aux, dst, n);
    in.step[0] ? cheap_loop<T, R, true, false, false>(in, ins->aux, dst, n)
               : cheap_loop<T, R, false, true, false>(in, ins->aux, dst, n);
  } else {
    switch (in.step[0] + 2 * in.step[1] + 4 * in.step[2]) {
      case 1: return cheap_loop<T, R, true, false, false>(in, ins->aux, dst, n);
      case 2: return cheap_loop<T, R, false, true, false>(in, ins->aux, dst, n);
      case 3: return cheap_loop<T, R, true, true, false>(in, ins->aux, dst, n);
      case 4: return cheap_loop<T, R, false, false, true>(in, ins->aux, dst, n);
      case 5: return cheap_loop<T, R, true, false, true>(in, ins->aux, dst, n);
      case 6: return cheap_loop<T, R, false, true, true>(in, ins->aux, dst, n);
      default: return cheap_loop<T, R, true, true, true>(in, ins->aux, dst, n);
    }
  }
}

// Plain loops. `ivdep`: an operand is the destination itself or apart from it. R::run may take the instruction's aux last.
template <class R, class... X> HWY_INLINE auto plain_one(const Ins* ins, X... x) {
  if constexpr (requires { R::run(x..., std::uint32_t{}); }) {
    return R::run(x..., ins->aux);
  } else {
    return R::run(x...);
  }
}

template <class O, class A, class R> void run_plain(void* const* regs, const Ins* ins, std::size_t n) {
  constexpr int arity = R::arity;
  O* dst = static_cast<O*>(regs[ins->dst]);
  const A* a = operand<A>(regs, ins->a);
  if constexpr (arity == 1) {
    const std::size_t sa = ins->step_a;
    if (sa == 0 && n > 0) {
      std::fill_n(dst, n, O(plain_one<R>(ins, *a)));
      return;
    }
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) dst[i] = plain_one<R>(ins, a[i]);
  } else if constexpr (arity == 2) {
    const A* b = operand<A>(regs, ins->b);
    if (n == 0) return;
    const A ka = *a, kb = *b;
    if (ins->step_a && ins->step_b) {
#pragma GCC ivdep
      for (std::size_t i = 0; i < n; ++i) dst[i] = plain_one<R>(ins, a[i], b[i]);
    } else if (ins->step_a) {
#pragma GCC ivdep
      for (std::size_t i = 0; i < n; ++i) dst[i] = plain_one<R>(ins, a[i], kb);
    } else if (ins->step_b) {
#pragma GCC ivdep
      for (std::size_t i = 0; i < n; ++i) dst[i] = plain_one<R>(ins, ka, b[i]);
    } else {
      std::fill_n(dst, n, O(plain_one<R>(ins, ka, kb)));
    }
  } else {
    const A *b = operand<A>(regs, ins->b), *c = operand<A>(regs, ins->c);
    if (ins->step_a && ins->step_b && ins->step_c) {
#pragma GCC ivdep
      for (std::size_t i = 0; i < n; ++i) dst[i] = plain_one<R>(ins, a[i], b[i], c[i]);
    } else {
      const std::size_t sa = ins->step_a, sb = ins->step_b, sc = ins->step_c;
      for (std::size_t i = 0; i < n; ++i) dst[i] = plain_one<R>(ins, a[i * sa], b[i * sb], c[i * sc]);
    }
  }
}

// Runs of 16-bit floats as float32 and back. Float16 by the instructions for it, whose results are those of half_bits.h.
template <class H> HWY_INLINE void widen_run(const H* HWY_RESTRICT from, float* HWY_RESTRICT to, std::size_t n) {
  std::size_t i = 0;
  if constexpr (std::is_same_v<H, Float16>) {
    const hn::ScalableTag<float> d;
    const hn::Rebind<std::uint16_t, decltype(d)> bits;
    const hn::Rebind<hwy::float16_t, decltype(d)> half;
    for (; i + vector_lanes<float> <= n; i += vector_lanes<float>) {
      const auto x = hn::LoadU(bits, reinterpret_cast<const std::uint16_t*>(from + i));
      hn::StoreU(hn::PromoteTo(d, hn::BitCast(half, x)), d, to + i);
    }
  }
#pragma GCC ivdep
  for (; i < n; ++i) to[i] = half_to_float(from[i]);
}
template <class H> HWY_INLINE void narrow_run(const float* HWY_RESTRICT from, H* HWY_RESTRICT to, std::size_t n) {
  std::size_t i = 0;
  if constexpr (std::is_same_v<H, Float16>) {
    const hn::ScalableTag<float> d;
    const hn::Rebind<std::uint16_t, decltype(d)> bits;
    const hn::Rebind<hwy::float16_t, decltype(d)> half;
    for (; i + vector_lanes<float> <= n; i += vector_lanes<float>) {
      const auto x = hn::DemoteTo(half, hn::LoadU(d, from + i));
      hn::StoreU(hn::BitCast(bits, x), bits, reinterpret_cast<std::uint16_t*>(to + i));
    }
  }
#pragma GCC ivdep
  for (; i < n; ++i) float_to_half(from[i], to + i);
}

// A 16-bit float form of the float32 tile function fn: blocks through float32, one rounding at the end. `predicate`: fn yields
// bool, which needs no rounding.
template <class H>
HWY_NOINLINE void through_float32(TileFn fn, int arity, bool predicate, void* const* regs, const Ins* ins,
                                  std::size_t n) {
  constexpr std::size_t block = 256;
  alignas(64) float buffer[4][block];  // the result, then the operands
  void* local[4] = {buffer[0], buffer[1], buffer[2], buffer[3]};
  Ins inner = *ins;
  inner.dst = 0, inner.a = 1, inner.b = 2, inner.c = 3;
  const std::uint16_t source[3] = {ins->a, ins->b, ins->c};
  const std::uint8_t step[3] = {ins->step_a, ins->step_b, ins->step_c};
  for (int j = 0; j < arity; ++j) {
    if (step[j] == 0) std::fill_n(buffer[j + 1], 64 / sizeof(float), half_to_float(*operand<H>(regs, source[j])));
  }
  for (std::size_t i = 0; i < n; i += block) {
    const std::size_t m = std::min(block, n - i);
    for (int j = 0; j < arity; ++j) {
      if (step[j] == 0) continue;
      widen_run(operand<H>(regs, source[j]) + i, buffer[j + 1], m);
    }
    if (predicate) local[0] = static_cast<std::uint8_t*>(regs[ins->dst]) + i;
    fn(local, &inner, m);
    if (predicate) continue;
    narrow_run(buffer[0], static_cast<H*>(regs[ins->dst]) + i, m);
  }
}
template <class H, TileFn fn, int arity, bool predicate = false>
void via_float32(void* const* regs, const Ins* ins, std::size_t n) {
  through_float32<H>(fn, arity, predicate, regs, ins, n);
}

template <TileFn fn32, int arity, bool predicate = false> void add_halves(TileRegistry& r, const char* name) {
  r.add(name, arity, DType::bfloat16, via_float32<BFloat16, fn32, arity, predicate>, predicate);
  r.add(name, arity, DType::float16, via_float32<Float16, fn32, arity, predicate>, predicate);
}

// Registers R for the four real floating types.
template <class R> void add_heavy(TileRegistry& r, const char* name) {
  r.add(name, R::arity, DType::float32, run_heavy<float, R>);
  r.add(name, R::arity, DType::float64, run_heavy<double, R>);
  add_halves<run_heavy<float, R>, R::arity>(r, name);
}
template <class R> void add_cheap(TileRegistry& r, const char* name) {
  r.add(name, R::arity, DType::float32, run_cheap<float, R>);
  r.add(name, R::arity, DType::float64, run_cheap<double, R>);
  add_halves<run_cheap<float, R>, R::arity>(r, name);
}
// Registers R for elements of type A, as R::run(A...) -> O.
template <class A, class R, class O = A> void add_plain(TileRegistry& r, const char* name, bool predicate = false) {
  r.add(name, R::arity, dtype_of<A>, run_plain<O, A, R>, predicate);
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::kernel
HWY_AFTER_NAMESPACE();
#endif

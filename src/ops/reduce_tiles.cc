// Tile functions that reduce a run of elements to one: dst[0] = reduction of a[0..n). The identity where n is 0.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/reduce_tiles.cc"
#include "hwy/foreach_target.h"
#include <limits>

#include "ops/reduce_lanes-inl.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::reduce_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;
namespace lanes = reduce_lanes::HWY_NAMESPACE;
using kernel::Complex;
using kernel::Ins;

namespace rules {
#include "ops/arith_rules.h"
#include "ops/complex_rules.h"
#include "ops/int_rules.h"
}  // namespace rules

#define COTAN_FOLD(Name, on_builder, on_int, on_complex)                                                   \
  struct Name {                                                                                            \
    template <class B> static COTAN_RULE typename B::F run(B& b, typename B::F x, typename B::F y) {       \
      return on_builder;                                                                                   \
    }                                                                                                      \
    template <class T> static COTAN_RULE T run(T x, T y) { return on_int; }                                \
    template <class T> static COTAN_RULE Complex<T> run(Complex<T> x, Complex<T> y) { return on_complex; } \
  }
COTAN_FOLD(Sum, b.add(x, y), rules::int_add(x, y), rules::c_add(x, y));
COTAN_FOLD(Prod, b.mul(x, y), rules::int_mul(x, y), rules::c_mul(x, y));
COTAN_FOLD(Max, rules::max(b, x, y), rules::int_max(x, y), rules::c_max(x, y));
COTAN_FOLD(Min, rules::min(b, x, y), rules::int_min(x, y), rules::c_min(x, y));
struct And {
  template <class T> static COTAN_RULE T run(T x, T y) { return static_cast<T>(x & y); }
};
struct Or {
  template <class T> static COTAN_RULE T run(T x, T y) { return static_cast<T>(x | y); }
};
struct Xor {
  template <class T> static COTAN_RULE T run(T x, T y) { return static_cast<T>(x ^ y); }
};

template <class T> HWY_INLINE void store(T x, T* to) { *to = x; }
HWY_INLINE void store(float x, BFloat16* to) { kernel::float_to_half(x, to); }
HWY_INLINE void store(float x, Float16* to) { kernel::float_to_half(x, to); }

// The identities, as a real number: 0 and 1, and for max and min the ends of the type.
template <class R, class T> constexpr T identity() {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<R, Prod>) return T(1);
  if constexpr (std::is_same_v<R, Max>) return limits::has_infinity ? -limits::infinity() : limits::lowest();
  if constexpr (std::is_same_v<R, Min>) return limits::has_infinity ? limits::infinity() : limits::max();
  if constexpr (std::is_same_v<R, And>) return static_cast<T>(~T(0));
  return T(0);
}

// Elements of S, computed in T. A single element is the result itself, so that the sum of a lone -0 is -0.
template <class R, class T, class S> void reduce_float(void* const* regs, const Ins* ins, std::size_t n) {
  const S* a = static_cast<const S*>(regs[ins->a]);
  S* dst = static_cast<S*>(regs[ins->dst]);
  constexpr T start = identity<R, T>();
  if (n == 1) {
    *dst = *a;
  } else {
    store(n == 0 ? start : lanes::reduce_values<R, T, S>(a, ins->step_a != 0, n, start), dst);
  }
}
template <class R, class T> void reduce_complex(void* const* regs, const Ins* ins, std::size_t n) {
  using Z = Complex<T>;
  const Z* a = static_cast<const Z*>(regs[ins->a]);
  Z* dst = static_cast<Z*>(regs[ins->dst]);
  constexpr T re = identity<R, T>();
  constexpr Z start = {re, std::is_same_v<R, Max> || std::is_same_v<R, Min> ? re : T(0)};
  *dst = n == 0 ? start : n == 1 ? *a : lanes::reduce_values<R, Z, Z>(a, ins->step_a != 0, n, start);
}
// Integers, where every order gives the same.
template <class R, class T> void reduce_int(void* const* regs, const Ins* ins, std::size_t n) {
  const T* a = static_cast<const T*>(regs[ins->a]);
  T y = identity<R, T>();
  if (ins->step_a != 0) {
    for (std::size_t i = 0; i < n; ++i) y = R::run(y, a[i]);
  } else {
    for (std::size_t i = 0; i < n; ++i) y = R::run(y, *a);
  }
  *static_cast<T*>(regs[ins->dst]) = y;
}
// Bool: max is or, min is and, over bytes that are 0 or 1.
template <class R> void reduce_bool(void* const* regs, const Ins* ins, std::size_t n) {
  reduce_int<R, std::uint8_t>(regs, ins, n);
  *static_cast<std::uint8_t*>(regs[ins->dst]) &= 1;
}

// Many rows at once, of elements of S, to values of T.
template <class R, class T, class S>
void reduce_rows(void* dst, const void* from, std::size_t n, std::size_t rows, std::ptrdiff_t stride) {
  constexpr bool highest = std::is_same_v<R, Max>, extreme = highest || std::is_same_v<R, Min>;
  T* const to = static_cast<T*>(dst);
  const S* const x = static_cast<const S*>(from);
  if constexpr (extreme && sizeof(S) == 2) lanes::extreme_half_each<highest>(to, x, n, rows, stride);
  else if constexpr (extreme) lanes::extreme_each<highest, T>(to, x, n, rows, stride);
  else lanes::reduce_each<R>(to, lanes::Elements<S>{x}, n, rows, stride, identity<R, T>());
}
template <class R, class T, class S = T> kernel::RowsFns float_rows() {
  return {reduce_rows<R, T, S>, [](void* dst, const void* x, std::size_t n, std::size_t rows, std::ptrdiff_t stride) {
            lanes::fold_rows<R>(static_cast<T*>(dst), static_cast<const S*>(x), n, rows, stride);
          }};
}
struct Product {
  template <class B> static COTAN_RULE typename B::F of(B& b, typename B::F x, typename B::F y) { return b.mul(x, y); }
};
struct SquaredDifference {
  template <class B> static COTAN_RULE typename B::F of(B& b, typename B::F x, typename B::F y) {
    const typename B::F z = b.sub(x, y);
    return b.mul(z, z);
  }
};
template <class Op, class T>
void sum_pairs(void* dst, const void* x, const void* y, bool repeated, std::size_t n, std::size_t rows,
               std::ptrdiff_t stride) {
  T* const to = static_cast<T*>(dst);
  const T *const p = static_cast<const T*>(x), *const q = static_cast<const T*>(y);
  if (repeated) lanes::reduce_each<Sum>(to, lanes::Computed<Op, T, true>{p, q}, n, rows, stride, T(0));
  else lanes::reduce_each<Sum>(to, lanes::Computed<Op, T, false>{p, q}, n, rows, stride, T(0));
}
template <class T> kernel::RowsFns sum_rows() {
  kernel::RowsFns f = float_rows<Sum, T>();
  f.each_product = sum_pairs<Product, T>, f.each_squared_difference = sum_pairs<SquaredDifference, T>;
  return f;
}

// Blocks of a fixed number of columns, which the compiler makes vectors of.
template <class R, class T>
void fold_int_rows(void* to, const void* from, std::size_t n, std::size_t rows, std::ptrdiff_t stride) {
  constexpr std::size_t width = 64 / sizeof(T);
  T* dst = static_cast<T*>(to);
  const T* x = static_cast<const T*>(from);
  std::size_t j = 0;
  for (; j + width <= n; j += width) {
    T acc[width];
    std::copy_n(dst + j, width, acc);
    const T* at = x + j;
    for (std::size_t r = 0; r < rows; ++r, at += stride)
      for (std::size_t k = 0; k < width; ++k) acc[k] = R::run(acc[k], at[k]);
    std::copy_n(acc, width, dst + j);
  }
  for (std::size_t r = 0; j < n && r < rows; ++r, x += stride)
    for (std::size_t k = j; k < n; ++k) dst[k] = R::run(dst[k], x[k]);
}
template <class R, class T> kernel::RowsFns int_rows() {
  return {[](void* dst, const void* x, std::size_t n, std::size_t rows, std::ptrdiff_t stride) {
            const T* at = static_cast<const T*>(x);
            for (std::size_t r = 0; r < rows; ++r, at += stride) {
              T y = identity<R, T>();
              for (std::size_t i = 0; i < n; ++i) y = R::run(y, at[i]);
              static_cast<T*>(dst)[r] = y;
            }
          },
          fold_int_rows<R, T>};
}

template <class R> void add_numbers(kernel::TileRegistry& r, const char* name) {
  if constexpr (std::is_same_v<R, Sum>) {
    r.add_rows(name, DType::float32, sum_rows<float>());
    r.add_rows(name, DType::float64, sum_rows<double>());
  } else {
    r.add_rows(name, DType::float32, float_rows<R, float>());
    r.add_rows(name, DType::float64, float_rows<R, double>());
  }
  r.add_rows(name, DType::bfloat16, float_rows<R, float, BFloat16>());
  r.add_rows(name, DType::float16, float_rows<R, float, Float16>());
  r.add(name, 1, DType::float32, reduce_float<R, float, float>);
  r.add(name, 1, DType::float64, reduce_float<R, double, double>);
  r.add(name, 1, DType::bfloat16, reduce_float<R, float, BFloat16>);
  r.add(name, 1, DType::float16, reduce_float<R, float, Float16>);
  r.add(name, 1, DType::complex64, reduce_complex<R, float>);
  r.add(name, 1, DType::complex128, reduce_complex<R, double>);
}
template <class R, class T> void add_int(kernel::TileRegistry& r, const char* name) {
  r.add(name, 1, kernel::dtype_of<T>, reduce_int<R, T>);
  r.add_rows(name, kernel::dtype_of<T>, int_rows<R, T>());
}
template <class R, class U> void add_signless(kernel::TileRegistry& r, const char* name) {
  r.add(name, 1, kernel::dtype_of<U>, reduce_int<R, U>);
  r.add(name, 1, kernel::dtype_of<std::make_signed_t<U>>, reduce_int<R, U>);
  r.add_rows(name, kernel::dtype_of<U>, int_rows<R, U>());
  r.add_rows(name, kernel::dtype_of<std::make_signed_t<U>>, int_rows<R, U>());
}
template <class U> void add_width(kernel::TileRegistry& r) {
  using S = std::make_signed_t<U>;
  add_signless<Sum, U>(r, "reduce_sum");
  add_signless<Prod, U>(r, "reduce_prod");
  add_signless<And, U>(r, "reduce_and");
  add_signless<Or, U>(r, "reduce_or");
  add_signless<Xor, U>(r, "reduce_xor");
  add_int<Max, U>(r, "reduce_max"), add_int<Max, S>(r, "reduce_max");
  add_int<Min, U>(r, "reduce_min"), add_int<Min, S>(r, "reduce_min");
}

void add_tiles(kernel::TileRegistry& r) {
  add_numbers<Sum>(r, "reduce_sum");
  add_numbers<Prod>(r, "reduce_prod");
  add_numbers<Max>(r, "reduce_max");
  add_numbers<Min>(r, "reduce_min");
  add_width<std::uint8_t>(r), add_width<std::uint16_t>(r), add_width<std::uint32_t>(r), add_width<std::uint64_t>(r);
  r.add("reduce_max", 1, DType::bool_, reduce_bool<Or>);
  r.add("reduce_min", 1, DType::bool_, reduce_bool<And>);
  r.add("reduce_or", 1, DType::bool_, reduce_bool<Or>);
  r.add("reduce_and", 1, DType::bool_, reduce_bool<And>);
  r.add("reduce_xor", 1, DType::bool_, reduce_bool<Xor>);
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::reduce_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_reduce_tiles(kernel::TileRegistry& r) {
  using namespace reduce_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif

// Windows combined with their places in an array, in the order of their index vectors.
#include <cmath>
#include <type_traits>

#include "kernel/half_bits.h"
#include "kernel/tile_types.h"
#include "runtime/indexed.h"
#include "runtime/library.h"

namespace cotan::runtime {

namespace {

using kernel::IndexedCombiner;

struct Words {
  std::uint64_t low, high;
};

template <class F> F extreme(F x, F y, bool max) {  // as the tile operations: NaN wins; +0 is above -0
  using U = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;
  if (x != x) return x;
  if (y != y) return y;
  if (x == y) {
    const U a = kernel::bit_copy<U>(x), b = kernel::bit_copy<U>(y);
    return kernel::bit_copy<F>(max ? a & b : a | b);
  }
  return (x > y) == max ? x : y;
}
template <class T> struct Pair { T re, im; };
template <class T> bool less(Pair<T> x, Pair<T> y) { return x.re < y.re || (x.re == y.re && x.im < y.im); }
template <class T> bool is_nan(Pair<T> x) { return x.re != x.re || x.im != x.im; }

template <IndexedCombiner C, class T> T combine(T x, T y) {
  if constexpr (C == IndexedCombiner::set) return y;
  else if constexpr (std::is_integral_v<T>) {
    using U = std::conditional_t<sizeof(T) < 4, std::uint32_t, std::make_unsigned_t<T>>;  // wraps; no int promotion
    if constexpr (C == IndexedCombiner::add) return static_cast<T>(static_cast<U>(x) + static_cast<U>(y));
    else if constexpr (C == IndexedCombiner::sub) return static_cast<T>(static_cast<U>(x) - static_cast<U>(y));
    else if constexpr (C == IndexedCombiner::mul) return static_cast<T>(static_cast<U>(x) * static_cast<U>(y));
    else return (C == IndexedCombiner::max) == (x < y) ? y : x;
  } else if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>) {
    T r;
    kernel::float_to_half(combine<C>(kernel::half_to_float(x), kernel::half_to_float(y)), &r);
    return r;
  } else if constexpr (std::is_floating_point_v<T>) {
    if constexpr (C == IndexedCombiner::add) return x + y;
    else if constexpr (C == IndexedCombiner::sub) return x - y;
    else if constexpr (C == IndexedCombiner::mul) return x * y;
    else return extreme(x, y, C == IndexedCombiner::max);
  } else {
    if constexpr (C == IndexedCombiner::add) return {x.re + y.re, x.im + y.im};
    else if constexpr (C == IndexedCombiner::sub) return {x.re - y.re, x.im - y.im};
    else if constexpr (C == IndexedCombiner::mul) return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
    else if constexpr (C == IndexedCombiner::max) return is_nan(x) || (!is_nan(y) && less(y, x)) ? x : y;
    else return is_nan(x) || (!is_nan(y) && less(x, y)) ? x : y;
  }
}

template <IndexedCombiner C, class T> struct Write {
  void operator()(T& a, const T& b) const { a = combine<C>(a, b); }
  void fill(const T&) const {}
  void row(T* __restrict a, const T* __restrict b, std::int64_t n) const {
    for (std::int64_t j = 0; j < n; ++j) a[j] = combine<C>(a[j], b[j]);
  }
};

struct Call {
  const IndexedParams& p;
  DType index;
  const void *indices, *updates;
  void* array;
  template <IndexedCombiner C, class T> void run() const {
    each_window(p, Write<C, T>{}, index, indices, static_cast<T*>(array), static_cast<T*>(const_cast<void*>(updates)));
  }
  template <class T> void combined() const {
    switch (static_cast<IndexedCombiner>(p.combiner)) {
      case IndexedCombiner::add: return run<IndexedCombiner::add, T>();
      case IndexedCombiner::sub: return run<IndexedCombiner::sub, T>();
      case IndexedCombiner::mul: return run<IndexedCombiner::mul, T>();
      case IndexedCombiner::min: return run<IndexedCombiner::min, T>();
      default: return run<IndexedCombiner::max, T>();
    }
  }
};

}  // namespace

void scatter(const IndexedParams& p, DType d, DType index, const void* indices, const void* updates, void* array) {
  const Call c{p, index, indices, updates, array};
  if (static_cast<IndexedCombiner>(p.combiner) == IndexedCombiner::set) {
    switch (item_size(d)) {
      case 1: return c.run<IndexedCombiner::set, std::uint8_t>();
      case 2: return c.run<IndexedCombiner::set, std::uint16_t>();
      case 4: return c.run<IndexedCombiner::set, std::uint32_t>();
      case 8: return c.run<IndexedCombiner::set, std::uint64_t>();
      default: return c.run<IndexedCombiner::set, Words>();
    }
  }
  switch (d) {
    case DType::bool_:
    case DType::uint8: return c.combined<std::uint8_t>();
    case DType::uint16: return c.combined<std::uint16_t>();
    case DType::uint32: return c.combined<std::uint32_t>();
    case DType::uint64: return c.combined<std::uint64_t>();
    case DType::int8: return c.combined<std::int8_t>();
    case DType::int16: return c.combined<std::int16_t>();
    case DType::int32: return c.combined<std::int32_t>();
    case DType::int64: return c.combined<std::int64_t>();
    case DType::bfloat16: return c.combined<BFloat16>();
    case DType::float16: return c.combined<Float16>();
    case DType::float64: return c.combined<double>();
    case DType::complex64: return c.combined<Pair<float>>();
    case DType::complex128: return c.combined<Pair<double>>();
    default: return c.combined<float>();
  }
}

}  // namespace cotan::runtime

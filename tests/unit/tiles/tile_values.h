// Elements for the tests of tile functions: equality, text, special and random values.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernel/tile_types.h"

namespace cotan::tile_test {

using kernel::Bool;
using kernel::Complex;

// ---- equality: the bits, but any NaN is any NaN ----
template <class T> bool same(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    return (x != x && y != y) || std::memcmp(&x, &y, sizeof x) == 0;
  } else {
    return std::memcmp(&x, &y, sizeof x) == 0;
  }
}
inline bool same(BFloat16 x, BFloat16 y) { return same(to_float(x), to_float(y)); }
inline bool same(Float16 x, Float16 y) { return same(to_float(x), to_float(y)); }
template <class T> bool same(Complex<T> x, Complex<T> y) { return same(x.re, y.re) && same(x.im, y.im); }

// ---- printing ----
template <class T> std::string show(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    char text[64];
    std::snprintf(text, sizeof text, "%a", static_cast<double>(x));
    return text;
  } else {
    return std::to_string(x);
  }
}
inline std::string show(Bool x) { return std::to_string(x.value); }
inline std::string show(BFloat16 x) { return show(to_float(x)); }
inline std::string show(Float16 x) { return show(to_float(x)); }
template <class T> std::string show(Complex<T> x) { return show(x.re) + "+" + show(x.im) + "i"; }

// ---- special values ----
template <class T> struct Specials {
  static std::vector<T> get() {
    using L = std::numeric_limits<T>;
    if constexpr (std::is_floating_point_v<T>) {
      const T u = L::epsilon();
      return {T(0),
              T(-0.0),
              T(1),
              T(-1),
              T(0.5),
              T(-0.5),
              T(1.5),
              T(2.5),
              T(-2.5),
              T(0.3),
              T(-0.3),
              T(3),
              T(-7),
              1 + u,
              1 - u / 2,
              L::max(),
              L::lowest(),
              L::min(),
              L::denorm_min(),
              -L::denorm_min(),
              L::min() / 2,
              L::infinity(),
              -L::infinity(),
              L::quiet_NaN(),
              -L::quiet_NaN(),
              1 / u,
              1 / u + 1,
              2 / u,
              T(0.5) - u / 8,
              T(127.5),
              T(-128.5),
              T(255.5),
              T(65520),
              T(2147483648.0),
              T(-2147483648.0),
              T(4294967296.0),
              T(9223372036854775808.0),
              T(18446744073709551616.0),
              T(1e30),
              T(-1e30)};
    } else {
      return {0,
              1,
              T(-1),
              2,
              T(-2),
              3,
              7,
              T(-7),
              8,
              15,
              16,
              31,
              32,
              33,
              63,
              64,
              65,
              100,
              L::max(),
              L::min(),
              T(L::max() - 1),
              T(L::min() + 1),
              T(L::max() / 2),
              T(L::max() / 2 + 1)};
    }
  }
};
template <> struct Specials<Bool> {
  static std::vector<Bool> get() { return {Bool{0}, Bool{1}}; }
};
template <class H> struct HalfSpecials {
  static std::vector<H> get() {
    std::vector<H> list;
    for (unsigned b : {0x0000, 0x0001, 0x0002, 0x03ff, 0x0400, 0x007f, 0x0080, 0x3800, 0x3c00, 0x3c01,
                       0x3f80, 0x3f81, 0x3f00, 0x4040, 0x4100, 0x4200, 0x42ff, 0x5bf8, 0x7bff, 0x7c00,
                       0x7e00, 0x7f7f, 0x7f80, 0x7fc0, 0x6400, 0x6401, 0x4300, 0x4340}) {
      list.push_back(H{static_cast<std::uint16_t>(b)});
      list.push_back(H{static_cast<std::uint16_t>(b | 0x8000)});
    }
    return list;
  }
};
template <> struct Specials<BFloat16> : HalfSpecials<BFloat16> {};
template <> struct Specials<Float16> : HalfSpecials<Float16> {};
template <class T> struct Specials<Complex<T>> {
  static std::vector<Complex<T>> get() {
    using L = std::numeric_limits<T>;
    std::vector<Complex<T>> list;
    for (T re : {T(0), T(-0.0), T(1), T(-2), T(3e20), L::max(), L::denorm_min(), L::infinity(), -L::infinity(),
                 L::quiet_NaN()}) {
      for (T im : {T(0), T(-0.0), T(1), T(2.5), L::min(), -L::infinity(), L::quiet_NaN()}) list.push_back({re, im});
    }
    return list;
  }
};

template <class T> T random_value(std::mt19937_64& g) {
  T x;
  std::uint64_t bits[2] = {g(), g()};
  if constexpr (std::is_floating_point_v<T>) {
    if (g() % 2 == 0) return static_cast<T>(std::ldexp(static_cast<double>(static_cast<std::int64_t>(bits[0])), -60));
  }
  if constexpr (std::is_integral_v<T>) {
    if (g() % 2 == 0) return static_cast<T>(static_cast<std::int64_t>(bits[0]) % 10);
  }
  std::memcpy(&x, bits, sizeof x);
  if constexpr (std::is_same_v<T, Bool>) x.value &= 1;
  return x;
}
template <class Z>
requires requires(Z z) { z.re; }
Z random_value(std::mt19937_64& g) {
  using T = decltype(Z{}.re);
  return {random_value<T>(g), random_value<T>(g)};
}

}  // namespace cotan::tile_test

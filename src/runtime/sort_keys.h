// Elements as unsigned integers that compare as the elements do.
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernel/tile_types.h"

namespace cotan::runtime {

// The unsigned type of an element's width, and what it stands for.
template <class T> struct KeyOf { using type = std::make_unsigned_t<T>; };
template <> struct KeyOf<kernel::Bool> { using type = std::uint8_t; };
template <> struct KeyOf<BFloat16> { using type = std::uint16_t; };
template <> struct KeyOf<Float16> { using type = std::uint16_t; };
template <> struct KeyOf<float> { using type = std::uint32_t; };
template <> struct KeyOf<double> { using type = std::uint64_t; };
template <class T> using key_of = typename KeyOf<T>::type;

template <class T> inline constexpr bool float_key = false;
template <> inline constexpr bool float_key<BFloat16> = true;
template <> inline constexpr bool float_key<Float16> = true;
template <> inline constexpr bool float_key<float> = true;
template <> inline constexpr bool float_key<double> = true;

template <class T> inline constexpr key_of<T> infinity_bits = 0;
template <> inline constexpr std::uint16_t infinity_bits<BFloat16> = 0x7f80;
template <> inline constexpr std::uint16_t infinity_bits<Float16> = 0x7c00;
template <> inline constexpr std::uint32_t infinity_bits<float> = 0x7f800000;
template <> inline constexpr std::uint64_t infinity_bits<double> = 0x7ff0000000000000;

template <class T> key_of<T> bits_of(T x) {
  key_of<T> b;
  static_assert(sizeof b == sizeof x);
  std::memcpy(&b, &x, sizeof b);
  return b;
}

template <class U> inline constexpr U top_bit = static_cast<U>(U(1) << (8 * sizeof(U) - 1));

// In the total order of the bits: -NaN first, -0 below 0, NaN last.
template <class T> key_of<T> total_key(T x) {
  using U = key_of<T>;
  const U b = bits_of(x);
  if constexpr (float_key<T>) return b & top_bit<U> ? static_cast<U>(~b) : static_cast<U>(b | top_bit<U>);
  else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) return static_cast<U>(b ^ top_bit<U>);
  else return b;
}
// -0 and 0 are one key, and so are all NaNs, the largest.
template <class T> key_of<T> sort_key(T x) {
  using U = key_of<T>;
  if constexpr (float_key<T>) {
    const U b = bits_of(x), magnitude = static_cast<U>(b & static_cast<U>(~top_bit<U>));
    if (magnitude > infinity_bits<T>) return static_cast<U>(~U(0));
    return magnitude == 0 ? top_bit<U> : b & top_bit<U> ? static_cast<U>(~b) : static_cast<U>(b | top_bit<U>);
  } else {
    return total_key(x);
  }
}
// The element of a key. Of the keys that several elements share, one of them.
template <class T> T from_key(key_of<T> k) {
  using U = key_of<T>;
  if constexpr (float_key<T>) k = k & top_bit<U> ? static_cast<U>(k ^ top_bit<U>) : static_cast<U>(~k);
  else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) k = static_cast<U>(k ^ top_bit<U>);
  T x;
  std::memcpy(&x, &k, sizeof x);
  return x;
}

}  // namespace cotan::runtime

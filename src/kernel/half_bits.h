// The 16-bit floats in tile loops: branch-free conversions that the auto-vectoriser turns into integer vector code, with the
// same results as base/float16.h: to nearest even in one rounding, NaN kept and made quiet, zeros and denormals exact.
#pragma once
#include <cstdint>
#include <cstring>

#include "base/float16.h"

namespace cotan::kernel {

template <class To, class From> inline __attribute__((always_inline)) To bit_copy(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

inline __attribute__((always_inline)) float half_to_float(BFloat16 h) {
  const auto u = static_cast<std::uint32_t>(h.bits) << 16;
  return bit_copy<float>((u & 0x7fffffff) > 0x7f800000 ? u | 0x400000 : u);
}
inline __attribute__((always_inline)) float half_to_float(Float16 h) {
  const std::uint32_t sign = static_cast<std::uint32_t>(h.bits & 0x8000) << 16,
                      m = static_cast<std::uint32_t>(h.bits & 0x7fff) << 13;
  const std::uint32_t finite = bit_copy<std::uint32_t>(bit_copy<float>(m) * 0x1p112f);  // exact, denormals included
  const std::uint32_t special = m | 0x7f800000 | (m > 0x0f800000 ? 0x400000u : 0u);
  return bit_copy<float>(sign | (m >= 0x0f800000 ? special : finite));
}

inline __attribute__((always_inline)) void float_to_half(float x, BFloat16* out) {
  const auto u = bit_copy<std::uint32_t>(x);
  const std::uint32_t rounded = (u + 0x7fff + ((u >> 16) & 1)) >> 16, nan = (u >> 16) | 0x40;
  out->bits = static_cast<std::uint16_t>((u & 0x7fffffff) > 0x7f800000 ? nan : rounded);
}
inline __attribute__((always_inline)) void float_to_half(float x, Float16* out) {
  const auto u = bit_copy<std::uint32_t>(x);
  const std::uint32_t sign = (u >> 16) & 0x8000, m = u & 0x7fffffff;
  const std::uint32_t normal = (m - (112u << 23) + 0xfff + ((m >> 13) & 1)) >> 13;
  // 0.5 has the unit 2^-24 in its last place, which is that of the denormals of float16.
  const std::uint32_t denormal = bit_copy<std::uint32_t>(bit_copy<float>(m) + 0.5f) - bit_copy<std::uint32_t>(0.5f);
  const std::uint32_t nan = 0x7e00 | ((m >> 13) & 0x3ff);
  const std::uint32_t finite = m < 0x38800000 ? denormal : normal;
  const std::uint32_t all = m > 0x7f800000 ? nan : m >= 0x477ff000 ? 0x7c00u : finite;
  out->bits = static_cast<std::uint16_t>(sign | all);
}

// To odd: an inexact result gets an odd last bit, so that a second rounding to fewer bits rounds as one would.
inline __attribute__((always_inline)) float double_to_float_odd(double x) {
  const auto f = static_cast<float>(x);
  const auto u = bit_copy<std::uint32_t>(f);
  const double back = static_cast<double>(f);
  const double ax = __builtin_fabs(x), af = __builtin_fabs(back);
  const bool adjust = (u & 1) == 0 && ax != af && x == x;
  const std::uint32_t step = ax > af ? 1u : ~0u;
  return bit_copy<float>(adjust ? u + step : u);
}

}  // namespace cotan::kernel

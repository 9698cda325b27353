#include "base/float16.h"

#include <bit>

namespace cotan {
namespace {

// The bits of d in a format of one sign bit, exp_bits exponent bits and man_bits mantissa bits.
template <int exp_bits, int man_bits> std::uint16_t narrow(double d) {
  constexpr int bias = (1 << (exp_bits - 1)) - 1, max_exponent = (1 << exp_bits) - 1;
  constexpr unsigned infinity = unsigned{max_exponent} << man_bits, quiet = 1u << (man_bits - 1);
  const auto bits = std::bit_cast<std::uint64_t>(d);
  const auto sign = static_cast<unsigned>(bits >> 63) << 15;
  const int e = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
  if (e == 0x7ff) {
    const unsigned payload = mantissa ? quiet | static_cast<unsigned>(mantissa >> (52 - man_bits)) : 0;
    return static_cast<std::uint16_t>(sign | infinity | payload);
  }
  const int exponent = e - 1023 + bias;
  if (exponent >= max_exponent) return static_cast<std::uint16_t>(sign | infinity);
  const int shift = 52 - man_bits + (exponent > 0 ? 0 : 1 - exponent);
  if (shift > 53) return static_cast<std::uint16_t>(sign);  // below half of the least denormal
  const std::uint64_t significand = mantissa | std::uint64_t{1} << 52;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << shift) - 1), half = std::uint64_t{1} << (shift - 1);
  auto q = static_cast<unsigned>(significand >> shift);
  q += rest > half || (rest == half && (q & 1));
  // q holds the leading one of a normal number, which adds one to the exponent; so does a carry out of the mantissa.
  if (exponent > 0) q += static_cast<unsigned>(exponent - 1) << man_bits;
  return static_cast<std::uint16_t>(sign | q);
}

}  // namespace

float to_float(BFloat16 x) { return std::bit_cast<float>(std::uint32_t{x.bits} << 16); }

float to_float(Float16 x) {
  const std::uint32_t sign = std::uint32_t{x.bits & 0x8000u} << 16, mantissa = x.bits & 0x3ffu;
  const std::uint32_t exponent = x.bits >> 10 & 0x1fu;
  if (exponent == 0) {
    const float v = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -v : v;
  }
  if (exponent == 31) {
    const std::uint32_t payload = mantissa ? 0x400000u | mantissa << 13 : 0;
    return std::bit_cast<float>(sign | 0x7f800000u | payload);
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

BFloat16 to_bfloat16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return {static_cast<std::uint16_t>(bits >> 16 | 0x40u)};
  return {static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}

Float16 to_float16(float x) { return {narrow<5, 10>(double{x})}; }

BFloat16 to_bfloat16(double x) { return {narrow<8, 7>(x)}; }

Float16 to_float16(double x) { return {narrow<5, 10>(x)}; }

}  // namespace cotan

#include "base/float16.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace cotan {
namespace {

// The value of a pattern, from the definition of the format.
double value_of(unsigned bits, int exp_bits, int man_bits) {
  const int bias = (1 << (exp_bits - 1)) - 1, e = static_cast<int>(bits >> man_bits) & ((1 << exp_bits) - 1);
  const int m = static_cast<int>(bits) & ((1 << man_bits) - 1);
  const double sign = bits & 0x8000 ? -1 : 1;
  if (e == (1 << exp_bits) - 1) return m ? std::numeric_limits<double>::quiet_NaN() : sign * INFINITY;
  if (e == 0) return sign * std::ldexp(m, 1 - bias - man_bits);
  return sign * std::ldexp(m + (1 << man_bits), e - bias - man_bits);
}

struct BF {
  static constexpr int exp_bits = 8, man_bits = 7;
  static float widen(unsigned b) { return to_float(BFloat16{static_cast<std::uint16_t>(b)}); }
  template <class T> static unsigned narrow(T v) { return to_bfloat16(v).bits; }
};
struct F16 {
  static constexpr int exp_bits = 5, man_bits = 10;
  static float widen(unsigned b) { return to_float(Float16{static_cast<std::uint16_t>(b)}); }
  template <class T> static unsigned narrow(T v) { return to_float16(v).bits; }
};

template <class F> struct Float16Test : testing::Test {
  static constexpr unsigned infinity = ((1u << F::exp_bits) - 1) << F::man_bits, quiet = 1u << (F::man_bits - 1);
  static double value(unsigned bits) { return value_of(bits, F::exp_bits, F::man_bits); }
};
using Formats = testing::Types<BF, F16>;
TYPED_TEST_SUITE(Float16Test, Formats);

TYPED_TEST(Float16Test, EveryPatternWidensExactlyAndComesBack) {
  for (unsigned b = 0; b < 0x10000; ++b) {
    const double expected = this->value(b);
    const float got = TypeParam::widen(b);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(got)) << b;
      ASSERT_EQ(std::signbit(got), (b & 0x8000) != 0);
      ASSERT_EQ(TypeParam::narrow(got), b | this->quiet);
      ASSERT_EQ(TypeParam::narrow(double{got}), b | this->quiet);
    } else {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(double{got}), std::bit_cast<std::uint64_t>(expected)) << b;
      ASSERT_EQ(TypeParam::narrow(got), b);
      ASSERT_EQ(TypeParam::narrow(expected), b);
    }
  }
}

// Between any two neighbours: the middle goes to the even one, what is next to the middle to the nearer one.
TYPED_TEST(Float16Test, EveryMiddleRoundsToEven) {
  for (unsigned b = 0; b < this->infinity; ++b) {
    const double low = this->value(b);
    const double high = b + 1 == this->infinity ? 2 * low - this->value(b - 1) : this->value(b + 1);
    const double middle = low + (high - low) / 2;
    const unsigned even = b & 1 ? b + 1 : b;
    for (const double sign : {1.0, -1.0}) {
      const unsigned s = sign < 0 ? 0x8000 : 0;
      ASSERT_EQ(TypeParam::narrow(sign * middle), s | even) << b;
      // One unit of the double away, which a first rounding to float would lose.
      ASSERT_EQ(TypeParam::narrow(sign * std::nextafter(middle, 0)), s | b) << b;
      ASSERT_EQ(TypeParam::narrow(sign * std::nextafter(middle, INFINITY)), s | (b + 1)) << b;
      const auto f = static_cast<float>(middle);
      if (double{f} != middle) continue;  // below the least denormal float
      ASSERT_EQ(TypeParam::narrow(static_cast<float>(sign) * f), s | even) << b;
      const float below = std::nextafterf(f, 0), above = std::nextafterf(f, INFINITY);
      ASSERT_EQ(TypeParam::narrow(static_cast<float>(sign) * below), s | b) << b;
      ASSERT_EQ(TypeParam::narrow(static_cast<float>(sign) * above), s | (b + 1)) << b;
    }
  }
}

TYPED_TEST(Float16Test, FloatAgreesWithDouble) {
  std::mt19937 random(1);
  for (int i = 0; i < 2'000'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    const auto f = std::bit_cast<float>(bits);
    if (std::isnan(f)) continue;
    ASSERT_EQ(TypeParam::narrow(f), TypeParam::narrow(double{f})) << bits;
  }
}

TYPED_TEST(Float16Test, Extremes) {
  for (const double huge : {1e39, 1e300, std::numeric_limits<double>::max(), double{INFINITY}}) {
    EXPECT_EQ(TypeParam::narrow(huge), this->infinity);
    EXPECT_EQ(TypeParam::narrow(-huge), 0x8000 | this->infinity);
  }
  for (const double tiny : {1e-45, 1e-300, 5e-324}) {
    EXPECT_EQ(TypeParam::narrow(tiny), 0u);
    EXPECT_EQ(TypeParam::narrow(-tiny), 0x8000u);
  }
  EXPECT_EQ(TypeParam::narrow(-0.0), 0x8000u);
  EXPECT_EQ(TypeParam::narrow(-0.0f), 0x8000u);
  // NaN whose payload lies in the lowest bits stays NaN.
  EXPECT_EQ(TypeParam::narrow(std::bit_cast<double>(0xfff0000000000001u)), 0x8000 | this->infinity | this->quiet);
  EXPECT_EQ(TypeParam::narrow(std::bit_cast<float>(0x7f800001u)), this->infinity | this->quiet);
}

}  // namespace
}  // namespace cotan

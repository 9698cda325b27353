// Signed zeros, infinities, NaN, poles, and the exact cases, against C99's tables.
#include <gtest/gtest.h>

#include "unit/elementary/elementary_support.h"

namespace cotan::test {
namespace {

using ops::host::atan2;
using ops::host::pow;

template <class T> struct SpecialValues : testing::Test {
  static constexpr T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(SpecialValues, Floats);

template <class T> void expect_same(T got, T expected, const char* what, T x) {
  EXPECT_TRUE((std::isnan(got) && std::isnan(expected)) ||
              (got == expected && std::signbit(got) == std::signbit(expected)))
      << what << ' ' << x << ": " << got << ", expected " << expected;
}

// Where the result is zero, infinite or NaN the host's libm knows it.
TYPED_TEST(SpecialValues, FollowLibm) {
  using T = TypeParam;
  for (const Unary& f : unary_functions()) {
    for (T x : special_values<T>()) {
      T got;
      if constexpr (sizeof(T) == 4) {
        got = f.host32(x);
      } else {
        got = f.host64(x);
      }
      const T expected = static_cast<T>(f.reference(static_cast<double>(x)));
      if (std::isfinite(expected) && expected != 0) continue;
      expect_same(got, expected, f.name, x);
    }
  }
}

TYPED_TEST(SpecialValues, OddFunctionsAreExactlyOdd) {
  using T = TypeParam;
  Random random;
  for (int i = 0; i < 3000; ++i) {
    const T x = static_cast<T>(std::ldexp(random.unit(), i % 40 - 30));
    for (const char* name : {"sin", "tan", "sinh", "tanh", "asinh", "atanh", "asin", "atan", "cbrt", "erf_inv"}) {
      for (const Unary& f : unary_functions()) {
        if (std::string(f.name) != name) continue;
        if constexpr (sizeof(T) == 4) {
          expect_same(f.host32(-x), -f.host32(x), name, x);
        } else {
          expect_same(f.host64(-x), -f.host64(x), name, x);
        }
      }
    }
  }
}

TYPED_TEST(SpecialValues, ExactResults) {
  using T = TypeParam;
  for (int n = -140; n <= 120; ++n) {
    EXPECT_EQ(ops::host::exp2(T(n)), std::ldexp(T(1), n));
    EXPECT_EQ(pow(T(2), T(n)), std::ldexp(T(1), n));
    EXPECT_EQ(ops::host::cbrt(T(n) * T(n) * T(n)), T(n));
    EXPECT_EQ(ops::host::rsqrt(std::ldexp(T(1), n / 2 * 2)), std::ldexp(T(1), -(n / 2)));
  }
  EXPECT_EQ(ops::host::logistic(T(0)), T(0.5));
  EXPECT_EQ(ops::host::tanh(T(50)), T(1));
  EXPECT_EQ(pow(T(3), T(5)), T(243));
  EXPECT_EQ(pow(T(-3), T(3)), T(-27));
  EXPECT_EQ(pow(T(10), T(-2)), T(0.01L));
}

TYPED_TEST(SpecialValues, PowFollowsC99) {
  using T = TypeParam;
  std::vector<T> values = special_values<T>();
  const T even = std::ldexp(T(1), std::numeric_limits<T>::digits);  // from here on all integers are even
  for (T x :
       {T(8), T(1) / 3, T(1.5), T(4), T(5), even - 1, even - 2, even, even + 2, even / 2 + 1, even / 2 - T(0.5)}) {
    values.insert(values.end(), {x, -x});
  }
  for (T x : values) {
    for (T y : values) {
      const T got = pow(x, y), expected = std::pow(x, y);
      if (std::isfinite(expected) && expected != 0) {
        EXPECT_NEAR(got / expected, 1,
                    4 * std::numeric_limits<T>::epsilon() + std::numeric_limits<T>::denorm_min() / std::fabs(expected))
            << x << " ^ " << y;
      } else {
        EXPECT_TRUE((std::isnan(got) && std::isnan(expected)) ||
                    (got == expected && std::signbit(got) == std::signbit(expected)))
            << x << " ^ " << y << ": " << got << ", expected " << expected;
      }
    }
  }
}

TYPED_TEST(SpecialValues, Atan2FollowsC99) {
  using T = TypeParam;
  for (T y : special_values<T>()) {
    for (T x : special_values<T>()) {
      const T got = atan2(y, x), expected = std::atan2(y, x);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(got)) << y << ' ' << x;
      } else {
        EXPECT_EQ(std::signbit(got), std::signbit(expected)) << y << ' ' << x;
        EXPECT_LE(ulp_error<T>(got, expected), 2) << y << ' ' << x;
      }
    }
  }
}

}  // namespace
}  // namespace cotan::test

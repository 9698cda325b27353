// Complex functions: against long double on samples, and Annex G's special values against the C library.
#include <gtest/gtest.h>

#include <complex>

#include "unit/elementary/elementary_support.h"
#include "ops/complex_host.h"

namespace cotan::test {
namespace {

using Z = kernel::Complex128;
using Wide = std::complex<long double>;

struct Function {
  const char* name;
  double bound;  // |error| in units of 2^-53 |result|
  Z (*fn)(Z);
  Wide (*reference)(const Wide&);
  std::complex<double> (*library)(const std::complex<double>&);  // for special values; null: the C library has none
};

Wide exp2_of(const Wide& z) {
  return std::exp2(z.real()) * std::polar(1.0L, z.imag() * 0.693147180559945309417232121458176568L);
}
Wide expm1_of(const Wide& z) {
  const long double h = std::sin(z.imag() / 2), e = std::expm1(z.real());
  return {e * std::cos(z.imag()) - 2 * h * h, std::exp(z.real()) * std::sin(z.imag())};
}
Wide log1p_of(const Wide& z) {
  const long double x = z.real(), y = z.imag();
  if (std::abs(z) > 0.5L) return std::log(1.0L + z);
  return {std::log1p(2 * x + (x * x + y * y)) / 2, std::atan2(y, 1 + x)};
}
Wide logistic_of(const Wide& z) {
  return z.real() < 0 ? std::exp(z) / (1.0L + std::exp(z)) : 1.0L / (1.0L + std::exp(-z));
}
Wide rsqrt_of(const Wide& z) { return 1.0L / std::sqrt(z); }

const std::vector<Function>& functions() {
#define COTAN_BOTH(f, bound) \
  { #f, bound, ops::host::f, std::f < long double>, std::f < double> }
#define COTAN_OURS(f, bound) \
  { #f, bound, ops::host::f, f##_of, nullptr }
  // clang-format off
  static const std::vector<Function> all = {
      COTAN_BOTH(exp, 4),   COTAN_OURS(exp2, 5),  COTAN_OURS(expm1, 6), COTAN_BOTH(log, 4),   COTAN_OURS(log1p, 4),
      COTAN_OURS(logistic, 12), COTAN_BOTH(sqrt, 4),  COTAN_OURS(rsqrt, 5), COTAN_BOTH(sin, 5),   COTAN_BOTH(cos, 5),
      COTAN_BOTH(tan, 8),   COTAN_BOTH(sinh, 5),  COTAN_BOTH(cosh, 5),  COTAN_BOTH(tanh, 8),  COTAN_BOTH(asin, 5),
      COTAN_BOTH(acos, 5),  COTAN_BOTH(atan, 5),  COTAN_BOTH(asinh, 5), COTAN_BOTH(acosh, 5), COTAN_BOTH(atanh, 5),
  };
  // clang-format on
#undef COTAN_BOTH
#undef COTAN_OURS
  return all;
}

std::vector<Z> samples() {
  std::vector<Z> z;
  Random random;
  for (int i = 0; i < 20000 / thin(); ++i) {
    z.push_back({random.unit() * 3, random.unit() * 3});
    z.push_back({random.unit() * 30, random.unit() * 30});
    z.push_back({random.scaled(40, -30), random.scaled(40, -30)});
    const double turn = random.unit() * 3.2, radius = 1 + random.unit() * 1e-6;  // the unit circle
    z.push_back({radius * std::cos(turn), radius * std::sin(turn)});
  }
  return z;
}

TEST(ElementaryComplex, FunctionsKeepTheirBounds) {
  const std::vector<Z> z = samples();
  for (const Function& f : functions()) {
    double worst = 0;
    Z at{};
    for (const Z& x : z) {
      const Wide exact = f.reference({x.re, x.im});
      const Z got = f.fn(x);
      if (!(std::abs(exact) > 1e-280L) || !(std::abs(exact) < 1e280L)) continue;
      const double e = static_cast<double>(std::abs(Wide(got.re, got.im) - exact) / std::abs(exact) * 0x1p53L);
      if (!(e <= worst)) worst = e, at = x;
    }
    EXPECT_LE(worst, f.bound) << f.name << " at " << std::hexfloat << at.re << ' ' << at.im;
    RecordProperty(f.name, std::to_string(worst));
  }
}

// Where a turn is above 2^53 radians, the bits lost in its product are themselves a rotation.
TEST(ElementaryComplex, Exp2OfLargeImaginaryParts) {
  for (double im : {1e16, 1e18, 1e20, -1e20, 1e30, 1e300}) {
    const Z got = ops::host::exp2(Z{0, im});
    EXPECT_NEAR(std::hypot(got.re, got.im), 1, 1e-15) << im;
  }
  const Z one = ops::host::exp2(Z{0, 100000002004087734272.0});  // 1e20f
  EXPECT_NEAR(one.re, -0.54609868813034507147, 2e-13);
  EXPECT_NEAR(one.im, -0.83772085017762098849, 2e-13);
}

TEST(ElementaryComplex, PowFollowsItsLogarithm) {
  Random random;
  for (int i = 0; i < 20000 / thin(); ++i) {
    const Z z{random.unit() * 4, random.unit() * 4}, w{random.unit() * 5, i % 3 == 0 ? 0 : random.unit() * 5};
    const Wide exponent = Wide(w.re, w.im) * std::log(Wide(z.re, z.im)), exact = std::exp(exponent);
    const Z got = ops::host::pow(z, w);
    const long double e = std::abs(Wide(got.re, got.im) - exact) / std::abs(exact) * 0x1p53L;
    ASSERT_LE(e, 5 + 3 * std::abs(exponent)) << z.re << ' ' << z.im << " ^ " << w.re << ' ' << w.im;
  }
}

bool near(double got, double expected) {
  if (std::isnan(expected)) return std::isnan(got);
  if (!std::isfinite(expected) || expected == 0) return got == expected;
  return std::fabs(got - expected) <= 1e-14 * std::fabs(expected) + 0x1p-1072;
}

// Zeros, ones, infinities and NaN in both parts. Signs are compared where Annex G specifies them: not beside a NaN.
TEST(ElementaryComplex, SpecialValuesFollowAnnexG) {
  const double inf = INFINITY, nan = NAN;
  const double parts[] = {0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 1e-310, 800.0, -800.0, 1e300, inf, -inf, nan};
  for (const Function& f : functions()) {
    if (f.library == nullptr) continue;
    for (double x : parts) {
      for (double y : parts) {
        const Z got = f.fn({x, y});
        const std::complex<double> expected = f.library({x, y});
        const bool sign_matters =
            !std::isnan(x) && !std::isnan(y) && !std::isnan(expected.real()) && !std::isnan(expected.imag());
        const bool re = sign_matters
                            ? near(got.re, expected.real()) && std::signbit(got.re) == std::signbit(expected.real())
                            : near(std::fabs(got.re), std::fabs(expected.real()));
        const bool im = sign_matters
                            ? near(got.im, expected.imag()) && std::signbit(got.im) == std::signbit(expected.imag())
                            : near(std::fabs(got.im), std::fabs(expected.imag()));
        EXPECT_TRUE(re && im) << f.name << '(' << x << ", " << y << ") = (" << got.re << ", " << got.im
                              << "), expected (" << expected.real() << ", " << expected.imag() << ')';
      }
    }
  }
}

TEST(ElementaryComplex, Complex64IsTheRoundedComplex128) {
  std::vector<kernel::Complex64> x;
  for (const Z& z : samples()) x.push_back({static_cast<float>(z.re), static_cast<float>(z.im)});
  const kernel::TileRegistry& tiles = elementary_tiles(available_isas().back());
  for (const Function& f : functions()) {
    const auto y = evaluate(tiles, f.name, complex64, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Z exact = f.fn({x[i].re, x[i].im});
      ASSERT_TRUE(y[i].re == static_cast<float>(exact.re) && y[i].im == static_cast<float>(exact.im)) << f.name;
    }
  }
}

TEST(ElementaryComplex, HugeAndTinyMagnitudes) {
  EXPECT_EQ(ops::host::hypot(3e300, 4e300), 5e300);
  EXPECT_EQ(ops::host::hypot(3e-320, 4e-320), 5e-320);
  EXPECT_EQ(ops::host::hypot(INFINITY, NAN), INFINITY);
  const Z root = ops::host::sqrt(Z{1e308, 1e308});
  EXPECT_NEAR(root.re, 1.09868411346780997e154, 1e139);
  EXPECT_NEAR(root.im, 4.55089860562227341e153, 1e138);
  const Z logarithm = ops::host::log(Z{1.7e308, 1.7e308});
  EXPECT_NEAR(logarithm.re, 710.07341048350827, 1e-12);
  const Z big = ops::host::exp(Z{710, 1.5});
  EXPECT_NEAR(big.re / 1.58026538298573758e307, 1, 1e-14);
}

}  // namespace
}  // namespace cotan::test

// float32 tile functions against float64 libm: a sample of all bit patterns; `nightly/exhaustive_f32` takes them all.
#include <gtest/gtest.h>

#include "unit/elementary/elementary_support.h"

namespace cotan::test {
namespace {

TEST(ElementaryFloat32, UnaryFunctionsKeepTheirBounds) {
  const std::vector<float> x = float32_samples();
  for (const Unary& f : unary_functions()) {
    const std::vector<float> y = evaluate(elementary_tiles(available_isas().back()), f.name, float32, x);
    double worst = 0;
    float at = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double e = ulp_error<float>(y[i], f.reference(static_cast<double>(x[i])));
      if (e > worst) worst = e, at = x[i];
    }
    EXPECT_LE(worst, f.bound32) << f.name << " at " << std::hexfloat << at;
    RecordProperty(f.name, std::to_string(worst));
  }
}

TEST(ElementaryFloat32, PowKeepsItsBound) {
  Random random;
  std::vector<float> x, y;
  for (int i = 0; i < 200000; ++i) {
    const float base = std::exp2(static_cast<float>(random.unit() * (i % 4 == 0 ? 2 : 126)));
    x.push_back(base);
    y.push_back(static_cast<float>(random.unit() * 150 / std::log2(static_cast<double>(base))));
    x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random.bits())));
    y.push_back(i % 2 == 0 ? static_cast<float>(static_cast<int>(random.bits() % 41) - 20)
                           : std::bit_cast<float>(static_cast<std::uint32_t>(random.bits())));
  }
  const std::vector<float> z = evaluate(elementary_tiles(available_isas().back()), "pow", float32, x, y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_LE(ulp_error<float>(z[i], std::pow(static_cast<double>(x[i]), static_cast<double>(y[i]))), 0.95)
        << std::hexfloat << x[i] << ' ' << y[i];
  }
}

TEST(ElementaryFloat32, Atan2KeepsItsBound) {
  Random random;
  std::vector<float> x, y;
  for (int i = 0; i < 200000; ++i) {
    x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random.bits())));
    y.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random.bits())));
    x.push_back(static_cast<float>(random.unit()));
    y.push_back(static_cast<float>(random.unit()));
  }
  const std::vector<float> z = evaluate(elementary_tiles(available_isas().back()), "atan2", float32, x, y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_LE(ulp_error<float>(z[i], std::atan2(static_cast<double>(x[i]), static_cast<double>(y[i]))), 1.3)
        << std::hexfloat << x[i] << ' ' << y[i];
  }
}

// 16-bit floats: float32, rounded once. All 65536 values of each.
TEST(ElementaryFloat32, HalvesAreTheRoundedFloat32) {
  const kernel::TileRegistry& tiles = elementary_tiles(available_isas().back());
  std::vector<std::uint16_t> x(65536);
  std::vector<float> wide(65536);
  for (unsigned i = 0; i < 65536; ++i) x[i] = static_cast<std::uint16_t>(i), wide[i] = std::bit_cast<float>(i << 16);
  for (const Unary& f : unary_functions()) {
    const std::vector<std::uint16_t> got = evaluate(tiles, f.name, bfloat16, x);
    for (unsigned i = 0; i < 65536; ++i) {
      const float exact = f.host32(wide[i]), near = std::bit_cast<float>(static_cast<std::uint32_t>(got[i]) << 16);
      if (std::isnan(exact)) {
        ASSERT_TRUE(std::isnan(near)) << f.name << ' ' << wide[i];
      } else if (std::isfinite(near)) {
        ASSERT_LE(std::fabs(near - exact), std::max(std::fabs(exact) * 0x1p-8f, 0x1p-134f)) << f.name << ' ' << wide[i];
      }
    }
  }
}

}  // namespace
}  // namespace cotan::test

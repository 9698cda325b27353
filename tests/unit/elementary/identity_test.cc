// The same bits from every instruction set and from the host scalar functions. NaN equals NaN.
#include <gtest/gtest.h>

#include "unit/elementary/elementary_support.h"

namespace cotan::test {
namespace {

template <class T> bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

template <class T> void check_unary(const std::vector<T>& x) {
  for (const Unary& f : unary_functions()) {
    for (kernel::Isa isa : available_isas()) {
      const std::vector<T> y = evaluate(elementary_tiles(isa), f.name, float_dtype<T>, x);
      for (std::size_t i = 0; i < x.size(); ++i) {
        T host;
        if constexpr (sizeof(T) == 4) {
          host = f.host32(x[i]);
        } else {
          host = f.host64(x[i]);
        }
        ASSERT_TRUE(same_bits(y[i], host)) << f.name << " isa " << static_cast<int>(isa) << std::hexfloat << " at "
                                           << x[i] << ": " << y[i] << ", host " << host;
      }
    }
  }
}
TEST(ElementaryIdentity, Float32) { check_unary(float32_samples()); }
TEST(ElementaryIdentity, Float64) { check_unary(float64_samples(20000)); }

template <class T, class I> void check_binary() {
  Random random;
  std::vector<T> x, y;
  for (T a : special_values<T>()) {
    for (T b : special_values<T>()) x.push_back(a), y.push_back(b);
  }
  for (int i = 0; i < 50000; ++i) {
    x.push_back(std::bit_cast<T>(static_cast<I>(random.bits())));
    y.push_back(std::bit_cast<T>(static_cast<I>(random.bits())));
    x.push_back(static_cast<T>(std::exp2(random.unit() * 100)));
    y.push_back(static_cast<T>(random.unit() * 10));
  }
  for (kernel::Isa isa : available_isas()) {
    const std::vector<T> power = evaluate(elementary_tiles(isa), "pow", float_dtype<T>, x, y);
    const std::vector<T> angle = evaluate(elementary_tiles(isa), "atan2", float_dtype<T>, x, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_TRUE(same_bits(power[i], ops::host::pow(x[i], y[i]))) << std::hexfloat << x[i] << ' ' << y[i];
      ASSERT_TRUE(same_bits(angle[i], ops::host::atan2(x[i], y[i]))) << std::hexfloat << x[i] << ' ' << y[i];
    }
  }
}
TEST(ElementaryIdentity, BinaryFloat32) { check_binary<float, std::uint32_t>(); }
TEST(ElementaryIdentity, BinaryFloat64) { check_binary<double, std::uint64_t>(); }

TEST(ElementaryIdentity, SincosIsSinAndCos) {
  for (float x : float32_samples()) {
    const auto y = ops::host::sincos(x);
    ASSERT_TRUE(same_bits(y.sin, ops::host::sin(x)) && same_bits(y.cos, ops::host::cos(x))) << x;
  }
}

}  // namespace
}  // namespace cotan::test

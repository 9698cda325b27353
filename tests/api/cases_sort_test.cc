// Cases from issue trackers that need sorting, cumulative functions and order statistics: see cases_test.cc.
#include <bit>
#include <cmath>
#include <limits>

#include "api_test.h"

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Equal bits but for NaN, which equals NaN.
void expect(const Array& got, const std::vector<float>& want) {
  ASSERT_EQ(got.dtype(), ct::float32);
  const auto v = got.span<float>();
  ASSERT_EQ(v.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i)
    EXPECT_TRUE(std::isnan(want[i]) ? std::isnan(v[i])
                                    : std::bit_cast<std::uint32_t>(v[i]) == std::bit_cast<std::uint32_t>(want[i]))
        << i << ": " << v[i] << ", not " << want[i];
}
template <class T> void expect_integers(const Array& got, const std::vector<T>& want) {
  const auto v = got.span<T>();
  EXPECT_EQ(std::vector<T>(v.begin(), v.end()), want);
}
Array floats(const std::vector<float>& v) { return jnp::array(v); }

TEST(CasesSort, CumprodZeros) {
  auto f = [](const Array& x) { return jnp::sum(jnp::cumprod(x)); };
  expect(ct::grad(f)(floats({2, 0, 3, 4})), {1, 32, 0, 0});
  expect(ct::jit(ct::grad(f))(floats({2, 0, 3, 4})), {1, 32, 0, 0});
}

TEST(CasesSort, MaxTiesSort) {
  auto last = [](const Array& x) { return jnp::sort(x)(-1); };
  expect(ct::grad(last)(floats({3, 3, 1})), {0, 1, 0});
}

TEST(CasesSort, CumsumDtypes) {
  EXPECT_EQ(jnp::cumsum(jnp::array(std::vector<int>{1, 1}).astype(ct::bool_)).dtype(), ct::int32);
  const Array b = jnp::cumsum(jnp::array(std::vector<int>{-1, 0, 1}), ct::none, ct::bool_);
  EXPECT_EQ(b.dtype(), ct::bool_);
  EXPECT_TRUE(bool(jnp::all(b)));
}

TEST(CasesSort, ArgmaxNanMedianInf) {
  expect(jnp::median(floats({inf, inf, inf})), {inf});
  expect(jnp::sort(floats({nan, 1, -inf, -0.0f, 0})), {-inf, -0.0f, 0, 1, nan});
  expect_integers<std::int32_t>(jnp::argsort(floats({2, nan, 1})), {2, 0, 1});
  expect_integers<std::int32_t>(jnp::argmax(floats({0, 1, nan, nan})), {2});
}

TEST(CasesSort, NanmedianNegativeNan) {
  const float negative_nan = std::bit_cast<float>(0xFFC00000u), other = std::bit_cast<float>(0xFFFFFFFFu);
  const Array z = floats({negative_nan, 1, other});
  expect(jnp::nanmedian(z), {1});
  expect(jnp::sort(z), {1, nan, nan});
}

TEST(CasesSort, ArgmaxDenormal) {
  constexpr float least = std::numeric_limits<float>::denorm_min();
  const Array v = floats({-1, -0.0f, least});
  expect_integers<std::int32_t>(jnp::argmax(v), {2});
  expect(jnp::sort(v), {-1, -0.0f, least});
}

TEST(CasesSort, PartitionUnsigned) {
  const Array a = jnp::array(std::vector<int>{6, 255, 0, 4, 3, 1, 0, 7}).astype(ct::uint8);
  const Array p = jnp::partition(a, 3);
  expect_integers<std::uint8_t>(jnp::sort(p(ct::slice(ct::none, 3))), {0, 0, 1});
  expect_integers<std::uint8_t>(p(3), {3});
  const lax::TopK t = lax::top_k(a, 2);
  expect_integers<std::uint8_t>(t.values, {255, 7});
  expect_integers<std::int32_t>(t.indices, {1, 7});
  const lax::TopK n = lax::top_k(floats({1, nan, 3}), 2);
  expect(n.values, {nan, 3});
  expect_integers<std::int32_t>(n.indices, {1, 2});
}

}  // namespace

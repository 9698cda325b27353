#include "kernel/reduce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>

#include "kernel/vm.h"
#include "stub_tiles.h"

namespace cotan::kernel::test {
namespace {

class Reduce : public ::testing::Test {
 protected:
  void SetUp() override { install_stub_tiles(); }
};

template <class R, class T>
std::vector<R> reduce(Combiner c, DType d, DType result, const Dims& extents, std::vector<int> axes,
                      const std::vector<T>& x, std::size_t shift = 0) {
  const Program p = reduce_program(c, d, result, extents, std::move(axes));
  std::int64_t count = 1;
  for (int l = 0; l < extents.length(); ++l)
    if (std::find(p.reduction->loops.begin(), p.reduction->loops.end(), l) == p.reduction->loops.end())
      count *= extents[l];
  TestBuffer in(static_cast<std::int64_t>(x.size()), sizeof(T), shift), out(count, sizeof(R), shift);
  if (!x.empty()) std::memcpy(in.data(), x.data(), x.size() * sizeof(T));
  void* const buffers[] = {in.data(), out.data()};
  run(p, buffers);
  std::vector<R> r(static_cast<std::size_t>(count));
  if (!r.empty()) std::memcpy(r.data(), out.data(), r.size() * sizeof(R));
  EXPECT_TRUE(out.guards_intact());
  return r;
}

TEST_F(Reduce, OverNothingGivesTheIdentity) {
  const std::vector<float> none;
  const float inf = std::numeric_limits<float>::infinity();
  const auto of = [&](Combiner c) { return reduce<float>(c, DType::float32, DType::float32, {2, 0}, {1}, none); };
  EXPECT_EQ(of(Combiner::sum), (std::vector<float>{0, 0}));
  EXPECT_EQ(of(Combiner::prod), (std::vector<float>{1, 1}));
  EXPECT_EQ(of(Combiner::max), (std::vector<float>{-inf, -inf}));
  EXPECT_EQ(of(Combiner::min), (std::vector<float>{inf, inf}));
  const std::vector<std::int8_t> no_bytes;
  EXPECT_EQ(reduce<std::int8_t>(Combiner::max, DType::int8, DType::int8, {0}, {0}, no_bytes)[0], -128);
  EXPECT_EQ(reduce<std::int8_t>(Combiner::min, DType::int8, DType::int8, {0}, {0}, no_bytes)[0], 127);
  EXPECT_EQ(reduce<std::int8_t>(Combiner::bit_and, DType::int8, DType::int8, {0}, {0}, no_bytes)[0], -1);
  const std::vector<std::uint8_t> no_bools;
  EXPECT_EQ(reduce<std::uint8_t>(Combiner::bit_and, DType::bool_, DType::bool_, {0}, {0}, no_bools)[0], 1);
  EXPECT_EQ(reduce<std::uint8_t>(Combiner::bit_or, DType::bool_, DType::bool_, {0}, {0}, no_bools)[0], 0);
  EXPECT_TRUE(reduce<float>(Combiner::sum, DType::float32, DType::float32, {0, 0}, {1}, none).empty());
}

TEST_F(Reduce, NaNWinsAndFirstOfEqualsWins) {
  const float nan = std::nanf("");
  for (std::int64_t n : {3, 40, 600, 5000}) {
    std::vector<float> x(static_cast<std::size_t>(n), 1);
    EXPECT_EQ(reduce<std::int64_t>(Combiner::argmax, DType::float32, DType::int64, {n}, {0}, x)[0], 0);
    x[static_cast<std::size_t>(n - 2)] = nan, x[static_cast<std::size_t>(n - 1)] = nan, x[0] = 9;
    EXPECT_EQ(reduce<std::int32_t>(Combiner::argmax, DType::float32, DType::int32, {n}, {0}, x)[0], n - 2);
    EXPECT_EQ(reduce<std::int8_t>(Combiner::argmin, DType::float32, DType::int8, {n}, {0}, x)[0],
              static_cast<std::int8_t>(n - 2));
    EXPECT_TRUE(std::isnan(reduce<float>(Combiner::max, DType::float32, DType::float32, {n}, {0}, x)[0]));
    EXPECT_TRUE(std::isnan(reduce<float>(Combiner::min, DType::float32, DType::float32, {n}, {0}, x)[0]));
    // Columns: the same down one axis of many.
    std::vector<float> wide;
    for (float v : x) wide.insert(wide.end(), 70, v);
    EXPECT_EQ(reduce<std::int64_t>(Combiner::argmax, DType::float32, DType::int64, {n, 70}, {0}, wide)[69], n - 2);
    EXPECT_TRUE(std::isnan(reduce<float>(Combiner::max, DType::float32, DType::float32, {n, 70}, {0}, wide)[7]));
  }
}

TEST_F(Reduce, SumsOfMinusZerosAreZero) {
  for (const auto& [extents, axes] : {std::pair<Dims, std::vector<int>>{{2, 50}, {0}}, {{100, 50}, {0}}}) {
    const std::vector<float> x(static_cast<std::size_t>(extents.product()), -0.0f);
    for (float r : reduce<float>(Combiner::sum, DType::float32, DType::float32, extents, axes, x))
      EXPECT_FALSE(std::signbit(r)) << extents.str();
  }
  const std::vector<float> one(50, -0.0f);  // a single element is itself
  EXPECT_TRUE(std::signbit(reduce<float>(Combiner::sum, DType::float32, DType::float32, {1, 50}, {0}, one)[0]));
}

struct Case {
  Dims extents;
  std::vector<int> axes;
};
const Case cases[] = {{{1000000}, {0}},         {{300, 700}, {1}},        {{300, 700}, {0}},   {{5000, 3}, {0}},
                      {{5000, 12}, {0}},        {{20, 30, 40}, {0, 2}},   {{20, 30, 40}, {1}}, {{4000, 7}, {1}},
                      {{20, 1, 30, 2}, {0, 3}}, {{3, 100, 5}, {0, 1, 2}}, {{262145 * 2}, {0}}};

// Against long double sums; bits equal whatever the alignment.
TEST_F(Reduce, FloatSumsAreAccurateAndRepeatable) {
  std::mt19937 random(7);
  for (const Case& c : cases) {
    std::vector<float> x(static_cast<std::size_t>(c.extents.product()));
    std::vector<double> wide;
    for (float& v : x) v = static_cast<float>(random() % 1000) / 1000, wide.push_back(v);
    const auto sums = reduce<float>(Combiner::sum, DType::float32, DType::float32, c.extents, c.axes, x);
    const auto exact = reduce<double>(Combiner::sum, DType::float64, DType::float64, c.extents, c.axes, wide);
    for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_NEAR(sums[i], exact[i], 5e-5 * exact[i]) << c.extents.str();
    for (std::size_t shift : {1u, 3u, 8u}) {
      const auto again = reduce<float>(Combiner::sum, DType::float32, DType::float32, c.extents, c.axes, x, shift);
      ASSERT_EQ(std::memcmp(sums.data(), again.data(), sums.size() * 4), 0);
    }
  }
}

// The order is that of extents and axes: a strided or computed operand gives the bits of the contiguous one.
TEST_F(Reduce, BitsDoNotDependOnTheOperand) {
  std::mt19937 random(9);
  for (const Case& c : cases) {
    const std::int64_t n = c.extents.product();
    std::vector<float> x(static_cast<std::size_t>(n));
    for (float& v : x) v = static_cast<float>(random() % 1000) / 997;
    const auto plain = reduce<float>(Combiner::sum, DType::float32, DType::float32, c.extents, c.axes, x);
    for (int way = 0; way < 2; ++way) {
      Dims strides = row_major_strides(c.extents);
      std::int64_t offset = 0;
      if (way == 0)
        for (int l = 0; l < c.extents.length(); ++l)
          offset += (c.extents[l] - 1) * strides[l], strides[l] = -strides[l];  // stored backwards
      std::vector<float> stored(x);
      if (way == 0) std::reverse(stored.begin(), stored.end());
      ProgramBuilder b(c.extents);
      Value v = b.memory(0, DType::float32, strides, offset);
      v = b.apply("neg", DType::float32, {b.apply("neg", DType::float32, {v})});
      b.reduce(Combiner::sum, v, c.axes, 1, DType::float32);
      std::vector<float> out(plain.size());
      void* const buffers[] = {stored.data(), out.data()};
      run(b.finish(), buffers);
      ASSERT_EQ(std::memcmp(plain.data(), out.data(), out.size() * 4), 0) << c.extents.str() << way;
    }
  }
}

TEST_F(Reduce, HalvesAddInFloat) {
  for (const Dims& e : {Dims{4096}, Dims{4096, 40}}) {
    const std::vector<std::uint16_t> ones(static_cast<std::size_t>(e.product()), 0x3f80);  // bfloat16 1
    const auto r = reduce<std::uint16_t>(Combiner::sum, DType::bfloat16, DType::bfloat16, e, {0}, ones);
    for (std::uint16_t v : r) EXPECT_EQ(v, 0x4580);  // 4096
  }
}

TEST_F(Reduce, Complex) {
  using C = std::complex<float>;
  std::vector<C> x;
  for (int i = 0; i < 600; ++i) x.emplace_back(static_cast<float>(i), static_cast<float>(-i));
  EXPECT_EQ(reduce<C>(Combiner::sum, DType::complex64, DType::complex64, {600}, {0}, x)[0], C(179700, -179700));
  const std::vector<C> i4(4, C(0, 1));
  EXPECT_EQ(reduce<C>(Combiner::prod, DType::complex64, DType::complex64, {4}, {0}, i4)[0], C(1, 0));
}

TEST_F(Reduce, Ramp) {
  std::int8_t bytes[3];
  fill_ramp(bytes, DType::int8, 126, 1, 3);
  EXPECT_EQ(bytes[2], -128);
  std::uint16_t half[2];
  fill_ramp(half, DType::float16, 1, 1, 2);
  EXPECT_EQ(half[1], 0x4000);
  std::complex<double> z[2];
  fill_ramp(z, DType::complex128, 5, -2, 2);
  EXPECT_EQ(z[1], std::complex<double>(3, 0));
}

}  // namespace
}  // namespace cotan::kernel::test

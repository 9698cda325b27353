// Index spaces beyond 2^31 that need no memory of their size: what reads them is fused with what makes them.
#include <gtest/gtest.h>

#include "cotan/cotan.h"
#include "runtime/allocator.h"

namespace ct = cotan;
namespace jnp = cotan::numpy;
namespace lax = cotan::lax;
using ct::Array;

namespace {

constexpr std::int64_t billion = 1'000'000'000;

class LargeIndex : public testing::Test {
 protected:
  void SetUp() override { ct::runtime::set_poison(true); }
  void TearDown() override { ct::runtime::set_poison(false); }
  ct::enable_x64 x64_;
};

std::vector<std::int64_t> numbers(const Array& x) {
  const auto v = jnp::ravel(x).span<std::int64_t>();
  return {v.begin(), v.end()};
}
using Numbers = std::vector<std::int64_t>;

TEST_F(LargeIndex, SliceOfAnIota) {
  const auto f =
      ct::jit([] { return lax::slice(lax::iota(ct::int64, 5 * billion), {4 * billion + 7}, {4 * billion + 10}); });
  EXPECT_EQ(numbers(f()), (Numbers{4 * billion + 7, 4 * billion + 8, 4 * billion + 9}));
}

TEST_F(LargeIndex, StridedAndReversed) {
  const auto f = ct::jit([] {
    const Array x = lax::iota(ct::int64, 5 * billion + 1) * 2 + 1;
    return lax::slice(lax::rev(x, {0}), {0}, {5 * billion + 1}, ct::IntList{billion});
  });
  EXPECT_EQ(numbers(f()),
            (Numbers{10 * billion + 1, 8 * billion + 1, 6 * billion + 1, 4 * billion + 1, 2 * billion + 1, 1}));
}

TEST_F(LargeIndex, TransposedAndReshaped) {
  constexpr std::int64_t n = 70'000;  // n * n > 2^32
  const auto f = ct::jit([] {
    const Array x = jnp::reshape(lax::iota(ct::int64, n * n), {n, n});
    return lax::slice(jnp::transpose(x), {n - 2, n - 3}, {n, n});
  });
  Numbers want;
  for (std::int64_t i = n - 2; i < n; ++i)
    for (std::int64_t j = n - 3; j < n; ++j) want.push_back(j * n + i);
  EXPECT_EQ(numbers(f()), want);
}

TEST_F(LargeIndex, BroadcastsOfSmallOperands) {
  constexpr std::int64_t n = 100'000;
  const auto f = ct::jit([](const Array& a, const Array& b) {
    return lax::slice(jnp::expand_dims(a, 1) * n + b, {n - 3, n - 2}, {n, n});
  });
  Numbers want;
  for (std::int64_t i = n - 3; i < n; ++i)
    for (std::int64_t j = n - 2; j < n; ++j) want.push_back(i * n + j);
  EXPECT_EQ(numbers(f(jnp::arange(n), jnp::arange(n))), want);
}

// The elements that are reduced stand at offsets beyond 2^31 of an array of 10^10.
TEST_F(LargeIndex, ReductionsOfAPart) {
  constexpr std::int64_t n = 100'000;
  const auto part = [](const Array& a) {
    return lax::slice(jnp::reshape(lax::iota(ct::int64, n * n), {n, n}) + a, {n - 1000, 0}, {n, n},
                      ct::IntList{100, 10'000});
  };
  const auto f = ct::jit([&](const Array& a) {
    const Array x = part(a);
    return std::vector<Array>{jnp::sum(x), jnp::sum(x, 0), jnp::max(x, 1), jnp::argmax(x), jnp::min(x)};
  });
  const std::vector<Array> r = f(jnp::arange(n));
  std::int64_t sum = 0;
  Numbers columns(10), largest;
  for (std::int64_t i = n - 1000; i < n; i += 100) {
    for (std::int64_t j = 0; j < n; j += 10'000)
      sum += i * n + 2 * j, columns[static_cast<std::size_t>(j / 10'000)] += i * n + 2 * j;
    largest.push_back(i * n + 2 * 90'000);
  }
  EXPECT_EQ(r[0].item<std::int64_t>(), sum);
  EXPECT_EQ(numbers(r[1]), columns);
  EXPECT_EQ(numbers(r[2]), largest);
  EXPECT_EQ(r[3].item<std::int64_t>(), 99);
  EXPECT_EQ(r[4].item<std::int64_t>(), (n - 1000) * n);
}

TEST_F(LargeIndex, FlippedColumnsOfBytes) {
  constexpr std::int64_t n = 60'000;
  const auto f = ct::jit([](const Array& a) {
    const Array x = jnp::broadcast_to(a, {n, n});  // 3.6e9 bytes
    return lax::slice(jnp::flip(jnp::flip(x, 0) + 1, 1), {n - 1, n - 4}, {n, n});
  });
  const Array got = f(jnp::arange(n).astype(ct::uint8));
  EXPECT_EQ(numbers(got.astype(ct::int64)), (Numbers{4, 3, 2, 1}));
}

}  // namespace

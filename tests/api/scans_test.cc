// associative_scan and general reductions; sorts large enough for every method.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "api_test.h"

namespace {

Array ramp(std::int64_t n) { return jnp::linspace(-1, 2, n); }

TEST(Scans, AssociativeScanIsCumulative) {
  for (std::int64_t n : {0, 1, 2, 3, 7, 8, 33}) {
    EXPECT_TRUE(close(lax::associative_scan(lax::add, ramp(n)), jnp::cumsum(ramp(n)))) << n;
    EXPECT_TRUE(close(lax::associative_scan(lax::max, ramp(n), true), lax::cummax(ramp(n), 0, true))) << n;
  }
  const Array x = jnp::reshape(ramp(12), {3, 4});
  EXPECT_TRUE(close(lax::associative_scan(lax::mul, x, false, 1), jnp::cumprod(x, 1)));
}

struct Affine {
  Array a, b;
};

// x -> a x + b, one after the other.
TEST(Scans, AssociativeScanOfPytrees) {
  const auto compose = [](const Affine& f, const Affine& g) { return Affine{g.a * f.a, g.a * f.b + g.b}; };
  const Affine r = lax::associative_scan(compose, Affine{ramp(6), jnp::ones({6})});
  float a = 1, b = 0;
  for (std::int64_t i = 0; i < 6; ++i) {
    const float x = ramp(6)(i).item<float>();
    a *= x, b = x * b + 1;
    EXPECT_NEAR(r.a(i).item<float>(), a, 1e-5);
    EXPECT_NEAR(r.b(i).item<float>(), b, 1e-5);
  }
  EXPECT_ERROR(lax::associative_scan(compose, Affine{ramp(3), ramp(2)}), ct::ValueError, "same size");
  EXPECT_ERROR(lax::associative_scan(lax::add, ramp(3), false, 2), ct::ValueError, "out of bounds");
}

TEST(Scans, KnownReductions) {
  const auto text = [](auto f) { return ct::make_jaxpr(f)(ramp(4)).str(); };
  EXPECT_NE(text([](const Array& x) { return lax::reduce(x, 0.0, lax::add, {0}); }).find("reduce_sum"),
            std::string::npos);
  EXPECT_NE(text([](const Array& x) { return lax::reduce(x, 1.0, lax::mul, {0}); }).find("reduce_prod"),
            std::string::npos);
  EXPECT_NE(text([](const Array& x) { return lax::reduce(x, -INFINITY, lax::max, {0}); }).find("reduce_max"),
            std::string::npos);
  const std::string general = text([](const Array& x) { return lax::reduce(x, 1.0, lax::add, {0}); });
  EXPECT_NE(general.find("= reduce["), std::string::npos) << general;
}

Array log_sum(const Array& x, const Array& y) { return lax::log(lax::exp(x) + lax::exp(y)); }

TEST(Scans, GeneralReduce) {
  const Array x = jnp::reshape(ramp(15), {3, 5});
  const auto f = [](const Array& v) { return lax::reduce(v, -INFINITY, log_sum, {1}); };
  const Array want = jnp::log(jnp::sum(jnp::exp(x), 1));
  EXPECT_TRUE(close(f(x), want));
  EXPECT_TRUE(close(ct::jit(f)(x), want));
  EXPECT_TRUE(close(ct::vmap([](const Array& v) { return lax::reduce(v, -INFINITY, log_sum, {0}); })(x), want));
  const auto total = [&](const Array& v) { return jnp::sum(f(v)); };
  EXPECT_TRUE(close(ct::grad(total)(x), jnp::exp(x) / jnp::sum(jnp::exp(x), 1, {.keepdims = true}), 1e-4));
  EXPECT_TRUE(close(ct::jit(ct::grad(total))(x), ct::grad(total)(x)));
  EXPECT_TRUE(close(lax::reduce(x, 0.0, log_sum, {}), jnp::log(jnp::exp(x) + 1)));
  EXPECT_TRUE(close(lax::reduce(jnp::zeros({0, 2}), 2.0, log_sum, {0}), jnp::full({2}, 2.0)));
  EXPECT_EQ(lax::reduce(jnp::zeros({3, 0}), 2.0, log_sum, {0}).shape().str(), "(0,)");
}

// The largest element and where it stands, as one reduction of two operands.
TEST(Scans, ReduceOfSeveralOperands) {
  using List = std::vector<Array>;
  const auto larger = [](const List& a, const List& b) {
    const Array left = a[0] >= b[0];
    return List{jnp::where(left, a[0], b[0]), jnp::where(left, a[1], b[1])};
  };
  const Array x = jnp::array(std::vector<float>{1, 5, 2, 5, 0});
  const List r = lax::reduce(List{x, jnp::arange(5)}, List{-INFINITY, -1}, larger, {0});
  EXPECT_EQ(r[0].item<float>(), 5);
  EXPECT_EQ(r[1].item<int>(), 1);
}

TEST(Scans, ReduceErrors) {
  const Array x = ramp(3);
  EXPECT_ERROR(lax::reduce(x, 0.0, log_sum, {1}), ct::ValueError, "out-of-bounds");
  EXPECT_ERROR(lax::reduce(x, 0.0, log_sum, {0, 0}), ct::ValueError, "duplicate");
  EXPECT_ERROR(lax::reduce(x, jnp::zeros({2}), log_sum, {0}), ct::ValueError, "non-scalar");
  EXPECT_ERROR(lax::reduce(x, 0.0, [&](const Array& a, const Array&) { return a + x(0); }, {0}),
               ct::NotImplementedError, "other than");
  EXPECT_ERROR(lax::reduce(x, 0.0, [](const Array& a, const Array&) { return a > 0.0; }, {0}), ct::ValueError,
               "must give");
}

TEST(Scans, ReducePrints) {
  const auto f = [](const Array& v) { return lax::reduce(v, 1.0, lax::add, {0}); };
  const ct::ClosedJaxpr j = ct::make_jaxpr(f)(ramp(3));
  EXPECT_EQ(ct::parse_jaxpr(j.to_text()).to_text(), j.to_text());
  EXPECT_TRUE(close(ct::eval_jaxpr(ct::parse_jaxpr(j.to_text()), {ramp(3)})[0], f(ramp(3))));
}

// Rows above and below the sizes at which the method changes.
TEST(Scans, SortSizes) {
  for (int n : {1, 2, 31, 256, 257, 5000}) {
    std::vector<float> v;
    for (int i = 0; i < n; ++i) v.push_back(static_cast<float>((i * 7919 + 13) % 997 - 500) / 7);
    const Array x = jnp::array(v);
    std::vector<std::int32_t> order(v.size());
    std::iota(order.begin(), order.end(), 0);
    const auto at = [&](std::int32_t i) { return v[static_cast<std::size_t>(i)]; };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return at(a) < at(b); });
    const Array places = jnp::argsort(x), sorted = jnp::sort(x);
    for (std::size_t i = 0; i < v.size(); ++i) {
      ASSERT_EQ(places.span<std::int32_t>()[i], order[i]) << n;
      ASSERT_EQ(sorted.span<float>()[i], at(order[i])) << n;
    }
    ct::enable_x64 x64;
    const Array wide = jnp::array(std::vector<double>(v.begin(), v.end())).astype(ct::float64);
    EXPECT_TRUE(bool(jnp::array_equal(jnp::argsort(wide), places.astype(ct::int64)))) << n;
    EXPECT_TRUE(bool(jnp::array_equal(jnp::sort(wide), sorted.astype(ct::float64)))) << n;
  }
}

TEST(Scans, LongCumulativeSums) {
  for (std::int64_t n : {511, 512, 513, 1500, 100000}) {
    const Array x = jnp::linspace(-1, 2, n);
    const Array forward = jnp::cumsum(x), backward = lax::cumsum(x, 0, true);
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      sum += static_cast<double>(x.span<float>()[static_cast<std::size_t>(i)]);
      ASSERT_EQ(forward.span<float>()[static_cast<std::size_t>(i)], static_cast<float>(sum)) << n << " " << i;
    }
    EXPECT_TRUE(close(jnp::flip(lax::cumsum(jnp::flip(x))), backward)) << n;
    EXPECT_TRUE(equal(ct::jit([](const Array& v) { return jnp::cumsum(v); })(x), forward));
  }
}

}  // namespace

// Cases from the issue trackers of JAX and its neighbours that index, gather or scatter. Each test has the name of its case.
#include <cmath>

#include "api_test.h"

namespace {

using ct::none;
using ct::slice;

TEST(IndexCases, SegmentProdGrad) {
  const Array ids = jnp::array({0, 0, 1, 1});
  auto f = [&](const Array& x) { return jnp::sum(ct::segment::segment_prod(x, ids, 2)); };
  EXPECT_TRUE(equal(ct::grad(f)(jnp::array({2., 3., 5., 7.})), jnp::array({3., 2., 7., 5.})));
}

// By products over masks: groups with no zero, one, two, one alone, and one outside, which is left out.
TEST(IndexCases, ProductsOverRepeatedIndices) {
  const Array ids = jnp::array({3, 0, 1, 0, 2, 1, 2, 9, 0, 2});
  const Array x = jnp::array({3., 2., 0., -1.5, 0., 4., 0., 7., 0.5, 5.}), w = jnp::array({1., -2., 3., 0.5});
  const auto by_scatter = [&](const Array& a, const Array& start) {
    return jnp::sum(w * start.at(ids).multiply(a, {.mode = "drop"}));
  };
  const auto by_masks = [&](const Array& a, const Array& start) {
    const Array mine = jnp::equal(jnp::expand_dims(jnp::arange(4), {1}), ids);
    return jnp::sum(w * start * jnp::prod(jnp::where(mine, a, 1.), 1));
  };
  const Array start = jnp::array({1., 2., -1., 0.});
  EXPECT_TRUE(equal(ct::grad(by_scatter)(x, start), ct::grad(by_masks)(x, start)));
  EXPECT_TRUE(equal(ct::hessian(by_scatter)(x, start), ct::hessian(by_masks)(x, start)));
  const auto mixed = [&](const auto& f) {
    return ct::jacfwd([&](const Array& s) { return ct::grad([&](const Array& a) { return f(a, s); })(x); })(start);
  };
  EXPECT_TRUE(equal(mixed(by_scatter), mixed(by_masks)));
  const auto lanes = ct::vmap([&](const Array& a) { return ct::grad(by_scatter)(a, start); });
  EXPECT_TRUE(equal(lanes(jnp::stack({x, x + 1.}))(1), ct::grad(by_masks)(x + 1., start)));
  EXPECT_TRUE(equal(ct::jit(ct::grad(by_scatter))(x, start), ct::grad(by_masks)(x, start)));
}

// Under jit a gather or scatter wraps negative indices itself where nothing else reads them.
TEST(IndexCases, NegativeIndicesUnderJit) {
  const Array x = jnp::arange(7.) + 0.5;
  for (std::int64_t n : {1, 7, 8, 9, 33}) {
    const Array i = jnp::remainder(jnp::arange(n) * 5, 23) - 11, v = jnp::arange(n) * 1.5;
    const auto same = [&](const auto& f) {
      const std::vector<Array> eager = f(x, i, v), staged = ct::jit(f)(x, i, v);
      for (std::size_t k = 0; k < eager.size(); ++k) EXPECT_TRUE(equal(staged[k], eager[k]));
    };
    same([](const Array& a, const Array& at, const Array&) { return std::vector<Array>{a(at)}; });
    same([](const Array& a, const Array& at, const Array& u) {
      return std::vector<Array>{a.at(at).get({.mode = "fill", .fill_value = -1}), a.at(at).get({.mode = "clip"}),
                                a.at(at).add(u), a.at(at).multiply(u, {.mode = "clip"})};
    });
    same([](const Array& a, const Array& at,
            const Array& u) {  // the wrapped indices are also read by others, or are no arguments
      const Array wrapped = jnp::where(at < 0, at + 7, at), doubled = at * 2;
      return std::vector<Array>{a(wrapped), wrapped, a(doubled), a.at(wrapped + 1).set(u),
                                a(jnp::reshape(wrapped, {-1, 1}))};
    });
  }
}

TEST(IndexCases, GradOobDynamicIndex) {
  const Array x = jnp::reshape(jnp::arange(25.), {5, 5});
  auto f = [](const Array& a) { return jnp::sum(lax::dynamic_index_in_dim(a, -8, 0)); };
  EXPECT_EQ(f(x).item<float>(), 10);
  auto [value, gradient] = ct::value_and_grad(f)(x);
  EXPECT_EQ(value.item<float>(), 10);
  EXPECT_TRUE(equal(gradient(0), jnp::ones({5})));
  auto g = [](const Array& a, const Array& i) { return a.at(i).get({.mode = "clip"}); };
  auto h = [&](const Array& a) { return ct::vmap(g, ct::in_axes(none, 0))(a, jnp::array({1})); };
  EXPECT_TRUE(equal(ct::jacrev(h)(jnp::array({1.})), jnp::array({{1.}})));
}

TEST(IndexCases, ScatterSetSymbolicZero) {
  const std::vector<Array> d = jnp::diag_indices(3);
  auto f = [&](const Array& x) { return jnp::sum(jnp::square(x.at(d[0], d[1]).set(jnp::arange(3.)))); };
  EXPECT_TRUE(equal(ct::grad(f)(jnp::full({3, 3}, 2.)), jnp::array({{0., 4., 4.}, {4., 0., 4.}, {4., 4., 0.}})));
}

TEST(IndexCases, ScatterSetDuplicatesGrad) {
  auto f = [](const Array& u) {
    return jnp::sum(jnp::zeros({3}).at(jnp::array({1, 1, 2})).set(u) * jnp::array({1., 10., 100.}));
  };
  const Array u = jnp::array({1., 2., 3.});
  EXPECT_EQ(f(u).item<float>(), 320);
  EXPECT_TRUE(equal(ct::grad(f)(u), jnp::array({0., 10., 100.})));
  EXPECT_TRUE(equal(ct::grad(ct::jit(f))(u), jnp::array({0., 10., 100.})));
}

TEST(IndexCases, AtApplyVmap) {
  auto f = [](const Array& a, const Array& i) { return a.at(i).apply([](const Array& x) { return x * 10; }); };
  EXPECT_TRUE(
      equal(ct::vmap(f)(jnp::array({{1, 2, 3}, {4, 5, 6}}), jnp::array({2, 0})), jnp::array({{1, 2, 30}, {40, 5, 6}})));
  auto g = [](const Array& x, const Array& i) { return x.at(i).apply([](const Array& y) { return y + 1; }); };
  EXPECT_TRUE(equal(g(jnp::zeros({3}), jnp::array({1, 1})), jnp::array({0., 2., 0.})));
  EXPECT_TRUE(equal(ct::jit(g)(jnp::zeros({3}), jnp::array({1, 1})), jnp::array({0., 2., 0.})));
  EXPECT_TRUE(equal(ct::jit(g)(jnp::zeros({3}), jnp::array({0, 7})), jnp::array({1., 0., 0.})));
  EXPECT_TRUE(equal(jnp::arange(3.).at(slice(1, none)).apply(jnp::square), jnp::array({0., 1., 4.})));
}

TEST(IndexCases, Int8IndexBatch) {
  const int n = 137;
  auto f = [](const Array& x, const Array& i) { return jnp::take(x, i, 0); };
  const Array r = ct::vmap(f)(jnp::reshape(jnp::arange(n * 1.), {n, 1}), jnp::zeros({n}, ct::int8));
  EXPECT_EQ(r(130).item<float>(), 130);
  EXPECT_EQ(jnp::arange(1000)(ct::all, ct::newaxis)(999, jnp::asarray(0).astype(ct::int8)).item<std::int32_t>(), 999);
  const Array at = jnp::array({{250}, {3}}).astype(ct::uint8);
  EXPECT_TRUE(
      equal(jnp::take_along_axis(jnp::reshape(jnp::arange(600.), {2, 300}), at, 1), jnp::array({{250.}, {303.}})));
}

TEST(IndexCases, VmapInAxesIndex) {
  const Array x = jnp::reshape(jnp::arange(12), {4, 3});
  auto f = [](const Array& a, const Array& i) { return a(i); };
  EXPECT_TRUE(equal(ct::vmap(f)(x, jnp::array({0, 2, 1, 0})), jnp::array({0, 5, 7, 9})));
  EXPECT_TRUE(equal(ct::vmap(f, ct::in_axes(1, none))(x, 2), jnp::array({6, 7, 8})));
}

TEST(IndexCases, ScatterCastValues) {
  const Array a = jnp::zeros({1}, ct::uint32);
  EXPECT_EQ(a.at(0).set(jnp::array({4294967295u})(0))(0).item<std::uint32_t>(), 4294967295u);
  EXPECT_EQ(jnp::zeros({2}, ct::int8).at(0).set(300.7)(0).item<std::int8_t>(), 127);
  const Array h = jnp::zeros({2}, ct::float16).at(1).add(jnp::asarray(1e-4f));
  EXPECT_EQ(h.dtype(), ct::float16);
  EXPECT_FLOAT_EQ(h(1).item<float>(), 0.00010001659393310547f);
}

TEST(IndexCases, OobIndexSemantics) {
  const Array x = jnp::arange(5);
  auto f = [](const Array& a, const Array& i) {
    return std::tuple(a(i), a.at(i).set(99), a.at(i).get({.mode = "fill", .fill_value = -1}),
                      lax::dynamic_slice(a, {i}, {3}));
  };
  const auto expect = [&](int i, int got, const Array& set, int filled, const Array& part) {
    auto [a, b, c, d] = ct::jit(f)(x, i);
    EXPECT_EQ(a.item<std::int32_t>(), got) << i;
    EXPECT_TRUE(equal(b, set)) << i;
    EXPECT_EQ(c.item<std::int32_t>(), filled) << i;
    EXPECT_TRUE(equal(d, part)) << i;
  };
  expect(7, 4, x, -1, jnp::array({2, 3, 4}));
  expect(-2, 3, jnp::array({0, 1, 2, 99, 4}), 3, jnp::array({2, 3, 4}));
  expect(-9, 0, x, -1, jnp::array({0, 1, 2}));
  EXPECT_TRUE(equal(x.at(jnp::array({1, 7, -1})).add(1), jnp::array({0, 2, 2, 3, 5})));
}

TEST(IndexCases, InplaceAlias) {
  auto f = [](const Array& x) { return x.at(slice(1, none)).set(1 + x(slice(none, -1))); };
  auto g = [](const Array& x) { return x.at(0).set(jnp::roll(x(0), 2)); };
  EXPECT_TRUE(equal(ct::jit(f)(jnp::zeros({6})), jnp::array({0., 1., 1., 1., 1., 1.})));
  EXPECT_TRUE(equal(ct::jit(g)(jnp::reshape(jnp::arange(12.), {2, 6}))(0), jnp::array({4., 5., 0., 1., 2., 3.})));
}

TEST(IndexCases, TracedMask) {
  auto f = [](const Array& x, const Array& m) { return x.at(m).set(0); };
  const Array x = jnp::reshape(jnp::arange(6.), {2, 3});
  EXPECT_TRUE(equal(ct::jit(f)(x, x > 2.), jnp::array({{0., 1., 2.}, {0., 0., 0.}})));
  EXPECT_TRUE(equal(ct::jit(f)(x, jnp::array({true, false})), jnp::array({{0., 0., 0.}, {3., 4., 5.}})));
  auto g = [](const Array& a, const Array& m) { return a.at(ct::all, m).add(jnp::array({{10.}, {20.}})); };
  EXPECT_TRUE(equal(ct::jit(g)(x, jnp::array({true, false, true})), jnp::array({{10., 1., 12.}, {23., 4., 25.}})));
  auto h = [](const Array& a, const Array& m) { return a.at(m).set(jnp::arange(3.)); };
  EXPECT_ERROR(ct::jit(h)(x, x > 2.), ct::NonConcreteBooleanIndexError, "concrete");
  EXPECT_ERROR(ct::jit([](const Array& a, const Array& m) { return a(m); })(x, x > 2.),
               ct::NonConcreteBooleanIndexError, "concrete");
}

TEST(IndexCases, SecondDerivatives) {
  const Array i = jnp::array({0, 2, 2, 1});
  auto f = [&](const Array& x) { return jnp::sum(jnp::square(x(i)) * x(1)) + jnp::sum(x.at(i).add(x(i) * x(0))); };
  const Array x = jnp::array({1., 2., 3.});
  auto loop = [&](const Array& y) {
    Array s = 0.0;
    for (int k : {0, 2, 2, 1}) s = s + y(k) * y(k) * y(1) + y(k) * y(0);
    return s + jnp::sum(y);
  };
  EXPECT_TRUE(close(ct::hessian(f)(x), ct::hessian(loop)(x)));
  EXPECT_TRUE(close(ct::jit(ct::hessian(f))(x), ct::hessian(loop)(x)));
}

}  // namespace

// Indexing and updates against plain loops; derivatives and batching of both.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "unit/functions/golden_support.h"

namespace cotan {
namespace {

namespace jnp = numpy;
using golden::error_class;

Array grid() { return jnp::reshape(jnp::arange(24.f), {4, 6}); }
std::string text(const Array& a) { return a.aval().str() + " " + a.str(); }

TEST(Indexing, Reads) {
  const Array x = jnp::arange(10.f);
  EXPECT_EQ(text(x(3)), "f32[] 3.0");
  EXPECT_EQ(text(x(-1)), "f32[] 9.0");
  EXPECT_EQ(text(x(slice(2, 5))), "f32[3] [2. 3. 4.]");
  EXPECT_EQ(text(x(slice(-3, none))), "f32[3] [7. 8. 9.]");
  EXPECT_EQ(text(x(slice(none, none, -1))), "f32[10] [9. 8. 7. 6. 5. 4. 3. 2. 1. 0.]");
  EXPECT_EQ(text(x(slice(8, 1, -3))), "f32[3] [8. 5. 2.]");
  EXPECT_EQ(text(x(slice(none, none, 4))), "f32[3] [0. 4. 8.]");
  EXPECT_EQ(text(x(slice(5, 2))), "f32[0] []");
  EXPECT_EQ(text(x(slice(-100, 100))), text(x));
  EXPECT_EQ(text(x(slice(100, none, -4))), "f32[3] [9. 5. 1.]");
  EXPECT_EQ(text(x(slice(none, none, std::numeric_limits<std::int64_t>::min()))), "f32[1] [9.]");
  EXPECT_EQ(text(grid()(1, slice(none, none, 3))), "f32[2] [6. 9.]");
  EXPECT_EQ(text(grid()(ellipsis, 0)), "f32[4] [ 0.  6. 12. 18.]");
  EXPECT_EQ(grid()(newaxis, all, newaxis, 2).shape(), (Shape{1, 4, 1}));
  EXPECT_EQ(text(jnp::arange(3)(newaxis, slice(1))), "i32[1,1] [[0]]");
}

TEST(Indexing, StridedRangesEndBeforeTheirBound) {
  EXPECT_EQ(text(jnp::arange(5)(slice(0, 3, 2))), "i32[2] [0 2]");
  EXPECT_EQ(text(jnp::arange(9)(slice(1, -3, 3))), "i32[2] [1 4]");
  EXPECT_EQ(text(jnp::arange(9)(slice(1, 2, 3))), "i32[1] [1]");
  EXPECT_EQ(text(jnp::zeros({2, 9})(jnp::asarray(1), slice(1, 5, 2))), "f32[2] [0. 0.]");
  const auto jaxpr = make_jaxpr([](const Array& x) { return x(slice(0, 3, 2)); })(jnp::arange(5));
  EXPECT_NE(jaxpr.str().find("limit_indices=(3,)"), std::string::npos) << jaxpr.str();
}

// The positions of Python's range over a slice.
std::vector<std::int64_t> positions(std::int64_t first, std::int64_t last, std::int64_t step, std::int64_t n) {
  std::vector<std::int64_t> r;
  const auto bound = [&](std::int64_t v) {
    if (v < 0) v += n;
    return step > 0 ? std::clamp<std::int64_t>(v, 0, n) : std::clamp<std::int64_t>(v, -1, n - 1);
  };
  const std::int64_t end = bound(last);
  for (std::int64_t i = bound(first); step > 0 ? i < end : i > end; i += step) r.push_back(i);
  return r;
}

TEST(Indexing, RandomSlicesOfThreeAxesEqualALoop) {
  std::mt19937 generator(7);
  const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(generator); };
  for (int round = 0; round < 200; ++round) {
    std::int64_t n[3], first[3], last[3], step[3];
    std::vector<std::int64_t> at[3];
    for (int i = 0; i < 3; ++i) {
      n[i] = draw(1, 7), first[i] = draw(-8, 8), last[i] = draw(-8, 8);
      do step[i] = draw(-4, 4);
      while (step[i] == 0);
      at[i] = positions(first[i], last[i], step[i], n[i]);
    }
    const Array x = jnp::reshape(jnp::arange(n[0] * n[1] * n[2]), {n[0], n[1], n[2]});
    const slice s[] = {{first[0], last[0], step[0]}, {first[1], last[1], step[1]}, {first[2], last[2], step[2]}};
    const Array y = x(s[0], s[1], s[2]), doubled = x.at(s[0], s[1], s[2]).multiply(2);
    std::vector<std::int32_t> expected, updated(static_cast<std::size_t>(x.size()));
    std::iota(updated.begin(), updated.end(), 0);
    for (std::int64_t i : at[0])
      for (std::int64_t j : at[1])
        for (std::int64_t k : at[2]) {
          const std::int64_t v = (i * n[1] + j) * n[2] + k;
          expected.push_back(static_cast<std::int32_t>(v));
          updated[static_cast<std::size_t>(v)] *= 2;
        }
    const Shape shape{static_cast<std::int64_t>(at[0].size()), static_cast<std::int64_t>(at[1].size()),
                      static_cast<std::int64_t>(at[2].size())};
    ASSERT_EQ(y.shape(), shape) << round;
    const std::int32_t* got = y.span<std::int32_t>().begin();
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), got)) << round;
    const std::int32_t* after = doubled.span<std::int32_t>().begin();
    EXPECT_TRUE(std::equal(updated.begin(), updated.end(), after)) << round;
  }
}

TEST(Indexing, LaxStartsBelowZeroCountFromTheEnd) {
  const Array v = jnp::array({1., 2., 3.}), x = jnp::reshape(jnp::arange(8), {2, 4});
  EXPECT_EQ(text(lax::slice_in_dim(x, -2, 3, 1, 1)), "i32[2,1] [[2]\n [6]]");
  EXPECT_EQ(text(lax::slice_in_dim(x, -3, -1, 1, -1)), "i32[2,2] [[1 2]\n [5 6]]");
  EXPECT_EQ(error_class([&] { lax::slice_in_dim(x, -9, 3, 1, 1); }), "TypeError");
  EXPECT_EQ(lax::dynamic_slice(v, {-1}, {2}).str(), "[2. 3.]");
  EXPECT_EQ(lax::dynamic_slice(v, {-9}, {2}).str(), "[1. 2.]");
  EXPECT_EQ(lax::dynamic_slice(v, {-3}, {1}).str(), "[1.]");
  EXPECT_EQ(lax::dynamic_slice(v, {jnp::asarray(-1)}, {2}).str(), "[2. 3.]");
  EXPECT_EQ(lax::dynamic_slice(x, {jnp::asarray(-1), -3}, {1, 2}).str(), "[[5 6]]");
  EXPECT_EQ(lax::dynamic_slice(jnp::arange(300), {jnp::asarray(-100).astype(int8)}, {2}).str(), "[200 201]");
  EXPECT_EQ(lax::dynamic_slice(v, {jnp::asarray(200).astype(uint8)}, {1}).str(), "[3.]");
  EXPECT_EQ(lax::dynamic_update_slice(v, jnp::array({9.}), {-2}).str(), "[1. 9. 3.]");
  EXPECT_EQ(lax::dynamic_update_slice(v, jnp::array({9.}), {jnp::asarray(-2)}).str(), "[1. 9. 3.]");
  const auto jaxpr = make_jaxpr([](const Array& a) { return lax::dynamic_slice(a, {-1}, {2}); })(jnp::zeros(5));
  EXPECT_NE(jaxpr.str().find("dynamic_slice[slice_sizes=(2,)] a 4:i32[]"), std::string::npos) << jaxpr.str();
  EXPECT_EQ(error_class([&] { lax::dynamic_slice(v, {0, 0}, {2}); }), "ValueError");
}

TEST(Indexing, OutsideIsClamped) {
  const Array x = jnp::arange(10.f);
  EXPECT_EQ(x(11).item<float>(), 9);
  EXPECT_EQ(x(-11).item<float>(), 0);
  EXPECT_EQ(x(-25).item<float>(), 0);
  EXPECT_EQ(x(jnp::asarray(11)).item<float>(), 9);
  EXPECT_EQ(x(jnp::asarray(-2)).item<float>(), 8);
  EXPECT_EQ(x(jnp::asarray(200).astype(uint8)).item<float>(), 9);
  EXPECT_EQ(text(grid()(jnp::asarray(2), slice(none, none, -2))), "f32[3] [17. 15. 13.]");
}

TEST(Indexing, Updates) {
  const Array x = jnp::arange(6.f);
  EXPECT_EQ(x.at(1).set(10).str(), "[ 0. 10.  2.  3.  4.  5.]");
  EXPECT_EQ(x.at(-1).add(10).str(), "[ 0.  1.  2.  3.  4. 15.]");
  EXPECT_EQ(x.at(slice(1, 3)).set(jnp::array({7.f, 8.f})).str(), "[0. 7. 8. 3. 4. 5.]");
  EXPECT_EQ(x.at(slice(none, none, 2)).multiply(-1.5).str(), "[-0.  1. -3.  3. -6.  5.]");
  EXPECT_EQ(x.at(slice(none, none, -2)).set(jnp::array({1.f, 2.f, 3.f})).str(), "[0. 3. 2. 2. 4. 1.]");
  EXPECT_EQ(x.at(slice(4, 0, -3)).subtract(jnp::array({1.f, 2.f})).str(), "[ 0. -1.  2.  3.  3.  5.]");
  EXPECT_EQ(x.at(all).divide(2).str(), "[0.  0.5 1.  1.5 2.  2.5]");
  EXPECT_EQ(x.at(slice(3, none)).power(2).str(), "[ 0.  1.  2.  9. 16. 25.]");
  EXPECT_EQ(x.at(slice(2, 4)).min(2.5).str(), "[0.  1.  2.  2.5 4.  5. ]");
  EXPECT_EQ(x.at(slice(2, 4)).max(2.5).str(), "[0.  1.  2.5 3.  4.  5. ]");
  EXPECT_EQ(x.at(slice(3, 3)).set(9).str(), x.str());
  EXPECT_EQ(x.at(17).set(9).str(), x.str());
  EXPECT_EQ(x.at(-17).add(9).str(), x.str());
  EXPECT_EQ(x.at(jnp::asarray(17)).set(9).str(), x.str());
  EXPECT_EQ(x.at(jnp::asarray(-7)).set(9).str(), x.str());
  EXPECT_EQ(x.at(jnp::asarray(-6)).set(9).str(), "[9. 1. 2. 3. 4. 5.]");
  EXPECT_EQ(x.at(newaxis, slice(1, 3)).set(jnp::ones({1, 2})).str(), "[0. 1. 1. 3. 4. 5.]");
  EXPECT_EQ(x.at(2).get().item<float>(), 2);
  EXPECT_EQ(x.str(), "[0. 1. 2. 3. 4. 5.]");
}

TEST(Indexing, UpdatesOfSeveralAxes) {
  const Array x = jnp::zeros({3, 4});
  EXPECT_EQ(x.at(1, 2).set(1).str(), "[[0. 0. 0. 0.]\n [0. 0. 1. 0.]\n [0. 0. 0. 0.]]");
  EXPECT_EQ(x.at(slice(none, none, 2), slice(1, none, 2)).add(jnp::array({{1.f, 2.f}, {3.f, 4.f}})).str(),
            "[[0. 1. 0. 2.]\n [0. 0. 0. 0.]\n [0. 3. 0. 4.]]");
  EXPECT_EQ(x.at(jnp::asarray(1), slice(none, none, 3)).set(jnp::array({1.f, 2.f})).str(),
            "[[0. 0. 0. 0.]\n [1. 0. 0. 2.]\n [0. 0. 0. 0.]]");
  EXPECT_EQ(x.at(all, 1).set(jnp::arange(3.f)).str(), "[[0. 0. 0. 0.]\n [0. 1. 0. 0.]\n [0. 2. 0. 0.]]");
}

TEST(Indexing, UpdatesKeepTheType) {
  const Array n = jnp::arange(4);
  EXPECT_EQ(text(n.at(1).set(2.7)), "i32[4] [0 2 2 3]");
  EXPECT_EQ(text(n.at(3).multiply(2.5)), "i32[4] [0 1 2 7]");
  EXPECT_EQ(text((n > 1).at(0).set(true)), "bool[4] [ True False  True  True]");
  const Array keys = random::split(random::key(0), 3);
  EXPECT_EQ(random::key_data(keys.at(1).set(random::key(7)))(1).str(), "[0 7]");
  EXPECT_EQ(random::key_data(keys.at(slice(none, none, 2)).set(random::key(7)))(2).str(), "[0 7]");
}

TEST(Indexing, Errors) {
  const Array x = grid();
  EXPECT_EQ(error_class([&] { x(1, 2, 3); }), "IndexError");
  EXPECT_EQ(error_class([&] { x(ellipsis, 1, ellipsis); }), "IndexError");
  EXPECT_EQ(error_class([&] { jnp::zeros({0, 3})(0); }), "IndexError");
  EXPECT_EQ(error_class([&] { x(slice(none, none, 0)); }), "ValueError");
  EXPECT_EQ(error_class([&] { x(jnp::asarray(1.0)); }), "TypeError");
  EXPECT_EQ(error_class([&] { x(std::int64_t{1} << 40); }), "OverflowError");
  EXPECT_EQ(error_class([&] { (void)x.at(0).set(jnp::ones({5})); }), "ValueError");
  EXPECT_EQ(error_class([&] { (void)x.at(0).set(random::key(0)); }), "TypeError");
  EXPECT_EQ(error_class([&] { jit([&](const Array& i) { return x(i > 0); })(1); }), "IndexError");
  try {
    x(1, 2, 3);
  } catch (const IndexError& e) {
    EXPECT_EQ(e.message(), "Too many indices: array is 2-dimensional, but 3 were indexed");
  }
}

TEST(Indexing, Derivatives) {
  const Array x = jnp::arange(6.f);
  const auto read = [](const Array& v) { return jnp::sum(v(slice(none, none, -2)) * jnp::array({1.f, 2.f, 3.f})); };
  EXPECT_EQ(grad(read)(x).str(), "[0. 3. 0. 2. 0. 1.]");
  const auto outside = [](const Array& v) { return v(100) * 2.0; };
  EXPECT_EQ(grad(outside)(x).str(), "[0. 0. 0. 0. 0. 2.]");
  const auto dynamic = [](const Array& v, const Array& i) { return v(i) * v(i); };
  EXPECT_EQ(grad(dynamic)(x, jnp::asarray(-2)).str(), "[0. 0. 0. 0. 8. 0.]");
  const auto set = [](const Array& v, const Array& u) { return jnp::sum(jnp::square(v.at(slice(1, none, 2)).set(u))); };
  const auto [dv, du] = grad<0, 1>(set)(x, jnp::array({1.f, 2.f, 3.f}));
  EXPECT_EQ(dv.str(), "[0. 0. 4. 0. 8. 0.]");
  EXPECT_EQ(du.str(), "[2. 4. 6.]");
  const auto scaled = [](const Array& v, const Array& s) {
    return jnp::sum(v.at(slice(2, 4)).multiply(s) * jnp::arange(6.f));
  };
  const auto [dx, ds] = grad<0, 1>(scaled)(x, 3.0);
  EXPECT_EQ(dx.str(), "[0. 1. 6. 9. 4. 5.]");
  EXPECT_EQ(ds.item<float>(), 13);
  const auto placed = [](const Array& v, const Array& i) { return jnp::sum(v.at(i).add(1.0) * v); };
  EXPECT_EQ(grad(placed)(x, jnp::asarray(2)).str(), "[ 0.  2.  5.  6.  8. 10.]");
  EXPECT_EQ(hessian(read)(x).shape(), (Shape{6, 6}));
}

TEST(Indexing, BatchedAndStaged) {
  const Array x = grid();
  const auto f = [](const Array& row) { return row.at(slice(none, none, 2)).add(row(slice(1, none, 2))); };
  const Array rows = vmap(f)(x), staged = jit(vmap(f))(x);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(rows(i).str(), f(x(i)).str());
  EXPECT_EQ(rows.str(), staged.str());
  const auto g = [](const Array& v, const Array& i) { return v(i) + jnp::sum(v.at(i).set(0.0)); };
  EXPECT_EQ(jit(g)(x, 1).str(), g(x, 1).str());
  EXPECT_EQ(vmap(g, in_axes(0, none))(x, 2).str(), "[ 15.  51.  87. 123.]");
  const auto columns = vmap([](const Array& v) { return v(-1); }, in_axes(1))(x);
  EXPECT_EQ(columns.str(), x(-1).str());
}

}  // namespace
}  // namespace cotan

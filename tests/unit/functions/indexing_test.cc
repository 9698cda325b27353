// Indexing and updates against plain loops; derivatives and batching of both.
#include <gtest/gtest.h>

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
  EXPECT_EQ(error_class([&] { x(jnp::arange(2)); }), "NotImplementedError");
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

// einsum's paths, and products and reductions as a C++ program writes them.
#include <cmath>

#include "api_test.h"

namespace {

using Path = std::vector<ct::IntList>;

std::string text(const Path& path) {
  std::string s;
  for (const ct::IntList& step : path) s += step.str();
  return s;
}

TEST(EinsumPath, TakesTheCheapestOrder) {
  const Array a = jnp::ones({2, 30}), b = jnp::ones({30, 40}), c = jnp::ones({40, 5}), d = jnp::ones({5, 3});
  EXPECT_EQ(text(jnp::einsum_path("ij,jk->ik", {a, b}).path), "(0, 1)");
  EXPECT_EQ(text(jnp::einsum_path("ij->i", {a}).path), "(0,)");
  EXPECT_EQ(text(jnp::einsum_path("ij,jk,kl->il", {a, b, c}).path), "(0, 1)(0, 1)");
  EXPECT_EQ(text(jnp::einsum_path("jk,kl,ij->il", {b, c, a}).path), "(0, 2)(0, 1)");
  EXPECT_EQ(text(jnp::einsum_path("ij,jk,kl,lm->im", {a, b, c, d}).path), "(0, 1)(0, 2)(0, 1)");
  EXPECT_EQ(text(jnp::einsum_path("jk,kl,ij->il", {b, c, a}, {.optimize = false}).path), "(0, 1)(0, 1)");
  const jnp::EinsumPath p = jnp::einsum_path("ij,jk,kl->il", {a, b, c});
  EXPECT_NE(p.text.find("contraction: ij,jk,kl->il"), std::string::npos) << p.text;
  EXPECT_NE(p.text.find("in steps 5.600e+03"), std::string::npos) << p.text;  // 2 (2 30 40 + 2 40 5)
}

TEST(Einsum, OrderDoesNotChangeTheResult) {
  const Array x = jnp::arange(6).reshape({2, 3}), y = jnp::arange(12).reshape({3, 4}),
              z = jnp::arange(8).reshape({4, 2});
  const Array want = jnp::matmul(jnp::matmul(x, y), z);
  for (const jnp::EinsumOrder& order : {jnp::EinsumOrder(true), jnp::EinsumOrder(false), jnp::EinsumOrder("greedy"),
                                        jnp::EinsumOrder(Path{{1, 2}, {0, 1}})})
    EXPECT_TRUE(bool(jnp::array_equal(jnp::einsum("ij,jk,kl->il", {x, y, z}, {.optimize = order}), want)));
  EXPECT_THROW(jnp::einsum("ij,jk,kl->il", {x, y, z}, {.optimize = "fast"}), ct::ValueError);
  EXPECT_THROW(jnp::einsum("ij,jk,kl->il", {x, y, z}, {.optimize = Path{{0, 1, 2}}}), ct::NotImplementedError);
  EXPECT_THROW(jnp::einsum("ij,jk,kl->il", {x, y, z}, {.optimize = Path{{0, 1}}}), ct::ValueError);
}

TEST(Products, MessagesShowTheShapesOfOneElementOfABatch) {
  const Array x = jnp::ones({5, 3}), y = jnp::ones({5, 4});
  try {
    ct::vmap([](const Array& a, const Array& b) { return jnp::dot(a, b); })(x, y);
    FAIL();
  } catch (const ct::TypeError& e) { EXPECT_NE(e.message().find("(3,) and (4,)"), std::string::npos) << e.message(); }
}

TEST(Products, AxesOfTensordot) {
  const Array x = jnp::ones({2, 3, 4}), y = jnp::ones({4, 3, 5});
  EXPECT_EQ(jnp::tensordot(x, y, 1).shape().str(), "(2, 3, 3, 5)");
  EXPECT_EQ(jnp::tensordot(x, y, {{2, 1}, {0, 1}}).shape().str(), "(2, 5)");
  EXPECT_EQ(jnp::tensordot(x, y, {2, 0}).shape().str(), "(2, 3, 3, 5)");
}

TEST(Reductions, OptionsInCpp) {
  const Array x = jnp::array({{1., 2., 3.}, {4., 5., 6.}}), even = jnp::array({true, false, true});
  EXPECT_EQ(jnp::sum(x, 1, {.keepdims = true, .where = even}).str(), "[[ 4.]\n [10.]]");
  EXPECT_EQ(jnp::max(x, 0, {.initial = 4.5}).str(), "[4.5 5.  6. ]");
  EXPECT_EQ(jnp::var(x, 1, {.ddof = 1}).str(), "[1. 1.]");
  EXPECT_EQ(jnp::var(x, 1, {.correction = 1}).str(), "[1. 1.]");
  EXPECT_EQ(jnp::average(x, 1, {.weights = jnp::array({1., 0., 1.})}).str(), "[2. 5.]");
  EXPECT_EQ(jnp::average_returned(x).sum_of_weights.item<double>(), 6);
  EXPECT_EQ(jnp::convolve(jnp::array({1., 2., 3.}), jnp::array({1., 10.})).str(), "[ 1. 12. 23. 30.]");
  EXPECT_EQ(ct::grad([](const Array& v) { return jnp::var(v); })(jnp::ones(3)).str(), "[0. 0. 0.]");
  EXPECT_TRUE(std::isnan(ct::grad([](const Array& v) { return jnp::std(v); })(jnp::ones(3))(0).item<double>()));
}

TEST(Convolution, BlocksGiveWhatSlicesGive) {
  const Array x = jnp::sin(jnp::arange(3000.)), v = jnp::cos(jnp::arange(700.));
  const Array got = jnp::convolve(x, v, "valid");
  ASSERT_EQ(got.shape().str(), "(2301,)");
  for (std::int64_t i : {0, 1150, 2300}) {
    const Array window = jnp::flip(x(ct::slice(i, i + 700)));
    EXPECT_NEAR(got(i).item<double>(), jnp::dot(window, v).item<double>(), 2e-3);
  }
}

}  // namespace

// custom_root, custom_linear_solve, custom_vmap and sequential_vmap from C++.
#include <cmath>

#include "api/api_test.h"

namespace {

using Function = ct::Fn<Array(Array)>;

Array newton(const Function& f, const Array& start) {
  return lax::while_loop([f](const Array& x) { return jnp::abs(f(x)) > 1e-5; },
                         [f](const Array& x) {
                           const auto [y, dy] = ct::jvp(f, x, Array(1.0));
                           return x - y / dy;
                         },
                         start);
}
Array root(const Array& a) {
  return lax::custom_root([a](const Array& x) { return x * x - a; }, Array(1.0), newton,
                          [](const Function& g, const Array& y) { return y / g(1.0); });
}

TEST(CustomRoot, HasImplicitDerivatives) {
  EXPECT_NEAR(root(4.0).item<float>(), 2, 1e-4);
  EXPECT_NEAR(ct::grad(root)(4.0).item<float>(), 0.25, 1e-4);
  EXPECT_NEAR(ct::jit(ct::grad(ct::grad(root)))(4.0).item<float>(), -1.0 / 32, 1e-4);
  EXPECT_TRUE(close(ct::vmap(ct::grad(root))(jnp::array({1.f, 4.f})), jnp::array({0.5f, 0.25f}), 1e-3));
  EXPECT_THROW(lax::custom_root(
                   [](const Array& x) {
                     return jnp::stack({x, x});
                   },
                   Array(1.0), newton, [](const Function&, const Array& y) { return y; }),
               ct::ValueError);
}

TEST(CustomRoot, OfPytrees) {
  const auto f = [](const Array& a) {
    const Layer start{a * 0.0 + 1.0, a};
    return lax::custom_root(
               [a](const Layer& x) {
                 return Layer{x.w - 2.0 * a, x.b - x.w * a};
               },
               start,
               [](const ct::Fn<Layer(Layer)>& h, const Layer& x) {
                 Layer at = x;
                 for (int i = 0; i < 3; ++i) {
                   const Layer r = h(at);
                   at = {at.w - r.w, at.b - r.b};
                 }
                 return at;
               },
               [](const ct::Fn<Layer(Layer)>& g, const Layer& y) {  // lower triangular, ones on the diagonal
                 const Layer column = g(Layer{y.w, jnp::zeros_like(y.b)});
                 return Layer{y.w, y.b - column.b};
               })
        .b;
  };
  EXPECT_NEAR(f(3.0).item<float>(), 18, 1e-4);
  EXPECT_NEAR(ct::grad(f)(3.0).item<float>(), 12, 1e-3);
}

Array diagonal_solve(const Array& d, const Array& b) {
  return lax::custom_linear_solve([d](const Array& x) { return d * x; }, b,
                                  [](const Function& f, const Array& rhs) { return rhs / f(jnp::ones_like(rhs)); },
                                  {.symmetric = true});
}

TEST(CustomLinearSolve, HasDerivativesThatAreSolutions) {
  const Array d = jnp::array({2.f, 4.f}), b = jnp::array({6.f, 8.f});
  EXPECT_TRUE(close(diagonal_solve(d, b), jnp::array({3.f, 2.f})));
  const auto loss = [](const Array& x, const Array& y) { return jnp::sum(diagonal_solve(x, y)); };
  EXPECT_TRUE(close(ct::grad(loss)(d, b), jnp::array({-1.5f, -0.5f})));
  EXPECT_TRUE(close(ct::jit(ct::grad<1>(loss))(d, b), jnp::array({0.5f, 0.25f})));
  const auto general = [](const Array& m, const Array& y) {
    const auto inverse = [](const Array& a, const Array& v) {
      const Array det = a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0);
      return jnp::stack({a(1, 1) * v(0) - a(0, 1) * v(1), a(0, 0) * v(1) - a(1, 0) * v(0)}) / det;
    };
    return lax::custom_linear_solve([m](const Array& x) { return jnp::matmul(m, x); }, y,
                                    [=](const Function&, const Array& r) { return inverse(m, r); },
                                    [=](const Function&, const Array& r) { return inverse(jnp::transpose(m), r); });
  };
  const Array m = jnp::array({2.f, 1.f, 0.f, 4.f}).reshape({2, 2});
  const auto sum = [&](const Array& y) { return jnp::sum(general(m, y)); };
  EXPECT_TRUE(close(ct::grad(sum)(b), jnp::array({0.5f, 0.125f})));
}

TEST(CustomVmap, UsesTheRule) {
  const auto f = ct::custom_vmap([](const Array& x, const Array& y) { return x * y; },
                                 [](std::int64_t n, const std::vector<bool>& batched, const Array& x, const Array& y) {
                                   EXPECT_EQ(n, 3);
                                   EXPECT_EQ(batched, (std::vector<bool>{true, false}));
                                   return std::pair(100.0 * x * y, std::vector<bool>{true});
                                 });
  EXPECT_EQ(f(2.0, 3.0).item<float>(), 6);
  const Array x = jnp::arange(3.0);
  const auto axes = ct::in_axes(0, ct::none);
  EXPECT_TRUE(close(ct::vmap(f, axes)(x, 2.0), 200.0 * x));
  EXPECT_TRUE(close(ct::jit(ct::vmap(f, axes))(x, 2.0), 200.0 * x));
  const auto g = ct::sequential_vmap([](const Array& a, const Array& b) { return std::pair(a + b, a); });
  const auto [sums, firsts] = ct::vmap(g, axes)(x, 2.0);
  EXPECT_TRUE(close(sums, x + 2.0));
  EXPECT_TRUE(close(firsts, x));
}

TEST(Odeint, SolvesAndDifferentiates) {
  const ct::experimental::OdeOptions o{.rtol = 1e-5, .atol = 1e-6};
  const Array times = jnp::array({0.f, 0.5f, 2.f});
  const auto decay = [=](const Array& y0, const Array& rate) {
    return ct::experimental::odeint([rate](const Array& y, const Array&) { return -rate * y; }, y0, times, o);
  };
  EXPECT_TRUE(close(decay(1.0, 2.0), jnp::exp(-2.0 * times), 1e-4));
  const auto last = [=](const Array& y0, const Array& rate) { return decay(y0, rate)(-1); };
  EXPECT_NEAR(ct::grad<1>(last)(1.0, 0.5).item<float>(), -2 * std::exp(-1.0), 1e-3);
  const auto [dy, drate] = ct::jit(ct::grad<0, 1>(last))(1.0, 0.5);
  EXPECT_NEAR(dy.item<float>(), std::exp(-1.0), 1e-3);
  EXPECT_NEAR(drate.item<float>(), -2 * std::exp(-1.0), 1e-3);
  const Layer turn = ct::experimental::odeint(
      [](const Layer& y, const Array&) {
        return Layer{y.b, -y.w};
      },
      Layer{1.0, 0.0}, times, o);
  EXPECT_TRUE(close(turn.w, jnp::cos(times), 1e-3, 1e-3));
  EXPECT_THROW(ct::experimental::odeint(
                   [](const Array& y, const Array&) {
                     return jnp::stack({y, y});
                   },
                   Array(1.0), times, o),
               ct::ValueError);
}

}  // namespace

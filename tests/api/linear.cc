// jvp, vjp, linearize, linear_transpose.
#include "api_test.h"

namespace {

const auto f = [](const Array& x) { return jnp::stack({jnp::square(x(0)) * x(1), jnp::sin(x(2)) + x(0)}); };
const auto product = [](const Array& x, const Array& y) { return x * y; };

TEST(Jvp, Values) {
  Array at = jnp::array({1.f, 2.f, 3.f});
  Array J = ct::jacfwd(f)(at);
  auto [y, dy] = ct::jvp(f, at, jnp::ones({3}));
  EXPECT_TRUE(close(y, f(at)) && close(dy, jnp::dot(J, jnp::ones({3}))));
  auto [z, dz] = ct::jvp(product, std::tuple(2.0, 3.0), std::tuple(1.0, 10.0));
  EXPECT_TRUE(close(z, 6.0) && close(dz, 23.0));
  auto [v, dv, aux] = ct::jvp([](const Array& x) { return std::pair(x * x, x + 1.0); }, 3.0, 1.0, ct::has_aux);
  EXPECT_TRUE(close(v, 9.0) && close(dv, 6.0) && close(aux, 4.0));
  auto [s, ds] = ct::jvp([](int n, const Array& x) { return x * n; }, std::tuple(3, 2.0), std::tuple(ct::none, 1.0));
  EXPECT_TRUE(close(s, 6.0) && close(ds, 3.0));
  auto [w, dw] = ct::jvp([](auto a) { return a * a * a; }, 2.0, 1.0);
  EXPECT_TRUE(close(w, 8.0) && close(dw, 12.0) && w.weak_type() && dw.weak_type());
  Layer l{2.0, 3.0}, dl{1.0, 0.0};
  auto [out, dout] = ct::jvp([](const Layer& p) { return Layer{p.w * p.b, p.b}; }, l, dl);
  EXPECT_TRUE(close(out.w, 6.0) && close(dout.w, 3.0) && close(dout.b, 0.0));
  auto [t, dt] = ct::jvp(jnp::sum, jnp::ones({3}), jnp::ones({3}));  // parameters left out
  EXPECT_TRUE(close(t, 3.0) && close(dt, 3.0));
}

TEST(Jvp, IntegersHaveFloat0Tangents) {
  auto [y, dy] = ct::jvp([](const Array& n) { return n + 1; }, 3, jnp::zeros({}, ct::float0));
  EXPECT_TRUE(y.item<int>() == 4 && dy.dtype() == ct::float0);
}

TEST(Jvp, Errors) {
  Array x = jnp::arange(3.f);
  EXPECT_ERROR(ct::jvp(jnp::sin, x, jnp::ones({4})), ct::ValueError,
               "jvp called with different primal and tangent shapes: got primal shape (3,) and tangent shape (4,)");
  EXPECT_ERROR(ct::jvp(jnp::sin, x, jnp::arange(3)), ct::TypeError,
               "expected tangent dtype float32, but got tangent dtype int32");
  EXPECT_ERROR(ct::jvp([](const Array& n) { return n; }, 3, 3), ct::TypeError, "expected tangent dtype float0");
  using V = std::vector<Array>;
  EXPECT_ERROR(ct::jvp([](const V& v) { return v[0]; }, V{x}, V{x, x}), ct::TypeError,
               "must have the same tree structure, got different lengths of sequence at argument 0: 1 and 2");
}

TEST(Vjp, Values) {
  Array at = jnp::array({1.f, 2.f, 3.f}), ct_ = jnp::array({1.f, -1.f});
  auto [y, pullback] = ct::vjp(f, at);
  EXPECT_TRUE(close(y, f(at)) && close(pullback(ct_), jnp::dot(ct::jacrev(f)(at).T(), ct_)));
  EXPECT_TRUE(close(ct::vmap(pullback)(jnp::eye(2)), ct::jacrev(f)(at)));
  auto [z, back] = ct::vjp(product, 2.0, 3.0);
  auto [dx, dy] = back(10.0);
  EXPECT_TRUE(close(z, 6.0) && close(dx, 30.0) && close(dy, 20.0));
  auto [s, back2] = ct::vjp([](int n, const Array& x, const std::string&) { return x * n; }, 3, 2.0, "static");
  EXPECT_TRUE(close(s, 6.0) && close(back2(1.0), 3.0));  // only arguments that hold Arrays have cotangents
  auto [v, back3, aux] = ct::vjp([](const Array& x) { return std::pair(x * x, Layer{x, x + 1.0}); }, ct::has_aux, 3.0);
  EXPECT_TRUE(close(v, 9.0) && close(back3(1.0), 6.0) && close(aux.b, 4.0));
  auto [out, back4] = ct::vjp([](const Layer& p) { return Layer{p.w * p.b, p.b}; }, Layer{2.0, 3.0});
  Layer d = back4({1.0, 0.0});
  EXPECT_TRUE(close(out.w, 6.0) && close(d.w, 3.0) && close(d.b, 2.0));
  EXPECT_TRUE(close(ct::grad([](const Array& x) {
                      auto [u, b] = ct::vjp(jnp::square, x);
                      return b(1.0);
                    })(3.0),
                    2.0));
}

TEST(Vjp, Errors) {
  auto [y, pullback] = ct::vjp(jnp::sin, jnp::arange(3.f));
  EXPECT_ERROR(pullback(jnp::ones({4})), ct::ValueError, "got float32[4], but expected float32[3]");
  EXPECT_ERROR(pullback(jnp::arange(3)), ct::ValueError, "got int32[3], but expected float32[3]");
  auto [v, back] = ct::vjp([](const Array& x) { return std::vector<Array>{x, x}; }, 1.0);
  EXPECT_ERROR(back({1.0}), ct::ValueError,
               "unexpected tree structure, different lengths of sequence at tree: 2 and 1");
}

TEST(Linearize, Values) {
  Array at = jnp::array({1.f, 2.f, 3.f});
  auto [y, push] = ct::linearize(f, at);
  EXPECT_TRUE(close(y, f(at)) && close(push(jnp::ones({3})), ct::jvp(f, at, jnp::ones({3})).second));
  auto [z, push2] = ct::linearize(product, 2.0, 3.0);
  EXPECT_TRUE(close(push2(1.0, 10.0), 23.0));
  EXPECT_ERROR(push(jnp::ones({4})), ct::ValueError,
               "linearized function called on tangent values inconsistent with the original primal values: got "
               "float32[4], but expected float32[3]");
}

TEST(LinearTranspose, Values) {
  auto twice = [](const Array& x) { return jnp::stack({2.0 * x(0), 3.0 * x(1) + x(0)}); };
  auto t = ct::linear_transpose(twice, ct::abstract_array({2}));
  EXPECT_TRUE(close(t(jnp::array({1.f, 10.f})), jnp::array({12.f, 30.f})));
  EXPECT_ERROR(t(jnp::ones({3})), ct::ValueError, "got float32[3], but expected float32[2]");
  EXPECT_ERROR(ct::linear_transpose(jnp::sin, jnp::ones({2}))(jnp::ones({2})), ct::NotImplementedError, "sin");
}

}  // namespace

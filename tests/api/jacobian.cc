#include "api_test.h"

namespace {

const auto f = [](const Array& x) { return jnp::stack({jnp::square(x(0)) * x(1), jnp::sin(x(2)) + x(0)}); };
const Array at = jnp::array({1.f, 2.f, 3.f});

TEST(Jacobian, ArrayToArray) {
  Array J = ct::jacfwd(f)(at);
  EXPECT_TRUE(J.shape() == (ct::Shape{2, 3}) && close(J, ct::jacrev(f)(at)));
  EXPECT_TRUE(close(J(0), jnp::array({4.f, 1.f, 0.f})));
  Array K = ct::jacrev([](const Array& x) { return x * x; })(jnp::ones({2, 2}));
  EXPECT_TRUE(K.shape() == (ct::Shape{2, 2, 2, 2}) && K(0, 1, 0, 1).item<float>() == 2 &&
              K(0, 1, 1, 0).item<float>() == 0);
  EXPECT_TRUE(close(ct::jacfwd(jnp::sin)(1.0), 0.5403023) && close(ct::jacrev(jnp::sin)(1.0), 0.5403023));
  EXPECT_TRUE(close(ct::jit(ct::jacfwd(f))(at), J) && close(ct::jit(ct::jacrev(f))(at), J));
}

TEST(Jacobian, Trees) {
  auto affine = [](const Layer& l, const Array& x) { return l.w * x + l.b; };
  Layer l{jnp::array({2.f, 3.f}), 1.0};
  Array x = jnp::array({5.f, 6.f});
  Layer fwd = ct::jacfwd(affine)(l, x),
        rev = ct::jacrev(affine)(l, x);  // a struct of blocks, each y.shape + leaf.shape
  EXPECT_TRUE(close(fwd.w, jnp::array({{5.f, 0.f}, {0.f, 6.f}})) && close(fwd.b, jnp::ones({2})));
  EXPECT_TRUE(close(rev.w, fwd.w) && close(rev.b, fwd.b));
  auto [dl, dx] = ct::jacfwd<0, 1>(affine)(l, x);
  EXPECT_TRUE(close(dl.w, fwd.w) && close(dx, jnp::array({{2.f, 0.f}, {0.f, 3.f}})));
  Layer out = ct::jacrev([](const Array& a) { return Layer{a * a, jnp::sum(a)}; })(x);
  EXPECT_TRUE(out.w.shape() == (ct::Shape{2, 2}) && close(out.b, jnp::ones({2})));
  using V = std::vector<Array>;
  std::vector<V> blocks = ct::jacfwd([](const V& v) { return V{v[0] * v[1], v[1]}; })({2.0, 3.0});
  EXPECT_TRUE(close(blocks[0][0], 3.0) && close(blocks[0][1], 2.0) && close(blocks[1][0], 0.0) &&
              close(blocks[1][1], 1.0));
  auto [jac, aux] = ct::jacrev([](const Array& a) { return std::pair(a * a, a + 1.0); }, ct::has_aux)(3.0);
  EXPECT_TRUE(close(jac, 6.0) && close(aux, 4.0));
  auto [jac2, aux2] = ct::jacfwd([](const Array& a) { return std::pair(a * a, a + 1.0); }, ct::has_aux)(3.0);
  EXPECT_TRUE(close(jac2, 6.0) && close(aux2, 4.0));
}

TEST(Hessian, Values) {
  auto rosen = [](const Array& x) {
    Array head = x(ct::slice(ct::none, -1)), tail = x(ct::slice(1, ct::none));
    return jnp::sum(100.0 * jnp::square(tail - jnp::square(head)) + jnp::square(1.0 - head));
  };
  Array H = ct::jit(ct::hessian(rosen))(at);
  EXPECT_TRUE(close(H, jnp::array({{402.f, -400.f, 0.f}, {-400.f, 3802.f, -800.f}, {0.f, -800.f, 200.f}})));
  EXPECT_TRUE(close(ct::hessian([](const Array& x) { return x * x * x; })(1.0), 6.0));
  auto g = [](const Array& a, const Array& b) { return jnp::sum(a * a * b); };
  Array x = jnp::arange(3.f), o = jnp::ones({3});
  auto h = ct::hessian<0, 1>(g)(x, o);  // a tuple of tuples
  EXPECT_TRUE(close(std::get<0>(std::get<0>(h)), 2.0 * jnp::eye(3)) &&
              close(std::get<1>(std::get<1>(h)), jnp::zeros({3, 3})));
  EXPECT_TRUE(close(std::get<1>(std::get<0>(h)), std::get<0>(std::get<1>(h)).T()));
  auto [h2, aux] = ct::hessian([](const Array& a) { return std::pair(a * a * a, a + 1.0); }, ct::has_aux)(1.0);
  EXPECT_TRUE(close(h2, 6.0) && close(aux, 2.0));
}

TEST(Jacobian, OfAStructByItsRavel) {
  Layer l{jnp::array({2.f, 3.f}), 4.0};
  auto [v, unravel] = ct::tree::ravel(l);
  EXPECT_TRUE(v.shape() == ct::Shape{3});
  auto energy = [unravel = unravel](const Array& flat) {
    Layer p = unravel(flat);
    return jnp::sum(p.w * p.w) * p.b;
  };
  Array H = ct::hessian(energy)(v);
  EXPECT_TRUE(close(H, jnp::array({{8.f, 0.f, 4.f}, {0.f, 8.f, 6.f}, {4.f, 6.f, 0.f}})));
}

TEST(Jacobian, Errors) {
  EXPECT_ERROR(ct::jacfwd(jnp::square)(3), ct::TypeError,
               "jacfwd requires real-valued inputs (a floating dtype), but got int32 (argument 0).");
  EXPECT_ERROR(ct::jacrev(jnp::square)(3), ct::TypeError,
               "jacrev requires real- or complex-valued inputs (an inexact dtype), but got int32");
  EXPECT_ERROR(ct::jacrev([](const Array& x) { return x.astype(ct::int32); })(1.0), ct::TypeError,
               "jacrev requires real-valued outputs");
  EXPECT_TRUE(equal(ct::jacfwd([](const Array& x) { return x.astype(ct::int32); })(1.0), jnp::zeros({}, ct::int32)));
  EXPECT_TRUE(ct::jacfwd(jnp::sin)(jnp::zeros({0})).shape() == (ct::Shape{0, 0}));
  EXPECT_TRUE(ct::jacrev(jnp::sin)(jnp::zeros({0})).shape() == (ct::Shape{0, 0}));
}

}  // namespace

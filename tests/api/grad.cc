#include <cmath>

#include "api_test.h"

namespace {

Array tanh_by_hand(const Array& x) {
  Array y = jnp::exp(-2.0 * x);
  return (1.0 - y) / (1.0 + y);
}
Array abs_value(const Array& x) { return x > 0 ? x : -x; }

TEST(Grad, Scalars) {
  EXPECT_TRUE(close(ct::grad(tanh_by_hand)(1.0), 0.4199743));
  EXPECT_TRUE(close(ct::grad(ct::grad(tanh_by_hand))(1.0), -0.6397001));
  EXPECT_TRUE(close(ct::grad(ct::grad(ct::grad(tanh_by_hand)))(1.0), 0.62162673, 1e-4));
  EXPECT_EQ(ct::grad(abs_value)(-1.0).item<float>(), -1.f);  // a branch on a concrete value
  Array g = ct::grad(jnp::sin)(1.0);
  EXPECT_TRUE(g.weak_type() && g.dtype() == ct::float32);
  EXPECT_FALSE(ct::grad(jnp::sin)(jnp::array({1.f})(0)).weak_type());
}

// Constants of a derivative rule are as weak as its argument: a Python number's slope leaves float16 as it is.
TEST(Grad, WeakTypes) {
  const Array strong = jnp::array({1.5f})(0), half = jnp::ones({2}, ct::float16);
  for (auto f : {jnp::sqrt, jnp::cbrt, jnp::exp,     jnp::exp2,    jnp::expm1,   jnp::log,    jnp::log1p,
                 jnp::sin,  jnp::cos,  jnp::tan,     jnp::arcsin,  jnp::arccos,  jnp::arctan, jnp::sinh,
                 jnp::cosh, jnp::tanh, jnp::arcsinh, jnp::arccosh, jnp::arctanh, jnp::square, jnp::abs}) {
    const Array g = ct::grad(f)(1.5), h = ct::grad(ct::grad(f))(1.5);
    EXPECT_TRUE(g.weak_type() && h.weak_type() && g.dtype() == ct::float32);
    EXPECT_EQ((g * half).dtype(), ct::float16);
    EXPECT_FALSE(ct::grad(f)(strong).weak_type());
  }
  for (auto f : {lax::rsqrt, lax::logistic, lax::erf_inv, ct::nn::relu, ct::nn::sigmoid, ct::nn::silu}) {
    EXPECT_TRUE(ct::grad([f](const Array& x) { return f(x); })(0.5).weak_type());
    EXPECT_FALSE(ct::grad([f](const Array& x) { return f(x); })(strong).weak_type());
  }
  for (auto f : {jnp::maximum, jnp::minimum, jnp::arctan2, jnp::logaddexp, jnp::hypot, jnp::multiply, jnp::divide}) {
    auto [x, y] = ct::grad<0, 1>([f](const Array& a, const Array& b) { return f(a, b); })(1.5, 2.5);
    EXPECT_TRUE(x.weak_type() && y.weak_type());
    auto [u, v] = ct::grad<0, 1>([f](const Array& a, const Array& b) { return f(a, b); })(strong, strong);
    EXPECT_FALSE(u.weak_type() || v.weak_type());
  }
  EXPECT_TRUE(ct::nn::relu(3.0).weak_type() && jnp::hypot(3.0, 4.0).weak_type());
  EXPECT_FALSE(ct::nn::relu(strong).weak_type() || jnp::hypot(strong, 4.0).weak_type());
  EXPECT_TRUE(ct::grad([](const Array& x) { return lax::integer_pow(x, 3); })(1.5).weak_type());
}

TEST(Grad, InverseHyperbolicAtTheirEnds) {
  const auto acosh1 = ct::grad(jnp::arccosh), acosh2 = ct::grad(ct::grad(jnp::arccosh));
  EXPECT_EQ(acosh1(1.0).item<float>(), INFINITY);
  EXPECT_EQ(acosh2(1.0).item<float>(), -INFINITY);
  EXPECT_TRUE(close(acosh1(1 + 0x1p-20), 724.077172, 1e-6));  // 1 / sqrt(x - 1) / sqrt(x + 1)
  EXPECT_TRUE(close(acosh2(1 + 0x1p-20), -3.79625153e8, 1e-6));
  EXPECT_TRUE(close(acosh1(2.0), 0.577350269, 1e-6) && close(acosh2(2.0), -0.384900179, 1e-6));
  EXPECT_TRUE(close(acosh1(1e20), 1e-20, 1e-6, 0) && close(acosh1(INFINITY), 0.0) && close(acosh2(INFINITY), 0.0));
  const auto atanh1 = ct::grad(jnp::arctanh), atanh2 = ct::grad(ct::grad(jnp::arctanh));
  EXPECT_TRUE(close(atanh1(0.5), 1.33333333, 1e-6) && close(atanh2(0.5), 1.77777778, 1e-6));
  EXPECT_EQ(atanh1(1.0).item<float>(), INFINITY);
  for (double x : {HUGE_VAL, -HUGE_VAL, 1e30}) EXPECT_TRUE(equal(atanh1(x), 0.0) && equal(atanh2(x), 0.0)) << x;
}

TEST(Grad, UnusedArgumentsGiveZeros) {
  Array g = ct::grad([](const Array& x) {
    (void)x;
    return Array(3.0);
  })(jnp::array({1.f, 2.f})(0));
  EXPECT_TRUE(equal(g, jnp::zeros({})));
  struct Two {
    Array a, b;
  };
  Two d = ct::grad([](const Two& t) { return jnp::sum(t.a); })({jnp::ones({3}), jnp::ones({2, 2})});
  EXPECT_TRUE(equal(d.a, jnp::ones({3})) && equal(d.b, jnp::zeros({2, 2})));
}

TEST(Grad, Trees) {
  Net net{{{jnp::ones({3}), 0.0}}, std::nullopt, 2, "net"};
  Array at = jnp::array({1.f, 2.f, 3.f});
  auto energy = [](const Net& n, const Array& x) { return jnp::sum(n.layers[0].w * x) * n.depth + n.layers[0].b; };
  Net d = ct::grad(energy)(net, at);
  EXPECT_TRUE(d.depth == 2 && d.name == "net" && !d.scale);
  EXPECT_TRUE(close(d.layers[0].w, 2.0 * at) && close(d.layers[0].b, 1.0));
  auto [dw, dx] = ct::grad<0, 1>(energy)(net, at);
  EXPECT_TRUE(close(dx, 2.0 * net.layers[0].w) && close(dw.layers[0].b, 1.0));
  auto [only] = std::tuple(ct::grad<1>(energy)(net, at));
  EXPECT_TRUE(close(only, dx));
  using Map = std::map<std::string, std::array<Array, 2>>;
  Map m = ct::grad([](const Map& p) { return p.at("a")[0] * p.at("b")[1]; })({{"a", {2.0, 3.0}}, {"b", {4.0, 5.0}}});
  EXPECT_TRUE(close(m["a"][0], 5.0) && close(m["b"][1], 2.0) && close(m["a"][1], 0.0));
}

TEST(Grad, ValueAndAux) {
  auto [v, g] = ct::value_and_grad(jnp::square)(3.0);
  EXPECT_TRUE(close(v, 9.0) && close(g, 6.0));
  auto with_aux = [](const Array& x) { return std::pair(x * x, std::vector<Array>{x + 1.0}); };
  auto [slope, aux] = ct::grad(with_aux, ct::has_aux)(3.0);
  EXPECT_TRUE(close(slope, 6.0) && close(aux.at(0), 4.0));
  auto [both, slope2] = ct::value_and_grad(with_aux, ct::has_aux)(3.0);
  EXPECT_TRUE(close(both.first, 9.0) && close(both.second.at(0), 4.0) && close(slope2, 6.0));
  auto static_aux = [](const Array& x) { return std::pair(x * x, std::string("seen")); };
  EXPECT_EQ(ct::grad(static_aux, ct::has_aux)(3.0).second, "seen");
  auto [g2, aux2] = ct::grad(ct::grad(with_aux, ct::has_aux), ct::has_aux)(3.0);
  EXPECT_TRUE(close(g2, 2.0) && close(aux2.at(0), 4.0));
  auto [values, pair] = ct::value_and_grad<0, 1>([](const Array& x, const Array& y) { return x * y; })(2.0, 3.0);
  EXPECT_TRUE(close(values, 6.0) && close(std::get<0>(pair), 3.0) && close(std::get<1>(pair), 2.0));
}

TEST(Grad, Errors) {
  Array x = jnp::arange(3.f);
  EXPECT_ERROR(ct::grad([](const Array& a) { return a; })(x), ct::TypeError,
               "Gradient only defined for scalar-output functions. Output had shape: (3,).");
  EXPECT_ERROR(ct::grad(jnp::square)(3), ct::TypeError,
               "grad requires real- or complex-valued inputs (an inexact dtype), but got int32 (argument 0).");
  EXPECT_ERROR(ct::grad(jnp::square)(true), ct::TypeError, "but got bool (argument 0)");
  EXPECT_ERROR(ct::grad([](const std::vector<Layer>& p) { return p[0].w; })({{1.0, 2}}), ct::TypeError,
               "but got int32 (argument 0[0].b)");
  EXPECT_ERROR(ct::grad([](const Array& a) { return a.astype(ct::int32); })(1.0), ct::TypeError,
               "grad requires real-valued outputs (a floating dtype), but got int32.");
  EXPECT_ERROR(ct::grad(jnp::square, {.holomorphic = true})(1.0), ct::TypeError,
               "grad with holomorphic=True requires inputs with complex dtype, but got float32");
  std::vector<Layer> missing(1);
  EXPECT_ERROR(ct::grad([](const std::vector<Layer>& p) { return p[0].w; })(missing), ct::ValueError,
               "argument 0[0].w was never given a value");
  EXPECT_ERROR(ct::grad([](const Array&) { return Array(); })(1.0), ct::ValueError, "was never given a value");
}

TEST(Grad, IntegersAllowed) {
  auto f = [](const Array& n, const Array& x) { return n * x; };
  auto [dn, dx] = ct::grad<0, 1>(f, {.allow_int = true})(3, 2.0);
  EXPECT_TRUE(dn.dtype() == ct::float0 && dn.shape() == ct::Shape{} && close(dx, 3.0));
}

TEST(Grad, OfWhatItThrowsNothingIsLeft) {
  EXPECT_THROW(ct::grad([](const Array&) -> Array { throw 7; })(1.0), int);
  EXPECT_TRUE(close(ct::grad(jnp::square)(3.0), 6.0));
}

TEST(Grad, EscapedTracer) {
  Array kept;
  ct::grad([&](const Array& x) {
    kept = x;
    return x * x;
  })(1.0);
  EXPECT_ERROR(kept + 1.0, ct::UnexpectedTracerError, "unexpected tracer");
}

}  // namespace

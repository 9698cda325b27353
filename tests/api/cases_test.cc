// Cases about derivatives and batches.
#include "cases.h"

namespace {

using cases::expect;
using cases::expect_int;
using cases::inf;
using cases::nan;

TEST(Cases, MinimumTieProduct) {
  auto f = [](const Array& x, const Array& y) { return jnp::sum(jnp::minimum(x, y) * x); };
  auto [dx, dy] = ct::grad<0, 1>(f)(jnp::ones(2), jnp::ones(2));
  expect(dx, 2, {1.5, 1.5});
  expect(dy, 2, {.5, .5});
  auto g = [](const Array& x) { return jnp::sum(jnp::clip(x, 0., 1.)); };
  expect(ct::grad(g)(jnp::array({0., 1., 2., .5})), 4, {.5, .5, 0, 1});
}

TEST(Cases, MeanDotZeroTerm) {
  const Array w = jnp::array({1., 2., 3.}), ys = jnp::ones({200000, 3}), x = jnp::full(3, 2.);
  auto fun = [w](const Array& a, const Array& y) {
    const Array d = y - a;
    return jnp::dot(d, w) + jnp::dot(jnp::dot(d, jnp::zeros({3, 3})), d);
  };
  auto g = ct::grad([=](const Array& a) { return jnp::mean(ct::vmap([=](const Array& y) { return fun(a, y); })(ys)); });
  expect(ct::jit(g)(x), 3, {-1, -2, -3}, 1e-3);
  expect(g(x), 3, {-1, -2, -3}, 1e-3);
}

TEST(Cases, DoubleWhereSqrt) {
  auto f = [](const Array& x) { return jnp::sum(jnp::where(x > 0, jnp::sqrt(x), 0.)); };
  auto g = [](const Array& x) { return jnp::sum(jnp::where(x > 0, jnp::sqrt(jnp::where(x > 0, x, 1.)), 0.)); };
  const Array x = jnp::array({4., 0.});
  expect(ct::grad(f)(x), 2, {.25, nan});
  expect(ct::grad(g)(x), 2, {.25, 0});
  expect(ct::jit(ct::grad(f))(x), 2, {.25, nan});
}

TEST(Cases, PowArangeAtZero) {
  expect(ct::grad([](const Array& x) { return jnp::sum(jnp::power(x, jnp::arange(3))); })(0.), 1);
  expect(ct::grad([](const Array& x) { return jnp::sum(jnp::power(x, jnp::array({0., 1., 2.}))); })(0.), nan);
}

TEST(Cases, PowSecondDerivs) {
  auto [a, b] = ct::jacfwd<0, 1>(ct::jacfwd<0, 1>(lax::pow))(2., 0.);
  expect(std::get<0>(a), 0);
  expect(std::get<1>(a), .5);
  expect(std::get<0>(b), .5);
  expect(std::get<1>(b), 0.4804530143737793);
  expect(ct::grad(lax::pow)(0., 0.), nan);
}

TEST(Cases, PowJacrevScalarIntExp) {
  expect(ct::jacrev(ct::jit(lax::pow))(lax::iota(ct::float32, 4), 2), {4, 4},
         {0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 4, 0, 0, 0, 0, 6});
}

TEST(Cases, ComplexPowGradInf) {
  auto f = [](const Array& x) { return jnp::real(jnp::power(x, 1.)); };
  expect(ct::grad(f)(Array(std::complex<float>(float(inf), 0))), ct::complex64, {}, {1, 0});
}

TEST(Cases, SquaredNormAtZero) {  // the norm written out
  auto norm = [](const Array& x) { return jnp::sqrt(jnp::sum(x * x)); };
  auto squared = [norm](const Array& x) { return jnp::power(norm(x), 2); };
  expect(ct::grad(squared)(jnp::zeros(2)), 2, {nan, nan});
  expect(ct::grad([](const Array& x) { return jnp::sum(jnp::power(x, 2)); })(jnp::zeros(2)), 2, {0, 0});
  expect(ct::grad([](const Array& x) { return jnp::sum(jnp::abs(x)); })(jnp::array({0., -2., 3.})), 3, {1, -1, 1});
}

TEST(Cases, AbsSignAtZero) {
  expect(ct::grad(jnp::abs)(0.), 1);
  expect(ct::grad(jnp::abs)(std::complex<double>(0, 0)), ct::complex64, {}, {0, 0});
  expect(ct::grad(jnp::abs)(-0.), 1);
  expect(jnp::sign(0.), 0);
}

TEST(Cases, ComplexAbsConvention) {
  const std::complex<double> z(1, .5);
  auto g = [](const Array& a) { return jnp::sqrt(jnp::power(jnp::real(a), 2) + jnp::power(jnp::imag(a), 2)); };
  expect(ct::grad(jnp::abs)(z), ct::complex64, {}, {0.8944271802902222, -0.4472135901451111});
  expect(ct::grad(g)(z), ct::complex64, {}, {0.8944271802902222, -0.4472135901451111});
  expect(ct::grad([](const Array& a) { return jnp::real(a * a); })(std::complex<double>(1, 2)), ct::complex64, {},
         {2, 4});
}

TEST(Cases, JacrevNonholomorphic) {
  using C = std::complex<float>;
  const Array zs = jnp::array({C(1, -1), C(.5f, 2)});
  auto f = [](const Array& z) { return jnp::sin(jnp::sum(jnp::power(jnp::abs(z), 2)) / 4); };
  const std::vector<double> want = {0.004148115869611502, 0.004148115869611502, 0.002074057934805751,
                                    -0.008296231739223003};
  // cos near pi/2: one unit in the last place of the sum is 1.2e-5 of the result.
  expect(ct::grad(f)(zs), ct::complex64, 2, want, 5e-5);
  expect(ct::jacrev(f)(zs), ct::complex64, 2, want, 5e-5);
}

TEST(Cases, TanhLogsigSaturation) {  // log_sigmoid written out
  expect(ct::grad(jnp::tanh)(100.), 0);
  expect(ct::grad(jnp::tanh)(-1e30), 0);
  expect(ct::grad([](const Array& x) { return -ct::nn::softplus(-x); })(0.), .5);
  expect(ct::grad(ct::nn::softplus)(-200.), 0);
  expect(ct::grad(ct::nn::sigmoid)(500.), 0);
}

TEST(Cases, LogaddexpCorners) {
  auto g = ct::grad<0, 1>(jnp::logaddexp);
  auto both = [&](double a, double b, double da, double db) {
    auto [x, y] = g(a, b);
    expect(x, da);
    expect(y, db);
  };
  both(0, 0, .5, .5);
  both(-inf, 0, 0, 1);
  both(-inf, -inf, nan, nan);
  both(inf, inf, 1, 1);
  expect(jnp::logaddexp(inf, -inf), inf);
}

TEST(Cases, ReciprocalFifthDerivative) {
  auto f = [](const Array& x) { return 1 / x; };
  expect(ct::grad(ct::grad(ct::grad(ct::grad(ct::grad(f)))))(jnp::asarray(2.)), -1.875);
}

TEST(Cases, CumprodProdZeros) {  // prod
  auto g = ct::grad([](const Array& x) { return jnp::prod(x); });
  expect(g(jnp::array({2., 0., 3., 4.})), 4, {0, 24, 0, 0});
  expect(g(jnp::array({0., 0., 3.})), 3, {0, 0, 0});
  expect(ct::grad([](const Array& x) { return jnp::sum(jnp::prod(x, 0)); })(jnp::zeros({0, 3})), {0, 3}, {});
}

TEST(Cases, MaxTiesReduce) {  // max, maximum, relu
  expect(ct::grad([](const Array& x) { return jnp::max(x); })(jnp::array({1., 3., 3., 0.})), 4, {0, .5, .5, 0});
  expect(ct::grad([](const Array& x) { return jnp::maximum(x, 1.); })(1.), .5);
  expect(ct::grad(ct::nn::relu)(0.), 0);
}

TEST(Cases, NanmeanSquareGrad) {  // the mean of what is not NaN, written out
  auto nanmean = [](const Array& x) {
    const Array keep = jnp::logical_not(jnp::isnan(x));
    return jnp::sum(jnp::where(keep, x, 0.)) / jnp::sum(keep);
  };
  const Array x = jnp::array({nan, 1., 3., 8.});
  expect(ct::grad(nanmean)(x), 4, {0, 0.3333333432674408, 0.3333333432674408, 0.3333333432674408});
  expect(ct::grad([=](const Array& v) { return nanmean(jnp::power(v, 2)); })(x), 4,
         {nan, 0.6666666865348816, 2, 5.333333492279053});
}

TEST(Cases, LogsumexpBZero) {  // without weights
  expect(ct::nn::logsumexp(jnp::array({1., inf})), inf);
  expect(ct::nn::logsumexp(jnp::array({-inf, -inf})), -inf);
}

TEST(Cases, GradOobDynamicIndex) {  // dynamic_index_in_dim written out
  const Array x = jnp::arange(25.).reshape({5, 5});
  auto f = [](const Array& a) { return jnp::sum(lax::dynamic_slice(a, {-8, 0}, {1, 5})); };
  expect(f(x), 10);
  expect(ct::value_and_grad(f)(x).first, 10);
}

TEST(Cases, BroadcastInDimTranspose) {
  auto f = [](const Array& x) {
    return jnp::sum(lax::broadcast_in_dim(x, {2, 3, 4}, {0, 1, 2}) * jnp::arange(24.).reshape({2, 3, 4}));
  };
  expect(ct::grad(f)(jnp::ones({1, 3, 1})), {1, 3, 1}, {60, 92, 124});
}

// Batching over start indices waits for gather and scatter.
TEST(Cases, DusVmapClamp) {
  auto f = [](const Array& x, const Array& u, const Array& i) { return lax::dynamic_update_slice(x, u, {i}); };
  expect_int(ct::vmap(f, ct::in_axes(ct::none, ct::none, 0))(jnp::arange(5), jnp::arange(6, 9), jnp::arange(6)), {6, 5},
             {6, 7, 8, 3, 4, 0, 6, 7, 8, 4, 0, 1, 6, 7, 8, 0, 1, 6, 7, 8, 0, 1, 6, 7, 8, 0, 1, 6, 7, 8});
}

TEST(Cases, VmapSplitMultiOut) {  // split written out
  auto f = [](const Array& x) { return std::tuple(x(ct::slice(0, 1)), x(ct::slice(1, 3)), x(ct::slice(3, ct::none))); };
  auto [a, b, c] = ct::vmap(f, 1, {.out_axes = {0, 1, -1}})(jnp::arange(10.).reshape({5, 2}));
  expect(a, {2, 1}, {0, 1});
  expect(b, {2, 2}, {2, 3, 4, 5});
  expect(c, {2, 2}, {6, 7, 8, 9});
}

TEST(Cases, VmapInAxesIndex) {  // static indices
  const Array x = jnp::arange(12).reshape({4, 3});
  expect_int(ct::vmap([](const Array& v) { return v(2); }, 1)(x), 3, {6, 7, 8});
  auto f = [](const Array& a, const Array& b) { return std::pair(2 * a, b(1)); };
  auto [a, b] = ct::vmap(f)(jnp::arange(2), jnp::arange(4).reshape({2, 2}));
  expect_int(a, 2, {0, 2});
  expect_int(b, 2, {1, 3});
}

}  // namespace

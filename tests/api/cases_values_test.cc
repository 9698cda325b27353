// Cases about values, types and jit.
#include <memory>

#include "cases.h"

namespace {

using cases::expect;
using cases::expect_int;
using cases::inf;
using cases::nan;

Array i8(int v) { return Array(v).astype(ct::int8); }
Array i32(std::int64_t v) { return jnp::asarray(v); }

TEST(Cases, IntDivisionSemantics) {
  const Array a = jnp::array({-7, 7, -7, 7}), c = jnp::array({2, 2, -2, -2});
  expect_int(jnp::floor_divide(a, c), 4, {-4, 3, 3, -4});
  expect_int(a % c, 4, {1, 1, -1, -1});
  expect_int(lax::div(a, c), 4, {-3, 3, 3, -3});
  expect_int(lax::rem(a, c), 4, {-1, 1, -1, 1});
  expect_int(jnp::fmod(a, c), 4, {-1, 1, -1, 1});
  auto f = [](const Array& x, const Array& y) { return std::pair(jnp::floor_divide(x, y), x % y); };
  auto [q, r] = ct::jit(f)(i32(-2147483648LL), i32(-1));
  expect_int(q, {}, {-2147483648.});
  expect_int(r, {}, {0});
  expect(jnp::floor_divide(i8(120), i8(-27)), ct::int8, {}, {-5});
  expect(jnp::remainder(i8(120), i8(-27)), ct::int8, {}, {-15});
}

TEST(Cases, IntDivByZero) {
  const Array z = jnp::zeros(3, ct::int32), n = jnp::array({0, 5, -5});
  expect_int(lax::div(n, z), 3, {-1, -1, -1});
  expect_int(lax::rem(n, z), 3, {0, 5, -5});
  expect_int(jnp::floor_divide(n, z), 3, {-1, -2, -2});
  expect_int(n % z, 3, {0, 0, 0});
  expect(jnp::floor_divide(jnp::array({5u}), Array(0).astype(ct::uint32)), ct::uint32, 1, {4294967295.});
}

TEST(Cases, FloatDivmodZero) {
  const Array x = jnp::arange(-2., 3.);
  expect(jnp::floor_divide(x, 0.), 5, {-inf, -inf, nan, inf, inf});
  expect(jnp::remainder(x, 0.), 5, {nan, nan, nan, nan, nan});
  expect(jnp::remainder(jnp::array({5., -5., inf}), jnp::array({-3., inf, 2.})), 3, {-1, inf, nan});
}

TEST(Cases, IntegerPowOverflow) {
  expect_int(jnp::power(i32(2), i32(31)), {}, {-2147483648.});
  expect(jnp::power(i8(3), 5), ct::int8, {}, {-13});
  expect(jnp::power(Array(2).astype(ct::uint8), Array(9).astype(ct::uint8)), ct::uint8, {}, {0});
  expect_int(jnp::power(i32(3), jnp::array({0, 1, 20, 21})), 4, {1, 3, -808182895., 1870418611.});
  expect_int(jnp::power(i32(-2), i32(31)), {}, {-2147483648.});
}

TEST(Cases, NarrowSumDtypes) {
  EXPECT_EQ(jnp::sum(jnp::arange(4).astype(ct::int8)).dtype(), ct::int32);
  expect_int(jnp::sum(jnp::full(200, 100, ct::int8)), {}, {20000});
  const Array m = jnp::ones(300, ct::bool_);
  expect_int(ct::jit([m] { return jnp::sum(m); })(), {}, {300});
  expect(jnp::mean(jnp::full(300, 200, ct::uint8)), 200);
  expect_int(jnp::prod(jnp::full(3, 100, ct::int8)), {}, {1000000});
}

TEST(Cases, PromotionLattice) {
  ct::enable_x64 x64;
  auto p = [](ct::DType a, ct::DType b) { return (jnp::zeros(1, a) + jnp::zeros(1, b)).dtype(); };
  EXPECT_EQ(p(ct::int64, ct::float16), ct::float16);
  EXPECT_EQ(p(ct::bfloat16, ct::float16), ct::float32);
  EXPECT_EQ(p(ct::uint64, ct::int64), ct::float64);
  ct::enable_x64 x32(false);
  EXPECT_EQ(p(ct::uint32, ct::int8), ct::int32);
  EXPECT_EQ((jnp::zeros(1, ct::complex64) + 1.0).dtype(), ct::complex64);
  expect(Array(200).astype(ct::uint8) + 100, ct::uint8, {}, {44});
  EXPECT_EQ((i32(1) + 1.5).dtype(), ct::float32);
  EXPECT_EQ((Array(1).astype(ct::bfloat16) * jnp::arange(2)).dtype(), ct::bfloat16);
  EXPECT_EQ((jnp::array({1, 2}).astype(ct::int8) * 1.).dtype(), ct::float32);
}

TEST(Cases, ScatterCastValues) {
  const Array a = jnp::zeros(1, ct::uint32);
  expect(a.at(0).set(jnp::array({4294967295u})(0)), ct::uint32, 1, {4294967295.});
  EXPECT_THROW(a.at(0).set(4294967295u), ct::OverflowError);  // a plain C++ number must fit int32
  expect(jnp::zeros(2, ct::int8).at(0).set(300.7), ct::int8, 2, {127, 0});
  expect(jnp::zeros(2, ct::float16).at(1).add(jnp::asarray(1e-4)), ct::float16, 2, {0, 0.00010001659393310547});
}

TEST(Cases, InplaceAlias) {
  auto f = [](const Array& x) { return x.at(ct::slice(1, ct::none)).set(1 + x(ct::slice(-1))); };
  auto g = [](const Array& x) { return x.at(0).set(jnp::roll(x(0), 2)); };
  const Array x = jnp::arange(12.).reshape({2, 6});
  expect(ct::jit(f)(jnp::zeros(6)), 6, {0, 1, 1, 1, 1, 1});
  expect(ct::jit(g)(x)(0), 6, {4, 5, 0, 1, 2, 3});
}

TEST(Cases, ArgmaxNanMedianInf) {  // argmax, argmin, max, maximum
  expect_int(jnp::argmax(jnp::array({0., 1., nan, nan})), {}, {2});
  expect_int(jnp::argmin(jnp::array({nan, 0.})), {}, {0});
  expect(jnp::max(jnp::array({1., nan})), nan);
  expect(jnp::maximum(nan, 1.), nan);
}

TEST(Cases, ArgmaxDenormal) {
  const double tiny = 1.401298464324817e-45;
  const Array v = jnp::array({-1., -0., tiny});
  expect_int(jnp::argmax(v), {}, {2});
  expect(v(2) == 0, ct::bool_, {}, {0});
  EXPECT_EQ((v(2) * 1.).item<float>(), float(tiny));
}

TEST(Cases, RoundLdexpHeaviside) {  // rint, sign, expm1, log1p
  expect(jnp::rint(jnp::array({.5, 1.5, 2.5, -.5})), 4, {0, 2, 2, -0.});
  expect(jnp::sign(nan), nan);
  EXPECT_FLOAT_EQ(jnp::expm1(1e-10).item<float>(), 1.000000013351432e-10f);
  expect(jnp::log1p(-1.), -inf);
}

TEST(Cases, RandintUniformUint8) {
  const Array k = ct::random::key(0), d = ct::random::randint(k, 200000, 0, 100, ct::uint8);
  const Array below = jnp::sum(d < 56) / 56., above = jnp::sum(d >= 56) / 44.;
  EXPECT_LT((below / above).item<double>(), 1.05);
  const Array r = ct::random::randint(k, 20000, 0, 256, ct::uint8);
  expect(jnp::max(r), ct::uint8, {}, {255});
  expect(jnp::min(r), ct::uint8, {}, {0});
  expect_int(ct::random::randint(k, 3, 5, 5), 3, {5, 5, 5});
  EXPECT_EQ(ct::random::randint(k, 3, -128, 128, ct::int8).dtype(), ct::int8);
}

TEST(Cases, RandintExclusiveJit) {
  auto t = ct::jit([] {
    const Array m = 32 - jnp::argmax(jnp::ones({8, 32}) == 1, -1) - 1;
    return std::pair(m, ct::random::randint(ct::random::key(0), 8, 0, m));
  });
  auto [m, r] = t();
  expect_int(m(0), {}, {31});
  EXPECT_TRUE(bool(jnp::all(r < m)));
}

TEST(Cases, JitStaticOrderCache) {
  auto f = [](const Array& a, const Array& b, const Array& c) { return a + 10 * b + 100 * c; };
  auto first_two = [f](int a, int b, const Array& c) { return f(a, b, c); };
  auto last = [f](const Array& a, const Array& b, int c) { return f(a, b, c); };
  EXPECT_EQ(ct::jit(first_two)(1, 2, 3).item<int>(), 321);
  EXPECT_EQ(ct::jit(last)(1, 2, 3).item<int>(), 321);
  EXPECT_EQ(ct::jit(f)(1, 2, 3).item<int>(), 321);
  auto none = ct::jit([](const Array&) { return std::vector<Array>{}; });
  auto two = ct::jit([](const Array& x) { return std::vector<Array>{x, x}; });
  auto outer_two = ct::jit([two](const Array& x) { return two(x); });
  auto outer_none = ct::jit([none](const Array& x) { return none(x); });
  EXPECT_EQ(outer_none(8).size(), 0u);
  ASSERT_EQ(outer_two(3).size(), 2u);
  for (const Array& x : outer_two(3)) expect_int(x, {}, {3});
}

struct Opt {
  int k;
};
TEST(Cases, StaticMutableAndUnhashable) {  // a type without a key is a compile-time error
  auto f = ct::jit([](const Opt& o, const Array& y) { return y * o.k; });
  EXPECT_EQ(f(Opt{3}, 7).item<int>(), 21);
  EXPECT_EQ(f(Opt{4}, 7).item<int>(), 28);
  EXPECT_EQ(f(Opt{3}, 7).item<int>(), 21);
  EXPECT_EQ(f.cache_size(), 2);
}

TEST(Cases, JitConstCaptureRebind) {
  auto c = std::make_shared<double>(1.);
  auto f = ct::jit([c](const Array& x) { return x + *c; });
  expect(f(1.), 2);
  *c = 5;
  expect(f(1.), 2);
  expect(f(jnp::ones(2)), 2, {6, 6});
  expect(f(1), 6);
}

TEST(Cases, WeakTypeVmap) {
  EXPECT_EQ(ct::vmap([](const Array& v) { return v * 1.5; })(jnp::ravel(1)).dtype(), ct::float32);
  const Array half = Array(2).astype(ct::float16);
  EXPECT_EQ((half * jnp::asarray(1.5)).dtype(), ct::float16);
  EXPECT_EQ((half * Array(1.5)).dtype(), ct::float16);
  EXPECT_EQ(ct::vmap([half](const Array& v) { return v * half; })(jnp::array({1.5})).dtype(), ct::float32);
  EXPECT_EQ(jnp::where(true, 1, 2.5).dtype(), ct::float32);
}

TEST(Cases, GradConjSymbolicZeros) {
  auto inner = ct::jit([](const Array& x, const Array& y) { return std::pair(x, y); });
  expect(ct::grad([inner](const Array& x) { return inner(x, lax::conj(x)).first; })(3.), 1);
  auto g = ct::jit([](const Array& x) { return std::pair(2 * x, x > 0); });
  expect(ct::linear_transpose([g](const Array& x) { return g(x).first; }, 1.)(1.), 2);
}

TEST(Cases, PmapPsumGrad) {  // with vmap
  auto loss = [](const Array& w, const Array& d) { return lax::psum((jnp::power(w, 3) + 2) * d, "b"); };
  expect(ct::vmap(ct::grad(loss), ct::in_axes(ct::none, 0), {.axis_name = "b"})(2., jnp::arange(2.)), 2, {0, 24});
  expect_int(ct::vmap([](const Array& x) { return lax::psum(x, "i"); }, {.axis_name = "i"})(jnp::array({true, true})),
             2, {2, 2});
}

TEST(Cases, EinsumDotCorners) {  // dot and dot_general
  expect(ct::hessian([](const Array& x) { return lax::dot_general(x, x, {}); })(1.), 2);
  expect(jnp::dot(jnp::zeros({2, 0}), jnp::zeros({0, 3})), {2, 3}, {0, 0, 0, 0, 0, 0});
  const Array c = jnp::arange(3).astype(ct::complex64);
  expect(ct::grad([c](const Array& x) { return jnp::real(jnp::dot(x, c)); })(jnp::arange(3.)), 3, {0, 1, 2});
}

}  // namespace

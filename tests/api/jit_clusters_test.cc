// Neighbouring elementwise equations of a jitted program run as one kernel: the bits are those of the operations one by one.
#include <cstring>

#include "api_test.h"
#include "same_bits.h"

namespace {

using cotan::same_bits;
using F = std::vector<Array> (*)(const Array&, const Array&);

void expect_as_eager(F f, const Array& x, const Array& y) {
  const std::vector<Array> want = f(x, y), got = ct::jit(f)(x, y);
  ASSERT_EQ(want.size(), got.size());
  for (std::size_t i = 0; i < want.size(); ++i)
    EXPECT_TRUE(same_bits(want[i], got[i])) << i << ": " << want[i].repr() << " and " << got[i].repr();
}

std::vector<Array> chain(const Array& x, const Array& y) { return {jnp::tanh(x * y + x) - y / (x + 2)}; }
std::vector<Array> several_results(const Array& x, const Array& y) {
  const Array a = x + y, b = a * a, c = jnp::where(a > 0, b, y);
  return {c, a, b > y, b};
}
std::vector<Array> constants(const Array& x, const Array&) {
  return {jnp::where(x > 0, 1, x * 0), jnp::full_like(x, 3) + x};
}
std::vector<Array> long_chain(const Array& x, const Array& y) {
  Array r = x;
  for (int i = 0; i < 100; ++i) r = r * 0.5 + y;
  return {r};
}
std::vector<Array> conversions(const Array& x, const Array& y) {
  return {(x.astype(ct::int32) + 1).astype(ct::float16) * y.astype(ct::float16), (x != 0).astype(ct::int8)};
}
std::vector<Array> views(const Array& x, const Array& y) {
  const Array flat = jnp::ravel(x), doubled = flat + flat, again = jnp::reshape(doubled, x.shape());
  return {again, jnp::ravel(again) - jnp::ravel(y), jnp::reshape(jnp::ravel(y), y.shape()),
          jnp::ravel(jnp::ravel(x) * 2)};
}
std::vector<Array> reductions(const Array& x, const Array& y) {
  const Array a = jnp::exp(x - jnp::max(x, -1, {.keepdims = true}));
  return {a / jnp::sum(a, -1, {.keepdims = true}), jnp::sum(a * y)};
}

constexpr F all[] = {chain, several_results, constants, long_chain, conversions, views, reductions};

TEST(JitClusters, BitsOfEagerOperations) {
  const Array x = jnp::reshape(jnp::linspace(-3, 3, 5000), {50, 100}), y = jnp::sin(x * 1e3);
  for (F f : all)
    for (ct::DType d : {ct::float32, ct::bfloat16, ct::float16, ct::int32})
      expect_as_eager(f, x.astype(d), y.astype(d));
  const Array corners = jnp::array({0., -0., INFINITY, -INFINITY, NAN, 1e-40, -1e38, 1.});
  for (F f : all) expect_as_eager(f, corners, corners(ct::slice(ct::none, ct::none, -1)));
}

TEST(JitClusters, EmptyAndSingle) {
  for (F f : {chain, several_results, constants, long_chain, conversions}) {
    expect_as_eager(f, jnp::zeros({0, 3}), jnp::ones({0, 3}));
    expect_as_eager(f, 2., 3.);
  }
}

TEST(JitClusters, Complex) {
  const Array x = lax::complex(jnp::linspace(-2, 2, 999), jnp::linspace(1, 3, 999));
  auto f = [](const Array& a) { return jnp::real(jnp::conj(a) * a + a) - jnp::imag(a * a); };
  EXPECT_TRUE(same_bits(f(x), ct::jit(f)(x)));
}

TEST(JitClusters, Keys) {
  auto f = [](const Array& key) {
    return ct::random::uniform(jnp::ravel(ct::random::split(key, 2))(1), {100}) * 2 - 1;
  };
  EXPECT_TRUE(same_bits(f(ct::random::key(3)), ct::jit(f)(ct::random::key(3))));
}

TEST(JitClusters, PositionsFromTheEnd) {
  const Array x = jnp::arange(10.);
  auto f = [](const Array& a, const Array& i) { return a(i) + jnp::sum(a.at(i).add(1.)); };
  for (const Array& i : {jnp::array({3, -1, 20, -20}), jnp::array({3, 9, 0, 0}).astype(ct::int8), jnp::asarray(-1)})
    EXPECT_TRUE(same_bits(f(x, i), ct::jit(f)(x, i)));
}

}  // namespace

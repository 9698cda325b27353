// Arrays as values: numbers in and out, operators, and the errors of conversions.
#include <gtest/gtest.h>

#include "unit/functions/golden_support.h"

namespace cotan {
namespace {

namespace jnp = numpy;
using golden::error_class;

template <class E, class F> std::string message(F&& f) {
  try {
    f();
  } catch (const E& e) { return e.message(); }
  return "no error";
}

TEST(ArrayNumbers, AreWeak) {
  for (const Array& a : {Array(1), Array(2L), Array(3u), Array(1.5), Array(2.5f), Array(std::complex<double>(1, 2))}) {
    EXPECT_TRUE(a.weak_type()) << a.repr();
    EXPECT_EQ(a.ndim(), 0);
  }
  EXPECT_EQ(Array(true).repr(), "Array(True, dtype=bool)");
  EXPECT_EQ(Array(1).repr(), "Array(1, dtype=int32, weak_type=True)");
  EXPECT_EQ(Array(1.5).dtype(), float32);
  EXPECT_EQ(Array(std::complex<float>(1, 2)).dtype(), complex64);
  EXPECT_EQ(error_class([] { Array(std::int64_t{1} << 31); }), "OverflowError");
  EXPECT_EQ(error_class([] { Array(4000000000u); }), "OverflowError");
  const enable_x64 x64;
  EXPECT_EQ(Array(std::int64_t{1} << 62).item<std::int64_t>(), std::int64_t{1} << 62);
  EXPECT_EQ(Array(1.5).dtype(), float64);
  EXPECT_EQ(error_class([] { Array(~std::uint64_t{0}); }), "OverflowError");
}

TEST(ArrayNumbers, Containers) {
  EXPECT_EQ(jnp::array({1.5, 2.5}).repr(), "Array([1.5, 2.5], dtype=float32)");
  EXPECT_EQ(jnp::array({1, 2}).repr(), "Array([1, 2], dtype=int32)");
  EXPECT_EQ(jnp::array({true, false}).repr(), "Array([ True, False], dtype=bool)");
  EXPECT_EQ(jnp::array({{1.f, 2.f}, {3.f, 4.f}}).shape(), (Shape{2, 2}));
  EXPECT_EQ(jnp::array({{{1, 2}}, {{3, 4}}}).shape(), (Shape{2, 1, 2}));
  EXPECT_EQ(jnp::array({jnp::asarray(1), 2.5}).repr(), "Array([1. , 2.5], dtype=float32)");
  EXPECT_EQ(jnp::array(std::vector<std::uint8_t>{1, 2}).repr(), "Array([1, 2], dtype=uint8)");
  EXPECT_EQ(jnp::array(std::vector<std::complex<double>>{{1, 2}}).repr(), "Array([1.+2.j], dtype=complex64)");
  EXPECT_EQ(jnp::array(std::vector<float>{}).repr(), "Array([], shape=(0,), dtype=float32)");
  EXPECT_EQ(error_class([] { jnp::array({std::int64_t{1} << 40}); }), "OverflowError");
  EXPECT_EQ(error_class([] { jnp::array({{1, 2}, {3}}); }), "ValueError");
  EXPECT_EQ(error_class([] { jnp::array({jnp::ones({2}), jnp::ones({3})}); }), "ValueError");
  const enable_x64 x64;
  EXPECT_EQ(jnp::array({1.5}).dtype(), float64);
  EXPECT_EQ(jnp::array({std::int64_t{1} << 40}).item<std::int64_t>(), std::int64_t{1} << 40);
}

TEST(ArrayNumbers, Out) {
  EXPECT_EQ(Array(2.7).item<int>(), 2);
  EXPECT_EQ(Array(3).item<double>(), 3.0);
  EXPECT_EQ(jnp::array({5}).item<float>(), 5.0f);
  EXPECT_EQ(jnp::ones({2}, bfloat16).astype(float32).span<float>()[1], 1.0f);
  EXPECT_EQ(Array(std::complex<double>(1, 2)).item<std::complex<double>>(), std::complex<double>(1, 2));
  EXPECT_TRUE(bool(jnp::ones({1, 1})));
  EXPECT_FALSE(bool(jnp::array({-0.0})));
  EXPECT_TRUE(bool(jnp::array({std::nan("")})));
  EXPECT_EQ(error_class([] { jnp::ones({2}).item<float>(); }), "ValueError");
  EXPECT_EQ(error_class([] { (void)bool(jnp::ones({2})); }), "ValueError");
  EXPECT_EQ(error_class([] { (void)bool(jnp::ones({0})); }), "ValueError");
  EXPECT_EQ(error_class([] { jnp::ones({2}).span<double>(); }), "TypeError");
  EXPECT_EQ(error_class([] { random::key(0).item<int>(); }), "TypeError");
  EXPECT_EQ(error_class([] { Array().shape(); }), "ValueError");
}

TEST(ArrayNumbers, OfTracedValues) {
  EXPECT_EQ(
      message<TracerBoolConversionError>([] { jit([](const Array& x) { return x > 0 ? x : -x; })(1.0); }).substr(0, 72),
      "Attempted boolean conversion of traced array with shape bool[].\nA C++ br");
  EXPECT_EQ(
      message<ConcretizationTypeError>([] {
        jit([](const Array& x) { return x * x.item<double>(); })(1.0);
      }).substr(0, 108),
      "Abstract tracer value encountered where concrete value is expected: traced array with shape float32[].\nThe i");
  EXPECT_EQ(message<TracerArrayConversionError>([] {
              jit([](const Array& x) { return x * double(x.span<float>()[0]); })(jnp::ones({2}));
            }).substr(0, 85),
            "The elements of a traced array were asked for: traced array with shape float32[2].\nTh");
  EXPECT_EQ(error_class([] { vmap([](const Array& x) { return bool(x > 0) ? x : -x; })(jnp::ones({2})); }),
            "TypeError");
  EXPECT_EQ(grad([](const Array& x) { return x.item<double>() > 0 ? x * x : -x; })(3.0).item<float>(), 6.0f);
  EXPECT_EQ(grad(grad([](const Array& x) { return x > 0 ? x * x * x : -x; }))(2.0).item<float>(), 12.0f);
}

TEST(ArrayOperators, FollowNumpy) {
  const Array x = jnp::array({-7, -1, 0, 5});
  EXPECT_EQ((x % 3).str(), "[2 2 0 2]");
  EXPECT_EQ((x / 2).str(), "[-3.5 -0.5  0.   2.5]");
  EXPECT_EQ((x & 3).str(), "[1 3 0 1]");
  EXPECT_EQ((x | 1).str(), "[-7 -1  1  5]");
  EXPECT_EQ((x ^ 1).str(), "[-8 -2  1  4]");
  EXPECT_EQ((~x).str(), "[ 6  0 -1 -6]");
  EXPECT_EQ((x << 1).str(), "[-14  -2   0  10]");
  EXPECT_EQ((x >> 1).str(), "[-4 -1  0  2]");
  EXPECT_EQ((-x).str(), "[ 7  1  0 -5]");
  EXPECT_EQ((x == 0).str(), "[False False  True False]");
  EXPECT_EQ((2.5 * x).dtype(), float32);
  EXPECT_EQ((x + true).dtype(), int32);
  Array y = x;
  y += 1;
  y *= 2;
  y -= jnp::ones({4}, int32);
  EXPECT_EQ(y.str(), "[-13  -1   1  11]");
  EXPECT_EQ(x.str(), "[-7 -1  0  5]");
  y /= 2;
  EXPECT_EQ(y.dtype(), float32);
  EXPECT_EQ(jnp::ones({2, 3}).T().shape(), (Shape{3, 2}));
  EXPECT_EQ(x.reshape({2, -1}).shape(), (Shape{2, 2}));
  EXPECT_EQ(error_class([&] { x.reshape({3, -1}); }), "TypeError");
}

TEST(NumpyErrors, NameTheFunctionAndTheShapes) {
  EXPECT_NE(message<TypeError>([] {
              jnp::dot(jnp::ones({2, 3}), jnp::ones({2, 3}));
            }).find("got (3,) and (2,)"),
            std::string::npos);
  EXPECT_EQ(message<ValueError>([] { jnp::max(jnp::zeros({0})); }),
            "zero-size array to reduction operation max which has no identity");
  EXPECT_EQ(message<ValueError>([] { jnp::argmax(jnp::zeros({0})); }), "attempt to get argmax of an empty sequence");
  EXPECT_EQ(message<ValueError>([] { jnp::sum(jnp::ones({2}), 3); }),
            "sum: axis 3 is out of bounds for array of dimension 1");
  EXPECT_EQ(message<ValueError>([] {
              jnp::stack({jnp::ones({2}), jnp::ones({3})});
            }),
            "All input arrays must have the same shape. Got (2,), (3,).");
  EXPECT_EQ(message<TypeError>([] {
              jnp::reshape(jnp::ones({2, 3}), {4, -1});
            }),
            "cannot reshape array of shape (2, 3) (size 6) into shape (4, -1) because the product of specified axis "
            "sizes (4) does not evenly divide 6");
}

TEST(NumpyFunctions, PowersBeyondInt) {
  const enable_x64 x64;
  const std::int64_t n = std::int64_t{1} << 32;
  EXPECT_EQ(jnp::power(2., n).item<double>(), HUGE_VAL);
  EXPECT_EQ(jnp::power(2., -n).item<double>(), 0);
  EXPECT_EQ(jnp::power(-1., n + 1).item<double>(), -1);
  EXPECT_EQ(jnp::power(jnp::array({2.f, -1.f}), n + 1).str(), "[inf -1.]");
  EXPECT_EQ(jnp::power(jnp::array({-0., -1., -HUGE_VAL}), -n - 1).str(), "[-inf  -1.  -0.]");
  EXPECT_EQ(jnp::power(2, n).item<std::int64_t>(), 0);
  const Array r = jnp::power(jnp::array({3, -1, 0}).astype(int32), n + 1);
  EXPECT_EQ(r.aval().str() + " " + r.str(), "i32[3] [ 3 -1  0]");
  EXPECT_EQ(jnp::power(true, n).item<std::int64_t>(), 1);
  EXPECT_EQ(error_class([&] { jnp::power(2, -n); }), "TypeError");
}

TEST(NumpyFunctions, BoolsArePoweredAsIntegers) {
  const Array b = jnp::array({true, false}), c = jnp::array({false, false});
  EXPECT_EQ(jnp::power(b, b).repr(), "Array([1, 1], dtype=int32)");
  EXPECT_EQ(jnp::power(b, c).repr(), "Array([1, 1], dtype=int32)");
  EXPECT_EQ(jnp::power(c, b).repr(), "Array([0, 1], dtype=int32)");
}

TEST(NumpyFunctions, SumsAndProductsOfBoolType) {
  const Array x = jnp::reshape(jnp::array({0., 0.25, 2., 3.}), {2, 2});
  EXPECT_EQ(jnp::sum(x, none, {.dtype = bool_}).repr(), "Array(True, dtype=bool)");
  EXPECT_EQ(jnp::prod(x, none, {.dtype = bool_}).repr(), "Array(False, dtype=bool)");
  EXPECT_EQ(jnp::prod(x, 1, {.dtype = bool_}).str(), "[False  True]");
  EXPECT_EQ(jnp::sum(jnp::zeros({0}), none, {.dtype = bool_}).str(), "False");
  EXPECT_EQ(jnp::prod(x > 0, 0, {.dtype = bool_}).str(), "[False  True]");
}

}  // namespace
}  // namespace cotan

// Functions that take functions, ufuncs, dtypes and printing as a C++ program spells them.
#include <gtest/gtest.h>

#include "cotan/cotan.h"

namespace cotan {
namespace {

namespace jnp = numpy;

TEST(Ufunc, MethodsOfNumpysFunctions) {
  const Array x = jnp::array({{1., 2., 3.}, {4., 5., 6.}});
  EXPECT_EQ(jnp::ufunc(jnp::add).reduce(x).str(), "[5. 7. 9.]");
  EXPECT_EQ(jnp::ufunc(jnp::multiply).reduce(x, {0, 1}).str(), "720.0");
  EXPECT_EQ(jnp::ufunc(jnp::subtract).reduce(x, 1, {.keepdims = true}).str(), "[[-4.]\n [-7.]]");
  EXPECT_EQ(jnp::ufunc(jnp::maximum).accumulate(x, 1).str(), "[[1. 2. 3.]\n [4. 5. 6.]]");
  EXPECT_EQ(jnp::ufunc(jnp::add).reduceat(x(0), jnp::array({0, 2, 1})).str(), "[3. 3. 5.]");
  EXPECT_EQ(jnp::ufunc(jnp::multiply).outer(x(0), x(1)).shape(), Shape({3, 3}));
  EXPECT_FALSE(jnp::ufunc(jnp::maximum).identity.has_value());
  EXPECT_EQ(jnp::ufunc(jnp::multiply).identity.str(), "1");
  EXPECT_THROW(jnp::ufunc(jnp::negative).reduce(x), ValueError);
  EXPECT_THROW(jnp::ufunc(jnp::subtract).reduce(x, {0, 1}), NotImplementedError);
  EXPECT_THROW(jnp::ufunc(jnp::maximum).reduce(x, 0, {.where = x > 1}), ValueError);
  EXPECT_THROW(jnp::ufunc(jnp::add)(x), TypeError);
  EXPECT_THROW(jnp::ufunc(jnp::add).reduceat(x(0), jnp::array({7})), IndexError);
}

TEST(Ufunc, OfAFunctionOfNumbers) {
  const auto f = jnp::frompyfunc([](const Array& a, const Array& b) { return a * b + 1; }, 2, 1, {.identity = 3});
  const Array x = jnp::array({{1., 2., 3.}, {4., 5., 6.}});
  EXPECT_EQ(f.reduce(x).str(), "[17. 36. 61.]");
  EXPECT_EQ(f.reduce(x, none).str(), "3397.0");
  EXPECT_EQ(f.reduce(x, 0, {.initial = 10}).str(), "[ 45. 106. 187.]");
  EXPECT_EQ(f.reduce(x, 0, {.where = jnp::array({true, false, true})}).str(), "[17.  3. 61.]");
  EXPECT_EQ(f.reduce(x(slice(0))).str(), "[3. 3. 3.]");
  EXPECT_EQ(f.accumulate(x).str(), "[[ 1.  2.  3.]\n [ 5. 11. 19.]]");
  EXPECT_EQ(f(x(0), 2).str(), "[3. 5. 7.]");
}

TEST(Ufunc, ReductionsHaveDerivatives) {
  const Array x = jnp::array({1., 2., 3.});
  EXPECT_EQ(grad([](const Array& v) { return jnp::ufunc(jnp::multiply).reduce(v); })(x).str(), "[6. 3. 2.]");
  EXPECT_EQ(grad([](const Array& v) { return jnp::ufunc(jnp::subtract).reduce(v); })(x).str(), "[ 1. -1. -1.]");
  const auto log_sum = [](const Array& v) { return jnp::ufunc(jnp::logaddexp).reduce(v); };
  EXPECT_EQ(grad(log_sum)(jnp::zeros(4)).str(), "[0.25 0.25 0.25 0.25]");
  EXPECT_EQ(jit(vmap(grad(log_sum)))(jnp::zeros({1, 2})).str(), "[[0.5 0.5]]");
}

TEST(Vectorize, ComposesWithTransformations) {
  const auto dot = [](const Array& a, const Array& b) { return jnp::sum(a * b); };
  const auto rows = jnp::vectorize(dot, {.signature = "(n),(n)->()"});
  const Array x = jnp::array({{1., 2.}, {3., 4.}});
  EXPECT_EQ(rows(x, x(0)).str(), "[ 5. 11.]");
  EXPECT_EQ(jit(rows)(x, x).str(), "[ 5. 25.]");
  EXPECT_EQ(vmap(rows, in_axes(0, none))(x, x(0)).str(), "[ 5. 11.]");
  EXPECT_EQ(grad([&](const Array& v) { return jnp::sum(rows(v, v)); })(x).str(), "[[2. 4.]\n [6. 8.]]");
  EXPECT_EQ(jnp::vectorize([](const Array& v, int n) { return v * n; })(x, 2).str(), "[[2. 4.]\n [6. 8.]]");
  EXPECT_THROW(rows(x, 1.0), ValueError);
  EXPECT_THROW(rows(x, jnp::ones(3)), ValueError);
  EXPECT_THROW(jnp::vectorize(dot, {.signature = "(n,(n)->()"}), ValueError);
}

TEST(Callables, PiecewiseAndAlongAxes) {
  const Array x = jnp::array({-1., 0., 2.});
  const auto f = [](const Array& v) {
    return jnp::piecewise(v, {v<0, v> 1}, {[](const Array& t) { return -t; }, [](const Array& t) { return t * t; }, 5});
  };
  EXPECT_EQ(f(x).str(), "[1. 5. 4.]");
  EXPECT_EQ(jit(f)(x).str(), "[1. 5. 4.]");
  EXPECT_EQ(grad([&](const Array& v) { return jnp::sum(f(v)); })(x).str(), "[-1.  0.  4.]");
  const Array m = jnp::array({{1., 2.}, {3., 4.}});
  EXPECT_EQ(jnp::apply_along_axis([](const Array& v) { return v(0) - v; }, 0, m).str(), "[[ 0.  0.]\n [-2. -2.]]");
  EXPECT_EQ(jnp::apply_over_axes([](const Array& v, int axis) { return jnp::sum(v, axis); }, m, {0, 1}).str(),
            "[[10.]]");
  EXPECT_EQ(jnp::fromfunction([](const Array& i, const Array& j) { return i * 10 + j; }, {2, 2}).str(),
            "[[ 0.  1.]\n [10. 11.]]");
  EXPECT_THROW(jnp::piecewise(x, {x < 0}, {1, 2, 3}), ValueError);
  EXPECT_THROW(jnp::fromfunction([](const Array& i) { return i; }, {2, 2}), TypeError);
}

TEST(DTypes, Limits) {
  EXPECT_EQ(jnp::finfo(float32).eps, 0x1p-23);
  EXPECT_EQ(jnp::finfo(bfloat16).max, 3.3895313892515355e+38);
  EXPECT_EQ(jnp::finfo(complex64).dtype, float32);
  EXPECT_EQ(jnp::iinfo("int8").min, -128);
  EXPECT_EQ(jnp::iinfo(uint64).max, ~std::uint64_t{0});
  EXPECT_THROW(jnp::finfo(int32), ValueError);
  EXPECT_THROW(jnp::iinfo(2.5), ValueError);
  EXPECT_EQ(jnp::result_type({int8, 1}), int8);
  EXPECT_EQ(jnp::result_type({int8, 2.5}), float32);
  EXPECT_TRUE(jnp::can_cast(int8, bfloat16));
  EXPECT_TRUE(jnp::issubdtype(bfloat16, "floating"));
  EXPECT_THROW(jnp::dtype("flat32"), TypeError);
}

TEST(Printing, OptionsHoldInsideTheirScope) {
  const Array x = jnp::array({1. / 3, -20000.});
  const std::string before = x.str();
  {
    const jnp::printoptions scope({.precision = 2, .suppress = true});
    EXPECT_EQ(x.str(), "[     0.33 -20000.  ]");
    jnp::set_printoptions({.floatmode = "fixed"});
    EXPECT_EQ(x.str(), "[     0.33 -20000.00]");
    EXPECT_EQ(*jnp::get_printoptions().precision, 2);
  }
  EXPECT_EQ(x.str(), before);
  {
    const jnp::printoptions scope({.threshold = 4, .edgeitems = 1, .sign = '+'});
    EXPECT_EQ(jnp::arange(9.0).str(), "[+0. ... +8.]");
  }
  EXPECT_EQ(jnp::array_str(x, {.precision = 1}), "[ 3.3e-01 -2.0e+04]");
  EXPECT_THROW(jnp::set_printoptions({.floatmode = "round"}), ValueError);
  EXPECT_THROW(jnp::set_printoptions({.precision = -1}), ValueError);
}

}  // namespace
}  // namespace cotan

// Reductions: values per dtype, corners, and derivatives at ties and zeros.
#include "ops/reduction.h"

#include <cmath>
#include <limits>

#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/structural.h"
#include "transforms/flat.h"
#include "unit/primitives/primitive_support.h"

namespace cotan::primitive_test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
using Floats = std::vector<float>;

// Reduces a 3 x 4 x 5 array over each set of axes and compares with `combine` from `start`.
template <class T, class F> void check_integers(Array (*reduce)(const Array&, const IntList&), T start, F combine) {
  const Shape shape{3, 4, 5};
  const Array x = arbitrary({shape, DTypeOf<T>::value});
  for (const IntList& axes :
       {IntList{0}, IntList{1}, IntList{2}, IntList{0, 2}, IntList{1, 2}, IntList{0, 1, 2}, IntList{}}) {
    Shape kept;
    for (int i = 0; i < 3; ++i)
      if (!axes.contains(i)) kept.push_back(shape[i]);
    std::vector<T> expected(static_cast<std::size_t>(kept.size()), start);
    const auto values = elements<T>(x);
    each_index(shape, [&](const IntList& i) {
      IntList rest;
      for (int k = 0; k < 3; ++k)
        if (!axes.contains(k)) rest.push_back(i[k]);
      T& e = expected[static_cast<std::size_t>(offset_of(kept, rest))];
      e = static_cast<T>(combine(e, values[static_cast<std::size_t>(offset_of(shape, i))]));
    });
    EXPECT_EQ(elements<T>(reduce(x, axes)), expected) << axes.str();
  }
}

template <class T> void check_integer_type() {
  using U = std::make_unsigned_t<T>;
  check_integers<T>(ops::reduce_sum, 0, [](T a, T b) { return static_cast<U>(static_cast<U>(a) + static_cast<U>(b)); });
  check_integers<T>(ops::reduce_prod, 1, [](T a, T b) {
    return static_cast<U>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  });
  check_integers<T>(ops::reduce_max, std::numeric_limits<T>::min(), [](T a, T b) { return std::max(a, b); });
  check_integers<T>(ops::reduce_min, std::numeric_limits<T>::max(), [](T a, T b) { return std::min(a, b); });
  check_integers<T>(ops::reduce_and, static_cast<T>(-1), [](T a, T b) { return a & b; });
  check_integers<T>(ops::reduce_or, 0, [](T a, T b) { return a | b; });
  check_integers<T>(ops::reduce_xor, 0, [](T a, T b) { return a ^ b; });
}

TEST(Reductions, Integers) {
  check_integer_type<std::int8_t>();
  check_integer_type<std::uint16_t>();
  check_integer_type<std::int32_t>();
  check_integer_type<std::uint64_t>();
}

TEST(Reductions, BoolsAndFloats) {
  const Array b = bools({2, 3}, {1, 0, 1, 1, 1, 1});
  const auto row = [](const Array& a) { return element(a, {0}) + element(a, {1}); };
  EXPECT_EQ(row(ops::reduce_and(b, {1})), (std::string{0, 1}));
  EXPECT_EQ(row(ops::reduce_or(b, {1})), (std::string{1, 1}));
  EXPECT_EQ(row(ops::reduce_xor(b, {1})), (std::string{0, 1}));
  EXPECT_EQ(row(ops::reduce_max(b, {1})), (std::string{1, 1}));
  EXPECT_EQ(row(ops::reduce_min(b, {1})), (std::string{0, 1}));
  const Array x = vector<float>({1, nan, 3}), y = vector<float>({-inf, 2, inf}), z = vector<float>({0.0f, -0.0f});
  EXPECT_TRUE(std::isnan(elements<float>(ops::reduce_max(x, {0}))[0]));
  EXPECT_TRUE(std::isnan(elements<float>(ops::reduce_min(x, {0}))[0]));
  EXPECT_EQ(elements<float>(ops::reduce_max(y, {0})), Floats{inf});
  EXPECT_EQ(elements<float>(ops::reduce_min(y, {0})), Floats{-inf});
  EXPECT_FALSE(std::signbit(elements<float>(ops::reduce_max(z, {0}))[0]));
  EXPECT_TRUE(std::signbit(elements<float>(ops::reduce_min(z, {0}))[0]));
}

TEST(Reductions, OverNothing) {
  const Array x = arbitrary({{2, 0}, float32}), i = arbitrary({{0}, int32}), c = arbitrary({{0}, complex64}),
              b = arbitrary({{0}, bool_});
  EXPECT_EQ(elements<float>(ops::reduce_sum(x, {1})), (Floats{0, 0}));
  EXPECT_EQ(elements<float>(ops::reduce_prod(x, {1})), (Floats{1, 1}));
  EXPECT_EQ(elements<float>(ops::reduce_max(x, {1})), (Floats{-inf, -inf}));
  EXPECT_EQ(elements<float>(ops::reduce_min(x, {1})), (Floats{inf, inf}));
  EXPECT_EQ(ops::reduce_sum(x, {0}).shape().str(), "(0,)");
  EXPECT_EQ(elements<std::int32_t>(ops::reduce_max(i, {0}))[0], std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(elements<std::int32_t>(ops::reduce_and(i, {0}))[0], -1);
  EXPECT_EQ(elements<std::complex<float>>(ops::reduce_max(c, {0}))[0], std::complex<float>(-inf, 0));
  EXPECT_EQ(element(ops::reduce_max(b, {0}), {}), std::string(1, 0));
  EXPECT_EQ(element(ops::reduce_min(b, {0}), {}), std::string(1, 1));
}

TEST(Reductions, ComplexExtremaCompareByRealThenImaginaryPart) {
  using C = std::complex<float>;
  const Array x = array<C>({2, 3}, {{1, 2}, {1, 5}, {0, 9}, {-1, 0}, {-1, -2}, {-1, 7}});
  EXPECT_EQ(elements<C>(ops::reduce_max(x, {1})), (std::vector<C>{{1, 5}, {-1, 7}}));
  EXPECT_EQ(elements<C>(ops::reduce_min(x, {1})), (std::vector<C>{{0, 9}, {-1, -2}}));
  EXPECT_EQ(elements<C>(ops::reduce_max(x, {0})), (std::vector<C>{{1, 2}, {1, 5}, {0, 9}}));
  EXPECT_EQ(elements<C>(ops::reduce_max(x, {0, 1})), (std::vector<C>{{1, 5}}));
}

TEST(Reductions, ArgmaxTakesTheFirstAndNanWins) {
  const auto first = [](const Array& a) { return elements<std::int32_t>(a)[0]; };
  EXPECT_EQ(first(ops::argmax(vector<float>({1, 3, 3, 2}), 0, int32)), 1);
  EXPECT_EQ(first(ops::argmin(vector<float>({3, 1, 1}), 0, int32)), 1);
  EXPECT_EQ(first(ops::argmax(vector<float>({1, nan, inf, nan}), 0, int32)), 1);
  EXPECT_EQ(first(ops::argmin(vector<float>({1, -inf, nan, nan}), 0, int32)), 2);
  EXPECT_EQ(first(ops::argmax(vector<float>({-0.0f, 0.0f}), 0, int32)), 0);
  EXPECT_EQ(first(ops::argmax(vector<std::int8_t>({-128, 127, 127}), 0, int32)), 1);
  EXPECT_EQ(first(ops::argmax(bools({3}, {0, 1, 1}), 0, int32)), 1);
  EXPECT_EQ(elements<std::uint8_t>(ops::argmax(vector<float>({1, 2}), 0, uint8))[0], 1);
  const Array x = array<float>({2, 3}, {1, 5, 2, 9, 4, 3});
  EXPECT_EQ(elements<std::int64_t>(ops::argmax(x, 0, int64)), (std::vector<std::int64_t>{1, 0, 1}));
  EXPECT_EQ(elements<std::int64_t>(ops::argmax(x, 1, int64)), (std::vector<std::int64_t>{1, 0}));
}

Floats gradient(const FlatFn& f, const Array& x) {
  const LinearizeResult r = flat_linearize(f, {x});
  return elements<float>(ops::instantiate(r.linear.transpose({Tangent(ops::full(r.primals[0].aval(), 1))})[0]));
}

TEST(Reductions, TiesShareTheGradient) {
  const FlatFn max = [](const Arrays& x) { return Arrays{ops::reduce_max(x[0], {0})}; };
  const FlatFn min = [](const Arrays& x) { return Arrays{ops::reduce_min(x[0], {0})}; };
  EXPECT_EQ(gradient(max, vector<float>({2, 1, 2, 0, 2, 2})), (Floats{.25, 0, .25, 0, .25, .25}));
  EXPECT_EQ(gradient(min, vector<float>({0, 1, 0})), (Floats{.5, 0, .5}));
}

TEST(Reductions, ProductGradientsWhereElementsAreZero) {
  const FlatFn prod = [](const Arrays& x) { return Arrays{ops::reduce_prod(x[0], {0})}; };
  EXPECT_EQ(gradient(prod, vector<float>({2, 0, 3, 5, 7})), (Floats{0, 210, 0, 0, 0}));
  EXPECT_EQ(gradient(prod, vector<float>({0, 0, 3})), (Floats{0, 0, 0}));
  // The derivative of the gradient along e0 is the row d2/(dx0 dxj): the product of all but 0 and j.
  const FlatFn along = [&](const Arrays& x) {
    const Array e0 = vector<float>({1, 0, 0, 0});
    return Arrays{flat_jvp(prod, x, {Tangent(e0)}).tangents[0].value()};
  };
  EXPECT_EQ(gradient(along, vector<float>({0, 0, 3, 5})), (Floats{0, 15, 0, 0}));
}

}  // namespace
}  // namespace cotan::primitive_test

// Primitives that move elements, for element types of every size, against loops over indices.
#include "ops/elementwise.h"
#include "ops/structural.h"
#include "unit/primitives/primitive_support.h"

namespace cotan::primitive_test {
namespace {

using ops::PadDim;

// Checks that out[index] is in[source(index)], bit by bit.
template <class F> void expect_elements(const Array& out, const Shape& shape, const Array& in, F source) {
  ASSERT_EQ(out.shape().str(), shape.str());
  ASSERT_EQ(out.dtype(), in.dtype());
  each_index(shape, [&](const IntList& i) {
    ASSERT_EQ(element(out, i), element(in, source(i))) << dtype_name(in.dtype()) << " at " << i.str();
  });
}

TEST(Structural, BroadcastInDim) {
  for (DType d : moved_dtypes) {
    const Array x = arbitrary({{2, 3}, d}), column = arbitrary({{3, 1}, d}), one = arbitrary({{}, d});
    expect_elements(ops::broadcast_in_dim(x, {4, 2, 3}, {1, 2}), {4, 2, 3}, x, [](const IntList& i) {
      return IntList{i[1], i[2]};
    });
    expect_elements(ops::broadcast_in_dim(x, {3, 5, 2}, {2, 0}), {3, 5, 2}, x, [](const IntList& i) {
      return IntList{i[2], i[0]};
    });
    expect_elements(ops::broadcast_in_dim(column, {3, 4}, {0, 1}), {3, 4}, column, [](const IntList& i) {
      return IntList{i[0], 0};
    });
    expect_elements(ops::broadcast_in_dim(one, {2, 700}, {}), {2, 700}, one, [](const IntList&) { return IntList{}; });
    EXPECT_EQ(ops::broadcast_in_dim(one, {0, 3}, {}).shape().str(), "(0, 3)");
  }
}

TEST(Structural, ReshapeAndTranspose) {
  for (DType d : moved_dtypes) {
    const Array x = arbitrary({{2, 3, 4}, d});
    const Array r = ops::reshape(x, {4, 6});
    each_index({4, 6}, [&](const IntList& i) {
      const std::int64_t k = i[0] * 6 + i[1];
      EXPECT_EQ(element(r, i), element(x, {k / 12, k / 4 % 3, k % 4}));
    });
    expect_elements(ops::transpose(x, {2, 0, 1}), {4, 2, 3}, x, [](const IntList& i) {
      return IntList{i[1], i[2], i[0]};
    });
    const Array big = arbitrary({{67, 130}, d});
    expect_elements(ops::transpose(big, {1, 0}), {130, 67}, big, [](const IntList& i) { return IntList{i[1], i[0]}; });
  }
  const Array x = arbitrary({{2, 3}, float32});
  EXPECT_EQ(ops::reshape(x, {2, 3}).node(), x.node());
  EXPECT_EQ(ops::transpose(x, {0, 1}).node(), x.node());
  EXPECT_EQ(ops::broadcast_in_dim(x, {2, 3}, {0, 1}).node(), x.node());
}

// The parameter `dimensions` of reshape, which only the primitive has: the operand is transposed first.
TEST(Structural, ReshapeOfPermutedDimensions) {
  for (const Sample& s : find_primitive("reshape")->samples()) {
    if (!(s.in[0].shape == Shape{2, 3, 2})) continue;
    const Array x = arbitrary(s.in[0]);
    const Array r = find_primitive("reshape")->bind1(s.params, {&x, 1}),
                expected = ops::reshape(ops::transpose(x, {2, 0, 1}), {4, 3});
    expect_elements(r, {4, 3}, expected, [](const IntList& i) { return i; });
    return;
  }
  FAIL() << "no such sample";
}

TEST(Structural, SqueezeAndExpandDims) {
  for (DType d : moved_dtypes) {
    const Array x = arbitrary({{1, 3, 1, 2}, d});
    expect_elements(ops::squeeze(x, {0, 2}), {3, 2}, x, [](const IntList& i) { return IntList{0, i[0], 0, i[1]}; });
    const Array y = arbitrary({{3, 2}, d});
    expect_elements(ops::expand_dims(y, {0, 2}), {1, 3, 1, 2}, y, [](const IntList& i) { return IntList{i[1], i[3]}; });
  }
}

TEST(Structural, Rev) {
  for (DType d : moved_dtypes) {
    const Array x = arbitrary({{3, 700}, d});
    expect_elements(ops::rev(x, {1}), {3, 700}, x, [](const IntList& i) { return IntList{i[0], 699 - i[1]}; });
    expect_elements(ops::rev(x, {0, 1}), {3, 700}, x, [](const IntList& i) { return IntList{2 - i[0], 699 - i[1]}; });
    EXPECT_EQ(ops::rev(arbitrary({{0, 2}, d}), {0}).shape().str(), "(0, 2)");
  }
}

TEST(Structural, ConcatenateAndStack) {
  for (DType d : moved_dtypes) {
    const Array xs[] = {arbitrary({{2, 3}, d}, 1), arbitrary({{2, 0}, d}, 2), arbitrary({{2, 5}, d}, 3)};
    const Array joined = ops::concatenate(xs, 1);
    ASSERT_EQ(joined.shape().str(), "(2, 8)");
    each_index({2, 8}, [&](const IntList& i) {
      EXPECT_EQ(element(joined, i), i[1] < 3 ? element(xs[0], i) : element(xs[2], {i[0], i[1] - 3}));
    });
    const Array ys[] = {arbitrary({{2, 3}, d}, 4), arbitrary({{2, 3}, d}, 5)};
    for (int axis : {0, 1, 2}) {
      const Array stacked = ops::stack(ys, axis);
      each_index(stacked.shape(), [&](const IntList& i) {
        IntList rest = i;
        rest.erase(axis);
        EXPECT_EQ(element(stacked, i), element(ys[i[axis]], rest));
      });
    }
  }
  const Array one[] = {arbitrary({{2}, float32})};
  EXPECT_EQ(ops::concatenate(one, 0).node(), one[0].node());
}

TEST(Structural, Pad) {
  const std::vector<PadDim> configs = {{0, 0, 0},  {1, 2, 0},   {0, 0, 2},  {2, 1, 3},  {-1, 0, 0},
                                       {0, -2, 1}, {-2, -1, 2}, {-3, 7, 1}, {9, -8, 0}, {-4, 0, 0}};
  for (DType d : moved_dtypes)
    for (const PadDim& c0 : configs)
      for (const PadDim& c1 : {PadDim{0, 0, 0}, PadDim{1, -1, 1}, PadDim{-1, 1, 0}}) {
        const Array x = arbitrary({{4, 3}, d}, 1), value = arbitrary({{}, d}, 2);
        const PadDim config[] = {c0, c1};
        const Array r = ops::pad(x, value, config);
        ASSERT_EQ(r.shape().str(),
                  (Shape{4 + 3 * c0.interior + c0.low + c0.high, 3 + 2 * c1.interior + c1.low + c1.high}.str()));
        each_index(r.shape(), [&](const IntList& i) {
          const std::int64_t a = i[0] - c0.low, b = i[1] - c1.low;
          const bool inside = a >= 0 && b >= 0 && a % (c0.interior + 1) == 0 && b % (c1.interior + 1) == 0 &&
                              a / (c0.interior + 1) < 4 && b / (c1.interior + 1) < 3;
          ASSERT_EQ(element(r, i),
                    inside ? element(x, {a / (c0.interior + 1), b / (c1.interior + 1)}) : element(value, {}));
        });
      }
}

TEST(Structural, Iota) {
  EXPECT_EQ(elements<float>(ops::iota(float32, {2, 3}, 1)), (std::vector<float>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(elements<std::int32_t>(ops::iota(int32, {2, 3}, 0)), (std::vector<std::int32_t>{0, 0, 0, 1, 1, 1}));
  const auto bytes = elements<std::uint8_t>(ops::iota(uint8, {300}, 0));
  for (int i = 0; i < 300; ++i) EXPECT_EQ(bytes[static_cast<std::size_t>(i)], i % 256);
  const auto z = elements<std::complex<float>>(ops::iota(complex64, {3}, 0));
  EXPECT_EQ(z[2], std::complex<float>(2, 0));
  const auto wide = elements<std::int64_t>(ops::iota(int64, {1000}, 0));
  EXPECT_EQ(wide[999], 999);
  const Array big = ops::convert_element_type(ops::iota(bfloat16, {300}, 0), float32);
  EXPECT_EQ(elements<float>(big)[257], 256.0f);  // rounded to even
}

}  // namespace
}  // namespace cotan::primitive_test

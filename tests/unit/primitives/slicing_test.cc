// slice, dynamic_slice and dynamic_update_slice against loops over indices.
#include "ops/common.h"
#include "ops/structural.h"
#include "unit/primitives/primitive_support.h"

namespace cotan::primitive_test {
namespace {

TEST(Slicing, Slice) {
  for (DType d : moved_dtypes) {
    const Array x = arbitrary({{5, 9}, d});
    const Array a = ops::slice(x, {1, 2}, {4, 9}), b = ops::slice(x, {0, 1}, {5, 9}, IntList{2, 3});
    ASSERT_EQ(a.shape().str(), "(3, 7)");
    ASSERT_EQ(b.shape().str(), "(3, 3)");
    each_index(a.shape(), [&](const IntList& i) { EXPECT_EQ(element(a, i), element(x, {i[0] + 1, i[1] + 2})); });
    each_index(b.shape(), [&](const IntList& i) { EXPECT_EQ(element(b, i), element(x, {2 * i[0], 3 * i[1] + 1})); });
    EXPECT_EQ(ops::slice(x, {5, 3}, {5, 3}).shape().str(), "(0, 0)");
    EXPECT_EQ(ops::slice_in_dim(x, 1, 8, 2, 1).shape().str(), "(5, 4)");
  }
}

// Starts as an array of each integer type; values beyond the type's range are left out.
template <class F> void each_start(std::int64_t value, F f) {
  for (DType d : {DType::int8, DType::int16, DType::int32, DType::int64, DType::uint8, DType::uint16, DType::uint32,
                  DType::uint64})
    if (value >= 0 || is_signed_integer(d)) f(ops::scalar_int(d, value));
}

TEST(Slicing, DynamicSliceClampsItsStart) {
  const Array x = arbitrary({{7}, int32});
  for (std::int64_t start : {0, 1, 4, 5, 100, -1, -100})
    each_start(start, [&](const Array& s) {
      const Array r = ops::dynamic_slice(x, {&s, 1}, {3});
      const std::int64_t from = std::clamp<std::int64_t>(start, 0, 4);
      for (std::int64_t i = 0; i < 3; ++i)
        EXPECT_EQ(element(r, {i}), element(x, {from + i})) << start << " " << dtype_name(s.dtype());
    });
  const Array extreme[] = {ops::scalar_int(uint64, -1),
                           ops::scalar_int(int64, std::numeric_limits<std::int64_t>::min())};
  EXPECT_EQ(element(ops::dynamic_slice(x, {extreme, 1}, {3}), {0}), element(x, {4}));
  EXPECT_EQ(element(ops::dynamic_slice(x, {extreme + 1, 1}, {3}), {0}), element(x, {0}));
}

TEST(Slicing, DynamicUpdateSlice) {
  for (DType d : moved_dtypes) {
    const Array x = arbitrary({{4, 6}, d}, 1), update = arbitrary({{2, 3}, d}, 2);
    for (std::int64_t row : {-1, 0, 1, 2, 3})
      for (std::int64_t column : {0, 2, 5}) {
        const Array starts[] = {ops::scalar_int(int32, row), ops::scalar_int(int32, column)};
        const Array r = ops::dynamic_update_slice(x, update, starts), block = ops::dynamic_slice(x, starts, {2, 3});
        const std::int64_t r0 = std::clamp<std::int64_t>(row, 0, 2), c0 = std::min<std::int64_t>(column, 3);
        each_index({4, 6}, [&](const IntList& i) {
          const bool inside = i[0] >= r0 && i[0] < r0 + 2 && i[1] >= c0 && i[1] < c0 + 3;
          EXPECT_EQ(element(r, i), inside ? element(update, {i[0] - r0, i[1] - c0}) : element(x, i));
          if (inside) { EXPECT_EQ(element(block, {i[0] - r0, i[1] - c0}), element(x, i)); }
        });
      }
  }
}

}  // namespace
}  // namespace cotan::primitive_test

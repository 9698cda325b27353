// dot_general against a loop over indices: dimension numbers, element types, mixed and preferred types.
#include <complex>

#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/reduction.h"
#include "transforms/flat.h"
#include "unit/primitives/primitive_support.h"

namespace cotan::primitive_test {
namespace {

using C = std::complex<double>;
using ops::DotDimensionNumbers;
using namespace std::literals;

Array small_integers(const Shape& shape, DType d, unsigned seed) {
  std::mt19937 gen(seed);
  std::vector<std::int32_t> v(static_cast<std::size_t>(shape.size()));
  for (std::int32_t& x : v)
    x = static_cast<std::int32_t>(gen() % 7) - (is_unsigned_integer(d) || d == DType::bool_ ? 0 : 3);
  return ops::convert_element_type(array(shape, v), d);
}
std::vector<C> complexes(const Array& a) { return elements<C>(ops::convert_element_type(a, complex128)); }

// The product by definition; exact, since elements are small integers.
void check(const Shape& xs, const Shape& ys, const DotDimensionNumbers& d, DType x_type, DType y_type,
           std::optional<DType> preferred, DType result) {
  const Array x = small_integers(xs, x_type, 1), y = small_integers(ys, y_type, 2);
  const Array r = ops::dot_general(x, y, d, preferred);
  ASSERT_EQ(r.dtype(), result);
  const auto xv = complexes(x), yv = complexes(y), rv = complexes(r);
  std::vector<C> expected(rv.size());
  each_index(xs, [&](const IntList& i) {
    each_index(ys, [&](const IntList& j) {
      for (int k = 0; k < d.lhs_contract.length(); ++k)
        if (i[d.lhs_contract[k]] != j[d.rhs_contract[k]]) return;
      for (int k = 0; k < d.lhs_batch.length(); ++k)
        if (i[d.lhs_batch[k]] != j[d.rhs_batch[k]]) return;
      IntList at;
      for (std::int64_t b : d.lhs_batch) at.push_back(i[b]);
      for (int k = 0; k < xs.ndim(); ++k)
        if (!d.lhs_batch.contains(k) && !d.lhs_contract.contains(k)) at.push_back(i[k]);
      for (int k = 0; k < ys.ndim(); ++k)
        if (!d.rhs_batch.contains(k) && !d.rhs_contract.contains(k)) at.push_back(j[k]);
      expected[static_cast<std::size_t>(offset_of(r.shape(), at))] +=
          xv[static_cast<std::size_t>(offset_of(xs, i))] * yv[static_cast<std::size_t>(offset_of(ys, j))];
    });
  });
  for (std::size_t i = 0; i < rv.size(); ++i)
    ASSERT_EQ(rv[i], result == DType::bool_ ? C(expected[i] != C(0)) : expected[i])
        << xs.str() << " " << ys.str() << " " << dtype_name(x_type) << " " << i;
}

const std::vector<DType> dot_types = {DType::bool_,   DType::int8,    DType::int16,     DType::int32,
                                      DType::int64,   DType::uint32,  DType::float16,   DType::bfloat16,
                                      DType::float32, DType::float64, DType::complex64, DType::complex128};

TEST(Dot, DimensionNumbers) {
  for (DType t : {DType::float32, DType::int32, DType::complex64, DType::bfloat16}) {
    const auto same = [&](const Shape& x, const Shape& y, const DotDimensionNumbers& d) {
      check(x, y, d, t, t, {}, t);
    };
    same({2, 3}, {3, 4}, {{1}, {0}, {}, {}});
    same({3, 2}, {4, 3}, {{0}, {1}, {}, {}});
    same({3, 2}, {3, 4}, {{0}, {0}, {}, {}});
    same({2, 3}, {4, 3}, {{1}, {1}, {}, {}});
    same({5}, {5}, {{0}, {0}, {}, {}});
    same({5, 2}, {5}, {{0}, {0}, {}, {}});
    same({2, 3, 4}, {2, 4, 3}, {{2}, {1}, {0}, {0}});
    same({3, 4, 2}, {2, 5, 3}, {{0}, {2}, {2}, {0}});
    same({4, 2, 3}, {3, 5, 2}, {{}, {}, {1, 2}, {2, 0}});
    same({2, 3, 4, 2}, {4, 3, 2}, {{1, 2}, {1, 0}, {}, {}});
    same({2, 3, 4}, {4, 3, 5}, {{2, 1}, {0, 1}, {}, {}});
    same({2}, {3}, {{}, {}, {}, {}});
    same({3}, {3}, {{}, {}, {0}, {0}});
    same({}, {}, {{}, {}, {}, {}});
    same({2, 0}, {0, 3}, {{1}, {0}, {}, {}});
    same({0, 2}, {2, 3}, {{1}, {0}, {}, {}});
    same({1, 3}, {3, 1}, {{1}, {0}, {}, {}});
  }
}

TEST(Dot, EveryType) {
  for (DType t : dot_types) check({6, 5}, {5, 7}, {{1}, {0}, {}, {}}, t, t, {}, t);
}

TEST(Dot, MixedTypes) {
  const DotDimensionNumbers d{{1}, {0}, {}, {}};
  check({2, 3}, {3, 4}, d, float32, int32, {}, float32);
  check({2, 3}, {3, 4}, d, bfloat16, float32, {}, float32);
  check({2, 3}, {3, 4}, d, float16, bfloat16, {}, bfloat16);
  check({2, 3}, {3, 4}, d, int8, bfloat16, {}, bfloat16);
  check({2, 3}, {3, 4}, d, uint8, int8, {}, int8);
  check({2, 3}, {3, 4}, d, int64, float32, {}, float32);
  check({2, 3}, {3, 4}, d, float64, complex64, {}, complex64);
}

TEST(Dot, PreferredElementType) {
  const DotDimensionNumbers d{{1}, {0}, {}, {}};
  check({2, 3}, {3, 4}, d, int8, int8, int32, int32);
  check({2, 3}, {3, 4}, d, int8, int8, float32, float32);
  check({2, 3}, {3, 4}, d, bfloat16, bfloat16, float32, float32);
  check({2, 3}, {3, 4}, d, float32, float32, bfloat16, bfloat16);
  check({2, 3}, {3, 4}, d, float32, float32, int32, int32);
  check({2, 3}, {3, 4}, d, float32, float32, complex64, complex64);
  check({2, 3}, {3, 4}, d, uint32, uint32, int64, int64);
}

// Products of bfloat16 are added in float32, not rounded one by one: 256 + 1 + 1 + ... would stay 256.
TEST(Dot, HalvesAreAddedInFloat32) {
  std::vector<float> ones(65, 1), first = ones;
  first[0] = 256;
  const Array x = ops::convert_element_type(vector(first), bfloat16),
              y = ops::convert_element_type(vector(ones), bfloat16);
  EXPECT_EQ(elements<float>(ops::convert_element_type(ops::dot_general(x, y, {{0}, {0}, {}, {}}), float32))[0], 320.0f);
}

// Operands of two types become the result's before they are multiplied: 1 + 2^-9 is 1 in bfloat16.
TEST(Dot, MixedTypesAreConvertedFirst) {
  std::vector<float> x(65, 1 + 1 / 512.0f), ones(65, 1);
  x.back() = -64;
  const Array a = vector(x), b = vector(ones), b16 = ops::convert_element_type(b, bfloat16);
  const DotDimensionNumbers d{{0}, {0}, {}, {}};
  const auto value = [](const Array& r) { return elements<float>(ops::convert_element_type(r, float32))[0]; };
  EXPECT_EQ(value(ops::dot_general(a, b16, d, bfloat16)), 0.0f);
  EXPECT_EQ(value(ops::dot_general(a, b, d, bfloat16)), 0.125f);
  EXPECT_EQ(value(ops::dot_general(a, b16, d)), 0.125f);
}

TEST(Dot, PrecisionIsKeptAndChecked) {
  const auto printed = [](const Precision& p) {
    const Aval f22{{2, 2}, float32, false};
    return flat_make_jaxpr(
               [&](const Arrays& a) {
                 return Arrays{ops::dot_general(a[0], a[0], {{1}, {0}, {}, {}}, std::nullopt, p)};
               },
               {f22})
        .str();
  };
  EXPECT_NE(printed("highest").find("precision=(Precision.HIGHEST, Precision.HIGHEST)\n"), std::string::npos);
  EXPECT_NE(printed({"high", "default"}).find("precision=(Precision.HIGH, Precision.DEFAULT)\n"), std::string::npos);
  EXPECT_NE(printed("F32_F32_F32").find("precision=F32_F32_F32\n"), std::string::npos);
  EXPECT_NE(printed("DEFAULT").find("precision=DEFAULT\n"), std::string::npos);
  EXPECT_EQ(printed({}).find("precision"), std::string::npos);
  EXPECT_THROW(Precision("low"), ValueError);
  EXPECT_THROW((Precision{"high"sv, "low"sv}), ValueError);
  EXPECT_THROW((Precision{"high"sv, "high"sv, "high"sv}), ValueError);
  EXPECT_THROW(Precision("TF32_TF32_F32"), NotImplementedError);
}

}  // namespace
}  // namespace cotan::primitive_test

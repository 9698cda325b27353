#include "base/promotion.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cotan/config.h"
#include "cotan/errors.h"

namespace cotan {
namespace {

LatticeType type_of(std::string s) {
  const bool weak = s.ends_with('*');
  if (weak) s.pop_back();
  DType d;
  EXPECT_TRUE(dtype_from_name(s.data(), s.size(), &d)) << s;
  return {d, weak};
}

std::string name_of(LatticeType t) { return dtype_name(t.dtype) + std::string(t.weak ? "*" : ""); }

TEST(Promotion, EqualsJax) {
  std::ifstream file(COTAN_SOURCE_DIR "/tests/golden/promotion.txt");
  ASSERT_TRUE(file.is_open());
  int checked = 0;
  for (std::string line; std::getline(file, line); ++checked) {
    std::istringstream words(line);
    std::vector<std::string> w;
    for (std::string word; words >> word;) w.push_back(word);
    const std::string expected = w.back();
    if (w[0] == "inexact") {
      EXPECT_STREQ(dtype_name(to_inexact_dtype(type_of(w[1]).dtype)), expected.c_str()) << line;
      continue;
    }
    const enable_x64 x64(w[0] == "1");
    std::vector<LatticeType> types;
    for (std::size_t i = 1; i + 1 < w.size(); ++i) types.push_back(type_of(w[i]));
    EXPECT_EQ(name_of(promote_types(types)), expected) << line;
    if (types.size() == 2) {
      EXPECT_EQ(name_of(promote_types(types[0], types[1])), expected) << line;
      continue;
    }
    std::swap(types[0], types[2]);
    EXPECT_EQ(name_of(promote_types(types)), expected) << line << " reversed";
  }
  EXPECT_EQ(checked, 1703);
}

TEST(Promotion, OneType) {
  const LatticeType weak_half{float16, true};
  EXPECT_EQ(promote_types({&weak_half, 1}), weak_half);
  EXPECT_THROW(promote_types(std::span<const LatticeType>{}), ValueError);
}

TEST(Promotion, KeysAndFloat0MixWithNothing) {
  for (const DType special : {DType::key_fry, DType::key_rbg, float0}) {
    const LatticeType t{special, false};
    EXPECT_EQ(promote_types(t, t), t);
    for (int i = 0; i < dtype_count; ++i) {
      const auto other = static_cast<DType>(i);
      if (other == special) continue;
      EXPECT_THROW(promote_types(t, {other, false}), TypeError);
      EXPECT_THROW(promote_types({other, true}, t), TypeError);
    }
  }
  try {
    promote_types({DType::key_fry, false}, {float32, true});
    FAIL();
  } catch (const TypeError& e) {
    EXPECT_EQ(
        e.message(),
        "types that do not promote to a common one: key<fry>, float32\nPRNG keys and float0 mix with no other type.");
  }
}

TEST(Promotion, CanonicalAndDefaultTypes) {
  {
    const enable_x64 off(false);
    EXPECT_EQ(canonical_dtype(int64), int32);
    EXPECT_EQ(canonical_dtype(uint64), uint32);
    EXPECT_EQ(canonical_dtype(float64), float32);
    EXPECT_EQ(canonical_dtype(complex128), complex64);
    EXPECT_EQ(canonical_dtype(int8), int8);
    EXPECT_EQ(canonical_dtype(DType::key_rbg), DType::key_rbg);
    EXPECT_EQ(default_int_dtype(), int32);
    EXPECT_EQ(default_float_dtype(), float32);
    EXPECT_EQ(default_complex_dtype(), complex64);
  }
  const enable_x64 on;
  for (int i = 0; i < dtype_count; ++i) EXPECT_EQ(canonical_dtype(static_cast<DType>(i)), static_cast<DType>(i));
  EXPECT_EQ(default_int_dtype(), int64);
  EXPECT_EQ(default_float_dtype(), float64);
  EXPECT_EQ(default_complex_dtype(), complex128);
}

}  // namespace
}  // namespace cotan

#include "cotan/dtype.h"

#include <gtest/gtest.h>

#include <string>

#include "cotan/aval.h"

namespace cotan {
namespace {

bool from_name(const std::string& s, DType* out) { return dtype_from_name(s.data(), s.size(), out); }

TEST(DType, NamesReadBack) {
  for (int i = 0; i < dtype_count; ++i) {
    const auto d = static_cast<DType>(i);
    DType back;
    ASSERT_TRUE(from_name(dtype_name(d), &back));
    EXPECT_EQ(back, d);
    ASSERT_TRUE(from_name(dtype_short_name(d), &back));
    EXPECT_EQ(back, d);
  }
  DType d = int8;
  for (const char* wrong : {"", "f", "f3", "f322", "Float32", "float", "int", "key", "key<", "float32 "}) {
    EXPECT_FALSE(from_name(wrong, &d)) << wrong;
  }
  EXPECT_EQ(d, int8);
}

TEST(DType, Spelling) {
  EXPECT_STREQ(dtype_name(bool_), "bool");
  EXPECT_STREQ(dtype_name(bfloat16), "bfloat16");
  EXPECT_STREQ(dtype_name(DType::key_unsafe_rbg), "key<urbg>");
  EXPECT_STREQ(dtype_short_name(bool_), "bool");
  EXPECT_STREQ(dtype_short_name(uint32), "u32");
  EXPECT_STREQ(dtype_short_name(complex128), "c128");
  EXPECT_STREQ(dtype_short_name(float0), "float0");
}

TEST(DType, KindsAreDisjoint) {
  for (int i = 0; i < dtype_count; ++i) {
    const auto d = static_cast<DType>(i);
    const int numbers = is_signed_integer(d) + is_unsigned_integer(d) + is_floating(d) + is_complex(d);
    const int kinds = (d == bool_) + numbers + (d == float0) + is_key(d);
    EXPECT_EQ(kinds, 1) << dtype_name(d);
    EXPECT_EQ(is_integer(d), is_signed_integer(d) || is_unsigned_integer(d));
    EXPECT_EQ(is_inexact(d), is_floating(d) || is_complex(d));
    EXPECT_EQ(tangent_dtype(d), is_inexact(d) ? d : float0);
  }
  EXPECT_EQ(item_size(float0), 0u);
  EXPECT_EQ(item_size(DType::key_fry), 8u);
  EXPECT_EQ(item_size(complex128), 16u);
}

TEST(Aval, Text) {
  EXPECT_EQ((Aval{{2, 3}, float32}).str(), "f32[2,3]");
  EXPECT_EQ((Aval{{}, int32, true}).str(), "i32[]");
  EXPECT_EQ((Aval{{7}, DType::key_fry}).str(), "key<fry>[7]");
}

TEST(Aval, Tangents) {
  EXPECT_EQ(tangent_aval({{2}, bfloat16, true}), (Aval{{2}, bfloat16, true}));
  EXPECT_EQ(tangent_aval({{2}, int32, true}), (Aval{{2}, float0, false}));
  EXPECT_EQ(tangent_aval({{0, 3}, DType::key_fry}), (Aval{{0, 3}, float0, false}));
  EXPECT_FALSE((Aval{{2}, float32, true}) == (Aval{{2}, float32, false}));
}

}  // namespace
}  // namespace cotan

#include "base/host_scalar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>
#include <vector>

#include "cotan/errors.h"

namespace cotan {
namespace {

DType type_named(const std::string& s) {
  DType d = float0;
  EXPECT_TRUE(dtype_from_name(s.data(), s.size(), &d)) << s;
  return d;
}

// Bits as in the golden file: hexadecimal, the highest byte first; the parts of a complex value with a comma.
HostScalar from_bits(const std::string& name, const std::string& hex) {
  const DType d = type_named(name);
  unsigned char bytes[16] = {};
  std::size_t at = 0;
  std::istringstream parts(hex);
  for (std::string part; std::getline(parts, part, ',');) {
    for (std::size_t i = part.size(); i > 0; i -= 2) {
      bytes[at++] = static_cast<unsigned char>(std::stoi(part.substr(i - 2, 2), nullptr, 16));
    }
  }
  EXPECT_EQ(at, item_size(d));
  return HostScalar::load(d, bytes);
}

TEST(HostScalar, EqualsJaxAndPython) {
  std::ifstream file(COTAN_SOURCE_DIR "/tests/golden/host_scalar.txt");
  ASSERT_TRUE(file.is_open());
  int conversions = 0, texts = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind, type, bits, a, b;
    words >> kind >> type >> bits >> a >> b;
    const HostScalar x = from_bits(type, bits);
    if (kind == "convert") {
      ++conversions;
      EXPECT_EQ(x.convert(type_named(a)), from_bits(a, b)) << line << " got " << x.convert(type_named(a)).exact_str();
    } else {
      ++texts;
      EXPECT_EQ(x.str(), a) << line;
      EXPECT_EQ(x.item_str(), b) << line;
      EXPECT_EQ(HostScalar::parse(a, x.dtype), x) << line;
      EXPECT_EQ(HostScalar::parse(b, x.dtype), x) << line;
      EXPECT_EQ(HostScalar::parse(x.exact_str(), x.dtype), x) << line;
    }
  }
  EXPECT_GT(conversions, 5000);
  EXPECT_GT(texts, 300);
}

TEST(HostScalar, ConstructorsKeepTheValue) {
  EXPECT_EQ(HostScalar().str(), "0.0");
  EXPECT_EQ(HostScalar(true).dtype, bool_);
  EXPECT_EQ(HostScalar(3).dtype, int64);
  EXPECT_EQ(HostScalar(short{-3}).as_int64(), -3);
  EXPECT_EQ(HostScalar(UINT64_MAX).str(), "18446744073709551615");
  EXPECT_EQ(HostScalar(0.5f).as_double(), 0.5);
  EXPECT_EQ(HostScalar(std::complex<double>(1, -2)).as_complex(), std::complex<double>(1, -2));
  EXPECT_EQ(HostScalar(2, bfloat16), HostScalar(2.0).convert(bfloat16));
  EXPECT_EQ(HostScalar(-1, uint8).as_int64(), 255);
  EXPECT_EQ(HostScalar(1e10, int32).as_int64(), INT32_MAX);
  std::int32_t out = 0;
  HostScalar(7, int32).store(&out);
  EXPECT_EQ(out, 7);
  EXPECT_EQ(HostScalar(7, int32).value<std::int32_t>(), 7);
}

TEST(HostScalar, ZeroAndNaN) {
  for (int i = 0; i < dtype_count; ++i) {
    const auto d = static_cast<DType>(i);
    if (is_key(d)) continue;
    EXPECT_TRUE(HostScalar(0, d).is_zero()) << dtype_name(d);
    EXPECT_EQ(HostScalar(1, d).is_zero(), d == float0) << dtype_name(d);
    EXPECT_EQ(HostScalar(NAN, d).is_nan(), is_inexact(d)) << dtype_name(d);
  }
  EXPECT_TRUE(HostScalar(-0.0).is_zero());
  EXPECT_NE(HostScalar(-0.0), HostScalar(0.0));
  EXPECT_FALSE(HostScalar(std::complex<double>(0, 1)).is_zero());
  EXPECT_FALSE(HostScalar(std::complex<double>(0, 1)).convert(bool_).is_zero());
  EXPECT_TRUE(HostScalar(std::complex<double>(0, NAN)).is_nan());
  EXPECT_NE(HostScalar(1, int32), HostScalar(1, uint32));
}

TEST(HostScalar, KeysAndFloat0) {
  const std::uint32_t words[4] = {1, 2, 0xffffffff, 4};
  const HostScalar fry = HostScalar::load(DType::key_fry, words), rbg = HostScalar::load(DType::key_rbg, words);
  EXPECT_EQ(fry.str(), "0x0000000100000002");
  EXPECT_EQ(HostScalar::parse(fry.str(), fry.dtype), fry);
  EXPECT_EQ(HostScalar::parse(rbg.str(), rbg.dtype), rbg);
  EXPECT_THROW(HostScalar::parse(rbg.str(), fry.dtype), ValueError);
  EXPECT_THROW(fry.convert(uint32), TypeError);
  EXPECT_THROW(fry.convert(DType::key_rbg), TypeError);
  EXPECT_THROW(HostScalar(1, DType::key_fry), TypeError);
  EXPECT_FALSE(HostScalar::load(DType::key_fry, std::vector<char>(8).data()).is_zero());
  const HostScalar nothing(5.0, float0);
  EXPECT_EQ(HostScalar::parse(nothing.str(), float0), nothing);
  EXPECT_EQ(nothing.convert(float32), HostScalar(0.0, float32));
}

TEST(HostScalar, NaNKeepsItsBitsInTheExactText) {
  EXPECT_EQ(HostScalar(NAN, float32).exact_str(), "nan");
  const HostScalar odd(std::bit_cast<double>(0xfff8000000000123u));
  EXPECT_EQ(odd.str(), "nan");
  EXPECT_EQ(odd.exact_str(), "nan(0xfff8000000000123)");
  EXPECT_EQ(HostScalar::parse(odd.exact_str(), float64), odd);
  const HostScalar half = HostScalar(-NAN, float16);
  EXPECT_EQ(HostScalar::parse(half.exact_str(), float16), half);
  const HostScalar z(
      std::complex<double>(std::bit_cast<double>(0xfff8000000000123u), std::bit_cast<double>(0xfff8000000000001u)));
  EXPECT_EQ(HostScalar::parse(z.exact_str(), complex128), z);
  EXPECT_THROW(HostScalar::parse("nan(0x3f800000)", float32), ValueError);
  EXPECT_THROW(HostScalar::parse("nan(0x7fc0)", float32), ValueError);
}

TEST(HostScalar, EveryHalfReadsBackAndIsShortest) {
  for (const DType d : {bfloat16, float16}) {
    for (unsigned b = 0; b < 0x10000; ++b) {
      const HostScalar x = HostScalar::load(d, &b);
      const std::string text = x.exact_str();
      ASSERT_EQ(HostScalar::parse(text, d), x) << text;
      ASSERT_EQ(HostScalar::parse(x.item_str(), d).str(), x.str());
      ASSERT_LE(std::count_if(text.begin(), text.end(), [](char c) { return c != '0'; }), 14) << text;
    }
  }
}

TEST(HostScalar, RandomBitsReadBack) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t words[2] = {random(), random()};
    for (const DType d : {float32, float64, complex64, complex128, int64, uint64}) {
      const HostScalar x = HostScalar::load(d, words);
      ASSERT_EQ(HostScalar::parse(x.exact_str(), d), x) << x.exact_str();
    }
  }
}

TEST(HostScalar, WhatParseRefuses) {
  const struct {
    const char* text;
    DType dtype;
  } cases[] = {
      {"", float32},
      {"x", float32},
      {"1.0x", float32},
      {"--1", float32},
      {"+-1", float32},
      {" 1", float32},
      {"1.5", int32},
      {"128", int8},
      {"-129", int8},
      {"-1", uint8},
      {"256", uint8},
      {"9223372036854775808", int64},
      {"18446744073709551616", uint64},
      {"", int32},
      {"1", bool_},
      {"true", bool_},
      {"", bool_},
      {"(1+2j", complex64},
      {"1+2", complex64},
      {"1+j", complex64},
      {"(1 + 2j)", complex64},
      {"12j)", complex64},
      {"1.0", float0},
      {"0x12", DType::key_fry},
      {"0x00000001 0000002", DType::key_fry},
  };
  for (const auto& c : cases)
    EXPECT_THROW(HostScalar::parse(c.text, c.dtype), ValueError) << c.text << " " << dtype_name(c.dtype);
  EXPECT_EQ(HostScalar::parse("+1e3", float32).as_double(), 1000);
  EXPECT_EQ(HostScalar::parse("1e400", float64).as_double(), INFINITY);
  EXPECT_EQ(HostScalar::parse("-1e-400", float64), HostScalar(-0.0));
  EXPECT_EQ(HostScalar::parse("-128", int8).as_int64(), -128);
  EXPECT_EQ(HostScalar::parse("1+2j", complex64), HostScalar(std::complex<double>(1, 2), complex64));
  EXPECT_EQ(HostScalar::parse("3", complex64), HostScalar(3.0, complex64));
  try {
    HostScalar::parse("abc", int8);
    FAIL();
  } catch (const ValueError& e) { EXPECT_EQ(e.message(), "'abc' is no value of type int8"); }
}

}  // namespace
}  // namespace cotan

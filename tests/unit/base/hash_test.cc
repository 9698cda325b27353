#include "base/hash.h"

#include <gtest/gtest.h>

#include <string>
#include <unordered_set>

namespace cotan {
namespace {

std::uint64_t hash_of(std::initializer_list<std::uint64_t> words) {
  Hasher h;
  for (std::uint64_t w : words) h.add(w);
  return h.value();
}

std::uint64_t hash_of(const std::string& s) {
  Hasher h;
  h.add_bytes(s.data(), s.size());
  return h.value();
}

TEST(Hasher, OrderLengthAndSeedMatter) {
  EXPECT_EQ(hash_of({1, 2}), hash_of({1, 2}));
  EXPECT_NE(hash_of({1, 2}), hash_of({2, 1}));
  EXPECT_NE(hash_of({}), hash_of({0}));
  EXPECT_NE(hash_of({0}), hash_of({0, 0}));
  EXPECT_NE(Hasher(1).value(), Hasher(2).value());
  EXPECT_NE(hash_of("abcdefgh"), hash_of(std::string("abcdefgh\0", 9)));
  Hasher ab_c, a_bc;
  ab_c.add_bytes("ab", 2);
  ab_c.add_bytes("c", 1);
  a_bc.add_bytes("a", 1);
  a_bc.add_bytes("bc", 2);
  EXPECT_NE(ab_c.value(), a_bc.value());
}

TEST(Hasher, EveryInputBitFlipsHalfOfTheOutput) {
  constexpr int samples = 2000;
  for (int words = 1; words <= 3; ++words) {
    for (int bit = 0; bit < 64; ++bit) {
      int flips[64] = {};
      for (int i = 0; i < samples; ++i) {
        Hasher a, b;
        const auto x = static_cast<std::uint64_t>(i);
        a.add(x);
        b.add(x ^ std::uint64_t{1} << bit);
        for (int w = 1; w < words; ++w) {
          a.add(7);
          b.add(7);
        }
        const std::uint64_t d = a.value() ^ b.value();
        for (int o = 0; o < 64; ++o) flips[o] += d >> o & 1;
      }
      for (int o = 0; o < 64; ++o) {  // six standard deviations
        ASSERT_NEAR(flips[o], samples / 2, 6 * 22.4)
            << "words " << words << " input bit " << bit << " output bit " << o;
      }
    }
  }
}

TEST(Hasher, SmallInputsDoNotCollide) {
  std::unordered_set<std::uint64_t> seen, low;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    for (std::uint64_t j = 0; j < 300; ++j) {
      const std::uint64_t h = hash_of({i, j});
      EXPECT_TRUE(seen.insert(h).second) << i << " " << j;
      low.insert(h & 0xffffff);
    }
  }
  // 300000 into 2^24: 297335 distinct values are expected of a random function.
  EXPECT_NEAR(static_cast<double>(low.size()), 297335, 400);
}

}  // namespace
}  // namespace cotan

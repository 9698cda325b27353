// What is said of boxes, against their elements one by one.
#include "kernel/boxes.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace cotan::kernel::test {
namespace {

std::vector<std::int64_t> elements(const Box& b) {
  std::vector<std::int64_t> all;
  const std::int64_t n = b.extents.product();
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t at = b.offset, rest = i;
    for (int l = b.extents.length() - 1; l >= 0; --l) at += rest % b.extents[l] * b.strides[l], rest /= b.extents[l];
    all.push_back(at);
  }
  return all;
}

class Boxes {
 public:
  explicit Boxes(unsigned seed) : random_(seed) {}
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }
  Dims shape() {
    Dims s;
    for (std::int64_t n = 1 + below(3); n > 0; --n) s.push_back(1 + below(6));
    return s;
  }
  // Some of an array of this shape: a slice of each dimension, with steps, perhaps backwards.
  Box part(const Dims& shape, bool backwards) {
    const Dims weights = row_major_strides(shape);
    Box b;
    for (int d = 0; d < shape.length(); ++d) {
      const std::int64_t first = below(shape[d]), step = 1 + below(5) / 4, most = (shape[d] - 1 - first) / step + 1,
                         n = 1 + below(most);
      const bool turn = backwards && below(4) == 0;
      b.offset += (first + (turn ? (n - 1) * step : 0)) * weights[d];
      b.extents.push_back(n);
      b.strides.push_back((turn ? -step : step) * weights[d]);
    }
    return b;
  }

 private:
  std::mt19937_64 random_;
};

bool shares(const Box& a, const Box& b) {
  const auto x = elements(a);
  const std::set<std::int64_t> of_a(x.begin(), x.end());
  for (std::int64_t e : elements(b))
    if (of_a.contains(e)) return true;
  return false;
}

TEST(Boxes, DisjointOnesShareNothing) {
  int apart = 0, seen = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    Boxes r(seed);
    const Dims shape = r.shape();
    const Box a = r.part(shape, false), b = r.part(shape, true);
    EXPECT_TRUE(is_part(a)) << seed;
    const bool share = shares(a, b);
    if (disjoint(a, b)) {
      EXPECT_FALSE(share) << seed;
      ++seen;
    }
    apart += !share;
  }
  EXPECT_GT(seen, apart * 3 / 4);
}

TEST(Boxes, IterationsInParts) {
  int exact = 0, all = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    Boxes r(seed);
    const Dims shape = r.shape();
    const Box part = r.part(shape, false);
    Box access = r.part(shape, true);
    if (r.below(3) == 0) access.extents.push_back(3), access.strides.push_back(0);  // three times each
    const auto inside = elements(part), e = elements(access);
    const std::set<std::int64_t> of_part(inside.begin(), inside.end());
    const auto count = std::count_if(e.begin(), e.end(), [&](std::int64_t x) { return of_part.contains(x); });
    const std::int64_t said = iterations_in(access, part);
    EXPECT_GE(said, count) << seed;
    EXPECT_LE(said, static_cast<std::int64_t>(e.size())) << seed;
    exact += said == count;
    ++all;
  }
  EXPECT_GT(exact, all * 3 / 4);
}

// Cut again and again, an access is in pieces that are inside or outside.
TEST(Boxes, CutsEndAtTheBorders) {
  int clean = 0, all = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    Boxes r(seed);
    const Dims shape = r.shape();
    Box part = r.part(shape, false);
    const Dims weights = row_major_strides(shape);
    part.strides = weights;
    if (elements(part).back() >= shape.product()) continue;
    std::vector<Box> pieces{r.part(shape, true)};
    const std::size_t before = elements(pieces[0]).size();
    std::size_t after = 0;
    bool is_clean = true;
    while (!pieces.empty()) {
      Box b = pieces.back();
      pieces.pop_back();
      const auto cut = disjoint(b, part) ? std::nullopt : cut_at(b, part);
      if (cut) {
        Box low{b.offset, cut->loops, split_strides(b.extents, cut->loops, b.strides)}, high = low;
        ASSERT_GT(cut->at, 0) << seed;
        ASSERT_LT(cut->at, low.extents[cut->loop]) << seed;
        low.extents[cut->loop] = cut->at;
        high.extents[cut->loop] -= cut->at;
        high.offset += cut->at * high.strides[cut->loop];
        pieces.push_back(low), pieces.push_back(high);
        continue;
      }
      const auto e = elements(b), inside = elements(part);
      after += e.size();
      const std::set<std::int64_t> of_part(inside.begin(), inside.end());
      const auto common = static_cast<std::size_t>(
          std::count_if(e.begin(), e.end(), [&](std::int64_t x) { return of_part.contains(x); }));
      is_clean &= common == 0 || common == e.size();
    }
    EXPECT_EQ(after, before) << seed;
    clean += is_clean;
    ++all;
  }
  EXPECT_GT(clean, all * 3 / 4);
}

TEST(Boxes, PartsTellTheIndex) {
  EXPECT_TRUE(is_part({0, {3, 4}, {8, 1}}));
  EXPECT_TRUE(is_part({0, {3, 1, 4}, {8, 0, 2}}));
  EXPECT_FALSE(is_part({0, {4, 3}, {1, 8}}));  // not in order
  EXPECT_FALSE(is_part({0, {3, 4}, {3, 1}}));  // one element at two indices
  EXPECT_FALSE(is_part({3, {4}, {-1}}));
  EXPECT_FALSE(is_part({0, {0}, {1}}));
  EXPECT_TRUE(is_part({7, {}, {}}));
}

}  // namespace
}  // namespace cotan::kernel::test

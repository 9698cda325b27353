#include "base/small_vec.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace cotan {
namespace {

// Counts the living, and throws at the copy that brings `fuse` to zero.
struct Tracked {
  static inline int alive = 0, fuse = -1;
  std::unique_ptr<int> value;
  static void burn() {
    if (fuse >= 0 && fuse-- == 0) throw std::runtime_error("copy");
  }
  Tracked(int v = 0) : value((burn(), std::make_unique<int>(v))) { ++alive; }
  Tracked(const Tracked& o) : value((burn(), std::make_unique<int>(*o.value))) { ++alive; }
  Tracked(Tracked&& o) noexcept : value(std::move(o.value)) { ++alive; }
  Tracked& operator=(const Tracked&) = delete;
  Tracked& operator=(Tracked&&) = delete;
  ~Tracked() { --alive; }
};
using Vec = SmallVec<Tracked, 3>;

Vec range(int n) {
  Vec v;
  for (int i = 0; i < n; ++i) v.emplace_back(i);
  return v;
}

void expect_range(const Vec& v, int n) {
  ASSERT_EQ(v.size(), static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) EXPECT_EQ(*v[static_cast<std::size_t>(i)].value, i);
}

struct SmallVecTest : testing::Test {
  void TearDown() override {
    Tracked::fuse = -1;
    EXPECT_EQ(Tracked::alive, 0);
  }
};

TEST_F(SmallVecTest, CopiesAndMovesOfEveryLength) {
  for (int n = 0; n < 9; ++n) {
    for (int m = 0; m < 9; ++m) {
      Vec a = range(n), b = range(m);
      b = a;
      expect_range(b, n);
      Vec c = range(m);
      c = std::move(a);
      expect_range(c, n);
      EXPECT_TRUE(a.empty());
      a.emplace_back(0);
      expect_range(a, 1);
      Vec& self = c;
      c = self;
      c = std::move(self);
      expect_range(c, n);
    }
  }
}

TEST_F(SmallVecTest, AnElementOfItselfCanBeAdded) {
  Vec v = range(1);
  for (int i = 0; i < 20; ++i) v.push_back(v[0]);
  for (const Tracked& t : v) EXPECT_EQ(*t.value, 0);
  SmallVec<std::string, 2> s{"a long string that is on the heap", "b"};
  for (int i = 0; i < 20; ++i) s.push_back(s[0]);
  EXPECT_EQ(s.back(), s[0]);
}

TEST_F(SmallVecTest, ResizeAndPop) {
  Vec v = range(2);
  v.resize(7);
  EXPECT_EQ(*v[1].value, 1);
  EXPECT_EQ(*v[6].value, 0);
  v.resize(2);
  expect_range(v, 2);
  v.pop_back();
  expect_range(v, 1);
  v.clear();
  EXPECT_TRUE(v.empty());
  EXPECT_EQ(SmallVec<int>(3, 9).back(), 9);
  EXPECT_EQ(SmallVec<void*>(3)[2], nullptr);
}

// Wherever a copy throws, nothing leaks and what was there before is unharmed.
TEST_F(SmallVecTest, ThrowingCopies) {
  for (int n = 1; n < 9; ++n) {
    for (int at = 0; at < n; ++at) {
      const Vec source = range(n);
      Tracked::fuse = at;
      EXPECT_THROW(Vec{source}, std::runtime_error);
      Tracked::fuse = at;
      EXPECT_THROW(Vec(std::span<const Tracked>(source)), std::runtime_error);
      Vec target = range(2);
      Tracked::fuse = at;
      EXPECT_THROW(target = source, std::runtime_error);
      expect_range(target, 2);
      Tracked::fuse = at;
      EXPECT_THROW(Vec(static_cast<std::size_t>(n)), std::runtime_error);
      Tracked::fuse = -1;
      const Tracked one(5);
      Tracked::fuse = at;
      EXPECT_THROW(Vec(static_cast<std::size_t>(n), one), std::runtime_error);
      Tracked::fuse = -1;
    }
    Vec v = range(n);
    Tracked::fuse = 0;
    EXPECT_THROW(v.push_back(v[0]), std::runtime_error);
    Tracked::fuse = -1;
    expect_range(v, n);
  }
}

TEST_F(SmallVecTest, MoveOnlyAndOverAligned) {
  SmallVec<std::unique_ptr<int>, 1> p;
  for (int i = 0; i < 5; ++i) p.push_back(std::make_unique<int>(i));
  SmallVec<std::unique_ptr<int>, 1> q(std::move(p));
  EXPECT_EQ(*q[4], 4);
  struct alignas(64) Wide {
    int v;
  };
  SmallVec<Wide, 1> w;
  for (int i = 0; i < 5; ++i) w.emplace_back(i);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&w[static_cast<std::size_t>(i)]) % 64, 0u);
    EXPECT_EQ(w[static_cast<std::size_t>(i)].v, i);
  }
}

}  // namespace
}  // namespace cotan

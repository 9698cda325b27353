#include "cotan/shape.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "cotan/errors.h"

namespace cotan {
namespace {

std::vector<std::int64_t> entries(const IntList& l) { return {l.begin(), l.end()}; }

IntList list_of(int n) { return IntList::range(n); }

TEST(IntList, Construction) {
  EXPECT_TRUE(IntList().empty());
  const std::vector<std::int64_t> v{5, 6};
  EXPECT_EQ(entries(IntList{v.size(), 3, short{4}}), (std::vector<std::int64_t>{2, 3, 4}));
  EXPECT_EQ(entries(IntList(v)), v);
  EXPECT_EQ(entries(IntList::filled(8, -1)), std::vector<std::int64_t>(8, -1));
  EXPECT_EQ(entries(IntList::range(7)), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(IntList(nullptr, 0), IntList());
}

TEST(IntList, CopiesAndMovesOfEveryLength) {
  for (int n = 0; n < 20; ++n) {
    const std::vector<std::int64_t> expected = entries(list_of(n));
    for (int m = 0; m < 20; ++m) {
      IntList a = list_of(n), b = list_of(m);
      b = a;
      EXPECT_EQ(entries(b), expected);
      IntList c = list_of(m);
      c = std::move(a);
      EXPECT_EQ(entries(c), expected);
      EXPECT_TRUE(a.empty());
      a.push_back(4);  // a list that was moved from is an empty list
      EXPECT_EQ(a, IntList{4});
    }
    IntList a = list_of(n);
    IntList b(std::move(a));
    EXPECT_EQ(entries(b), expected);
    IntList& self = b;
    b = self;
    EXPECT_EQ(entries(b), expected);
    b = std::move(self);
    EXPECT_EQ(entries(b), expected);
  }
}

TEST(IntList, InsertAndEraseAgreeWithVector) {
  for (int n = 0; n < 15; ++n) {
    for (int at = 0; at <= n; ++at) {
      IntList l = list_of(n);
      std::vector<std::int64_t> v = entries(l);
      l.insert(at, 99);
      v.insert(v.begin() + at, 99);
      EXPECT_EQ(entries(l), v);
      EXPECT_TRUE(l.contains(99));
      l.erase(at);
      EXPECT_EQ(l, list_of(n));
      EXPECT_FALSE(l.contains(99));
    }
  }
}

TEST(IntList, TextAndProduct) {
  EXPECT_EQ(IntList().str(), "()");
  EXPECT_EQ(IntList{2}.str(), "(2,)");
  EXPECT_EQ((IntList{2, -3}).str(), "(2, -3)");
  EXPECT_EQ(IntList().product(), 1);
  EXPECT_EQ((IntList{2, -3}).product(), -6);
  EXPECT_EQ((IntList{INT64_MAX, 1}).product(), INT64_MAX);
  EXPECT_EQ((IntList{INT64_MAX, INT64_MAX, 0}).product(), 0);
  EXPECT_EQ((IntList{0, INT64_MAX, 2}).product(), 0);
  EXPECT_THROW((IntList{std::int64_t{1} << 32, std::int64_t{1} << 31}).product(), ValueError);
}

TEST(IntList, Equality) {
  EXPECT_EQ((IntList{1, 2}), (IntList{1, 2}));
  EXPECT_NE((IntList{1, 2}), (IntList{1, 3}));
  EXPECT_NE((IntList{1, 2}), (IntList{1, 2, 3}));
  IntList grown = list_of(10);
  while (grown.length() > 2) grown.erase(2);
  EXPECT_EQ(grown, list_of(2));  // on the heap, against inside
}

TEST(Shape, Basics) {
  const Shape s{2, 3};
  EXPECT_EQ(s.ndim(), 2);
  EXPECT_EQ(s.size(), 6);
  EXPECT_EQ(Shape(5), Shape{5});
  EXPECT_EQ(Shape().size(), 1);
  EXPECT_EQ(Shape(IntList::filled(9, 1)).size(), 1);
}

}  // namespace
}  // namespace cotan

#include "base/lru.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace cotan {
namespace {

TEST(Lru, TheLeastRecentlyUsedGoes) {
  LruTable<std::string, int> t(2);
  EXPECT_TRUE(t.insert("a", 1).empty());
  EXPECT_TRUE(t.insert("b", 2).empty());
  ASSERT_NE(t.find("a"), nullptr);
  const auto gone = t.insert("c", 3);
  ASSERT_EQ(gone.size(), 1u);
  EXPECT_EQ(gone.front().first, "b");
  EXPECT_EQ(t.find("b"), nullptr);
  EXPECT_EQ(*t.find("a"), 1);
  EXPECT_EQ(*t.find("c"), 3);
}

TEST(Lru, TheFirstValueOfAKeyStays) {
  LruTable<std::string, int> t(2);
  EXPECT_TRUE(t.insert("a", 1).empty());
  EXPECT_TRUE(t.insert("a", 2).empty());
  EXPECT_EQ(*t.find("a"), 1);
  EXPECT_EQ(t.size(), 1u);
}

TEST(Lru, TheCallerDestroysWhatGoes) {
  LruTable<int, std::shared_ptr<int>> t(1);
  const auto value = std::make_shared<int>(1);
  EXPECT_TRUE(t.insert(1, value).empty());
  {
    const auto gone = t.insert(2, nullptr);
    EXPECT_EQ(value.use_count(), 2);
  }
  EXPECT_EQ(value.use_count(), 1);
  EXPECT_EQ(t.clear().size(), 1u);
  EXPECT_EQ(t.find(2), nullptr);
  EXPECT_EQ(t.size(), 0u);
}

}  // namespace
}  // namespace cotan

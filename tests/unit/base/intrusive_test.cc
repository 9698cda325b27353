#include "base/intrusive.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace cotan {
namespace {

struct Base : RefCounted {
  explicit Base(int* alive) : alive_(alive) { ++*alive; }
  Base(const Base& o) : RefCounted(o), alive_(o.alive_) { ++*alive_; }
  Base& operator=(const Base&) = default;
  ~Base() override { --*alive_; }
  int* alive_;
};
struct Derived : Base {
  using Base::Base;
};

constinit Ref<Base> null_at_start;

TEST(Ref, OwnsAndGivesUp) {
  int alive = 0;
  {
    Ref<Derived> a = make_ref<Derived>(&alive);
    EXPECT_TRUE(a->has_one_owner());
    Ref<Base> b = a;
    EXPECT_EQ(a->ref_count(), 2u);
    EXPECT_TRUE(b == Ref<Base>(a.get()));
    Ref<Base> c = std::move(a);
    EXPECT_FALSE(a);
    EXPECT_EQ(c->ref_count(), 2u);
    b = nullptr;
    EXPECT_TRUE(c->has_one_owner());
    Ref<Base>& self = c;
    c = self;
    c = std::move(self);
    EXPECT_EQ(alive, 1);
    Base* raw = c.release();
    EXPECT_FALSE(c);
    c = Ref<Base>::adopt(raw);
    EXPECT_EQ(c->ref_count(), 1u);
    c.reset();
    EXPECT_EQ(alive, 0);
  }
  EXPECT_FALSE(null_at_start);
}

TEST(Ref, CopyOfTheObjectHasItsOwnCount) {
  int alive = 0;
  {
    const Ref<Base> a = make_ref<Base>(&alive), also_a = a;
    const Ref<Base> copy = make_ref<Base>(*a);
    EXPECT_EQ(copy->ref_count(), 1u);
    *copy = *a;
    EXPECT_EQ(copy->ref_count(), 1u);
    EXPECT_EQ(alive, 2);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Ref, ManyThreads) {
  int alive = 0;
  {
    const Ref<Base> shared = make_ref<Base>(&alive);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([mine = shared] {
        std::vector<Ref<Base>> copies;
        for (int i = 0; i < 10000; ++i) copies.push_back(mine);
      });
    }
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(shared->ref_count(), 1u);
  }
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace cotan

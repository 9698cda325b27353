// What a process sees of the threads.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/interrupt.h"
#include "cotan/cotan.h"
#include "processes.h"

namespace cotan {
namespace {

namespace jnp = numpy;

float all_of_it(const Array& x) { return jnp::sum(jnp::sin(jnp::matmul(x, x)) + jnp::transpose(x)).item<float>(); }

TEST(Threads, NoneForWhatIsSmall) {
  COTAN_NEEDS_FORK;
  EXPECT_TRUE(in_child([] {
    const ScopedNumThreads several(4);
    const Array x = jnp::ones({8});
    (void)(jnp::sin(x) + x * 2 + jnp::sum(x));
    (void)jit([](const Array& v) { return jnp::sum(jnp::exp(v) * v); })(x);
    (void)jnp::matmul(jnp::ones({4, 4}), jnp::ones({4, 4}));
    const bool small = threads_of_process() == 1;
    (void)all_of_it(jnp::ones({1000, 1000}));
    return small && threads_of_process() == 4;
  }));
}

TEST(Threads, NoneWhereOneIsAskedFor) {
  COTAN_NEEDS_FORK;
  EXPECT_TRUE(in_child([] {
    set_num_threads(1);
    (void)all_of_it(jnp::ones({1000, 1000}));
    return threads_of_process() == 1;
  }));
}

TEST(Threads, AfterFork) {
  COTAN_NEEDS_FORK;
  const ScopedNumThreads several(3);
  const Array x = jnp::linspace(0, 1, 250'000).reshape({500, 500});
  const float want = all_of_it(x);
  EXPECT_TRUE(in_child([&] { return all_of_it(x) == want && threads_of_process() == 3; }));
  EXPECT_EQ(all_of_it(x), want);
}

TEST(Threads, CallersBesideEachOther) {
  const Array x = jnp::linspace(0, 1, 90'000).reshape({300, 300});
  set_num_threads(3);
  const float want = all_of_it(x);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([&] {
      for (int i = 0; i < 20; ++i) wrong += all_of_it(x) != want;
    });
  for (auto& t : callers) t.join();
  EXPECT_EQ(wrong, 0);
  set_num_threads(2);
}

struct GivenUp {};

TEST(Threads, WorkThatIsGivenUpLeavesNothingBehind) {
  const ScopedNumThreads several(3);
  const Array x = jnp::linspace(0, 1, 4'000'000).reshape({2000, 2000});
  const Array whole = jnp::ones({2000, 2000}).astype(DType::int32);
  static std::atomic<int> asked;
  asked = 0;
  set_interrupt_check([] {
    if (++asked >= 2) throw GivenUp();
  });
  EXPECT_THROW((void)jnp::matmul(whole, whole), GivenUp);
  asked = 0;
  EXPECT_THROW((void)jnp::sort(jnp::broadcast_to(x, {4, 2000, 2000}), 1), GivenUp);
  set_interrupt_check(nullptr);
  EXPECT_EQ(jnp::sum(whole).item<std::int32_t>(), 4'000'000);
}

}  // namespace
}  // namespace cotan

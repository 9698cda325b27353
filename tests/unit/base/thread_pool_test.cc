#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/interrupt.h"
#include "cotan/config.h"
#include "cotan/errors.h"
#include "processes.h"

namespace cotan {
namespace {

using namespace std::chrono_literals;

void count_each(std::int64_t n) {
  std::vector<std::atomic<int>> calls(static_cast<std::size_t>(n));
  parallel_for(n, [&](std::int64_t i) { ++calls[static_cast<std::size_t>(i)]; });
  for (const auto& c : calls) ASSERT_EQ(c, 1);
}

TEST(ThreadPool, EachIndexOnce) {
  for (int threads : {1, 2, 7}) {
    const ScopedNumThreads scope(threads);
    for (int repeat = 0; repeat < 200; ++repeat)
      for (std::int64_t n : {0, 1, 2, 3, 8, 31}) count_each(n);
    count_each(100'000);
  }
}

TEST(ThreadPool, RangesMakeUpTheWhole) {
  for (int threads : {1, 2, 7}) {
    const ScopedNumThreads scope(threads);
    for (std::int64_t n : {0, 1, 63, 64, 65, 1000, 12'345}) {
      for (std::int64_t grain : {1, 64, 5000}) {
        for (double ns : {0.0, 1e4, 1e6, 1e9}) {
          std::vector<std::atomic<int>> calls(static_cast<std::size_t>(n));
          const auto body = [&](std::int64_t first, std::int64_t last) {
            EXPECT_TRUE(first % grain == 0 && (last % grain == 0 || last == n) && first < last);
            for (std::int64_t i = first; i < last; ++i) ++calls[static_cast<std::size_t>(i)];
          };
          parallel_ranges(n, grain, ns, body);
          parallel_ranges_timed(n, grain, body);
          for (const auto& c : calls) ASSERT_EQ(c, 2);
        }
      }
    }
  }
}

TEST(ThreadPool, NoMoreThreadsThanAskedFor) {
  for (int threads : {7, 3, 1, 2}) {
    const ScopedNumThreads scope(threads);
    std::atomic<int> inside{0}, most{0};
    for (int repeat = 0; repeat < 20; ++repeat)
      parallel_for(50, [&](std::int64_t) {
        const int now = ++inside;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {}
        std::this_thread::sleep_for(50us);
        --inside;
      });
    EXPECT_LE(most, threads);
    EXPECT_GE(most, threads > 1 ? 2 : 1);
  }
}

TEST(ThreadPool, NoThreadsUntilOneIsNeeded) {
  COTAN_NEEDS_FORK;
  EXPECT_TRUE(in_child([] {
    bool good = threads_of_process() == 1;
    {
      const ScopedNumThreads one(1);
      parallel_for(100, [](std::int64_t) {});
    }
    const ScopedNumThreads several(4);
    parallel_for(1, [](std::int64_t) {});
    parallel_ranges(1000, 1, 100, [](std::int64_t, std::int64_t) {});
    for (int i = 0; i < 10; ++i) parallel_ranges(3, 1, 9000, [](std::int64_t, std::int64_t) {});
    good &= threads_of_process() == 1;
    parallel_ranges(3, 1, 9000, [](std::int64_t, std::int64_t) {});  // the work of a while
    good &= threads_of_process() == 2;
    parallel_for(3, [](std::int64_t) {});
    return good && threads_of_process() == 3;
  }));
}

TEST(ThreadPool, LoopsInsideLoopsRunOnTheirThread) {
  const ScopedNumThreads scope(4);
  std::atomic<int> calls{0};
  parallel_for(8, [&](std::int64_t) {
    EXPECT_EQ(usable_threads(), 1);
    const auto here = std::this_thread::get_id();
    parallel_for(5, [&](std::int64_t) {
      EXPECT_EQ(std::this_thread::get_id(), here);
      ++calls;
    });
  });
  EXPECT_EQ(calls, 40);
  EXPECT_EQ(usable_threads(), 4);
}

TEST(ThreadPool, ExceptionsComeToTheCaller) {
  const ScopedNumThreads scope(4);
  for (int repeat = 0; repeat < 100; ++repeat) {
    std::atomic<int> calls{0};
    const auto body = [&](std::int64_t i) {
      ++calls;
      if (i % 3 == 1) throw std::runtime_error(std::to_string(i));
    };
    EXPECT_THROW(parallel_for(1'000'000, body), std::runtime_error);
    EXPECT_LT(calls, 1'000'000);
    EXPECT_EQ(usable_threads(), 4);
    count_each(20);
  }
  EXPECT_THROW(parallel_for(4, [](std::int64_t) { throw ValueError("bad"); }), ValueError);
}

TEST(ThreadPool, CallersBesideEachOther) {
  set_num_threads(3);
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([] {
      for (int i = 0; i < 500; ++i) count_each(i % 40);
    });
  for (auto& t : callers) t.join();
  set_num_threads(2);
}

TEST(ThreadPool, AfterForkThereAreOthers) {
  COTAN_NEEDS_FORK;
  const ScopedNumThreads scope(3);
  count_each(100);
  EXPECT_TRUE(in_child([] {
    bool good = threads_of_process() == 1;
    for (int i = 0; i < 100; ++i) {
      std::atomic<int> calls{0};
      parallel_for(50, [&](std::int64_t) { ++calls; });
      good &= calls == 50;
    }
    return good && threads_of_process() == 3;
  }));
  count_each(100);
}

std::atomic<bool> give_up{false};
struct GivenUp {};

// An interruption ends long bodies that poll, on whichever thread they are, and soon.
TEST(ThreadPool, AnInterruptionEndsBodiesOnOtherThreads) {
  const ScopedNumThreads scope(3);
  const auto caller = std::this_thread::get_id();
  static std::thread::id asked;
  set_interrupt_check([] {
    asked = std::this_thread::get_id();
    if (give_up) throw GivenUp();
  });
  for (bool caller_works : {true, false}) {
    give_up = false;
    std::chrono::steady_clock::time_point sent;
    std::thread sender([&] {
      std::this_thread::sleep_for(50ms);
      sent = std::chrono::steady_clock::now();
      give_up = true;
    });
    EXPECT_THROW(parallel_for(3,
                              [&](std::int64_t) {
                                if (!caller_works && std::this_thread::get_id() == caller) {
                                  std::this_thread::sleep_for(5ms);
                                  return;
                                }
                                const auto end = std::chrono::steady_clock::now() + 30s;
                                while (std::chrono::steady_clock::now() < end) poll_interrupt();
                              }),
                 GivenUp);
    sender.join();
    EXPECT_LT(std::chrono::steady_clock::now() - sent, std::getenv("COTAN_BUSY") ? 2s : 500ms);
    EXPECT_EQ(asked, caller);
  }
  set_interrupt_check(nullptr);
  count_each(50);
}

TEST(NumThreads, ScopesSettingsAndTheEnvironment) {
  EXPECT_THROW(set_num_threads(0), ValueError);
  EXPECT_THROW(set_num_threads(-1), ValueError);
  EXPECT_THROW(ScopedNumThreads(most_threads + 1), ValueError);
  set_num_threads(5);
  EXPECT_EQ(num_threads(), 5);
  {
    const ScopedNumThreads three(3);
    const ScopedNumThreads two(2);
    set_num_threads(4);
    EXPECT_EQ(num_threads(), 2);
    int other = 0;
    std::thread([&] { other = num_threads(); }).join();
    EXPECT_EQ(other, 4);
  }
  EXPECT_EQ(num_threads(), 4);
  set_num_threads(2);
}

}  // namespace
}  // namespace cotan

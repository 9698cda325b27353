#include "base/thread_pool.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <exception>
#include <memory>

#include "base/interrupt.h"
#include "cotan/config.h"

namespace cotan {

namespace {

constexpr std::size_t line = 64;
// An idle thread looks out for work so long before it sleeps: waking one takes 10 to 60 us. After the first part of it, it gives
// way to whoever wants its processor.
constexpr double spin_ns = 400e3;
constexpr int spins_alone = 1000;

inline void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

enum class Role : std::uint8_t { outside, caller, helper };
constinit thread_local Role role = Role::outside;

// One loop. It lives on the caller's stack until the helpers that joined have left.
struct Job {
  Job(std::int64_t n, const FunctionRef<void(std::int64_t)>& f) : body(f), count(n) {}
  const FunctionRef<void(std::int64_t)>& body;
  const std::int64_t count;
  std::exception_ptr error;  // written once, by whoever sets `failed`
  std::atomic<bool> failed{false}, stopped{false};
  alignas(line) std::atomic<std::int64_t> next{0};

  void fail() noexcept {
    if (!failed.exchange(true)) error = std::current_exception();
    stopped = true;
  }
  void work() noexcept {
    try {
      while (!stopped.load(std::memory_order_relaxed)) {
        const std::int64_t i = next.fetch_add(1, std::memory_order_relaxed);
        if (i >= count) return;
        poll_interrupt();
        body(i);
      }
    } catch (...) { fail(); }
  }
};

class Pool {
 public:
  bool awake() const { return sleeping_.load(std::memory_order_relaxed) < started_.load(std::memory_order_relaxed); }

  // False when another thread's loop has the helpers.
  bool run(Job& job, int helpers) {
    if (taken_.exchange(true, std::memory_order_acquire)) return false;
    while (started_ < helpers && start_one()) started_.fetch_add(1);
    job_ = &job;
    const std::uint32_t generation = signal_.load(std::memory_order_relaxed) + 1;
    state_.store(std::uint64_t{generation} << 32 | static_cast<std::uint64_t>(helpers) << 16);
    signal_.store(generation);
    for (int i = std::min(helpers, sleeping_.load()); i > 0; --i) signal_.notify_one();
    job.work();
    state_.fetch_and(~places);
    wait_for_helpers(job);
    taken_.store(false, std::memory_order_release);
    return true;
  }

 private:
  // state_: the generation, how many helpers may still join, how many are inside.
  static constexpr std::uint64_t inside = 0xffff, places = inside << 16, one_place = 0x10000;

  void wait_for_helpers(Job& job) {
    for (int i = 0; (state_.load(std::memory_order_acquire) & inside) != 0; ++i) {
      if (i < spins_alone) {
        pause_briefly();
        continue;
      }
      sched_yield();
      try {
        poll_interrupt();
      } catch (...) { job.fail(); }
    }
  }

  bool start_one() {
    // Signals are the user's threads' to handle, but for those that say what a thread itself did.
    sigset_t all, before;
    sigfillset(&all);
    for (int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&all, s);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    const bool made = pthread_create(&thread, nullptr, &help, this) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (made) pthread_detach(thread);
    return made;
  }

  static void* help(void* pool) {
    role = Role::helper;
    static_cast<Pool*>(pool)->serve();
    return nullptr;
  }

  [[noreturn]] void serve() {
    for (std::uint32_t seen = 0;;) {
      seen = next_signal(seen);
      if (!join()) continue;
      detail::stop_flag = &job_->stopped;
      job_->work();
      state_.fetch_sub(1, std::memory_order_release);
    }
  }

  bool join() {
    std::uint64_t s = state_.load(std::memory_order_relaxed);
    while ((s & places) != 0)
      if (state_.compare_exchange_weak(s, s - one_place + 1, std::memory_order_acquire, std::memory_order_relaxed))
        return true;
    return false;
  }

  std::uint32_t next_signal(std::uint32_t seen) {
    const std::uint64_t start = detail::ticks();
    const auto spin = static_cast<std::uint64_t>(spin_ns * detail::ticks_per_ns());
    std::uint32_t now;
    for (int i = 0; (now = signal_.load(std::memory_order_acquire)) == seen; ++i) {
      pause_briefly();
      if (i < spins_alone || i % 16 != 0) continue;
      if (detail::ticks() - start > spin) break;
      sched_yield();
    }
    if (now != seen) return now;
    sleeping_.fetch_add(1);
    while ((now = signal_.load()) == seen) signal_.wait(seen);
    sleeping_.fetch_sub(1);
    return now;
  }

  std::atomic<bool> taken_{false};
  std::atomic<int> started_{0};  // threads; like job_ changed by whoever has taken the pool
  Job* job_ = nullptr;
  alignas(line) std::atomic<std::uint64_t> state_{0};
  alignas(line) std::atomic<std::uint32_t> signal_{0};  // the generation of the last loop
  std::atomic<int> sleeping_{0};
};

constinit thread_local double passed_by_ns = 0;  // work for which sleeping helpers were not woken

// Never destroyed: its threads end with the process. A child of fork has none of them, and makes its own pool.
std::atomic<Pool*> the_pool{nullptr};

Pool& pool() {
  if (Pool* p = the_pool.load(std::memory_order_acquire)) return *p;
  static std::atomic<bool> watching{false};
  if (!watching.exchange(true)) pthread_atfork(nullptr, nullptr, [] { the_pool = nullptr, passed_by_ns = 0; });
  auto made = std::make_unique<Pool>();
  Pool* expected = nullptr;
  return the_pool.compare_exchange_strong(expected, made.get()) ? *made.release() : *expected;
}

class AsCaller {
 public:
  AsCaller() { role = Role::caller; }
  ~AsCaller() { role = Role::outside; }
  AsCaller(const AsCaller&) = delete;
  AsCaller& operator=(const AsCaller&) = delete;
};

}  // namespace

int usable_threads() { return role == Role::outside ? num_threads() : 1; }
bool on_pool_thread() { return role == Role::helper; }

void parallel_for(std::int64_t count, FunctionRef<void(std::int64_t)> body) {
  const auto helpers = static_cast<int>(std::min<std::int64_t>(usable_threads(), count)) - 1;
  if (helpers > 0) {
    const AsCaller here;
    Job job(count, body);
    if (pool().run(job, helpers)) {
      if (job.error) std::rethrow_exception(job.error);
      return;
    }
  }
  for (std::int64_t i = 0; i < count; ++i) {
    poll_interrupt();
    body(i);
  }
}

namespace {
// A range is worth the claiming of it, and short enough that the last ones end together, and that interruptions are seen in time.
constexpr double most_ns = 1e6, most_alone_ns = 10e6;
constexpr double ranges_per_thread = 8;

// Sleeping helpers are woken for work that pays for it, which takes 3 us here and more till they are there; or where less has come
// for a while.
bool worth_waking(double ns, double enough) {
  if (const Pool* p = the_pool.load(std::memory_order_acquire); p != nullptr && p->awake()) return true;
  passed_by_ns += ns;
  if (passed_by_ns < enough) return false;
  passed_by_ns = 0;
  return true;
}

double ranges_for(double ns) {
  const int threads = usable_threads();
  if (threads == 1) return ns / most_alone_ns;
  const double least = least_parallel_ns();
  if (ns < least || !worth_waking(ns, 12 * least)) return 1;
  return std::min(ns / (least / 2), std::max(threads * ranges_per_thread, ns / most_ns));
}
}  // namespace

void parallel_ranges(std::int64_t count, std::int64_t grain, double ns, RangeBody body) {
  if (count <= 0) return;
  const std::int64_t grains = (count - 1) / grain + 1;
  const auto ranges = static_cast<std::int64_t>(std::clamp(ranges_for(ns), 1.0, static_cast<double>(grains)));
  if (ranges == 1) return body(0, count);
  const std::int64_t size = ((grains - 1) / ranges + 1) * grain;
  parallel_for((count - 1) / size + 1, [&](std::int64_t i) { body(i * size, std::min(count, i * size + size)); });
}

void parallel_ranges_timed(std::int64_t count, std::int64_t grain, RangeBody body) {
  if (count <= grain) return parallel_ranges(count, grain, 0, body);
  const std::uint64_t start = detail::ticks();
  body(0, grain);
  const double ns = static_cast<double>(detail::ticks() - start) / detail::ticks_per_ns();
  const std::int64_t rest = count - grain;
  parallel_ranges(rest, grain, ns * (static_cast<double>(rest) / static_cast<double>(grain)),
                  [&](std::int64_t first, std::int64_t last) { body(grain + first, grain + last); });
}

}  // namespace cotan

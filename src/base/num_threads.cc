#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cotan/config.h"
#include "cotan/errors.h"

namespace cotan {

namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local int override_of_thread = 0;
constinit std::atomic<int> of_process{0};  // 0: nobody has set it nor asked for it

// The processors that this process may run on: its first thread, whatever the calling one is bound to.
int usable_processors() {
  for (int most = 1024; most <= 1 << 20; most *= 2) {  // the set must have room for every processor of the machine
    cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(most));
    if (set == nullptr) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(most));
    const int n = sched_getaffinity(getpid(), bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (n > 0) return n;
  }
  return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

int from_environment() {
  const char* const text = std::getenv("COTAN_NUM_THREADS");
  if (text == nullptr || *text == '\0') return std::min(usable_processors(), most_threads);
  int n = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, n);
  if (error != std::errc() || stop != end || n < 1 || n > most_threads)
    throw ValueError(std::string("the environment variable COTAN_NUM_THREADS is '") + text +
                     "', and has to be a number from 1 to " + std::to_string(most_threads));
  return n;
}

[[gnu::noinline, gnu::cold]] int first_number() {
  const int n = from_environment();
  int expected = 0;
  return of_process.compare_exchange_strong(expected, n) ? n : expected;
}

int checked(const char* what, int n) {
  if (n >= 1 && n <= most_threads) return n;
  throw ValueError(std::string(what) + ": the number of threads is from 1 to " + std::to_string(most_threads) +
                   ", got " + std::to_string(n));
}

}  // namespace

int num_threads() {
  if (override_of_thread != 0) return override_of_thread;
  const int n = of_process.load(std::memory_order_relaxed);
  return n != 0 ? n : first_number();
}

void set_num_threads(int n) { of_process.store(checked("set_num_threads", n), std::memory_order_relaxed); }

ScopedNumThreads::ScopedNumThreads(int n) : before_(override_of_thread) {
  override_of_thread = checked("ScopedNumThreads", n);
}
ScopedNumThreads::~ScopedNumThreads() { override_of_thread = before_; }

}  // namespace cotan

#include "base/interrupt.h"

namespace cotan {

namespace detail {
std::atomic<void (*)()> interrupt_check = nullptr;
thread_local std::uint64_t next_interrupt_check = 0;

#if defined(__x86_64__)
constexpr std::uint64_t pause = 20'000'000;  // 5 to 10 milliseconds
#else
constexpr std::uint64_t pause = 200'000;  // timers of 25 MHz to 1 GHz
#endif

void check_interrupt() {
  next_interrupt_check = ticks() + pause;
  if (const auto check = interrupt_check.load()) check();
}
}  // namespace detail

void set_interrupt_check(void (*check)()) { detail::interrupt_check = check; }

}  // namespace cotan

#include "base/interrupt.h"

namespace cotan {

namespace detail {
std::atomic<void (*)()> interrupt_check = nullptr;
thread_local std::uint64_t next_interrupt_check = 0;
constinit thread_local const std::atomic<bool>* stop_flag = nullptr;

double ticks_per_ns() {
#if defined(__x86_64__)
  return 2.5;
#elif defined(__aarch64__)
  std::uint64_t hertz;
  asm("mrs %0, cntfrq_el0" : "=r"(hertz));
  return static_cast<double>(hertz) * 1e-9;
#endif
}

void check_interrupt() {
  constexpr double pause_ns = 8e6;
  next_interrupt_check = ticks() + static_cast<std::uint64_t>(pause_ns * ticks_per_ns());
  if (stop_flag != nullptr) {
    if (stop_flag->load(std::memory_order_relaxed)) throw Stopped();
    return;
  }
  if (const auto check = interrupt_check.load()) check();
}
}  // namespace detail

void set_interrupt_check(void (*check)()) { detail::interrupt_check = check; }

}  // namespace cotan

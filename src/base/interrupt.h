// Long work asks now and then whether it is to be given up: Ctrl-C in Python.
#pragma once
#include <atomic>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace cotan {

// What poll_interrupt calls, some milliseconds apart at least. It throws to give the work up.
void set_interrupt_check(void (*)());

namespace detail {
extern std::atomic<void (*)()> interrupt_check;
extern thread_local std::uint64_t next_interrupt_check;  // in ticks
// On a thread that helps another one: whether the work is given up there. Such a thread asks nobody else.
extern constinit thread_local const std::atomic<bool>* stop_flag;
struct Stopped {};  // thrown by poll_interrupt there
inline std::uint64_t ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  std::uint64_t t;
  asm volatile("mrs %0, cntvct_el0" : "=r"(t));
  return t;
#endif
}
double ticks_per_ns();  // about
void check_interrupt();
}  // namespace detail

// Cheap enough for every step of a program and for every panel of a product.
inline void poll_interrupt() {
  if (detail::interrupt_check.load(std::memory_order_relaxed) && detail::ticks() >= detail::next_interrupt_check)
    detail::check_interrupt();
}

}  // namespace cotan

#include "base/interrupt.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace cotan {
namespace {

int calls = 0;

TEST(Interrupt, IsAskedAboutNowAndThen) {
  set_interrupt_check([] { ++calls; });
  for (int i = 0; i < 100'000'000 && calls < 3; ++i) poll_interrupt();
  EXPECT_EQ(calls, 3);
  calls = 0;
  for (int i = 0; i < 100; ++i) poll_interrupt();  // within microseconds
  EXPECT_LE(calls, 1);
  set_interrupt_check(nullptr);
}

TEST(Interrupt, TheCheckMayThrow) {
  set_interrupt_check([] { throw std::runtime_error("given up"); });
  const auto work = [] {
    for (;;) poll_interrupt();
  };
  EXPECT_THROW(work(), std::runtime_error);
  set_interrupt_check(nullptr);
  poll_interrupt();
}

}  // namespace
}  // namespace cotan

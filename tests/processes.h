// Processes that tests start, and the threads of their own.
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace cotan {

inline int threads_of_process() {
  int n = 0;
  for ([[maybe_unused]] const auto& task : std::filesystem::directory_iterator("/proc/self/task")) ++n;
  return n;
}

// The thread sanitizer has a thread of its own, and allows none in a child of a process with threads; nor does the emulator.
#if defined(__SANITIZE_THREAD__) || defined(COTAN_EMULATED)
#define COTAN_NEEDS_FORK GTEST_SKIP() << "not under this sanitizer or emulator"
#else
#define COTAN_NEEDS_FORK
#endif

// Exit status 0 of a process that runs f and has nothing from before but one thread.
template <class F>::testing::AssertionResult in_child(F f) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    std::_Exit(f() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "status " << status;
}

}  // namespace cotan

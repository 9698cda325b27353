// Running out of memory is an exception, and the program goes on. Each test is a child process whose address space is limited,
// as `ulimit -v` does.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/api_test.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COTAN_NO_LIMIT 1  // sanitizers map terabytes
#endif

namespace {

// The exit status of f in a child process with `mebibytes` of address space beyond what it has now.
int limited(std::size_t mebibytes, int (*f)()) {
  const pid_t child = fork();
  if (child == 0) {
    long pages = 0;
    if (FILE* statm = std::fopen("/proc/self/statm", "r")) {
      if (std::fscanf(statm, "%ld", &pages) != 1) pages = 0;
      std::fclose(statm);
    }
    const rlim_t bytes = static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (mebibytes << 20);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
    int status = 100;
    try {
      status = f();
    } catch (const std::exception& e) { std::fprintf(stderr, "%s\n", e.what()); }
    _exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

bool works() {
  return jnp::sum(jnp::ones({1000})).item<float>() == 1000.f && ct::grad(jnp::sin)(0.0f).item<float>() == 1.f;
}

template <class F> bool runs_out(F f) {
  try {
    f();
  } catch (const ct::MemoryError& e) { return std::string(e.what()).find("ut of memory") != std::string::npos; }
  return false;
}

TEST(Memory, TooLargeAnArray) {
#ifdef COTAN_NO_LIMIT
  GTEST_SKIP();
#endif
  EXPECT_EQ(limited(512,
                    [] {
                      for (int i = 0; i < 3; ++i) {
                        if (!runs_out([] { jnp::zeros({1 << 28}) + 1.0f; })) return 1;
                        if (!works()) return 2;
                      }
                      return 0;
                    }),
            0);
}
TEST(Memory, ManyArrays) {
#ifdef COTAN_NO_LIMIT
  GTEST_SKIP();
#endif
  EXPECT_EQ(limited(512,
                    [] {
                      std::vector<Array> kept;
                      if (!runs_out([&] {
                            while (kept.size() < 10000) kept.push_back(jnp::ones({1 << 20}) * 2.0f);
                          }))
                        return 1;
                      kept.clear();
                      return works() ? 0 : 2;
                    }),
            0);
}
TEST(Memory, InsideTransformations) {
#ifdef COTAN_NO_LIMIT
  GTEST_SKIP();
#endif
  EXPECT_EQ(limited(512,
                    [] {
                      auto f = [](const Array& x) { return jnp::sum(jnp::cumsum(jnp::broadcast_to(x, {1 << 28}))); };
                      if (!runs_out([&] { ct::jit(f)(1.0f); })) return 1;
                      if (!runs_out([&] { ct::grad(f)(1.0f); })) return 2;
                      if (!runs_out([&] { ct::vmap(f)(jnp::ones({2})); })) return 3;
                      return works() ? 0 : 4;
                    }),
            0);
}

}  // namespace

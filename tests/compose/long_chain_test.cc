// Programs of a million equations: no recursion over them, and time that is linear in their number.
#include <pthread.h>
#include <time.h>

#include <exception>
#include <functional>

#include "api/api_test.h"
#include "core/jaxpr.h"

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t stack_bytes = 4 << 20;  // sanitizers make frames several times larger
#else
constexpr std::size_t stack_bytes = 256 << 10;
#endif

// Runs the function on a thread with a small stack. Exceptions come through.
void on_small_stack(std::function<void()> f) {
  struct Call {
    std::function<void()> f;
    std::exception_ptr error;
  } call{std::move(f), nullptr};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, stack_bytes), 0);
  pthread_t thread;
  const auto run = [](void* p) -> void* {
    Call& c = *static_cast<Call*>(p);
    try {
      c.f();
    } catch (...) { c.error = std::current_exception(); }
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &call), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  if (call.error) std::rethrow_exception(call.error);
}

// Of this thread on a processor: the machine may be busy.
double seconds(const std::function<void()>& f) {
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double start = now();
  f();
  return now() - start;
}

// x -> 0.999 x + 0.0005, again and again: two equations a round.
struct Chain {
  int rounds;
  Array operator()(const Array& start) const {
    Array x = start;
    for (int i = 0; i < rounds; ++i) x = x * 0.999 + 0.0005;
    return x;
  }
};

struct Times {
  double trace, print, grad, jit, destroy;
};

Times measure(int equations) {
  Times t{};
  const Chain f{equations / 2};
  t.trace = seconds([&] {
    const ct::ClosedJaxpr program = ct::make_jaxpr(f)(Array(2.0));
    EXPECT_EQ(program.jaxpr().eqns.size(), static_cast<std::size_t>(equations));
    t.print = seconds([&] { EXPECT_GT(program.str().size(), static_cast<std::size_t>(equations) * 10); });
    ct::ClosedJaxpr gone = program;
  });
  t.trace -= t.print;
  t.grad = seconds([&] { EXPECT_NEAR(ct::grad(f)(Array(2.0)).item<double>(), 0.0, 1e-2); });
  t.jit = seconds([&] { EXPECT_NEAR(ct::jit(f)(Array(2.0)).item<double>(), 0.5, 1e-2); });
  return t;
}

TEST(LongChain, AMillionEquationsOnASmallStack) {
  Times small{}, large{};
  on_small_stack([&] { small = measure(100'000); });
  on_small_stack([&] { large = measure(1'000'000); });
  const auto ratio = [](const char* what, double a, double b) {
    std::printf("%-6s %8.3f s -> %8.3f s\n", what, a, b);
    EXPECT_LT(b, 50 * a + 0.2) << what;  // ten times the work: quadratic costs would be 100 times
  };
  ratio("trace", small.trace, large.trace);
  ratio("print", small.print, large.print);
  ratio("grad", small.grad, large.grad);
  ratio("jit", small.jit, large.jit);
}

TEST(LongChain, GradOfJitAndVmap) {
  const Chain f{50'000};
  on_small_stack([&] {
    EXPECT_NEAR(ct::grad(ct::jit(f))(Array(2.0)).item<double>(), 0.0, 1e-2);
    EXPECT_NEAR(ct::jvp(f, Array(2.0), Array(1.0)).second.item<double>(), 0.0, 1e-2);
    EXPECT_EQ(ct::vmap(f)(jnp::ones({2})).size(), 2);
    const ct::ClosedJaxpr program = ct::make_jaxpr(f)(Array(2.0));
    EXPECT_EQ(ct::parse_jaxpr(program.to_text()).jaxpr().eqns.size(), program.jaxpr().eqns.size());
  });
}

// Reverse mode keeps one list of equations, however the values fan out and join.
TEST(LongChain, ManyUsesOfOneValue) {
  on_small_stack([] {
    auto f = [](const Array& x) {
      Array sum = 0.0;
      for (int i = 0; i < 100'000; ++i) sum = sum + x;
      return sum;
    };
    EXPECT_FLOAT_EQ(ct::grad(f)(Array(1.0)).item<float>(), 100'000.f);
  });
}

}  // namespace

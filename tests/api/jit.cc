#include "api_test.h"

#include <atomic>
#include <cmath>
#include <thread>

namespace {

int shared_traces = 0;
Array counted(const Array& x) {
  ++shared_traces;
  return x * x;
}

TEST(Jit, TracedOncePerSignature) {
  int traces = 0;
  auto power = ct::jit([&](int n, Array x) {
    ++traces;
    for (int i = 0; i < n; ++i) x = x * x;
    return x;
  });
  power(2, jnp::arange(4.f));
  power(3, jnp::arange(4.f));
  power(2, jnp::arange(4.f) + 1.f);
  EXPECT_EQ(traces, 2);
  EXPECT_TRUE(close(power(2, jnp::arange(5.f)), jnp::power(jnp::arange(5.f), 4.0)));
  EXPECT_EQ(traces, 3);
  EXPECT_EQ(power.cache_size(), 3);
  auto copy = power;
  copy(2, jnp::arange(5.f));
  EXPECT_EQ(traces, 3);
  power.clear_cache();
  EXPECT_EQ(copy.cache_size(), 0);
  power(2, jnp::arange(5.f));
  EXPECT_EQ(traces, 4);
}

TEST(Jit, NumberOfThreads) {
  const ct::ScopedNumThreads five(5);
  int seen = 0;
  const auto f = [&](const Array& x) {
    seen = ct::num_threads();
    return x + 1.0;
  };
  ct::jit(f, {.num_threads = 3})(1.0);
  EXPECT_EQ(seen, 3);
  EXPECT_EQ(ct::num_threads(), 5);
  ct::jit(f)(1.0);
  EXPECT_EQ(seen, 5);
  EXPECT_THROW(ct::jit(f, {.num_threads = -1}), ct::ValueError);
}

TEST(Jit, KeyOfLeaves) {
  int traces = 0;
  auto f = ct::jit([&](const Array& x) {
    ++traces;
    return x + x;
  });
  f(1.0);
  f(2.5);
  EXPECT_EQ(traces, 1);
  f(jnp::array({1.f})(0));  // not weak
  EXPECT_EQ(traces, 2);
  f(1);
  f(2);
  EXPECT_EQ(traces, 3);
  f(jnp::ones({2, 3}));
  f(jnp::ones({3, 2}));
  f(jnp::ones({6}));
  f(jnp::ones({2, 3}));
  EXPECT_EQ(traces, 6);
  EXPECT_TRUE(f(1.0).weak_type() && !f(jnp::ones({2})).weak_type());
}

TEST(Jit, StaticArguments) {
  int traces = 0;
  enum class Mode { train, eval };
  auto moded = ct::jit([&](Mode m, std::optional<int> k, const std::string& s, const Array& x) {
    ++traces;
    return m == Mode::eval ? x : x * k.value_or(1) + double(s.size());
  });
  EXPECT_TRUE(close(moded(Mode::train, 2, "ab", 1.0), 4.0));
  moded(Mode::train, 2, "ab", 2.0);
  moded(Mode::train, std::nullopt, "ab", 1.0);
  moded(Mode::eval, 2, "ab", 1.0);
  EXPECT_EQ(traces, 3);
  traces = 0;
  auto by_shape = ct::jit([&](const ct::Shape& s, ct::DType d, const Array& x) {
    ++traces;
    return jnp::reshape(x, s).astype(d);
  });
  by_shape({2, 2}, ct::int32, jnp::ones({4}));
  by_shape({2, 2}, ct::int32, jnp::ones({4}));
  by_shape({4, 1}, ct::int32, jnp::ones({4}));
  EXPECT_EQ(traces, 2);
  traces = 0;
  auto traced_int = ct::jit([&](const Array& n, const Array& x) {
    ++traces;
    return x * n;
  });
  traced_int(2, 1.0);
  traced_int(3, 1.0);
  EXPECT_EQ(traces, 1);
  traces = 0;
  auto higher = ct::jit([&](const ct::Fn<Array(Array)>& g, const Array& x) {
    ++traces;
    return g(x);
  });
  ct::Fn<Array(Array)> sine(jnp::sin), cosine(jnp::cos);
  EXPECT_TRUE(close(higher(sine, 1.0), 0.84147098) && close(higher(cosine, 1.0), 0.54030231));
  higher(sine, 2.0);
  higher(ct::Fn<Array(Array)>(jnp::sin), 2.0);
  EXPECT_EQ(traces, 2);
  double scale = 2;
  ct::Fn<Array(Array)> scaled([scale](const Array& x) { return x * scale; });  // captures: by identity of the object
  higher(scaled, 1.0);
  higher(scaled, 2.0);
  EXPECT_EQ(traces, 3);
}

TEST(Jit, TreesAndStaticResults) {
  int traces = 0;
  Net net{{{jnp::ones({3}), 0.0}}, std::nullopt, 2, "net"};
  auto f = ct::jit([&](const Net& n) {
    ++traces;
    Net m = n;
    m.layers[0].w = n.layers[0].w * n.depth;
    return m;
  });
  Net a = f(net);
  EXPECT_TRUE(a.name == "net" && a.depth == 2 && !a.scale && close(a.layers[0].w, 2.0 * jnp::ones({3})));
  net.name = "other";
  EXPECT_EQ(f(net).name, "other");
  EXPECT_EQ(f(net).depth, 2);
  EXPECT_EQ(traces, 2);
  net.layers.push_back({1.0, 2.0});
  EXPECT_EQ(f(net).layers.size(), 2u);
  net.scale = 1.0;
  EXPECT_TRUE(f(net).scale.has_value());
  EXPECT_EQ(traces, 4);
  std::vector<Layer> missing(1);
  EXPECT_ERROR(ct::jit([](const std::vector<Layer>& p) { return p; })(missing), ct::ValueError,
               "argument 0[0].w was never given a value");
  auto words = ct::jit([](const Array& x) { return std::tuple(std::string("word"), x, 3); });
  EXPECT_EQ(std::get<0>(words(1.0)), "word");
  EXPECT_EQ(std::get<2>(words(2.0)), 3);
}

TEST(Jit, FunctionsShareWhatWasTraced) {
  ct::clear_caches();
  shared_traces = 0;
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(close(ct::jit(counted)(3.0), 9.0));
  EXPECT_EQ(shared_traces, 1);
  for (int i = 0; i < 5; ++i) ct::jit(ct::vmap(ct::grad(counted)))(jnp::ones({3}));
  EXPECT_EQ(shared_traces, 2);
  static int lambda_traces;
  lambda_traces = 0;
  auto once = [] {
    return ct::jit([](const Array& x) {
      ++lambda_traces;
      return x + 1.0;
    });
  };
  once()(1.0);
  once()(2.0);
  EXPECT_EQ(lambda_traces, 1);
  int capturing = 0;
  for (int i = 0; i < 3; ++i)
    ct::jit([&](const Array& x) {
      ++capturing;
      return x + 1.0;
    })(1.0);
  EXPECT_EQ(capturing, 3);
  EXPECT_EQ(ct::jit(counted).cache_size(), 1);
  ct::clear_caches();
  EXPECT_EQ(ct::jit(counted).cache_size(), 0);
  ct::jit(counted)(3.0);
  ct::jit(counted, {.name = "other"})(3.0);
  EXPECT_EQ(shared_traces, 4);
}

TEST(Jit, GenericLambdas) {
  int traces = 0;
  auto f = ct::jit([&](auto x) {
    ++traces;
    return x * x;
  });
  f(2.0);
  f(3.0);
  EXPECT_EQ(traces, 1);
  EXPECT_TRUE(close(f(jnp::arange(3.f)), jnp::square(jnp::arange(3.f))));
  EXPECT_EQ(traces, 2);
}

TEST(Jit, Nested) {
  int inner = 0, outer = 0;
  auto g = ct::jit([&](const Array& x) {
    ++inner;
    return jnp::sin(x);
  });
  auto f = ct::jit([&](const Array& x) {
    ++outer;
    return g(x) + g(2.0 * x);
  });
  EXPECT_TRUE(close(f(1.0), std::sin(1.0) + std::sin(2.0)));
  EXPECT_TRUE(inner == 1 && outer == 1);
  EXPECT_TRUE(close(ct::grad(f)(1.0), std::cos(1.0) + 2 * std::cos(2.0)));
  EXPECT_TRUE(close(ct::vmap(f)(jnp::arange(3.f)), jnp::sin(jnp::arange(3.f)) + jnp::sin(2.0 * jnp::arange(3.f))));
  EXPECT_TRUE(inner == 2 && outer == 2);  // 1.0 is weakly typed, elements of an arange are not
}

TEST(Jit, CapturedTracersAreNotKept) {
  int traces = 0;
  auto f = [&](const Array& c) {
    auto inner = ct::jit([&, c](const Array& x) {
      ++traces;
      return x * c;
    });
    return inner(2.0) + inner(3.0);
  };
  EXPECT_TRUE(close(ct::grad(f)(7.0), 5.0));
  EXPECT_TRUE(close(ct::grad(f)(8.0), 5.0));
  EXPECT_EQ(traces, 4);
  EXPECT_TRUE(close(f(7.0), 35.0));
  EXPECT_EQ(traces, 5);
}

TEST(Jit, AxisNamesArePartOfTheKey) {
  int traces = 0;
  auto total = ct::jit([&](const Array& x) {
    ++traces;
    return lax::psum(x, "i");
  });
  Array v = jnp::arange(3.f), w = jnp::arange(4.f);
  EXPECT_TRUE(close(ct::vmap(total, {.axis_name = "i"})(v), 3.0 * jnp::ones({3})));
  EXPECT_TRUE(close(ct::vmap(total, {.axis_name = "i"})(w), 6.0 * jnp::ones({4})));
  EXPECT_EQ(traces, 2);
  EXPECT_ERROR(total(1.0), ct::NameError, "i");
}

TEST(Jit, ConfigurationIsPartOfTheKey) {
  int traces = 0;
  auto f = ct::jit([&](const Array& x) {
    ++traces;
    return x + 1.0;
  });
  f(1.0);
  {
    ct::enable_x64 x64;
    EXPECT_EQ(f(1.0).dtype(), ct::float64);
  }
  EXPECT_EQ(f(1.0).dtype(), ct::float32);
  EXPECT_EQ(traces, 2);
  ct::config::Scoped off(ct::config::Flag::disable_jit, true);
  f(1.0);
  f(1.0);
  EXPECT_EQ(traces, 4);
}

TEST(Jit, ErrorsLeaveNothing) {
  int calls = 0;
  auto f = ct::jit([&](const Array& x) {
    if (++calls == 1) throw ct::ValueError("first");
    return x > 0 ? x : x;
  });
  EXPECT_ERROR(f(1.0), ct::ValueError, "first");
  EXPECT_ERROR(f(1.0), ct::TracerBoolConversionError, "bool[]");
  EXPECT_EQ(f.cache_size(), 0);
  EXPECT_TRUE(close(jnp::sin(0.0), 0.0));  // no trace is left current
  EXPECT_ERROR(ct::jit([](const Array& x) { return x * x.item<float>(); })(1.0), ct::ConcretizationTypeError, "");
  Array kept;
  ct::jit([&](const Array& x) {
    kept = x;
    return x;
  })(1.0);
  EXPECT_ERROR(kept + 1.0, ct::UnexpectedTracerError, "unexpected tracer");
}

TEST(Jit, EndlessRecursionIsAnError) {
  ct::Fn<Array(Array)>* self = nullptr;
  ct::Fn<Array(Array)> f = ct::jit([&](const Array& x) { return (*self)(x); });
  self = &f;
  EXPECT_ERROR(f(1.0), ct::RuntimeError, "calls itself without end");
  ct::Fn<Array(int, Array)>* down = nullptr;
  ct::Fn<Array(int, Array)> g = ct::jit([&](int n, const Array& x) { return n == 0 ? x : (*down)(n - 1, x + x); });
  down = &g;
  EXPECT_TRUE(close(g(5, 1.0), 32.0));
}

TEST(Jit, Threads) {
  std::atomic<int> traces{0}, wrong{0};
  auto f = ct::jit([&](const Array& x) {
    ++traces;
    std::this_thread::yield();
    return x * x + 1.0;
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        Array x = jnp::full({i % 5 + 1}, 2.f);
        if (!close(f(x), jnp::full({i % 5 + 1}, 5.f))) ++wrong;
      }
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(traces, 5);  // one thread traces, the others wait
}

TEST(Jit, TheTableIsBounded) {
  auto f = ct::jit([](int n, const Array& x) { return x + double(n); });
  ct::clear_caches();
  for (int i = 0; i < 5000; ++i) f(i, 1.0);
  EXPECT_EQ(f.cache_size(), 4096);
  ct::clear_caches();
}

}  // namespace

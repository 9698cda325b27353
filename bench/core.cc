// What Cotan's core costs: eager operations, cached jit calls, gradients, tracing. bench/beside_jax.py runs the same cases in
// JAX, interleaved, and prints ratios.
#include <benchmark/benchmark.h>

#include "cotan/cotan.h"

namespace ct = cotan;
namespace jnp = cotan::numpy;
namespace lax = cotan::lax;
using ct::Array;

namespace {

Array ramp(std::int64_t n) { return jnp::linspace(-3, 3, n); }

void add(benchmark::State& s) {
  Array x = ramp(s.range(0));
  for (auto _ : s) benchmark::DoNotOptimize(lax::add(x, x));
}
BENCHMARK(add)->Arg(8);

void sin(benchmark::State& s) {
  Array x = ramp(s.range(0));
  for (auto _ : s) benchmark::DoNotOptimize(lax::sin(x));
}
BENCHMARK(sin)->Arg(8);

void sum(benchmark::State& s) {
  Array x = ramp(s.range(0));
  for (auto _ : s) benchmark::DoNotOptimize(jnp::sum(x));
}
BENCHMARK(sum)->Arg(8);

void dot(benchmark::State& s) {
  const std::int64_t n = s.range(0);
  Array x = jnp::reshape(ramp(n * n), {n, n});
  for (auto _ : s) benchmark::DoNotOptimize(jnp::dot(x, x));
}
BENCHMARK(dot)->Arg(16)->Arg(512);

void jit_x_plus_1(benchmark::State& s) {
  auto f = ct::jit([](const Array& x) { return x + 1.0; });
  Array x = ramp(8);
  for (auto _ : s) benchmark::DoNotOptimize(f(x));
}
BENCHMARK(jit_x_plus_1);

// A number: what a call costs beside its work.
void jit_number_plus_1(benchmark::State& s) {
  auto f = ct::jit([](const Array& x) { return x + 1.0; });
  Array x = 2.0;
  for (auto _ : s) benchmark::DoNotOptimize(f(x));
}
BENCHMARK(jit_number_plus_1);

// Traced, compiled and run anew.
void first_jit_number_plus_1(benchmark::State& s) {
  auto f = ct::jit([](const Array& x) { return x + 1.0; });
  Array x = 2.0;
  for (auto _ : s) {
    f.clear_cache();
    benchmark::DoNotOptimize(f(x));
  }
}
BENCHMARK(first_jit_number_plus_1);

Array tanh_squared(const Array& x) { return jnp::sum(jnp::square(jnp::tanh(x))); }

void eager_grad(benchmark::State& s) {
  auto g = ct::grad(tanh_squared);
  Array x = ramp(16);
  for (auto _ : s) benchmark::DoNotOptimize(g(x));
}
BENCHMARK(eager_grad);

void jit_grad(benchmark::State& s) {
  auto g = ct::jit(ct::grad(tanh_squared));
  Array x = ramp(16);
  for (auto _ : s) benchmark::DoNotOptimize(g(x));
}
BENCHMARK(jit_grad);

struct Layer {
  Array w, b;
};
Array mlp(const std::vector<Layer>& layers, const Array& input) {
  Array x = input;
  for (const Layer& l : layers) x = jnp::tanh(jnp::dot(x, l.w) + l.b);
  return jnp::sum(x);
}

void trace_grad_of_mlp_20(benchmark::State& s) {
  std::vector<Layer> layers(20, Layer{jnp::ones({8, 8}), jnp::zeros({8})});
  Array x = jnp::ones({4, 8});
  for (auto _ : s) benchmark::DoNotOptimize(ct::make_jaxpr(ct::grad(mlp))(layers, x));
}
BENCHMARK(trace_grad_of_mlp_20);

}  // namespace

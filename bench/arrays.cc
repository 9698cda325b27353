// What large array operations cost, on COTAN_NUM_THREADS threads. bench/beside_jax.py runs the same cases in JAX, interleaved,
// and prints ratios.
#include <benchmark/benchmark.h>

#include "cotan/cotan.h"

namespace ct = cotan;
namespace jnp = cotan::numpy;
namespace lax = cotan::lax;
using ct::Array;

namespace {

constexpr std::int64_t million = 1 << 20, ten_million = 10 << 20;

Array ramp(std::int64_t n) { return jnp::linspace(-3, 3, n); }
Array shuffled(std::int64_t n) { return lax::sin(ramp(n) * 1e5); }                             // in no order
Array positions(std::int64_t count, std::int64_t n) { return jnp::arange(count) * 7919 % n; }  // the same, below n
Array numbers(std::int64_t n) { return jnp::remainder(jnp::arange(n) * 7919, 251) - 125; }     // integers
Array square(const Array& x, std::int64_t n) { return jnp::reshape(x, {n, n}); }

// Registers a case: f() is called again and again.
template <class F> void bench(const char* name, F make) {
  benchmark::RegisterBenchmark(name, [make](benchmark::State& s) {
    const auto f = make();
    for (auto _ : s) benchmark::DoNotOptimize(f());
  });
}
#define COTAN_CASE(name, setup, call) \
  bench(name, [] {                    \
    setup;                            \
    return [=] { return call; };      \
  })

void elementwise() {
  COTAN_CASE("add", Array x = ramp(million), lax::add(x, x));
  COTAN_CASE("exp", Array x = ramp(million), lax::exp(x));
  COTAN_CASE("sin", Array x = ramp(million), lax::sin(x));
  COTAN_CASE("tanh", Array x = ramp(million), lax::tanh(x));
  COTAN_CASE("pow", Array x = lax::exp(ramp(million)); Array y = ramp(million), lax::pow(x, y));
  COTAN_CASE("tanh_of_square_jit", Array x = ramp(million);
             auto f = ct::jit([](const Array& a) { return jnp::tanh(a * a + 1.0) * a; }), f(x));
}

void reductions() {
  COTAN_CASE("sum", Array x = ramp(million), jnp::sum(x));
  COTAN_CASE("sum_bf16", Array x = ramp(million).astype(ct::DType::bfloat16), jnp::sum(x));
  COTAN_CASE("sum_c64", Array x = ramp(million).astype(ct::DType::complex64), jnp::sum(x));
  COTAN_CASE("sum_rows_bf16", Array x = square(ramp(million), 1024).astype(ct::DType::bfloat16), jnp::sum(x, 1));
  COTAN_CASE("sum_columns_bf16", Array x = square(ramp(million), 1024).astype(ct::DType::bfloat16), jnp::sum(x, 0));
  COTAN_CASE("max_bf16", Array x = ramp(million).astype(ct::DType::bfloat16), jnp::max(x));
  COTAN_CASE("cumsum", Array x = ramp(million), jnp::cumsum(x));
  COTAN_CASE("cummax", Array x = shuffled(million), lax::cummax(x));
  COTAN_CASE("cumlogsumexp", Array x = shuffled(million), lax::cumlogsumexp(x));
}

void orders() {
  COTAN_CASE("sort", Array x = shuffled(million), jnp::sort(x));
  COTAN_CASE("argsort", Array x = shuffled(million), jnp::argsort(x));
}

void indices() {
  COTAN_CASE("gather_rows_64", Array x = jnp::reshape(ramp(640000), {10000, 64});
             Array i = positions(million / 64, 10000), jnp::take(x, i, 0));
  COTAN_CASE("gather_elements", Array x = ramp(10000); Array i = positions(million, 10000), x(i));
  COTAN_CASE("gather_elements_jit", Array x = ramp(10000); Array i = positions(million, 10000);
             auto f = ct::jit([](const Array& a, const Array& at) { return a(at); }), f(x, i));
  COTAN_CASE("scatter_add", Array x = jnp::zeros({10000}); Array i = positions(million, 10000);
             Array v = ramp(million), x.at(i).add(v));
  COTAN_CASE(
      "scatter_add_jit", Array x = jnp::zeros({10000}); Array i = positions(million, 10000); Array v = ramp(million);
      auto f = ct::jit([](const Array& a, const Array& at, const Array& u) { return a.at(at).add(u); }), f(x, i, v));
  COTAN_CASE("segment_sum", Array i = positions(million, 10000);
             Array v = ramp(million), ct::segment::segment_sum(v, i, 10000));
}

void matrices() {
  COTAN_CASE("transpose_4096", Array x = square(ramp(4096 * 4096), 4096), jnp::transpose(x));
  COTAN_CASE("matmul_1024", Array x = square(ramp(million), 1024), jnp::matmul(x, x));
  COTAN_CASE("matmul_512_int32", Array x = square(numbers(512 * 512), 512), jnp::matmul(x, x));
  COTAN_CASE("matmul_512_int8", Array x = square(numbers(512 * 512), 512).astype(ct::DType::int8), jnp::matmul(x, x));
}

void random_numbers() {
  COTAN_CASE("bits_10m", Array key = ct::random::key(0), ct::random::bits(key, {ten_million}));
  COTAN_CASE("normal_10m", Array key = ct::random::key(0), ct::random::normal(key, {ten_million}));
}

}  // namespace

int main(int argc, char** argv) {
  elementwise(), reductions(), orders(), indices(), matrices(), random_numbers();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

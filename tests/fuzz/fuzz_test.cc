// Random programs: what must hold of every program holds of these. COTAN_FUZZ_SEED and COTAN_FUZZ_SECONDS choose where and how
// long; a failure prints the seed of its program.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "array/executable.h"
#include "control/jit.h"
#include "core/interpret.h"
#include "core/jaxpr_utils.h"
#include "core/typecheck.h"
#include "cotan/cotan.h"
#include "derived/golden.h"
#include "derived/values.h"
#include "fuzz/generate.h"
#include "runtime/allocator.h"

namespace cotan {
namespace {

using derived::difference;
using derived::same_bits;
using fuzz::Program;

FlatFn function_of(const ClosedJaxpr& program) {
  return [program](const Arrays& x) {
    ArrayVec out;
    interpret(program.jaxpr(), program.consts(), x, out);
    return Arrays(out.begin(), out.end());
  };
}

void expect_same_bits(const Arrays& got, const Arrays& want, const char* what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_TRUE(same_bits(got[i], want[i])) << what << ", result " << i << ": " << difference(got[i], want[i], 0, 0);
}

void check_text(const ClosedJaxpr& program) {
  check_jaxpr(program);
  const ClosedJaxpr again = parse_jaxpr(program.to_text());
  EXPECT_TRUE(same_jaxpr(program, again)) << program.to_text();
  EXPECT_FALSE(program.str().empty());
}

void check_vmap(const FlatFn& f, const Program& p, const Arrays& results) {
  constexpr std::int64_t size = 3;
  Arrays batch;
  std::vector<int> axes;
  for (const Aval& a : p.in()) {
    const int axis = p.seed % 2 ? a.ndim() : 0;
    Aval b = a;
    b.shape.insert(axis, size);
    batch.push_back(derived::operand(b, {}, static_cast<int>(axes.size())));
    axes.push_back(axis);
  }
  const std::vector<BatchedOutput> got = flat_vmap(f, batch, axes, size, "");
  std::vector<Arrays> want(results.size());
  for (std::int64_t k = 0; k < size; ++k) {
    Arrays x;
    for (std::size_t i = 0; i < batch.size(); ++i) x.push_back(derived::example_of(batch[i], axes[i], k));
    const Arrays y = f(x);
    for (std::size_t i = 0; i < y.size(); ++i) want[i].push_back(y[i]);
  }
  const double tolerance = 400 * derived::epsilon_of(p.dtype);
  for (std::size_t i = 0; i < results.size(); ++i)
    EXPECT_EQ(difference(with_batch_axis(got[i], 0, size), derived::batch_of(want[i], results[i].aval(), 0), tolerance,
                         tolerance),
              "")
        << "vmap, result " << i;
}

double pairing(const Tangents& a, const Tangents& b, double* scale) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].is_zero() || b[i].is_zero()) continue;
    sum += derived::dot(a[i].value(), b[i].value());
    for (const auto& z : derived::numbers_of(a[i].value())) *scale += std::abs(z);
  }
  return sum;
}

void check_derivatives(const FlatFn& f, const Arrays& x) {
  Tangents t, cts;
  for (const Array& a : x)
    t.push_back(is_inexact(a.dtype()) ? Tangent(derived::operand(tangent_aval(a.aval()), {-1, 1}, 5))
                                      : Tangent::zero_of(a.aval()));
  const JvpResult forward = flat_jvp(f, x, t);
  const LinearizeResult linear = flat_linearize(f, x);
  for (const Aval& a : linear.linear.out_avals())
    cts.push_back(a.dtype == DType::float0 ? Tangent::zero(a) : Tangent(derived::operand(a, {-1, 1}, 9)));
  double scale = 1;
  const Tangents back = linear.linear.transpose(cts);
  const double a = pairing(cts, forward.tangents, &scale), b = pairing(back, t, &scale);
  EXPECT_NEAR(a, b, 1e-10 * scale) << "<ct, jvp> against <vjp, t>";
}

// With every operand given up: results and temporaries take its memory.
Arrays with_donated(const ClosedJaxpr& program, const Arrays& x) {
  ArrayVec in, out;
  std::vector<std::size_t> all;
  for (const Array& a : x) {
    all.push_back(in.size());
    in.push_back(evaluation_hook().from_bytes(a.aval(), bytes_of(a)));
  }
  run_donating(program, std::move(in), all, 1, out);
  return Arrays(out.begin(), out.end());
}

void check(const Program& p) {
  const Arrays x = p.operands();
  const Arrays eager = p(x);
  const ClosedJaxpr program = flat_make_jaxpr(p, p.in());
  SCOPED_TRACE(program.to_text());
  check_text(program);
  expect_same_bits(function_of(program)(x), eager, "interpreted");
  expect_same_bits(bind_jit("f", program, x), eager, "jit");
  if (program.consts().empty()) expect_same_bits(with_donated(program, x), eager, "with donated operands");
  {
    const config::Scoped as_traced(config::Flag::disable_most_optimizations, true);
    expect_same_bits(bind_jit("f", program, x), eager, "jit, as traced");
  }
  if (!p.smooth) return;
  check_vmap(p, p, eager);
  if (p.dtype != DType::float64) return;
  check_derivatives(p, x);
  check_derivatives([&](const Arrays& a) { return bind_jit("f", program, a); }, x);
}

double option(const char* name, double otherwise) {
  const char* v = std::getenv(name);
  return v ? std::atof(v) : otherwise;
}

TEST(Fuzz, Programs) {
  enable_x64 x64;
  runtime::set_poison(true);
  const auto first = static_cast<std::uint64_t>(option("COTAN_FUZZ_SEED", 1));
  const double seconds = option("COTAN_FUZZ_SECONDS", 10);
  std::printf("COTAN_FUZZ_SEED=%llu\n", static_cast<unsigned long long>(first));
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t seed = first;
  for (; std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds && !HasFailure();
       ++seed) {
    SCOPED_TRACE("COTAN_FUZZ_SEED=" + std::to_string(seed));
    const Program p{seed, seed % 4 != 0, seed % 2 ? DType::float64 : DType::float32};
    try {
      check(p);
    } catch (const std::exception& e) { ADD_FAILURE() << e.what(); }
  }
  std::printf("%llu programs\n", static_cast<unsigned long long>(seed - first));
  runtime::set_poison(false);
}

// Values against NumPy.
TEST(Fuzz, GoldenValues) {
  enable_x64 x64;
  for (const derived::GoldenProgram& g : derived::golden_programs("fuzz_values")) {
    const ClosedJaxpr program = parse_jaxpr(g.program);
    const Arrays x = derived::golden_operands(g, program);
    EXPECT_EQ(derived::difference_from(g, eval_jaxpr(program, x)), "") << g.program;
    EXPECT_EQ(derived::difference_from(g, bind_jit("f", program, x)), "") << "jit: " << g.program;
  }
}

// What tests/golden/programs.py turns into fuzz_values.txt.
TEST(Fuzz, DISABLED_WriteInputs) {
  enable_x64 x64;
  std::ofstream out(std::getenv("COTAN_GOLDEN"));
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Program p{seed + 7000, true, seed % 2 ? DType::float64 : DType::float32};
    out << derived::golden_input(flat_make_jaxpr(p, p.in()), p.operands());
  }
}

}  // namespace
}  // namespace cotan

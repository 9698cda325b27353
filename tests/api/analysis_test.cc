// What programs cost, and what jit says that it traced.
#include <gtest/gtest.h>

#include "cotan/cotan.h"

namespace ct = cotan;
namespace jnp = cotan::numpy;
using ct::Array;

namespace {

Array product_and_sum(const Array& x, const Array& y) { return jnp::matmul(jnp::sin(x), y) + jnp::sum(jnp::exp(x)); }

TEST(CostAnalysis, CountsByKind) {
  const Array x = ct::abstract_array({8, 8});
  const ct::CostAnalysis c = ct::cost_analysis(ct::make_jaxpr(product_and_sum)(x, x));
  EXPECT_EQ(c.flops, 2 * 8 * 8 * 8 + 63 + 64);  // the product, the sum of exp, the last sum
  EXPECT_EQ(c.transcendentals, 2 * 64);
  EXPECT_EQ(c.bytes_accessed_by_results, 3 * 256 + 4);
  ASSERT_EQ(c.bytes_accessed_by_operand.size(), 2u);
  EXPECT_EQ(c.bytes_accessed_by_operand[0], 4 * 256);
  EXPECT_EQ(c.bytes_accessed_by_operand[1], 256 + 4);
  EXPECT_EQ(c.bytes_accessed, 4 * 256 + 256 + 4 + 3 * 256 + 4);
}

TEST(CostAnalysis, WhatIsFusedGoesThroughMemoryOnce) {
  const Array x = ct::abstract_array({1000});
  const auto chain = [](Array v) {
    for (int i = 0; i < 10; ++i) v = jnp::sin(v) * 2 + v;
    return v;
  };
  const ct::CostAnalysis c = ct::cost_analysis(ct::make_jaxpr(chain)(x));
  EXPECT_EQ(c.transcendentals, 10'000);
  EXPECT_EQ(c.bytes_accessed, 2 * 4000);
  const Array m = ct::abstract_array({4096, 1024});  // rows stay in cache
  const auto softmax = [](const Array& v) { return ct::nn::softmax(v); };
  EXPECT_EQ(ct::cost_analysis(ct::make_jaxpr(softmax)(m)).bytes_accessed, 2.0 * 4096 * 4096);
}

TEST(CostAnalysis, IsOfWhatThePassesLeave) {
  const Array x = ct::abstract_array({4});
  EXPECT_EQ(ct::cost_analysis(ct::make_jaxpr([](const Array& v) { return -(-v) * 1.0; })(x)).flops, 0);
  EXPECT_EQ(
      ct::cost_analysis(ct::make_jaxpr([](const Array& v) { return jnp::sin(v) * jnp::sin(v); })(x)).transcendentals,
      4);
}

TEST(CostAnalysis, LoopsAndBranches) {
  const Array x = ct::abstract_array({10});
  const auto fori = [](const Array& v) {
    return ct::lax::fori_loop(
        0, 7, [](const Array&, const Array& c) { return c * 2.0; }, v);
  };
  EXPECT_GE(ct::cost_analysis(ct::make_jaxpr(fori)(x)).flops, 70);
  const auto branches = [](const Array& v) {
    return ct::lax::cond(
        v(0) > 0, [](const Array& a) { return jnp::sin(a); }, [](const Array& a) { return a; }, v);
  };
  EXPECT_EQ(ct::cost_analysis(ct::make_jaxpr(branches)(x)).transcendentals, 10);
}

TEST(MemoryAnalysis, ArgumentsResultsAndTemporaries) {
  const Array x = ct::abstract_array({1024});
  const ct::MemoryAnalysis m = ct::memory_analysis(
      ct::make_jaxpr([](const Array& a, const Array& b) { return jnp::sum(jnp::sort(a) * jnp::sort(b)); })(x, x));
  EXPECT_EQ(m.arguments, 2 * 4096);
  EXPECT_EQ(m.results, 4);
  EXPECT_GE(m.temporaries, 2 * 4096);  // the sorted arrays
  EXPECT_LE(m.temporaries, 4 * 4096);
}

TEST(MemoryAnalysis, ConstantsAreNoArguments) {
  const Array c = jnp::ones({100});
  const ct::MemoryAnalysis m =
      ct::memory_analysis(ct::make_jaxpr([c](const Array& a) { return a + c; })(ct::abstract_array({100})));
  EXPECT_EQ(m.arguments, 400);
  EXPECT_EQ(m.results, 400);
}

std::string line_of(int line) { return "analysis_test.cc:" + std::to_string(line); }

TEST(Explain, SaysWhyItTracedAgain) {
  const auto f = ct::jit([](const Array& x, const std::vector<Array>& y) { return jnp::sin(x) + y[0]; }, {.name = "f"});
  EXPECT_EQ(f.explain(), "f: 0 traces\n");
  f(jnp::ones({2}), {jnp::ones({2})});
  const int first = __LINE__ - 1;
  f(jnp::ones({3}), {jnp::ones({3})});
  const int second = __LINE__ - 1;
  f(jnp::ones({3}), {jnp::ones({3}), jnp::ones({1})});
  const ct::enable_x64 x64;
  f(jnp::ones({3}, ct::float32), {jnp::ones({3}, ct::float32)});
  const std::string text = f.explain();
  const auto has = [&](const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
  };
  has("f: 4 traces\n");
  has(line_of(first) + "\n  the first call\n  2 equations traced; the passes take ");
  has(line_of(second) +
      "\n  again, unlike trace 1:\n    argument 0 was f32[2], now f32[3]\n    argument 1[0] was f32[2], now f32[3]\n");
  has("  again, unlike trace 2:\n    the structure of argument 1 was [*], now [*, *]\n    argument 1[1] is new: "
      "f32[1]\n");
  has("  again, unlike trace 2:\n    the setting enable_x64 was off, now on\n");
  has("transcend.");
  has("= sin %");
  has("  1 step\n         bytes  step\n            36  [3] sin, add\n");  // fused
}

TEST(Explain, SharesWhatCopiesTraced) {
  const auto f = ct::jit([](const Array& x) { return x + 1; }, {.name = "g"});
  const auto copy = f;
  copy(jnp::ones({2}));
  EXPECT_NE(f.explain().find("g: 1 trace\n"), std::string::npos);
  f.clear_cache();
  EXPECT_EQ(copy.explain(), "g: 0 traces\n");
}

}  // namespace

// jit with donated arguments: what is written over, what is deleted, what others keep.
#include <gtest/gtest.h>

#include "cotan/cotan.h"
#include "runtime/allocator.h"

namespace ct = cotan;
namespace jnp = cotan::numpy;
using ct::Array;

namespace {

struct Layer {
  Array w, b;
};
std::vector<Layer> step(const std::vector<Layer>& layers, const Array& x) {
  std::vector<Layer> out;
  for (const Layer& l : layers) out.push_back({l.w - 0.5 * x, l.b + jnp::sum(x, 0)});
  return out;
}

TEST(Donation, ParametersAreUpdatedInPlace) {
  const auto update = ct::jit(step, {.donate_argnums = {0}});
  std::vector<Layer> params{{jnp::ones({100, 100}), jnp::zeros({100})}, {jnp::ones({100, 100}), jnp::zeros({100})}};
  const Array x = jnp::ones({100, 100});
  params = update(params, x);
  const void* first = params[0].w.data();
  const std::int64_t before = ct::runtime::allocator_statistics().system_requests;
  for (int i = 0; i < 10; ++i) params = update(params, x);
  EXPECT_EQ(params[0].w.data(), first);
  EXPECT_EQ(ct::runtime::allocator_statistics().system_requests, before);
  EXPECT_EQ(params[1].w(3, 4).item<float>(), 1 - 0.5f * 11);
  EXPECT_EQ(params[1].b(7).item<float>(), 1100);
  const std::string text = update.explain();
  EXPECT_NE(text.find("  donated: 4 of 4 become results\n"), std::string::npos) << text;
}

TEST(Donation, TheArgumentIsDeleted) {
  const auto f = ct::jit([](const Array& x) { return x * 2; }, {.donate_argnums = {0}});
  for (std::int64_t n : {1, 3, 1000}) {
    const Array x = jnp::ones({n});
    const Array y = f(x);
    EXPECT_EQ(y(0).item<float>(), 2);
    EXPECT_EQ(x.shape(), ct::Shape({n}));
    const auto deleted = [&](auto use) {
      try {
        use();
        ADD_FAILURE() << "an array that was donated can be used";
      } catch (const ct::RuntimeError& e) {
        EXPECT_EQ(e.message().find("Array has been deleted with shape=float32[" + std::to_string(n) + "]."), 0u)
            << e.message();
      }
    };
    deleted([&] { return x + 1; });
    deleted([&] { return x.data(); });
    deleted([&] { return x.str(); });
    deleted([&] { return f(x); });
    deleted([&] { return x.reshape({-1, 1}); });
    deleted([&] { return ct::jit([](const Array& a) { return a + 1; })(x); });
    deleted([&] { return ct::grad([&](const Array& a) { return jnp::sum(a * x); })(y); });
  }
}

TEST(Donation, WhatOthersHoldIsCopied) {
  const auto f = ct::jit([](const Array& x) { return x * 2; }, {.donate_argnums = {0}});
  const Array x = jnp::ones({1000});
  const Array copy = x, view = x.reshape({10, 100});
  EXPECT_EQ(f(x)(5).item<float>(), 2);
  EXPECT_EQ(f(view.reshape({1000}))(5).item<float>(), 2);  // a view of it
  EXPECT_EQ(x(5).item<float>(), 1);
  EXPECT_EQ(copy(5).item<float>(), 1);
  EXPECT_EQ(view(0, 5).item<float>(), 1);
  const std::string text = f.explain();
  EXPECT_NE(text.find("argument 0: was copied before 2 calls, since others held its elements"), std::string::npos)
      << text;
}

TEST(Donation, AViewWhoseBaseIsGoneIsWrittenOver) {
  const auto f = ct::jit([](const Array& x) { return x * 2; }, {.donate_argnums = {0}});
  const Array x = jnp::arange(1000.f).reshape({10, 100});
  const void* at = x.data();
  const Array y = f(x);
  EXPECT_EQ(y.data(), at);
  EXPECT_EQ(y(1, 1).item<float>(), 202);
}

TEST(Donation, ConstantsOfProgramsStay) {
  const Array c = jnp::ones({1000});
  const auto uses = ct::jit([c](const Array& x) { return x + c; });
  uses(c);
  const auto f = ct::jit([](const Array& x) { return x * 2; }, {.donate_argnums = {0}});
  f(c);
  EXPECT_EQ(uses(jnp::zeros({1000}))(9).item<float>(), 1);
}

TEST(Donation, WhatServesNoResultIsKept) {
  const auto f = ct::jit([](const Array& x, const Array& y) { return jnp::sum(x) + y; }, {.donate_argnums = {0, 1}});
  const Array x = jnp::ones({1000}), y = jnp::array(1.f);
  f(x, y);
  EXPECT_EQ(x(0).item<float>(), 1);
  const std::string text = f.explain();
  EXPECT_NE(
      text.find("  donated: 1 of 2 become results\n    argument 0: is kept: no result left has its shape and dtype\n"),
      std::string::npos)
      << text;
}

TEST(Donation, WhyAResultTakesOtherMemory) {
  const auto f = ct::jit([](const Array& x) { return jnp::sort(x); }, {.donate_argnums = {0}});
  f(jnp::ones({1000}));
  EXPECT_NE(f.explain().find("argument 0: is freed after the call: result 0 is written (by sort) while it is read"),
            std::string::npos)
      << f.explain();
}

TEST(Donation, TheSameArgumentTwice) {
  const auto f = ct::jit(
      [](const Array& x, const Array& y) {
        return std::vector<Array>{x + y, x * y};
      },
      {.donate_argnums = {0, 1}});
  const Array x = jnp::full({1000}, 3.f);
  const std::vector<Array> r = f(x, x);
  EXPECT_EQ(r[0](1).item<float>(), 6);
  EXPECT_EQ(r[1](1).item<float>(), 9);
}

TEST(Donation, OperandsThatAreResults) {
  const auto f = ct::jit(
      [](const Array& x, const Array& y) {
        return std::vector<Array>{x, y + x, x};
      },
      {.donate_argnums = {0, 1}});
  const std::vector<Array> r = f(jnp::ones({1000}), jnp::ones({1000}));
  EXPECT_EQ(r[0](999).item<float>(), 1);
  EXPECT_EQ(r[1](999).item<float>(), 2);
  EXPECT_EQ(r[2](999).item<float>(), 1);
}

TEST(Donation, NotUnderOtherTransformations) {
  const auto f = ct::jit([](const Array& x) { return x * x; }, {.donate_argnums = {0}});
  const Array x = jnp::ones({3});
  EXPECT_EQ(ct::grad([&](const Array& a) { return jnp::sum(f(a)); })(x)(0).item<float>(), 2);
  EXPECT_EQ(ct::jit([&](const Array& a) { return f(a) + a; })(x)(0).item<float>(), 2);
  EXPECT_EQ(x(0).item<float>(), 1);
}

TEST(Donation, LoopsUpdateTheirCarriesInPlace) {
  const auto f = ct::jit(
      [](const Array& x, const Array& n) {
        return ct::lax::fori_loop(
            0, n, [](const Array& i, const Array& c) { return c.at(i).add(1); }, x);
      },
      {.donate_argnums = {0}});
  const Array x = jnp::zeros({100000});
  const void* at = x.data();
  const Array y = f(x, jnp::array(10));
  EXPECT_EQ(y.data(), at);
  EXPECT_EQ(jnp::sum(y).item<float>(), 10);
  EXPECT_EQ(y(10).item<float>(), 0);
}

TEST(Donation, ACallThatFailsTakesTheArgument) {
  const auto f = ct::jit(
      [](const Array& x) {
        return ct::pure_callback([](const Array&) -> Array { throw ct::ValueError("no"); }, x, {}, x) + x;
      },
      {.donate_argnums = {0}});
  const Array x = jnp::ones({1000});
  EXPECT_THROW(f(x), ct::Error);
  EXPECT_THROW(x.data(), ct::RuntimeError);
}

TEST(Donation, ArgumentsThatDoNotExist) {
  EXPECT_THROW(ct::jit([](const Array& x) { return x; }, {.donate_argnums = {1}}), ct::ValueError);
  EXPECT_THROW(ct::jit([](const Array& x) { return x; }, {.donate_argnums = {-1}}), ct::ValueError);
}

TEST(Donation, MemoryAnalysisCountsIt) {
  const auto jaxpr = ct::make_jaxpr([](const Array& x, const Array& y) {
    return std::vector<Array>{x + y, y};
  })(ct::abstract_array({1024}), ct::abstract_array({1024}));
  EXPECT_EQ(ct::memory_analysis(jaxpr).aliased, 0);
  EXPECT_EQ(ct::memory_analysis(jaxpr, {0}).aliased, 4096);
  EXPECT_EQ(ct::memory_analysis(jaxpr, {0, 1}).aliased, 8192);
  EXPECT_THROW(ct::memory_analysis(jaxpr, {2}), ct::ValueError);
  const auto sorted = ct::make_jaxpr([](const Array& x) { return jnp::sort(x); })(ct::abstract_array({1024}));
  EXPECT_EQ(ct::memory_analysis(sorted, {0}).aliased, 0);
}

}  // namespace

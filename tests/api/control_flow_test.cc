// Control flow, custom rules and callbacks in C++: what the derived comparisons (tests/python/test_control.py, tests/compose) do not see.
#include <cmath>

#include "api/api_test.h"
#include "core/jaxpr_utils.h"

namespace {

Array root_of(const Array& a) {
  return lax::while_loop([a](const Array& x) { return jnp::abs(x * x - a) > 1e-5; },
                         [a](const Array& x) { return 0.5 * (x + a / x); }, Array(1.0));
}

TEST(ControlFlow, AWhileLoopFreezesLanesThatHaveStopped) {
  const Array a = jnp::array({2.f, 9.f, 100.f, 1.f});
  EXPECT_TRUE(bool(jnp::allclose(ct::vmap(root_of)(a), jnp::sqrt(a))));
  EXPECT_TRUE(bool(jnp::array_equal(ct::vmap(root_of)(a), ct::jit(ct::vmap(root_of))(a))));
  const auto count = [](const Array& n) {
    return lax::while_loop([n](const Array& i) { return i < n; }, [](const Array& i) { return i + 1; }, Array(0));
  };
  EXPECT_TRUE(bool(jnp::array_equal(ct::vmap(count)(jnp::arange(6)), jnp::arange(6))));
}

TEST(ControlFlow, ForwardModeGoesThroughWhile) {
  const auto [y, dy] = ct::jvp(root_of, Array(4.0), Array(1.0));
  EXPECT_NEAR(y.item<float>(), 2, 1e-4);
  EXPECT_NEAR(dy.item<float>(), 0.25, 1e-3);
  EXPECT_THROW(ct::grad(root_of)(4.0), ct::ValueError);
}

TEST(ControlFlow, ABranchThatIsNotTakenDoesNotReachAGradient) {
  const auto f = [](const Array& x) {
    return lax::cond(
        x > 0, [](const Array& v) { return jnp::sqrt(v); }, [](const Array& v) { return 0.0 * v; }, x);
  };
  const Array x = jnp::array({4.f, 0.f, -1.f});
  const Array g = ct::grad([&](const Array& v) { return jnp::sum(ct::vmap(f)(v)); })(x);
  EXPECT_TRUE(bool(jnp::array_equal(g, jnp::array({0.25f, 0.f, 0.f})))) << g;
}

TEST(ControlFlow, ALoopThatStopsAtOnceGivesItsStart) {
  EXPECT_EQ(lax::fori_loop(
                3, 1, [](const Array&, const Array& c) { return c + 1; }, 7)
                .item<int>(),
            7);
  const auto [c, rows] =
      lax::scan([](const Array& a, const Array& x) { return std::pair(a + x, x); }, 1.0, jnp::zeros({0}));
  EXPECT_EQ(c.item<float>(), 1);
  EXPECT_EQ(rows.shape(), ct::Shape{0});
  EXPECT_EQ(lax::map([](const Array& x) { return x * x; }, jnp::zeros({0, 3})).shape(), (ct::Shape{0, 3}));
}

TEST(ControlFlow, ScanWithoutRows) {
  const auto [c, rows] =
      lax::scan([](const Array& a, ct::none_t) { return std::pair(a * 2.0, a); }, 1.0, ct::none, {.length = 4});
  EXPECT_EQ(c.item<float>(), 16);
  EXPECT_TRUE(bool(jnp::array_equal(rows, jnp::array({1.f, 2.f, 4.f, 8.f}))));
}

TEST(ControlFlow, CarriesMaySwapAndMaySitStill) {
  struct Pair {
    Array a, b, still;
  };
  const Pair p = lax::fori_loop(
      0, 10,
      [](const Array&, const Pair& s) {
        return Pair{s.b, s.a + s.b, s.still};
      },
      Pair{0, 1, jnp::arange(3)});
  EXPECT_EQ(p.a.item<int>(), 55);
  EXPECT_EQ(p.b.item<int>(), 89);
  EXPECT_TRUE(bool(jnp::array_equal(p.still, jnp::arange(3))));
}

TEST(ControlFlow, ACarryMayGrowATangentLate) {
  // The second carry gets a tangent in the first step, the third in the second: a fixpoint over flags.
  struct S {
    Array a, b, c;
  };
  const auto f = [](const Array& x) {
    const S s = lax::fori_loop(
        0, 3,
        [](const Array&, const S& v) {
          return S{v.a * 2.0, v.b + v.a, v.c + v.b};
        },
        S{x, 0.0, 0.0});
    return s.c;
  };
  EXPECT_NEAR(ct::grad(f)(1.0).item<float>(), 1 + (1 + 2), 1e-5);
  EXPECT_NEAR(ct::jvp(f, Array(1.0), Array(1.0)).second.item<float>(), 4, 1e-5);
}

TEST(ControlFlow, WhatIsNotUsedIsLeftOut) {
  const auto f = [](const Array& x) {
    struct S {
      Array kept, dead;
    };
    const S s = lax::fori_loop(
        0, 3,
        [](const Array&, const S& v) {
          return S{v.kept * 2.0, jnp::sin(v.dead)};
        },
        S{x, x});
    return s.kept;
  };
  const ct::ClosedJaxpr j = ct::make_jaxpr(f)(1.0);
  const auto d = ct::dce(ct::share(j), {true});
  const std::string text = ct::close_jaxpr(d.jaxpr).str();
  EXPECT_EQ(text.find("sin"), text.npos) << text;
  EXPECT_NE(text.find("num_carry=1"), text.npos) << text;
}

TEST(ControlFlow, AMismatchNamesTheLeafAndBothTypes) {
  struct S {
    Array a, b;
  };
  try {
    lax::fori_loop(
        0, 3,
        [](const Array&, const S& s) {
          return S{s.a, jnp::concatenate({s.b, s.b})};
        },
        S{1.0, jnp::zeros({2})});
    FAIL() << "no error";
  } catch (const ct::TypeError& e) {
    const std::string what = e.what();
    for (const char* words : {"c.b", "float32(2,)", "float32(4,)", "control_flow_test.cc"})
      EXPECT_NE(what.find(words), what.npos) << what;
  }
  EXPECT_THROW(lax::cond(
                   true, [](const Array& x) { return x; }, [](const Array& x) { return x.astype(ct::int32); }, 1.0),
               ct::TypeError);
  EXPECT_THROW(lax::cond(
                   jnp::ones({2}), [] { return Array(1); }, [] { return Array(2); }),
               ct::TypeError);
  EXPECT_THROW(lax::scan([](const Array& c, const Array& x) { return std::pair(c, x); }, 1.0, 2.0), ct::ValueError);
}

TEST(CustomRules, ACustomVjpIsUsedInReverseModeOnly) {
  const auto f = ct::custom_vjp(
      [](const Array& x, const Array& y) { return jnp::sin(x) * y; },
      [](const Array& x, const Array& y) { return std::pair(jnp::sin(x) * y, std::tuple(x, y)); },
      [](const std::tuple<Array, Array>& r, const Array& g) {
        return std::tuple(10.0 * g * jnp::cos(std::get<0>(r)) * std::get<1>(r), g * jnp::sin(std::get<0>(r)));
      });
  const float want = 20 * std::cos(1.f);
  EXPECT_NEAR(ct::grad(f)(1.0, 2.0).item<float>(), want, 1e-4);
  EXPECT_NEAR(ct::jit(ct::grad(f))(1.0, 2.0).item<float>(), want, 1e-4);
  EXPECT_NEAR(ct::vmap(ct::grad(f), ct::in_axes(0, ct::none))(jnp::ones({3}), 2.0)(1).item<float>(), want, 1e-4);
  const auto sum = [&](const Array& x, const Array& y) {
    return jnp::sum(ct::vmap(f, ct::in_axes(0, ct::none))(x, y));
  };
  EXPECT_NEAR(ct::grad<1>(sum)(jnp::ones({3}), 2.0).item<float>(), 3 * std::sin(1.f),
              1e-5);  // summed over the lanes that share it
  EXPECT_NEAR(ct::jit(ct::grad<1>(sum))(jnp::ones({3}), 2.0).item<float>(), 3 * std::sin(1.f), 1e-5);
  EXPECT_THROW(ct::jvp([&](const Array& x) { return f(x, 2.0); }, Array(1.0), Array(1.0)), ct::TypeError);
  EXPECT_NEAR(ct::jacfwd(ct::grad(f))(1.0, 2.0).item<float>(), -20 * std::sin(1.f), 1e-4);
}

TEST(CustomRules, RulesRunInLoops) {
  const auto f = ct::custom_jvp([](const Array& x) { return jnp::sin(x); },
                                [](const Array& x, const Array& t) { return std::pair(jnp::sin(x), 2.0 * t); });
  const auto loop = [&](const Array& x) {
    return lax::fori_loop(
        0, 3, [&](const Array&, const Array& c) { return f(c); }, x);
  };
  EXPECT_NEAR(ct::grad(loop)(1.0).item<float>(), 8, 1e-5);
  EXPECT_NEAR(ct::jit(ct::grad(loop))(1.0).item<float>(), 8, 1e-5);
  EXPECT_NEAR(ct::vmap(ct::grad(loop))(jnp::ones({2}))(1).item<float>(), 8, 1e-5);
}

TEST(CustomRules, MayCaptureValuesOfAVmap) {
  const auto per_lane = [](const Array& c) {
    const auto f =
        ct::custom_jvp([c](const Array& y) { return jnp::sin(y) * c; },
                       [c](const Array& y, const Array& t) { return std::pair(jnp::sin(y) * c, 10 * t * c); });
    const auto g = ct::custom_vjp([c](const Array& y) { return jnp::sin(y) * c; },
                                  [c](const Array& y) { return std::pair(jnp::sin(y) * c, y); },
                                  [c](const Array&, const Array& ct) { return 100 * ct * c; });
    return jnp::stack({f(2.0), ct::grad(f)(2.0), g(2.0), ct::grad(g)(2.0)});
  };
  const Array c = jnp::array({1.f, 2.f});
  for (const Array& got : {ct::vmap(per_lane)(c), ct::jit(ct::vmap(per_lane))(c)})
    for (int lane = 0; lane < 2; ++lane) {
      const float x = c(lane).item<float>(), value = std::sin(2.f) * x;
      EXPECT_TRUE(jnp::allclose(got(lane), jnp::array({value, 10 * x, value, 100 * x}))) << lane;
    }
}

TEST(Callbacks, ArePartOfPrograms) {
  std::vector<float> seen;
  const auto f = [&](const Array& x) {
    ct::debug::callback([&](const Array& v) { seen.push_back(v.item<float>()); }, x);
    return x * x;
  };
  EXPECT_EQ(ct::jit(f)(3.0).item<float>(), 9);
  EXPECT_EQ(ct::grad(f)(3.0).item<float>(), 6);
  ct::vmap(f)(jnp::array({1.f, 2.f}));
  lax::fori_loop(
      0, 2, [&](const Array&, const Array& c) { return f(c); }, 2.0);
  EXPECT_EQ(seen, (std::vector<float>{3, 3, 1, 2, 2, 4}));
}

TEST(Callbacks, PureOnesGiveValues) {
  const auto host = [](const Array& x) { return Array(jnp::sin(x)); };
  const auto f = [&](const Array& x) {
    return ct::pure_callback(host, ct::abstract_array({}), {.vmap_method = ct::VmapMethod::sequential}, x);
  };
  EXPECT_NEAR(ct::jit(f)(1.0).item<float>(), std::sin(1.f), 1e-6);
  EXPECT_TRUE(bool(jnp::allclose(ct::vmap(f)(jnp::arange(4.f)), jnp::sin(jnp::arange(4.f)))));
  EXPECT_THROW(ct::grad(f)(1.0), ct::ValueError);
  EXPECT_THROW(ct::pure_callback(host, ct::abstract_array({3}), {}, 1.0), ct::RuntimeError);
}

TEST(Callbacks, WhatTheyThrowEndsTheLoop) {
  int calls = 0;
  const auto stop = [&](const Array& x) {
    ct::debug::callback(
        [&](const Array&) {
          if (++calls == 3) throw std::runtime_error("enough");
        },
        x);
    return x + 1.0;
  };
  try {
    ct::jit([&](const Array& x) {
      return lax::fori_loop(
          0, 100, [&](const Array&, const Array& c) { return stop(c); }, x);
    })(0.0);
    FAIL() << "no error";
  } catch (const std::runtime_error& e) { EXPECT_STREQ(e.what(), "enough"); }
  EXPECT_EQ(calls, 3);
}

}  // namespace

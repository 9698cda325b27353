// Programs in, StableHLO out. That the text means what the program does, tests/python/test_stablehlo.py checks by running it.
#include <gtest/gtest.h>

#include <complex>
#include <limits>

#include "compiler/stablehlo/module.h"
#include "core/primitive.h"
#include "core/stablehlo_writer.h"
#include "cotan/cotan.h"

namespace cotan {
namespace {

std::string main_of(const Lowered& l) {  // without the module around it
  const std::string s = l.as_text();
  const std::size_t first = s.find('\n') + 1;
  return s.substr(first, s.rfind("}\n") - first);
}
std::string module_of(const char* program) { return stablehlo_module(parse_jaxpr(program), "f"); }

TEST(StableHlo, OperandsAreBroadcast) {
  EXPECT_EQ(module_of("{ lambda ; %0:f32[2,3] . let %1:f32[2,3] = mul %0 2.0:f32[]; %2:f32[2,3] = tanh %1; in (%2) }"),
            R"(module @jit_f {
  func.func public @main(%0: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
    %1 = "stablehlo.constant"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
    %2 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<2x3xf32>
    %3 = "stablehlo.multiply"(%0, %2) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %4 = "stablehlo.tanh"(%3) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%4) : (tensor<2x3xf32>) -> ()
  }
}
)");
}

TEST(StableHlo, ProgramsAreFunctionsOnce) {
  EXPECT_EQ(
      module_of(
          "{ lambda ; %0:f32[] . let %1:f32[] = jit[jaxpr=@0{ lambda ; %0:f32[] . let %1:f32[] = sin %0; in (%1) }, "
          "name=\"a b\"] %0; %2:f32[] = jit[jaxpr=@0, name=\"a b\"] %1; in (%2) }"),
      R"(module @jit_f {
  func.func public @main(%0: tensor<f32>) -> (tensor<f32>) {
    %1 = "func.call"(%0) {callee = @a_b} : (tensor<f32>) -> tensor<f32>
    %2 = "func.call"(%1) {callee = @a_b} : (tensor<f32>) -> tensor<f32>
    "func.return"(%2) : (tensor<f32>) -> ()
  }
  func.func private @a_b(%0: tensor<f32>) -> (tensor<f32>) {
    %1 = "stablehlo.sine"(%0) : (tensor<f32>) -> tensor<f32>
    "func.return"(%1) : (tensor<f32>) -> ()
  }
}
)");
}

TEST(StableHlo, ALoopCarriesWhatItReads) {
  const auto f = [](const Array& x, const Array& y) {
    return lax::while_loop([&](const Array& c) { return c < y; }, [&](const Array& c) { return c + x; }, x);
  };
  EXPECT_EQ(main_of(lower(f)(Array(1.0f), Array(9.0f))),
            R"(  func.func public @main(%0: tensor<f32>, %1: tensor<f32>) -> (tensor<f32>) {
    %2:3 = "stablehlo.while"(%1, %0, %0) ({
    ^bb0(%3: tensor<f32>, %4: tensor<f32>, %5: tensor<f32>):
      %6 = "stablehlo.compare"(%5, %3) {comparison_direction = #stablehlo<comparison_direction LT>, )"
            R"(compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%6) : (tensor<i1>) -> ()
    }, {
    ^bb0(%7: tensor<f32>, %8: tensor<f32>, %9: tensor<f32>):
      %10 = "stablehlo.add"(%9, %8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%7, %8, %10) : (tensor<f32>, tensor<f32>, tensor<f32>) -> ()
    }) : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
    "func.return"(%2#2) : (tensor<f32>) -> ()
  }
)");
}

TEST(StableHlo, BranchesReadWhatIsAround) {
  const auto f = [](const Array& p, const Array& x) {
    return lax::cond(
        p, [](const Array& a) { return numpy::sin(a); }, [](const Array& a) { return a; }, x);
  };
  EXPECT_EQ(main_of(lower(f)(Array(true), Array(9.0f))),
            R"(  func.func public @main(%0: tensor<i1>, %1: tensor<f32>) -> (tensor<f32>) {
    %2 = "stablehlo.convert"(%0) : (tensor<i1>) -> tensor<i32>
    %3 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %4 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %5 = "stablehlo.clamp"(%3, %2, %4) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %6 = "stablehlo.case"(%5) ({
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }, {
      %7 = "stablehlo.sine"(%1) : (tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%7) : (tensor<f32>) -> ()
    }) : (tensor<i32>) -> tensor<f32>
    "func.return"(%6) : (tensor<f32>) -> ()
  }
)");
}

std::string constant_text(const HloType& t, const void* bytes) {
  HloWriter w;
  w.dense(t, bytes);
  const std::string s = w.take_text();
  return s.substr(s.find('{'), s.find('}') + 1 - s.find('{'));
}

TEST(StableHlo, Constants) {
  const float f[] = {1, -0.0f, std::numeric_limits<float>::infinity(), 1e-5f};
  EXPECT_EQ(constant_text({{2, 2}, float32}, f),
            "{value = dense<[[1.0, -0.0], [0x7F800000, 1.0e-05]]> : tensor<2x2xf32>}");
  const std::uint32_t nan = 0xffc00001;
  EXPECT_EQ(constant_text({{}, float32}, &nan), "{value = dense<0xFFC00001> : tensor<f32>}");
  const std::uint16_t half[] = {0x3c00, 0x7c00};
  EXPECT_EQ(constant_text({{2}, float16}, half), "{value = dense<[1.0, 0x7C00]> : tensor<2xf16>}");
  EXPECT_EQ(constant_text({{2}, bfloat16}, half), "{value = dense<[0.0078, 2.66e+36]> : tensor<2xbf16>}");
  const std::complex<float> c[] = {{1, 2}, {0, std::numeric_limits<float>::infinity()}};
  EXPECT_EQ(constant_text({{2}, complex64}, c),
            "{value = dense<[(1.0, 2.0), (0.0, 0x7F800000)]> : tensor<2xcomplex<f32>>}");
  const bool b[] = {true, false};
  EXPECT_EQ(constant_text({{2, 1}, bool_}, b), "{value = dense<[[true], [false]]> : tensor<2x1xi1>}");
  EXPECT_EQ(constant_text({{0, 3}, int8}, b), "{value = dense<> : tensor<0x3xi8>}");
  const std::vector<std::uint8_t> many(65, 0xab);
  EXPECT_EQ(
      constant_text({{65}, uint8}, many.data()), "{value = dense<\"0x" + [] {
        std::string s;
        for (int i = 0; i < 65; ++i) s += "AB";
        return s;
      }() + "\"> : tensor<65xui8>}");
}

TEST(StableHlo, KeysAreWords) {
  const std::string text = module_of(
      "{ lambda ; %0:key<fry>[4] . let %1:key<fry>[2] = slice[limit_indices=(3,), start_indices=(1,), strides=None] "
      "%0; in (%1) }");
  EXPECT_NE(text.find("@main(%0: tensor<4x2xui32>) -> (tensor<2x2xui32>)"), std::string::npos) << text;
  EXPECT_NE(text.find("start_indices = array<i64: 1, 0>, limit_indices = array<i64: 3, 2>"), std::string::npos) << text;
}

TEST(StableHlo, WhatIsMissingIsNamed) {
  try {
    module_of("{ lambda ; %0:f32[] . let %1:f32[2] = rng_uniform[shape=(2,)] %0 %0; in (%1) }");
    FAIL();
  } catch (const NotImplementedError& e) {
    EXPECT_EQ(e.message(),
              "StableHLO text of primitive 'rng_uniform' is not implemented: its numbers depend on the calls before");
  }
}

// Loops of a special function, also where jit is disabled.
TEST(StableHlo, ExpansionsLoop) {
  const char* const program = "{ lambda ; %0:f32[3] . let %1:f32[3] = dawsn %0; in (%1) }";
  const std::string text = module_of(program);
  EXPECT_NE(text.find("stablehlo.while"), std::string::npos) << text;
  const config::Scoped disabled(config::Flag::disable_jit, true);
  EXPECT_EQ(module_of(program), text);
}

// A record says how it is written, or why it is not: the registry refuses others.
TEST(StableHlo, EveryPrimitiveSaysHow) {
  for (const Primitive* p : all_primitives()) {
    EXPECT_TRUE(p->stablehlo.is_set() || p->regions) << p->name;
    // What has no text calls this process, keeps its state, or is about several devices; or no trace records it.
    EXPECT_FALSE(p->stablehlo.reason() && p->tile) << p->name;
    const char* operation = p->stablehlo.operation();
    EXPECT_TRUE(!operation || std::string_view(operation).starts_with("stablehlo.")) << p->name;
  }
}

}  // namespace
}  // namespace cotan

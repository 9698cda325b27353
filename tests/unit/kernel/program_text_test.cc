#include <gtest/gtest.h>

#include "kernel/plan.h"
#include "stub_tiles.h"

namespace cotan::kernel::test {
namespace {

class ProgramText : public ::testing::Test {
 protected:
  void SetUp() override { install_stub_tiles(); }
};

constexpr const char* everything = R"(program [8, 128]
  s0 = memory b0 f32 +3 [128, -1]
  s1 = memory b1 bool +0 [0, 1]
  s2 = iota i32 +0 [1, 0]
  c0 = constant f32 0000803f
  t0 = mul f32 (s0, c0) -> f32 aux 7
  t1 = select f32 (s1, t0, s0) -> f32
  t2 = convert f32 (t1) -> f64
  store t2 b2 +0 [128, 1]
  store s2 b3 +5 [-1, 8]
  alias b2 b1
end
)";

TEST_F(ProgramText, RoundTrip) {
  Program p;
  std::string error;
  ASSERT_TRUE(parse_program(everything, &p, &error)) << error;
  EXPECT_EQ(to_text(p), everything);
  EXPECT_EQ(p.instructions[0].aux, 7u);
  EXPECT_EQ(p.sources[0].strides, (Dims{128, -1}));
  constexpr const char* reduction = R"(program [4, 3, 2]
  s0 = memory b0 bf16 +0 [6, 2, 1]
  reduce argmax s0 over [0, 2] b1 i64 +1 [0, 1, 0]
end
)";
  ASSERT_TRUE(parse_program(reduction, &p, &error)) << error;
  EXPECT_EQ(to_text(p), reduction);
  constexpr const char* started = R"(program [2]
  s0 = memory b0 f32 +0 [1] at (b2 i32 wrap 5 <= 3 * 4, b3 u8 <= 0 * -1)
  store s0 b1 +1 [1] at (b2 i32 <= 1 * 2)
end
)";
  ASSERT_TRUE(parse_program(started, &p, &error)) << error;
  EXPECT_EQ(to_text(p), started);
  constexpr const char* scalar = "program []\n  c0 = constant c64 0000803f00000000\n  store c0 b0 +0 []\nend\n";
  ASSERT_TRUE(parse_program(scalar, &p, &error)) << error;
  EXPECT_EQ(to_text(p), scalar);
}

TEST_F(ProgramText, PlansRoundTrip) {
  Plan plan;
  const int a = plan.add_input(4096), b = plan.add_input(4096), t = plan.add_temporary(4096),
            out = plan.add_output(4096);
  const DType types[] = {DType::float32, DType::float32};
  const int first[] = {a, b, t};
  append(&plan, elementwise_program("add", DType::float32, DType::float32, 1024, types), first);
  LibraryCall call;
  call.inputs = {{t, DType::float32, 0}, {b, DType::float32, 16}};
  call.outputs = {{out, DType::float32, 0}};
  call.params = {1, 2, -3};
  plan.steps.emplace_back(call);
  const std::string text = to_text(plan);
  Plan again;
  std::string error;
  ASSERT_TRUE(parse_plan(text, &again, &error)) << error << text;
  EXPECT_EQ(to_text(again), text);
  EXPECT_EQ(verify(again), "");
  EXPECT_EQ(again.input_count(), 2);
  EXPECT_EQ(std::get<Program>(again.steps[0]).stores[0].buffer, t);
}

TEST_F(ProgramText, MistakesAreNamed) {
  const auto error_of = [](const std::string& text) {
    Program p;
    std::string error;
    EXPECT_FALSE(parse_program(text, &p, &error)) << text;
    return error;
  };
  EXPECT_EQ(error_of(""), "line 1: expected 'program'");
  EXPECT_EQ(error_of("program [2"), "line 1: expected ']'");
  EXPECT_EQ(error_of("program [2]\n s1 = memory b0 f32 +0 [1]\nend"), "line 2: values are numbered in order");
  EXPECT_EQ(error_of("program [2]\n s0 = memory b0 f99 +0 [1]\nend"), "line 2: no dtype 'f99'");
  EXPECT_EQ(error_of("program [2]\n t0 = frobnicate f32 (s0) -> f32\nend"), "line 2: no tile operation 'frobnicate'");
  EXPECT_EQ(error_of("program [2]\n c0 = constant f32 00\nend"), "line 2: a constant needs two digits per byte");
  EXPECT_EQ(error_of("program [2]\n c0 = constant f32 zz00zz00\nend"), "line 2: a constant is hexadecimal digits");
  EXPECT_EQ(error_of("program [2]\n reduce mean t0 over [0] b0 f32 +0 [0]\nend"), "line 2: no combiner 'mean'");
  EXPECT_EQ(error_of("program [2]\n t0 = add f32 (s0, s0, s0, s0) -> f32\nend"), "line 2: too many operands");
  EXPECT_EQ(error_of("program [2]\nend more"), "line 2: text after the program");
  Plan plan;
  std::string error;
  EXPECT_FALSE(parse_plan("plan\nb0 input 0 4\ncall fft () -> () params []\nend", &plan, &error));
  EXPECT_EQ(error, "line 3: no library operation 'fft'");
}

}  // namespace
}  // namespace cotan::kernel::test

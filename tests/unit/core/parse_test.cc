#include <gtest/gtest.h>

#include <random>

#include "core/jaxpr_utils.h"
#include "unit/core/test_primitives.h"

namespace cotan::test {
namespace {

struct Parse : testing::Test {
  void SetUp() override { set_up(); }
};

// A program with everything that the text can have.
const char* const everything =
    R"({ lambda %0:f32[2]=[1.5 nan(0xffc00001)] %1:key<fry>[]=[0x0000000100000002] ; %2:f32[4]~ %3:c64[0] . let
    %4:f32[4] %5:i32[4] = top_k[dimension=-1] %2;
    %6:f32[4]~ = add %2 1.0:f32[]~;
    %7:f32[4] = every[absent=None, boolean=False, dtype=key<fry>, flags=[], integer=3, large=9223372036854775807, )"
    R"(lists=[(1,)], maybe=Mode.CLIP, mode="0", numbers=Numbers(first=(), second=(1, 2)), pairs=[(a=(), b=None)], )"
    R"(program=@0{ lambda ; %0:f32[4] . let
        = shout %0 !2;
        %1:f32[4] = sin %0;
      in (%1) !2 }, real=nan(0xfff8000000000001), shape=(2, 3), text="\"\\\x0a"] %4;
    %8:f32[4] = jit[jaxpr=@0, name="f"] %7;
    = shout 2:i32[] !2;
  in (%8, -0.0:f32[], (1-2j):c64[], True:bool[]) !2 })";

std::string error_of(const std::string& text) {
  try {
    parse_jaxpr(text);
  } catch (const ValueError& e) { return e.message(); }
  return "none";
}

// The text, with %7 declared as a program's output has to be: top_k keeps the weak type of its operand.
std::string sample() {
  std::string s = everything;
  s.replace(s.find("%4:f32[4] %5"), 9, "%4:f32[4]~");
  s.replace(s.find("%7:f32[4] ="), 9, "%7:f32[4]~");
  return s;
}

TEST_F(Parse, TextIsReadBackExactly) {
  const ClosedJaxpr c = parse_jaxpr(sample());
  EXPECT_EQ(c.to_text(), sample());
  EXPECT_TRUE(same_jaxpr(c, parse_jaxpr(c.to_text())));
  EXPECT_EQ(&share(params_as<CallParams>(c.jaxpr().eqns[3].params.get()).jaxpr)->vars,
            &params_as<EveryParams>(c.jaxpr().eqns[2].params.get()).program->jaxpr().vars);
}

TEST_F(Parse, VariablesAreNumberedByDefinition) {
  const ClosedJaxpr c = parse_jaxpr("{lambda;%9:f32[]%900000000000:f32[].let %3:f32[]=add %9 %900000000000;in(%3,%9)}");
  EXPECT_EQ(c.to_text(), "{ lambda ; %0:f32[] %1:f32[] . let\n    %2:f32[] = add %0 %1;\n  in (%2, %0) }");
}

TEST_F(Parse, EmptyConstants) {
  const ClosedJaxpr c = parse_jaxpr("{ lambda %0:f32[0,3]=[] ; . let in (%0) }");
  EXPECT_EQ(c.consts()[0].shape(), Shape({0, 3}));
  EXPECT_EQ(c.to_text(), "{ lambda %0:f32[0,3]=[] ; . let\n  in (%0) }");
}

TEST_F(Parse, ErrorsSayWhere) {
  EXPECT_EQ(error_of(""), "parse_jaxpr: line 1, column 1: expected '{', got the end of the text");
  EXPECT_EQ(error_of("{ lambda ; . let\n  in (%0) }"), "parse_jaxpr: line 2, column 8: %0 is not defined");
  EXPECT_EQ(error_of("{ lambda ; %0:f33[] . let in () }"), "parse_jaxpr: line 1, column 15: there is no dtype 'f33'");
  EXPECT_EQ(error_of("{ lambda ; %0:f32[] . let\n   %1:f32[] = sine %0; in () }"),
            "parse_jaxpr: line 2, column 15: there is no primitive 'sine'");
  EXPECT_EQ(error_of("{ lambda ; %0:f32[] %0:f32[] . let in () }"),
            "parse_jaxpr: line 1, column 22: %0 is defined again");
  EXPECT_EQ(error_of("{ lambda ; %0:f32[] . let %1:f32[] = sin %1; in () }"),
            "parse_jaxpr: line 1, column 43: %1 is not defined");
  EXPECT_EQ(error_of("{ lambda ; . let in () } x"), "parse_jaxpr: line 1, column 26: expected the end of the text");
}

TEST_F(Parse, TypesAreChecked) {
  EXPECT_EQ(error_of("{ lambda ; %0:f32[2] . let %1:f32[3] = sin %0; in () }"),
            "parse_jaxpr: line 1, column 28: result 0 is declared as f32[3], sin gives f32[2]");
  EXPECT_EQ(error_of("{ lambda ; %0:f32[2] . let %1:f32[2]~ = sin %0; in () }"),
            "parse_jaxpr: line 1, column 28: result 0 is declared as f32[2]~, sin gives f32[2]");
  EXPECT_EQ(error_of("{ lambda ; %0:f32[2] . let %1:f32[2] = add %0; in () }"),
            "parse_jaxpr: line 1, column 28: add takes 2 operands, got 1");
  EXPECT_EQ(error_of("{ lambda ; %0:f32[2] . let = sin %0; in () }"),
            "parse_jaxpr: line 1, column 28: sin gives 1 result, the equation has 0");
  EXPECT_EQ(error_of("{ lambda ; %0:f32[2] . let = shout %0; in () }"),
            "parse_jaxpr: line 1, column 28: shout has effects 2, the equation says 0");
}

TEST_F(Parse, NumbersOutOfRange) {
  EXPECT_NE(error_of("{ lambda ; %0:f32[99999999999999999999] . let in () }"), "none");
  EXPECT_NE(error_of("{ lambda ; %0:f32[4294967296,4294967296] . let in () }"), "none");
  EXPECT_NE(error_of("{ lambda ; %0:f32[-1] . let in () }"), "none");
  EXPECT_NE(error_of("{ lambda ; . let in (300:i8[]) }"), "none");
  EXPECT_NE(error_of("{ lambda ; . let in (1:f32[2]) }"), "none");
  EXPECT_NE(error_of("{ lambda ; . let in () !0 }"), "none");
  EXPECT_NE(error_of("{ lambda ; . let in () !99999999999 }"), "none");
  EXPECT_NE(error_of("{ lambda %0:f32[1000000000000]=[1.0] ; . let in () }"), "none");
  EXPECT_NE(error_of("{ lambda ; %99999999999999999999:f32[] . let in () }"), "none");
  EXPECT_NE(error_of("{ lambda ; %0:f32[2] . let %1:f32[2] %2:i32[2] = top_k[dimension=4294967296] %0; in () }"),
            "none");
}

TEST_F(Parse, NestingHasALimit) {
  std::string deep, end;
  for (int i = 0; i < 100000; ++i) deep += "{ lambda ; . let = jit[jaxpr=";
  EXPECT_NE(error_of(deep).find("nested more than"), std::string::npos);
}

TEST_F(Parse, EveryTruncationIsAnError) {
  const std::string s = sample();
  for (std::size_t n = 0; n < s.size(); ++n) EXPECT_NE(error_of(s.substr(0, n)), "none") << s.substr(0, n);
}

// Whatever the text, it is read or refused; what is read is written and read again.
TEST_F(Parse, RandomEdits) {
  const std::string s = sample();
  const std::string alphabet = "{}[]()<>@%:;,.=!~\"\\ \n\tabcdefijlnopstuxzLMNT0123456789+-_";
  std::mt19937 random(1);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string t = s;
    for (unsigned k = random() % 3; k < 3; ++k) {
      const std::size_t at = random() % t.size();
      switch (random() % 4) {
        case 0: t[at] = alphabet[random() % alphabet.size()]; break;
        case 1: t.insert(at, 1, alphabet[random() % alphabet.size()]); break;
        case 2: t.erase(at, 1 + random() % 8); break;
        default: t.insert(at, t.substr(random() % t.size(), random() % 40));
      }
    }
    try {
      const ClosedJaxpr c = parse_jaxpr(t);
      ++accepted;
      EXPECT_EQ(parse_jaxpr(c.to_text()).to_text(), c.to_text());
      EXPECT_TRUE(same_jaxpr(c, parse_jaxpr(c.to_text()))) << t;
      c.str();
    } catch (const ValueError&) {}
  }
  EXPECT_GT(accepted, 100);
}

TEST_F(Parse, RandomBytes) {
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    std::string t = "{ lambda ";
    for (unsigned n = random() % 60; n > 0; --n) t += static_cast<char>(random());
    EXPECT_NE(error_of(t), "none");
  }
}

TEST_F(Parse, LongPrograms) {
  std::string s = "{ lambda ; %0:f32[] . let";
  const int n = 200000;
  for (int i = 0; i < n; ++i) s += "\n    %" + std::to_string(i + 1) + ":f32[] = sin %" + std::to_string(i) + ";";
  s += "\n  in (%" + std::to_string(n) + ") }";
  const ClosedJaxpr c = parse_jaxpr(s);
  EXPECT_EQ(c.to_text(), s);
  EXPECT_GT(c.str().size(), s.size() / 2);
}

}  // namespace
}  // namespace cotan::test

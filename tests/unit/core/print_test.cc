#include <gtest/gtest.h>

#include "core/layout.h"
#include "core/print.h"
#include "unit/core/test_primitives.h"

namespace cotan::test {
namespace {

struct Print : testing::Test {
  void SetUp() override { set_up(); }
};

std::string jax_text(const std::string& exact) { return parse_jaxpr(exact).str(); }

TEST(Layout, GroupsThatFitStayOnOneLine) {
  Layout l;
  l.begin_group();
  l.text("f(");
  l.begin_nest(2);
  l.brk("");
  l.text("a");
  l.brk();
  l.begin_group();
  l.text("b");
  l.brk("; ");
  l.text("c");
  l.end_group();
  l.end_nest();
  l.brk("");
  l.text(")");
  l.end_group();
  EXPECT_EQ(l.str(9), "f(a b; c)");
  EXPECT_EQ(l.str(8), "f(\n  a\n  b; c\n)");
  EXPECT_EQ(l.str(5), "f(\n  a\n  b\n  c\n)");
}

TEST_F(Print, OneEquation) {
  EXPECT_EQ(jax_text("{ lambda ; %0:f32[4] . let %1:f32[4] = add %0 1.0:f32[]; in (%1) }"),
            "{ lambda ; a:f32[4]. let b:f32[4] = add a 1.0:f32[] in (b,) }");
}

TEST_F(Print, NoEquations) {
  EXPECT_EQ(jax_text("{ lambda ; %0:f32[4] . let in (%0) }"), "{ lambda ; a:f32[4]. let  in (a,) }");
  EXPECT_EQ(jax_text("{ lambda ; . let in (3:i32[]~) }"), "{ lambda ; . let  in (3:i32[],) }");
  EXPECT_EQ(jax_text("{ lambda ; . let in () }"), "{ lambda ; . let  in () }");
  EXPECT_EQ(jax_text("{ lambda ; %7:f32[4] %3:f32[4] . let in (%7, 1.0:f32[], %3, %7) }"),
            "{ lambda ; a:f32[4] b:f32[4]. let  in (a, 1.0:f32[], b, a) }");
}

TEST_F(Print, UnusedResults) {
  EXPECT_EQ(jax_text("{ lambda ; %0:f32[4] . let %1:f32[4] = sin %0; in (%0) }"),
            "{ lambda ; a:f32[4]. let _:f32[4] = sin a in (a,) }");
  EXPECT_EQ(jax_text("{ lambda ; %0:f32[2] . let %1:f32[2] %2:i32[2] = top_k[dimension=0] %0; in (%1) }"),
            "{ lambda ; a:f32[2]. let b:f32[2] _:i32[2] = top_k[dimension=0] a in (b,) }");
}

TEST_F(Print, Constants) {
  EXPECT_EQ(jax_text("{ lambda %0:f32[2]=[1.0 2.0] ; %1:f32[2] . let %2:f32[2] = add %1 %0; in (%2) }"),
            "{ lambda a:f32[2]; b:f32[2]. let c:f32[2] = add b a in (c,) }");
}

TEST_F(Print, LiteralsAreShownAsPythonNumbers) {
  EXPECT_EQ(jax_text("{ lambda ; . let in (-0.99999994:f32[], 0.1:bf16[], (1+2j):c64[], True:bool[], nan:f32[], "
                     "-inf:f32[], 1e-10:f32[]) }"),
            "{ lambda ; . let\n    \n"
            "  in (-0.9999999403953552:f32[], 0.10009765625:bf16[], (1+2j):c64[], True:bool[],\n"
            "    nan:f32[], -inf:f32[], 1.000000013351432e-10:f32[]) }");
}

TEST_F(Print, ParametersThatDoNotMatterAreLeftOut) {
  EXPECT_EQ(
      jax_text(
          "{ lambda ; %0:f32[4] . let\n %1:f32[4,2] = broadcast_in_dim[broadcast_dimensions=(0,), shape=(4, 2)] %0;\n"
          "%2:f32[4,2] = broadcast_in_dim[broadcast_dimensions=(), shape=(4, 2)] 1.0:f32[]~; in (%1, %2) }"),
      "{ lambda ; a:f32[4]. let\n"
      "    b:f32[4,2] = broadcast_in_dim[broadcast_dimensions=(0,)] a\n"
      "    c:f32[4,2] = broadcast_in_dim 1.0:f32[]\n"
      "  in (b, c) }");
}

TEST_F(Print, NoOperandsLeaveASpace) {
  EXPECT_EQ(
      jax_text("{ lambda ; . let %0:i32[3] = iota[dimension=0, dtype=int32, shape=(3,), sharding=None]; in (%0) }"),
      "{ lambda ; . let\n    a:i32[3] = iota[dimension=0 dtype=int32 shape=(3,) sharding=None] \n  in (a,) }");
}

TEST_F(Print, NoResults) {
  EXPECT_EQ(jax_text("{ lambda ; %0:f32[4] . let = shout %0 !2; in () !2 }"),
            "{ lambda ; a:f32[4]. let shout a in () }");
}

TEST_F(Print, LongOperandListsWrap) {
  std::string operands;
  for (int i = 0; i < 30; ++i) operands += " %0";
  EXPECT_EQ(jax_text("{ lambda ; %0:f32[4] . let %1:f32[120] = concatenate[dimension=0]" + operands + "; in (%1) }"),
            "{ lambda ; a:f32[4]. let\n"
            "    b:f32[120] = concatenate[dimension=0] a a a a a a a a a a a a a a a a a a a a\n"
            "      a a a a a a a a a a\n"
            "  in (b,) }");
}

TEST_F(Print, ManyInputsWrapAndNamesGoOn) {
  std::string ins, outs;
  for (int i = 0; i < 30; ++i) {
    ins += " %" + std::to_string(i) + ":f32[4]";
    outs += (i ? ", %" : "%") + std::to_string(i);
  }
  EXPECT_EQ(jax_text("{ lambda ;" + ins + " . let in (" + outs + ") }"),
            "{ lambda ; a:f32[4] b:f32[4] c:f32[4] d:f32[4] e:f32[4] f:f32[4] g:f32[4] h:f32[4]\n"
            "    i:f32[4] j:f32[4] k:f32[4] l:f32[4] m:f32[4] n:f32[4] o:f32[4] p:f32[4] q:f32[4]\n"
            "    r:f32[4] s:f32[4] t:f32[4] u:f32[4] v:f32[4] w:f32[4] x:f32[4] y:f32[4] z:f32[4]\n"
            "    ba:f32[4] bb:f32[4] bc:f32[4] bd:f32[4]. let\n"
            "    \n"
            "  in (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y,\n"
            "    z, ba, bb, bc, bd) }");
}

TEST_F(Print, CalledProgramsTakeOuterNames) {
  EXPECT_EQ(jax_text("{ lambda ; %0:f32[4] . let %1:f32[4] = jit[jaxpr={ lambda ; %0:f32[4] . let %1:f32[4] = sin %0;"
                     " %2:f32[4] = cos %0; in (%2) }, name=\"g\"] %0; in (%1) }"),
            "{ lambda ; a:f32[4]. let\n"
            "    b:f32[4] = jit[\n"
            "      name=g\n"
            "      jaxpr={ lambda ; a:f32[4]. let\n"
            "          c:f32[4] = sin a\n"
            "          b:f32[4] = cos a\n"
            "        in (b,) }\n"
            "    ] a\n"
            "  in (b,) }");
  EXPECT_EQ(
      jax_text(
          "{ lambda ; %0:f32[4] . let %1:f32[4] %2:f32[4] %3:f32[4] = jit[jaxpr={ lambda ; %0:f32[4] %1:f32[4] . let"
          " %2:f32[4] = add %0 %1; in (%0, %2, %1) }, name=\"<lambda>\"] %0 %0; in (%1, %2, %3) }"),
      "{ lambda ; a:f32[4]. let\n"
      "    d:f32[4] b:f32[4] c:f32[4] = jit[\n"
      "      name=<lambda>\n"
      "      jaxpr={ lambda ; a:f32[4] c:f32[4]. let b:f32[4] = add a c in (a, b, c) }\n"
      "    ] a a\n"
      "  in (d, b, c) }");
}

TEST_F(Print, ResultsThatNobodyUsesAreUnnamedInsideToo) {
  EXPECT_EQ(
      jax_text(
          "{ lambda ; %0:f32[3] . let %1:f32[3] %2:f32[3] = jit[jaxpr={ lambda ; %0:f32[3] . let %1:f32[3] = sin %0;"
          " %2:f32[3] = cos %0; in (%1, %2) }, name=\"g\"] %0; in (%1) }"),
      "{ lambda ; a:f32[3]. let\n"
      "    b:f32[3] _:f32[3] = jit[\n"
      "      name=g\n"
      "      jaxpr={ lambda ; a:f32[3]. let\n"
      "          b:f32[3] = sin a\n"
      "          _:f32[3] = cos a\n"
      "        in (b, _) }\n"
      "    ] a\n"
      "  in (b,) }");
}

TEST_F(Print, ProgramsThatOccurTwiceComeFirst) {
  EXPECT_EQ(
      jax_text(
          "{ lambda ; %0:f32[3] . let %1:f32[3] %2:f32[3] = jit[jaxpr={ lambda ; %0:f32[3] . let\n"
          "  %1:f32[3] %2:f32[3] = jit[jaxpr=@0{ lambda ; %0:f32[3] . let %1:f32[3] = sin %0; %2:f32[3] = cos %0; in "
          "(%1, %2) },"
          " name=\"g\"] %0;\n  %3:f32[3] = add %0 1.0:f32[];\n  %4:f32[3] %5:f32[3] = jit[jaxpr=@0, name=\"g\"] %3;\n"
          "in (%1, %5) }, name=\"<lambda>\"] %0; in (%1, %2) }"),
      "let g = { lambda ; a:f32[3]. let b:f32[3] = sin a; c:f32[3] = cos a in (b, c) } in\n"
      "{ lambda ; d:f32[3]. let\n"
      "    e:f32[3] f:f32[3] = jit[\n"
      "      name=<lambda>\n"
      "      jaxpr={ lambda ; d:f32[3]. let\n"
      "          e:f32[3] h:f32[3] = jit[name=g jaxpr=g] d\n"
      "          i:f32[3] = add d 1.0:f32[]\n"
      "          j:f32[3] f:f32[3] = jit[name=g jaxpr=g] i\n"
      "        in (e, f) }\n"
      "    ] d\n"
      "  in (e, f) }");
}

TEST_F(Print, LongProgramsComeFirst) {
  std::string body;
  for (int i = 0; i < 12; ++i) body += "%" + std::to_string(i + 1) + ":f32[4] = sin %" + std::to_string(i) + "; ";
  EXPECT_EQ(
      jax_text("{ lambda ; %0:f32[4] . let %1:f32[4] = jit[jaxpr={ lambda ; %0:f32[4] . let " + body +
               "in (%12) },"
               " name=\"many\"] %0; in (%1) }"),
      "let many = { lambda ; a:f32[4]. let\n"
      "    b:f32[4] = sin a\n    c:f32[4] = sin b\n    d:f32[4] = sin c\n    e:f32[4] = sin d\n    f:f32[4] = sin e\n"
      "    g:f32[4] = sin f\n    h:f32[4] = sin g\n    i:f32[4] = sin h\n    j:f32[4] = sin i\n    k:f32[4] = sin j\n"
      "    l:f32[4] = sin k\n    m:f32[4] = sin l\n  in (m,) } in\n"
      "{ lambda ; n:f32[4]. let o:f32[4] = jit[name=many jaxpr=many] n in (o,) }");
}

TEST_F(Print, Branches) {
  EXPECT_EQ(
      jax_text("{ lambda ; %0:f32[4] %1:i32[] . let %2:f32[4] = cond[branches=[{ lambda ; %0:f32[4] . let in (%0) }, "
               "{ lambda ; %0:f32[4] . let %1:f32[4] = sin %0; in (%1) }]] %1 %0; in (%2) }"),
      "{ lambda ; a:f32[4] b:i32[]. let\n"
      "    c:f32[4] = cond[\n"
      "      branches=(\n"
      "        { lambda ; d:f32[4]. let  in (d,) }\n"
      "        { lambda ; e:f32[4]. let f:f32[4] = sin e in (f,) }\n"
      "      )\n"
      "    ] b a\n"
      "  in (c,) }");
}

TEST_F(Print, ValuesAreShownAsPythonShowsThem) {
  auto j = make_ref<Jaxpr>();
  const Var out = j->add_var({});
  EveryParams p;
  p.flags = {true};
  p.lists = {{1, 2}, {3}};
  p.numbers = {{1}, {}};
  p.pairs = {{{7}, Numbers{}}};
  p.real = 1e-5;
  p.text = "it's";
  const Atom in[] = {j->add_literal({HostScalar(1.0f, DType::float32), false})};
  j->add_eqn(every, make_params(p), in, {&out, 1});
  j->outvars = {out};
  EXPECT_EQ(close_jaxpr(j).str(),
            "{ lambda ; . let\n    a:f32[] = every[\n      absent=None\n      boolean=False\n      dtype=float32\n     "
            " flags=(True,)\n"
            "      integer=0\n      large=0\n      lists=((1, 2), (3,))\n      maybe=None\n      mode=Mode.CLIP\n"
            "      numbers=Numbers(first=(1,), second=())\n      pairs=(((7,), Numbers(first=(), second=())),)\n      "
            "program=None\n"
            "      real=1e-05\n      shape=()\n      text=it's\n    ] 1.0:f32[]\n  in (a,) }");
}

TEST_F(Print, EquationsForMessages) {
  const ClosedJaxpr c = parse_jaxpr(
      "{ lambda ; %0:f32[4] . let %1:f32[4] = "
      "jit[jaxpr={ lambda ; %0:f32[4] . let in (%0) }, name=\"f\"] %0; in (%1) }");
  EXPECT_EQ(equation_text(c.jaxpr(), c.jaxpr().eqns[0]), "%1:f32[4] = jit[jaxpr={...}, name=\"f\"] %0;");
}

TEST_F(Print, DeepSharingStaysSmall) {
  ClosedJaxpr c = parse_jaxpr("{ lambda ; %0:f32[] . let %1:f32[] = sin %0; in (%1) }");
  for (int i = 0; i < 100; ++i) {
    auto j = make_ref<Jaxpr>();
    std::vector<Var> v;
    for (int k = 0; k < 3; ++k) v.push_back(j->add_var({}));
    j->invars = {v[0]};
    for (std::size_t k = 0; k < 2; ++k) {
      const Atom in[] = {v[k]};
      j->add_eqn(jit, make_params(CallParams{c, "f"}), in, {&v[k + 1], 1});
    }
    j->outvars = {v[2]};
    c = close_jaxpr(j);
  }
  EXPECT_LT(c.to_text().size(), 100000u);
  EXPECT_LT(c.str().size(), 100000u);
  EXPECT_EQ(parse_jaxpr(c.to_text()).to_text(), c.to_text());
}

}  // namespace
}  // namespace cotan::test

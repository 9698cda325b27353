#include "core/typecheck.h"

#include <gtest/gtest.h>

#include "unit/core/test_primitives.h"

namespace cotan::test {
namespace {

const Aval scalar_type{{}, DType::float32, false};

// A program to be spoiled: c = add a b; d = sin c.
struct Typecheck : testing::Test {
  void SetUp() override {
    set_up();
    for (int i = 0; i < 4; ++i) v.push_back(j->add_var(scalar_type));
    j->invars = {v[0], v[1]};
    equation(add, {v[0], v[1]}, {v[2]});
    equation(sin, {v[2]}, {v[3]});
    j->outvars = {v[3]};
  }
  JaxprEqn& equation(const Primitive& p, std::vector<Atom> in, std::vector<Var> out, ParamsRef params = {}) {
    return j->add_eqn(p, std::move(params), in, out);
  }
  std::string error() const {
    try {
      check_jaxpr(*j);
    } catch (const TypeError& e) { return e.message(); }
    return "none";
  }
  Ref<Jaxpr> j = make_ref<Jaxpr>();
  std::vector<Var> v;
};

TEST_F(Typecheck, AcceptsWhatIsRight) { EXPECT_EQ(error(), "none"); }

TEST_F(Typecheck, UseBeforeDefinition) {
  j->atoms[0] = v[3];
  EXPECT_EQ(error(), "check_jaxpr: equation 0: %3 is used before it is defined\nin: %2:f32[] = add %3 %1;");
  j->atoms[0] = Var{77};
  EXPECT_EQ(error(), "check_jaxpr: equation 0: %77 is used before it is defined\nin: %2:f32[] = add %77 %1;");
  j->atoms[0] = Atom::literal(5);
  EXPECT_EQ(error(), "check_jaxpr: equation 0: literal 5 does not exist\nin: %2:f32[] = add ? %1;");
}

TEST_F(Typecheck, OutputsAreDefined) {
  j->outvars = {j->add_var(scalar_type)};
  EXPECT_EQ(error(), "check_jaxpr: %4 is used before it is defined");
}

TEST_F(Typecheck, DefinedOnce) {
  equation(sin, {v[0]}, {v[3]});
  EXPECT_EQ(error(), "check_jaxpr: equation 2: %3 is defined again, as an output\nin: %3:f32[] = sin %0;");
  j->invars = {v[0], v[0]};
  EXPECT_EQ(error(), "check_jaxpr: %0 is defined again, as an input");
}

TEST_F(Typecheck, ResultTypes) {
  j->vars[3].shape = {2};
  EXPECT_EQ(error(),
            "check_jaxpr: equation 1: result 0 is declared as f32[2], sin gives f32[]\nin: %3:f32[2] = sin %2;");
}

TEST_F(Typecheck, ErrorsOfTheRule) {
  j->vars[1].dtype = DType::int32;
  EXPECT_NE(error().find("check_jaxpr: equation 0: lax.add requires"), std::string::npos);
}

TEST_F(Typecheck, Counts) {
  equation(sin, {v[0], v[1]}, {j->add_var(scalar_type)});
  EXPECT_EQ(error(), "check_jaxpr: equation 2: sin takes 1 operand, got 2\nin: %4:f32[] = sin %0 %1;");
}

TEST_F(Typecheck, ParametersMustBeThePrimitives) {
  equation(top, {v[0]}, {j->add_var(scalar_type)});
  EXPECT_EQ(error(),
            "check_jaxpr: equation 2: top_k has parameters of another primitive, or none\nin: %4:f32[] = top_k %0;");
}

TEST_F(Typecheck, Effects) {
  equation(shout, {v[0]}, {});
  EXPECT_EQ(error(), "check_jaxpr: equation 2: shout has effects 2, the equation says 0\nin: = shout %0;");
  j->eqns.back().effects = 2;
  EXPECT_EQ(error(), "check_jaxpr: the program says effects 0, its equations have 2");
  j->effects = 2;
  EXPECT_EQ(error(), "none");
}

TEST_F(Typecheck, ProgramsInside) {
  auto inner = make_ref<Jaxpr>(*j);
  inner->vars[3].shape = {2};
  equation(jit, {v[0], v[1]}, {j->add_var(inner->vars[3])}, make_params(CallParams{close_jaxpr(inner), "f"}));
  EXPECT_EQ(error(),
            "check_jaxpr: equation 2: equation 1: result 0 is declared as f32[2], sin gives f32[]\n"
            "in: %3:f32[2] = sin %2;\nin: %4:f32[2] = jit[jaxpr={...}, name=\"f\"] %0 %1;");
}

TEST_F(Typecheck, ConstantsFit) {
  auto with_const = make_ref<Jaxpr>();
  with_const->constvars = {with_const->add_var({{2}, DType::float32, false})};
  EXPECT_NO_THROW(check_jaxpr(close_jaxpr(with_const, {floats({2}, {1, 2})})));
  EXPECT_THROW(check_jaxpr(close_jaxpr(with_const, {floats({1}, {1})})), TypeError);
  EXPECT_THROW(close_jaxpr(with_const), ValueError);
}

TEST_F(Typecheck, NestingHasALimit) {
  for (int i = 0; i < 300; ++i) {
    auto outer = make_ref<Jaxpr>();
    const Var out = outer->add_var(scalar_type);
    outer->add_eqn(jit, make_params(CallParams{close_jaxpr(i ? JaxprRef(j) : JaxprRef(make_ref<Jaxpr>()), {}), "f"}),
                   {}, {&out, 1});
    outer->outvars = {out};
    j = outer;
  }
  EXPECT_NE(error().find("nested more than"), std::string::npos);
  EXPECT_THROW(close_jaxpr(j).str(), ValueError);
  EXPECT_THROW(close_jaxpr(j).to_text(), ValueError);
}

}  // namespace
}  // namespace cotan::test

#include "core/jaxpr_utils.h"

#include <gtest/gtest.h>

#include "unit/core/test_primitives.h"

namespace cotan::test {
namespace {

struct JaxprUtils : testing::Test {
  void SetUp() override { set_up(); }
};

using Mask = std::vector<bool>;

const char* const program = R"({ lambda %0:f32[1]=[1.0] %1:f32[1]=[2.0] ; %2:f32[1] %3:f32[1] %4:f32[1] . let
    %5:f32[1] = add %0 %2;
    %6:f32[1] = sin %3;
    %7:f32[1] = add %5 2.0:f32[];
    %8:f32[1] %9:i32[1] = top_k[dimension=0] %6;
    = shout %4 !2;
    %10:f32[] = cos 3.0:f32[];
  in (%7, %9, %2, 1.0:f32[]) !2 })";

std::string pruned(const Mask& used, DeadEffects e, DceResult* r) {
  const ClosedJaxpr c = parse_jaxpr(program);
  *r = dce(share(c), used, e);
  std::vector<Array> consts;
  for (std::size_t i = 0; i < c.consts().size(); ++i)
    if (r->used_consts[i]) consts.push_back(c.consts()[i]);
  return close_jaxpr(r->jaxpr, consts).to_text();
}

TEST_F(JaxprUtils, DceKeepsWhatIsUsed) {
  DceResult r;
  EXPECT_EQ(pruned({true, false, false, false}, DeadEffects::drop, &r), R"({ lambda %0:f32[1]=[1.0] ; %1:f32[1] . let
    %2:f32[1] = add %0 %1;
    %3:f32[1] = add %2 2.0:f32[];
  in (%3) })");
  EXPECT_EQ(r.used_consts, Mask({true, false}));
  EXPECT_EQ(r.used_inputs, Mask({true, false, false}));
  EXPECT_EQ(r.jaxpr->literals.size(), 1u);
  EXPECT_EQ(r.jaxpr->vars.size(), 4u);
}

TEST_F(JaxprUtils, DceKeepsEffects) {
  DceResult r;
  EXPECT_EQ(pruned({false, true, true, true}, DeadEffects::keep, &r), R"({ lambda ; %0:f32[1] %1:f32[1] %2:f32[1] . let
    %3:f32[1] = sin %1;
    %4:f32[1] %5:i32[1] = top_k[dimension=0] %3;
    = shout %2 !2;
  in (%5, %0, 1.0:f32[]) !2 })");
  EXPECT_EQ(r.used_inputs, Mask({true, true, true}));
}

TEST_F(JaxprUtils, DceOfNothing) {
  DceResult r;
  EXPECT_EQ(pruned({false, false, false, false}, DeadEffects::drop, &r), "{ lambda ; . let\n  in () }");
}

TEST_F(JaxprUtils, DceOfAProgramWithoutDeadEquationsIsTheProgram) {
  const JaxprRef j = share(parse_jaxpr("{ lambda ; %0:f32[] . let %1:f32[] = sin %0; in (%1, %0) }"));
  EXPECT_EQ(dce(j, {true, true}).jaxpr.get(), j.get());
  EXPECT_NE(dce(j, {true, false}).jaxpr.get(), j.get());
  EXPECT_EQ(dce(j, {true, true}).used_inputs, Mask({true}));
}

TEST_F(JaxprUtils, Uses) {
  const ClosedJaxpr c = parse_jaxpr(
      "{ lambda ; %0:f32[] %1:f32[] . let %2:f32[] = add %0 %0; "
      "%3:f32[] = add %2 %0; %4:f32[] = sin %0; in (%3, %3) }");
  EXPECT_EQ(last_uses(c.jaxpr()), std::vector<std::uint32_t>({2, never_used, 1, 3, never_used}));
  EXPECT_EQ(use_counts(c.jaxpr()), std::vector<std::uint32_t>({4, 0, 1, 2, 0}));
}

TEST_F(JaxprUtils, Substitution) {
  const ClosedJaxpr c =
      parse_jaxpr("{ lambda ; %0:f32[] %1:f32[] . let %2:f32[] = add %0 %1; %3:f32[] = sin %1; in (%3, %1, %0) }");
  auto j = make_ref<Jaxpr>(c.jaxpr());
  std::vector<Atom> with = identity_substitution(*j);
  with[0] = j->invars[1];
  with[1] = j->add_literal({HostScalar(2.0, DType::float32), false});
  substitute(*j, with);
  EXPECT_EQ(close_jaxpr(j).to_text(),
            "{ lambda ; %0:f32[] %1:f32[] . let\n    %2:f32[] = add %1 2.0:f32[];\n"
            "    %3:f32[] = sin 2.0:f32[];\n  in (%3, 2.0:f32[], %1) }");
}

TEST_F(JaxprUtils, SameProgram) {
  const ClosedJaxpr a = parse_jaxpr(program), b = parse_jaxpr(program);
  EXPECT_TRUE(same_jaxpr(a, b));
  EXPECT_TRUE(same_jaxpr({}, {}));
  EXPECT_FALSE(same_jaxpr(a, {}));
  auto changed = [](const char* from, const char* to) {
    std::string s = program;
    s.replace(s.find(from), std::string(from).size(), to);
    return parse_jaxpr(s);
  };
  EXPECT_FALSE(same_jaxpr(a, changed("[1.0]", "[1.5]")));
  EXPECT_FALSE(same_jaxpr(a, changed("sin", "cos")));
  EXPECT_FALSE(same_jaxpr(a, changed("add %0 %2", "add %2 %0")));
  EXPECT_FALSE(same_jaxpr(a, changed("add %5 2.0", "add %5 2.5")));
  EXPECT_FALSE(same_jaxpr(a, changed("2.0:f32[]", "2.0:f32[]~")));
  EXPECT_FALSE(same_jaxpr(a, changed("dimension=0", "dimension=1")));
  EXPECT_FALSE(same_jaxpr(a, changed("%4:f32[1] .", "%4:i32[1] .")));
  EXPECT_FALSE(same_jaxpr(a, changed("%9, %2", "%9, %3")));
}

TEST_F(JaxprUtils, CopiesShareNothingThatChanges) {
  const ClosedJaxpr c = parse_jaxpr(program);
  auto j = make_ref<Jaxpr>(c.jaxpr());
  j->add_eqn(sin, {}, j->inputs(j->eqns[1]), {});
  EXPECT_EQ(c.jaxpr().eqns.size() + 1, j->eqns.size());
  ClosedJaxpr d = c;
  d = d;
  d = ClosedJaxpr(std::move(d));
  EXPECT_TRUE(same_jaxpr(c, d));
  EXPECT_EQ(c.jaxpr().ref_count(), 2u);
}

TEST_F(JaxprUtils, LongProgramsAreWalkedByLoops) {
  auto j = make_ref<Jaxpr>();
  Var v = j->add_var({});
  j->invars = {v};
  for (int i = 0; i < 1000000; ++i) {
    const Atom in[] = {v};
    v = j->add_var({});
    j->add_eqn(sin, {}, in, {&v, 1});
  }
  j->outvars = {v};
  const DceResult r = dce(j, {true});
  EXPECT_EQ(r.jaxpr->eqns.size(), 1000000u);
  EXPECT_EQ(last_uses(*r.jaxpr).size(), 1000001u);
  EXPECT_TRUE(same_jaxpr(close_jaxpr(j), close_jaxpr(r.jaxpr)));
}

}  // namespace
}  // namespace cotan::test

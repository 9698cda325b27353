// Every registered primitive against the checks that follow from its record.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "control/jit.h"
#include "cotan/cotan.h"
#include "derived/checks.h"
#include "runtime/allocator.h"
#include "transforms/flat.h"

namespace cotan {
namespace {

class Derived : public testing::TestWithParam<const Primitive*> {
 protected:
  void SetUp() override { runtime::set_poison(true); }
  void TearDown() override { runtime::set_poison(false); }
  // Every case, so that one run shows all that is wrong.
  static void each(std::string (*check)(const derived::Case&)) {
    enable_x64 x64;
    for (const derived::Case& c : derived::cases_of(*GetParam())) {
      std::string wrong;
      try {
        wrong = check(c);
      } catch (const std::exception& e) { wrong = std::string("exception: ") + e.what(); }
      EXPECT_EQ(wrong, "") << c.str();
    }
  }
};

TEST_P(Derived, Evaluation) { each(derived::check_evaluation); }
TEST_P(Derived, Text) { each(derived::check_text); }
TEST_P(Derived, Declarations) { each(derived::check_declarations); }
TEST_P(Derived, Jvp) { each(derived::check_jvp); }
TEST_P(Derived, Transpose) { each(derived::check_transpose); }
TEST_P(Derived, SecondOrder) { each(derived::check_second_order); }
TEST_P(Derived, Batching) { each(derived::check_batching); }
TEST_P(Derived, Linearity) { EXPECT_EQ(derived::check_linearity(*GetParam()), ""); }
TEST_P(Derived, Values) { EXPECT_EQ(derived::check_values(*GetParam()), ""); }

// The same of calls: every differentiable case of one equation, called through jit. Left out: what the checks look at by
// name, and what needs double precision (rem) or is linear at one parameter (integer_pow).
std::vector<derived::Case> called(const Primitive& p) {
  std::vector<derived::Case> v;
  const std::string name = p.name;
  const bool differentiable = !p.jvp.is_set() || p.jvp;
  const bool moves = p.kind == Kind::elementwise || p.kind == Kind::structural;
  if (!differentiable || !moves || name.starts_with("dynamic") || name == "sign" || name == "rem" ||
      name == "integer_pow")
    return v;
  for (const derived::Case& c : derived::cases_of(p)) {
    const ClosedJaxpr inner = flat_make_jaxpr(c.function(), c.in);
    const ClosedJaxpr outer = flat_make_jaxpr([&](const Arrays& x) { return bind_jit(p.name, inner, x); }, c.in);
    const JaxprEqn& call = outer.jaxpr().eqns.at(0);
    v.push_back({call.primitive, call.params, c.in, c.domain});
  }
  return v;
}
TEST_P(Derived, ThroughJit) {
  enable_x64 x64;
  for (const derived::Case& c : called(*GetParam()))
    for (auto check : {derived::check_text, derived::check_jvp, derived::check_transpose, derived::check_second_order,
                       derived::check_batching}) {
      std::string wrong;
      try {
        wrong = check(c);
      } catch (const std::exception& e) { wrong = std::string("exception: ") + e.what(); }
      EXPECT_EQ(wrong, "") << c.str();
    }
}

// What tests/golden/programs.py turns into op_values.txt.
TEST(Golden, DISABLED_WriteInputs) {
  enable_x64 x64;
  std::ofstream(std::getenv("COTAN_GOLDEN")) << derived::golden_inputs();
}

INSTANTIATE_TEST_SUITE_P(All, Derived, testing::ValuesIn(all_primitives()),
                         [](const testing::TestParamInfo<const Primitive*>& i) {
                           return derived::test_name(*i.param);
                         });

}  // namespace
}  // namespace cotan

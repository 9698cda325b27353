// Every registered primitive against the checks that follow from its record.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "cotan/cotan.h"
#include "derived/checks.h"
#include "runtime/allocator.h"

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
      } catch (const std::exception& e) {
        wrong = std::string("exception: ") + e.what();
      }
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

// What tests/golden/programs.py turns into op_values.txt.
TEST(Golden, DISABLED_WriteInputs) {
  enable_x64 x64;
  std::ofstream(std::getenv("COTAN_GOLDEN")) << derived::golden_inputs();
}

INSTANTIATE_TEST_SUITE_P(All, Derived, testing::ValuesIn(all_primitives()),
                         [](const testing::TestParamInfo<const Primitive*>& i) { return std::string(i.param->name); });

}  // namespace
}  // namespace cotan

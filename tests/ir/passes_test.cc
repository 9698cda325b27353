// Passes, text in and text out: tests/ir/passes/PASS.txt has programs and what the pass makes of them, without what is dead then.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "compiler/passes/dce.h"
#include "compiler/pipeline.h"
#include "core/primitive.h"
#include "core/typecheck.h"
#include "cotan/cotan.h"

namespace cotan {
namespace {

struct Case {
  std::string pass, name, input, expected;  // expected: empty where the program stays
};
void PrintTo(const Case& c, std::ostream* os) { *os << c.pass << '/' << c.name; }

std::vector<Case> read_cases() {
  std::vector<Case> cases;
  for (const Pass& p : passes()) {
    std::ifstream file(COTAN_SOURCE_DIR "/tests/ir/passes/" + std::string(p.name) + ".txt");
    std::string line, *text = nullptr;
    while (std::getline(file, line)) {
      if (line.empty() || line[0] == '#') continue;
      if (line.starts_with("case ")) {
        cases.push_back({p.name, line.substr(5), "", ""});
        text = &cases.back().input;
      } else if (line.starts_with("->")) {
        text = &cases.back().expected;
      } else {
        *text += line + '\n';
      }
    }
  }
  return cases;
}

const Pass& pass_named(const std::string& name) {
  for (const Pass& p : passes())
    if (p.name == name) return p;
  throw ValueError("no pass " + name);
}

class Passes : public testing::TestWithParam<Case> {};

TEST_P(Passes, GiveWhatIsExpected) {
  const Case& c = GetParam();
  const ClosedJaxpr in = parse_jaxpr(c.input);
  check_jaxpr(in);
  const JaxprRef out = pass_named(c.pass).run(share(in));
  if (c.expected.empty()) {
    EXPECT_EQ(close_jaxpr(out).to_text(), in.to_text());
    return;
  }
  check_jaxpr(*out);
  EXPECT_EQ(close_jaxpr(drop_dead(out)).to_text(), parse_jaxpr(c.expected).to_text());
}

INSTANTIATE_TEST_SUITE_P(All, Passes, testing::ValuesIn(read_cases()),
                         [](const auto& p) { return p.param.pass + '_' + p.param.name; });

TEST(Pipeline, StopsAfterAPass) {
  const ClosedJaxpr in = parse_jaxpr(
      "{ lambda ; %0:f32[] . let %1:f32[] = mul 1.0:f32[] 1.0:f32[]; %2:f32[] = mul %0 %1; %3:f32[] = mul %0 %1; in "
      "(%2, %3) }");
  const auto text = [&](const char* to) { return close_jaxpr(optimized(share(in), {.to = to})).to_text(); };
  EXPECT_EQ(text("inline"), in.to_text());
  EXPECT_EQ(text(""), "{ lambda ; %0:f32[] . let\n  in (%0, %0) }");
  EXPECT_EQ(text("dce"), text(""));
  try {
    optimized(share(in), {.to = "fuse"});
    ADD_FAILURE();
  } catch (const ValueError& e) {
    EXPECT_EQ(e.message(), "there is no pass 'fuse', the passes are inline, prune, fold, simplify, cse, dce");
  }
}

TEST(Pipeline, ReportsTimes) {
  std::vector<PassReport> report;
  optimized(share(parse_jaxpr("{ lambda ; %0:f32[] . let %1:f32[] = sin %0; %2:f32[] = cos %0; in (%1) }")),
            {.report = &report});
  ASSERT_EQ(report.size(), passes().size());
  EXPECT_EQ(report.front().equations, 2u);
  EXPECT_EQ(report.back().equations, 1u);
  for (const PassReport& p : report) EXPECT_GE(p.seconds, 0);
}

TEST(Pipeline, IsLinearAndDoesNotRecurse) {
  const Ref<Jaxpr> j = make_ref<Jaxpr>();
  const Var x = j->add_var({{}, DType::float32, false});
  j->invars.push_back(x);
  const Primitive *neg = find_primitive("neg"), *add = find_primitive("add");
  Atom constant = j->add_literal({HostScalar(1.0, DType::float32), false}), last = x;
  for (int i = 0; i < 100'000; ++i) {
    const Atom sum[] = {constant, constant};
    const Var s = j->add_var({{}, DType::float32, false}), n = j->add_var({{}, DType::float32, false}),
              t = j->add_var({{}, DType::float32, false});
    j->add_eqn(*add, {}, sum, {&s, 1});
    constant = s;
    j->add_eqn(*neg, {}, {&last, 1}, {&n, 1});
    const Atom negated = n;
    j->add_eqn(*neg, {}, {&negated, 1}, {&t, 1});
    last = t;
  }
  j->outvars = {last, constant};
  const JaxprRef out = optimized(JaxprRef(j.get()));
  EXPECT_EQ(out->eqns.size(), 0u);
  EXPECT_EQ(close_jaxpr(out).to_text(), "{ lambda ; %0:f32[] . let\n  in (%0, inf:f32[]) }");
}

}  // namespace
}  // namespace cotan

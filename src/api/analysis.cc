#include "cotan/analysis.h"

#include <algorithm>

#include "api/donation.h"
#include "array/executable.h"
#include "compiler/cost.h"
#include "compiler/equation_plan.h"
#include "control/programs.h"

namespace cotan {

namespace {

std::int64_t total_bytes(const std::vector<Aval>& avals) {
  std::int64_t n = 0;
  for (const Aval& a : avals) n += checked_bytes(a);
  return n;
}

}  // namespace

CostAnalysis cost_analysis(const ClosedJaxpr& c) { return cost_of(without_constants(c)); }

MemoryAnalysis memory_analysis(const ClosedJaxpr& c, const std::vector<std::size_t>& donated) {
  for (std::size_t i : donated)
    if (i >= c.in_avals().size())
      throw ValueError("memory_analysis: there is no argument " + std::to_string(i) + ", the program takes " +
                       std::to_string(c.in_avals().size()));
  const std::vector<Aval> in = c.in_avals(), out = c.out_avals();
  MemoryAnalysis m{total_bytes(in), total_bytes(out), 0, 0};
  const ClosedJaxpr program = without_constants(c);
  std::vector<std::size_t> operands = api::sort_donations(c, donated).usable;
  for (std::size_t& i : operands) i += c.consts().size();
  m.temporaries = static_cast<std::int64_t>(temporary_bytes(*compiled_donating(program, operands)));
  for (const auto& [operand, result] : donation_report(program, operands).result_of)
    if (std::find(operands.begin(), operands.end(), operand) != operands.end()) m.aliased += checked_bytes(out[result]);
  return m;
}

}  // namespace cotan

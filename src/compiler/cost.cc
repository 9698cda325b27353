#include "compiler/cost.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "compiler/pipeline.h"
#include "core/jaxpr_utils.h"
#include "core/print.h"

namespace cotan {

namespace {

double bytes(const Aval& a) { return static_cast<double>(a.size()) * static_cast<double>(item_size(a.dtype)); }
double elements(std::span<const Aval> avals) {
  return std::accumulate(avals.begin(), avals.end(), 0.0,
                         [](double n, const Aval& a) { return n + static_cast<double>(a.size()); });
}

// What the kind says, where the record does not.
Cost arithmetic(const EmitIn& in) {
  if (in.primitive.cost) return in.primitive.cost(in);
  if (in.primitive.kind == Kind::elementwise) return {elements(in.out), 0};
  if (in.primitive.kind == Kind::reduction) return {std::max(elements(in.in) - elements(in.out), 0.0), 0};
  return {};
}

void add(CostAnalysis& to, const CostAnalysis& c, double times = 1) {
  to.flops += c.flops * times, to.transcendentals += c.transcendentals * times;
  to.bytes_accessed += c.bytes_accessed * times, to.bytes_accessed_by_results += c.bytes_accessed_by_results * times;
  auto& operands = to.bytes_accessed_by_operand;
  operands.resize(std::max(operands.size(), c.bytes_accessed_by_operand.size()));
  for (std::size_t i = 0; i < c.bytes_accessed_by_operand.size(); ++i)
    operands[i] += c.bytes_accessed_by_operand[i] * times;
}

double weight(const CostAnalysis& c) { return c.flops + 10 * c.transcendentals + c.bytes_accessed; }

CostAnalysis of_regions(const Regions& r) {
  CostAnalysis total;
  for (const ClosedJaxpr* p : r.programs) {
    const CostAnalysis c = cost_analysis(*p);
    if (r.kind != RegionKind::branch) add(total, c, r.kind == RegionKind::scan ? static_cast<double>(r.length) : 1);
    else if (weight(c) >= weight(total)) total = c;
  }
  return total;
}

std::string number(double n) {
  char text[32];
  if (n < 1e6) std::snprintf(text, sizeof text, "%.0f", n);
  else std::snprintf(text, sizeof text, "%.3g", n);
  return text;
}

std::string shortened(std::string s) {
  constexpr std::size_t width = 90;
  std::replace(s.begin(), s.end(), '\n', ' ');
  if (s.size() > width) s = s.substr(0, width - 3) + "...";
  return s;
}

}  // namespace

CostAnalysis cost_of(const Jaxpr& j, const JaxprEqn& e) {
  if (e.primitive->regions) return of_regions(e.primitive->regions({*e.primitive, e.params}));
  SmallVec<Aval, 4> in;
  AvalVec out;
  CostAnalysis c;
  for (Atom a : j.inputs(e)) {
    in.push_back(j.aval(a));
    c.bytes_accessed_by_operand.push_back(bytes(in.back()));
    c.bytes_accessed += bytes(in.back());
  }
  for (Atom a : j.outputs(e)) {
    out.push_back(j.aval(a));
    c.bytes_accessed_by_results += bytes(out.back());
  }
  c.bytes_accessed += c.bytes_accessed_by_results;
  const Cost own = arithmetic({{*e.primitive, e.params}, in, out});
  c.flops = own.flops, c.transcendentals = own.transcendentals;
  return c;
}

CostAnalysis cost_of(const Jaxpr& j) {
  CostAnalysis total;
  for (const JaxprEqn& e : j.eqns) add(total, cost_of(j, e));
  return total;
}

CostAnalysis cost_analysis(const ClosedJaxpr& c) { return cost_of(*optimized(share(c))); }

std::string cost_table(const Jaxpr& j, std::size_t lines) {
  struct Line {
    std::uint32_t equation;
    CostAnalysis cost;
  };
  std::vector<Line> table;
  for (std::uint32_t k = 0; k < j.eqns.size(); ++k) table.push_back({k, cost_of(j, j.eqns[k])});
  std::stable_sort(table.begin(), table.end(),
                   [](const Line& a, const Line& b) { return weight(a.cost) > weight(b.cost); });
  std::string text = table.empty() ? "" : "     flops  transcend.       bytes  equation\n";
  for (std::size_t i = 0; i < std::min(lines, table.size()); ++i) {
    char figures[64];
    const CostAnalysis& c = table[i].cost;
    std::snprintf(figures, sizeof figures, "%10s  %10s  %10s  ", number(c.flops).c_str(),
                  number(c.transcendentals).c_str(), number(c.bytes_accessed).c_str());
    text += figures + shortened(equation_text(j, j.eqns[table[i].equation])) + '\n';
  }
  if (table.size() > lines) text += "and " + std::to_string(table.size() - lines) + " more\n";
  return text;
}

}  // namespace cotan

// What a program costs: arithmetic by equation, memory traffic by step, and both in all. include/cotan/analysis.h says what counts.
#pragma once
#include <string>
#include <vector>

#include "core/primitive.h"
#include "cotan/analysis.h"
#include "kernel/plan.h"

namespace cotan {

// Of a program without constants.
CostAnalysis cost_of(const ClosedJaxpr&);
// Arithmetic alone.
Cost arithmetic_of(const Jaxpr&, const JaxprEqn&);

// The equations, the dearest first, one a line; at most so many, then how many more there are.
std::string cost_table(const Jaxpr&, std::size_t lines);

// The bytes that a step of a plan reads, from each of its buffers in order, and writes.
struct StepTraffic {
  std::vector<double> read;
  double written = 0;
};
StepTraffic traffic_of(const kernel::Plan&, const kernel::Step&);
std::string bytes_text(double);

}  // namespace cotan

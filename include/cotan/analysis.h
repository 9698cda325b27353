// What a program costs: arithmetic, memory traffic, memory.
#pragma once
#include <cstdint>
#include <vector>

#include "cotan/jaxpr.h"

namespace cotan {

// In numbers of scalar operations and bytes, of the program as the passes leave it, with each equation reading its operands from memory
// and writing its results there; a scan's body counts as often as it runs, a while loop's once, of branches the most expensive one.
struct CostAnalysis {
  double flops = 0;  // one for each element of an elementwise operation, two for each product of a contraction
  double transcendentals = 0;                     // exp, sqrt, sin, ..., which are no flops
  double bytes_accessed = 0;                      // all of those below
  std::vector<double> bytes_accessed_by_operand;  // of first operands, of second ones, ...
  double bytes_accessed_by_results = 0;
};
// cost_analysis(make_jaxpr(f)(x))
CostAnalysis cost_analysis(const ClosedJaxpr&);

// In bytes.
struct MemoryAnalysis {
  std::int64_t arguments = 0, results = 0;
  std::int64_t temporaries = 0;  // what lives only while the program runs, that of the programs inside it included
};
// Compiles the program.
MemoryAnalysis memory_analysis(const ClosedJaxpr&);

}  // namespace cotan

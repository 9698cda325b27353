// What a program costs: arithmetic, memory traffic, memory.
#pragma once
#include <cstdint>
#include <vector>

#include "cotan/jaxpr.h"

namespace cotan {

// In numbers of scalar operations and bytes. Operations are those of the program as the passes leave it. Bytes are what its steps read
// and write of memory, where a step is what was fused to one: each reads an array once, and what it only hands on costs nothing. A scan's
// body counts as often as it runs, a while loop's once, of branches the most expensive one.
struct CostAnalysis {
  double flops = 0;  // one for each element of an elementwise operation, two for each product of a contraction
  double transcendentals = 0;                     // exp, sqrt, sin, ..., which are no flops
  double bytes_accessed = 0;                      // all of those below
  std::vector<double> bytes_accessed_by_operand;  // of the first arrays that steps read, of the second ones, ...
  double bytes_accessed_by_results = 0;
};
// cost_analysis(make_jaxpr(f)(x))
CostAnalysis cost_analysis(const ClosedJaxpr&);

// In bytes. Results and temporaries are what a call takes, but for what it puts over donated arguments.
struct MemoryAnalysis {
  std::int64_t arguments = 0, results = 0;
  std::int64_t temporaries = 0;  // what lives only while the program runs, that of the programs inside it included
  std::int64_t aliased = 0;      // results in the memory of donated arguments
};
// Compiles the program, as for calls that donate the arguments with these numbers (of leaves, from 0).
MemoryAnalysis memory_analysis(const ClosedJaxpr&, const std::vector<std::size_t>& donated = {});

}  // namespace cotan

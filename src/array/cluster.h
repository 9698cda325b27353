// Neighbouring elementwise equations as one tile program: what only they use stays in registers and never reaches memory.
#pragma once
#include <cstdint>
#include <vector>

#include "core/jaxpr.h"
#include "kernel/program.h"

namespace cotan {

struct Cluster {
  std::uint32_t equations = 0;
  kernel::Program program;  // its buffers: the operands, then the results
  std::vector<Atom> operands;
  std::vector<Var> results;  // the values that others use too
};

// The equations from `first` on, as many as one program of bounded length computes. One equation makes no cluster: `equations` is 0.
// The bits are those of the equations run one by one, as elements do not depend on each other. last_use: of `last_uses`.
Cluster cluster_at(const Jaxpr&, std::uint32_t first, const std::vector<std::uint32_t>& last_use);

}  // namespace cotan

// A program as one plan: the steps of its equations, in order. Equations that only give their operand another shape become
// no step: their results are the operand's buffer.
#pragma once
#include <vector>

#include "core/jaxpr.h"
#include "kernel/plan.h"

namespace cotan {

struct ProgramPlan {
  struct Result {
    int input = -1, output = -1;  // a result is an input or an output of the plan, under its own type
    Aval aval;
  };
  kernel::Plan plan;            // its inputs are the program's, at their positions
  std::vector<Aval> outputs;    // types of the plan's outputs
  std::vector<Result> results;  // of the program
};

// Of a program without constants.
ProgramPlan to_plan(const Jaxpr&);

}  // namespace cotan

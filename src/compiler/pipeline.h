// What is done to a program before it is scheduled: an ordered list of passes over jaxprs.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "compiler/passes/to_plan.h"
#include "core/jaxpr.h"

namespace cotan {

// A program with the same inputs, constants and results, bit for bit. In time linear in its size; programs inside equations (bodies
// of loops, branches) go through all passes by themselves when they are compiled.
struct Pass {
  const char* name;
  JaxprRef (*run)(const JaxprRef&);
  bool always;  // also where config::Flag::disable_most_optimizations is set
};
std::span<const Pass> passes();  // in the order in which they run

struct PassReport {
  const char* name;
  double seconds;
  std::size_t equations;  // after it
};
struct PipelineOptions {
  std::string to = {};                        // the last pass that runs; empty: all of them
  std::vector<PassReport>* report = nullptr;  // one for each pass that ran
};
// ValueError for a pass that does not exist. Where config::Flag::debug_type_check is set, TypeError names the pass whose result
// does not fit its types. COTAN_DUMP=PASS[,PASS] in the environment prints what these passes give, to stderr; `all`: every one.
JaxprRef optimized(const JaxprRef&, const PipelineOptions& = {});

// The same for plans: what follows the passes over jaxprs and to_plan. None runs where config::Flag::disable_most_optimizations is set.
struct PlanPass {
  const char* name;
  kernel::Plan (*run)(kernel::Plan);
};
std::span<const PlanPass> plan_passes();

// The plan of a program without constants, after all passes. COTAN_DUMP knows the plan's passes too, and `plan`: before them.
ProgramPlan compile(const JaxprRef&);
ProgramPlan plan_of_optimized(const Jaxpr&);  // the same, of what `optimized` gives

}  // namespace cotan

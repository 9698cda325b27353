#include "cotan/analysis.h"

#include <algorithm>

#include "array/executable.h"
#include "compiler/equation_plan.h"
#include "compiler/pipeline.h"
#include "control/programs.h"
#include "core/jaxpr_utils.h"

namespace cotan {

namespace {

std::int64_t total_bytes(const std::vector<Aval>& avals) {
  std::int64_t n = 0;
  for (const Aval& a : avals) n += checked_bytes(a);
  return n;
}

// Programs inside run one at a time.
std::int64_t temporaries(const ClosedJaxpr& c) {
  std::int64_t inside = 0;
  const JaxprRef j = optimized(share(c));
  for (const JaxprEqn& e : j->eqns)
    if (e.primitive->regions)
      for (const ClosedJaxpr* p : e.primitive->regions({*e.primitive, e.params}).programs)
        inside = std::max(inside, temporaries(*p));
  return static_cast<std::int64_t>(temporary_bytes(*compiled(c))) + inside;
}

}  // namespace

MemoryAnalysis memory_analysis(const ClosedJaxpr& c) {
  return {total_bytes(c.in_avals()), total_bytes(c.out_avals()),
          temporaries(c.consts().empty() ? c : hoist_constants(c))};
}

}  // namespace cotan

// What was traced for a function, why again, and what it costs: text for people.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "api/donation.h"
#include "core/jaxpr.h"

namespace cotan::api {

// Something that a trace depends on: a leaf ("x['w']", "f32[3]"), a structure, a static argument, a setting.
struct TraceFact {
  std::string name, value;
};
struct TraceRecord {
  std::string line;  // of the call, "FILE:LINE"; empty: not known
  std::vector<TraceFact> facts;
  ClosedJaxpr jaxpr;
  std::vector<DonatedLeaf> donated;
};

// Traces in the order in which they were made. Each but the first is compared with the one before it from which it differs least.
std::string explain_traces(const std::string& name, std::span<const TraceRecord>);

// Settings and axis names that are part of every trace's key, as they are now.
std::vector<TraceFact> context_facts(std::uint64_t trace_key);

}  // namespace cotan::api

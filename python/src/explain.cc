// What jitted functions have traced and what programs cost.
#include "api/explain.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "common.h"
#include "cotan/analysis.h"
#include "jit_programs.h"

namespace cotan::python {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

std::string type_of(const Aval& a) { return a.str() + (a.weak_type ? " (weak)" : ""); }

// Of context_key(): settings, then names of axes and their sizes.
Facts facts_of_context(const std::string& key) {
  std::uint64_t flags = 0;
  std::memcpy(&flags, key.data(), sizeof flags);
  Facts facts;
  for (api::TraceFact& f : api::context_facts(flags)) facts.emplace_back(std::move(f.name), std::move(f.value));
  for (std::size_t at = sizeof flags; at < key.size();) {
    const std::size_t name_end = key.find('\0', at), size_end = key.find('\0', name_end + 1);
    facts.emplace_back("the axis '" + key.substr(at, name_end - at) + "'",
                       key.substr(name_end + 1, size_end - name_end - 1));
    at = size_end + 1;
  }
  return facts;
}

// [(line, structure of (args, kwargs) without what is static, types of its leaves, [(place or name, static value)], facts of the
// context, jaxpr, donated leaves)]
nb::list programs_of(const Cache& cache) {
  nb::list programs;
  for (const ProgramRef& p : cache.in_order()) {
    nb::list types, statics;
    for (const Aval& a : p->key.avals) types.append(type_of(a));
    for (const auto& [place, value] : p->key.statics) statics.append(nb::make_tuple(place, value));
    programs.append(nb::make_tuple(p->line, TreeDef{p->key.nodes}, types, statics, facts_of_context(p->key.context),
                                   p->jaxpr, p->donated));
  }
  return programs;
}

std::string explain(const std::string& name, nb::list traces) {
  std::vector<api::TraceRecord> records;
  for (nb::handle t : traces) {
    api::TraceRecord r{nb::cast<std::string>(t[0]), {}, nb::cast<ClosedJaxpr>(t[2]), {}};
    for (auto& [n, value] : nb::cast<Facts>(t[1])) r.facts.push_back({n, value});
    for (auto& [leaf, n] : nb::cast<std::vector<std::pair<std::size_t, std::string>>>(t[3]))
      r.donated.push_back({leaf, n});
    records.push_back(std::move(r));
  }
  return api::explain_traces(name, records);
}

nb::dict costs(const ClosedJaxpr& c) {
  const CostAnalysis a = cost_analysis(c);
  nb::dict d;
  d["flops"] = a.flops;
  if (a.transcendentals > 0) d["transcendentals"] = a.transcendentals;
  d["bytes accessed"] = a.bytes_accessed;
  for (std::size_t i = 0; i < a.bytes_accessed_by_operand.size(); ++i)
    d[("bytes accessed" + std::to_string(i) + "{}").c_str()] = a.bytes_accessed_by_operand[i];
  d["bytes accessedout{}"] = a.bytes_accessed_by_results;
  return d;
}

}  // namespace

void add_explain(nb::module_& m) {
  m.def("jit_programs", [](nb::handle jitted) { return programs_of(cache_of(jitted)); });
  m.def("explain_traces", &explain);
  m.def("cost_analysis", &costs);
  m.def("memory_analysis", [](const ClosedJaxpr& c, const std::vector<std::size_t>& donated) {
    const MemoryAnalysis a = memory_analysis(c, donated);
    return nb::make_tuple(a.arguments, a.results, a.temporaries, a.aliased);
  });
}

}  // namespace cotan::python

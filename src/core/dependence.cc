#include "core/dependence.h"

#include <algorithm>

namespace cotan {

namespace {
using Bits = std::vector<bool>;

bool any_of(const Bits& b) { return std::find(b.begin(), b.end(), true) != b.end(); }

Bits dependent_outputs(const Jaxpr& j, const Bits& marked) {
  const Bits depends = dependent_variables(j, marked);
  Bits out;
  for (Atom a : j.outvars) out.push_back(!a.is_literal() && depends[a.var().id]);
  return out;
}

// Of a loop: carries depend on what they depend on in any step.
Bits of_scan(const Regions& r, Bits marked) {
  const auto consts = static_cast<std::size_t>(r.consts), carries = static_cast<std::size_t>(r.carries);
  for (;;) {
    Bits out = dependent_outputs(r.programs[0]->jaxpr(), marked);
    bool grows = false;
    for (std::size_t i = 0; i < carries; ++i) {
      grows = grows || (out[i] && !marked[consts + i]);
      out[i] = marked[consts + i] = out[i] || marked[consts + i];
    }
    if (!grows) return out;
  }
}
Bits of_while(const Regions& r, const Bits& marked) {
  const auto split = marked.begin() + r.condition_consts;
  Bits in_body(split, marked.end());
  const auto consts = static_cast<std::size_t>(r.consts);
  for (bool grows = true; grows;) {
    grows = false;
    const Bits out = dependent_outputs(r.programs[1]->jaxpr(), in_body);
    for (std::size_t i = 0; i < out.size(); ++i)
      if (out[i] && !in_body[consts + i]) grows = in_body[consts + i] = true;
  }
  const Bits carries(in_body.begin() + r.consts, in_body.end());
  Bits in_condition(marked.begin(), split);
  in_condition.insert(in_condition.end(), carries.begin(), carries.end());
  if (any_of(dependent_outputs(r.programs[0]->jaxpr(), in_condition))) return Bits(carries.size(), true);
  return carries;
}
Bits of_branches(const Regions& r, const Bits& marked, std::size_t results) {
  Bits all(results, marked[0]);
  for (std::size_t b = 0; b < r.programs.size() && !marked[0]; ++b) {
    const Bits out = dependent_outputs(r.programs[b]->jaxpr(), Bits(marked.begin() + 1, marked.end()));
    for (std::size_t i = 0; i < results; ++i) all[i] = all[i] || out[i];
  }
  return all;
}

// Per result of an equation.
Bits dependent_results(const EqnContext& c, const Bits& marked, std::size_t results) {
  const Bits all(results, any_of(marked));
  if (!c.primitive.regions || !any_of(marked)) return all;
  const Regions r = c.primitive.regions(c);
  if (r.programs.empty()) return all;
  switch (r.kind) {
    case RegionKind::call: return dependent_outputs(r.programs[0]->jaxpr(), marked);
    case RegionKind::branch: return of_branches(r, marked, results);
    case RegionKind::while_loop: return of_while(r, marked);
    case RegionKind::scan: return of_scan(r, marked);
  }
  return all;
}

}  // namespace

Bits dependent_variables(const Jaxpr& j, const Bits& marked_inputs) {
  Bits depends(j.vars.size());
  for (std::size_t i = 0; i < marked_inputs.size(); ++i) depends[j.invars[i].id] = marked_inputs[i];
  for (const JaxprEqn& e : j.eqns) {
    Bits marked;
    for (Atom a : j.inputs(e)) marked.push_back(!a.is_literal() && depends[a.var().id]);
    if (!any_of(marked)) continue;
    const auto outputs = j.outputs(e);
    const Bits out = dependent_results({*e.primitive, e.params}, marked, outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) depends[outputs[i].var().id] = out[i];
  }
  return depends;
}

std::optional<Apart> take_apart(const EqnContext& c, const Bits& marked_operands) {
  if (!c.primitive.dce || !c.primitive.regions) return std::nullopt;
  const Regions r = c.primitive.regions(c);
  if (r.programs.empty()) return std::nullopt;
  const ClosedJaxpr& gives = *r.programs[r.kind == RegionKind::while_loop ? 1 : 0];
  const Bits dependent = dependent_results(c, marked_operands, gives.jaxpr().outvars.size());
  Bits independent = dependent;
  independent.flip();
  if (!any_of(independent)) return std::nullopt;
  Apart a{c.primitive.dce(c, independent), std::nullopt};
  for (std::size_t i = 0; i < marked_operands.size(); ++i)
    if (marked_operands[i] && a.independent.used_operands[i]) return std::nullopt;
  if (any_of(dependent)) a.dependent = c.primitive.dce(c, dependent);
  return a;
}

}  // namespace cotan

#include "core/jaxpr_trace.h"

#include "base/user_location.h"
#include "core/primitive.h"
#include "core/typecheck.h"
#include "cotan/config.h"

namespace cotan {

JaxprTrace::JaxprTrace() : jaxpr_(new Jaxpr) {}

Array JaxprTrace::new_input(const Aval& a) {
  Var v = jaxpr_->add_var(a);
  jaxpr_->invars.push_back(v);
  return Array(new JaxprTracer(this, a, v));
}

Atom JaxprTrace::atom_of(const Array& a) {
  if (owns(a)) return static_cast<const JaxprTracer*>(as_tracer(a))->var;
  check_usable(a);
  const Aval& aval = a.aval();
  if (is_concrete(a) && a.node()->plain_number && aval.ndim() == 0)
    return jaxpr_->add_literal({HostScalar::load(aval.dtype, bytes_of(a)), aval.weak_type});
  auto [it, fresh] = const_vars_.try_emplace(a.node(), Var{0});
  if (fresh) {
    it->second = jaxpr_->add_var(aval);
    jaxpr_->constvars.push_back(it->second);
    consts_.push_back(a);
  }
  return it->second;
}

void JaxprTrace::emit(const Primitive& p, const ParamsRef& params, std::span<const Array> in,
                      std::span<const Aval> out_avals, ArrayVec& out) {
  SmallVec<Atom, 4> atoms;
  for (const Array& a : in) atoms.push_back(atom_of(a));
  SmallVec<Var, 2> vars;
  for (const Aval& a : out_avals) vars.push_back(jaxpr_->add_var(a));
  JaxprEqn& e = jaxpr_->add_eqn(p, params, atoms, vars);
  if (p.effects) e.effects = p.effects({p, params});
  jaxpr_->effects |= e.effects;
  e.source = current_position(ApiCall::current());
  for (std::size_t i = 0; i < vars.size(); ++i) out.push_back(Array(new JaxprTracer(this, out_avals[i], vars[i])));
}

void JaxprTrace::process(const Primitive& p, const ParamsRef& params, std::span<const Array> in, ArrayVec& out) {
  if (p.stage) {
    const Staged s = p.stage({p, params}, in);
    return record(p, s.params, s.operands, out);
  }
  record(p, params, in, out);
}

void JaxprTrace::record(const Primitive& p, const ParamsRef& params, std::span<const Array> in, ArrayVec& out) {
  SmallVec<Aval, 4> in_avals;
  for (const Array& a : in) in_avals.push_back(a.aval());
  AvalVec out_avals;
  infer(p, params, in_avals, out_avals);
  emit(p, params, in, out_avals, out);
}

ClosedJaxpr JaxprTrace::finish(std::span<const Array> outs) {
  for (const Array& a : outs) jaxpr_->outvars.push_back(atom_of(a));
  if (config::get(config::Flag::debug_type_check)) check_jaxpr(*jaxpr_);
  const_vars_.clear();
  // Let go of: a rule in the program may hold a tracer of this trace, which holds the trace.
  return close_jaxpr(JaxprRef(std::move(jaxpr_)), std::move(consts_));
}

}  // namespace cotan

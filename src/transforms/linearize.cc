#include "transforms/linearize.h"

#include "core/dependence.h"
#include "ops/common.h"
#include "transforms/jvp.h"

namespace cotan {

void SplitTrace::process(const Primitive& p, const ParamsRef& params, std::span<const Array> in, ArrayVec& out) {
  bool linear = false;
  for (const Array& a : in) linear |= tangents_->owns(a);
  if (!linear) {
    CurrentTrace current(parent.get());
    return p.bind(params, in, out);
  }
  if (!p.regions) return tangents_->process(p, params, in, out);
  std::vector<bool> marked;
  for (const Array& a : in) marked.push_back(tangents_->owns(a));
  const auto apart = take_apart({p, params}, marked);
  if (!apart) return tangents_->process(p, params, in, out);
  ArrayVec both(apart->independent.results.size());
  const auto run = [&](const Reduced& r, Trace* trace) {
    ArrayVec operands, results;
    for (std::size_t i = 0; i < in.size(); ++i)
      if (r.used_operands[i]) operands.push_back(in[i]);
    CurrentTrace current(trace);
    p.bind(r.params, operands, results);
    std::size_t next = 0;
    for (std::size_t i = 0; i < r.results.size(); ++i) {
      if (!r.results[i]) continue;
      if (!both[i].has_value()) both[i] = results[next];
      ++next;
    }
  };
  run(apart->independent, parent.get());
  if (apart->dependent) run(*apart->dependent, tangents_.get());
  for (const Array& a : both) out.push_back(a);
}

LinearizeTrace::LinearizeTrace() : tangents_(new JaxprTrace), split_(new SplitTrace(tangents_.get())) { nest(*split_); }
LinearizeTrace::~LinearizeTrace() { tangents_->alive = false; }

Array LinearizeTrace::new_input(const Array& primal) {
  Aval t = tangent_aval(primal.aval());
  if (t.dtype == DType::float0) return primal;
  return Array(new LinearizeTracer(this, primal, tangents_->new_input(t)));
}

const LinearizeTracer* LinearizeTrace::own(const Array& a) const {
  const Tracer* t = as_tracer(a);
  return t && t->trace.get() == this ? static_cast<const LinearizeTracer*>(t) : nullptr;
}

void LinearizeTrace::process(const Primitive& p, const ParamsRef& params, std::span<const Array> in, ArrayVec& out) {
  ArrayVec primals;
  TangentVec tangents;
  bool any = false;
  for (const Array& a : in) {
    const LinearizeTracer* t = own(a);
    any |= t != nullptr;
    primals.push_back(t ? t->primal : a);
    tangents.push_back(t ? Tangent(t->tangent) : Tangent::zero_of(a.aval()));
  }
  if (!any) {
    CurrentTrace current(parent.get());
    return p.bind(params, primals, out);
  }
  ArrayVec primals_out;
  TangentVec tangents_out;
  {
    CurrentTrace current(split_.get());
    JvpIn rule_in{{p, params}, primals, tangents};
    if (p.linearize) p.linearize(rule_in, primals_out, tangents_out);
    else apply_jvp(rule_in, primals_out, tangents_out);
  }
  for (std::size_t i = 0; i < primals_out.size(); ++i) {
    const bool linear = !tangents_out[i].is_zero() && tangents_->owns(tangents_out[i].value());
    out.push_back(linear ? Array(new LinearizeTracer(this, primals_out[i], tangents_out[i].value())) : primals_out[i]);
  }
}

Linear LinearizeTrace::finish(std::vector<Aval> in, const Arrays& outs) {
  Arrays linear_outs;
  std::vector<int> index;
  std::vector<Aval> out_avals;
  for (const Array& a : outs) {
    const LinearizeTracer* t = own(a);
    index.push_back(t ? static_cast<int>(linear_outs.size()) : -1);
    if (t) linear_outs.push_back(t->tangent);
    out_avals.push_back(tangent_aval(a.aval()));
  }
  return Linear(tangents_->finish(linear_outs), std::move(in), std::move(out_avals), std::move(index));
}

LinearizeResult flat_linearize(const FlatFn& f, const Arrays& primals) {
  TraceLife<LinearizeTrace> trace;
  Arrays in;
  std::vector<Aval> in_avals;
  for (const Array& a : primals) {
    in.push_back(trace->new_input(a));
    in_avals.push_back(tangent_aval(a.aval()));
  }
  Arrays out;
  {
    CurrentTrace current(trace.get());
    out = f(in);
  }
  Arrays primals_out;
  for (const Array& a : out) {
    check_usable(a);
    const LinearizeTracer* t = trace->own(a);
    primals_out.push_back(t ? t->primal : a);
  }
  return {std::move(primals_out), trace->finish(std::move(in_avals), out)};
}

ClosedJaxpr flat_make_jaxpr(const FlatFn& f, const std::vector<Aval>& in) {
  TraceLife<JaxprTrace> trace;
  Arrays args;
  for (const Aval& a : in) args.push_back(trace->new_input(a));
  Arrays out;
  {
    CurrentTrace current(trace.get());
    out = f(args);
  }
  for (const Array& a : out) check_usable(a);
  return trace->finish(out);
}

Linear flat_linear_jaxpr(const FlatFn& f, const std::vector<Aval>& in) {
  ClosedJaxpr j = flat_make_jaxpr(f, in);
  std::vector<Aval> out = j.out_avals();
  std::vector<int> index;
  for (std::size_t i = 0; i < out.size(); ++i) index.push_back(static_cast<int>(i));
  return Linear(std::move(j), in, std::move(out), std::move(index));
}

}  // namespace cotan

#include "transforms/jvp.h"

#include <string_view>

#include "ops/common.h"
#include "transforms/flat.h"

namespace cotan {

Array JvpTrace::wrap(const Array& primal, const Tangent& tangent) {
  return tangent.is_zero() ? primal : Array(new JvpTracer(this, primal, tangent.value()));
}

const JvpTracer* JvpTrace::own(const Array& a) const {
  const Tracer* t = as_tracer(a);
  return t && t->trace.get() == this ? static_cast<const JvpTracer*>(t) : nullptr;
}

void JvpTrace::process(const Primitive& p, const ParamsRef& params, std::span<const Array> in, ArrayVec& out) {
  CurrentTrace current(parent.get());
  ArrayVec primals;
  TangentVec tangents;
  bool any = false;
  for (const Array& a : in) {
    const JvpTracer* t = own(a);
    any |= t != nullptr;
    primals.push_back(t ? t->primal : a);
    tangents.push_back(t ? Tangent(t->tangent) : Tangent::zero_of(a.aval()));
  }
  if (!any) return p.bind(params, primals, out);
  ArrayVec primals_out;
  TangentVec tangents_out;
  apply_jvp({{p, params}, primals, tangents}, primals_out, tangents_out);
  for (std::size_t i = 0; i < primals_out.size(); ++i) out.push_back(wrap(primals_out[i], tangents_out[i]));
}

namespace {
Tangent jvp_from_terms(const JvpIn& in, const Array& out) {
  Tangent sum = Tangent::zero_of(out.aval());
  for (std::size_t i = 0; i < in.primals.size(); ++i) {
    if (in.tangents[i].is_zero() || !in.primitive.jvp_terms[i]) continue;
    Array term = in.primitive.jvp_terms[i]({{in.primitive, in.params_ref}, in.primals, out, in.tangents[i].value()});
    sum = ops::add_tangents(sum, ops::broadcast_to_shape(term, out.shape()));
  }
  return sum;
}
}  // namespace

void apply_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const Primitive& p = in.primitive;
  bool any = false;
  for (const Tangent& t : in.tangents) any |= !t.is_zero();
  if (any && p.jvp) {
    p.jvp.function()(in, primals_out, tangents_out);
    return;
  }
  p.bind(in.params_ref, in.primals, primals_out);
  if (any && p.jvp.is_set() && p.jvp.reason() != std::string_view(zero_derivative.reason))
    throw NotImplementedError("Differentiation rule for '" + std::string(p.name) +
                              "' not implemented: " + p.jvp.reason());
  const bool terms = any && !p.jvp.is_set() && is_inexact(primals_out[0].dtype());
  for (const Array& a : primals_out) tangents_out.push_back(terms ? jvp_from_terms(in, a) : Tangent::zero_of(a.aval()));
}

JvpResult flat_jvp(const FlatFn& f, const Arrays& primals, const Tangents& tangents) {
  TraceLife<JvpTrace> trace;
  Arrays in;
  for (std::size_t i = 0; i < primals.size(); ++i) in.push_back(trace->wrap(primals[i], tangents[i]));
  Arrays out;
  {
    CurrentTrace current(trace.get());
    out = f(in);
  }
  JvpResult r;
  for (const Array& a : out) {
    check_usable(a);
    const JvpTracer* t = trace->own(a);
    r.primals.push_back(t ? t->primal : a);
    r.tangents.push_back(t ? Tangent(t->tangent) : Tangent::zero_of(a.aval()));
  }
  return r;
}

}  // namespace cotan

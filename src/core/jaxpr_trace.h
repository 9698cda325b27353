// The trace that records a jaxpr.
#pragma once
#include <unordered_map>

#include "core/jaxpr.h"
#include "core/trace.h"

namespace cotan {

struct JaxprTracer final : Tracer {
  Var var;
  JaxprTracer(Trace* t, Aval a, Var v) : Tracer(detail::NodeKind::jaxpr, t, std::move(a)), var(v) {}
};

class JaxprTrace final : public Trace {
 public:
  JaxprTrace();
  Array new_input(const Aval&);
  // Records the equation; the operands may be of any trace, the outputs' avals are given.
  void emit(const Primitive&, const ParamsRef&, std::span<const Array> in, std::span<const Aval> out_avals,
            ArrayVec& out);
  void process(const Primitive&, const ParamsRef&, std::span<const Array> in, ArrayVec& out) override;
  const char* kind_name() const override { return "DynamicJaxprTrace"; }
  bool owns(const Array& a) const { return !is_concrete(a) && as_tracer(a)->trace.get() == this; }

  // The program with these results; the trace is used up. Equations without a used result and without an effect stay.
  ClosedJaxpr finish(std::span<const Array> outs);

 private:
  void record(const Primitive&, const ParamsRef&, std::span<const Array> in, ArrayVec& out);
  Atom atom_of(const Array&);
  Ref<Jaxpr> jaxpr_;
  std::unordered_map<const detail::Node*, Var> const_vars_;
  std::vector<Array> consts_;
};

}  // namespace cotan

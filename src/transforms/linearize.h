// Reverse mode's first half: runs a function forward and records its derivative there as a linear jaxpr.
#pragma once
#include "core/jaxpr_trace.h"
#include "core/primitive.h"
#include "transforms/flat.h"

namespace cotan {

struct LinearizeTracer final : Tracer {
  Array primal, tangent;  // tangent: a tracer of the linear program
  LinearizeTracer(Trace* t, Array p, Array d)
      : Tracer(detail::NodeKind::linearize, t, p.aval()), primal(std::move(p)), tangent(std::move(d)) {}
  const Array* beneath() const override { return &primal; }
};

// Current while a jvp rule runs for linearize: what touches a tangent is recorded, the rest runs in the parent. Equations
// recorded are linear in the tangents, since a jvp rule is.
class SplitTrace final : public Trace {
 public:
  explicit SplitTrace(JaxprTrace* tangents) : tangents_(tangents) {}
  void process(const Primitive&, const ParamsRef&, std::span<const Array> in, ArrayVec& out) override;
  const char* kind_name() const override { return "LinearizeTrace"; }

 private:
  Ref<JaxprTrace> tangents_;
};

class LinearizeTrace final : public Trace {
 public:
  LinearizeTrace();
  ~LinearizeTrace() override;
  Array new_input(const Array& primal);  // itself, if its tangent has dtype float0
  void process(const Primitive&, const ParamsRef&, std::span<const Array> in, ArrayVec& out) override;
  const char* kind_name() const override { return "LinearizeTracer"; }
  const LinearizeTracer* own(const Array& a) const;
  JaxprTrace& tangents() { return *tangents_; }
  // The linear program with these outputs: of the function's outputs, the tangents of those that have one.
  Linear finish(std::vector<Aval> in, const Arrays& outs);

 private:
  Ref<JaxprTrace> tangents_;
  Ref<SplitTrace> split_;
};

}  // namespace cotan

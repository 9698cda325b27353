// Forward mode.
#pragma once
#include "core/primitive.h"

namespace cotan {

struct JvpTracer final : Tracer {
  Array primal, tangent;
  JvpTracer(Trace* t, Array p, Array d)
      : Tracer(detail::NodeKind::jvp, t, p.aval()), primal(std::move(p)), tangent(std::move(d)) {}
  const Array* beneath() const override { return &primal; }
};

class JvpTrace final : public Trace {
 public:
  Array wrap(const Array& primal, const Tangent& tangent);  // the primal itself for a zero tangent
  void process(const Primitive&, const ParamsRef&, std::span<const Array> in, ArrayVec& out) override;
  const char* kind_name() const override { return "JVPTracer"; }
  const JvpTracer* own(const Array& a) const;  // null: a constant
};

// The primitive's jvp in the current trace: its rule, or what follows from its terms. NotImplementedError names the
// primitive when it is not differentiable.
void apply_jvp(const JvpIn&, ArrayVec& primals_out, TangentVec& tangents_out);

}  // namespace cotan

// Reverse mode's second half: runs a linear jaxpr backwards.
#pragma once
#include "core/jaxpr.h"
#include "core/primitive.h"

namespace cotan {

// Cotangents of the inputs that `linear` marks (zeros for the others), given those of the outputs. `args` holds the values
// of the inputs that are not linear. Equations that do not depend on a linear input are evaluated first. Throws
// NotImplementedError or TypeError, naming the primitive, where the program is not linear.
void backward_pass(const Jaxpr&, std::span<const Array> consts, std::span<const Array> args,
                   const std::vector<bool>& linear, std::span<const Tangent> cts, TangentVec& out);

}  // namespace cotan

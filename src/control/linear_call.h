// A linear function with a transpose of the user's.
#pragma once
#include "control/programs.h"

namespace cotan {

extern const Primitive linear_call_p;

// f(residuals..., operands...), linear in the operands; its transpose is transpose(residuals..., cotangents...), which gives
// a cotangent for each operand. TypeError where the types do not fit.
Arrays bind_linear_call(const FlatFn& f, const FlatFn& transpose, const Arrays& residuals, const Arrays& operands);

}  // namespace cotan

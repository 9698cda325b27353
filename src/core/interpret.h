// Running a jaxpr equation by equation in the current trace.
#pragma once
#include "core/jaxpr.h"
#include "core/trace.h"

namespace cotan {

Array literal_array(const Literal&);
// Appends the program's results. The operands fit (see eval_jaxpr for the checked form).
void interpret(const Jaxpr&, std::span<const Array> consts, std::span<const Array> args, ArrayVec& results);

}  // namespace cotan

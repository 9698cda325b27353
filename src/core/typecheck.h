// Checks a program against the rules of its primitives. Passes are followed by it in test builds.
#pragma once
#include "core/jaxpr.h"

namespace cotan {

// Throws TypeError, naming the equation, unless every variable is defined once and before its use, every equation has the
// operands, parameters and effects that its primitive asks for, and its outputs have the types that the primitive gives.
// Programs inside equations are checked too.
void check_jaxpr(const Jaxpr&);
void check_jaxpr(const ClosedJaxpr&);  // and that the constants fit

// One equation alone: operand count, parameters, effects, output types.
void check_equation(const Jaxpr&, const JaxprEqn&);

}  // namespace cotan

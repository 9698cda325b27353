// Replaces every call of a program (see called_program) by the equations of that program.
#pragma once
#include "core/jaxpr.h"

namespace cotan {

JaxprRef inline_calls(const JaxprRef&);

}  // namespace cotan

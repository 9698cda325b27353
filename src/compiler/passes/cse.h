// Computes once what several equations compute: those of one primitive with the same parameters and operands.
#pragma once
#include "core/jaxpr.h"

namespace cotan {

// Equations with effects, and those that call users' functions, stay. What nobody needs any longer is left to dce.
JaxprRef merge_common(const JaxprRef&);

}  // namespace cotan

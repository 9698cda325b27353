// Computes what follows from literals alone: scalars become literals.
#pragma once
#include "core/jaxpr.h"

namespace cotan {

// Arrays on the way are at most 1 KiB; arrays stay equations, as no literal holds them. Equations with effects, with programs or with
// users' functions stay. What nobody needs any longer is left to dce.
JaxprRef fold_constants(const JaxprRef&);

}  // namespace cotan

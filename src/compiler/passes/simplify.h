// Replaces equations by what their primitives' `simplify` rules say is the same and cheaper: identities, and chains of
// rearrangements as one.
#pragma once
#include "core/jaxpr.h"

namespace cotan {

// What nobody needs any longer is left to dce.
JaxprRef simplify(const JaxprRef&);

}  // namespace cotan

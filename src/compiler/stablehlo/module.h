// A program as a StableHLO module: a function `main`, and a private one for each program that is called and each primitive that
// has no operation of its own. StableHLO names no devices: what a module means is the same everywhere, up to the accuracy of
// elementary functions.
#pragma once
#include <string>

#include "cotan/jaxpr.h"

namespace cotan {

// NotImplementedError, naming the primitive, for what StableHLO cannot say. The cost is linear in the program, and in the bytes
// of its constants, which are written into it.
std::string stablehlo_module(const ClosedJaxpr&, const std::string& name);

}  // namespace cotan

// Leaves out what no result needs, in equations' programs too (core's dce). Inputs and constants stay, needed or not.
#pragma once
#include "core/jaxpr.h"

namespace cotan {

JaxprRef drop_dead(const JaxprRef&);

}  // namespace cotan

// Indices below 0 count from the end: a step before a gather, a scatter or an access that starts there, which these do themselves as
// they read.
#pragma once
#include "kernel/plan.h"

namespace cotan {

kernel::Plan wrap_indices(kernel::Plan);

}  // namespace cotan

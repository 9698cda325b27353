// Fusion: programs that read what other programs make become one, so that the values between them never reach memory.
//
// A program joins the latest program that it reads from, where it reads that one's values at the same place and everything
// else it reads is there by then. Else it computes what it reads itself: copies and cheap values always, others where it is
// their only reader and needs each element once at most. Results are bit for bit those of the plan as it was.
#pragma once
#include "kernel/plan.h"

namespace cotan {

kernel::Plan fuse(kernel::Plan);

}  // namespace cotan

// Fusion: programs that read what other programs make become one, so that the values between them never reach memory.
//
// A program joins the latest program that it reads from, where it reads that one's values at the same place and everything
// else it reads is there by then; a late one that reads the same arrays will do too. Else it computes what it reads itself: copies
// and cheap values always, others where no element is read more than once. What it reads may be part of an array (a piece of a
// concatenation, the inside of a padded one); one that reads several parts is cut into programs for each. Results are bit for bit
// those of the plan as it was.
#pragma once
#include "kernel/plan.h"

namespace cotan {

kernel::Plan fuse(kernel::Plan);

}  // namespace cotan

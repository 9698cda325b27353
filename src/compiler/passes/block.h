// Programs that hand large arrays to each other row by row run a block of rows at a time, so that what they hand on stays in
// cache: softmax reads its operand once from memory, and rows that are gathered for it never get there. Results are bit for bit
// those of the plan as it was.
#pragma once
#include "kernel/plan.h"

namespace cotan {

kernel::Plan block_rows(kernel::Plan);

}  // namespace cotan

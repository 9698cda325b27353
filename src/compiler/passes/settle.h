// Programs that write results alone run as soon as they can.
#pragma once
#include "kernel/plan.h"

namespace cotan {

// A program that writes outputs, which nothing reads, over temporaries that end there follows the last step that reads or writes one
// of its operands: so the update of a parameter follows its gradient, which is still in cache and needs no place until the end.
// In time linear in the plan but for a sort.
kernel::Plan settle_results(kernel::Plan);

}  // namespace cotan

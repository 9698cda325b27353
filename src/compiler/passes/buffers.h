// Where the values of a plan live: temporaries share one block, as their lifetimes allow; a result takes the memory of an
// operand that ends there where the step may work in place.
#pragma once
#include <vector>

#include "kernel/plan.h"

namespace cotan {

struct Home {
  kernel::BufferKind kind = kernel::BufferKind::temporary;
  std::int64_t at = 0;  // bytes into the block of temporaries; else the position among inputs, outputs or constants
};
struct Homes {
  std::vector<Home> of;  // per buffer
  std::int64_t block_bytes = 0;
};

// Notes in the plan's programs which buffers are the same memory, and in its donations which outputs may take an input's.
// MemoryError when the temporaries have more bytes than can be addressed.
Homes assign_buffers(kernel::Plan*);

}  // namespace cotan

// Where the values of a plan live. Temporaries share one block, as their lifetimes allow, and lie in outputs that are not written
// yet or in donated inputs that are not read any more; a result takes the memory of an operand that ends where the step may
// work in place; an output takes that of a donated input.
#pragma once
#include <vector>

#include "kernel/plan.h"

namespace cotan {

// Which inputs may be written over.
struct Donations {
  static constexpr int none = -1, any = -2;
  // Per input, or empty: the output that may take its memory, or `any`: each may, and it may hold temporaries.
  std::vector<int> taker;
  bool hold_temporaries = true;  // outputs are other memory than all inputs until they are written

  int of(int input) const {
    return static_cast<std::size_t>(input) < taker.size() ? taker[static_cast<std::size_t>(input)] : none;
  }
};

struct Home {
  kernel::BufferKind kind = kernel::BufferKind::temporary;
  std::int64_t at = 0;      // bytes into the block of temporaries; else the position among inputs, outputs or constants
  std::int64_t offset = 0;  // of a temporary in an input or output: bytes
};

// What became of an input that any output may take.
struct Donated {
  int input = -1;
  int output = -1;  // that has its memory; -1: none
  bool holds_temporaries = false;
  // Where none has it: an output of its size that is written at a step at or before the one that last reads it; -1: there is none.
  int early_output = -1;
  std::size_t written = 0, read = 0;  // those steps
};

struct Homes {
  std::vector<Home> of;  // per buffer
  std::int64_t block_bytes = 0;
  std::vector<int> donor;  // per output: the input whose memory it takes; -1: none
  std::vector<Donated> donated;
};

// Notes in the plan's programs which buffers are the same memory. MemoryError when the temporaries have more bytes than can be
// addressed.
Homes assign_buffers(kernel::Plan*, const Donations& = {});

}  // namespace cotan

// Blocks of a plan, made ready to run.
#pragma once
#include <vector>

#include "kernel/plan.h"
#include "kernel/vm.h"

namespace cotan {

class BlockRun {
 public:
  explicit BlockRun(const kernel::Blocks&);
  void run(void* const* table) const;  // the memory of the plan's buffers; of those that are local, nothing

 private:
  struct Memory {
    int buffer;               // of the plan
    std::int64_t row = 0;     // bytes from one row to the next
    std::int64_t local = -1;  // where in the memory of a block; -1: in the plan's buffer
  };
  std::int64_t rows_, block_;
  std::vector<Memory> memory_;  // the buffers of the programs
  std::vector<kernel::PreparedProgram> programs_, rest_;
  std::int64_t local_bytes_ = 0;
};

}  // namespace cotan

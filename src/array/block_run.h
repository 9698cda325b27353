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
  using Prepared = std::variant<kernel::PreparedProgram, kernel::LibraryCall>;
  template <class F> void add(kernel::Program, F number);
  template <class F> void add(kernel::LibraryCall, F number);

  std::int64_t rows_, block_;
  std::vector<Memory> memory_;          // the buffers of the steps
  std::vector<Prepared> steps_, rest_;  // of a whole block, and of what is left
  std::int64_t local_bytes_ = 0;
};

}  // namespace cotan

// Executables: a plan made ready to run, and the running of called programs.
#pragma once
#include <memory>
#include <vector>

#include "core/jaxpr.h"
#include "core/primitive.h"
#include "kernel/plan.h"
#include "kernel/tile.h"
#include "kernel/vm.h"
#include "runtime/allocator.h"

namespace cotan {

// The tile operation of an elementwise primitive; aborts when its name is unknown. Cached per primitive.
const kernel::TileOp* tile_op(const Primitive&);

// The plan of one equation: its emit rule, or its tile operation with broadcasting and conversion of operands.
kernel::Plan plan_of_equation(const EqnContext&, std::span<const Aval> in, std::span<const Aval> out);

// Memory for the values that live only while a program runs.
struct TemporaryBlock {
  void* data = nullptr;
  std::size_t bytes;
  explicit TemporaryBlock(std::size_t n) : bytes(n) {
    if (n) data = runtime::allocate(n);
  }
  ~TemporaryBlock() {
    if (data) runtime::deallocate(data, bytes);
  }
  TemporaryBlock(const TemporaryBlock&) = delete;
  TemporaryBlock& operator=(const TemporaryBlock&) = delete;
};

// Immutable; may be run by many threads at once.
class ExecutablePlan {
 public:
  explicit ExecutablePlan(kernel::Plan);
  void run(std::span<const void* const> inputs, std::span<void* const> outputs) const;

 private:
  kernel::Plan plan_;
  std::vector<kernel::PreparedProgram> programs_;  // one per step that is a program
  std::vector<std::int64_t> temporary_offset_;     // per buffer, in the temporary block
  std::int64_t temporary_bytes_ = 0;
};

// Runs the program: compiles it at its first run (the executable is kept on the jaxpr).
void run_called(const ClosedJaxpr&, std::span<const Array> in, ArrayVec& out);

}  // namespace cotan

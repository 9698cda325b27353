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

class CalledProgram;
// The program compiled: at its first use, the executable is kept on the jaxpr.
std::shared_ptr<const CalledProgram> compiled(const ClosedJaxpr&);
void run_called(const ClosedJaxpr&, std::span<const Array> in, ArrayVec& out);

// Runs of one program, again and again, on memory that the caller chooses. For one thread.
class CalledRun {
 public:
  explicit CalledRun(const CalledProgram&);
  ~CalledRun();
  CalledRun(const CalledRun&) = delete;
  CalledRun& operator=(const CalledRun&) = delete;
  void set_input(std::size_t i, const void* elements);
  void set_output(std::size_t i, void* elements);  // null: not wanted, of an output that is an input
  void run();

 private:
  const CalledProgram& program_;
  std::vector<char*> base_, outputs_;
  TemporaryBlock block_;
};

// An equation that runs other programs or a user's function, on memory as it stands. Immutable.
class RegionStep {
 public:
  virtual ~RegionStep();
  virtual void run(std::span<const void* const> in, std::span<void* const> out) const = 0;
};
std::shared_ptr<const RegionStep> region_step(const EqnContext&, std::span<const Aval> in, std::span<const Aval> out);
// Evaluates such an equation on arrays.
void run_regions(const EqnContext&, std::span<const Array> in, ArrayVec& out);

}  // namespace cotan

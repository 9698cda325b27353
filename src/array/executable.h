// Executables: a plan made ready to run, and the running of called programs.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "array/block_run.h"
#include "compiler/equation_plan.h"
#include "compiler/passes/buffers.h"
#include "core/jaxpr.h"
#include "core/primitive.h"
#include "kernel/plan.h"
#include "kernel/scalar_program.h"
#include "kernel/vm.h"
#include "runtime/allocator.h"

namespace cotan {

// An equation that runs other programs or a user's function, on memory as it stands. Immutable.
class RegionStep {
 public:
  virtual ~RegionStep();
  virtual void run(std::span<const void* const> in, std::span<void* const> out) const = 0;
  // Whether an output may be the same memory as an operand that is no other operand's.
  virtual bool may_share(std::size_t output, std::size_t operand) const = 0;
  virtual std::size_t temporary_bytes() const = 0;  // of memory that it takes to run
};
std::shared_ptr<const RegionStep> region_step(const EqnContext&, std::span<const Aval> in, std::span<const Aval> out);
// Evaluates such an equation on arrays.
void run_regions(const EqnContext&, std::span<const Array> in, ArrayVec& out);

inline constexpr std::size_t max_direct_operands = 3;

// Immutable; may be run by many threads at once.
class ExecutablePlan {
 public:
  explicit ExecutablePlan(kernel::Plan, const Donations& = {});
  void run(std::span<const void* const> inputs, std::span<void* const> outputs) const;

  std::size_t block_bytes() const { return static_cast<std::size_t>(homes_.block_bytes); }
  std::size_t temporary_bytes() const;  // with those of the programs inside it, which run one at a time
  const std::vector<int>& donor() const { return homes_.donor; }  // see Homes
  const std::vector<Donated>& donated() const { return homes_.donated; }

  // --- for runs again and again, of plans whose temporaries are in the block: a table of where each buffer is
  std::vector<void*> table(void* block) const;  // with temporaries and constants in place
  const std::vector<int>& buffers_of_input(std::size_t i) const { return inputs_[i]; }
  const std::vector<int>& buffers_of_output(std::size_t i) const { return outputs_[i]; }
  void run(void* const* table) const;
  const kernel::Plan& plan() const { return plan_; }

 private:
  // One tile operation on whole arrays and scalars: what it takes no program for.
  struct Direct {
    kernel::TileFn fn;
    std::size_t count;
    std::uint32_t aux = 0;
    int to;
    std::uint8_t item = 0, operands = 0, scalar_mask = 0, items[max_direct_operands] = {};
    int from[max_direct_operands] = {};  // buffers; -1: the constant
    const void* constant[max_direct_operands] = {};
  };
  struct Region {
    std::shared_ptr<const RegionStep> step;
    const kernel::EquationCall* call;
  };
  using Prepared = std::variant<Direct, kernel::ScalarProgram, kernel::PreparedProgram, const kernel::LibraryCall*,
                                const Region*, BlockRun>;
  void plan_regions();
  static bool as_direct(const kernel::Program&, Direct*);
  static void run_direct(const Direct&, void* const* table);

  kernel::Plan plan_;
  std::vector<Region> regions_;  // in the order of their steps
  Homes homes_;
  std::vector<std::vector<int>> inputs_, outputs_;  // the buffers in the memory of each
  std::vector<Prepared> steps_;
};

class CalledProgram;
// The program compiled: at its first use, the executable is kept on the jaxpr.
std::shared_ptr<const CalledProgram> compiled(const ClosedJaxpr&);
// For CalledRun. `taker`: for each operand the result that may be written over it, or Donations::none.
std::shared_ptr<const CalledProgram> compiled_body(const ClosedJaxpr&, const std::vector<int>& taker);
void run_called(const ClosedJaxpr&, std::span<const Array> in, ArrayVec& out);

// For calls that give up some operands: results and temporaries take their memory.
std::shared_ptr<const CalledProgram> compiled_donating(const ClosedJaxpr&, std::span<const std::size_t> donated);
// Each donated array has so many holders, `in` included, or its elements are copied first; else it is deleted.
void run_donating(const ClosedJaxpr&, ArrayVec in, std::span<const std::size_t> donated, long holders, ArrayVec& out);
struct DonationReport {
  std::map<std::size_t, std::size_t>
      result_of;                              // by operand: the result that takes its memory, or is the operand itself
  std::map<std::size_t, std::string> reason;  // by donated operand: why no result does
  std::vector<std::int64_t> copies;           // per operand: calls before which a donated one was copied
};
DonationReport donation_report(const ClosedJaxpr&, std::span<const std::size_t> donated);
std::size_t temporary_bytes(const CalledProgram&);  // see ExecutablePlan

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
  runtime::ScopedBlock block_;
  std::vector<void*> table_;
  std::vector<const void*> inputs_;
  std::vector<void*> outputs_;
};
// Whether the program may write result i over operand j, which is then lost; or only gives it back.
bool may_share(const CalledProgram&, std::size_t result, std::size_t operand);

}  // namespace cotan

// Programs of one iteration, the steps of loops over numbers: their instructions on single elements, with nothing around them.
#pragma once
#include <vector>

#include "kernel/program.h"

namespace cotan::kernel {

class ScalarProgram {
 public:
  static bool fits(const Program&);
  explicit ScalarProgram(const Program&);  // of one that fits
  void run(void* const* buffers) const;

 private:
  static constexpr std::size_t most_registers = 160;
  struct Memory {
    int buffer;
    std::int64_t offset;  // bytes
    Starts starts;        // their strides too
    char* in(void* const* buffers) const;
  };
  struct Result {
    Memory to;
    std::uint16_t from;
    std::uint16_t bytes;
  };
  // Registers: the sources, the constants, the values of instructions.
  std::vector<Memory> sources_;
  std::vector<Constant> constants_;
  std::vector<Ins> code_;
  std::vector<Result> results_;  // written last: a result may have the memory of a source
};

}  // namespace cotan::kernel

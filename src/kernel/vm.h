// The tile VM: runs programs over tiles that stay in L1.
//
// `prepare` does everything that does not depend on addresses: it merges and orders loops, chooses the tile length, gives
// values slots. `run` then allocates nothing. Operands that are contiguous along a tile are read in place and contiguous
// results are written in place; the rest goes through gathering and scattering copies.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernel/program.h"

namespace cotan::kernel {

struct Lowered;

// A program made ready to run. Immutable; may be run by many threads at once; cheap to move.
class PreparedProgram {
 public:
  PreparedProgram();
  explicit PreparedProgram(const Program&);  // of a program that `verify` accepts
  PreparedProgram(PreparedProgram&&) noexcept;
  PreparedProgram& operator=(PreparedProgram&&) noexcept;
  ~PreparedProgram();

  // buffers[i] is the memory of buffer i, aligned to its element. Where it pays, the loops are cut among threads.
  void run(void* const* buffers) const;

  const Lowered& lowered() const { return *lowered_; }

 private:
  std::unique_ptr<Lowered> lowered_;
};

void run(const Program&, void* const* buffers);  // prepares and runs once

// One operation over n contiguous elements with no program: what an eager operation costs. An operand given as a scalar
// points to one element of `item` bytes. dst may be the memory of an operand with the same element size.
struct ElementwiseOperand {
  const void* data = nullptr;
  bool scalar = false;
  std::uint8_t item = 0;  // bytes of one element
};
void run_elementwise(TileFn fn, std::size_t n, void* dst, std::uint8_t dst_item, const ElementwiseOperand* operands,
                     int count, std::uint32_t aux = 0);

}  // namespace cotan::kernel

// Which loops of a program run outside, inside and along a tile.
#pragma once
#include <cstdint>
#include <vector>

#include "kernel/program.h"

namespace cotan::kernel {

enum class Scheme : std::uint8_t { nothing, copy, map, rows, columns, identity };

// One loop with the strides of every access: the sources, then the stores or the result of the reduction (0 where reduced).
struct LoopRow {
  std::int64_t n;
  std::vector<std::int64_t> strides;
};
using Nest = std::vector<LoopRow>;
std::int64_t iterations(const Nest&);

struct LoopGroups {
  Scheme scheme = Scheme::nothing;
  Nest outer, mid, tile;
  // By rows: not 0 where rows are so short, and computed, that a tile takes several: the tile loops are then the innermost
  // kept loop and the reduced ones, of so many elements.
  std::int64_t row = 0;
  bool panels = false;  // a source is contiguous along the innermost outer loop only
};

// Merges loops that are contiguous in every access, orders those of elementwise programs by the first store's strides, and
// leaves the logical order of reductions alone (reduce.h). For `identity` outer holds the kept loops; for `copy` nothing is said.
LoopGroups choose_loops(const Program&);

// By rows or by columns: what the reduction of the program says, or else its extents.
Order order_of(const Program&);

}  // namespace cotan::kernel

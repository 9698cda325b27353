// What `prepare` makes of a Program: loops in three groups, memory accesses with the way they are reached, and tile instructions.
//
//   for outer:  [for mid:]  for each tile of the flattened tile loops:  load, execute, store or combine
//
// Elementwise programs have no mid loops. A reduction by rows has the kept loops outside and flattens the reduced ones into
// tiles; a reduction by columns flattens kept loops into tiles and runs the reduced ones as mid loops.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/loop_groups.h"
#include "kernel/program.h"
#include "kernel/reduce.h"

namespace cotan::kernel {

enum class Reach : std::uint8_t {
  direct,    // contiguous along the tile: read or written in place
  strided,   // one stride along the tile
  nested,    // several runs per tile
  repeated,  // the same runs in every tile: read once for each iteration of the outer loops
  panel,  // strided, but contiguous along the innermost outer (by columns: mid) loop: a block of rows is transposed into scratch at a time
  splat,  // one element for all of the tile
  fixed,  // one element for the whole run
};

struct Access {
  SourceKind kind = SourceKind::memory;
  int buffer = -1;
  DType dtype = DType::float32;
  int item = 4;
  Reach reach = Reach::direct;
  std::uint16_t reg = 0;
  std::int64_t offset = 0;
  Starts starts = {};
  std::int64_t step = 0;    // direct, strided, panel: along the flattened tile
  Dims tile;                // strides along the tile loops
  std::size_t scratch = 0;  // of the panel
};

// The destination of a store. The instruction that makes the value writes to `access.reg` itself unless `copied`.
struct StoreAccess {
  Access access;
  bool copied = false;
  std::uint16_t from = 0;  // copied: the register, and its step
  std::uint8_t from_step = 1;
};

struct TileInstruction {
  Ins ins{};
  std::uint32_t uniform = 0;  // not 0: all operands are splats, and so many elements make the result one too
};

struct Lowered {
  Scheme scheme = Scheme::nothing;

  // Loops. Strides of all accesses, [loop][access]: sources first, then stores (or the one result of a reduction).
  Dims outer, mid, tile;
  std::vector<std::int64_t> outer_strides, mid_strides;
  std::int64_t outer_count = 1, mid_count = 1;
  std::int64_t tile_size = 1, tile_length = 1;  // elements of the flattened tile loops; elements of one tile
  std::int64_t panel_rows = 1;                  // more than 1: the loop of panels goes in blocks of so many
  double ns = 0;                                // a low estimate of the work, as if every instruction were cheap

  std::vector<Access> sources;
  std::vector<StoreAccess> stores;
  std::vector<TileInstruction> code;
  Access& access(std::size_t a) { return a < sources.size() ? sources[a] : stores[a - sources.size()].access; }
  int access_count() const { return static_cast<int>(sources.size() + stores.size()); }

  // Registers and the scratch memory of one run: register pointers, positions, then what `places` names.
  std::vector<std::byte> constants;  // 64-byte splats from constants_offset on, 64-byte aligned
  std::size_t constants_offset = 0;
  std::uint16_t first_constant_reg = 0;
  int constant_count = 0;
  std::vector<std::pair<std::uint16_t, std::size_t>> places;  // registers that stay at one place of the scratch memory
  int reg_count = 0;
  std::size_t scratch_bytes = 0;

  // Copies: one store of a memory source.
  std::size_t copied_source = 0;
  Dims copy_from, copy_to, copy_extents;

  // Reductions.
  bool arg = false;  // argmax or argmin
  Combiner combiner = Combiner::sum;
  Reducer reduce;
  std::int64_t row = 0;  // by rows: see LoopGroups
  ArgReducer reduce_arg;
  // By rows, what is reduced is computed where it is reduced: from the vector at reduced_reg and what is at other_reg.
  PairRowsFn pair = nullptr;
  std::uint16_t other_reg = 0;
  bool other_splat = false;
  std::uint16_t reduced_reg = 0, expanded_reg = 0;
  bool reduced_splat = false;  // the value is a splat: spread over a tile at expanded_reg first
  DType value_type = DType::float32, result = DType::float32;
  std::size_t partial_item = 4;
  std::size_t strips = 0,
              strip_bytes = 0;  // by columns: place of four strips of a tile; by rows: of the levels of partials
  std::size_t widened = 0;      // by rows: place of a leaf of widened values
};

Lowered lower(const Program&);

}  // namespace cotan::kernel

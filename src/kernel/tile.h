// Tile instructions: functions built ahead of time that apply one operation to a short run of elements in L1.
//
// A register is a pointer. With step 1 it points to n consecutive elements (scratch, or straight into an array, aligned to
// one element); with step 0 it points to a splat: 64 bytes, 64-byte aligned, filled with one repeated value (for
// 16-byte elements four of them).  bool is one byte, 0 or 1. Complex values are interleaved pairs. The destination may be
// the same memory as any operand of the same element size, and overlaps no operand otherwise.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cotan/dtype.h"

namespace cotan::kernel {

struct Ins;
using TileFn = void (*)(void* const* regs, const Ins* ins, std::size_t n);

struct Ins {
  TileFn fn;
  std::uint16_t dst, a, b, c;                  // register numbers
  std::uint8_t step_a, step_b, step_c, flags;  // step: 0 splat, 1 consecutive
  std::uint32_t aux;                           // an immediate: the exponent of integer_pow, a mode
};
static_assert(sizeof(Ins) == 24);

// One operation of the tile machine over all element types it exists for. Keyed by the type of the first *data* operand
// (for select: that of the cases); a conversion is keyed by both types and is reached by `convert_fn`.
struct TileOp {
  const char* name = nullptr;
  int arity = 0;
  TileFn fn[dtype_count] = {};  // null: the operation does not exist for this type
  bool predicate = false;       // the result is bool, whatever the operands are
  int weight = 1;               // roughly, its work in additions
};

// Reductions over many rows at once: n elements of each of `rows` rows that are `stride` elements apart, at least one of each.
// The results have the elements' type; those of 16-bit floats are float32.
//   each: dst[r] is what the tile function that reduces a run makes of row r
//   fold: dst[j], of n, is folded with x[j], x[j + stride], ... in turn
using RowsFn = void (*)(void* dst, const void* x, std::size_t n, std::size_t rows, std::ptrdiff_t stride);
// The same of values that are computed from two operands and not kept: x * y, or the square of x - y. `repeated`: y is a splat.
using PairRowsFn = void (*)(void* dst, const void* x, const void* y, bool repeated, std::size_t n, std::size_t rows,
                            std::ptrdiff_t stride);
struct RowsFns {
  RowsFn each = nullptr, fold = nullptr;
  PairRowsFn each_product = nullptr, each_squared_difference = nullptr;
};

enum class Isa : std::uint8_t { avx2, avx512, neon };  // avx2: with FMA, as x86-64-v3

class TileRegistry {
 public:
  explicit TileRegistry(Isa isa) : isa_(isa) {}
  TileRegistry(const TileRegistry&) = delete;
  TileRegistry& operator=(const TileRegistry&) = delete;
  Isa isa() const { return isa_; }  // for which the functions are compiled
  // Called by each family's `register_*_tiles`, once, from one thread. Adding the same (name, dtype) twice aborts.
  void add(const char* name, int arity, DType operand, TileFn fn, bool predicate = false);
  void weigh(int additions) { weight_ = additions; }  // what the operations added from now on cost
  void add_convert(DType from, DType to, TileFn fn);
  const TileOp* find(const char* name) const;  // null when there is none
  TileFn convert_fn(DType from, DType to) const;
  void add_rows(const char* name, DType, RowsFns);  // beside the tile function of this name
  RowsFns rows_fns(const char* name, DType) const;  // null where there are none
  // Two operations of one operand at once: the first's result goes to `dst`, the other's to register `b`, which is no operand's memory.
  struct Both {
    std::string_view first, second;
    DType dtype;
    TileFn fn;
  };
  void add_both(Both b) { both_.push_back(b); }
  const std::vector<Both>& both() const { return both_; }
  const std::deque<TileOp>& all() const { return ops_; }

 private:
  Isa isa_;
  int weight_ = 1;
  std::deque<TileOp> ops_;  // a deque: `find` hands out pointers
  std::unordered_map<std::string_view, TileOp*> by_name_;
  TileFn convert_[dtype_count][dtype_count] = {};
  std::unordered_map<std::string_view, std::array<RowsFns, dtype_count>> rows_;
  std::vector<Both> both_;
};
// The families of operations live above this folder: ops installs their list (ops/tile_list.h) before the first use of tiles.
void set_tile_families(void (*register_all)(TileRegistry&));

// The functions for the widest instruction set of this CPU, or for the one that COTAN_ISA=avx2|avx512|neon or a test chose.
// Aborts when the CPU lacks what Cotan needs (x86-64-v3 or AArch64).
const TileRegistry& tiles();
const TileRegistry& tiles_for(Isa isa);  // isa_available(isa) must hold
bool isa_available(Isa isa);             // compiled in, and this CPU runs it
void choose_isa_for_test(Isa isa);       // what tiles() returns from now on

}  // namespace cotan::kernel

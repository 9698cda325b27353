// What reductions are made of, and the order in which they combine.
//
// Order (a function of extents, reduced loops and dtype alone; loops of extent 1 do not count). M: reduced elements per result;
// K: results; N: product of the kept loops inside the last reduced one.
//  - By rows, when the innermost loop is reduced and M >= 32 or M >= K; or when M >= 32 and N < 8. The M elements in row-major
//    order are cut into leaves of `leaf_length`, which the row function makes one partial result of each; every 512 partial
//    results are combined by the same function into one, level by level.
//  - By columns, otherwise: element by element in row-major order within chunks of `column_chunk(M)`, then chunk by chunk.
// Sums and products of 16-bit floats have float32 partial results.
#pragma once
#include <cstddef>
#include <cstdint>

#include "kernel/program.h"

namespace cotan::kernel {

inline constexpr std::int64_t leaf_length = 512;
inline constexpr std::int64_t partials_length = 512;
std::int64_t column_chunk(std::int64_t m);
bool reduces_by_rows(std::int64_t m, std::int64_t k, std::int64_t n, bool innermost_reduced);

// Whether values of type d can be reduced by the combiner. bool: sum and max are or, prod and min are and.
bool reduction_exists(Combiner, DType d);

// Calls a tile function on arrays. A step of 0 for x means a splat.
inline void call_tile(TileFn fn, void* dst, const void* x, const void* y, std::size_t n, std::uint8_t step_x = 1) {
  void* const regs[3] = {dst, const_cast<void*>(x), const_cast<void*>(y)};
  const Ins ins{fn, 0, 1, 2, 0, step_x, 1, 1, 0, 0};
  fn(regs, &ins, n);
}

// The tile functions of one reduction other than argmax and argmin.
struct Reducer {
  DType partial = DType::float32;  // the type of partial results
  TileFn row = nullptr;            // of n partials: one
  TileFn combine = nullptr;        // of two partials
  TileFn widen = nullptr;          // from the value to a partial; null: the same type
  TileFn narrow = nullptr;
  RowsFns rows;                   // from values to partials
  RowsFn partial_rows = nullptr;  // as `row`, of many rows of partials
  bool from_zero = false;         // float sums of two or more elements start at +0, so that they are never -0
};
Reducer reducer(Combiner, DType);
void reduction_identity(Combiner, DType, void* element);  // the result over no element

// argmax and argmin.
struct ArgReducer {
  TileFn row = nullptr;  // where the best of n values is, as int64
  // Takes x[i] and `index` wherever x[i] is better than values[i], or everywhere if `first`.
  void (*accumulate)(void* values, std::int64_t* indices, const void* x, std::int64_t index, bool first,
                     std::size_t n) = nullptr;
};
ArgReducer arg_reducer(Combiner, DType);
void store_indices(void* dst, DType, const std::int64_t* indices, std::size_t n);  // converted to an integer type

// dst[i] = start + i * step, converted (integers wrap; bool: not zero).
void fill_ramp(void* dst, DType, std::int64_t start, std::int64_t step, std::int64_t n);

}  // namespace cotan::kernel

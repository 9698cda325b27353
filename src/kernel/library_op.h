// The operations that are library calls: one runtime function each, which eager and compiled code both call.
#pragma once
#include <cstdint>

namespace cotan::kernel {

enum class LibraryOp : std::uint16_t {
  dot,      // batched matrix product
  gather,   // windows at positions known at run time
  scatter,  // the same, combined with what is there
  sort,     // rows, by one or several keys
  top_k,    // the largest of each row, with their places
  scan,     // cumulative sums and the like
};          // their parameters: library_params.h, row_params.h
inline constexpr int library_op_count = 6;

constexpr const char* library_op_name(LibraryOp op) {
  constexpr const char* names[library_op_count] = {"dot", "gather", "scatter", "sort", "top_k", "scan"};
  return names[static_cast<int>(op)];
}

// Whether it can do without the memory of outputs that nobody reads.
constexpr bool may_omit_outputs(LibraryOp op) { return op == LibraryOp::sort; }

}  // namespace cotan::kernel

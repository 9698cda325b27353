// What the emit rules of primitives that move elements share.
#pragma once
#include "kernel/plan.h"

namespace cotan::ops {

// The type as which elements are moved: keys go as numbers of their size.
constexpr DType moved_as(DType d) { return !is_key(d) ? d : item_size(d) == 8 ? DType::complex64 : DType::complex128; }

// Buffer `to`, row-major of `extents`, gets the elements of buffer `from` at offset + index . strides.
inline void emit_copy(kernel::Plan& plan, int from, int to, DType d, const IntList& extents, const IntList& strides,
                      std::int64_t offset = 0) {
  const int buffers[] = {from, to};
  kernel::append(&plan, kernel::copy_program(moved_as(d), extents, strides, offset), buffers);
}
// Buffer `to` gets, at offset + index . strides, the elements of buffer `from`, row-major of `extents`.
inline void emit_place(kernel::Plan& plan, int from, int to, DType d, const IntList& extents, const IntList& strides,
                       std::int64_t offset) {
  const int buffers[] = {from, to};
  kernel::append(&plan, kernel::place_program(moved_as(d), extents, strides, offset), buffers);
}
inline void emit_copy_all(kernel::Plan& plan, int from, int to, DType d, std::int64_t n) {
  emit_copy(plan, from, to, d, {n}, {1});
}

}  // namespace cotan::ops

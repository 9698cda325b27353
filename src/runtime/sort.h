// Sorting of rows, and the largest elements of rows. The results depend on the values alone, since equal elements keep their order.
#pragma once
#include <span>

#include "cotan/dtype.h"
#include "kernel/row_params.h"

namespace cotan::runtime {

struct SortOperand {
  DType dtype;
  const void* in;
  void* out;  // not where any operand's `in` is; null: not wanted, of one of several
};
void sort(const kernel::SortParams&, std::span<const SortOperand> operands);
// values: of the dtype; places: int32. Real dtypes.
void top_k(DType, const kernel::TopKParams&, const void* in, void* values, void* places);

}  // namespace cotan::runtime

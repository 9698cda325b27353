// What numpy's products share.
#pragma once
#include "numpy/common.h"

namespace cotan::numpy {

// The type of the result, and whether it is weak.
struct ProductType {
  DType dtype;
  bool weak;
};
ProductType product_type(const char* function, std::span<const Array> operands, const std::optional<DType>& preferred);

}  // namespace cotan::numpy

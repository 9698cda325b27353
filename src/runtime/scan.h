// Cumulative sums, products, extrema and logsumexps of rows, in an order that n and inner alone fix.
#pragma once
#include "cotan/dtype.h"
#include "kernel/row_params.h"

namespace cotan::runtime {

void scan(DType, const kernel::ScanParams&, const void* in, void* out);

}  // namespace cotan::runtime

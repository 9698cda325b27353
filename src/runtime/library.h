// The functions behind library calls. What they compute depends on shapes, dtypes and values alone, not on strides, alignment or
// the number of threads; those with parts that do not depend on each other cut large work among threads.
#pragma once
#include "cotan/dtype.h"
#include "kernel/library_params.h"
#include "kernel/plan.h"

namespace cotan::runtime {

// buffers[i] is the memory of buffer i of the call's plan.
void run_library_call(const kernel::LibraryCall&, void* const* buffers);

// See DotParams. Strides may be anything, also 0 or negative; only those in the contract are fast. `out` need not hold numbers
// and overlaps no operand. 16-bit floats are multiplied and added in float32; the result is
// rounded once, or stays so (`in_float32`).
void dot(DType, const kernel::DotParams&, const void* lhs, const void* rhs, void* out, bool in_float32 = false);

// See IndexedParams; of elements of type d. gather: `out` overlaps no operand. scatter: `array` is changed in place.
void gather(const kernel::IndexedParams&, DType d, DType index, const void* array, const void* indices, void* out);
void scatter(const kernel::IndexedParams&, DType d, DType index, const void* indices, const void* updates, void* array);

}  // namespace cotan::runtime

// What public functions do with their operands before a primitive is bound: types, axes.
#pragma once
#include <span>

#include "base/promotion.h"
#include "core/primitive.h"

namespace cotan {

// x as an array of the dtype. A plain number stays one: it is converted here, at no equation.
Array to_dtype(const Array& x, DType, bool weak_type);
// x, or if x is a plain number and y is not, x in y's dtype.
Array with_dtype_of(const Array& x, const Array& y);

// A start of a slice, where n is the axis' size: below 0 it counts from the end, if allowed; else a number is refused
// (ValueError). Narrow types are widened, for they may not hold the sum.
Array start_from_end(const char* function, Array i, std::int64_t n, bool allowed);
// TypeError for a plain complex number that is to become a real one.
void refuse_complex_number(const char* function, const Array& x, DType);

// ValueError: "sum: axis 3 is out of bounds for an array of dimension 2".
int canonical_axis(const char* function, std::int64_t axis, int ndim);
int indexed_axis(const char* function, std::int64_t axis, int ndim);          // the same with IndexError
IntList canonical_axes(const char* function, const IntList& axes, int ndim);  // sorted; ValueError for one given twice

// The shape that the operands broadcast to. ValueError, in NumPy's words, when they do not.
Shape broadcast_shapes(const char* function, std::span<const Shape> shapes);

}  // namespace cotan

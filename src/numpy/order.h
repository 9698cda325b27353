// What sorting, searching and set functions share.
#pragma once
#include "numpy/common.h"
#include "ops/gather.h"
#include "ops/sorting.h"

namespace cotan::numpy {

// Floats with -0 as 0 and with one NaN, so that the total order is that of sort. Other types as they are.
Array one_zero_one_nan(const Array& x);
// Comparisons in the order of sort, of such values.
Array order_le(const Array& x, const Array& y);
Array order_lt(const Array& x, const Array& y);
Array is_nan(const Array& x);  // bool; false for types without NaN

// The one axis that `axis` names; TypeError where it names several.
int one_axis(const char* function, const Axes& axis, int ndim);
Array positions(DType, const Shape&, int axis);  // 0, 1, ... along the axis

std::int64_t count_true(const char* function, const Array& mask);      // ConcretizationTypeError of a traced one
Array take_along(const Array& x, const Array& indices, int axis = 0);  // 1-d indices, in bounds

// 1-d, where `sorted` is: how many elements are below each v (right: or equal to it). int32, or int64 if need be.
Array search_sorted(const Array& sorted, const Array& v, bool right);

}  // namespace cotan::numpy

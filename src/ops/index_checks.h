// checkify's test of indices.
#pragma once
#include <vector>

#include "core/check.h"
#include "cotan/shape.h"

namespace cotan::ops {

// Whether windows of `sizes` (per dimension of the operand) at `starts` lie inside an operand of this shape. The last dimension of `starts`
// goes along `axes` of the operand. What is kept for the message is the first index that does not, and its axis.
Check index_check(const Shape& operand, const Array& starts, const IntList& axes, const Shape& sizes);

}  // namespace cotan::ops

// Collectives over named axes of vmap: binding functions. NameError for an axis that no transformation in scope binds.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/primitive.h"

namespace cotan::ops {

using AxisNames = std::vector<std::string>;

// Of each operand. bool counts as int32 in psum.
void psum(std::span<const Array> xs, const AxisNames& axes, ArrayVec& out);
Array psum(const Array& x, const AxisNames& axes);
Array pmax(const Array& x, const AxisNames& axes);
Array pmin(const Array& x, const AxisNames& axes);
Array axis_index(const std::string& axis);  // int32 scalar

}  // namespace cotan::ops

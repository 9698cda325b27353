// What equations cost, where it is not what their kind says.
#pragma once
#include "core/primitive.h"

namespace cotan::ops {

inline double elements(const Aval& a) { return static_cast<double>(a.size()); }
// One function value for each element.
inline Cost transcendental(const EmitIn& in) { return {0, elements(in.out[0])}; }
// One operation for each element of the operand.
inline Cost one_each(const EmitIn& in) { return {elements(in.in[0]), 0}; }

}  // namespace cotan::ops

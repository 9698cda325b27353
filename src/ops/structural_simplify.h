// Simplifications that structural primitives share, and equations that they make of each other.
#pragma once
#include "core/simplify.h"

namespace cotan::ops {

// Where the operand is one value repeated: that value, repeated to the result's shape.
Simplified simplify_repeated(const SimplifyIn&);
// Of a result that is the operand's elements in order: what the operand's elements come from, reshaped at once.
Simplified simplify_reshaped(const SimplifyIn&);

Simplified as_reshape(Atom x, const Shape& new_sizes);
Simplified as_slice(Atom x, const IntList& start, const IntList& limit);
// Whether it is a broadcast_in_dim that keeps the elements as they are.
bool only_adds_dimensions(const SimplifyIn&, const JaxprEqn&);

}  // namespace cotan::ops

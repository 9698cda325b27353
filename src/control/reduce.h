// reduce: any associative computation over dimensions.
#pragma once
#include "core/primitive.h"
#include "transforms/flat.h"

namespace cotan {

extern const Primitive reduce_p;

// The operands, of one shape, combined by the jaxpr over the dimensions; the init_values, scalars, come first. The jaxpr takes
// a scalar for each operand, twice, and gives one for each.
Arrays bind_reduce(const Arrays& operands, const Arrays& init_values, const ClosedJaxpr&, const IntList& dimensions);

}  // namespace cotan

// One equation as kernel steps.
#pragma once
#include "core/primitive.h"
#include "kernel/plan.h"
#include "kernel/tile.h"

namespace cotan {

// Bytes of the elements. MemoryError when there are more than can be addressed; sizes of 0 do not excuse the others, so that
// strides and sizes of parts can be computed.
std::int64_t checked_bytes(const Aval&);

// The tile operation of an elementwise primitive; aborts when its name is unknown. Cached per primitive.
const kernel::TileOp* tile_op(const Primitive&);

// What a kernel::EquationCall holds.
struct PlannedEquation {
  const Primitive& primitive;
  ParamsRef params;
  AvalVec in, out;
};
inline const PlannedEquation& equation_of(const kernel::EquationCall& c) {
  return *static_cast<const PlannedEquation*>(c.equation.get());
}

// The plan of one equation: its emit rule, or its tile operation with broadcasting and conversion of operands.
// NotImplementedError for a primitive that has neither.
kernel::Plan plan_of_equation(const EqnContext&, std::span<const Aval> in, std::span<const Aval> out);

}  // namespace cotan

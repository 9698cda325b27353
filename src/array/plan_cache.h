// Plans of single equations, made once per primitive, parameters and operand types. Process-wide, locked, bounded.
#pragma once
#include <memory>

#include "array/executable.h"

namespace cotan {

std::shared_ptr<const ExecutablePlan> cached_plan(const Primitive&, const ParamsRef&, std::span<const Aval> in,
                                                  const AvalVec& out);

// The tile function that computes the equation with no plan: when its operands are whole or scalars, and all of one dtype.
kernel::TileFn direct_tile(const Primitive&, std::span<const Aval> in, const Aval& out);

}  // namespace cotan

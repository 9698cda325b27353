// cond: one of several programs, chosen by an index.
#pragma once
#include "control/programs.h"

namespace cotan {

extern const Primitive cond_p;

// Programs whose constants were different, with one list of operands: all constants, each once, then their own.
struct Merged {
  std::vector<ClosedJaxpr> programs;
  Arrays consts;
};
Merged merge_constants(std::span<const Hoisted>);

// Branch `index`, an int32 scalar that is clamped, of programs that take the operands and give results of the same types.
Arrays bind_cond(const Array& index, const Merged& branches, const Arrays& operands);

}  // namespace cotan

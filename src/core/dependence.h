// What of a program depends on what: also through the programs inside.
#pragma once
#include <optional>
#include <vector>

#include "core/primitive.h"

namespace cotan {

// Per variable of a program: whether it depends on an input that is marked.
std::vector<bool> dependent_variables(const Jaxpr&, const std::vector<bool>& marked_inputs);

// An equation that holds programs, some of whose results do not depend on the operands that are marked, as the equation of these and
// the one of the others, if there are any. Nothing where all depend on them, or it cannot be taken apart.
struct Apart {
  Reduced independent;
  std::optional<Reduced> dependent;
};
std::optional<Apart> take_apart(const EqnContext&, const std::vector<bool>& marked_operands);

}  // namespace cotan

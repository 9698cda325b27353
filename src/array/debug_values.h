// debug_nans and debug_infs: an error for the operation that makes such a value.
#pragma once
#include "core/primitive.h"

namespace cotan {

bool debugs_values();  // whether one of the settings is on

// FloatingPointError when a result has a value that the settings forbid. The programs that a primitive runs are run
// again operation by operation, their callbacks too, to name the operation that made the value of others, with its
// position: values that reach no result are not found.
void check_values(const EqnContext&, std::span<const Array> in, std::span<const Array> results);

}  // namespace cotan

// Indices below 0 count from the end: a step before a gather or scatter, which these can do as they read.
#pragma once
#include <cstdint>
#include <optional>

#include "core/jaxpr.h"
#include "kernel/plan.h"

namespace cotan {

// What the program adds to int32 elements below 0, if that is all it does.
std::optional<std::int64_t> wrap_of(const kernel::Program&);
// Makes the plan's one gather or scatter add `wrap` to indices below 0 of the input at `position`; false where it cannot.
bool take_wrap(kernel::Plan*, int position, std::int64_t wrap);

}  // namespace cotan

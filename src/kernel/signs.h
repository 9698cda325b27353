// Programs without changes of sign that what follows can take up.
#pragma once
#include <optional>

#include "kernel/program.h"

namespace cotan::kernel {

// The program with the negations of floats moved from factors to products and into sums, x + -y being x - y; none where it has
// no negation. The results are the same but for the signs of NaNs.
std::optional<Program> signs_moved(const Program&);

}  // namespace cotan::kernel

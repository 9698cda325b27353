// Shorter programs with the same results.
#pragma once
#include <optional>

#include "kernel/program.h"

namespace cotan::kernel {

// The program with fewer instructions; none where it has none of these. One each for x < 0 ? x + n : x, which every index goes
// through, "wrap_index"; for two additions, subtractions, multiplications, maxima or minima, where one feeds the other only, "mul_add" and
// the like; for the square of one, "sub_square"; for a comparison that is only used as a number, "eq_number".
std::optional<Program> combined(const Program&);

// Whether it is x * x of a float, however that is said. It uses x twice or once.
bool is_square(const Instruction&);

// Takes out the sources, constants and instructions that nothing uses.
void drop_unused(Program*);

}  // namespace cotan::kernel

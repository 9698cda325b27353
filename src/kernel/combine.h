// Shorter programs with the same results.
#pragma once
#include <optional>

#include "kernel/program.h"

namespace cotan::kernel {

// The program with x < 0 ? x + n : x, which every index goes through, as one instruction, "wrap_index", with two additions,
// subtractions or multiplications, where one feeds the other only, as one instruction, "mul_add" and the like, and so with the square of
// one, "sub_square"; none where it has no such.
std::optional<Program> combined(const Program&);

// Takes out the sources, constants and instructions that nothing uses.
void drop_unused(Program*);

}  // namespace cotan::kernel

// The part of lowering that says how each access of a program is reached from its tiles.
#pragma once
#include <cstdint>

#include "kernel/lower.h"

namespace cotan::kernel {

inline constexpr std::int64_t shortest_tile = 256;

// Sources and stores; a reduction's result is the last store.
void make_accesses(const Program&, Lowered*);
// The loops, and the reach of each access. What is returned divides the tile length where tiles are to be alike: something repeats.
std::int64_t reach_accesses(const LoopGroups&, Lowered*);

}  // namespace cotan::kernel

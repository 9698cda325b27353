// A part of register_random_tiles: samplers by rejection.
#pragma once
#include "kernel/tile.h"

namespace cotan::ops {

void register_random_sampler_tiles(kernel::TileRegistry&);  // random_gamma random_poisson random_binomial

}  // namespace cotan::ops

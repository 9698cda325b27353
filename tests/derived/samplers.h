// Checks of random primitives that differences and loops cannot make.
#pragma once
#include "derived/checks.h"

namespace cotan::derived {

// A sample moves with its parameter so that its distribution function stays, which is no derivative of the sampler's steps.
std::string check_gamma_jvp(const Case&);
// Under vmap, rng_bit_generator takes the first state for all, and moves it on alone.
std::string check_generator_batching(const Case&);
// Values that no golden file has: of samplers by rejection many samples' mean and variance, of random_floats what random_bits
// and the operations of random::uniform and random::normal give.
bool is_drawn(const Primitive&);
std::string check_drawn_values(const Case&);

}  // namespace cotan::derived

// lax's random bits: from a state that the caller keeps.
#pragma once
#include <string_view>
#include <utility>

#include "cotan/array.h"

namespace cotan::lax {

// {the next state, unsigned integers of the shape}. key: uint32[4] or uint64[2]; dtype: uint8 to uint64; algorithm: "RNG_DEFAULT"
// (which is RNG_PHILOX), "RNG_THREE_FRY", "RNG_PHILOX". Under vmap, a batch of states shares the sequence of the first.
std::pair<Array, Array> rng_bit_generator(const Array& key, const Shape& shape, DType dtype = uint32,
                                          std::string_view algorithm = "RNG_DEFAULT");
// Uniform numbers in [a, b), scalars of one real dtype (ValueError), from a state that the process keeps: the n-th call gives the same
// ones in each process. No derivative and no vmap: random::uniform takes a key.
Array rng_uniform(const Array& a, const Array& b, const Shape& shape);

}  // namespace cotan::lax

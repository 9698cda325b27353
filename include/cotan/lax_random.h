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
Array rng_uniform(const Array& a, const Array& b, const Shape& shape);  // NotImplementedError: its state is hidden

}  // namespace cotan::lax

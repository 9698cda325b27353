// Pseudo-random bits from keys: binding functions. Keys are arrays of a key dtype; bits depend on the key alone, and are JAX's.
#pragma once
#include <vector>

#include "core/primitive.h"

namespace cotan::ops {

Array random_seed(const Array& seeds, DType key_dtype);  // a key per integer
Array random_wrap(const Array& words, DType key_dtype);  // uint32[..., 2] as keys
Array random_unwrap(const Array& keys);                  // keys as uint32[..., 2]
Array random_clone(const Array& keys);
Array random_split(const Array& keys, const Shape& shape);   // of each key, `shape` new ones
Array random_fold_in(const Array& keys, const Array& data);  // of each key and uint32, a new key
Array random_bits(const Array& keys, int bit_width,
                  const Shape& shape);  // of each key, unsigned integers of 8, 16, 32 or 64 bits

// Bits from a state that the caller keeps: {the next state, bits}. The state is uint32[4] or uint64[2].
enum class RandomAlgorithm : std::uint8_t { default_, three_fry, philox };
std::vector<Array> rng_bit_generator(const Array& state, const Shape& shape, DType, RandomAlgorithm);
// Uniform numbers in [a, b) from a state that the process keeps.
Array rng_uniform(const Array& a, const Array& b, const Shape& shape);

// Of a key for each leading part of the parameter, whose shape starts with that of the keys, a sample for each element.
Array random_gamma(const Array& keys, const Array& alpha, bool log_space);
Array random_poisson(const Array& keys, const Array& rate, DType);
Array random_binomial(const Array& keys, const Array& count, const Array& probability);

// Outside of traces: `shape` uniform numbers in [low, high), or sqrt(2) erf_inv of these, in one pass. Of what has_random_floats.
bool has_random_floats(const Array& key, DType, const Shape& shape);
Array random_floats(const Array& key, const Array& low, const Array& high, const Shape& shape, bool normal);

}  // namespace cotan::ops

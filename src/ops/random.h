// Pseudo-random bits from keys: binding functions. Keys are arrays of a key dtype; bits depend on the key alone, and are JAX's.
#pragma once
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

}  // namespace cotan::ops

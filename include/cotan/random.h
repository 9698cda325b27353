// jax.random: counter-based random numbers. A key gives the same numbers on every machine, equal to JAX's bit for bit.
#pragma once
#include "cotan/array.h"

namespace cotan::random {

Array key(std::int64_t seed);                                                 // a threefry2x32 key, 0-d
Array key_data(const Array& key);                                             // uint32, shape key.shape + (2,)
Array wrap_key_data(const Array& data);                                       // of uint32 with a last axis of 2
Array split(const Array& key, const Shape& shape = 2);                        // new keys, of the shape
Array fold_in(const Array& key, const Array& data);                           // a key for a number (uint32)
Array bits(const Array& key, const Shape& shape = {}, DType dtype = uint32);  // uniform in all bits
// Uniform in [minval, maxval). dtype: floating; 64-bit types need enable_x64.
Array uniform(const Array& key, const Shape& shape = {}, DType dtype = float32, const Array& minval = 0.0,
              const Array& maxval = 1.0);
Array normal(const Array& key, const Shape& shape = {}, DType dtype = float32);    // mean 0, variance 1
Array bernoulli(const Array& key, const Array& p = 0.5, const Shape& shape = {});  // shape: at least p's
Array randint(const Array& key, const Shape& shape, const Array& minval, const Array& maxval,
              DType dtype = int32);  // [minval, maxval)

}  // namespace cotan::random

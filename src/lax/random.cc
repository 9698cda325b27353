#include "cotan/lax_random.h"

#include "api/function_table.h"
#include "base/promotion.h"
#include "ops/random.h"

namespace cotan::lax {

std::pair<Array, Array> rng_bit_generator(const Array& key, const Shape& shape, DType dtype,
                                          std::string_view algorithm) {
  COTAN_API;
  using ops::RandomAlgorithm;
  const auto chosen = algorithm == "RNG_DEFAULT"     ? RandomAlgorithm::default_
                      : algorithm == "RNG_THREE_FRY" ? RandomAlgorithm::three_fry
                      : algorithm == "RNG_PHILOX"
                          ? RandomAlgorithm::philox
                          : throw ValueError(
                                "rng_bit_generator: algorithm must be RNG_DEFAULT, RNG_THREE_FRY or "
                                "RNG_PHILOX, got \"" +
                                std::string(algorithm) + "\"");
  const std::vector<Array> r = ops::rng_bit_generator(key, shape, canonical_dtype(dtype), chosen);
  return {r[0], r[1]};
}

Array rng_uniform(const Array& a, const Array& b, const Shape& shape) {
  COTAN_API;
  return ops::rng_uniform(a, b, shape);
}

const FunctionTable random_table{
    "lax",
    {
        function<rng_bit_generator>("rng_bit_generator(key, shape, dtype=<class 'numpy.uint32'>, "
                                    "algorithm=<RandomAlgorithm.RNG_DEFAULT: 0>, *, out_sharding=None)",
                                    "The next state of a generator, and random bits."),
        function<rng_uniform>("rng_uniform(a, b, shape)",
                              "Uniform numbers in [a, b), scalars of one real dtype, from a state that the process "
                              "keeps. No derivative, no vmap: random.uniform "
                              "takes a key."),
    }};

}  // namespace cotan::lax

// Random numbers for StableHLO, by words of 32 bits.
#pragma once
#include <span>
#include <vector>

#include "core/primitive.h"

namespace cotan::ops {

struct WordPair {
  Array first, second;
};
// threefry2x32 with 20 rounds; the shapes of keys and counters broadcast.
WordPair threefry_hash(const WordPair& key, const WordPair& counter);
// The pairs of words of keys, each as a column.
std::vector<WordPair> word_pairs(const Array& keys);

// Samplers: operands as of the primitives, results in float64.
Array expand_gamma(std::span<const Array> in, bool log_space);
Array expand_poisson(std::span<const Array> in, double invalid);
Array expand_binomial(std::span<const Array> in);

}  // namespace cotan::ops

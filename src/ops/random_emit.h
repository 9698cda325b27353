// How the primitives of random numbers are computed. A key is one pair of words (threefry2x32), or two pairs (rbg, unsafe_rbg);
// programs see each pair as a uint64, its first word in the low half.
//
// threefry2x32: hash(k, c) is threefry2x32 of a counter of two words. How counters are chosen, and so the bits, is JAX's:
//  - partitionable: position i of what a key gives has the counter (i >> 32, i), and takes both words of its hash;
//  - else: the w words that a key gives are the first words, then the second ones, of the hashes of (i, i + ceil(w/2)); if w is
//    odd, the last counter is (floor(w/2), 0) and its second word is dropped.
// rbg: keys are made from keys by threefry2x32 of each pair; bits are those of rng_bit_generator, whose state the key is.
// unsafe_rbg: keys, too, come from rng_bit_generator: ten blocks of four words are drawn for each, and one is taken.
// rng_bit_generator, by default: philox4x32 (Salmon et al., 10 rounds). The state is a pair k and a 64-bit counter c; block i is
// the hash of the counter c + i, a number of 128 bits with k above c, under the key k.
#pragma once
#include "core/params_ops.h"
#include "core/primitive.h"
#include "kernel/plan.h"

namespace cotan::ops {

inline const char* tag_of(DType key) { return key == DType::key_fry ? "fry" : key == DType::key_rbg ? "rbg" : "urbg"; }
constexpr std::int64_t words_of(DType key) { return static_cast<std::int64_t>(item_size(key)) / 4; }
inline Shape joined(const Shape& a, const Shape& b) {
  Shape r = a;
  for (std::int64_t n : b) r.push_back(n);
  return r;
}

struct KeyParams {
  DType impl = DType::key_fry;
  template <class S, class V> static void fields(S& s, V& v) { v("impl", s.impl); }
  void pretty(PrettyParams& p) const { p.text("impl", tag_of(impl)); }
};
// `partitionable` is the setting at the time of the call, so that an equation means the same ever after.
struct SplitParams {
  bool partitionable = true;
  Shape shape;
  template <class S, class V> static void fields(S& s, V& v) {
    v("partitionable", s.partitionable), v("shape", s.shape);
  }
  void pretty(PrettyParams& p) const { p.field("shape", static_cast<const IntList&>(shape)); }
};
struct BitsParams {
  int bit_width = 32;
  bool partitionable = true;
  Shape shape;
  template <class S, class V> static void fields(S& s, V& v) {
    v("bit_width", s.bit_width), v("partitionable", s.partitionable), v("shape", s.shape);
  }
  void pretty(PrettyParams& p) const {
    p.field("bit_width", bit_width);
    p.field("shape", static_cast<const IntList&>(shape));
  }
};

void emit_seed(const EmitIn&, kernel::Plan&);
void emit_split(const EmitIn&, kernel::Plan&);
void emit_fold_in(const EmitIn&, kernel::Plan&);
void emit_random_bits(const EmitIn&, kernel::Plan&);
// The same of words of 32 bits, for StableHLO.
Array expand_seed(const EqnContext&, std::span<const Array>);
Array expand_split(const EqnContext&, std::span<const Array>);
Array expand_fold_in(const EqnContext&, std::span<const Array>);
Array expand_random_bits(const EqnContext&, std::span<const Array>);

// `count` numbers of type d into buffer `to`, from the state (k, c) in buffer 0: 64 bits take two words, 32 one, fewer the low
// bits of one.
void emit_philox(kernel::Plan&, DType d, std::int64_t count, int to);
// The same of shape `shape`, by threefry: each block gives two words, to neighbours along the dimension for which that takes the fewest
// blocks (the first such one), seen as {outer, n, inner}; where n is odd, the last one's second word is dropped.
struct ThreefryLayout {
  std::int64_t outer = 1, n = 1, inner = 1, blocks = 1;
};
ThreefryLayout threefry_layout(DType d, const Shape& shape);
void emit_threefry_counter(kernel::Plan&, DType d, const Shape& shape, int to);

// In a program over {keys, n}: a number of 64 bits for each element, by which a sampler draws; buffer 0 holds the keys.
kernel::Value element_streams(kernel::ProgramBuilder&, DType key);

// In a program over {keys, n}, n below 2^31: the words (uint32 or uint64) that partitionable threefry keys in buffer 0 give.
kernel::Value random_words(kernel::ProgramBuilder&, DType);

// Parts of the family, which register_random and register_random_tiles add.
void register_random_generator();
void register_random_uniform();
void register_random_samplers();
void register_random_floats();

}  // namespace cotan::ops

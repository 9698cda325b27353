// The generators of random_emit.h over words of 32 bits, which every device has.
#include "ops/random_expand.h"

#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/random.h"
#include "ops/random_emit.h"
#include "ops/structural.h"

namespace cotan::ops {

namespace {

constexpr auto u64 = DType::uint64, u32 = DType::uint32;

using Pair = WordPair;

Array rotated(const Array& x, int by) {
  return bit_or(shift_left(x, scalar_int(u32, by)), shift_right_logical(x, scalar_int(u32, 32 - by)));
}

Pair hash(const Pair& key, const Pair& counter) { return threefry_hash(key, counter); }

Array columns(const Array& x, std::int64_t first, std::int64_t last) {
  return slice_in_dim(x, first, last, 1, x.ndim() - 1);
}
Array zeros(std::int64_t rows, std::int64_t n) { return broadcast_in_dim(scalar_int(u32, 0), {rows, n}, {}); }
Array ramp(std::int64_t first, std::int64_t n) { return add(iota(u32, {1, n}, 1), scalar_int(u32, first)); }
Array side_by_side(std::initializer_list<Array> parts, int axis) {
  return concatenate({parts.begin(), parts.size()}, axis);
}
Array paired(const Pair& p) {
  const Array both[] = {p.first, p.second};
  return stack(both, p.first.ndim());
}

// (i >> 32, i) for n numbers.
Pair counters(std::int64_t n) {
  if (n <= std::int64_t{1} << 32) return {scalar_int(u32, 0), ramp(0, n)};
  const Array i = iota(u64, {1, n}, 1);
  return {convert_element_type(shift_right_logical(i, scalar_int(u64, 32)), u32), convert_element_type(i, u32)};
}

// `words` words of each key, of counters in two halves.
Array words_by_halves(const Pair& key, std::int64_t words) {
  const std::int64_t pairs = words / 2, half = words - pairs;
  const Array second = half == pairs ? ramp(half, half) : side_by_side({ramp(half, pairs), zeros(1, 1)}, 1);
  const Pair h = hash(key, {ramp(0, half), second});
  return side_by_side({h.first, columns(h.second, 0, pairs)}, 1);
}

Array in_one_word(const Pair& h) {
  return bit_or(shift_left(convert_element_type(h.first, u64), scalar_int(u64, 32)),
                convert_element_type(h.second, u64));
}

DType unsigned_of(int width) {
  return width == 8 ? DType::uint8 : width == 16 ? DType::uint16 : width == 32 ? u32 : u64;
}

Array threefry_bits(const BitsParams& p, const Pair& key) {
  const std::int64_t n = p.shape.size();
  const DType d = unsigned_of(p.bit_width);
  if (p.partitionable) {
    const Pair h = hash(key, counters(n));
    return d == u64 ? in_one_word(h) : convert_element_type(bit_xor(h.first, h.second), d);
  }
  if (d == u64) return in_one_word(hash(key, {ramp(0, n), ramp(n, n)}));
  const std::int64_t per_word = 32 / p.bit_width, words = (n + per_word - 1) / per_word;
  const Array all = words_by_halves(key, words);
  if (per_word == 1) return all;
  const Array narrow = bitcast_convert_type(all, d);
  return columns(reshape(narrow, Shape{narrow.shape()[0], words * per_word}), 0, n);
}

// `count` numbers of the sequence of the first of keys of four words; a batch shares it.
Array sequence(const Array& words, std::int64_t count, DType d) {
  const Array state = reshape(slice_in_dim(reshape(words, Shape{words.size() / 4, 4}), 0, 1, 1, 0), {4});
  return rng_bit_generator(state, Shape(count), d, RandomAlgorithm::default_)[1];
}
// Of ten blocks of four words for each of `count` keys, one.
Array blocks(const Array& words, std::int64_t count, std::int64_t which) {
  return columns(reshape(sequence(words, 40 * count, u32), Shape{count, 40}), 4 * which, 4 * which + 4);
}

Array wrapped(const Array& words, const Shape& shape, DType key) {
  return random_wrap(reshape(words, joined(shape, Shape{words_of(key)})), key);
}

}  // namespace

WordPair threefry_hash(const WordPair& key, const WordPair& counter) {
  static constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const Array third = bit_xor(bit_xor(key.first, key.second), scalar_int(u32, 0x1BD11BDA));
  const Array parts[] = {key.first, key.second, third};
  WordPair x{add(counter.first, parts[0]), add(counter.second, parts[1])};
  for (int group = 0; group < 5; ++group) {
    for (int by : rotations[group % 2]) {
      x.first = add(x.first, x.second);
      x.second = bit_xor(x.first, rotated(x.second, by));
    }
    x.first = add(x.first, parts[(group + 1) % 3]);
    x.second = add(x.second, add(parts[(group + 2) % 3], scalar_int(u32, group + 1)));
  }
  return x;
}

std::vector<WordPair> word_pairs(const Array& from) {
  const Array words = reshape(random_unwrap(from), Shape{from.size(), words_of(from.dtype())});
  std::vector<WordPair> pairs;
  for (std::int64_t i = 0; i < words_of(from.dtype()); i += 2)
    pairs.push_back({columns(words, i, i + 1), columns(words, i + 1, i + 2)});
  return pairs;
}

Array expand_random_bits(const EqnContext& c, std::span<const Array> in) {
  const auto& p = c.params<BitsParams>();
  const Array& from = in[0];
  const Shape shape = joined(from.shape(), p.shape);
  if (from.dtype() != DType::key_fry)
    return reshape(sequence(random_unwrap(from), shape.size(), unsigned_of(p.bit_width)), shape);
  return reshape(threefry_bits(p, word_pairs(from)[0]), shape);
}

Array expand_split(const EqnContext& c, std::span<const Array> in) {
  const auto& p = c.params<SplitParams>();
  const Array& from = in[0];
  const Shape shape = joined(from.shape(), p.shape);
  const std::int64_t n = p.shape.size();
  if (from.dtype() == DType::key_unsafe_rbg)
    return wrapped(blocks(random_unwrap(from), shape.size(), 0), shape, from.dtype());
  std::vector<Array> made;
  for (const Pair& key : word_pairs(from)) {
    if (p.partitionable) made.push_back(paired(hash(key, counters(n))));
    else made.push_back(reshape(words_by_halves(key, 2 * n), Shape{from.size(), n, 2}));
  }
  return wrapped(concatenate(made, 2), shape, from.dtype());
}

Array expand_seed(const EqnContext& c, std::span<const Array> in) {
  const Array& x = in[0];
  const bool wide = item_size(x.dtype()) == 8;
  const Array bits = convert_element_type(x, wide ? u64 : u32);
  const Array high =
      wide ? convert_element_type(shift_right_logical(bits, scalar_int(u64, 32)), u32) : zeros_of(bits.aval());
  const Array pair = paired({high, convert_element_type(bits, u32)});
  const DType key = c.params<KeyParams>().impl;
  const Array two[] = {pair, pair};
  return random_wrap(key == DType::key_fry ? pair : concatenate(two, x.ndim()), key);
}

Array expand_fold_in(const EqnContext& c, std::span<const Array> in) {
  const DType key = in[0].dtype();
  const Aval avals[] = {in[0].aval(), in[1].aval()};
  AvalVec out;
  infer(c.primitive, c.params_ref, avals, out);
  const Shape& shape = out[0].shape;
  IntList dims = IntList::range(in[0].ndim());
  dims.push_back(shape.ndim());
  const Array words = broadcast_in_dim(random_unwrap(in[0]), joined(shape, Shape{words_of(key)}), dims);
  const Array data = reshape(broadcast_to_shape(in[1], shape), Shape{shape.size(), 1});
  const Array old = reshape(words, Shape{shape.size(), words_of(key)});
  if (key == DType::key_unsafe_rbg) {
    const Array zero = zeros(shape.size(), 1);
    return wrapped(bit_xor(old, blocks(side_by_side({zero, data, zero, data}, 1), shape.size(), 9)), shape, key);
  }
  std::vector<Array> made;
  for (std::int64_t i = 0; i < words_of(key); i += 2) {
    const Pair h = hash({columns(old, i, i + 1), columns(old, i + 1, i + 2)}, {scalar_int(u32, 0), data});
    made.push_back(side_by_side({h.first, h.second}, 1));
  }
  return wrapped(concatenate(made, 1), shape, key);
}

}  // namespace cotan::ops

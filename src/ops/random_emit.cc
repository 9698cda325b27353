#include "ops/random_emit.h"

#include <algorithm>

#include "ops/common.h"
#include "ops/emit.h"

namespace cotan::ops {

namespace {

using kernel::Dims;
using kernel::ProgramBuilder;
using kernel::Value;
constexpr auto u64 = DType::uint64, u32 = DType::uint32;
constexpr std::int64_t counters_per_program = std::int64_t{1} << 31;  // a ramp of more would leave int64

// One pair of the words of each key: of `count` pairs, the one at `index`.
struct Pair {
  std::int64_t count = 1, index = 0;
};
template <class F> void each_pair(DType key, F f) {
  const std::int64_t count = words_of(key) / 2;
  for (std::int64_t i = 0; i < count; ++i) f(Pair{count, i});
}

Value shift(ProgramBuilder& b, const char* op, Value v) {
  return b.apply(op, u64, {v, b.constant_of(u64, std::uint64_t{32})});
}
Value swap_words(ProgramBuilder& b, Value v) {
  return b.apply("or", u64, {shift(b, "shift_left", v), shift(b, "shift_right_logical", v)});
}
Value second_word(ProgramBuilder& b, Value v) { return b.convert(shift(b, "shift_right_logical", v), u32); }
Value hash(ProgramBuilder& b, Value key, Value counter) { return b.apply("threefry2x32", u64, {key, counter}); }

void append(kernel::Plan& plan, ProgramBuilder& b, int from, int to) {
  const int buffers[] = {from, to};
  kernel::append(&plan, b.finish(), buffers);
}

// For each of `key_count` keys, `n` elements of type d in buffer 1, made by `finish` from the hashes of (i >> 32, i).
template <class F>
void emit_partitionable(kernel::Plan& plan, Pair pair, std::int64_t key_count, std::int64_t n, F finish) {
  for (std::int64_t start = 0; start < n; start += counters_per_program) {
    ProgramBuilder b(IntList{key_count, std::min(n - start, counters_per_program)});
    const auto s = static_cast<std::uint64_t>(start);
    const Value counters = b.iota(u64, {0, std::int64_t{1} << 32}, static_cast<std::int64_t>(s >> 32 | s << 32));
    const Value v = finish(b, hash(b, b.memory(0, u64, {pair.count, 0}, pair.index), counters));
    b.store(v, 1, {n * pair.count, pair.count}, start * pair.count + pair.index);
    append(plan, b, 0, 1);
  }
}

// For each of `key_count` keys, `words` words in buffer `to`, of counters in two halves.
void emit_words(kernel::Plan& plan, Pair pair, std::int64_t key_count, std::int64_t words, int to) {
  const std::int64_t pairs = words / 2, half = words - pairs;
  if (pairs > 0) {
    ProgramBuilder b(IntList{key_count, pairs});
    const Value counters = b.iota(u64, {0, (std::int64_t{1} << 32) + 1}, half << 32);
    const Value v = hash(b, b.memory(0, u64, {pair.count, 0}, pair.index), counters);
    b.store(b.convert(v, u32), 1, {words, 1});
    b.store(second_word(b, v), 1, {words, 1}, half);
    append(plan, b, 0, to);
  }
  if (half > pairs) {
    ProgramBuilder b(IntList{key_count});
    const Value v =
        hash(b, b.memory(0, u64, {pair.count}, pair.index), b.constant_of(u64, static_cast<std::uint64_t>(pairs)));
    b.store(b.convert(v, u32), 1, {words}, pairs);
    append(plan, b, 0, to);
  }
}

// Both words of a partitionable hash: as they are, or combined.
Value words_of_hash(ProgramBuilder& b, Value v, DType d) {
  return d == u64 ? swap_words(b, v) : b.convert(b.apply("xor", u64, {v, shift(b, "shift_right_logical", v)}), d);
}

void emit_threefry_bits(const BitsParams& p, DType d, std::int64_t key_count, kernel::Plan& plan) {
  const std::int64_t n = p.shape.size();
  if (p.partitionable)
    return emit_partitionable(plan, Pair{}, key_count, n,
                              [d](ProgramBuilder& b, Value v) { return words_of_hash(b, v, d); });
  if (d == u64) {  // the high halves of all, then the low ones
    ProgramBuilder b(IntList{key_count, n});
    const Value counters = b.iota(u64, {0, (std::int64_t{1} << 32) + 1}, n << 32);
    b.store(swap_words(b, hash(b, b.memory(0, u64, {1, 0}), counters)), 1, {n, 1});
    return append(plan, b, 0, 1);
  }
  const std::int64_t per_word = 32 / p.bit_width, words = (n + per_word - 1) / per_word;
  if (words * per_word == n) return emit_words(plan, Pair{}, key_count, words, 1);
  const int whole = plan.add_temporary(key_count * words * 4);
  emit_words(plan, Pair{}, key_count, words, whole);
  emit_copy(plan, whole, 1, d, {key_count, n}, {words * per_word, 1});
}

// Element i of a philox sequence is half a block: words 2i and 2i + 1. `index` numbers them.
Value philox(ProgramBuilder& b, Value index, Value key, Value counter) {
  return b.apply("philox4x32", u64, {index, key, counter});
}

// Makes `count` numbers of type d out of pairs of words: 64 bits take a pair, 32 a word, fewer the low bits of a word.
template <class F> void emit_from_pairs(kernel::Plan& plan, DType d, std::int64_t count, int to, F pair_at) {
  if (count == 0) return;
  const std::int64_t pairs = d == u64 ? count : (count + 1) / 2;
  const bool in_place = d == u64 || (d == u32 && count % 2 == 0);
  const int words = in_place ? to : plan.add_temporary(pairs * 8);
  ProgramBuilder b(IntList{pairs});
  b.store_contiguous(pair_at(b), 1);
  append(plan, b, 0, words);
  if (in_place) return;
  ProgramBuilder narrow(IntList{count});
  narrow.store_contiguous(narrow.convert(narrow.contiguous(0, u32), d), 1);
  append(plan, narrow, words, to);
}

void split_unsafe(const EmitIn& in, kernel::Plan& plan) {
  const std::int64_t made = in.out[0].size();
  ProgramBuilder b(IntList{made, 2});
  const Value index = b.iota(u64, {20, 1});
  b.store_contiguous(philox(b, index, b.memory(0, u64, {0, 0}), b.memory(0, u64, {0, 0}, 1)), 1);
  append(plan, b, 0, 1);
}

// The strides that read an operand of shape `own` over `shape`, in units of `count`; a last loop over pairs is added where asked.
IntList operand_strides(const Shape& own, const Shape& shape, std::int64_t count) {
  IntList strides = kernel::broadcast_strides(own, shape);
  for (std::int64_t& s : strides) s *= count;
  return strides;
}

// The words of the new key are those of the old one, combined with block 9 of ten that the number, as a key, gives. Numbers of a
// batch share the first one's sequence.
void fold_in_unsafe(const EmitIn& in, kernel::Plan& plan) {
  const Shape &shape = in.out[0].shape, &own = in.in[1].shape;
  Shape extents = shape;
  extents.push_back(2);
  ProgramBuilder b(extents);
  const auto with_pairs = [](IntList strides, std::int64_t s) {
    strides.push_back(s);
    return strides;
  };
  const Value index = b.iota(u64, with_pairs(operand_strides(own, shape, 20), 1), 18);
  const Value first = b.memory(1, u32, IntList::filled(extents.ndim(), 0));
  const Value seed = shift(b, "shift_left", b.convert(first, u64));
  const Value old = b.memory(0, u64, with_pairs(operand_strides(in.in[0].shape, shape, 2), 1));
  b.store_contiguous(b.apply("xor", u64, {old, philox(b, index, seed, seed)}), 2);
  const int buffers[] = {0, 1, 2};
  kernel::append(&plan, b.finish(), buffers);
}

Dims no_strides(const Dims& like) { return Dims::filled(like.length(), 0); }

}  // namespace

void emit_philox(kernel::Plan& plan, DType d, std::int64_t count, int to) {
  emit_from_pairs(plan, d, count, to, [](ProgramBuilder& b) {
    return philox(b, b.iota(u64, {1}), b.memory(0, u64, {0}), b.memory(0, u64, {0}, 1));
  });
}

ThreefryLayout threefry_layout(DType d, const Shape& shape) {
  if (d == u64 || shape.ndim() == 0) return {1, shape.size(), 1, d == u64 ? shape.size() : (shape.size() + 1) / 2};
  ThreefryLayout best;
  for (int k = 0; k < shape.ndim(); ++k) {
    std::int64_t outer = 1, inner = 1;
    for (int i = 0; i < k; ++i) outer *= shape[i];
    for (int i = k + 1; i < shape.ndim(); ++i) inner *= shape[i];
    const std::int64_t blocks = outer * ((shape[k] + 1) / 2) * inner;
    if (k == 0 || blocks < best.blocks) best = {outer, shape[k], inner, blocks};
  }
  return best;
}

void emit_threefry_counter(kernel::Plan& plan, DType d, const Shape& shape, int to) {
  if (shape.size() == 0) return;
  const auto block = [&](ProgramBuilder& b, Dims strides, std::int64_t first) {
    const Value counter = b.apply("add", u64, {b.iota(u64, strides, first), b.memory(0, u64, no_strides(strides), 1)});
    return hash(b, b.memory(0, u64, no_strides(strides)), counter);
  };
  const ThreefryLayout l = threefry_layout(d, shape);
  const std::int64_t halves = d == u64 ? l.n : l.n / 2, row = (l.n + 1) / 2 * l.inner;
  if (d == u64) {
    ProgramBuilder b(IntList{l.n});
    b.store(block(b, {1}, 0), 1, {1});
    return append(plan, b, 0, to);
  }
  if (halves > 0) {
    ProgramBuilder b(IntList{l.outer, halves, l.inner});
    const Value v = block(b, {row, l.inner, 1}, 0);
    const Dims place{l.n * l.inner, 2 * l.inner, 1};
    b.store(b.convert(v, d), 1, place);
    b.store(b.convert(second_word(b, v), d), 1, place, l.inner);
    append(plan, b, 0, to);
  }
  if (2 * halves < l.n) {
    ProgramBuilder b(IntList{l.outer, l.inner});
    b.store(b.convert(block(b, {row, 1}, halves * l.inner), d), 1, {l.n * l.inner, 1}, (l.n - 1) * l.inner);
    append(plan, b, 0, to);
  }
}

void emit_random_bits(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<BitsParams>();
  const std::int64_t key_count = in.in[0].size(), n = p.shape.size();
  const DType d = in.out[0].dtype;
  if (key_count * n == 0) return;
  if (in.in[0].dtype == DType::key_fry) emit_threefry_bits(p, d, key_count, plan);
  else emit_philox(plan, d, key_count * n, 1);  // a batch of keys shares the first one's sequence
}

void emit_split(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<SplitParams>();
  const DType key = in.in[0].dtype;
  const std::int64_t key_count = in.in[0].size(), n = p.shape.size();
  if (key_count * n == 0) return;
  if (key == DType::key_unsafe_rbg) return split_unsafe(in, plan);
  each_pair(key, [&](Pair pair) {
    if (p.partitionable)
      return emit_partitionable(plan, pair, key_count, n, [](ProgramBuilder&, Value v) { return v; });
    if (pair.count == 1) return emit_words(plan, pair, key_count, 2 * n, 1);
    const int words = plan.add_temporary(key_count * n * 8);
    emit_words(plan, pair, key_count, 2 * n, words);
    emit_place(plan, words, 1, DType::complex64, {key_count, n}, {n * pair.count, pair.count}, pair.index);
  });
}

// The key made from a 64-bit integer: its high, then its low word; in each pair.
void emit_seed(const EmitIn& in, kernel::Plan& plan) {
  const Aval& a = in.in[0];
  each_pair(in.out[0].dtype, [&](Pair pair) {
    ProgramBuilder b(IntList{a.size()});
    const Value v = b.convert(b.contiguous(0, a.dtype), u64);
    b.store(item_size(a.dtype) == 8 ? swap_words(b, v) : shift(b, "shift_left", v), 1, {pair.count}, pair.index);
    append(plan, b, 0, 1);
  });
}

void emit_fold_in(const EmitIn& in, kernel::Plan& plan) {
  const Shape& shape = in.out[0].shape;
  if (shape.size() == 0) return;
  if (in.out[0].dtype == DType::key_unsafe_rbg) return fold_in_unsafe(in, plan);
  each_pair(in.out[0].dtype, [&](Pair pair) {
    ProgramBuilder b(shape);
    const Value old = b.memory(0, u64, operand_strides(in.in[0].shape, shape, pair.count), pair.index);
    const Value data = b.memory(1, u32, operand_strides(in.in[1].shape, shape, 1));
    IntList to = kernel::row_major_strides(shape);
    for (std::int64_t& s : to) s *= pair.count;
    b.store(hash(b, old, shift(b, "shift_left", b.convert(data, u64))), 2, to, pair.index);
    const int buffers[] = {0, 1, 2};
    kernel::append(&plan, b.finish(), buffers);
  });
}

Value random_words(ProgramBuilder& b, DType d) {
  return words_of_hash(b, hash(b, b.memory(0, u64, {1, 0}), b.iota(u64, {0, std::int64_t{1} << 32})), d);
}

Value element_streams(ProgramBuilder& b, DType key) {
  const Value counters = b.iota(u64, {0, 1});
  const std::int64_t count = words_of(key) / 2;
  const Value first = hash(b, b.memory(0, u64, {count, 0}), counters);
  if (count == 1) return first;
  return b.apply("xor", u64, {first, hash(b, b.memory(0, u64, {count, 0}, 1), counters)});
}

}  // namespace cotan::ops

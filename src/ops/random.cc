// Pseudo-random bits from keys. A threefry key is two words, k; hash(k, c) is threefry2x32 of a counter of two words. How
// counters are chosen, and so the bits, is JAX's:
//  - partitionable: position i of what a key gives has the counter (i >> 32, i), and takes both words of its hash;
//  - else: the w words that a key gives are the first words, then the second ones, of the hashes of (i, i + ceil(w/2)); if w is
//    odd, the last counter is (floor(w/2), 0) and its second word is dropped.
#include "ops/random.h"

#include <algorithm>

#include "cotan/config.h"
#include "ops/common.h"
#include "ops/emit.h"
#include "ops/op_list.h"
#include "ops/structural.h"
#include "ops/structural_checks.h"

namespace cotan::ops {

namespace {

using kernel::ProgramBuilder;
using kernel::Value;
constexpr auto u64 = DType::uint64, u32 = DType::uint32, fry = DType::key_fry;

const char* tag_of(DType key) { return key == DType::key_fry ? "fry" : key == DType::key_rbg ? "rbg" : "urbg"; }
std::int64_t words_of(DType key) { return static_cast<std::int64_t>(item_size(key)) / 4; }
Shape joined(const Shape& a, const Shape& b) {
  Shape r = a;
  for (std::int64_t n : b) r.push_back(n);
  return r;
}

// --- parameters -----------------------------------------------------------------------------------------------------------------
struct KeyParams {
  DType impl = fry;
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

// --- types ----------------------------------------------------------------------------------------------------------------------
void check_keys(const char* name, const Aval& a) {
  if (!is_key(a.dtype))
    throw TypeError(std::string(name) + " expects an array of keys, got " + a.str() +
                    ". Keys are made by random::key(seed).");
}
// The keys whose bits are defined.
void check_threefry(const char* name, DType key) {
  if (key != fry)
    throw NotImplementedError(std::string(name) + " is not implemented for keys of the implementation '" + tag_of(key) +
                              "', only for threefry2x32 (fry).");
}

// Counters in two halves are ramps in int64, which must not leave it.
constexpr std::int64_t most_words = std::int64_t{1} << 31;
[[noreturn]] void refuse_size(const char* name, const Shape& shape) {
  throw NotImplementedError(std::string(name) + " of more than 2**31 words, got shape " + shape.str() +
                            ", needs threefry_partitionable");
}

void seed_avals(const AbstractIn& in, AvalVec& out) {
  const Aval& a = in.in[0];
  check_threefry("random_seed", in.params<KeyParams>().impl);
  if (!is_integer(a.dtype)) throw TypeError("PRNG key seed must be an integer; got " + a.str());
  out.push_back({a.shape, fry, false});
}
void wrap_avals(const AbstractIn& in, AvalVec& out) {
  const Aval& a = in.in[0];
  const DType key = in.params<KeyParams>().impl;
  const std::int64_t words = words_of(key);
  if (a.dtype != u32) throw TypeError(std::string("PRNG key data must have dtype uint32; got ") + dtype_name(a.dtype));
  if (a.ndim() < 1 || a.shape.back() != words)
    throw TypeError("invalid PRNG key data: expected key_data.shape to end with (" + std::to_string(words) +
                    ",); got shape=" + a.shape.str() + " for the implementation " + tag_of(key));
  Shape shape = a.shape;
  shape.erase(a.ndim() - 1);
  out.push_back({std::move(shape), key, false});
}
void unwrap_avals(const AbstractIn& in, AvalVec& out) {
  check_keys("random_unwrap", in.in[0]);
  out.push_back({joined(in.in[0].shape, {words_of(in.in[0].dtype)}), u32, false});
}
void clone_avals(const AbstractIn& in, AvalVec& out) {
  check_keys("random_clone", in.in[0]);
  out.push_back(in.in[0]);
}
void split_avals(const AbstractIn& in, AvalVec& out) {
  check_keys("random_split", in.in[0]);
  check_threefry("random_split", in.in[0].dtype);
  const Shape& shape = in.params<SplitParams>().shape;
  check_nonnegative("random_split shape", shape);
  if (!in.params<SplitParams>().partitionable && shape.size() > most_words / 2) refuse_size("random_split", shape);
  out.push_back({joined(in.in[0].shape, shape), fry, false});
}
void fold_in_avals(const AbstractIn& in, AvalVec& out) {
  check_keys("random_fold_in", in.in[0]);
  check_threefry("random_fold_in", in.in[0].dtype);
  if (in.in[1].dtype != u32)
    throw TypeError(std::string("random_fold_in data must have dtype uint32; got ") + dtype_name(in.in[1].dtype));
  out.push_back({elementwise_shape("random_fold_in", in.in), fry, false});
}
void bits_avals(const AbstractIn& in, AvalVec& out) {
  check_keys("random_bits", in.in[0]);
  check_threefry("random_bits", in.in[0].dtype);
  const auto& p = in.params<BitsParams>();
  check_nonnegative("random_bits shape", p.shape);
  DType d = u32;
  switch (p.bit_width) {
    case 8: d = DType::uint8; break;
    case 16: d = DType::uint16; break;
    case 32: break;
    case 64: d = u64; break;
    default: throw TypeError("requires 8-, 16-, 32- or 64-bit field width, got " + std::to_string(p.bit_width) + ".");
  }
  if (!p.partitionable && p.shape.size() > most_words * 32 / p.bit_width) refuse_size("random_bits", p.shape);
  out.push_back({joined(in.in[0].shape, p.shape), d, false});
}

// --- batches: keys come first in every result, so that a batch dimension of keys stays where it is ------------------------------------
void keys_first_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  out.push_back(in.primitive.bind1(in.params_ref, in.args));
  out_dims.push_back(in.dims[0]);
}
void wrap_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const bool last = in.dims[0] == in.args[0].ndim() - 1;  // where the words must stand
  const Array x = last ? move_axis(in.args[0], in.dims[0], 0) : in.args[0];
  out.push_back(in.primitive.bind1(in.params_ref, {&x, 1}));
  out_dims.push_back(last ? 0 : in.dims[0]);
}

// --- evaluation -----------------------------------------------------------------------------------------------------------------
constexpr std::int64_t counters_per_program = std::int64_t{1} << 31;  // a ramp of more would leave int64

Value shift(ProgramBuilder& b, const char* op, Value v) {
  return b.apply(op, u64, {v, b.constant_of(u64, std::uint64_t{32})});
}
Value swap_words(ProgramBuilder& b, Value v) {
  return b.apply("or", u64, {shift(b, "shift_left", v), shift(b, "shift_right_logical", v)});
}
Value second_word(ProgramBuilder& b, Value v) { return b.convert(shift(b, "shift_right_logical", v), u32); }
Value hash(ProgramBuilder& b, Value keys, Value counters) { return b.apply("threefry2x32", u64, {keys, counters}); }

void append(kernel::Plan& plan, ProgramBuilder& b, int from, int to) {
  const int buffers[] = {from, to};
  kernel::append(&plan, b.finish(), buffers);
}

// For each of `key_count` keys, `n` elements of type d in buffer 1, made by `finish` from the hashes of (i >> 32, i).
template <class F> void emit_partitionable(kernel::Plan& plan, std::int64_t key_count, std::int64_t n, F finish) {
  for (std::int64_t start = 0; start < n; start += counters_per_program) {
    ProgramBuilder b(IntList{key_count, std::min(n - start, counters_per_program)});
    const auto s = static_cast<std::uint64_t>(start);
    const Value counters = b.iota(u64, {0, std::int64_t{1} << 32}, static_cast<std::int64_t>(s >> 32 | s << 32));
    const Value v = finish(b, hash(b, b.memory(0, u64, {1, 0}), counters));
    b.store(v, 1, {n, 1}, start);
    append(plan, b, 0, 1);
  }
}

// For each of `key_count` keys, `words` words in buffer `to`, of counters in two halves.
void emit_words(kernel::Plan& plan, std::int64_t key_count, std::int64_t words, int to) {
  const std::int64_t pairs = words / 2, half = words - pairs;
  if (pairs > 0) {
    ProgramBuilder b(IntList{key_count, pairs});
    const Value counters = b.iota(u64, {0, (std::int64_t{1} << 32) + 1}, half << 32);
    const Value v = hash(b, b.memory(0, u64, {1, 0}), counters);
    b.store(b.convert(v, u32), 1, {words, 1});
    b.store(second_word(b, v), 1, {words, 1}, half);
    append(plan, b, 0, to);
  }
  if (half > pairs) {
    ProgramBuilder b(IntList{key_count});
    const Value v = hash(b, b.memory(0, u64, {1}), b.constant_of(u64, static_cast<std::uint64_t>(pairs)));
    b.store(b.convert(v, u32), 1, {words}, pairs);
    append(plan, b, 0, to);
  }
}

void bits_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<BitsParams>();
  const std::int64_t keys = in.in[0].size(), n = p.shape.size();
  const DType d = in.out[0].dtype;
  if (keys * n == 0) return;
  if (p.partitionable)
    return emit_partitionable(plan, keys, n, [d](ProgramBuilder& b, Value v) {
      return d == u64 ? swap_words(b, v) : b.convert(b.apply("xor", u64, {v, shift(b, "shift_right_logical", v)}), d);
    });
  if (d == u64) {  // the high halves of all, then the low ones
    ProgramBuilder b(IntList{keys, n});
    const Value counters = b.iota(u64, {0, (std::int64_t{1} << 32) + 1}, n << 32);
    b.store(swap_words(b, hash(b, b.memory(0, u64, {1, 0}), counters)), 1, {n, 1});
    return append(plan, b, 0, 1);
  }
  const std::int64_t per_word = 32 / p.bit_width, words = (n + per_word - 1) / per_word;
  if (words * per_word == n) return emit_words(plan, keys, words, 1);
  const int whole = plan.add_temporary(keys * words * 4);
  emit_words(plan, keys, words, whole);
  emit_copy(plan, whole, 1, d, {keys, n}, {words * per_word, 1});
}

void split_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<SplitParams>();
  const std::int64_t keys = in.in[0].size(), n = p.shape.size();
  if (keys * n == 0) return;
  if (p.partitionable) return emit_partitionable(plan, keys, n, [](ProgramBuilder&, Value v) { return v; });
  emit_words(plan, keys, 2 * n, 1);
}

// The key made from a 64-bit integer: its high, then its low word.
void seed_emit(const EmitIn& in, kernel::Plan& plan) {
  const Aval& a = in.in[0];
  ProgramBuilder b(IntList{a.size()});
  const Value v = b.convert(b.contiguous(0, a.dtype), u64);
  b.store_contiguous(item_size(a.dtype) == 8 ? swap_words(b, v) : shift(b, "shift_left", v), 1);
  append(plan, b, 0, 1);
}

void fold_in_emit(const EmitIn& in, kernel::Plan& plan) {
  const Shape& shape = in.out[0].shape;
  ProgramBuilder b(shape);
  const auto operand = [&](int i, DType d) {
    const Shape& own = in.in[static_cast<std::size_t>(i)].shape;
    IntList strides = IntList::filled(shape.ndim(), 0);
    if (own.ndim() > 0) {
      strides = kernel::row_major_strides(own);
      for (int k = 0; k < own.ndim(); ++k)
        if (own[k] == 1) strides[k] = 0;
    }
    return b.memory(i, d, strides);
  };
  const Value keys = operand(0, u64), counters = shift(b, "shift_left", b.convert(operand(1, u32), u64));
  b.store_contiguous(hash(b, keys, counters), 2);
  const int buffers[] = {0, 1, 2};
  kernel::append(&plan, b.finish(), buffers);
}

void copy_words(const EmitIn& in, kernel::Plan& plan) {
  const DType key = is_key(in.in[0].dtype) ? in.in[0].dtype : in.out[0].dtype;
  emit_copy_all(plan, 0, 1, key, (is_key(in.in[0].dtype) ? in.in[0] : in.out[0]).size());
}

// --- samples ----------------------------------------------------------------------------------------------------------------------
std::vector<Sample> bits_samples() {
  std::vector<Sample> v;
  for (bool partitionable : {true, false})
    for (int width : {8, 16, 32, 64})
      for (const Shape& shape : {Shape{3}, Shape{2, 4}, Shape{}, Shape{0}})
        v.push_back(
            {make_params(BitsParams{width, partitionable, shape}), {{shape.ndim() == 2 ? Shape{2} : Shape{}, fry}}});
  return v;
}
std::vector<Sample> split_samples() {
  std::vector<Sample> v;
  for (bool partitionable : {true, false})
    for (const Shape& shape : {Shape{2}, Shape{2, 3}, Shape{}, Shape{0}})
      v.push_back({make_params(SplitParams{partitionable, shape}), {{shape.ndim() == 1 ? Shape{3} : Shape{}, fry}}});
  return v;
}
std::vector<Sample> seed_samples() {
  std::vector<Sample> v;
  for (DType d : {DType::int32, DType::int64, DType::uint32, DType::uint64, DType::int8})
    v.push_back({make_params(KeyParams{fry}), {{{3}, d}}});
  return v;
}

}  // namespace

constinit const Primitive random_seed_p{
    .name = "random_seed",
    .doc = "A key of the implementation `impl` per integer. Only threefry2x32; NotImplementedError for the others.",
    .params = &params_ops<KeyParams>,
    .abstract_eval = seed_avals,
    .jvp = zero_derivative,
    .transpose = not_linear,
    .batching = batch_elementwise,
    .emit = seed_emit,
    .samples = seed_samples};

constinit const Primitive random_wrap_p{.name = "random_wrap",
                                        .doc =
                                            "uint32[..., n] as keys of the implementation `impl`, of n words each. "
                                            "TypeError for another dtype or last dimension.",
                                        .params = &params_ops<KeyParams>,
                                        .abstract_eval = wrap_avals,
                                        .jvp = zero_derivative,
                                        .transpose = not_linear,
                                        .batching = wrap_batching,
                                        .emit = copy_words,
                                        .samples = [] {
                                          return std::vector<Sample>{{make_params(KeyParams{fry}), {{{2}, u32}}},
                                                                     {make_params(KeyParams{fry}), {{{3, 2}, u32}}}};
                                        }};

constinit const Primitive random_unwrap_p{.name = "random_unwrap",
                                          .doc = "The words of keys: uint32[..., n].",
                                          .abstract_eval = unwrap_avals,
                                          .jvp = zero_derivative,
                                          .transpose = not_linear,
                                          .batching = keys_first_batching,
                                          .emit = copy_words,
                                          .samples = [] {
                                            return std::vector<Sample>{{{}, {{{}, fry}}}, {{}, {{{3}, fry}}}};
                                          }};

constinit const Primitive random_clone_p{.name = "random_clone",
                                         .doc = "The same keys, to be used once more.",
                                         .abstract_eval = clone_avals,
                                         .jvp = zero_derivative,
                                         .transpose = not_linear,
                                         .batching = batch_elementwise,
                                         .emit = copy_words,
                                         .inplace_operand = 0,
                                         .samples = [] {
                                           return std::vector<Sample>{{{}, {{{}, fry}}}, {{}, {{{3}, fry}}}};
                                         }};

constinit const Primitive random_split_p{
    .name = "random_split",
    .doc = "For each key, `shape` new ones: the result's shape is that of the keys, then `shape`. Only threefry2x32.",
    .params = &params_ops<SplitParams>,
    .abstract_eval = split_avals,
    .jvp = zero_derivative,
    .transpose = not_linear,
    .batching = keys_first_batching,
    .emit = split_emit,
    .samples = split_samples};

constinit const Primitive random_fold_in_p{
    .name = "random_fold_in",
    .doc = "A new key of each key and uint32; their shapes broadcast. Only threefry2x32.",
    .operands = 2,
    .abstract_eval = fold_in_avals,
    .jvp = zero_derivative,
    .transpose = not_linear,
    .batching = batch_elementwise,
    .emit = fold_in_emit,
    .samples = [] {
      return std::vector<Sample>{
          {{}, {{{}, fry}, {{}, u32}}}, {{}, {{{3}, fry}, {{3}, u32}}}, {{}, {{{}, fry}, {{2}, u32}}}};
    }};

constinit const Primitive random_bits_p{.name = "random_bits",
                                        .doc =
                                            "For each key, `shape` uniformly distributed unsigned integers of "
                                            "bit_width (8, 16, 32, 64) bits: the result's shape is that of the "
                                            "keys, then `shape`. Only threefry2x32.",
                                        .params = &params_ops<BitsParams>,
                                        .abstract_eval = bits_avals,
                                        .jvp = zero_derivative,
                                        .transpose = not_linear,
                                        .batching = keys_first_batching,
                                        .emit = bits_emit,
                                        .samples = bits_samples};

Array random_seed(const Array& seeds, DType key_dtype) {
  return random_seed_p.bind1(make_params(KeyParams{key_dtype}), {&seeds, 1});
}
Array random_wrap(const Array& words, DType key_dtype) {
  return random_wrap_p.bind1(make_params(KeyParams{key_dtype}), {&words, 1});
}
Array random_unwrap(const Array& key) { return random_unwrap_p(key); }
Array random_clone(const Array& key) { return random_clone_p(key); }
Array random_split(const Array& key, const Shape& shape) {
  return random_split_p.bind1(make_params(SplitParams{config::get(config::Flag::threefry_partitionable), shape}),
                              {&key, 1});
}
Array random_fold_in(const Array& key, const Array& data) { return random_fold_in_p(key, data); }
Array random_bits(const Array& key, int bit_width, const Shape& shape) {
  return random_bits_p.bind1(
      make_params(BitsParams{bit_width, config::get(config::Flag::threefry_partitionable), shape}), {&key, 1});
}

void register_random() {
  for (const Primitive* p : {&random_seed_p, &random_wrap_p, &random_unwrap_p, &random_clone_p, &random_split_p,
                             &random_fold_in_p, &random_bits_p})
    register_primitive(*p);
}

}  // namespace cotan::ops

// Keys, and the bits that they give.
#include "ops/random.h"

#include "core/stablehlo_writer.h"
#include "cotan/config.h"
#include "ops/common.h"
#include "ops/emit.h"
#include "ops/op_list.h"
#include "ops/random_emit.h"
#include "ops/structural_checks.h"

namespace cotan::ops {

namespace {

constexpr auto u64 = DType::uint64, u32 = DType::uint32, fry = DType::key_fry;

// --- types ----------------------------------------------------------------------------------------------------------------------
void check_keys(const char* name, const Aval& a) {
  if (!is_key(a.dtype))
    throw TypeError(std::string(name) + " expects an array of keys, got " + a.str() +
                    ". Keys are made by random::key(seed).");
}
// Counters in two halves are ramps in int64, which must not leave it.
constexpr std::int64_t most_words = std::int64_t{1} << 31;
[[noreturn]] void refuse_size(const char* name, const Shape& shape) {
  throw NotImplementedError(std::string(name) + " of more than 2**31 words, got shape " + shape.str() +
                            ", needs threefry_partitionable");
}

void seed_avals(const AbstractIn& in, AvalVec& out) {
  const Aval& a = in.in[0];
  if (!is_integer(a.dtype)) throw TypeError("PRNG key seed must be an integer; got " + a.str());
  out.push_back({a.shape, in.params<KeyParams>().impl, false});
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
void clone_avals(const AbstractIn& in, AvalVec& out) { out.push_back(in.in[0]); }
void split_avals(const AbstractIn& in, AvalVec& out) {
  check_keys("random_split", in.in[0]);
  const Shape& shape = in.params<SplitParams>().shape;
  check_nonnegative("random_split shape", shape);
  if (!in.params<SplitParams>().partitionable && shape.size() > most_words / 2) refuse_size("random_split", shape);
  out.push_back({joined(in.in[0].shape, shape), in.in[0].dtype, false});
}
void fold_in_avals(const AbstractIn& in, AvalVec& out) {
  check_keys("random_fold_in", in.in[0]);
  if (in.in[1].dtype != u32)
    throw TypeError(std::string("random_fold_in data must have dtype uint32; got ") + dtype_name(in.in[1].dtype));
  out.push_back({elementwise_shape("random_fold_in", in.in), in.in[0].dtype, false});
}
void bits_avals(const AbstractIn& in, AvalVec& out) {
  check_keys("random_bits", in.in[0]);
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
void copy_words(const EmitIn& in, kernel::Plan& plan) {
  const DType key = is_key(in.in[0].dtype) ? in.in[0].dtype : in.out[0].dtype;
  emit_copy_all(plan, 0, 1, key, (is_key(in.in[0].dtype) ? in.in[0] : in.out[0]).size());
}
void copy_same(const EmitIn& in, kernel::Plan& plan) { emit_copy_all(plan, 0, 1, in.in[0].dtype, in.in[0].size()); }

void write_same(const HloIn& in, HloWriter&, HloValues& results) { results.push_back(in.operands[0]); }

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

constinit const Primitive random_seed_p{.name = "random_seed",
                                        .doc = "A key of the implementation `impl` per integer.",
                                        .params = &params_ops<KeyParams>,
                                        .abstract_eval = seed_avals,
                                        .jvp = zero_derivative,
                                        .transpose = not_linear,
                                        .batching = batch_elementwise,
                                        .emit = emit_seed,
                                        .stablehlo = expand_seed,
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
                                        .stablehlo = write_same,
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
                                          .stablehlo = write_same,
                                          .samples = [] {
                                            return std::vector<Sample>{{{}, {{{}, fry}}}, {{}, {{{3}, fry}}}};
                                          }};

constinit const Primitive random_clone_p{.name = "random_clone",
                                         .doc = "The same keys (or their words, or any array), to be used once more.",
                                         .abstract_eval = clone_avals,
                                         .jvp = zero_derivative,
                                         .transpose = not_linear,
                                         .batching = batch_elementwise,
                                         .emit = copy_same,
                                         .stablehlo = write_same,
                                         .inplace_operand = 0,
                                         .samples = [] {
                                           return std::vector<Sample>{{{}, {{{}, fry}}}, {{}, {{{3}, fry}}}};
                                         }};

constinit const Primitive random_split_p{
    .name = "random_split",
    .doc = "For each key, `shape` new ones: the result's shape is that of the keys, then `shape`.",
    .params = &params_ops<SplitParams>,
    .abstract_eval = split_avals,
    .jvp = zero_derivative,
    .transpose = not_linear,
    .batching = keys_first_batching,
    .emit = emit_split,
    .stablehlo = expand_split,
    .samples = split_samples};

constinit const Primitive random_fold_in_p{.name = "random_fold_in",
                                           .doc = "A new key of each key and uint32; their shapes broadcast.",
                                           .operands = 2,
                                           .abstract_eval = fold_in_avals,
                                           .jvp = zero_derivative,
                                           .transpose = not_linear,
                                           .batching = batch_elementwise,
                                           .emit = emit_fold_in,
                                           .stablehlo = expand_fold_in,
                                           .samples = [] {
                                             return std::vector<Sample>{{{}, {{{}, fry}, {{}, u32}}},
                                                                        {{}, {{{3}, fry}, {{3}, u32}}},
                                                                        {{}, {{{}, fry}, {{2}, u32}}}};
                                           }};

constinit const Primitive random_bits_p{.name = "random_bits",
                                        .doc =
                                            "For each key, `shape` uniformly distributed unsigned integers of "
                                            "bit_width (8, 16, 32, 64) bits: the result's shape is that of the "
                                            "keys, then `shape`.",
                                        .params = &params_ops<BitsParams>,
                                        .abstract_eval = bits_avals,
                                        .jvp = zero_derivative,
                                        .transpose = not_linear,
                                        .batching = keys_first_batching,
                                        .emit = emit_random_bits,
                                        .stablehlo = expand_random_bits,
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
  register_random_generator();
  register_random_uniform();
  register_random_samplers();
  register_random_floats();
}

}  // namespace cotan::ops

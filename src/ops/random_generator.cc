// rng_bit_generator: bits from a state that the caller keeps.
#include "core/stablehlo_writer.h"
#include "ops/common.h"
#include "ops/random.h"
#include "ops/random_emit.h"
#include "ops/structural.h"
#include "ops/structural_checks.h"

namespace cotan::ops {

EnumNames enum_names(RandomAlgorithm) {
  static constexpr const char* names[] = {"RNG_DEFAULT", "RNG_THREE_FRY", "RNG_PHILOX"};
  return names;
}

namespace {

using kernel::ProgramBuilder;
constexpr auto u64 = DType::uint64, u32 = DType::uint32;

struct GeneratorParams {
  RandomAlgorithm algorithm = RandomAlgorithm::default_;
  DType dtype = u32;
  Absent out_sharding = {};
  Shape shape;
  template <class S, class V> static void fields(S& s, V& v) {
    v("algorithm", s.algorithm), v("dtype", s.dtype), v("out_sharding", s.out_sharding), v("shape", s.shape);
  }
};

void generator_avals(const AbstractIn& in, AvalVec& out) {
  const Aval& state = in.in[0];
  const auto& p = in.params<GeneratorParams>();
  const bool fits = (state.dtype == u32 && state.shape == Shape{4}) || (state.dtype == u64 && state.shape == Shape{2});
  if (state.dtype != u32 && state.dtype != u64)
    throw TypeError("rng_bit_generator requires a key of dtype uint32 or uint64, got " + state.str());
  if (!fits) throw ValueError("rng_bit_generator: the key must be uint32[4] or uint64[2], got " + state.str());
  if (!is_integer(p.dtype) || is_signed_integer(p.dtype))
    throw TypeError(std::string("rng_bit_generator makes unsigned integers, got dtype ") + dtype_name(p.dtype));
  check_nonnegative("rng_bit_generator shape", p.shape);
  out.push_back({state.shape, state.dtype, false});
  out.push_back({p.shape, p.dtype, false});
}

// A batch of states shares the sequence of the first one, whose successor takes its place.
void generator_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const auto& p = in.params<GeneratorParams>();
  const Array states = move_axis(in.args[0], in.dims[0], 0);
  const std::int64_t words = states.shape()[1];
  const Array first = squeeze(slice_in_dim(states, 0, 1, 1, 0), {0});
  const std::vector<Array> made = rng_bit_generator(first, joined(Shape{in.axis_size}, p.shape), p.dtype, p.algorithm);
  const Array parts[] = {reshape(made[0], {1, words}), slice_in_dim(states, 1, in.axis_size, 1, 0)};
  out.push_back(concatenate(parts, 0));
  out.push_back(made[1]);
  out_dims.push_back(0);
  out_dims.push_back(0);
}

// The counter, the state's second pair, moves on by the blocks used.
void generator_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<GeneratorParams>();
  const std::int64_t count = p.shape.size(), words = p.dtype == u64 ? 2 * count : count;
  const bool threefry = p.algorithm == RandomAlgorithm::three_fry;
  const std::int64_t blocks = threefry ? threefry_layout(p.dtype, p.shape).blocks : (words + 3) / 4;
  ProgramBuilder b(IntList{2});
  const kernel::Value moved = b.iota(u64, {blocks});
  b.store_contiguous(b.apply("add", u64, {b.contiguous(0, u64), moved}), 1);
  const int buffers[] = {0, 1};
  kernel::append(&plan, b.finish(), buffers);
  if (threefry) emit_threefry_counter(plan, p.dtype, p.shape, 2);
  else emit_philox(plan, p.dtype, count, 2);
}

// StableHLO's generators make words of 32 and 64 bits; their state is uint64[2].
void generator_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const auto& p = in.params<GeneratorParams>();
  const HloType state({2}, u64), made(p.shape, p.dtype == u64 ? u64 : u32);
  HloValue from = in.operands[0];
  const bool words = from.type.dtype == u32;
  if (words) from = w.op("stablehlo.bitcast_convert", {w.reshape(from, {2, 2})}, state);
  const char* algorithm = p.algorithm == RandomAlgorithm::three_fry ? "THREE_FRY" : "PHILOX";
  const HloType types[] = {state, made};
  const HloValues r = w.op_with_regions("stablehlo.rng_bit_generator", {&from, 1}, {}, types,
                                        std::string("rng_algorithm = #stablehlo<rng_algorithm ") + algorithm + ">");
  results.push_back(words ? w.reshape(w.op("stablehlo.bitcast_convert", {r[0]}, HloType({2, 2}, u32)), {4}) : r[0]);
  results.push_back(w.convert(r[1], p.dtype));
}

std::vector<Sample> generator_samples() {
  std::vector<Sample> v;
  for (RandomAlgorithm a : {RandomAlgorithm::default_, RandomAlgorithm::three_fry, RandomAlgorithm::philox})
    for (DType d : {DType::uint8, DType::uint16, u32, u64})
      for (const Shape& shape : {Shape{3}, Shape{2, 5}, Shape{3, 3}, Shape{}, Shape{0}})
        v.push_back({make_params(GeneratorParams{a, d, {}, shape}), {{{4}, u32}}});
  v.push_back({make_params(GeneratorParams{RandomAlgorithm::default_, u32, {}, {7}}), {{{2}, u64}}});
  return v;
}

}  // namespace

constinit const Primitive rng_bit_generator_p{
    .name = "rng_bit_generator",
    .doc =
        "The next state and unsigned integers of `dtype` (8 to 64 bits) of `shape`. The state, uint32[4] or uint64[2], "
        "is a key "
        "and a counter. RNG_DEFAULT is RNG_PHILOX. Under vmap, a batch of states shares the sequence of the first.",
    .results = 2,
    .params = &params_ops<GeneratorParams>,
    .abstract_eval = generator_avals,
    .jvp = zero_derivative,
    .transpose = not_linear,
    .batching = generator_batching,
    .emit = generator_emit,
    .stablehlo = generator_write,
    .samples = generator_samples};

std::vector<Array> rng_bit_generator(const Array& state, const Shape& shape, DType d, RandomAlgorithm algorithm) {
  ArrayVec out;
  rng_bit_generator_p.bind(make_params(GeneratorParams{algorithm, d, {}, shape}), {&state, 1}, out);
  return {out[0], out[1]};
}

void register_random_generator() { register_primitive(rng_bit_generator_p); }

}  // namespace cotan::ops

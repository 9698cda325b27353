// Uniform and normal numbers in one pass over memory, for evaluation outside of traces. The bits are those of the operations that
// random::uniform and random::normal record elsewhere: a mantissa under the exponent of 1, less 1, is the mantissa times a power
// of two, exactly.
#include <cmath>

#include "cotan/config.h"
#include "ops/common.h"
#include "ops/random.h"
#include "ops/random_emit.h"
#include "ops/structural_checks.h"

namespace cotan::ops {

namespace {

using kernel::ProgramBuilder;
using kernel::Value;
constexpr auto u64 = DType::uint64, u32 = DType::uint32, fry = DType::key_fry;
constexpr NoRule untraced{"bound outside of traces only"};

struct FloatsParams {
  bool normal = false;
  Shape shape;
  template <class S, class V> static void fields(S& s, V& v) { v("normal", s.normal), v("shape", s.shape); }
};

void floats_avals(const AbstractIn& in, AvalVec& out) {
  const Aval &key = in.in[0], &low = in.in[1], &high = in.in[2];
  if (key.dtype != fry) throw TypeError("random_floats expects threefry keys, got " + key.str());
  if ((low.dtype != DType::float32 && low.dtype != DType::float64) || low.dtype != high.dtype ||
      !(low.shape == key.shape) || !(high.shape == key.shape))
    throw TypeError("random_floats expects bounds of one dtype, float32 or float64, in the shape of the keys, got " +
                    low.str() + " and " + high.str());
  const auto& p = in.params<FloatsParams>();
  check_nonnegative("random_floats shape", p.shape);
  out.push_back({joined(key.shape, p.shape), low.dtype, false});
}

void floats_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  Array args[3];
  for (std::size_t i = 0; i < 3; ++i) args[i] = with_batch_front(in.args[i], in.dims[i], in.axis_size);
  out.push_back(in.primitive.bind1(in.params_ref, args));
  out_dims.push_back(0);
}

void floats_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<FloatsParams>();
  const DType d = in.out[0].dtype;
  const bool narrow = d == DType::float32;
  const std::int64_t key_count = in.in[0].size(), n = p.shape.size();
  if (key_count * n == 0) return;
  ProgramBuilder b(IntList{key_count, n});
  const auto number = [&](double v) {
    const float f = static_cast<float>(v);
    return narrow ? b.constant_of(d, f) : b.constant_of(d, v);
  };
  Value bits = random_words(b, narrow ? u32 : u64);
  if (narrow) bits = b.apply("shift_right_logical", u32, {bits, b.constant_of(u32, std::uint32_t{9})});
  else bits = b.apply("shift_right_logical", u64, {bits, b.constant_of(u64, std::uint64_t{12})});
  const Value unit = b.apply("mul", d, {b.convert(bits, d), number(narrow ? 0x1p-23 : 0x1p-52)});
  const Value low = b.memory(1, d, {1, 0}), high = b.memory(2, d, {1, 0});
  Value v = b.apply("add", d, {b.apply("mul", d, {unit, b.apply("sub", d, {high, low})}), low});
  v = b.apply("max", d, {low, v});
  if (p.normal) v = b.apply("mul", d, {number(std::sqrt(2.0)), b.apply("erf_inv", d, {v})});
  b.store_contiguous(v, 3);
  const int buffers[] = {0, 1, 2, 3};
  kernel::append(&plan, b.finish(), buffers);
}

std::vector<Sample> floats_samples() {
  std::vector<Sample> v;
  for (bool normal : {false, true})
    for (DType d : {DType::float32, DType::float64})
      v.push_back({make_params(FloatsParams{normal, {2, 3}}), {{{}, fry}, {{}, d}, {{}, d}}, {-0.9, 0.9}});
  return v;
}

}  // namespace

constinit const Primitive random_floats_p{
    .name = "random_floats",
    .doc =
        "For a threefry key and two numbers low and high, float32 or float64: `shape` uniform numbers between them; "
        "with "
        "`normal`, sqrt(2) erf_inv of these. What random::uniform and random::normal run where nothing is traced.",
    .operands = 3,
    .params = &params_ops<FloatsParams>,
    .abstract_eval = floats_avals,
    .jvp = untraced,
    .transpose = not_linear,
    .batching = floats_batching,
    .emit = floats_emit,
    .stablehlo = untraced,
    .samples = floats_samples};

bool has_random_floats(const Array& key, DType d, const Shape& shape) {
  return key.dtype() == fry && key.ndim() == 0 && (d == DType::float32 || d == DType::float64) &&
         shape.size() < (std::int64_t{1} << 31) && config::get(config::Flag::threefry_partitionable);
}
Array random_floats(const Array& key, const Array& low, const Array& high, const Shape& shape, bool normal) {
  const Array in[] = {key, low, high};
  return random_floats_p.bind1(make_params(FloatsParams{normal, shape}), in);
}

void register_random_floats() { register_primitive(random_floats_p); }

}  // namespace cotan::ops

// rng_uniform: numbers from a state that the process keeps.
#include <atomic>

#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/random.h"
#include "ops/random_emit.h"
#include "ops/structural.h"

namespace cotan::ops {

namespace {

struct UniformParams {
  Shape shape;
  template <class S, class V> static void fields(S& s, V& v) { v("shape", s.shape); }
};

void uniform_avals(const AbstractIn& in, AvalVec& out) {
  const Aval &a = in.in[0], &b = in.in[1];
  if (a.dtype != b.dtype)
    throw ValueError(std::string("Arguments to rng_uniform must have identical dtypes, got ") + dtype_name(a.dtype) +
                     " and " + dtype_name(b.dtype) + ".");
  if (a.ndim() != 0 || b.ndim() != 0)
    throw ValueError("Arguments to rng_uniform must be scalars; got shapes " + a.shape.str() + " and " + b.shape.str() +
                     ".");
  check_dtype("rng_uniform", reals, a);
  const auto& shape = in.params<UniformParams>().shape;
  for (std::int64_t d : shape)
    if (d < 0) throw ValueError("rng_uniform: sizes must not be negative, got " + shape.str());
  out.push_back({shape, a.dtype, false});
}

// Bits of the next call of this process: they depend on how many there were before.
Array next_bits(const Shape& shape, DType d) {
  static std::atomic<std::uint64_t> calls = 0;
  const std::uint64_t n = calls.fetch_add(1);
  const std::uint32_t state[] = {0x636f7461, 0x6e756e69, static_cast<std::uint32_t>(n),
                                 static_cast<std::uint32_t>(n >> 32)};
  const Array keys = evaluation_hook().from_bytes({Shape{4}, DType::uint32, false}, state);
  return rng_bit_generator(keys, shape, d, RandomAlgorithm::three_fry)[1];
}

Array uniform_floats(const Array& a, const Array& b, const Shape& shape) {
  const bool wide = a.dtype() == DType::float64;
  const DType word = wide ? DType::uint64 : DType::uint32, d = wide ? DType::float64 : DType::float32;
  // A mantissa of random bits under the exponent of 1: a number in [1, 2).
  const Array mantissa = shift_right_logical(next_bits(shape, word), scalar_int(word, wide ? 12 : 9));
  const Array one = bitcast_convert_type(scalar(d, 1), word);
  const Array unit = sub(bitcast_convert_type(bit_or(mantissa, broadcast_to_shape(one, shape)), d), scalar(d, 1));
  const Array low = convert_element_type(a, d), high = convert_element_type(b, d);
  const Array x = add(mul(unit, broadcast_to_shape(sub(high, low), shape)), broadcast_to_shape(low, shape));
  return convert_element_type(max(x, broadcast_to_shape(low, shape)), a.dtype());
}

Array uniform_integers(const Array& a, const Array& b, const Shape& shape) {
  const DType word = DType::uint64;
  const Array low = convert_element_type(a, word), span = sub(convert_element_type(b, word), low);
  const Array offset = rem(next_bits(shape, word), broadcast_to_shape(span, shape));
  return convert_element_type(add(offset, broadcast_to_shape(low, shape)), a.dtype());
}

void uniform_run(const EqnContext& c, std::span<const Array> in, ArrayVec& out) {
  const Aval types[] = {in[0].aval(), in[1].aval()};
  AvalVec checked;
  uniform_avals({c, types}, checked);
  const Shape& shape = c.params<UniformParams>().shape;
  out.push_back(is_floating(in[0].dtype()) ? uniform_floats(in[0], in[1], shape)
                                           : uniform_integers(in[0], in[1], shape));
}

}  // namespace

constinit const Primitive rng_uniform_p{.name = "rng_uniform",
                                        .doc =
                                            "Uniform numbers in [a, b), scalars of one real dtype, of `shape`; the "
                                            "n-th call of a process gives the same ones in each process.",
                                        .operands = 2,
                                        .params = &params_ops<UniformParams>,
                                        .abstract_eval = uniform_avals,
                                        .jvp = not_differentiable("its numbers do not depend on the bounds alone"),
                                        .transpose = not_linear,
                                        .batching = NoRule{"it has no key to be split; random.uniform has"},
                                        .run = uniform_run,
                                        .stablehlo = NoRule{"its numbers depend on the calls before"},
                                        .samples = [] { return std::vector<Sample>(); }};

Array rng_uniform(const Array& a, const Array& b, const Shape& shape) {
  const Array in[] = {a, b};
  return rng_uniform_p.bind1(make_params(UniformParams{shape}), in);
}

void register_random_uniform() { register_primitive(rng_uniform_p); }

}  // namespace cotan::ops

// Samplers by rejection: random_gamma, random_poisson, random_binomial. Their first operand is an array of keys whose shape starts
// that of the parameters; with n elements left for each key, element i draws from a sequence that the key and i give. They agree
// with JAX's in distribution, not in bits.
#include <cmath>

#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/random.h"
#include "ops/random_emit.h"
#include "ops/random_expand.h"
#include "ops/special.h"
#include "ops/structural.h"

namespace cotan::ops {

namespace {

using kernel::ProgramBuilder;
using kernel::Value;
constexpr auto fry = DType::key_fry, f32 = DType::float32, f64 = DType::float64;

struct GammaParams {
  bool log_space = false;
  template <class S, class V> static void fields(S& s, V& v) { v("log_space", s.log_space); }
};
struct CountParams {
  DType dtype = DType::int32;
  template <class S, class V> static void fields(S& s, V& v) { v("dtype", s.dtype); }
};

void check_operands(const char* name, std::span<const Aval> in) {
  const Aval &key = in[0], &first = in[1];
  if (!is_key(key.dtype)) throw TypeError(std::string(name) + " expects an array of keys, got " + key.str());
  for (const Aval& a : in.subspan(1)) {
    if (!is_floating(a.dtype) || a.dtype != first.dtype)
      throw TypeError(std::string(name) + " expects parameters of one floating dtype, got " + a.str());
    if (!(a.shape == first.shape))
      throw TypeError(std::string(name) + " expects parameters of one shape, got " + first.str() + " and " + a.str());
  }
  bool starts = key.ndim() <= first.ndim();
  for (int i = 0; starts && i < key.ndim(); ++i) starts = key.shape[i] == first.shape[i];
  if (!starts)
    throw TypeError(std::string(name) + " expects parameters whose shape starts with that of the keys, got " +
                    key.str() + " and " + first.str());
}
void like_parameter_avals(const AbstractIn& in, AvalVec& out) {
  check_operands(in.primitive.name, in.in);
  out.push_back({in.in[1].shape, in.in[1].dtype, false});
}
void count_avals(const AbstractIn& in, AvalVec& out) {
  check_operands(in.primitive.name, in.in);
  const DType d = in.params<CountParams>().dtype;
  if (!is_integer(d) && !is_floating(d))
    throw TypeError(std::string(in.primitive.name) + " makes integers or floats, got dtype " + dtype_name(d));
  out.push_back({in.in[1].shape, d, false});
}

// All operands get the batch first: it joins the keys' part of the shape.
void sampler_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  SmallVec<Array, 3> args;
  for (std::size_t i = 0; i < in.args.size(); ++i)
    args.push_back(with_batch_front(in.args[i], in.dims[i], in.axis_size));
  out.push_back(in.primitive.bind1(in.params_ref, {args.begin(), args.size()}));
  out_dims.push_back(0);
}

void emit_sampler(const EmitIn& in, kernel::Plan& plan, const char* op, std::uint32_t aux) {
  const std::int64_t key_count = in.in[0].size(), total = in.in[1].size();
  if (total == 0) return;
  ProgramBuilder b(IntList{key_count, total / key_count});
  const int operands = static_cast<int>(in.in.size());
  SmallVec<Value, 3> values;
  for (int i = 1; i < operands; ++i)
    values.push_back(b.convert(b.contiguous(i, in.in[static_cast<std::size_t>(i)].dtype), f64));
  values.push_back(element_streams(b, in.in[0].dtype));
  const Value sample = b.apply_to(op, f64, f64, {values.begin(), values.size()}, aux);
  b.store_contiguous(b.convert(sample, in.out[0].dtype), operands);
  const int buffers[] = {0, 1, 2, 3};
  kernel::append(&plan, b.finish(), {buffers, static_cast<std::size_t>(operands) + 1});
}

// The derivative of a sample where its distribution function P stays: -(dP/da) / (dP/dx). Of the logarithm it is that over x;
// where x is small, P = x^a / Gamma(a + 1) gives (digamma(a + 1) - log x) / a, also where x itself is no number any more.
Array gamma_slope(const Array& alpha, const Array& sample, bool log_space) {
  if (!log_space) return random_gamma_grad(alpha, sample);
  const DType d = alpha.dtype();
  const Array small = lt(sample, scalar(d, d == f64 ? -40 : d == f32 ? -20 : -8));
  const Array x = exp(select(small, zeros_of(sample.aval()), sample));
  const Array limit = div(sub(digamma(add(alpha, scalar(d, 1))), sample), alpha);
  return select(small, limit, div(random_gamma_grad(alpha, x), x));
}
void gamma_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const Array sample = in.primitive.bind1(in.params_ref, in.primals);
  primals_out.push_back(sample);
  const Tangent& t = in.tangents[1];
  if (t.is_zero()) tangents_out.push_back(Tangent::zero_of(sample.aval()));
  else tangents_out.push_back(mul(t.value(), gamma_slope(in.primals[1], sample, in.params<GammaParams>().log_space)));
}

std::vector<Sample> gamma_samples() {
  std::vector<Sample> v;
  for (bool log_space : {false, true})
    for (DType d : {f32, f64, DType::bfloat16})
      v.push_back({make_params(GammaParams{log_space}), {{{}, fry}, {{4}, d}}, {0.5, 3}});
  v.push_back({make_params(GammaParams{}), {{{2}, fry}, {{2, 3}, f32}}, {0.5, 3}});
  v.push_back({make_params(GammaParams{}), {{{2}, fry}, {{2, 0}, f32}}, {0.5, 3}});
  return v;
}
std::vector<Sample> poisson_samples() {
  return {{make_params(CountParams{}), {{{}, fry}, {{4}, f32}}, {0, 30}},
          {make_params(CountParams{DType::int64}), {{{2}, fry}, {{2, 3}, f64}}, {0, 30}},
          {make_params(CountParams{DType::uint8}), {{{}, fry}, {{}, f32}}, {0, 30}}};
}
std::vector<Sample> binomial_samples() {
  return {{make_params(CountParams{f32}), {{{}, fry}, {{4}, f32}, {{4}, f32}}, {0, 1}},
          {make_params(CountParams{f64}), {{{2}, fry}, {{2, 3}, f64}, {{2, 3}, f64}}, {0, 1}}};
}

}  // namespace

constinit const Primitive random_gamma_p{
    .name = "random_gamma",
    .doc =
        "Samples of the gamma distribution of scale 1 with the shapes that the second operand gives, or their "
        "logarithms "
        "(`log_space`). NaN for a negative shape.",
    .operands = 2,
    .params = &params_ops<GammaParams>,
    .abstract_eval = like_parameter_avals,
    .jvp = gamma_jvp,
    .transpose = not_linear,
    .batching = sampler_batching,
    .emit = [](const EmitIn& in,
               kernel::Plan& plan) { emit_sampler(in, plan, "random_gamma", in.params<GammaParams>().log_space); },
    .stablehlo =
        [](const EqnContext& c, std::span<const Array> in) {
          return convert_element_type(expand_gamma(in, c.params<GammaParams>().log_space), in[1].dtype());
        },
    .samples = gamma_samples};

constinit const Primitive random_poisson_p{
    .name = "random_poisson",
    .doc =
        "Samples of the Poisson distribution of the rates that the second operand gives, as numbers of `dtype`: at "
        "most its "
        "largest. -1, as an unsigned number the largest, for a negative rate or NaN.",
    .operands = 2,
    .params = &params_ops<CountParams>,
    .abstract_eval = count_avals,
    .jvp = zero_derivative,
    .transpose = not_linear,
    .batching = sampler_batching,
    .emit =
        [](const EmitIn& in, kernel::Plan& plan) {
          emit_sampler(in, plan, "random_poisson", is_unsigned_integer(in.out[0].dtype));  // -1 wraps
        },
    .stablehlo =
        [](const EqnContext& c, std::span<const Array> in) {
          const DType d = c.params<CountParams>().dtype;
          return convert_element_type(expand_poisson(in, is_unsigned_integer(d) ? HUGE_VAL : -1), d);
        },
    .samples = poisson_samples};

constinit const Primitive random_binomial_p{
    .name = "random_binomial",
    .doc =
        "Samples of the binomial distribution of the numbers of trials and the probabilities that the other operands "
        "give, as "
        "numbers of `dtype`. NaN outside its domain.",
    .operands = 3,
    .params = &params_ops<CountParams>,
    .abstract_eval = count_avals,
    .jvp = zero_derivative,
    .transpose = not_linear,
    .batching = sampler_batching,
    .emit = [](const EmitIn& in, kernel::Plan& plan) { emit_sampler(in, plan, "random_binomial", 0); },
    .stablehlo =
        [](const EqnContext& c, std::span<const Array> in) {
          return convert_element_type(expand_binomial(in), c.params<CountParams>().dtype);
        },
    .samples = binomial_samples};

Array random_gamma(const Array& key, const Array& alpha, bool log_space) {
  const Array in[] = {key, alpha};
  return random_gamma_p.bind1(make_params(GammaParams{log_space}), in);
}
Array random_poisson(const Array& key, const Array& rate, DType d) {
  const Array in[] = {key, rate};
  return random_poisson_p.bind1(make_params(CountParams{d}), in);
}
Array random_binomial(const Array& key, const Array& count, const Array& probability) {
  const Array in[] = {key, count, probability};
  return random_binomial_p.bind1(make_params(CountParams{count.dtype()}), in);
}

void register_random_samplers() {
  for (const Primitive* p : {&random_gamma_p, &random_poisson_p, &random_binomial_p}) register_primitive(*p);
}

}  // namespace cotan::ops

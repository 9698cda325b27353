// Operations on the bits of numbers: counts of bits, high halves of products, neighbouring floats, fewer bits.
#include <algorithm>

#include "core/stablehlo_writer.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/expand.h"
#include "ops/op_list.h"

namespace cotan::ops {

namespace {

struct PrecisionParams {
  int exponent_bits = 0, mantissa_bits = 0;
  template <class S, class V> static void fields(S& s, V& v) {
    v("exponent_bits", s.exponent_bits), v("mantissa_bits", s.mantissa_bits);
  }
};

void precision_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<PrecisionParams>();
  check_dtype("reduce_precision", floating, in.in[0]);
  if (p.exponent_bits < 1)
    throw ValueError("reduce_precision: exponent_bits must be positive; got " + std::to_string(p.exponent_bits));
  if (p.mantissa_bits < 0)
    throw ValueError("reduce_precision: mantissa_bits must be non-negative; got " + std::to_string(p.mantissa_bits));
  out.push_back(in.in[0]);
}

void precision_transpose(const TransposeIn& in, TangentVec& out) {
  out.push_back(in.primitive.bind1(in.params_ref, {&in.cts[0].value(), 1}));
}

std::vector<Sample> precision_samples() {
  std::vector<Sample> v;
  for (DType d : {DType::float32, DType::float64, DType::bfloat16, DType::float16})
    for (auto [exponent, mantissa] : {std::pair{11, 52}, {5, 10}, {4, 3}, {8, 2}})
      v.push_back({make_params(PrecisionParams{exponent, mantissa}), {{Shape{2, 3}, d, false}}});
  return v;
}

// 63 stands for any larger number: no dtype has so many bits.
std::uint32_t precision_aux(const EqnContext& c) {
  const auto& p = c.params<PrecisionParams>();
  return static_cast<std::uint32_t>(std::min(p.exponent_bits, 63) << 8 | std::min(p.mantissa_bits, 63));
}

void precision_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const auto& p = in.params<PrecisionParams>();
  results.push_back(w.op("stablehlo.reduce_precision", in.operands, HloType(in.out[0]),
                         "exponent_bits = " + std::to_string(p.exponent_bits) +
                             " : i32, mantissa_bits = " + std::to_string(p.mantissa_bits) + " : i32"));
}

constexpr Primitive of_integers(const char* name, HloRule stablehlo, const char* doc, int operands) {
  return {.name = name,
          .doc = doc,
          .kind = Kind::elementwise,
          .operands = operands,
          .dtypes = integers,
          .jvp = zero_derivative,
          .transpose = not_linear,
          .tile = name,
          .stablehlo = stablehlo};
}

}  // namespace

constinit const Primitive clz_p =
    of_integers("clz", "stablehlo.count_leading_zeros", "The number of zero bits above the highest bit set.", 1);
constinit const Primitive population_count_p =
    of_integers("population_count", "stablehlo.popcnt", "The number of bits set.", 1);
constinit const Primitive mulhi_p =
    of_integers("mulhi", expand::mulhi, "The high half of the product of double width: floor(x * y / 2^width).", 2);

constinit const Primitive nextafter_p{
    .name = "nextafter",
    .doc = "The float next to x towards y; y where they are equal, NaN where either is.",
    .kind = Kind::elementwise,
    .operands = 2,
    .dtypes = floating,
    .jvp = not_differentiable("because it steps by the spacing of floats"),
    .transpose = not_linear,
    .nans = Nans::kept,
    .tile = "nextafter",
    .stablehlo = expand::nextafter};

constinit const Primitive reduce_precision_p{.name = "reduce_precision",
                                             .doc =
                                                 "x rounded, halves to even, to a float of exponent_bits and "
                                                 "mantissa_bits without denormals: what is too small becomes 0, "
                                                 "what is too large infinite. Tangents are rounded likewise.",
                                             .kind = Kind::elementwise,
                                             .dtypes = floating,
                                             .params = &params_ops<PrecisionParams>,
                                             .abstract_eval = precision_avals,
                                             .jvp = jvp_linear_in_first,
                                             .transpose = precision_transpose,
                                             .nans = Nans::kept,
                                             .tile = "reduce_precision",
                                             .tile_aux = precision_aux,
                                             .stablehlo = precision_write,
                                             .samples = precision_samples};

Array reduce_precision(const Array& x, int exponent_bits, int mantissa_bits) {
  return reduce_precision_p.bind1(make_params(PrecisionParams{exponent_bits, mantissa_bits}), {&x, 1});
}

void register_width() {
  for (const Primitive* p : {&clz_p, &population_count_p, &mulhi_p, &nextafter_p, &reduce_precision_p})
    register_primitive(*p);
}

}  // namespace cotan::ops

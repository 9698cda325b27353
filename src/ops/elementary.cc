// Elementary functions: the records of exp, log, sin, tanh, pow and their kin. Accuracy is stated with the scalar rules.

#include <cmath>

#include "core/simplify.h"
#include "core/stablehlo_writer.h"
#include "ops/common.h"
#include "ops/costs.h"
#include "ops/elementwise.h"
#include "ops/expand.h"
#include "kernel/plan.h"
#include "ops/op_list.h"

namespace cotan::ops {

namespace {

Array constant(const JvpTermIn& a, double v) { return number_like(a.x[0], v); }
Array one_plus_square(const JvpTermIn& a) { return add(constant(a, 1), square(a.x[0])); }

void pow_avals(const AbstractIn& in, AvalVec& out) {
  check_dtype("pow", inexact, in.in[0]);
  check_dtype("pow", inexact | integers, in.in[1]);
  if (!is_integer(in.in[1].dtype)) check_same_dtypes("pow", in.in);
  out.push_back({elementwise_shape("pow", in.in), in.in[0].dtype, in.in[0].weak_type && in.in[1].weak_type});
}

// y x^(y-1). An integer exponent of 0 gives a constant, whose slope is 0 at every x; a floating one may not be held at 0: the
// mixed second derivative there is 1/x.
Array pow_base_term(const JvpTermIn& a) {
  const DType d = a.x[0].dtype();
  const Array y = convert_element_type(a.x[1], d);
  const Array slope = mul(y, pow(a.x[0], sub(y, number_like(y, 1))));
  if (!is_integer(a.x[1].dtype())) return mul(a.t, slope);
  const Array constant = broadcast_to_shape(eq(y, number_like(y, 0)), slope.shape());
  return mul(a.t, select(constant, zeros_of(slope.aval()), slope));
}

// log(x) x^y; at x = 0 the limit 0 for y >= 0.
Array pow_exponent_term(const JvpTermIn& a) {
  const Array x = select(eq(a.x[0], constant(a, 0)), full(a.x[0].aval(), 1), a.x[0]);
  return mul(a.t, mul(log(x), a.out));
}

void pow_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const HloValue y = w.convert(in.operands[1], in.in[0].dtype);
  const HloValue both[] = {w.broadcast_to(in.operands[0], in.out[0].shape), w.broadcast_to(y, in.out[0].shape)};
  results.push_back(w.op("stablehlo.power", both, HloType(in.out[0])));
}

Array atan2_scale(const JvpTermIn& a) { return add(square(a.x[0]), square(a.x[1])); }

// exp(x - logaddexp(x, y)): the share of x. An infinite sum takes the tangents of the infinite operands whole.
Array share_of_sum(const JvpTermIn& a, const Array& x) {
  const auto finite = [](const Array& v) { return select(eq(v, number_like(v, HUGE_VAL)), zeros_of(v.aval()), v); };
  return mul(a.t, exp(sub(finite(x), finite(a.out))));
}

// max(x, y) + log1p(exp(-|x - y|)); where the difference is NaN, the sum: equal infinities give themselves.
void logaddexp_emit(const EmitIn& in, kernel::Plan& plan) {
  const DType d = in.out[0].dtype;
  kernel::ProgramBuilder b(in.out[0].shape);
  const kernel::Value x = b.memory(0, d, kernel::broadcast_strides(in.in[0].shape, in.out[0].shape));
  const kernel::Value y = b.memory(1, d, kernel::broadcast_strides(in.in[1].shape, in.out[0].shape));
  const kernel::Value difference = b.apply("sub", d, {x, y});
  const kernel::Value small = b.apply("exp", d, {b.apply("neg", d, {b.apply("abs", d, {difference})})});
  const kernel::Value value = b.apply("add", d, {b.apply("max", d, {x, y}), b.apply("log1p", d, {small})});
  const kernel::Value unordered = b.apply("ne", d, {difference, difference});
  b.store_contiguous(b.apply("select", d, {unordered, value, b.apply("add", d, {x, y})}), 2);
  const int buffers[] = {0, 1, 2};
  kernel::append(&plan, b.finish(), buffers);
}

Simplified pow_simplify(const SimplifyIn& in) {
  const HostScalar* y = in.value(1);
  if (y && !is_complex(in.out.dtype) && !is_complex(y->dtype) && *y == HostScalar(1.0, y->dtype)) return in.in[0];
  return {};
}

std::vector<Sample> pow_samples() {
  std::vector<Sample> v;
  for (DType d : {DType::float32, DType::float64, DType::complex64, DType::bfloat16})
    v.push_back({{}, {{Shape{3}, d, false}, {Shape{3}, d, false}}, {0.5, 2}});
  v.push_back({{}, {{Shape{2}, DType::float32, false}, {Shape{}, DType::float32, true}}, {0.5, 2}});
  v.push_back({{}, {{Shape{3}, DType::float32, false}, {Shape{3}, DType::int32, false}}, {1, 3}});
  return v;
}

}  // namespace

#define COTAN_ELEMENTARY(NAME, HLO, DOC, DTYPES, LOW, HIGH, TERM)                            \
  constinit const Primitive NAME##_p{.name = #NAME,                                          \
                                     .doc = DOC,                                             \
                                     .kind = Kind::elementwise,                              \
                                     .dtypes = DTYPES,                                       \
                                     .domain = {LOW, HIGH},                                  \
                                     .jvp_terms = {[](const JvpTermIn& a) { return TERM; }}, \
                                     .transpose = not_linear,                                \
                                     .tile = #NAME,                                          \
                                     .stablehlo = HLO,                                       \
                                     .cost = transcendental};

COTAN_ELEMENTARY(sqrt, "stablehlo.sqrt", "Square root; NaN below 0, -0 for -0.", inexact, 0.1, 2,
                 mul(a.t, div(constant(a, 0.5), a.out)))
COTAN_ELEMENTARY(rsqrt, "stablehlo.rsqrt", "1 / sqrt(x).", inexact, 0.1, 2,
                 mul(a.t, mul(constant(a, -0.5), div(a.out, a.x[0]))))
COTAN_ELEMENTARY(cbrt, "stablehlo.cbrt", "Real cube root.", floating, 0.1, 2,
                 mul(a.t, mul(constant(a, 1.0 / 3), integer_pow(a.out, -2))))
COTAN_ELEMENTARY(exp, "stablehlo.exponential", "e to the x.", inexact, -2, 2, mul(a.t, a.out))
COTAN_ELEMENTARY(exp2, expand::exp2, "2 to the x.", inexact, -2, 2,
                 mul(a.t, mul(constant(a, 0.69314718055994530942), a.out)))
COTAN_ELEMENTARY(expm1, "stablehlo.exponential_minus_one", "exp(x) - 1, accurate near 0.", inexact, -2, 2,
                 mul(a.t, add(a.out, constant(a, 1))))
COTAN_ELEMENTARY(log, "stablehlo.log", "Natural logarithm; -inf at 0, NaN below.", inexact, 0.1, 3, div(a.t, a.x[0]))
COTAN_ELEMENTARY(log1p, "stablehlo.log_plus_one", "log(1 + x), accurate near 0.", inexact, -0.5, 2,
                 div(a.t, add(constant(a, 1), a.x[0])))
COTAN_ELEMENTARY(logistic, "stablehlo.logistic", "1 / (1 + exp(-x)).", inexact, -3, 3,
                 mul(a.t, mul(a.out, sub(constant(a, 1), a.out))))
COTAN_ELEMENTARY(sin, "stablehlo.sine", "Sine of x radians; NaN at infinities.", inexact, -3, 3, mul(a.t, cos(a.x[0])))
COTAN_ELEMENTARY(cos, "stablehlo.cosine", "Cosine of x radians; NaN at infinities.", inexact, -3, 3,
                 neg(mul(a.t, sin(a.x[0]))))
COTAN_ELEMENTARY(tan, "stablehlo.tan", "Tangent of x radians; NaN at infinities.", inexact, -1, 1,
                 mul(a.t, add(constant(a, 1), square(a.out))))
COTAN_ELEMENTARY(asin, expand::asin, "Inverse sine in radians; NaN outside [-1, 1].", inexact, -0.8, 0.8,
                 mul(a.t, rsqrt(sub(constant(a, 1), square(a.x[0])))))
COTAN_ELEMENTARY(acos, expand::acos, "Inverse cosine in radians; NaN outside [-1, 1].", inexact, -0.8, 0.8,
                 mul(a.t, neg(rsqrt(sub(constant(a, 1), square(a.x[0]))))))
COTAN_ELEMENTARY(atan, expand::atan, "Inverse tangent in radians.", inexact, -2, 2, div(a.t, one_plus_square(a)))
COTAN_ELEMENTARY(sinh, expand::sinh, "Hyperbolic sine.", inexact, -2, 2, mul(a.t, cosh(a.x[0])))
COTAN_ELEMENTARY(cosh, expand::cosh, "Hyperbolic cosine.", inexact, -2, 2, mul(a.t, sinh(a.x[0])))
// (1 - y) + (1 - y) y keeps the small difference from 1 that 1 - y^2 rounds away.
COTAN_ELEMENTARY(tanh, "stablehlo.tanh", "Hyperbolic tangent.", inexact, -2, 2,
                 mul(add(a.t, mul(a.t, a.out)), sub(constant(a, 1), a.out)))
COTAN_ELEMENTARY(asinh, expand::asinh, "Inverse hyperbolic sine.", inexact, -2, 2, mul(a.t, rsqrt(one_plus_square(a))))
// By factors: x^2 - 1 loses the bits near 1 and overflows, and a product of x - 1 and x + 1 has the second derivative 0 * inf at 1.
// For complex x it is the branch of acosh itself.
COTAN_ELEMENTARY(acosh, expand::acosh, "Inverse hyperbolic cosine; NaN below 1.", inexact, 1.2, 3,
                 mul(a.t, mul(rsqrt(sub(a.x[0], constant(a, 1))), rsqrt(add(a.x[0], constant(a, 1))))))
COTAN_ELEMENTARY(atanh, expand::atanh, "Inverse hyperbolic tangent; NaN outside [-1, 1].", inexact, -0.8, 0.8,
                 div(mul(integer_pow(add(constant(a, 1), a.x[0]), -1), a.t), sub(constant(a, 1), a.x[0])))
// d/dx erf_inv(x) = sqrt(pi)/2 exp(erf_inv(x)^2), Abramowitz and Stegun 7.1.1 inverted.
COTAN_ELEMENTARY(erf_inv, expand::erf_inv, "Inverse error function; +-inf at +-1, NaN outside [-1, 1].", floating, -0.8,
                 0.8, mul(a.t, mul(constant(a, 0.88622692545275801365), exp(square(a.out)))))
#undef COTAN_ELEMENTARY

constinit const Primitive pow_p{
    .name = "pow",
    .doc =
        "x to the y. y is of x's dtype, or an integer. pow(x, 0) = pow(1, y) = 1 whatever the other; NaN for a "
        "negative x with a y that is no integer.",
    .kind = Kind::elementwise,
    .operands = 2,
    .dtypes = inexact,
    .abstract_eval = pow_avals,
    .jvp_terms = {pow_base_term, pow_exponent_term},
    .transpose = not_linear,
    .simplify = pow_simplify,
    .tile = "pow",
    .stablehlo = pow_write,
    .cost = transcendental,
    .samples = pow_samples};

constinit const Primitive logaddexp_p{.name = "logaddexp",
                                      .doc = "log(exp(x) + exp(y)), without overflow.",
                                      .kind = Kind::elementwise,
                                      .operands = 2,
                                      .dtypes = floating,
                                      .jvp_terms = {[](const JvpTermIn& a) { return share_of_sum(a, a.x[0]); },
                                                    [](const JvpTermIn& a) { return share_of_sum(a, a.x[1]); }},
                                      .transpose = not_linear,
                                      .emit = logaddexp_emit,
                                      .stablehlo = expand::logaddexp,
                                      .cost = transcendental};

constinit const Primitive atan2_p{
    .name = "atan2",
    .doc =
        "The angle of the point (y, x) in radians: atan2(x, y) in lax's order of operands is atan(x/y) in the "
        "right quadrant.",
    .kind = Kind::elementwise,
    .operands = 2,
    .dtypes = floating,
    .domain = {0.5, 2},
    .jvp_terms = {[](const JvpTermIn& a) { return mul(a.t, div(a.x[1], atan2_scale(a))); },
                  [](const JvpTermIn& a) { return mul(a.t, div(neg(a.x[0]), atan2_scale(a))); }},
    .transpose = not_linear,
    .tile = "atan2",
    .stablehlo = "stablehlo.atan2",
    .cost = transcendental};

namespace {

// U_m(y) = (2m + 1)!! j_m(y) / y^m with the spherical Bessel function j_m: U_0 is sin(y) / y, and U_m' = -y U_(m+1) / (2m + 3).
struct SincAtZeroParams {
  int order = 0;
  template <class S, class V> static void fields(S& s, V& v) { v("order", s.order); }
};
Array sinc_at_zero_of(int order, const Array& y) {
  return sinc_at_zero_p.bind1(make_params(SincAtZeroParams{order}), {&y, 1});
}
Array sinc_at_zero_term(const JvpTermIn& a) {
  const int order = a.params<SincAtZeroParams>().order;
  const Array& y = a.x[0];
  return mul(a.t, mul(mul(y, number_like(y, -1.0 / (2 * order + 3))), sinc_at_zero_of(order + 1, y)));
}
std::vector<Sample> sinc_at_zero_samples() {
  std::vector<Sample> v;
  for (int order : {0, 2})
    for (DType d : {DType::float32, DType::float64, DType::complex64, DType::bfloat16})
      v.push_back({make_params(SincAtZeroParams{order}), {{Shape{3}, d, false}}, {0, 0}});
  return v;
}

}  // namespace

constinit const Primitive sinc_at_zero_p{
    .name = "sinc_at_zero",
    .doc =
        "sin(y) / y at y = 0, which is 1, with every derivative there (order: of the spherical Bessel function that it "
        "stands for). Elsewhere the value is also 1.",
    .kind = Kind::elementwise,
    .dtypes = inexact,
    .domain = {0, 0},
    .params = &params_ops<SincAtZeroParams>,
    .jvp_terms = {sinc_at_zero_term},
    .transpose = not_linear,
    .tile = "integer_pow",
    .tile_aux = [](const EqnContext&) { return std::uint32_t{0}; },
    .stablehlo = [](const HloIn& in, HloWriter& w,
                    HloValues& results) { results.push_back(w.constant(HloType(in.out[0]), 1.0)); },
    .samples = sinc_at_zero_samples};

Array sinc_at_zero(const Array& y) { return sinc_at_zero_of(0, y); }

void register_elementary() {
  for (const Primitive* p :
       {&sqrt_p,  &rsqrt_p, &cbrt_p,  &exp_p,     &exp2_p, &expm1_p,     &log_p,   &log1p_p,       &logistic_p,
        &sin_p,   &cos_p,   &tan_p,   &asin_p,    &acos_p, &atan_p,      &sinh_p,  &cosh_p,        &tanh_p,
        &asinh_p, &acosh_p, &atanh_p, &erf_inv_p, &pow_p,  &logaddexp_p, &atan2_p, &sinc_at_zero_p})
    register_primitive(*p);
}

}  // namespace cotan::ops

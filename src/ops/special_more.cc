// The special functions of scipy.special that lax has no primitive for: records. Errors are the largest seen against mpmath, in
// ulp of float64, away from zeros, where they are absolute; all are computed in double.
#include "kernel/plan.h"
#include "ops/common.h"
#include "ops/costs.h"
#include "ops/elementwise.h"
#include "ops/expand.h"
#include "ops/op_list.h"
#include "ops/special.h"

namespace cotan::ops {

namespace {

constexpr double pi = 3.14159265358979323846;

Array constant(const JvpTermIn& a, double v) { return number_like(a.x[0], v); }
Array half_square(const JvpTermIn& a) { return mul(constant(a, 0.5), square(a.x[0])); }

[[noreturn]] void refuse(const char* function, const char* operand) {
  throw NotImplementedError(std::string(function) + " is not differentiable with respect to " + operand);
}
template <const Primitive& p, char operand> Array none(const JvpTermIn&) {
  const char name[] = {operand, '\0'};
  refuse(p.name, name);
}

// sin(x)/x, with 1 at 0.
Array sinc_of(const JvpTermIn& a) {
  const Array zero = eq(a.x[0], constant(a, 0)), one = full(a.x[0].aval(), 1);
  return select(zero, one, div(sin(a.x[0]), select(zero, one, a.x[0])));
}
Array phase_sin(const JvpTermIn& a) { return sin(mul(constant(a, pi), half_square(a))); }
Array phase_cos(const JvpTermIn& a) { return cos(mul(constant(a, pi), half_square(a))); }

// -log(x) / (x - 1), which is -1 at 1.
Array spence_term(const JvpTermIn& a) {
  const Array one = full(a.x[0].aval(), 1), at_one = eq(a.x[0], constant(a, 1));
  const Array safe = select(at_one, full(one.aval(), 2), a.x[0]);
  return mul(a.t, select(at_one, neg(one), div(log(safe), sub(constant(a, 1), safe))));
}

Array owens_h_term(const JvpTermIn& a) {
  const Array density = mul(constant(a, -0.5 * 0.39894228040143267794), exp(neg(half_square(a))));
  return mul(a.t, mul(density, erf(mul(mul(a.x[0], a.x[1]), constant(a, 0.70710678118654752440)))));
}
Array owens_a_term(const JvpTermIn& a) {
  const Array n = add(constant(a, 1), square(a.x[1]));
  return mul(a.t, div(exp(neg(mul(half_square(a), n))), mul(constant(a, 2 * pi), n)));
}

Array digamma_difference(const Array& x, const Array& y) { return sub(digamma(x), digamma(y)); }

// m cot(theta) P_n^m + sqrt((n - m)(n + m + 1)) P_n^(m+1).
Array sph_legendre_term(const JvpTermIn& a) {
  const Array &n = a.x[0], &m = a.x[1], &theta = a.x[2];
  const Array one = number_like(n, 1), weight = sqrt(max(mul(sub(n, m), add(add(n, m), one)), number_like(n, 0)));
  const Array along = mul(mul(m, div(cos(theta), sin(theta))), a.out);
  return mul(a.t, add(along, mul(weight, sph_legendre_p(n, add(m, one), theta))));
}

// x f(y), and 0 where x is 0 and y not NaN.
template <const char* const& function> void product_emit(const EmitIn& in, kernel::Plan& plan) {
  const DType d = in.out[0].dtype;
  kernel::ProgramBuilder b(in.out[0].shape);
  const kernel::Value x = b.memory(0, d, kernel::broadcast_strides(in.in[0].shape, in.out[0].shape));
  const kernel::Value y = b.memory(1, d, kernel::broadcast_strides(in.in[1].shape, in.out[0].shape));
  const kernel::Value zero = b.convert(b.constant_of(DType::float32, 0.0f), d);
  const kernel::Value counts = b.apply("or", DType::bool_, {b.apply("ne", d, {x, zero}), b.apply("ne", d, {y, y})});
  const kernel::Value product = b.apply("mul", d, {x, b.apply(function, d, {y})});
  b.store_contiguous(b.apply("select", d, {counts, zero, product}), 2);
  const int buffers[] = {0, 1, 2};
  kernel::append(&plan, b.finish(), buffers);
}
template <Array (*function)(const Array&)> Array product_expand(const EqnContext&, std::span<const Array> in) {
  const Array product = mul(in[0], function(in[1])), zero = number_like(product, 0);
  const Array counts = bit_or(ne(in[0], number_like(in[0], 0)), ne(in[1], in[1]));
  return select(broadcast_to_shape(counts, product.shape()), product, broadcast_to_shape(zero, product.shape()));
}
// Linear in x.
template <const Primitive& function> void product_transpose(const TransposeIn& in, TangentVec& out) {
  const bool needed = in.args[0].is_linear() && !in.cts[0].is_zero();
  out.push_back(needed ? Tangent(unbroadcast(mul(in.cts[0].value(), function(in.args[1].value)), in.args[0].aval.shape))
                       : Tangent::zero_of(in.args[0].aval));
  out.push_back(Tangent::zero_of(in.args[1].aval));
}
constexpr const char* log_name = "log";
constexpr const char* log1p_name = "log1p";

void logit_emit(const EmitIn& in, kernel::Plan& plan) {
  const DType d = in.out[0].dtype;
  kernel::ProgramBuilder b(in.out[0].shape);
  const kernel::Value x = b.contiguous(0, d), one = b.convert(b.constant_of(DType::float32, 1.0f), d);
  b.store_contiguous(b.apply("log", d, {b.apply("div", d, {x, b.apply("sub", d, {one, x})})}), 1);
  const int buffers[] = {0, 1};
  kernel::append(&plan, b.finish(), buffers);
}

// Operands of one whole value each: orders.
std::vector<Sample> order_samples(int operands, std::initializer_list<double> orders) {
  std::vector<Sample> v;
  for (DType d : {DType::float32, DType::float64, DType::bfloat16, DType::float16})
    for (double order : orders)
      v.push_back({{}, std::vector<Aval>(static_cast<std::size_t>(operands), {Shape{3}, d, false}), {order, order}});
  return v;
}
std::vector<Sample> two_orders() { return order_samples(2, {1, 2, 3}); }
std::vector<Sample> three_orders() { return order_samples(3, {1, 2}); }

}  // namespace

#define COTAN_TERM(e) [](const JvpTermIn& a) -> Array { return e; }
#define COTAN_MORE(NAME, HLO, OPERANDS, DOC, LOW, HIGH, ...)     \
  constinit const Primitive NAME##_p{.name = #NAME,              \
                                     .doc = DOC,                 \
                                     .kind = Kind::elementwise,  \
                                     .operands = OPERANDS,       \
                                     .dtypes = floating,         \
                                     .domain = {LOW, HIGH},      \
                                     .jvp_terms = {__VA_ARGS__}, \
                                     .transpose = not_linear,    \
                                     .tile = #NAME,              \
                                     .stablehlo = HLO,           \
                                     .cost = transcendental};
#define COTAN_MORE_1(NAME, HLO, DOC, LOW, HIGH, TERM) \
  COTAN_MORE(NAME, HLO, 1, DOC, LOW, HIGH, COTAN_TERM(mul(a.t, TERM)))

COTAN_MORE_1(gamma, expand::gamma, "Gamma(x); +-inf at +-0, NaN at the negative poles. Within 6 ulp.", 0.5, 3,
             mul(a.out, digamma(a.x[0])))
COTAN_MORE_1(ndtri, expand::ndtri, "The inverse of the normal distribution function; NaN outside [0, 1]. Within 6 ulp.",
             0.1, 0.9, mul(constant(a, 2.50662827463100050242), exp(mul(constant(a, 0.5), square(a.out)))))
COTAN_MORE_1(log_ndtr, expand::log_ndtr, "The logarithm of the normal distribution function. Within 4 ulp.", -3, 3,
             div(constant(a, 0.79788456080286535588), erfcx_p(mul(a.x[0], constant(a, -0.70710678118654752440)))))
COTAN_MORE_1(erfcx, expand::erfcx, "exp(x^2) erfc(x). Within 6 ulp.", -2, 2,
             sub(mul(mul(constant(a, 2), a.x[0]), a.out), constant(a, 1.12837916709551257390)))
COTAN_MORE_1(dawsn, expand::dawsn, "Dawson's integral, exp(-x^2) times that of exp(t^2) over [0, x]. Within 6 ulp.", -2,
             2, sub(constant(a, 1), mul(mul(constant(a, 2), a.x[0]), a.out)))
COTAN_MORE_1(expi, expand::expi, "The exponential integral Ei(x); -inf at 0. Within 6 ulp.", 0.2, 2,
             div(exp(a.x[0]), a.x[0]))
COTAN_MORE_1(sine_integral, expand::sine_integral, "Si(x), the integral of sin(t)/t over [0, x]. Within 6 ulp.", -2, 2,
             sinc_of(a))
COTAN_MORE_1(cosine_integral, expand::cosine_integral, "Ci(|x|); -inf at 0. Within 5 ulp, absolute below 1.", 0.5, 2,
             div(cos(a.x[0]), a.x[0]))
COTAN_MORE_1(fresnel_sine, expand::fresnel_sine, "The integral of sin(pi t^2 / 2) over [0, x]. Within 10 ulp.", -2, 2,
             phase_sin(a))
COTAN_MORE_1(fresnel_cosine, expand::fresnel_cosine, "The integral of cos(pi t^2 / 2) over [0, x]. Within 10 ulp.", -2,
             2, phase_cos(a))

COTAN_MORE(betaln, expand::betaln, 2, "log |B(a, b)|. Within 10 ulp, absolute below 1.", 0.5, 3,
           COTAN_TERM(mul(a.t, digamma_difference(a.x[0], add(a.x[0], a.x[1])))),
           COTAN_TERM(mul(a.t, digamma_difference(a.x[1], add(a.x[0], a.x[1])))))
COTAN_MORE(poch, expand::poch, 2,
           "Pochhammer's symbol Gamma(z + m) / Gamma(z). Within 20 ulp for positive z and z + m up to 40.", 0.5, 3,
           COTAN_TERM(mul(a.t, mul(a.out, digamma_difference(add(a.x[0], a.x[1]), a.x[0])))),
           COTAN_TERM(mul(a.t, mul(a.out, digamma(add(a.x[0], a.x[1]))))))
COTAN_MORE(owens_t, expand::owens_t, 2, "Owen's T(h, a). Within 20 ulp.", -2, 2, owens_h_term, owens_a_term)

constinit const Primitive spence_p{.name = "spence",
                                   .doc = "The dilogarithm of 1 - x; NaN for negative x. Within 4 ulp.",
                                   .kind = Kind::elementwise,
                                   .dtypes = floating,
                                   .domain = {0.2, 3},
                                   .jvp_terms = {spence_term},
                                   .transpose = not_linear,
                                   .tile = "spence",
                                   .stablehlo = expand::spence};
constinit const Primitive expn_p{
    .name = "expn",
    .doc = "The exponential integral E_n(x), n a whole number (else NaN); NaN for negative x. Within 50 ulp.",
    .kind = Kind::elementwise,
    .operands = 2,
    .dtypes = floating,
    .jvp_terms = {none<expn_p, 'n'>, COTAN_TERM(neg(mul(a.t, expn_p(sub(a.x[0], constant(a, 1)), a.x[1]))))},
    .transpose = not_linear,
    .tile = "expn",
    .stablehlo = expand::expn,
    .samples = two_orders};
constinit const Primitive bessel_jn_p{
    .name = "bessel_jn",
    .doc = "Bessel's J_n(x), n a whole number.",
    .kind = Kind::elementwise,
    .operands = 2,
    .dtypes = floating,
    .jvp_terms = {none<bessel_jn_p, 'n'>,
                  COTAN_TERM(mul(a.t, mul(constant(a, 0.5), sub(bessel_jn_p(sub(a.x[0], constant(a, 1)), a.x[1]),
                                                                bessel_jn_p(add(a.x[0], constant(a, 1)), a.x[1])))))},
    .transpose = not_linear,
    .tile = "bessel_jn",
    .stablehlo = expand::bessel_jn,
    .samples = two_orders};
constinit const Primitive sph_legendre_p{
    .name = "sph_legendre",
    .doc =
        "The spherical harmonic of degree n and order m at the polar angle theta and azimuth 0; n and m whole numbers.",
    .kind = Kind::elementwise,
    .operands = 3,
    .dtypes = floating,
    .jvp_terms = {none<sph_legendre_p, 'n'>, none<sph_legendre_p, 'm'>, sph_legendre_term},
    .transpose = not_linear,
    .tile = "sph_legendre",
    .stablehlo = expand::sph_legendre,
    .samples = three_orders};

// w'(z) = 2i / sqrt(pi) - 2 z w(z), DLMF 7.10.2.
constinit const Primitive wofz_p{
    .name = "wofz",
    .doc = "The Faddeeva function exp(-z^2) erfc(-iz) of complex z. Each part within 20 ulp of the larger one.",
    .kind = Kind::elementwise,
    .dtypes = complexes,
    .domain = {-1.5, 1.5},
    .jvp_terms = {COTAN_TERM(
        mul(a.t, sub(complex(number_like(real(a.x[0]), 0), number_like(real(a.x[0]), 1.12837916709551257390)),
                     mul(constant(a, 2), mul(a.x[0], a.out)))))},
    .transpose = not_linear,
    .tile = "wofz",
    .stablehlo = expand::wofz};

constinit const Primitive xlogy_p{
    .name = "xlogy",
    .doc = "x log(y), and 0 where x is 0 and y is not NaN.",
    .kind = Kind::elementwise,
    .operands = 2,
    .dtypes = floating,
    .domain = {0.5, 3},
    .jvp_terms = {COTAN_TERM(mul(a.t, log(a.x[1]))), COTAN_TERM(div(mul(a.t, a.x[0]), a.x[1]))},
    .transpose = product_transpose<log_p>,
    .emit = product_emit<log_name>,
    .stablehlo = product_expand<log>};
constinit const Primitive xlog1py_p{
    .name = "xlog1py",
    .doc = "x log1p(y), and 0 where x is 0 and y is not NaN.",
    .kind = Kind::elementwise,
    .operands = 2,
    .dtypes = floating,
    .domain = {0.5, 3},
    .jvp_terms = {COTAN_TERM(mul(a.t, log1p(a.x[1]))), COTAN_TERM(div(mul(a.t, a.x[0]), add(constant(a, 1), a.x[1])))},
    .transpose = product_transpose<log1p_p>,
    .emit = product_emit<log1p_name>,
    .stablehlo = product_expand<log1p>};
constinit const Primitive logit_p{.name = "logit",
                                  .doc = "log(x / (1 - x)).",
                                  .kind = Kind::elementwise,
                                  .dtypes = floating,
                                  .domain = {0.2, 0.8},
                                  .jvp_terms = {COTAN_TERM(div(a.t, mul(a.x[0], sub(constant(a, 1), a.x[0]))))},
                                  .transpose = not_linear,
                                  .emit = logit_emit,
                                  .stablehlo = [](const EqnContext&, std::span<const Array> in) {
                                    return log(div(in[0], sub(number_like(in[0], 1), in[0])));
                                  }};

void register_special_more() {
  for (const Primitive* p :
       {&gamma_p,          &betaln_p,  &poch_p,    &ndtri_p,         &log_ndtr_p,        &erfcx_p,
        &dawsn_p,          &expn_p,    &expi_p,    &sine_integral_p, &cosine_integral_p, &fresnel_sine_p,
        &fresnel_cosine_p, &spence_p,  &owens_t_p, &bessel_jn_p,     &sph_legendre_p,    &wofz_p,
        &xlogy_p,          &xlog1py_p, &logit_p})
    register_primitive(*p);
}

}  // namespace cotan::ops

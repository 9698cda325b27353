// Special functions: records. Errors are the largest seen against mpmath (tests/golden/special.py), in ulp of float64; float32 is
// computed in double but for erf, erfc and the Bessel functions, whose float32 has its own polynomials.
#include "ops/special.h"

#include <limits>

#include "ops/common.h"
#include "ops/costs.h"
#include "ops/elementwise.h"
#include "ops/expand.h"
#include "ops/op_list.h"

namespace cotan::ops {

namespace {

Array constant(const JvpTermIn& a, double v) { return number_like(a.x[0], v); }

// Where there is no derivative by a parameter. JAX raises ValueError for some, and has no rule for others.
template <class E> [[noreturn]] void refuse(const char* function, const char* parameter) {
  throw E(std::string(function) + " is not differentiable with respect to " + parameter + "; it was asked for there");
}

// +-2/sqrt(pi) exp(-x^2).
Array erf_term(const JvpTermIn& a, double scale) { return mul(constant(a, scale), mul(a.t, exp(neg(square(a.x[0]))))); }
constexpr double two_over_root_pi = 1.12837916709551257390;

Array i0e_term(const JvpTermIn& a) { return mul(a.t, sub(bessel_i1e(a.x[0]), mul(sign(a.x[0]), a.out))); }

// i0e(x) - (sign x + 1/x) i1e(x); 1/2 where 1/x would lose it.
Array i1e_term(const JvpTermIn& a) {
  const Array& x = a.x[0];
  const DType d = x.dtype();
  const double least = d == DType::float64   ? std::numeric_limits<double>::epsilon()
                       : d == DType::float32 ? 0x1p-23
                       : d == DType::float16 ? 0x1p-10
                                             : 0x1p-7;
  const Array tiny = le(abs(x), constant(a, least));
  const Array safe = select(tiny, full(x.aval(), least), x);
  const Array slope = sub(bessel_i0e(safe), mul(a.out, add(sign(safe), integer_pow(safe, -1))));
  return mul(a.t, select(tiny, full(x.aval(), 0.5), slope));
}

Array less_digamma(const Array& log_x, const Array& a) { return sub(log_x, digamma(a)); }
// (a - 1)/x - 1, the logarithmic derivative of gamma_density by x.
Array gamma_score(const JvpTermIn& a) { return sub(div(sub(a.x[0], constant(a, 1)), a.x[1]), constant(a, 1)); }

Array no_order(const JvpTermIn&) { refuse<ValueError>("polygamma", "m"); }
template <int i> Array no_shape(const JvpTermIn&) { refuse<ValueError>("betainc", i == 0 ? "a" : "b"); }
template <const Primitive& p> Array no_second(const JvpTermIn&) { refuse<NotImplementedError>(p.name, "a"); }

Array random_gamma_slope(const JvpTermIn& a) {
  return mul(a.t, neg(add(less_digamma(log(a.x[1]), a.x[0]), mul(a.out, gamma_score(a)))));
}

// The logarithmic derivatives of beta_density by a shape and by x.
Array beta_shape_score(const JvpTermIn& a, int i, const Array& log_part) {
  const Array sum = digamma(add(a.x[0], a.x[1]));
  return add(less_digamma(log_part, a.x[static_cast<std::size_t>(i)]), sum);
}
Array beta_score(const JvpTermIn& a) {
  const Array one = number_like(a.x[2], 1), &x = a.x[2];
  return sub(div(sub(a.x[0], one), x), div(sub(a.x[1], one), sub(one, x)));
}

// Operands whose order is an integer: the same for both, so that m is one too.
std::vector<Sample> polygamma_samples() {
  std::vector<Sample> v;
  for (DType d : {DType::float32, DType::float64, DType::bfloat16, DType::float16})
    for (double order : {1.0, 2.0, 3.0})
      v.push_back({{}, {{Shape{3}, d, false}, {Shape{3}, d, false}}, {order, order}});
  v.push_back({{}, {{Shape{}, DType::float64, false}, {Shape{2, 3}, DType::float64, false}}, {2, 2}});
  return v;
}

}  // namespace

#define COTAN_SPECIAL_1(NAME, HLO, DOC, LOW, HIGH, TERM)                                     \
  constinit const Primitive NAME##_p{.name = #NAME,                                          \
                                     .doc = DOC,                                             \
                                     .kind = Kind::elementwise,                              \
                                     .dtypes = floating,                                     \
                                     .domain = {LOW, HIGH},                                  \
                                     .jvp_terms = {[](const JvpTermIn& a) { return TERM; }}, \
                                     .transpose = not_linear,                                \
                                     .tile = #NAME,                                          \
                                     .stablehlo = HLO,                                       \
                                     .cost = transcendental};
#define COTAN_SPECIAL_2(NAME, HLO, DOC, LOW, HIGH, TERM_0, TERM_1)  \
  constinit const Primitive NAME##_p{.name = #NAME,                 \
                                     .doc = DOC,                    \
                                     .kind = Kind::elementwise,     \
                                     .operands = 2,                 \
                                     .dtypes = floating,            \
                                     .domain = {LOW, HIGH},         \
                                     .jvp_terms = {TERM_0, TERM_1}, \
                                     .transpose = not_linear,       \
                                     .tile = #NAME,                 \
                                     .stablehlo = HLO,              \
                                     .cost = transcendental};
#define COTAN_TERM(e) [](const JvpTermIn& a) -> Array { return e; }

COTAN_SPECIAL_1(erf, expand::erf, "The error function. Within 1 ulp.", -2, 2, erf_term(a, two_over_root_pi))
COTAN_SPECIAL_1(erfc, expand::erfc, "1 - erf(x), right in the tail. Within 2 ulp.", -2, 2,
                erf_term(a, -two_over_root_pi))
COTAN_SPECIAL_1(
    lgamma, expand::lgamma,
    "log |Gamma(x)|; inf at the poles 0, -1, ... Within 3 ulp for x > 0; below, an absolute error near the zeros.", 0.3,
    4, mul(a.t, digamma(a.x[0])))
COTAN_SPECIAL_1(
    digamma, expand::digamma,
    "The derivative of lgamma; NaN at the poles. Within 3 ulp for x > 0; below within 5, absolute near the zeros.", 0.3,
    4, mul(a.t, polygamma(constant(a, 1), a.x[0])))
COTAN_SPECIAL_1(bessel_i0e, expand::bessel_i0e, "exp(-|x|) I_0(x), of the modified Bessel function. Within 3 ulp.", -3,
                3, i0e_term(a))
COTAN_SPECIAL_1(bessel_i1e, expand::bessel_i1e, "exp(-|x|) I_1(x). Within 3 ulp.", -3, 3, i1e_term(a))

constinit const Primitive polygamma_p{
    .name = "polygamma",
    .doc = "The m-th derivative of digamma at x; NaN unless m is a whole number >= 0. Within 6 ulp for x > 0.",
    .kind = Kind::elementwise,
    .operands = 2,
    .dtypes = floating,
    .jvp_terms = {no_order, COTAN_TERM(mul(a.t, polygamma(add(a.x[0], constant(a, 1)), a.x[1])))},
    .transpose = not_linear,
    .tile = "polygamma",
    .stablehlo = expand::polygamma,
    .samples = polygamma_samples};
COTAN_SPECIAL_2(zeta, expand::zeta,
                "Hurwitz's zeta function, the sum of (q + k)^-x over k >= 0, for x > 1; inf at x = 1 and at the poles "
                "q = 0, -1, ... "
                "Within 4 ulp for q > 0.",
                1.5, 3, COTAN_TERM(mul(a.t, zeta_grad_x(a.x[0], a.x[1]))),
                COTAN_TERM(mul(a.t, neg(mul(a.x[0], zeta(add(a.x[0], constant(a, 1)), a.x[1]))))))

COTAN_SPECIAL_2(
    igamma, expand::igamma,
    "The regularised lower incomplete gamma function of a and x. NaN for negative operands. Within 20 ulp where it is "
    "above 1e-3; in the tails an ulp for each unit of its logarithm more.",
    0.5, 3, COTAN_TERM(mul(a.t, igamma_grad_a(a.x[0], a.x[1]))), COTAN_TERM(mul(a.t, gamma_density(a.x[0], a.x[1]))))
COTAN_SPECIAL_2(igammac, expand::igammac, "1 - igamma(a, x), right in the tail. Errors as igamma's.", 0.5, 3,
                COTAN_TERM(neg(mul(a.t, igamma_grad_a(a.x[0], a.x[1])))),
                COTAN_TERM(neg(mul(a.t, gamma_density(a.x[0], a.x[1])))))
COTAN_SPECIAL_2(igamma_grad_a, expand::igamma_grad_a, "The derivative of igamma by a. Errors as igamma's.", 0.5, 3,
                no_second<igamma_grad_a_p>,
                COTAN_TERM(mul(a.t, mul(gamma_density(a.x[0], a.x[1]), less_digamma(log(a.x[1]), a.x[0])))))
COTAN_SPECIAL_2(
    random_gamma_grad, expand::random_gamma_grad,
    "The derivative by a of a Gamma(a) variate x: -igamma_grad_a(a, x) / gamma_density(a, x). Within 30 ulp.", 0.5, 3,
    no_second<random_gamma_grad_p>, random_gamma_slope)
COTAN_SPECIAL_2(gamma_density, expand::gamma_density,
                "x^(a-1) exp(-x) / Gamma(a), the density of the gamma distribution. Errors as igamma's.", 0.5, 3,
                COTAN_TERM(mul(a.t, mul(a.out, less_digamma(log(a.x[1]), a.x[0])))),
                COTAN_TERM(mul(a.t, mul(a.out, gamma_score(a)))))

constinit const Primitive regularized_incomplete_beta_p{
    .name = "regularized_incomplete_beta",
    .doc =
        "The regularised incomplete beta function I_x(a, b). NaN for negative a or b, and x outside [0, 1]. Errors as "
        "igamma's. Not differentiable with respect to a and b.",
    .kind = Kind::elementwise,
    .operands = 3,
    .dtypes = floating,
    .domain = {0.2, 0.8},
    .jvp_terms = {no_shape<0>, no_shape<1>, COTAN_TERM(mul(a.t, beta_density(a.x[0], a.x[1], a.x[2])))},
    .transpose = not_linear,
    .tile = "regularized_incomplete_beta",
    .stablehlo = expand::betainc};
constinit const Primitive beta_density_p{
    .name = "beta_density",
    .doc = "x^(a-1) (1-x)^(b-1) / B(a, b), the density of the beta distribution. Errors as igamma's.",
    .kind = Kind::elementwise,
    .operands = 3,
    .dtypes = floating,
    .domain = {0.2, 0.8},
    .jvp_terms = {COTAN_TERM(mul(a.t, mul(a.out, beta_shape_score(a, 0, log(a.x[2]))))),
                  COTAN_TERM(mul(a.t, mul(a.out, beta_shape_score(a, 1, log1p(neg(a.x[2])))))),
                  COTAN_TERM(mul(a.t, mul(a.out, beta_score(a))))},
    .transpose = not_linear,
    .tile = "beta_density",
    .stablehlo = expand::beta_density};
constinit const Primitive log_beta_density_p{
    .name = "log_beta_density",
    .doc = "The logarithm of beta_density, without its underflow. Within 20 ulp, absolute below 1.",
    .kind = Kind::elementwise,
    .operands = 3,
    .dtypes = floating,
    .domain = {0.2, 0.8},
    .jvp_terms = {COTAN_TERM(mul(a.t, beta_shape_score(a, 0, log(a.x[2])))),
                  COTAN_TERM(mul(a.t, beta_shape_score(a, 1, log1p(neg(a.x[2]))))),
                  COTAN_TERM(mul(a.t, beta_score(a)))},
    .transpose = not_linear,
    .tile = "log_beta_density",
    .stablehlo = expand::log_beta_density};
COTAN_SPECIAL_2(log_gamma_density, expand::log_gamma_density,
                "The logarithm of gamma_density, without its underflow. Within 20 ulp, absolute below 1.", 0.5, 3,
                COTAN_TERM(mul(a.t, less_digamma(log(a.x[1]), a.x[0]))), COTAN_TERM(mul(a.t, gamma_score(a))))

void register_special() {
  for (const Primitive* p :
       {&erf_p, &erfc_p, &lgamma_p, &digamma_p, &polygamma_p, &zeta_p, &bessel_i0e_p, &bessel_i1e_p, &igamma_p,
        &igammac_p, &igamma_grad_a_p, &random_gamma_grad_p, &gamma_density_p, &regularized_incomplete_beta_p,
        &beta_density_p, &log_gamma_density_p, &log_beta_density_p})
    register_primitive(*p);
}

}  // namespace cotan::ops

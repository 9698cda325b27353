// Hypergeometric functions, and derivatives by operands that have no formula: of these and of zeta.
#include <algorithm>
#include <array>

#include "kernel/plan.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/expand.h"
#include "ops/op_list.h"
#include "ops/special.h"

namespace cotan::ops {

extern const Primitive zeta_grad_x_p, hyp1f1_grad_p, hyp2f1_grad_p, complex_polygamma_p;

namespace {

Array constant(const JvpTermIn& a, double v) { return number_like(a.x[0], v); }

// Which operands a derivative is by, numbered from 0: `second` is -1 where there is one only.
struct GradParams {
  int first, second;
  template <class S, class V> static void fields(S& s, V& v) { v("first", s.first), v("second", s.second); }
};
std::uint32_t grad_aux(const EqnContext& c) {
  const auto& p = c.params<GradParams>();
  return static_cast<std::uint32_t>(p.first) | static_cast<std::uint32_t>(p.second + 1) << 8;
}
struct OrderParams {
  int order;
  template <class S, class V> static void fields(S& s, V& v) { v("order", s.order); }
};
template <Array (*f)(int, std::span<const Array>)> Array by_order(const EqnContext& c, std::span<const Array> in) {
  return f(c.params<OrderParams>().order, in);
}
template <Array (*f)(int, int, std::span<const Array>)>
Array by_operands(const EqnContext& c, std::span<const Array> in) {
  const auto& p = c.params<GradParams>();
  return f(p.first, p.second, in);
}
std::uint32_t order_aux(const EqnContext& c) { return static_cast<std::uint32_t>(c.params<OrderParams>().order); }

[[noreturn]] void refuse_third(const char* function, const char* operand) {
  throw NotImplementedError(std::string("the second derivative of ") + function +
                            " is not differentiable with respect to " + operand);
}

// How often a derivative is by each operand.
using Orders = std::array<int, 3>;
Orders orders_of(const GradParams& p) {
  Orders o{};
  ++o[static_cast<std::size_t>(p.first)];
  if (p.second >= 0) ++o[static_cast<std::size_t>(p.second)];
  return o;
}
Array derivative_of(const Primitive& function, const Primitive& grad, const Orders& orders, std::span<const Array> x) {
  GradParams p{-1, -1};
  for (int i = 0; i < 3; ++i)
    for (int n = orders[static_cast<std::size_t>(i)]; n > 0; --n) (p.first < 0 ? p.first : p.second) = i;
  return p.first < 0 ? function.bind1({}, x) : grad.bind1(make_params(p), x);
}

// Tops over bottom, a b / c or a / c, times the function of operands larger by 1, differentiated by Leibniz' rule: the
// derivative by x of the function's derivative by other operands.
Array hyper_slope(const Primitive& function, const Primitive& grad, const Orders& orders, std::span<const Array> x) {
  const std::size_t bottom = x.size() - 2;
  const Array one = number_like(x[0], 1);
  std::vector<Array> raised(x.begin(), x.end());
  for (std::size_t i = 0; i <= bottom; ++i) raised[i] = add(x[i], one);
  Array sum = number_like(x[0], 0), inverse = div(one, x[bottom]);
  double sign = 1;
  for (int k = 0; k <= orders[bottom]; ++k) {               // the k-th derivative of 1 / c
    for (unsigned lost = 0; lost < 1U << bottom; ++lost) {  // the tops that are differentiated once: 1 for each
      Orders rest = orders;
      rest[bottom] -= k;
      Array term = mul(number_like(x[0], sign), inverse);
      bool exists = true;
      for (std::size_t i = 0; i < bottom; ++i) {
        if ((lost >> i & 1) == 0) {
          term = mul(term, x[i]);
          continue;
        }
        exists &= rest[i] > 0;
        term = mul(term, number_like(x[0], rest[i]));
        --rest[i];
      }
      if (exists) sum = add(sum, mul(term, derivative_of(function, grad, rest, raised)));
    }
    inverse = div(inverse, x[bottom]);
    sign *= -(orders[bottom] - k);
  }
  return sum;
}

template <const Primitive& function, const Primitive& grad> Array hyper_x_term(const JvpTermIn& a) {
  return mul(a.t, hyper_slope(function, grad, {}, a.x));
}
template <const Primitive& function, const Primitive& grad> Array hyper_grad_x_term(const JvpTermIn& a) {
  return mul(a.t, hyper_slope(function, grad, orders_of(a.params<GradParams>()), a.x));
}
template <const Primitive& grad, int i> Array hyper_term(const JvpTermIn& a) {
  return mul(a.t, grad.bind1(make_params(GradParams{i, -1}), a.x));
}
template <const Primitive& function, const Primitive& grad, int i> Array hyper_grad_term(const JvpTermIn& a) {
  const auto& p = a.params<GradParams>();
  if (p.second >= 0) refuse_third(function.name, "its parameters");
  return mul(a.t, grad.bind1(make_params(GradParams{std::min(p.first, i), std::max(p.first, i)}), a.x));
}

Array zeta_grad_x_term(const JvpTermIn& a) {
  if (a.params<OrderParams>().order > 1) refuse_third("zeta", "its first operand");
  return mul(a.t, zeta_grad_x_p.bind1(make_params(OrderParams{2}), a.x));
}
// d/dq zeta(s, q) = -s zeta(s + 1, q), as often by s as the order says.
Array zeta_grad_q_term(const JvpTermIn& a) {
  const int order = a.params<OrderParams>().order;
  const Array next = add(a.x[0], constant(a, 1));
  const auto by_s = [&](int n) {
    const Array x[] = {next, a.x[1]};
    return n == 0 ? zeta(x[0], x[1]) : zeta_grad_x_p.bind1(make_params(OrderParams{n}), x);
  };
  return mul(a.t, neg(add(mul(a.x[0], by_s(order)), mul(constant(a, order), by_s(order - 1)))));
}

// In double, as pairs.
void hyp2f1_emit(const EmitIn& in, kernel::Plan& plan) {
  kernel::ProgramBuilder b(in.out[0].shape);
  const auto operand = [&](std::size_t i) {
    const kernel::Value x =
        b.memory(static_cast<int>(i), in.in[i].dtype, kernel::broadcast_strides(in.in[i].shape, in.out[0].shape));
    return b.convert(x, DType::float64);
  };
  const auto pair = [&](std::size_t i) {
    const kernel::Value parts[] = {operand(i), operand(i + 1)};
    return b.apply_to("complex", DType::float64, DType::complex128, parts);
  };
  const kernel::Value first = pair(0), second = pair(2);
  const std::uint32_t aux = in.primitive.tile_aux ? in.primitive.tile_aux(in) : 0;
  const kernel::Value value[] = {b.apply(in.primitive.name, DType::complex128, {first, second}, aux)};
  const kernel::Value real = b.apply_to("real", DType::complex128, DType::float64, value);
  b.store_contiguous(b.convert(real, in.out[0].dtype), 4);
  const int buffers[] = {0, 1, 2, 3, 4};
  kernel::append(&plan, b.finish(), buffers);
}

// For each of the parameters, operands in the interval.
std::vector<Sample> derivative_samples(int operands, const std::vector<ParamsRef>& params,
                                       std::pair<double, double> domain) {
  std::vector<Sample> v;
  for (DType d : {DType::float64, DType::float32, DType::bfloat16})
    for (const ParamsRef& p : params)
      v.push_back({p,
                   std::vector<Aval>(static_cast<std::size_t>(operands), {Shape{3}, d, false}),
                   {domain.first, domain.second}});
  return v;
}
// Every first and second derivative by so many parameters.
std::vector<ParamsRef> gradients(int parameters) {
  std::vector<ParamsRef> v;
  for (int i = 0; i < parameters; ++i) {
    for (int j = i; j < parameters; ++j) v.push_back(make_params(GradParams{i, j}));
    v.push_back(make_params(GradParams{i, -1}));
  }
  return v;
}
}  // namespace

Array zeta_grad_x(const Array& s, const Array& q) {
  const Array x[] = {s, q};
  return zeta_grad_x_p.bind1(make_params(OrderParams{1}), x);
}

constinit const Primitive zeta_grad_x_p{
    .name = "zeta_grad_x",
    .doc = "The first or second derivative of zeta by its first operand, for a positive second. Within 8 ulp.",
    .kind = Kind::elementwise,
    .operands = 2,
    .dtypes = floating,
    .params = &params_ops<OrderParams>,
    .jvp_terms = {zeta_grad_x_term, zeta_grad_q_term},
    .transpose = not_linear,
    .tile = "zeta_grad_x",
    .tile_aux = order_aux,
    .stablehlo = by_order<expand::zeta_grad_x>,
    .samples = [] {
      return derivative_samples(2, {make_params(OrderParams{1}), make_params(OrderParams{2})}, {1.5, 3});
    }};
constinit const Primitive hyp1f1_p{
    .name = "hyp1f1",
    .doc = "Kummer's 1F1(a; b; x). Within 50 ulp for positive a and b.",
    .kind = Kind::elementwise,
    .operands = 3,
    .dtypes = floating,
    .domain = {0.5, 2},
    .jvp_terms = {hyper_term<hyp1f1_grad_p, 0>, hyper_term<hyp1f1_grad_p, 1>, hyper_x_term<hyp1f1_p, hyp1f1_grad_p>},
    .transpose = not_linear,
    .tile = "hyp1f1",
    .stablehlo = expand::hyp1f1};
constinit const Primitive hyp1f1_grad_p{
    .name = "hyp1f1_grad",
    .doc = "A derivative of hyp1f1 by the parameters: `first`, and `second` unless it is -1; 0 is a, 1 is b.",
    .kind = Kind::elementwise,
    .operands = 3,
    .dtypes = floating,
    .params = &params_ops<GradParams>,
    .jvp_terms = {hyper_grad_term<hyp1f1_p, hyp1f1_grad_p, 0>, hyper_grad_term<hyp1f1_p, hyp1f1_grad_p, 1>,
                  hyper_grad_x_term<hyp1f1_p, hyp1f1_grad_p>},
    .transpose = not_linear,
    .tile = "hyp1f1_grad",
    .tile_aux = grad_aux,
    .stablehlo = by_operands<expand::hyp1f1_grad>,
    .samples = [] {
      return derivative_samples(3, gradients(2), {0.5, 2});
    }};
constinit const Primitive hyp2f1_p{.name = "hyp2f1",
                                   .doc = "Gauss's 2F1(a, b; c; x), for x <= 1. Within 500 ulp.",
                                   .kind = Kind::elementwise,
                                   .operands = 4,
                                   .dtypes = floating,
                                   .domain = {0.2, 0.8},
                                   .jvp_terms = {hyper_term<hyp2f1_grad_p, 0>, hyper_term<hyp2f1_grad_p, 1>,
                                                 hyper_term<hyp2f1_grad_p, 2>, hyper_x_term<hyp2f1_p, hyp2f1_grad_p>},
                                   .transpose = not_linear,
                                   .emit = hyp2f1_emit,
                                   .stablehlo = expand::hyp2f1};
constinit const Primitive hyp2f1_grad_p{
    .name = "hyp2f1_grad",
    .doc = "A derivative of hyp2f1 by the parameters: `first`, and `second` unless it is -1; 0 is a, 1 is b, 2 is c.",
    .kind = Kind::elementwise,
    .operands = 4,
    .dtypes = floating,
    .params = &params_ops<GradParams>,
    .jvp_terms = {hyper_grad_term<hyp2f1_p, hyp2f1_grad_p, 0>, hyper_grad_term<hyp2f1_p, hyp2f1_grad_p, 1>,
                  hyper_grad_term<hyp2f1_p, hyp2f1_grad_p, 2>, hyper_grad_x_term<hyp2f1_p, hyp2f1_grad_p>},
    .transpose = not_linear,
    .tile_aux = grad_aux,
    .emit = hyp2f1_emit,
    .stablehlo = by_operands<expand::hyp2f1_grad>,
    .samples = [] {
      return derivative_samples(4, gradients(3), {0.2, 0.8});
    }};

namespace {
// Its order is the index of the derivative of digamma.
Array complex_polygamma(int order, const Array& z) {
  return complex_polygamma_p.bind1(make_params(OrderParams{order}), {&z, 1});
}

std::vector<Sample> complex_samples() {
  std::vector<Sample> v;
  for (DType d : {DType::complex128, DType::complex64})
    for (int order : {0, 1, 2}) v.push_back({make_params(OrderParams{order}), {{Shape{3}, d, false}}, {-1.5, 1.5}});
  return v;
}
}  // namespace

constinit const Primitive loggamma_p{
    .name = "loggamma",
    .doc =
        "The logarithm of the gamma function of complex numbers, with the cut along the negative real axis. Within 30 "
        "ulp of "
        "the larger part, absolute below 1.",
    .kind = Kind::elementwise,
    .dtypes = complexes,
    .domain = {-1.5, 1.5},
    .jvp_terms = {[](const JvpTermIn& a) { return mul(a.t, complex_polygamma(0, a.x[0])); }},
    .transpose = not_linear,
    .tile = "loggamma",
    .stablehlo = expand::loggamma};
constinit const Primitive complex_gamma_p{
    .name = "complex_gamma",
    .doc =
        "The gamma function of complex numbers. Within 30 ulp of the larger part, and an ulp more for each unit of its "
        "logarithm.",
    .kind = Kind::elementwise,
    .dtypes = complexes,
    .domain = {-1.5, 1.5},
    .jvp_terms = {[](const JvpTermIn& a) { return mul(a.t, mul(a.out, complex_polygamma(0, a.x[0]))); }},
    .transpose = not_linear,
    .tile = "complex_gamma",
    .stablehlo = expand::complex_gamma};
constinit const Primitive complex_polygamma_p{
    .name = "complex_polygamma",
    .doc = "The derivative of loggamma, as often as the order and once more. Within 100 ulp of the larger part.",
    .kind = Kind::elementwise,
    .dtypes = complexes,
    .params = &params_ops<OrderParams>,
    .jvp_terms = {[](const JvpTermIn& a) {
      return mul(a.t, complex_polygamma(a.params<OrderParams>().order + 1, a.x[0]));
    }},
    .transpose = not_linear,
    .tile = "complex_polygamma",
    .tile_aux = order_aux,
    .stablehlo = by_order<expand::complex_polygamma>,
    .samples = complex_samples};

void register_special_hyper() {
  for (const Primitive* p : {&hyp1f1_p, &hyp1f1_grad_p, &hyp2f1_p, &hyp2f1_grad_p, &zeta_grad_x_p, &loggamma_p,
                             &complex_gamma_p, &complex_polygamma_p})
    register_primitive(*p);
}

}  // namespace cotan::ops

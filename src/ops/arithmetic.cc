// Arithmetic on numbers: the records of neg, add, mul, div, max, pow by integers, and their kin.
#include <cmath>

#include "core/check.h"
#include "core/simplify.h"
#include "core/stablehlo_writer.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/expand.h"
#include "ops/op_list.h"
#include "ops/reduction.h"
#include "ops/stablehlo.h"

namespace cotan::ops {

namespace {

// Cotangents of an equation that is linear in each operand by itself (add, sub): `sign` is that of the second operand.
void transpose_sum(const TransposeIn& in, TangentVec& out, bool negate_second) {
  for (std::size_t i = 0; i < in.args.size(); ++i) {
    if (!in.args[i].is_linear() || in.cts[0].is_zero()) {
      out.push_back(Tangent::zero(in.args[i].aval));
      continue;
    }
    Array ct = unbroadcast(in.cts[0].value(), in.args[i].aval.shape);
    out.push_back(i == 1 && negate_second ? neg(ct) : ct);
  }
}

// The cotangents (a, zero) or (zero, a) of a binary equation linear in one operand.
void one_sided(const TransposeIn& in, TangentVec& out, const Array& ct) {
  for (const LinearOperand& o : in.args)
    out.push_back(o.is_linear() ? Tangent(unbroadcast(ct, o.aval.shape)) : Tangent::zero(o.aval));
}

void transpose_mul(const TransposeIn& in, TangentVec& out) {
  const int other = in.args[0].is_linear() ? 1 : 0;
  if (in.args[static_cast<std::size_t>(other)].is_linear()) throw TypeError("mul of two linear values is not linear");
  one_sided(in, out, mul(in.cts[0].value(), in.args[static_cast<std::size_t>(other)].value));
}

void transpose_div(const TransposeIn& in, TangentVec& out) {
  if (in.args[1].is_linear()) throw TypeError("div is not linear in its divisor");
  one_sided(in, out, div(in.cts[0].value(), in.args[1].value));
}

void transpose_neg(const TransposeIn& in, TangentVec& out) { out.push_back(neg(in.cts[0].value())); }

// 1 where x is the extremum, 1/2 where both operands are, 0 elsewhere: ties share the tangent.
Array share(const Array& x, const Array& other, const Array& extremum) {
  const Aval a = extremum.aval();
  Array mine = select(eq(x, extremum), full(a, 1), full(a, 0));
  return div(mine, select(eq(other, extremum), full(a, 2), full(a, 1)));
}

void abs_avals(const AbstractIn& in, AvalVec& out) {
  check_dtype("abs", signed_ints | inexact, in.in[0]);
  out.push_back({in.in[0].shape, real_dtype(in.in[0].dtype), in.in[0].weak_type});
}

// d|x| = dx where x >= 0, -dx elsewhere, and for complex x the real part of conj(x)/|x| dx, with 0 at 0.
Array abs_term(const JvpTermIn& a) {
  const Array& x = a.x[0];
  if (!is_complex(x.dtype())) return select(ge(x, number_like(x, 0)), a.t, neg(a.t));
  Array safe = select(eq(a.out, number_like(a.out, 0)), full(a.out.aval(), 1), a.out);
  Array direction = div(conj(x, x.dtype()), convert_element_type(safe, x.dtype()));
  return real(mul(a.t, direction));
}

// --- simplifications ---------------------------------------------------------------------------------------------------------
Simplified neg_simplify(const SimplifyIn& in) {
  if (const JaxprEqn* e = in.producer(0, neg_p)) return in.operand_of(*e);
  return {};
}

Simplified abs_simplify(const SimplifyIn& in) {
  if (is_complex(in.aval(in.in[0]).dtype)) return {};
  if (const JaxprEqn* e = in.producer(0, abs_p); e && !is_complex(in.aval(in.operand_of(*e)).dtype)) return in.in[0];
  if (const JaxprEqn* e = in.producer(0, neg_p)) return {abs_p, {}, {in.operand_of(*e)}};
  return {};
}

// What changes no number when it is added: -0, as 0 would make -0 a 0.
bool adds_nothing(const HostScalar* v) {
  if (!v) return false;
  return *v ==
         (is_complex(v->dtype) ? HostScalar(std::complex<double>(-0.0, -0.0), v->dtype) : HostScalar(-0.0, v->dtype));
}
Simplified add_simplify(const SimplifyIn& in) {
  for (std::size_t i : {0u, 1u})
    if (adds_nothing(in.value(i))) return in.in[1 - i];
  return {};
}
Simplified sub_simplify(const SimplifyIn& in) {
  if (const HostScalar* v = in.value(1); v && !is_complex(v->dtype) && *v == HostScalar(0.0, v->dtype)) return in.in[0];
  return {};
}

// Complex products mix the parts: 1 times infinity has a NaN.
bool is_real_one(const HostScalar* v) { return v && !is_complex(v->dtype) && *v == HostScalar(1.0, v->dtype); }
Simplified mul_simplify(const SimplifyIn& in) {
  for (std::size_t i : {0u, 1u})
    if (is_real_one(in.value(i))) return in.in[1 - i];
  return {};
}

// The reciprocal of a power of two is exact; the exponents are those that float16 has on both sides.
Simplified div_simplify(const SimplifyIn& in) {
  const HostScalar* v = in.value(1);
  if (is_real_one(v)) return in.in[0];
  if (!v || !is_floating(v->dtype) || in.aval(in.in[0]).shape != in.out.shape) return {};
  int exponent = 0;
  const double d = v->as_double();
  if (std::abs(std::frexp(d, &exponent)) != 0.5 || std::abs(exponent - 1) > 14) return {};
  return {mul_p, {}, {in.in[0], in.literal(HostScalar(1 / d, v->dtype), in.aval(in.in[1]).weak_type)}};
}

// One of equal operands; the other one than an infinity that no number passes.
template <bool is_max> Simplified extremum_simplify(const SimplifyIn& in) {
  if (in.in[0] == in.in[1]) return in.in[0];
  for (std::size_t i : {0u, 1u})
    if (const HostScalar* v = in.value(i); v && is_floating(v->dtype))
      if (*v == HostScalar(is_max ? -HUGE_VAL : HUGE_VAL, v->dtype)) return in.in[1 - i];
  return {};
}

void zero_divisors(const ChecksIn& in, std::vector<Check>& out) {
  static const auto message = std::make_shared<const CheckMessage>(
      "division by zero", [](std::span<const Array>) { return std::string("division by zero"); });
  const Array& y = in.in[1];
  Array zero = eq(y, number_like(y, 0));
  if (zero.ndim() > 0) zero = reduce_or(zero, IntList::range(zero.ndim()));
  out.push_back({CheckKind::division, zero, {}, message});
}

struct IntegerPowParams {
  int y;
  template <class S, class V> static void fields(S& s, V& v) { v("y", s.y); }
};

Array integer_pow_term(const JvpTermIn& a) {
  const int y = a.params<IntegerPowParams>().y;
  if (y == 0) return zeros_of(a.t.aval());
  return mul(a.t, mul(number_like(a.out, y), integer_pow(a.x[0], y - 1)));
}

Simplified integer_pow_simplify(const SimplifyIn& in) {
  if (in.params<IntegerPowParams>().y == 1 && !is_complex(in.out.dtype)) return in.in[0];
  return {};
}

std::uint32_t integer_pow_aux(const EqnContext& c) {
  return static_cast<std::uint32_t>(c.params<IntegerPowParams>().y);
}

// By squaring; of a negative power the reciprocal.
void integer_pow_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const int y = in.params<IntegerPowParams>().y;
  const HloValue one = w.constant(in.operands[0].type, 1.0);
  HloValue square = in.operands[0], product = one;
  for (unsigned rest = y < 0 ? 0u - static_cast<unsigned>(y) : static_cast<unsigned>(y); rest; rest >>= 1) {
    if (rest & 1) product = product.id == one.id ? square : w.binary("stablehlo.multiply", product, square);
    if (rest > 1) square = w.binary("stablehlo.multiply", square, square);
  }
  results.push_back(y < 0 ? w.binary("stablehlo.divide", one, product) : product);
}

void sign_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const HloValue& x = in.operands[0];
  results.push_back(is_unsigned_integer(x.type.dtype) ? w.convert(w.convert(x, DType::bool_), x.type.dtype)
                                                      : w.unary("stablehlo.sign", x));
}
void extremum_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const Shape& shape = in.out[0].shape;
  results.push_back(
      hlo_extremum(w, in.primitive.name, w.broadcast_to(in.operands[0], shape), w.broadcast_to(in.operands[1], shape)));
}

// Euclid's algorithm on all pairs at once, until no remainder is left. The smallest integer stays itself: its magnitude is 2^(n-1)
// as an unsigned one.
void gcd_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const HloType out(in.out[0]);
  const DType magnitude = is_unsigned_integer(out.dtype) ? out.dtype : unsigned_like(out.dtype);
  HloValues start;
  for (const HloValue& v : in.operands) {
    const HloValue x = w.broadcast_to(v, out.shape);
    start.push_back(w.convert(magnitude == out.dtype ? x : w.unary("stablehlo.abs", x), magnitude));
  }
  const HloType types[] = {start[0].type, start[0].type};
  const auto unfinished = [&](HloWriter::Operands a, HloValues& r) {
    r.push_back(hlo_reduce(w, w.convert(a[1], DType::bool_), "stablehlo.or", w.constant(HloType({}, DType::bool_), 0.0),
                           IntList::range(out.shape.ndim())));
  };
  const auto step = [&](HloWriter::Operands a, HloValues& r) {
    const HloValue zero = w.constant(a[1].type, 0.0), more = w.compare(a[1], zero, "NE");
    const HloValue divisor = w.select(more, a[1], w.constant(a[1].type, 1.0));
    r.push_back(w.select(more, a[1], a[0]));
    r.push_back(w.select(more, w.binary("stablehlo.remainder", a[0], divisor), zero));
  };
  const HloWriter::Region regions[] = {{types, unfinished}, {types, step}};
  results.push_back(w.convert(w.op_with_regions("stablehlo.while", start, regions, types)[0], out.dtype));
}

std::vector<Sample> integer_pow_samples() {
  std::vector<Sample> v;
  for (int y : {0, 1, 2, 3, -1, -2, 7})
    for (DType d : {DType::float32, DType::float64, DType::complex64, DType::bfloat16, DType::int32}) {
      if (y < 0 && is_integer(d)) continue;
      v.push_back({make_params(IntegerPowParams{y}), {{Shape{3}, d, false}}, {0.5, 2}});
    }
  return v;
}

void integer_pow_avals(const AbstractIn& in, AvalVec& out) {
  check_dtype("integer_pow", numeric, in.in[0]);
  if (in.params<IntegerPowParams>().y < 0 && is_integer(in.in[0].dtype))
    throw TypeError("Integers cannot be raised to negative powers, got integer_pow of " + in.in[0].str() +
                    " with y=" + std::to_string(in.params<IntegerPowParams>().y));
  out.push_back(in.in[0]);
}

}  // namespace

constinit const Primitive neg_p{.name = "neg",
                                .doc = "-x. Integers wrap.",
                                .kind = Kind::elementwise,
                                .dtypes = numeric,
                                .jvp_terms = {[](const JvpTermIn& a) { return neg(a.t); }},
                                .transpose = transpose_neg,
                                .simplify = neg_simplify,
                                .nans = Nans::kept,
                                .tile = "neg",
                                .stablehlo = "stablehlo.negate"};

constinit const Primitive sign_p{.name = "sign",
                                 .doc = "-1, 0 or 1; NaN for NaN, -0 for -0; x/|x| for complex x.",
                                 .kind = Kind::elementwise,
                                 .dtypes = numeric,
                                 .jvp = zero_derivative,
                                 .transpose = not_linear,
                                 .nans = Nans::kept,
                                 .tile = "sign",
                                 .stablehlo = sign_write};

constinit const Primitive abs_p{.name = "abs",
                                .doc = "|x|, real also for complex x. The smallest signed integer is its own.",
                                .kind = Kind::elementwise,
                                .dtypes = signed_ints | inexact,
                                .abstract_eval = abs_avals,
                                .jvp_terms = {abs_term},
                                .transpose = not_linear,
                                .simplify = abs_simplify,
                                .nans = Nans::kept,
                                .tile = "abs",
                                .stablehlo = "stablehlo.abs"};

constinit const Primitive add_p{
    .name = "add",
    .doc = "x + y.",
    .kind = Kind::elementwise,
    .operands = 2,
    .dtypes = numeric,
    .jvp_terms = {[](const JvpTermIn& a) { return a.t; }, [](const JvpTermIn& a) { return a.t; }},
    .transpose = [](const TransposeIn& in, TangentVec& out) { transpose_sum(in, out, false); },
    .simplify = add_simplify,
    .tile = "add",
    .stablehlo = "stablehlo.add"};

constinit const Primitive add_any_p{
    .name = "add_any",
    .doc = "x + y, of tangents and cotangents, which have one shape.",
    .kind = Kind::elementwise,
    .operands = 2,
    .dtypes = numeric,
    .jvp_terms = {[](const JvpTermIn& a) { return a.t; }, [](const JvpTermIn& a) { return a.t; }},
    .transpose = [](const TransposeIn& in, TangentVec& out) { transpose_sum(in, out, false); },
    .simplify = add_simplify,
    .tile = "add",
    .stablehlo = "stablehlo.add"};

constinit const Primitive sub_p{
    .name = "sub",
    .doc = "x - y.",
    .kind = Kind::elementwise,
    .operands = 2,
    .dtypes = numeric,
    .jvp_terms = {[](const JvpTermIn& a) { return a.t; }, [](const JvpTermIn& a) { return neg(a.t); }},
    .transpose = [](const TransposeIn& in, TangentVec& out) { transpose_sum(in, out, true); },
    .simplify = sub_simplify,
    .tile = "sub",
    .stablehlo = "stablehlo.subtract"};

constinit const Primitive mul_p{.name = "mul",
                                .doc = "x * y.",
                                .kind = Kind::elementwise,
                                .operands = 2,
                                .dtypes = numeric,
                                .jvp_terms = {[](const JvpTermIn& a) { return mul(a.t, a.x[1]); },
                                              [](const JvpTermIn& a) { return mul(a.x[0], a.t); }},
                                .transpose = transpose_mul,
                                .simplify = mul_simplify,
                                .tile = "mul",
                                .stablehlo = "stablehlo.multiply"};

// The second term is -(x/y)/y, not -x/y^2: the square would leave the range where the quotient does not.
constinit const Primitive div_p{.name = "div",
                                .doc = "x / y; of integers toward zero, with x/0 = -1 (all bits set) and min/-1 = min.",
                                .kind = Kind::elementwise,
                                .operands = 2,
                                .dtypes = numeric,
                                .domain = {0.5, 2},
                                .jvp_terms = {[](const JvpTermIn& a) { return div(a.t, a.x[1]); },
                                              [](const JvpTermIn& a) { return mul(neg(a.t), div(a.out, a.x[1])); }},
                                .transpose = transpose_div,
                                .simplify = div_simplify,
                                .checks = zero_divisors,
                                .tile = "div",
                                .stablehlo = "stablehlo.divide"};

constinit const Primitive rem_p{
    .name = "rem",
    .doc = "The remainder with x's sign (C's fmod and %); x rem 0 is x for integers, NaN for floats.",
    .kind = Kind::elementwise,
    .operands = 2,
    .dtypes = reals,
    .domain = {0.5, 2},
    .jvp_terms = {[](const JvpTermIn& a) { return a.t; },
                  [](const JvpTermIn& a) {
                    Array q = div(a.x[0], a.x[1]);
                    return mul(neg(a.t), mul(sign(q), floor(abs(q))));
                  }},
    .transpose = not_linear,
    .tile = "rem",
    .stablehlo = "stablehlo.remainder"};

constinit const Primitive max_p{
    .name = "max",
    .doc = "The larger; NaN if either is; +0 over -0. Complex values compare by real, then imaginary part.",
    .kind = Kind::elementwise,
    .operands = 2,
    .dtypes = any_number,
    .jvp_terms = {[](const JvpTermIn& a) { return mul(a.t, share(a.x[0], a.x[1], a.out)); },
                  [](const JvpTermIn& a) { return mul(a.t, share(a.x[1], a.x[0], a.out)); }},
    .transpose = not_linear,
    .simplify = extremum_simplify<true>,
    .nans = Nans::kept,
    .tile = "max",
    .stablehlo = extremum_write};

constinit const Primitive min_p{
    .name = "min",
    .doc = "The smaller; NaN if either is; -0 under +0. Complex values compare by real, then imaginary part.",
    .kind = Kind::elementwise,
    .operands = 2,
    .dtypes = any_number,
    .jvp_terms = {[](const JvpTermIn& a) { return mul(a.t, share(a.x[0], a.x[1], a.out)); },
                  [](const JvpTermIn& a) { return mul(a.t, share(a.x[1], a.x[0], a.out)); }},
    .transpose = not_linear,
    .simplify = extremum_simplify<false>,
    .nans = Nans::kept,
    .tile = "min",
    .stablehlo = extremum_write};

constinit const Primitive square_p{
    .name = "square",
    .doc = "x * x.",
    .kind = Kind::elementwise,
    .dtypes = numeric,
    .jvp_terms = {[](const JvpTermIn& a) { return mul(a.t, mul(number_like(a.out, 2), a.x[0])); }},
    .transpose = not_linear,
    .nans = Nans::kept,
    .tile = "square",
    .stablehlo = [](const HloIn& in, HloWriter& w, HloValues& results) {
      results.push_back(w.binary("stablehlo.multiply", in.operands[0], in.operands[0]));
    }};

constinit const Primitive integer_pow_p{
    .name = "integer_pow",
    .doc =
        "x to the constant integer power y, by squaring; a negative y takes the reciprocal. TypeError for an "
        "integer x with y < 0.",
    .kind = Kind::elementwise,
    .dtypes = numeric,
    .params = &params_ops<IntegerPowParams>,
    .abstract_eval = integer_pow_avals,
    .jvp_terms = {integer_pow_term},
    .transpose = not_linear,
    .simplify = integer_pow_simplify,
    .tile = "integer_pow",
    .tile_aux = integer_pow_aux,
    .stablehlo = integer_pow_write,
    .samples = integer_pow_samples};

Array integer_pow(const Array& x, int y) { return integer_pow_p.bind1(make_params(IntegerPowParams{y}), {&x, 1}); }

constinit const Primitive gcd_p{
    .name = "gcd",
    .doc = "The greatest common divisor of integers, not negative; the smallest integer with itself or 0 is itself.",
    .kind = Kind::elementwise,
    .operands = 2,
    .dtypes = integers,
    .jvp = zero_derivative,
    .transpose = not_linear,
    .tile = "gcd",
    .stablehlo = gcd_write};

void register_arithmetic() {
  for (const Primitive* p : {&neg_p, &sign_p, &abs_p, &add_p, &add_any_p, &sub_p, &mul_p, &div_p, &rem_p, &max_p,
                             &min_p, &square_p, &integer_pow_p, &gcd_p})
    register_primitive(*p);
}

}  // namespace cotan::ops

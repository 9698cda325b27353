// Comparisons, bit operations and rounding: the records whose derivative is zero.
#include "core/simplify.h"
#include <cctype>

#include "core/stablehlo_writer.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/op_list.h"

namespace cotan::ops {

namespace {

void compare_avals(const AbstractIn& in, AvalVec& out) {
  const Primitive& p = in.primitive;
  for (const Aval& a : in.in) check_dtype(p.name, p.dtypes, a);
  check_same_dtypes(p.name, in.in);
  out.push_back({elementwise_shape(p.name, in.in), DType::bool_, false});
}

struct RoundParams {
  RoundingMethod rounding_method;
  template <class S, class V> static void fields(S& s, V& v) { v("rounding_method", s.rounding_method); }
  void pretty(PrettyParams& p) const { p.text("rounding_method", std::to_string(static_cast<int>(rounding_method))); }
};

std::vector<Sample> round_samples() {
  std::vector<Sample> v;
  for (RoundingMethod m : {RoundingMethod::away_from_zero, RoundingMethod::to_nearest_even})
    for (DType d : {DType::float32, DType::float64, DType::bfloat16, DType::float16})
      v.push_back({make_params(RoundParams{m}), {{Shape{5}, d, false}}});
  return v;
}

// The direction is the first two letters of the name; those that end in _to compare in the total order.
void compare_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const char* name = in.primitive.name;
  const char direction[] = {static_cast<char>(std::toupper(name[0])), static_cast<char>(std::toupper(name[1])), '\0'};
  const Shape& shape = in.out[0].shape;
  results.push_back(w.compare(w.broadcast_to(in.operands[0], shape), w.broadcast_to(in.operands[1], shape), direction,
                              name[2] == '_'));
}
void round_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const bool even = in.params<RoundParams>().rounding_method == RoundingMethod::to_nearest_even;
  results.push_back(w.unary(even ? "stablehlo.round_nearest_even" : "stablehlo.round_nearest_afz", in.operands[0]));
}

constexpr DTypeSet bit_types = integers | bools;

// --- simplifications ---------------------------------------------------------------------------------------------------------
bool has_no_bit(const HostScalar* v) { return v && v->is_zero(); }
bool has_every_bit(const HostScalar* v) {
  return v && *v == (v->dtype == DType::bool_ ? HostScalar(true) : HostScalar(std::int64_t{-1}, v->dtype));
}
using Neutral = bool (*)(const HostScalar*);
template <Neutral neutral> Simplified without_neutral(const SimplifyIn& in) {
  for (std::size_t i : {0u, 1u})
    if (neutral(in.value(i))) return in.in[1 - i];
  return {};
}
template <Neutral neutral> Simplified idempotent(const SimplifyIn& in) {
  if (in.in[0] == in.in[1]) return in.in[0];
  return without_neutral<neutral>(in);
}
Simplified shift_simplify(const SimplifyIn& in) {
  if (has_no_bit(in.value(1))) return in.in[0];
  return {};
}
Simplified not_simplify(const SimplifyIn& in) {
  if (const JaxprEqn* e = in.producer(0, not_p)) return in.operand_of(*e);
  return {};
}
Simplified integral_simplify(const SimplifyIn& in) {  // what is an integer already
  for (const Primitive* p : {&floor_p, &ceil_p, &round_p})
    if (in.producer(0, *p)) return in.in[0];
  return {};
}

// These share everything but the name; `Primitive` is a literal-like record, so a function makes it.
constexpr Primitive compare(const char* name, const char* doc, DTypeSet dtypes) {
  return {.name = name,
          .doc = doc,
          .kind = Kind::elementwise,
          .operands = 2,
          .dtypes = dtypes,
          .abstract_eval = compare_avals,
          .jvp = zero_derivative,
          .transpose = not_linear,
          .tile = name,
          .stablehlo = compare_write};
}
constexpr Primitive bits(const char* name, const char* operation, const char* doc, int operands, DTypeSet dtypes,
                         SimplifyRule* simplify) {
  return {.name = name,
          .doc = doc,
          .kind = Kind::elementwise,
          .operands = operands,
          .dtypes = dtypes,
          .jvp = zero_derivative,
          .transpose = not_linear,
          .simplify = simplify,
          .nans = Nans::kept,
          .tile = name,
          .stablehlo = operation};
}

}  // namespace

std::span<const char* const> enum_names(RoundingMethod) {
  static constexpr const char* names[] = {"AWAY_FROM_ZERO", "TO_NEAREST_EVEN"};
  return names;
}

constinit const Primitive eq_p = compare("eq", "x == y; false where either is NaN.", any_number);
constinit const Primitive ne_p = compare("ne", "x != y; true where either is NaN.", any_number);
constinit const Primitive lt_p = compare("lt", "x < y; false where either is NaN.", reals | bools);
constinit const Primitive le_p = compare("le", "x <= y; false where either is NaN.", reals | bools);
constinit const Primitive gt_p = compare("gt", "x > y; false where either is NaN.", reals | bools);
constinit const Primitive ge_p = compare("ge", "x >= y; false where either is NaN.", reals | bools);
constinit const Primitive eq_to_p =
    compare("eq_to", "x == y in the total order -NaN < -inf < ... < -0 < +0 < ... < inf < NaN.", floating);
constinit const Primitive le_to_p =
    compare("le_to", "x <= y in the total order -NaN < -inf < ... < -0 < +0 < ... < inf < NaN.", floating);
constinit const Primitive lt_to_p =
    compare("lt_to", "x < y in the total order -NaN < -inf < ... < -0 < +0 < ... < inf < NaN.", floating);

constinit const Primitive is_finite_p{.name = "is_finite",
                                      .doc = "Neither infinite nor NaN.",
                                      .kind = Kind::elementwise,
                                      .dtypes = floating,
                                      .abstract_eval = compare_avals,
                                      .jvp = zero_derivative,
                                      .transpose = not_linear,
                                      .tile = "is_finite",
                                      .stablehlo = "stablehlo.is_finite"};

constinit const Primitive not_p =
    bits("not", "stablehlo.not", "Bitwise complement; logical of bool.", 1, bit_types, not_simplify);
constinit const Primitive and_p =
    bits("and", "stablehlo.and", "Bitwise and; logical of bool.", 2, bit_types, idempotent<has_every_bit>);
constinit const Primitive or_p =
    bits("or", "stablehlo.or", "Bitwise or; logical of bool.", 2, bit_types, idempotent<has_no_bit>);
constinit const Primitive xor_p =
    bits("xor", "stablehlo.xor", "Bitwise exclusive or; logical of bool.", 2, bit_types, without_neutral<has_no_bit>);
constinit const Primitive shift_left_p = bits("shift_left", "stablehlo.shift_left",
                                              "x << y; 0 where y is not below the width.", 2, integers, shift_simplify);
constinit const Primitive shift_right_logical_p =
    bits("shift_right_logical", "stablehlo.shift_right_logical",
         "x >> y, zeros coming in; 0 where y is not below the width.", 2, integers, shift_simplify);
constinit const Primitive shift_right_arithmetic_p =
    bits("shift_right_arithmetic", "stablehlo.shift_right_arithmetic",
         "x >> y, the sign coming in; all sign where y is not below the width.", 2, integers, shift_simplify);
constinit const Primitive floor_p =
    bits("floor", "stablehlo.floor", "The largest integer not above x.", 1, floating, integral_simplify);
constinit const Primitive ceil_p =
    bits("ceil", "stablehlo.ceil", "The smallest integer not below x.", 1, floating, integral_simplify);

constinit const Primitive round_p{
    .name = "round",
    .doc = "The nearest integer; halves away from zero, or to the even one.",
    .kind = Kind::elementwise,
    .dtypes = floating,
    .params = &params_ops<RoundParams>,
    .jvp = zero_derivative,
    .transpose = not_linear,
    .simplify = integral_simplify,
    .nans = Nans::kept,
    .tile = "round",
    .tile_aux = [](const EqnContext& c) { return static_cast<std::uint32_t>(c.params<RoundParams>().rounding_method); },
    .stablehlo = round_write,
    .samples = round_samples};

Array round(const Array& x, RoundingMethod m) { return round_p.bind1(make_params(RoundParams{m}), {&x, 1}); }

void register_compare_and_bits() {
  for (const Primitive* p : {&eq_p,
                             &ne_p,
                             &lt_p,
                             &le_p,
                             &gt_p,
                             &ge_p,
                             &eq_to_p,
                             &le_to_p,
                             &lt_to_p,
                             &is_finite_p,
                             &not_p,
                             &and_p,
                             &or_p,
                             &xor_p,
                             &shift_left_p,
                             &shift_right_logical_p,
                             &shift_right_arithmetic_p,
                             &floor_p,
                             &ceil_p,
                             &round_p})
    register_primitive(*p);
}

}  // namespace cotan::ops

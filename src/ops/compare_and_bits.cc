// Comparisons, bit operations and rounding: the records whose derivative is zero.
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

constexpr DTypeSet bit_types = integers | bools;

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
          .tile = name};
}
constexpr Primitive bits(const char* name, const char* doc, int operands, DTypeSet dtypes) {
  return {.name = name,
          .doc = doc,
          .kind = Kind::elementwise,
          .operands = operands,
          .dtypes = dtypes,
          .jvp = zero_derivative,
          .transpose = not_linear,
          .tile = name};
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
                                      .tile = "is_finite"};

constinit const Primitive not_p = bits("not", "Bitwise complement; logical of bool.", 1, bit_types);
constinit const Primitive and_p = bits("and", "Bitwise and; logical of bool.", 2, bit_types);
constinit const Primitive or_p = bits("or", "Bitwise or; logical of bool.", 2, bit_types);
constinit const Primitive xor_p = bits("xor", "Bitwise exclusive or; logical of bool.", 2, bit_types);
constinit const Primitive shift_left_p = bits("shift_left", "x << y; 0 where y is not below the width.", 2, integers);
constinit const Primitive shift_right_logical_p =
    bits("shift_right_logical", "x >> y, zeros coming in; 0 where y is not below the width.", 2, integers);
constinit const Primitive shift_right_arithmetic_p =
    bits("shift_right_arithmetic", "x >> y, the sign coming in; all sign where y is not below the width.", 2, integers);
constinit const Primitive floor_p = bits("floor", "The largest integer not above x.", 1, floating);
constinit const Primitive ceil_p = bits("ceil", "The smallest integer not below x.", 1, floating);

constinit const Primitive round_p{
    .name = "round",
    .doc = "The nearest integer; halves away from zero, or to the even one.",
    .kind = Kind::elementwise,
    .dtypes = floating,
    .params = &params_ops<RoundParams>,
    .jvp = zero_derivative,
    .transpose = not_linear,
    .tile = "round",
    .tile_aux = [](const EqnContext& c) { return static_cast<std::uint32_t>(c.params<RoundParams>().rounding_method); },
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

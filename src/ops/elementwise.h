// Elementwise primitives: binding functions. Operands of binary ones have one dtype; their shapes are equal, or scalars.
#pragma once
#include <span>

#include "core/primitive.h"

namespace cotan::ops {

#define COTAN_UNARY(name) \
  inline Array name(const Array& x) { return name##_p(x); }
#define COTAN_BINARY(name) \
  inline Array name(const Array& x, const Array& y) { return name##_p(x, y); }

extern const Primitive neg_p, sign_p, abs_p, floor_p, ceil_p, is_finite_p, not_p, sqrt_p, rsqrt_p, cbrt_p, square_p,
    exp_p, exp2_p, expm1_p, log_p, log1p_p, logistic_p, sin_p, cos_p, tan_p, asin_p, acos_p, atan_p, sinh_p, cosh_p,
    tanh_p, asinh_p, acosh_p, atanh_p, erf_inv_p, conj_p, real_p, imag_p, stop_gradient_p, copy_p, round_p,
    integer_pow_p, convert_element_type_p, bitcast_convert_type_p, clz_p, population_count_p, reduce_precision_p,
    sinc_at_zero_p;
extern const Primitive add_p, sub_p, mul_p, div_p, rem_p, max_p, min_p, pow_p, logaddexp_p, atan2_p, add_any_p,
    complex_p, eq_p, ne_p, lt_p, le_p, gt_p, ge_p, eq_to_p, le_to_p, lt_to_p, and_p, or_p, xor_p, shift_left_p,
    shift_right_logical_p, shift_right_arithmetic_p, clamp_p, select_n_p, nextafter_p, mulhi_p, gcd_p;

COTAN_UNARY(neg)
COTAN_UNARY(sign)
COTAN_UNARY(abs)
COTAN_UNARY(floor)
COTAN_UNARY(ceil)
COTAN_UNARY(is_finite)
COTAN_UNARY(sqrt)
COTAN_UNARY(rsqrt)
COTAN_UNARY(cbrt)
COTAN_UNARY(square)
COTAN_UNARY(exp)
COTAN_UNARY(exp2)
COTAN_UNARY(expm1)
COTAN_UNARY(log)
COTAN_UNARY(log1p)
COTAN_UNARY(logistic)
COTAN_UNARY(sin)
COTAN_UNARY(cos)
COTAN_UNARY(tan)
COTAN_UNARY(asin)
COTAN_UNARY(acos)
COTAN_UNARY(atan)
COTAN_UNARY(sinh)
COTAN_UNARY(cosh)
COTAN_UNARY(tanh)
COTAN_UNARY(asinh)
COTAN_UNARY(acosh)
COTAN_UNARY(atanh)
COTAN_UNARY(erf_inv)
COTAN_UNARY(clz)
COTAN_UNARY(population_count)
COTAN_UNARY(real)
COTAN_UNARY(imag)
COTAN_BINARY(add)
COTAN_BINARY(sub)
COTAN_BINARY(mul)
COTAN_BINARY(div)
COTAN_BINARY(rem)
COTAN_BINARY(max)
COTAN_BINARY(min)
COTAN_BINARY(pow)
COTAN_BINARY(logaddexp)
COTAN_BINARY(atan2)
COTAN_BINARY(add_any)
COTAN_BINARY(complex)
COTAN_BINARY(nextafter)
COTAN_BINARY(mulhi)
COTAN_BINARY(eq)
COTAN_BINARY(ne)
COTAN_BINARY(lt)
COTAN_BINARY(le)
COTAN_BINARY(gt)
COTAN_BINARY(ge)
COTAN_BINARY(eq_to)
COTAN_BINARY(le_to)
COTAN_BINARY(lt_to)
COTAN_BINARY(shift_left)
COTAN_BINARY(shift_right_logical)
COTAN_BINARY(shift_right_arithmetic)
COTAN_BINARY(gcd)
#undef COTAN_UNARY
#undef COTAN_BINARY

// `and`, `or`, `xor`, `not` are words of C++.
inline Array bit_and(const Array& x, const Array& y) { return and_p(x, y); }
inline Array bit_or(const Array& x, const Array& y) { return or_p(x, y); }
inline Array bit_xor(const Array& x, const Array& y) { return xor_p(x, y); }
inline Array bit_not(const Array& x) { return not_p(x); }

enum class RoundingMethod : std::uint8_t { away_from_zero, to_nearest_even };
Array round(const Array& x, RoundingMethod);
Array integer_pow(const Array& x, int y);
Array conj(const Array& x, DType input_dtype);
Array sinc_at_zero(const Array& y);  // 1, with the derivatives of sin(y) / y at 0
Array convert_element_type(const Array& x, DType, bool weak_type = false);  // x itself when nothing changes
Array bitcast_convert_type(const Array& x, DType);  // wider: the last axis joined; narrower: a new last axis
Array reduce_precision(const Array& x, int exponent_bits, int mantissa_bits);
Array stop_gradient(const Array& x);
Array clamp(const Array& low, const Array& x, const Array& high);
Array select_n(const Array& which, std::span<const Array> cases);
inline Array select(const Array& predicate, const Array& if_true, const Array& if_false) {
  const Array cases[] = {if_false, if_true};
  return select_n(predicate, cases);
}

}  // namespace cotan::ops

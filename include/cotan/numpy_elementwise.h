// numpy's elementwise functions. Integers and bools enter the functions of calculus as floats of the default type.
#pragma once
#include <optional>

#include "cotan/array.h"

namespace cotan::numpy {

Array exp(const Array&);
Array exp2(const Array&);
Array expm1(const Array&);
Array log(const Array&);
Array log2(const Array&);
Array log10(const Array&);
Array log1p(const Array&);
Array sqrt(const Array&);
Array cbrt(const Array&);
Array sin(const Array&);
Array cos(const Array&);
Array tan(const Array&);
Array arcsin(const Array&);
Array arccos(const Array&);
Array arctan(const Array&);
Array sinh(const Array&);
Array cosh(const Array&);
Array tanh(const Array&);
Array arcsinh(const Array&);
Array arccosh(const Array&);
Array arctanh(const Array&);
Array acos(const Array&);
Array acosh(const Array&);
Array asin(const Array&);
Array asinh(const Array&);
Array atan(const Array&);
Array atanh(const Array&);
Array arctan2(const Array&, const Array&);
Array atan2(const Array&, const Array&);
Array negative(const Array&);
Array positive(const Array&);
Array abs(const Array&);
Array absolute(const Array&);
Array fabs(const Array&);
Array sign(const Array&);
Array square(const Array&);
Array reciprocal(const Array&);
Array floor(const Array&);
Array ceil(const Array&);
Array trunc(const Array&);
Array rint(const Array&);
Array round(const Array&, int decimals = 0);  // half to even; NotImplementedError for integers and decimals < 0
Array around(const Array&, int decimals = 0);
Array deg2rad(const Array&);
Array rad2deg(const Array&);
Array degrees(const Array&);
Array radians(const Array&);
Array sinc(const Array&);                        // sin(pi x) / (pi x); 1 at 0, where every derivative exists
Array heaviside(const Array&, const Array& x2);  // 0, x2 or 1 for x < 0, = 0, > 0
Array isfinite(const Array&);
Array isinf(const Array&);
Array isnan(const Array&);
Array signbit(const Array&);
Array real(const Array&);
Array imag(const Array&);
Array conj(const Array&);
Array conjugate(const Array&);
struct AngleOptions {
  using is_options = void;
  bool deg = false;
};
Array angle(const Array&, const AngleOptions& = {});
struct UnwrapOptions {
  using is_options = void;
  Array discont = {};  // by default period / 2
  int axis = -1;
  Array period = 6.283185307179586;
};
// Steps larger than `discont` are changed by a multiple of the period, so that none is larger than half of it.
Array unwrap(const Array&, const UnwrapOptions& = {});
Array i0(const Array&);         // the modified Bessel function of order 0; of real numbers (ValueError)
Array iscomplex(const Array&);  // the imaginary part is not 0
Array isreal(const Array&);
Array isposinf(const Array&);
Array isneginf(const Array&);
bool iscomplexobj(const Array&);  // by the dtype
bool isrealobj(const Array&);
bool isscalar(const Array&);  // of no dimension
struct NanToNumOptions {
  using is_options = void;
  bool copy = true;
  Array nan = 0.0;
  Array posinf = {}, neginf = {};  // by default the largest finite number, and the lowest
};
Array nan_to_num(const Array&, const NanToNumOptions& = {});

struct ModfResult {
  Array fractional, integral;  // both with the sign of x
};
ModfResult modf(const Array&);
struct FrexpResult {
  Array mantissa, exponent;  // x = mantissa * 2^exponent, 0.5 <= |mantissa| < 1; exponent 0 for 0, inf, NaN
};
FrexpResult frexp(const Array&);
Array ldexp(const Array& x1, const Array& x2);  // x1 * 2^x2, rounded once; x2 of integers
Array add(const Array&, const Array&);
Array subtract(const Array&, const Array&);
Array multiply(const Array&, const Array&);
Array divide(const Array&, const Array&);
Array true_divide(const Array&, const Array&);
Array floor_divide(const Array&, const Array&);
Array remainder(const Array&, const Array&);
Array mod(const Array&, const Array&);
Array fmod(const Array&, const Array&);
struct DivmodResult {
  Array quotient, remainder;
};
DivmodResult divmod(const Array&, const Array&);
Array gcd(const Array&, const Array&);  // of integers, not negative but for the smallest integer itself
Array lcm(const Array&, const Array&);
Array power(const Array&, const Array&);
Array pow(const Array&, const Array&);
Array float_power(const Array&, const Array&);
Array maximum(const Array&, const Array&);
Array minimum(const Array&, const Array&);
Array fmax(const Array&, const Array&);
Array fmin(const Array&, const Array&);
Array hypot(const Array&, const Array&);
Array copysign(const Array&, const Array&);
Array logaddexp(const Array&, const Array&);
Array logaddexp2(const Array&, const Array&);
Array equal(const Array&, const Array&);
Array not_equal(const Array&, const Array&);
Array less(const Array&, const Array&);
Array less_equal(const Array&, const Array&);
Array greater(const Array&, const Array&);
Array greater_equal(const Array&, const Array&);
Array logical_and(const Array&, const Array&);
Array logical_or(const Array&, const Array&);
Array logical_xor(const Array&, const Array&);
Array logical_not(const Array&);
Array bitwise_and(const Array&, const Array&);
Array bitwise_or(const Array&, const Array&);
Array bitwise_xor(const Array&, const Array&);
Array bitwise_not(const Array&);
Array invert(const Array&);
Array bitwise_invert(const Array&);
Array left_shift(const Array&, const Array&);
Array right_shift(const Array&, const Array&);
Array bitwise_left_shift(const Array&, const Array&);
Array bitwise_right_shift(const Array&, const Array&);
Array where(const Array& condition, const Array& x, const Array& y);
Array clip(const Array& arr, const Array& min = {}, const Array& max = {});  // {}: no bound

struct EqualNanOptions {
  using is_options = void;
  bool equal_nan = false;  // NaN counts as equal to NaN
};
// |a - b| <= atol + rtol |b|; equal infinities are close.
Array isclose(const Array& a, const Array& b, const Array& rtol = 1e-5, const Array& atol = 1e-8,
              const EqualNanOptions& = {});
Array allclose(const Array& a, const Array& b, const Array& rtol = 1e-5, const Array& atol = 1e-8,
               const EqualNanOptions& = {});
Array array_equal(const Array&, const Array&, const EqualNanOptions& = {});  // of one shape, all elements equal
Array array_equiv(const Array&, const Array&);                               // broadcast, all elements equal

struct AstypeOptions {
  using is_options = void;
  bool copy = false;
};
Array astype(const Array&, std::optional<DType> dtype, const AstypeOptions& = {});  // none: the default float type

}  // namespace cotan::numpy

// numpy's elementwise functions.
#include <cmath>

#include "numpy/common.h"
#include "ops/random.h"

namespace cotan::numpy {

namespace {
Array inexact(Unary f, const Array& x) { return f(promote_inexact(x)); }
Array of_bools(const char* name, Binary f, const Array& x, const Array& y) {
  return promoted(name, f, to_bool(x), to_bool(y));
}

// Bools are added and multiplied as or and and.
Array add_values(const Array& x, const Array& y) { return is_bool(x) ? ops::bit_or(x, y) : ops::add(x, y); }
Array multiply_values(const Array& x, const Array& y) { return is_bool(x) ? ops::bit_and(x, y) : ops::mul(x, y); }
Array subtract_values(const Array& x, const Array& y) {
  if (is_bool(x))
    throw TypeError("subtract does not accept dtype bool, got " + x.aval().str() + "; use bitwise_xor or logical_xor");
  return ops::sub(x, y);
}

// Comparison of complex numbers is by real part, then imaginary part.
Array compare(const char* name, Binary strict, Binary whole, const Array& x, const Array& y) {
  Pair p = promote(name, x, y);
  if (!is_complex(p.x.dtype())) return whole(p.x, p.y);
  Array rx = ops::real(p.x), ry = ops::real(p.y);
  return ops::select(ops::eq(rx, ry), whole(ops::imag(p.x), ops::imag(p.y)), strict(rx, ry));
}

// Keys are compared by their words; `join` makes one bool of a key's.
using Reduce = Array (*)(const Array&, const IntList&);
Array equality(const char* name, Binary f, Reduce join, const Array& x, const Array& y) {
  if (!is_key(x.dtype()) && !is_key(y.dtype())) return promoted(name, f, x, y);
  if (x.dtype() != y.dtype())
    throw TypeError(std::string(name) + " does not accept dtypes " + dtype_name(x.dtype()) + ", " +
                    dtype_name(y.dtype()) + ": a key equals only keys");
  const Array words = promoted(name, f, ops::random_unwrap(x), ops::random_unwrap(y));
  return join(words, {words.ndim() - 1});
}
}  // namespace

#define COTAN_INEXACT(NAME, OP) \
  Array NAME(const Array& x) {  \
    COTAN_API;                  \
    return inexact(ops::OP, x); \
  }
COTAN_INEXACT(exp, exp)
COTAN_INEXACT(exp2, exp2)
COTAN_INEXACT(expm1, expm1)
COTAN_INEXACT(log, log)
COTAN_INEXACT(log1p, log1p)
COTAN_INEXACT(sqrt, sqrt)
COTAN_INEXACT(cbrt, cbrt)
COTAN_INEXACT(sin, sin)
COTAN_INEXACT(cos, cos)
COTAN_INEXACT(tan, tan)
COTAN_INEXACT(arcsin, asin)
COTAN_INEXACT(arccos, acos)
COTAN_INEXACT(arctan, atan)
COTAN_INEXACT(sinh, sinh)
COTAN_INEXACT(cosh, cosh)
COTAN_INEXACT(tanh, tanh)
COTAN_INEXACT(arcsinh, asinh)
COTAN_INEXACT(arccosh, acosh)
COTAN_INEXACT(arctanh, atanh)
#undef COTAN_INEXACT

#define COTAN_BINARY(NAME, FN)                 \
  Array NAME(const Array& x, const Array& y) { \
    COTAN_API;                                 \
    return promoted(#NAME, FN, x, y);          \
  }
COTAN_BINARY(add, add_values)
COTAN_BINARY(subtract, subtract_values)
COTAN_BINARY(multiply, multiply_values)
COTAN_BINARY(maximum, ops::max)
COTAN_BINARY(minimum, ops::min)
COTAN_BINARY(bitwise_and, ops::bit_and)
COTAN_BINARY(bitwise_or, ops::bit_or)
COTAN_BINARY(bitwise_xor, ops::bit_xor)
#undef COTAN_BINARY
#define COTAN_LOGICAL(NAME, OP)                \
  Array NAME(const Array& x, const Array& y) { \
    COTAN_API;                                 \
    return of_bools(#NAME, ops::OP, x, y);     \
  }
COTAN_LOGICAL(logical_and, bit_and)
COTAN_LOGICAL(logical_or, bit_or)
COTAN_LOGICAL(logical_xor, bit_xor)
#undef COTAN_LOGICAL

Array equal(const Array& x, const Array& y) {
  COTAN_API;
  return equality("equal", ops::eq, ops::reduce_and, x, y);
}
Array not_equal(const Array& x, const Array& y) {
  COTAN_API;
  return equality("not_equal", ops::ne, ops::reduce_or, x, y);
}
Array less(const Array& x, const Array& y) {
  COTAN_API;
  return compare("less", ops::lt, ops::lt, x, y);
}
Array less_equal(const Array& x, const Array& y) {
  COTAN_API;
  return compare("less_equal", ops::lt, ops::le, x, y);
}
Array greater(const Array& x, const Array& y) {
  COTAN_API;
  return compare("greater", ops::gt, ops::gt, x, y);
}
Array greater_equal(const Array& x, const Array& y) {
  COTAN_API;
  return compare("greater_equal", ops::gt, ops::ge, x, y);
}
Array logical_not(const Array& x) {
  COTAN_API;
  return ops::bit_not(to_bool(x));
}
Array bitwise_not(const Array& x) {
  COTAN_API;
  return ops::bit_not(x);
}
Array invert(const Array& x) {
  COTAN_API;
  return ops::bit_not(x);
}
Array left_shift(const Array& x, const Array& y) {
  COTAN_API;
  return promoted_numbers("left_shift", ops::shift_left, x, y);
}
Array right_shift(const Array& x, const Array& y) {
  COTAN_API;
  const auto shift = [](const Array& a, const Array& b) {
    return is_unsigned_integer(a.dtype()) ? ops::shift_right_logical(a, b) : ops::shift_right_arithmetic(a, b);
  };
  return promoted_numbers("right_shift", shift, x, y);
}

Array negative(const Array& x) {
  COTAN_API;
  return ops::neg(x);
}
Array positive(const Array& x) { return x; }
Array abs(const Array& x) {
  COTAN_API;
  return is_bool(x) || is_unsigned_integer(x.dtype()) ? x : ops::abs(x);
}
Array absolute(const Array& x) {
  COTAN_API;
  return abs(x);
}
Array fabs(const Array& x) {
  COTAN_API;
  if (is_complex(x.dtype())) throw TypeError("fabs does not support complex dtypes, got " + x.aval().str());
  return ops::abs(promote_inexact(x));
}
Array sign(const Array& x) {
  COTAN_API;
  return ops::sign(x);
}
Array square(const Array& x) {
  COTAN_API;
  return ops::square(is_bool(x) ? to_dtype(x, DType::int32, false) : x);
}
Array reciprocal(const Array& x) {
  COTAN_API;
  return ops::integer_pow(promote_inexact(x), -1);
}
Array floor(const Array& x) {
  COTAN_API;
  return is_integer(x.dtype()) || is_bool(x) ? x : ops::floor(x);
}
Array ceil(const Array& x) {
  COTAN_API;
  return is_integer(x.dtype()) || is_bool(x) ? x : ops::ceil(x);
}
Array rint(const Array& x) {
  COTAN_API;
  return jitted("rint",
                [](const Arrays& a) {
                  const Array& v = a[0];
                  if (!is_inexact(v.dtype())) return to_dtype(v, default_float_dtype(), false);
                  if (!is_complex(v.dtype())) return ops::round(v, ops::RoundingMethod::to_nearest_even);
                  const Array re = rint(ops::real(v)), im = rint(ops::imag(v));
                  return ops::complex(re, im);
                },
                {x});
}
Array trunc(const Array& x) {
  COTAN_API;
  if (is_integer(x.dtype()) || is_bool(x)) return x;
  return jitted("trunc",
                [](const Arrays& a) {
                  Array below = ops::lt(a[0], number_like(a[0], 0));
                  Array up = ops::ceil(a[0]), down = ops::floor(a[0]);
                  return where(below, up, down);
                },
                {x});
}
namespace {
Array log_to_base(double base, const Array& x) {
  const Array v = ops::log(promote_inexact(x));
  if (!is_complex(v.dtype())) return ops::div(v, ops::log(ops::scalar(v.dtype(), base)));  // not weak
  const Array re = ops::real(v), im = ops::imag(v), scale = ops::log(ops::scalar(re.dtype(), base));
  const Array scaled_re = ops::div(re, scale), scaled_im = ops::div(im, scale);
  return ops::complex(scaled_re, scaled_im);
}
}  // namespace
Array log2(const Array& x) {
  COTAN_API;
  return log_to_base(2, x);
}
Array log10(const Array& x) {
  COTAN_API;
  return log_to_base(10, x);
}

Array isfinite(const Array& x) {
  COTAN_API;
  if (is_complex(x.dtype())) return ops::bit_and(ops::is_finite(ops::real(x)), ops::is_finite(ops::imag(x)));
  if (is_floating(x.dtype())) return ops::is_finite(x);
  return ops::full({x.shape(), DType::bool_, false}, 1);
}
Array isnan(const Array& x) {
  COTAN_API;
  return ops::ne(x, x);
}
Array isinf(const Array& x) {
  COTAN_API;
  return jitted("isinf",
                [](const Arrays& a) {
                  const Array& v = a[0];
                  if (is_complex(v.dtype())) return ops::bit_or(isinf(ops::real(v)), isinf(ops::imag(v)));
                  if (is_floating(v.dtype())) return ops::eq(ops::abs(v), number_like(v, INFINITY));
                  return ops::full({v.shape(), DType::bool_, false}, 0);
                },
                {x});
}
Array signbit(const Array& x) {
  COTAN_API;
  if (is_complex(x.dtype())) throw ValueError("signbit is not well-defined for complex values, got " + x.aval().str());
  return jitted(
      "signbit",
      [](const Arrays& a) {
        const Array& v = a[0];
        if (is_unsigned_integer(v.dtype()) || is_bool(v)) return ops::full({v.shape(), DType::bool_, false}, 0);
        if (is_integer(v.dtype())) return ops::lt(v, number_like(v, 0));
        const std::size_t width = item_size(v.dtype());
        Array bits = ops::bitcast_convert_type(v, width == 2 ? DType::int16 : width == 4 ? DType::int32 : DType::int64);
        Array top =
            ops::shift_right_arithmetic(bits, ops::scalar_int(bits.dtype(), static_cast<std::int64_t>(8 * width - 1)));
        return ops::convert_element_type(top, DType::bool_);
      },
      {x});
}
Array real(const Array& x) {
  COTAN_API;
  return is_complex(x.dtype()) ? ops::real(x) : x;
}
Array imag(const Array& x) {
  COTAN_API;
  return is_complex(x.dtype()) ? ops::imag(x) : ops::zeros_of(x.aval());
}
Array conj(const Array& x) {
  COTAN_API;
  return is_complex(x.dtype()) ? ops::conj(x, x.dtype()) : x;
}
Array conjugate(const Array& x) {
  COTAN_API;
  return conj(x);
}
}  // namespace cotan::numpy

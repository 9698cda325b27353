// numpy's elementwise functions.
#include <cmath>

#include "numpy/common.h"

namespace cotan::numpy {

namespace {
bool is_bool(const Array& x) { return x.dtype() == DType::bool_; }
Array number_like(const Array& x, double v) { return ops::scalar(x.dtype(), v); }
Array to_bool(const Array& x) { return is_bool(x) ? x : ops::ne(x, number_like(x, 0)); }
Array one(const Arrays& a) { return a[0]; }

using Unary = Array (*)(const Array&);
using Binary = Array (*)(const Array&, const Array&);

Array inexact(Unary f, const Array& x) { return f(promote_inexact(x)); }
Array promoted(const char* name, Binary f, const Array& x, const Array& y) {
  Pair p = promote(name, x, y);
  return f(p.x, p.y);
}
Array of_bools(const char* name, Binary f, const Array& x, const Array& y) { return promoted(name, f, to_bool(x), to_bool(y)); }

// Bools are added and multiplied as or and and.
Array add_values(const Array& x, const Array& y) { return is_bool(x) ? ops::bit_or(x, y) : ops::add(x, y); }
Array multiply_values(const Array& x, const Array& y) { return is_bool(x) ? ops::bit_and(x, y) : ops::mul(x, y); }
Array subtract_values(const Array& x, const Array& y) {
  if (is_bool(x)) throw TypeError("subtract does not accept dtype bool, got " + x.aval().str() + "; use bitwise_xor or logical_xor");
  return ops::sub(x, y);
}

// Comparison of complex numbers is by real part, then imaginary part.
Array compare(const char* name, Binary strict, Binary whole, const Array& x, const Array& y) {
  Pair p = promote(name, x, y);
  if (!is_complex(p.x.dtype())) return whole(p.x, p.y);
  Array rx = ops::real(p.x), ry = ops::real(p.y);
  return ops::select(ops::eq(rx, ry), whole(ops::imag(p.x), ops::imag(p.y)), strict(rx, ry));
}
}  // namespace

#define COTAN_INEXACT(NAME, OP) Array NAME(const Array& x) { COTAN_API; return inexact(ops::OP, x); }
COTAN_INEXACT(exp, exp) COTAN_INEXACT(exp2, exp2) COTAN_INEXACT(expm1, expm1) COTAN_INEXACT(log, log) COTAN_INEXACT(log1p, log1p)
COTAN_INEXACT(sqrt, sqrt) COTAN_INEXACT(cbrt, cbrt) COTAN_INEXACT(sin, sin) COTAN_INEXACT(cos, cos) COTAN_INEXACT(tan, tan)
COTAN_INEXACT(arcsin, asin) COTAN_INEXACT(arccos, acos) COTAN_INEXACT(arctan, atan) COTAN_INEXACT(sinh, sinh) COTAN_INEXACT(cosh, cosh)
COTAN_INEXACT(tanh, tanh) COTAN_INEXACT(arcsinh, asinh) COTAN_INEXACT(arccosh, acosh) COTAN_INEXACT(arctanh, atanh)
#undef COTAN_INEXACT

#define COTAN_BINARY(NAME, FN) Array NAME(const Array& x, const Array& y) { COTAN_API; return promoted(#NAME, FN, x, y); }
COTAN_BINARY(add, add_values) COTAN_BINARY(subtract, subtract_values) COTAN_BINARY(multiply, multiply_values)
COTAN_BINARY(maximum, ops::max) COTAN_BINARY(minimum, ops::min) COTAN_BINARY(equal, ops::eq) COTAN_BINARY(not_equal, ops::ne)
COTAN_BINARY(bitwise_and, ops::bit_and) COTAN_BINARY(bitwise_or, ops::bit_or) COTAN_BINARY(bitwise_xor, ops::bit_xor)
COTAN_BINARY(left_shift, ops::shift_left)
#undef COTAN_BINARY
#define COTAN_LOGICAL(NAME, OP) Array NAME(const Array& x, const Array& y) { COTAN_API; return of_bools(#NAME, ops::OP, x, y); }
COTAN_LOGICAL(logical_and, bit_and) COTAN_LOGICAL(logical_or, bit_or) COTAN_LOGICAL(logical_xor, bit_xor)
#undef COTAN_LOGICAL

Array less(const Array& x, const Array& y) { COTAN_API; return compare("less", ops::lt, ops::lt, x, y); }
Array less_equal(const Array& x, const Array& y) { COTAN_API; return compare("less_equal", ops::lt, ops::le, x, y); }
Array greater(const Array& x, const Array& y) { COTAN_API; return compare("greater", ops::gt, ops::gt, x, y); }
Array greater_equal(const Array& x, const Array& y) { COTAN_API; return compare("greater_equal", ops::gt, ops::ge, x, y); }
Array logical_not(const Array& x) { COTAN_API; return ops::bit_not(to_bool(x)); }
Array bitwise_not(const Array& x) { COTAN_API; return ops::bit_not(x); }
Array invert(const Array& x) { COTAN_API; return ops::bit_not(x); }
Array right_shift(const Array& x, const Array& y) {
  COTAN_API;
  Pair p = promote("right_shift", x, y);
  return is_unsigned_integer(p.x.dtype()) ? ops::shift_right_logical(p.x, p.y) : ops::shift_right_arithmetic(p.x, p.y);
}

Array negative(const Array& x) { COTAN_API; return ops::neg(x); }
Array positive(const Array& x) { return x; }
Array abs(const Array& x) { COTAN_API; return is_bool(x) || is_unsigned_integer(x.dtype()) ? x : ops::abs(x); }
Array absolute(const Array& x) { COTAN_API; return abs(x); }
Array fabs(const Array& x) { COTAN_API; return ops::abs(promote_inexact(x)); }
Array sign(const Array& x) { COTAN_API; return ops::sign(x); }
Array square(const Array& x) { COTAN_API; return is_bool(x) ? x : ops::square(x); }
Array reciprocal(const Array& x) { COTAN_API; return ops::integer_pow(promote_inexact(x), -1); }
Array floor(const Array& x) { COTAN_API; return is_integer(x.dtype()) || is_bool(x) ? x : ops::floor(x); }
Array ceil(const Array& x) { COTAN_API; return is_integer(x.dtype()) || is_bool(x) ? x : ops::ceil(x); }
Array rint(const Array& x) { COTAN_API; return ops::round(promote_inexact(x), ops::RoundingMethod::to_nearest_even); }
Array trunc(const Array& x) {
  COTAN_API;
  if (is_integer(x.dtype()) || is_bool(x)) return x;
  return ops::select(ops::lt(x, number_like(x, 0)), ops::ceil(x), ops::floor(x));
}
Array log2(const Array& x) {
  COTAN_API;
  Array v = ops::log(promote_inexact(x));
  return ops::div(v, number_like(v, std::log(2.0)));
}
Array log10(const Array& x) {
  COTAN_API;
  Array v = ops::log(promote_inexact(x));
  return ops::div(v, number_like(v, std::log(10.0)));
}
Array deg2rad(const Array& x) { COTAN_API; Array v = promote_inexact(x); return ops::mul(v, number_like(v, M_PI / 180)); }
Array rad2deg(const Array& x) { COTAN_API; Array v = promote_inexact(x); return ops::mul(v, number_like(v, 180 / M_PI)); }

Array isfinite(const Array& x) {
  COTAN_API;
  if (is_complex(x.dtype())) return ops::bit_and(ops::is_finite(ops::real(x)), ops::is_finite(ops::imag(x)));
  if (is_floating(x.dtype())) return ops::is_finite(x);
  return ops::full({x.shape(), DType::bool_, false}, 1);
}
Array isnan(const Array& x) { COTAN_API; return ops::ne(x, x); }
Array isinf(const Array& x) {
  COTAN_API;
  if (is_complex(x.dtype())) return ops::bit_or(isinf(ops::real(x)), isinf(ops::imag(x)));
  if (is_floating(x.dtype())) return ops::eq(ops::abs(x), number_like(x, INFINITY));
  return ops::full({x.shape(), DType::bool_, false}, 0);
}
Array signbit(const Array& x) {
  COTAN_API;
  if (is_complex(x.dtype())) throw TypeError("signbit is not well-defined for complex values, got " + x.aval().str());
  if (is_unsigned_integer(x.dtype()) || is_bool(x)) return ops::full({x.shape(), DType::bool_, false}, 0);
  if (is_integer(x.dtype())) return ops::lt(x, number_like(x, 0));
  constexpr DType bits[] = {DType::int16, DType::int32, DType::int64};
  const std::size_t width = item_size(x.dtype());
  Array b = ops::bitcast_convert_type(x, bits[width == 2 ? 0 : width == 4 ? 1 : 2]);
  return ops::lt(b, number_like(b, 0));
}
Array real(const Array& x) { COTAN_API; return is_complex(x.dtype()) ? ops::real(x) : x; }
Array imag(const Array& x) { COTAN_API; return is_complex(x.dtype()) ? ops::imag(x) : ops::zeros_of(x.aval()); }
Array conj(const Array& x) { COTAN_API; return is_complex(x.dtype()) ? ops::conj(x, x.dtype()) : x; }
Array conjugate(const Array& x) { COTAN_API; return conj(x); }
Array angle(const Array& x) {
  COTAN_API;
  Array v = promote_inexact(x);
  return ops::atan2(imag(v), real(v));
}

Array divide(const Array& x, const Array& y) {
  COTAN_API;
  Pair p = promote_inexact("divide", x, y);
  return ops::div(p.x, p.y);
}
Array true_divide(const Array& x, const Array& y) { COTAN_API; return divide(x, y); }
Array arctan2(const Array& x, const Array& y) { COTAN_API; Pair p = promote_inexact("arctan2", x, y); return ops::atan2(p.x, p.y); }

namespace {
// The remainder takes the divisor's sign.
Array remainder_values(const Array& x, const Array& y) {
  Array r = ops::rem(x, y), zero = number_like(r, 0);
  Array nonzero = ops::ne(r, zero), differ = ops::ne(ops::lt(r, zero), ops::lt(y, zero));
  return ops::select(ops::bit_and(differ, nonzero), ops::add(r, y), r);
}
Array floor_divide_values(const Array& x, const Array& y) {
  if (is_unsigned_integer(x.dtype())) return ops::div(x, y);
  if (is_integer(x.dtype())) {
    Array q = ops::div(x, y), r = ops::rem(x, y), zero = number_like(r, 0);
    Array down = ops::bit_and(ops::ne(ops::sign(x), ops::sign(y)), ops::ne(r, zero));
    return ops::select(down, ops::sub(q, number_like(q, 1)), q);
  }
  Array zero = number_like(x, 0), m = ops::rem(x, y);
  Array exact = ops::select(ops::broadcast_to_shape(ops::eq(y, zero), m.shape()), ops::broadcast_to_shape(x, m.shape()), ops::sub(x, m));
  Array q = ops::div(exact, y);
  Array down = ops::bit_and(ops::ne(m, zero), ops::ne(ops::sign(y), ops::sign(m)));
  q = ops::select(down, ops::sub(q, number_like(q, 1)), q);
  return ops::round(q, ops::RoundingMethod::away_from_zero);
}
}  // namespace

Array remainder(const Array& x, const Array& y) {
  COTAN_API;
  return one(named_jit("remainder", [](const Arrays& a) { return Arrays{promoted("remainder", remainder_values, a[0], a[1])}; }, {x, y}));
}
Array mod(const Array& x, const Array& y) { COTAN_API; return remainder(x, y); }
Array fmod(const Array& x, const Array& y) { COTAN_API; return promoted("fmod", ops::rem, x, y); }
Array floor_divide(const Array& x, const Array& y) {
  COTAN_API;
  return one(named_jit("floor_divide", [](const Arrays& a) { return Arrays{promoted("floor_divide", floor_divide_values, a[0], a[1])}; }, {x, y}));
}

Array power(const Array& x, const Array& y) {
  COTAN_API;
  if (is_concrete(y) && y.node()->plain_number && is_integer(y.dtype()) && !is_bool(x)) {
    const std::int64_t n = y.item<std::int64_t>();
    if (is_inexact(x.dtype()) || n >= 0) return n == 2 ? ops::square(x) : ops::integer_pow(x, static_cast<int>(n));
    throw ValueError("Integers to negative integer powers are not allowed: power of " + x.aval().str() + " and " + std::to_string(n));
  }
  if (is_inexact(x.dtype()) && is_integer(y.dtype())) {       // an integer exponent keeps its type
    Pair p = promote("power", x, to_dtype(y, x.dtype(), false));
    return ops::pow(p.x, p.y);
  }
  Pair p = promote("power", x, y);
  if (is_inexact(p.x.dtype())) return ops::pow(p.x, p.y);
  throw NotImplementedError("power of integers by a traced or array exponent is not implemented: got " + x.aval().str() + " and " + y.aval().str());
}
Array float_power(const Array& x, const Array& y) { COTAN_API; Pair p = promote_inexact("float_power", x, y); return ops::pow(p.x, p.y); }

Array fmax(const Array& x, const Array& y) {
  COTAN_API;
  Pair p = promote("fmax", x, y);
  Array larger = ops::max(p.x, p.y);
  const Shape& s = larger.shape();
  Array a = ops::broadcast_to_shape(p.x, s), b = ops::broadcast_to_shape(p.y, s);
  return ops::select(isnan(a), b, ops::select(isnan(b), a, larger));
}
Array fmin(const Array& x, const Array& y) {
  COTAN_API;
  Pair p = promote("fmin", x, y);
  Array smaller = ops::min(p.x, p.y);
  const Shape& s = smaller.shape();
  Array a = ops::broadcast_to_shape(p.x, s), b = ops::broadcast_to_shape(p.y, s);
  return ops::select(isnan(a), b, ops::select(isnan(b), a, smaller));
}
// Scaled by the larger leg, so that no square overflows; inf with anything, NaN too, is inf.
Array hypot(const Array& x, const Array& y) {
  COTAN_API;
  Pair p = promote_inexact("hypot", x, y);
  Array a = ops::abs(p.x), b = ops::abs(p.y), large = ops::max(a, b), small = ops::min(a, b), zero = number_like(large, 0);
  Array ratio = ops::div(small, ops::select(ops::eq(large, zero), ops::full(large.aval(), 1), large));
  Array h = ops::mul(large, ops::sqrt(ops::add(ops::square(ratio), number_like(large, 1))));
  Array inf = ops::bit_or(isinf(a), isinf(b));
  return ops::select(ops::broadcast_to_shape(inf, h.shape()), ops::full(h.aval(), INFINITY), h);
}
Array copysign(const Array& x, const Array& y) {
  COTAN_API;
  Pair p = promote_inexact("copysign", x, y);
  Array m = ops::abs(p.x);
  Shape shapes[] = {p.x.shape(), p.y.shape()};
  Shape s = broadcast_shapes("copysign", shapes);
  m = ops::broadcast_to_shape(m, s);
  return ops::select(ops::broadcast_to_shape(signbit(p.y), s), ops::neg(m), m);
}

namespace {
// max + log1p(exp(-|x - y|)); equal infinities give themselves, where the difference is NaN.
Array logaddexp_values(const Array& x, const Array& y) {
  Array large = ops::max(x, y), d = ops::sub(x, y);
  Array v = ops::add(large, ops::log1p(ops::exp(ops::neg(ops::abs(d)))));
  return ops::select(ops::ne(d, d), ops::add(x, y), v);
}
}  // namespace
Array logaddexp(const Array& x, const Array& y) { COTAN_API; Pair p = promote_inexact("logaddexp", x, y); return logaddexp_values(p.x, p.y); }
Array logaddexp2(const Array& x, const Array& y) {
  COTAN_API;
  Pair p = promote_inexact("logaddexp2", x, y);
  Array c = number_like(p.x, std::log(2.0));
  return ops::div(logaddexp_values(ops::mul(p.x, c), ops::mul(p.y, c)), c);
}

namespace {
Array where_values(const Array& c, const Array& x, const Array& y) {
  const Array condition = to_bool(c);
  LatticeType t = promote_types({x.dtype(), x.weak_type()}, {y.dtype(), y.weak_type()});
  if (x.dtype() == y.dtype()) t = {x.dtype(), x.weak_type() && y.weak_type()};
  const Shape shapes[] = {c.shape(), x.shape(), y.shape()};
  Shape s = broadcast_shapes("where", shapes);
  auto fit = [&](const Array& a) {
    if (a.shape() == s) return a;
    IntList dims;
    for (int i = 0; i < a.ndim(); ++i) dims.push_back(s.ndim() - a.ndim() + i);
    return ops::broadcast_in_dim(a, s, dims);
  };
  const bool key = is_key(x.dtype());
  auto value = [&](const Array& a) { return fit(key ? a : to_dtype(a, canonical_dtype(t.dtype), t.weak)); };
  Array which = condition.ndim() == 0 ? condition : fit(condition);
  return ops::select(which, value(x), value(y));
}
}  // namespace
Array where(const Array& c, const Array& x, const Array& y) {
  COTAN_API;
  return one(named_jit("_where", [](const Arrays& a) { return Arrays{where_values(a[0], a[1], a[2])}; }, {c, x, y}));
}
Array clip(const Array& x, const Array& low, const Array& high) {
  COTAN_API;
  return one(named_jit("clip", [](const Arrays& a) {
    if (is_complex(a[0].dtype())) throw ValueError("Clip received a complex value either through the input or the min/max keywords, got " + a[0].aval().str());
    return Arrays{promoted("clip", ops::min, a[2], promoted("clip", ops::max, a[1], a[0]))};
  }, {x, low, high}));
}

}  // namespace cotan::numpy

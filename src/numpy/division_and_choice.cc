// numpy's elementwise functions of several steps: division, remainders, powers, choices.
#include <cmath>
#include <optional>

#include "cotan/lax.h"
#include "numpy/common.h"

namespace cotan::numpy {

Array divide(const Array& x, const Array& y) {
  COTAN_API;
  Pair p = promote_inexact("divide", x, y);
  return ops::div(p.x, p.y);
}
Array true_divide(const Array& x, const Array& y) {
  COTAN_API;
  return divide(x, y);
}
Array arctan2(const Array& x, const Array& y) {
  COTAN_API;
  Pair p = promote_inexact("arctan2", x, y);
  return lax::atan2(p.x, p.y);
}

namespace {
// Equations are recorded in the order of the statements, which is JAX's: C++ leaves that of arguments open.
// y, and 1 where it is 0: the remainder of that is 0.
Array nonzero_divisor(const Array& y) {
  const Array is_zero = ops::eq(y, number_like(y, 0)), ones = ops::full(y.aval(), 1);
  return where(is_zero, ones, y);
}
// The remainder takes the divisor's sign.
Array remainder_values(const Array& x, const Array& divisor) {
  Array y = divisor;
  if (!is_floating(y.dtype())) y = nonzero_divisor(y);
  Array r = ops::rem(x, y), zero = number_like(r, 0);
  Array nonzero = ops::ne(r, zero);
  Array r_negative = ops::lt(r, zero), y_negative = ops::lt(y, zero);
  Array differ = ops::ne(r_negative, y_negative);
  Array move = ops::bit_and(differ, nonzero);
  Array moved = ops::add(r, y);
  return ops::select(move, moved, r);
}
Array floor_divide_values(const Array& x, const Array& y) {
  if (is_unsigned_integer(x.dtype())) return ops::div(x, y);
  if (is_integer(x.dtype())) {
    Array q = ops::div(x, y);
    Array x_sign = ops::sign(x), y_sign = ops::sign(y);
    Array differ = ops::ne(x_sign, y_sign);
    Array r = ops::rem(x, y);
    Array down = ops::bit_and(differ, ops::ne(r, number_like(r, 0)));
    Array lower = ops::sub(q, number_like(q, 1));
    return where(down, lower, q);
  }
  Array zero = number_like(x, 0), m = ops::rem(x, y);
  Array by_zero = ops::eq(y, zero);
  Array without_rest = ops::sub(x, m);
  Array exact = where(by_zero, x, without_rest);
  Array q = ops::div(exact, y);
  Array inexact_quotient = ops::ne(m, zero);
  Array y_sign = ops::sign(y), m_sign = ops::sign(m);
  Array differ = ops::ne(y_sign, m_sign);
  Array down = ops::bit_and(inexact_quotient, differ);
  Array lower = ops::sub(q, number_like(q, 1));
  return ops::round(ops::select(down, lower, q), ops::RoundingMethod::away_from_zero);
}
}  // namespace

Array remainder(const Array& x, const Array& y) {
  COTAN_API;
  return jitted("remainder",
                [](const Arrays& a) { return promoted_numbers("remainder", remainder_values, a[0], a[1]); }, {x, y});
}
Array mod(const Array& x, const Array& y) {
  COTAN_API;
  return remainder(x, y);
}
Array fmod(const Array& x, const Array& y) {
  COTAN_API;
  const auto of_numbers = [](const Array& v, const Array& by) {
    return ops::rem(v, is_integer(by.dtype()) ? nonzero_divisor(by) : by);
  };
  const Binary values = is_bool(x) && is_bool(y) ? Binary(ops::rem) : of_numbers;
  return jitted("fmod", [values](const Arrays& a) { return promoted_numbers("fmod", values, a[0], a[1]); }, {x, y});
}
Array floor_divide(const Array& x, const Array& y) {
  COTAN_API;
  return jitted("floor_divide",
                [](const Arrays& a) { return promoted_numbers("floor_divide", floor_divide_values, a[0], a[1]); },
                {x, y});
}

namespace {
// By squaring, over all bits of the exponent, which may be of another integer type: the result is exact modulo 2^width.
// A negative exponent counts as unsigned.
Array integer_power(const Array& x, const Array& y) {
  const Array zero = number_like(y, 0), one = number_like(y, 1);
  const Shape shapes[] = {x.shape(), y.shape()};
  Array result = ops::full({broadcast_shapes("power", shapes), x.dtype(), false}, 1), base = x, bits = y;
  const int width = static_cast<int>(8 * item_size(y.dtype()));
  for (int i = 0; i < width; ++i) {
    Array odd = ops::broadcast_to_shape(ops::ne(ops::bit_and(bits, one), zero), result.shape());
    result = ops::select(odd, ops::mul(result, base), result);
    if (i + 1 == width) break;
    base = ops::mul(base, base);
    bits = ops::shift_right_logical(bits, one);
  }
  return result;
}

// Of an inexact x. An odd n of this size may have no float of its own, and the sign hangs on it: the even neighbour nearer to 0
// is taken, then one factor more.
Array large_power(const Array& x, std::int64_t n) {
  const std::int64_t even = n % 2 == 0 ? n : n > 0 ? n - 1 : n + 1;
  const Array result = ops::pow(x, to_dtype(Array(even), x.dtype(), true));
  return even == n ? result : n > 0 ? ops::mul(result, x) : ops::div(result, x);
}

// The value of a concrete integer; none where int64 does not hold it.
std::optional<std::int64_t> known_integer(const Array& y) {
  if (!is_concrete(y) || y.ndim() != 0 || !is_integer(y.dtype())) return std::nullopt;
  const std::int64_t n = y.item<std::int64_t>();
  return n < 0 && is_unsigned_integer(y.dtype()) ? std::nullopt : std::optional(n);
}
}  // namespace

Array power(const Array& x, const Array& y) {
  COTAN_API;
  if (const auto known = known_integer(y)) {  // an exponent of no dtype
    const std::int64_t n = *known;
    const bool inexact = is_inexact(x.dtype()), small = n == static_cast<int>(n);  // integer_pow's exponent is an int
    if (!inexact && n < 0)
      throw TypeError("Integers cannot be raised to negative powers, got power of " + x.aval().str() + " and " +
                      std::to_string(n));
    const Array base = is_bool(x) ? to_dtype(x, DType::int32, false) : x;
    if (small) return ops::integer_pow(base, static_cast<int>(n));
    return inexact ? large_power(base, n) : integer_power(base, y);
  }
  if (is_inexact(x.dtype()) && is_integer(y.dtype())) {  // an integer exponent keeps its type
    Pair p = promote("power", x, y);
    return ops::pow(p.x, y.ndim() == p.y.ndim() ? y : ops::reshape(y, p.y.shape()));
  }
  Pair p = promote("power", x, y);
  if (is_inexact(p.x.dtype())) return ops::pow(p.x, p.y);
  if (!is_bool(p.x)) return integer_power(p.x, p.y);
  return integer_power(to_dtype(p.x, DType::int32, false), to_dtype(p.y, DType::int32, false));
}
Array float_power(const Array& x, const Array& y) {
  COTAN_API;
  Pair p = promote_inexact("float_power", x, y);
  return ops::pow(p.x, p.y);
}

namespace {
// y where it is a number and x is not the better one, or not a number.
Array number_of_two(const char* name, Binary better, const Array& x, const Array& y) {
  Pair p = promote(name, x, y);
  Array first = better(p.x, p.y);
  Array no_second = ops::ne(p.y, p.y);
  return where(ops::bit_or(first, no_second), p.x, p.y);
}
// Scaled by the larger leg, so that no square overflows; inf with anything, NaN too, is inf.
Array hypot_values(const Array& x, const Array& y) {
  Pair p = promote_inexact("hypot", x, y);
  if (is_complex(p.x.dtype()))
    throw ValueError("hypot is not well defined for complex values, got " + p.x.aval().str() + "; take abs first");
  Array a = ops::abs(p.x), b = ops::abs(p.y), zero = number_like(a, 0);
  // Strong beside arrays, so that weak ones (of uint64 with int64) give a strong result, as in JAX.
  const Array infinity = constant_like(a.ndim() == 0 ? b : a, INFINITY);
  Array a_infinite = ops::eq(a, infinity), b_infinite = ops::eq(b, infinity);
  Array infinite = ops::bit_or(a_infinite, b_infinite);
  Array large = ops::max(a, b), small = ops::min(a, b);
  Array is_zero = ops::eq(large, zero);
  Array divisor = where(is_zero, ops::full(large.aval(), 1), large);
  Array ratio = ops::square(ops::div(small, divisor));
  Array h = ops::mul(large, ops::sqrt(ops::add(number_like(ratio, 1), ratio)));
  return where(infinite, infinity, where(is_zero, large, h));
}
}  // namespace
Array fmax(const Array& x, const Array& y) {
  COTAN_API;
  return jitted("fmax", [](const Arrays& a) { return number_of_two("fmax", greater, a[0], a[1]); }, {x, y});
}
Array fmin(const Array& x, const Array& y) {
  COTAN_API;
  return jitted("fmin", [](const Arrays& a) { return number_of_two("fmin", less, a[0], a[1]); }, {x, y});
}
Array hypot(const Array& x, const Array& y) {
  COTAN_API;
  return jitted("hypot", [](const Arrays& a) { return hypot_values(a[0], a[1]); }, {x, y});
}
Array copysign(const Array& x, const Array& y) {
  COTAN_API;
  if (is_complex(x.dtype()) || is_complex(y.dtype()))
    throw TypeError("copysign does not support complex-valued inputs, got " + x.aval().str() + " and " +
                    y.aval().str());
  return jitted("copysign",
                [](const Arrays& a) {
                  Pair p = promote_inexact("copysign", a[0], a[1]);
                  Array negative = signbit(p.y);
                  Array minus = ops::neg(ops::abs(p.x)), plus = ops::abs(p.x);
                  return where(negative, minus, plus);
                },
                {x, y});
}

namespace {
// The imaginary part is brought into [-pi, pi).
Array complex_logaddexp(const Array& x, const Array& y) {
  const Array large = ops::max(x, y), sum = ops::add(x, y);
  const Array d = ops::sub(sum, ops::mul(large, number_like(large, 2)));
  const Array v = ops::add(large, ops::log1p(ops::exp(d)));
  const Array re = ops::real(v), im = ops::imag(v), pi = number_like(im, M_PI), turn = number_like(im, 2 * M_PI);
  const Array rest = ops::rem(ops::add(im, pi), turn);
  const Array below = ops::lt(rest, number_like(rest, 0)), next = ops::add(rest, turn);
  return ops::complex(re, ops::sub(ops::select(below, next, rest), pi));
}
Array logaddexp_values(const Array& x, const Array& y) {
  return is_complex(x.dtype()) ? complex_logaddexp(x, y) : ops::logaddexp(x, y);
}
}  // namespace
Array logaddexp(const Array& x, const Array& y) {
  COTAN_API;
  Pair p = promote_inexact("logaddexp", x, y);
  return logaddexp_values(p.x, p.y);
}
Array logaddexp2(const Array& x, const Array& y) {
  COTAN_API;
  Pair p = promote_inexact("logaddexp2", x, y);
  const Array c = constant_like(p.x.ndim() == 0 ? p.y : p.x, std::log(2.0));
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
  return jitted("_where", [](const Arrays& a) { return where_values(a[0], a[1], a[2]); }, {c, x, y});
}
Array clip(const Array& x, const Array& low, const Array& high) {
  COTAN_API;
  Arrays args{x};
  const bool has_low = low.has_value(), has_high = high.has_value();
  if (has_low) args.push_back(low);
  if (has_high) args.push_back(high);
  return named_jit(
      "clip",
      [=](const Arrays& a) {
        for (const Array& v : a)
          if (is_complex(v.dtype()))
            throw ValueError("Clip received a complex value either through the input or the min/max keywords, got " +
                             v.aval().str());
        Array r = a[0];
        if (has_low) r = promoted("clip", ops::max, a[1], r);
        return Arrays{has_high ? promoted("clip", ops::min, a.back(), r) : r};
      },
      args, static_cast<std::uint64_t>(has_low * 2 + has_high))[0];
}

}  // namespace cotan::numpy

// numpy's functions on the digits of numbers: rounding to decimals, parts of a number, powers of two.
#include <cmath>
#include <limits>

#include "api/function_table.h"
#include "numpy/common.h"

namespace cotan::numpy {

namespace {

double largest(DType d) {
  switch (d) {
    case DType::float16: return 65504;
    case DType::bfloat16: return 0x1.fep127;
    case DType::float32: return std::numeric_limits<float>::max();
    default: return std::numeric_limits<double>::max();
  }
}

// To decimals by a factor of the same type, as JAX does; what the factor overflows has no digit there to round, or none left.
Array round_real(const Array& x, int decimals) {
  if (decimals == 0) return ops::round(x, ops::RoundingMethod::to_nearest_even);
  const double factor = std::pow(10.0, decimals), limit = largest(x.dtype());
  if (factor > limit) return x;
  if (x.dtype() == DType::float16)
    return to_dtype(round_real(to_dtype(x, DType::float32, false), decimals), DType::float16, false);
  if (1 / factor > limit) return ops::mul(x, constant_like(x, 0));
  const Array by = constant_like(x, factor), scaled = ops::mul(x, by);
  return ops::div(ops::round(scaled, ops::RoundingMethod::to_nearest_even), by);
}

Array round_values(const Array& x, int decimals) {
  if (is_bool(x)) throw ValueError("round: data type bool is neither an integer nor inexact, got " + x.aval().str());
  if (is_integer(x.dtype())) {
    if (decimals < 0)
      throw NotImplementedError("round: integers and decimals < 0, got " + x.aval().str() +
                                " and decimals=" + std::to_string(decimals));
    return x;
  }
  if (!is_complex(x.dtype())) return round_real(x, decimals);
  const Array re = round_real(ops::real(x), decimals), im = round_real(ops::imag(x), decimals);
  return ops::complex(re, im);
}

Array named_round(const Array& x, int decimals) {
  return named_jit(
      "round", [decimals](const Arrays& a) { return Arrays{round_values(a[0], decimals)}; }, {x},
      static_cast<std::uint64_t>(static_cast<std::int64_t>(decimals)))[0];
}

// How a floating type keeps a number.
struct Format {
  int mantissa_bits, bias;
  DType bits;
  std::int64_t exponent_mask;
};
Format format_of(DType d) {
  switch (d) {
    case DType::float16: return {10, 15, DType::int16, 0x1f};
    case DType::bfloat16: return {7, 127, DType::int16, 0xff};
    case DType::float32: return {23, 127, DType::int32, 0xff};
    default: return {52, 1023, DType::int64, 0x7ff};
  }
}
Array whole(const Format& f, std::int64_t v) { return ops::scalar_int(f.bits, v); }

// 2^n of integers n within the type's normal range: without rounding, and without a derivative.
Array power_of_two(DType d, const Array& n) {
  const Format f = format_of(d);
  const Array field = ops::shift_left(ops::add(n, whole(f, f.bias)), whole(f, f.mantissa_bits));
  return ops::bitcast_convert_type(field, d);
}

// The mantissa as a product with powers of two, so that its derivative is that of a product; exponents of the bits' type.
struct Split {
  Array mantissa, exponent;
};
Split split_number(const Array& x) {
  const DType d = x.dtype();
  const Format f = format_of(d);
  const Array v = ops::stop_gradient(x), size = ops::abs(v);
  const Array tiny = ops::lt(size, ops::scalar(d, std::ldexp(1.0, 1 - f.bias)));
  const Array raised = ops::mul(size, ops::scalar(d, std::ldexp(1.0, f.mantissa_bits)));
  const Array bits = ops::bitcast_convert_type(where(tiny, raised, size), f.bits);
  const Array field =
      ops::bit_and(ops::shift_right_logical(bits, whole(f, f.mantissa_bits)), whole(f, f.exponent_mask));
  const Array start = where(tiny, whole(f, f.bias - 1 + f.mantissa_bits), whole(f, f.bias - 1));
  const Array special = ops::bit_or(ops::eq(v, ops::scalar(d, 0)), ops::bit_not(ops::is_finite(v)));
  const Array exponent = where(special, whole(f, 0), ops::sub(field, start));
  const Array half = ops::shift_right_arithmetic(ops::neg(exponent), whole(f, 1));
  const Array rest = ops::sub(ops::neg(exponent), half);
  return {ops::mul(ops::mul(x, power_of_two(d, half)), power_of_two(d, rest)), exponent};
}

// m * 2^e * 2^n = (2 m) * 2^(k - h) * 2^h with k = e + n - 1: the first product is exact, the second rounds.
Array ldexp_values(const Array& x, const Array& n) {
  const DType d = x.dtype();
  const Format f = format_of(d);
  const std::int64_t most = 4 * (f.bias + f.mantissa_bits);
  const DType wide = item_size(n.dtype()) < 4 ? DType::int32 : n.dtype();
  const Array high = ops::scalar_int(wide, most), low = ops::scalar_int(wide, is_unsigned_integer(wide) ? 0 : -most);
  const Array count = ops::convert_element_type(ops::clamp(low, to_dtype(n, wide, false), high), f.bits);
  const Split s = split_number(x);
  const Array k = ops::sub(promoted("ldexp", ops::add, s.exponent, count), whole(f, 1));
  const std::int64_t step = d == DType::float16 ? 12 : (f.bias + 1) / 2;
  const Array up = ops::gt(k, whole(f, step)), down = ops::lt(k, whole(f, -step));
  const Array h = where(up, whole(f, step), where(down, whole(f, -step), whole(f, 0)));
  const Array first = ops::clamp(whole(f, 1 - f.bias), ops::sub(k, h), whole(f, f.bias));
  const Array doubled = ops::mul(s.mantissa, ops::scalar(d, 2));
  const Array scaled = promoted("ldexp", ops::mul, doubled, power_of_two(d, first));
  return promoted("ldexp", ops::mul, scaled, power_of_two(d, h));
}

Array nan_to_num_real(const Array& x, const Array& nan, const Array& posinf, const Array& neginf) {
  const DType d = x.dtype();
  const auto as_x = [&](const Array& v) { return to_dtype(v, d, false); };
  const Array high = posinf.has_value() ? as_x(posinf) : ops::scalar(d, largest(d));
  const Array low = neginf.has_value() ? as_x(neginf) : ops::scalar(d, -largest(d));
  const Array no_nan = where(ops::ne(x, x), as_x(nan), x);
  const Array no_high = where(ops::eq(no_nan, number_like(x, INFINITY)), high, no_nan);
  return to_dtype(where(ops::eq(no_high, number_like(x, -INFINITY)), low, no_high), d, false);
}

}  // namespace

Array round(const Array& x, int decimals) {
  COTAN_API;
  return named_round(x, decimals);
}
Array around(const Array& x, int decimals) {
  COTAN_API;
  return named_jit(
      "around", [decimals](const Arrays& a) { return Arrays{named_round(a[0], decimals)}; }, {x},
      static_cast<std::uint64_t>(static_cast<std::int64_t>(decimals)))[0];
}

ModfResult modf(const Array& x) {
  COTAN_API;
  const Arrays r = named_jit("modf",
                             [](const Arrays& a) {
                               const Array v = promote_inexact(a[0]);
                               if (is_complex(v.dtype()))
                                 throw TypeError("modf does not accept complex values, got " + v.aval().str());
                               const Array up = ops::ge(v, number_like(v, 0)), below = ops::floor(v),
                                           above = ops::ceil(v);
                               const Array integral = where(up, below, above);
                               return Arrays{ops::sub(v, integral), integral};
                             },
                             {x});
  return {r[0], r[1]};
}

FrexpResult frexp(const Array& x) {
  COTAN_API;
  const Arrays r = named_jit("frexp",
                             [](const Arrays& a) {
                               const Array v = promote_inexact(a[0]);
                               if (is_complex(v.dtype()))
                                 throw TypeError("frexp does not support complex values, got " + v.aval().str());
                               const Split s = split_number(v);
                               return Arrays{s.mantissa, to_dtype(s.exponent, DType::int32, false)};
                             },
                             {x});
  return {r[0], r[1]};
}

Array ldexp(const Array& x1, const Array& x2) {
  COTAN_API;
  const bool whole_power = is_integer(x2.dtype()) || is_bool(x2);
  if (!whole_power || is_complex(x1.dtype()))
    throw ValueError("ldexp is not supported for input types " + x1.aval().str() + " and " + x2.aval().str() +
                     ": a real number and an integer are expected");
  return jitted("ldexp",
                [](const Arrays& a) {
                  const Array x = promote_inexact(a[0]);
                  const Array n = is_bool(a[1]) ? to_dtype(a[1], DType::int32, false) : a[1];
                  return to_dtype(ldexp_values(x, n), x.dtype(), false);
                },
                {x1, x2});
}

DivmodResult divmod(const Array& x, const Array& y) {
  COTAN_API;
  const Arrays r = named_jit(
      "divmod",
      [](const Arrays& a) {
        const Pair p = promote("divmod", a[0], a[1]);
        if (is_integer(p.x.dtype()) || is_bool(p.x)) return Arrays{floor_divide(a[0], a[1]), remainder(a[0], a[1])};
        const Array zero = number_like(p.x, 0), m = ops::rem(p.x, p.y);
        const Array by_zero = ops::eq(p.y, zero), exact = ops::sub(p.x, m);
        const Array q = ops::div(where(by_zero, p.x, exact), p.y);
        const Array rest = ops::ne(m, zero), y_sign = ops::sign(p.y), m_sign = ops::sign(m);
        const Array down = ops::bit_and(rest, ops::ne(y_sign, m_sign));
        const Array moved = ops::add(m, p.y), remainder_ = ops::select(down, moved, m);
        const Array lower = ops::sub(q, number_like(q, 1));
        return Arrays{ops::round(ops::select(down, lower, q), ops::RoundingMethod::away_from_zero), remainder_};
      },
      {x, y});
  return {r[0], r[1]};
}

Array heaviside(const Array& x1, const Array& x2) {
  COTAN_API;
  return jitted(
      "heaviside",
      [](const Arrays& a) {
        const LatticeType t = promote_types({a[0].dtype(), a[0].weak_type()}, {a[1].dtype(), a[1].weak_type()});
        const DType d = canonical_dtype(to_inexact_dtype(t.dtype));
        if (is_complex(d))
          throw TypeError("heaviside does not accept complex values, got " + a[0].aval().str() + " and " +
                          a[1].aval().str());
        const Array x = to_dtype(a[0], d, t.weak), at_zero = to_dtype(a[1], d, t.weak), zero = constant_like(x, 0);
        const Array below = ops::lt(x, zero), above = ops::gt(x, zero), no_number = ops::ne(x, x);
        const Array rest = where(above, constant_like(x, 1), where(no_number, x, at_zero));
        return where(below, zero, rest);
      },
      {x1, x2});
}

Array nan_to_num(const Array& x, const NanToNumOptions& o) {
  COTAN_API;
  Arrays args{x};
  const bool plain_nan = o.nan.has_value() && is_plain(o.nan) && o.nan.item<double>() == 0;
  const bool has_nan = !plain_nan, has_high = o.posinf.has_value(), has_low = o.neginf.has_value();
  if (has_nan) args.push_back(o.nan);
  if (has_low) args.push_back(o.neginf);
  if (has_high) args.push_back(o.posinf);
  return named_jit(
      "nan_to_num",
      [=](const Arrays& a) {
        std::size_t i = 1;
        const Array nan = has_nan ? a[i++] : Array(0.0), low = has_low ? a[i++] : Array(),
                    high = has_high ? a[i++] : Array();
        const Array& v = a[0];
        if (!is_inexact(v.dtype())) return Arrays{v};
        if (!is_complex(v.dtype())) return Arrays{nan_to_num_real(v, nan, high, low)};
        const NanToNumOptions same{.copy = true, .nan = nan, .posinf = high, .neginf = low};
        const Array re = nan_to_num(ops::real(v), same), im = nan_to_num(ops::imag(v), same);
        return Arrays{ops::complex(re, im)};
      },
      args, static_cast<std::uint64_t>(has_nan * 4 + has_high * 2 + has_low))[0];
}

const FunctionTable rounding_table{
    "numpy",
    {
        function<round>("round(a, decimals=0, out=None)", "Rounded to decimals, half to even."),
        function<around>("around(a, decimals=0, out=None)", "Rounded to decimals, half to even."),
        function<modf>("modf(x, /, out=None)", "The fractional and the integral part, with the sign of x."),
        function<frexp>("frexp(x, /)", "Mantissa in [0.5, 1) and exponent (int32): x = mantissa * 2^exponent."),
        function<ldexp>("ldexp(x1, x2, /)", "x1 * 2^x2, rounded once."),
        function<divmod>("divmod(x1, x2, /)", "The floored quotient and the remainder."),
        function<heaviside>("heaviside(x1, x2, /)", "0 where x1 < 0, x2 where it is 0, 1 where it is positive."),
        function<nan_to_num>("nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None)",
                             "x with NaN and infinities replaced by numbers."),
    }};

}  // namespace cotan::numpy

// Elementary functions by those that StableHLO has. Complex ones: W. Kahan, Branch cuts for complex elementary functions (1987).
#include <cmath>
#include <limits>

#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/expand.h"
#include "ops/expand_special.h"

namespace cotan::ops::expand {

namespace {

using In = std::span<const Array>;
constexpr double ln2 = 0.69314718055994530942;

Array number(const Array& x, double v) { return scalar(x.dtype(), v); }
Array half(const Array& x) { return times(x, 0.5); }

// Where 1 is lost beside x^2.
double large(const Array& x) { return x.dtype() == DType::float64 ? 0x1p28 : 0x1p13; }

Array sqrt_of_complement(const Array& x) { return sqrt(mul(sub(number(x, 1), x), add(number(x, 1), x))); }

Array sinh_of(const Array& x) {
  const Array a = abs(x), e = expm1(a), root = exp(half(a));
  const Array small = half(add(e, div(e, add(e, number(e, 1)))));
  return with_sign(select(gt(a, number(a, 20)), mul(half(root), root), small), x);
}
Array cosh_of(const Array& x) {
  const Array root = exp(half(abs(x)));
  return add(mul(half(root), root), div(div(all(x, 0.5), root), root));
}
// a + a^2 / (1 + sqrt(1 + a^2)) is sqrt(1 + a^2) + a - 1.
Array asinh_of(const Array& x) {
  const Array a = abs(x), s = mul(a, a), one = number(x, 1);
  const Array near = log1p(add(a, div(s, add(one, sqrt(add(one, s))))));
  return with_sign(select(gt(a, number(a, large(x))), add(log(a), number(a, ln2)), near), x);
}
Array acosh_of(const Array& x) {
  const Array t = sub(x, number(x, 1));
  const Array near = log1p(add(t, sqrt(mul(t, add(t, number(t, 2))))));
  const Array value = select(gt(x, number(x, large(x))), add(log(x), number(x, ln2)), near);
  return select(lt(x, number(x, 1)), all(x, std::numeric_limits<double>::quiet_NaN()), value);
}
Array atanh_of(const Array& x) {
  const Array a = abs(x);
  return with_sign(half(log1p(div(mul(number(a, 2), a), sub(number(a, 1), a)))), x);
}

// --- complex ------------------------------------------------------------------------------------------------------------------
struct Parts {
  Array re, im;
};
Parts parts(const Array& z) { return {real(z), imag(z)}; }
Array times_i(const Array& z) { return complex(neg(imag(z)), real(z)); }
Array over_i(const Array& z) { return complex(imag(z), neg(real(z))); }
// Roots of 1 - z and 1 + z; the imaginary parts keep the sign of a zero.
Array root_less(const Array& z) { return sqrt(complex(sub(number(real(z), 1), real(z)), neg(imag(z)))); }
Array root_more(const Array& z) { return sqrt(complex(add(number(real(z), 1), real(z)), imag(z))); }

Array complex_asin(const Array& z) {
  const Parts l = parts(root_less(z)), m = parts(root_more(z));
  return complex(atan2(real(z), sub(mul(l.re, m.re), mul(l.im, m.im))),
                 asinh_of(sub(mul(l.re, m.im), mul(l.im, m.re))));
}
Array complex_acos(const Array& z) {
  const Parts l = parts(root_less(z)), m = parts(root_more(z));
  return complex(mul(number(l.re, 2), atan2(l.re, m.re)), asinh_of(sub(mul(m.re, l.im), mul(m.im, l.re))));
}
Array complex_acosh(const Array& z) {
  const Array less = sqrt(complex(sub(real(z), number(real(z), 1)), imag(z)));
  const Parts l = parts(less), m = parts(root_more(z));
  return complex(asinh_of(add(mul(l.re, m.re), mul(l.im, m.im))), mul(number(l.re, 2), atan2(l.im, m.re)));
}
Array complex_atanh(const Array& z) {
  const Array x = real(z), y = imag(z), one = number(x, 1), less = sub(one, x);
  const Array re = mul(number(x, 0.25), log1p(div(mul(number(x, 4), x), add(mul(less, less), mul(y, y)))));
  const Array im = half(atan2(mul(number(y, 2), y), sub(mul(less, add(one, x)), mul(y, y))));
  return complex(re, im);
}

template <class Real, class Complex> Array either(const Array& x, Real r, Complex c) {
  return is_complex(x.dtype()) ? c(x) : widened(r, x);
}

}  // namespace

Array exp2(const EqnContext&, In in) {
  const Array& x = in[0];
  return is_complex(x.dtype()) ? exp(mul(x, number(x, ln2))) : pow(all(x, 2), x);
}
Array asin(const EqnContext&, In in) {
  return either(
      in[0], [](const Array& x) { return atan2(x, sqrt_of_complement(x)); }, complex_asin);
}
Array acos(const EqnContext&, In in) {
  return either(
      in[0], [](const Array& x) { return atan2(sqrt_of_complement(x), x); }, complex_acos);
}
Array atan(const EqnContext&, In in) {
  return either(
      in[0], [](const Array& x) { return atan2(x, all(x, 1)); },
      [](const Array& z) { return over_i(complex_atanh(times_i(z))); });
}
Array sinh(const EqnContext&, In in) {
  return either(in[0], sinh_of, [](const Array& z) {
    const Array x = real(z), y = imag(z);
    return complex(mul(sinh_of(x), cos(y)), mul(cosh_of(x), sin(y)));
  });
}
Array cosh(const EqnContext&, In in) {
  return either(in[0], cosh_of, [](const Array& z) {
    const Array x = real(z), y = imag(z);
    return complex(mul(cosh_of(x), cos(y)), mul(sinh_of(x), sin(y)));
  });
}
Array asinh(const EqnContext&, In in) {
  return either(in[0], asinh_of, [](const Array& z) { return over_i(complex_asin(times_i(z))); });
}
Array acosh(const EqnContext&, In in) { return either(in[0], acosh_of, complex_acosh); }
Array atanh(const EqnContext&, In in) { return either(in[0], atanh_of, complex_atanh); }

// max(x, y) + log1p(exp(-|x - y|)); where the difference is NaN, the sum: equal infinities give themselves.
Array logaddexp(const EqnContext&, In in) {
  const Array difference = sub(in[0], in[1]), sum = add(in[0], in[1]);
  const Array value = add(max(in[0], in[1]), log1p(exp(neg(abs(difference)))));
  return select(ne(difference, difference), sum, value);
}

// --- bits ---------------------------------------------------------------------------------------------------------------------
namespace {

// The high half by halves: with x = x1 2^h + x0, the parts of the product that reach it.
Array high_half_of_words(const Array& x, const Array& y) {
  const DType d = x.dtype();
  const Array h = scalar_int(d, 32), mask = scalar_int(d, 0xffffffff);
  const auto low = [&](const Array& v) { return bit_and(v, mask); };
  const auto high = [&](const Array& v) {
    return is_signed_integer(d) ? shift_right_arithmetic(v, h) : shift_right_logical(v, h);
  };
  const Array x0 = low(x), y0 = low(y), x1 = high(x), y1 = high(y);
  const Array first = add(mul(x1, y0), shift_right_logical(mul(x0, y0), h));
  const Array second = add(mul(x0, y1), low(first));
  return add(mul(x1, y1), add(high(first), high(second)));
}

}  // namespace

Array mulhi(const EqnContext&, In in) {
  const DType d = in[0].dtype();
  const auto bits = static_cast<int>(8 * item_size(d));
  if (bits == 64) return high_half_of_words(in[0], in[1]);
  const DType wide = is_signed_integer(d) ? DType::int64 : DType::uint64;
  const Array product = mul(convert_element_type(in[0], wide), convert_element_type(in[1], wide));
  return convert_element_type(shift_right_logical(product, scalar_int(wide, bits)), d);
}

// The bits of a float, as a number, go up with its magnitude.
Array nextafter(const EqnContext&, In in) {
  const DType d = in[0].dtype(), word = d == DType::float64   ? DType::uint64
                                        : d == DType::float32 ? DType::uint32
                                                              : DType::uint16;
  const Shape shape = elementwise_shape("nextafter", std::vector<Aval>{in[0].aval(), in[1].aval()});
  const Array x = broadcast_to_shape(in[0], shape), y = broadcast_to_shape(in[1], shape);
  const Array bits = bitcast_convert_type(x, word), one = scalar_int(word, 1);
  const Array sign_bit = scalar_int(word, std::numeric_limits<std::int64_t>::min() >> (64 - 8 * item_size(d)));
  const Array zero = eq(x, number(x, 0)), down = lt(y, x);
  // Away from zero where x < y and x > 0, or x > y and x < 0.
  const Array outward = bit_xor(down, gt(x, number(x, 0)));
  const Array stepped = select(outward, add(bits, one), sub(bits, one));
  const Array least = bit_or(bit_and(bitcast_convert_type(y, word), sign_bit), one);
  const Array moved = bitcast_convert_type(select(zero, broadcast_to_shape(least, shape), stepped), d);
  const Array is_nan = bit_or(ne(x, x), ne(y, y));
  return select(is_nan, add(x, y), select(eq(x, y), y, moved));
}

}  // namespace cotan::ops::expand

// The gamma function's kin and the Bessel functions, in float64 by the polynomials of the functions of single values.
#include <cmath>
#include <limits>

#include "ops/expand.h"
#include "ops/expand_special.h"
#include "ops/special_coefficients.h"

namespace cotan::ops::expand {

namespace {

using In = std::span<const Array>;
using C = SpecialCoefficients<double>;
constexpr double pi = 3.14159265358979323846, inf = HUGE_VAL;
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

Array is(const Array& x, double v) { return eq(x, scalar(x.dtype(), v)); }
Array above(const Array& x, double v) { return gt(x, scalar(x.dtype(), v)); }
Array below(const Array& x, double v) { return lt(x, scalar(x.dtype(), v)); }
Array at_least(const Array& x, double v) { return max(x, scalar(x.dtype(), v)); }
Array at_most(const Array& x, double v) { return min(x, scalar(x.dtype(), v)); }
Array off_integer(const Array& x) { return sub(x, round(x, RoundingMethod::to_nearest_even)); }
Array inverse(const Array& x) { return div(all(x, 1), x); }

// f (c[0] + lost + f (c[1] + ...)).
template <std::size_t n> Array zero_at_origin(const Array& f, const double (&c)[n], double lost) {
  return mul(f, plus(polynomial(f, c), lost));
}

Array stirling_rest(const Array& x) {
  const Array r = inverse(x);
  return mul(polynomial(mul(r, r), C::stirling), r);
}

// x > 0. Steps lead to [1.5, 2.5]; at 1 and 2, where the logarithm is 0, there are none.
Array lgamma_positive(const Array& x) {
  Array moved = x, product = all(x, 1);
  for (int i = 0; i < 6; ++i) {
    const Array step = above(moved, 2.5);
    moved = select(step, plus(moved, -1), moved);
    product = select(step, mul(product, moved), product);
  }
  const auto two = [](const Array& f) { return zero_at_origin(f, C::lgamma_two, C::lgamma_two_lost); };
  const Array middle = add(two(plus(moved, -2)), log(product));
  const Array small = sub(two(x), log(mul(x, plus(x, 1))));
  const Array f = plus(x, -1);
  const Array one =
      select(below(f, -0.25), sub(two(f), log1p(f)), zero_at_origin(f, C::lgamma_one, C::lgamma_one_lost));
  const Array big = at_least(x, 8), log_x = log(big);
  const Array rest = select(above(x, 0x1p60), all(x, 0), plus(stirling_rest(big), 0.41893853320467274178));
  const Array large = add(mul(select(above(x, 0x1p60), big, plus(big, -0.5)), plus(log_x, -1)), rest);
  const Array near = select(below(x, 0.5), small, select(below(x, 1.5), one, middle));
  return select(ge(x, scalar(x.dtype(), 8)), large, near);
}

Array lgamma_of(const Array& x) {
  const Array a = abs(x), tiny = below(a, 0x1p-60), safe = select(tiny, all(x, 1), a);
  const Array positive = lgamma_positive(safe);
  const Array sine = abs(sin(times(off_integer(a), pi)));
  const Array reflected = sub(log(div(all(x, pi), mul(safe, sine))), positive);
  const Array pole = bit_and(eq(x, floor(x)), below(x, 0.5));
  const Array value = select(tiny, neg(log(a)), select(below(x, 0), reflected, positive));
  return select(bit_or(pole, is(a, inf)), all(x, inf), value);
}

// x > 0.
constexpr double digamma_zero[] = {digamma_root[0], digamma_root[1]};
Array digamma_positive(const Array& x) {
  Array moved = select(below(x, 1), plus(x, 1), x), sum = select(below(x, 1), neg(inverse(x)), all(x, 0));
  for (int i = 0; i < 6; ++i) {
    const Array step = above(moved, 2);
    moved = select(step, plus(moved, -1), moved);
    sum = select(step, add(sum, inverse(moved)), sum);
  }
  const Array from_zero = plus(plus(moved, -digamma_zero[0]), -digamma_zero[1]);
  const Array near = add(sum, mul(from_zero, polynomial(plus(moved, -1.5), C::digamma_near)));
  const Array big = at_least(x, 8), r = inverse(big), z = mul(r, r);
  const Array far = sub(log(big), add(times(r, 0.5), mul(z, polynomial(z, C::digamma_tail))));
  return select(ge(x, scalar(x.dtype(), 8)), far, near);
}
Array digamma_of(const Array& x) {
  const Array a = abs(x), between = bit_and(below(x, 0), above(x, -0.5));
  const Array positive = digamma_positive(select(between, plus(x, 1), a));
  const Array angle = times(off_integer(a), pi);
  const Array reflected = add(add(positive, inverse(a)), times(div(cos(angle), sin(angle)), pi));
  const Array value = select(between, sub(positive, inverse(x)), select(below(x, 0), reflected, positive));
  const Array pole = bit_and(eq(x, floor(x)), below(x, 0.5));
  return select(is(x, inf), all(x, inf), select(pole, all(x, nan_value), value));
}

// Below 8 exp(-a) times a polynomial in (a / 8)^2, above it a polynomial in 1 / a over sqrt(a).
template <std::size_t n, std::size_t m>
void bessel(const Array& a, const double (&low)[n], const double (&high)[m], Array* scaled, Array* far) {
  const Array inside = at_most(a, 8), ratio = times(inside, 0.125), outside = at_least(a, 8);
  *scaled = mul(exp(neg(inside)), polynomial(mul(ratio, ratio), low));
  *far = div(polynomial(sub(div(all(a, 16), outside), all(a, 1)), high), sqrt(outside));
}
Array i0e_of(const Array& x) {
  const Array a = abs(x);
  Array low, high;
  bessel(a, C::i0_low, C::i0e_high, &low, &high);
  return select(above(a, 8), high, low);
}
Array i1e_of(const Array& x) {
  const Array a = abs(x);
  Array low, high;
  bessel(a, C::i1_low, C::i1e_high, &low, &high);
  return with_sign(select(above(a, 8), high, mul(a, low)), x);
}

}  // namespace

Array lgamma(const EqnContext&, In in) { return in_double(lgamma_of, in[0]); }
Array digamma(const EqnContext&, In in) { return in_double(digamma_of, in[0]); }
Array bessel_i0e(const EqnContext&, In in) { return in_double(i0e_of, in[0]); }
Array bessel_i1e(const EqnContext&, In in) { return in_double(i1e_of, in[0]); }

}  // namespace cotan::ops::expand

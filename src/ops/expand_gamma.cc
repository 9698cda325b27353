// The gamma function's kin and the Bessel functions, in float64 by the polynomials of the functions of single values.
#include <cmath>
#include <limits>

#include "ops/expand.h"
#include "ops/expand_special.h"
#include "ops/reduction.h"
#include "ops/special_coefficients.h"
#include "ops/special_host.h"
#include "ops/structural.h"

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
Array inverse(const Array& x) { return div(all(x, 1), x); }
Array off_integer(const Array& x) { return sub(x, round(x, RoundingMethod::to_nearest_even)); }

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

// Up to 20 by steps that lead to [1.5, 2.5], above by Stirling's series with the power in halves, which do not overflow.
Array gamma_positive(const Array& x) {
  Array moved = at_most(x, 20), product = all(x, 1);
  for (int i = 0; i < 18; ++i) {
    const Array step = above(moved, 2.5);
    moved = select(step, plus(moved, -1), moved);
    product = select(step, mul(product, moved), product);
  }
  for (int i = 0; i < 2; ++i) {
    const Array step = below(moved, 1.5);
    product = select(step, div(product, moved), product);
    moved = select(step, plus(moved, 1), moved);
  }
  const Array near = mul(product, exp(zero_at_origin(plus(moved, -2), C::lgamma_two, C::lgamma_two_lost)));
  const Array big = at_least(x, 20), root = pow(big, plus(times(big, 0.5), -0.25));
  const Array far = mul(mul(mul(root, exp(neg(big))), times(exp(stirling_rest(big)), 2.50662827463100050242)), root);
  return select(above(x, 20), far, near);
}

Array gamma_of(const Array& x) {
  const Array a = abs(x), positive = gamma_positive(select(is(a, 0), all(x, 1), a));
  const Array nearest = round(a, RoundingMethod::to_nearest_even);
  const Array odd = select(is(rem(nearest, scalar(x.dtype(), 2)), 0), all(x, 1), all(x, -1));
  const Array sine = mul(odd, sin(times(sub(a, nearest), pi)));
  const Array reflected = div(div(div(all(x, -pi), sine), positive), a);
  const Array pole = bit_and(eq(x, floor(x)), below(x, 0));
  const Array value = select(pole, all(x, nan_value), select(below(x, 0), reflected, positive));
  return select(is(a, 0), inverse(x), select(above(x, 172), mul(x, all(x, inf)), value));
}

// q^s zeta(s, q) for s > 1 and q > 0: Euler and Maclaurin after 32 terms, which stand along a last axis.
Array scaled_zeta(const Array& s, const Array& q) {
  constexpr std::int64_t terms = 32;
  const Shape shape = [&] {
    Shape r = q.shape();
    r.push_back(terms);
    return r;
  }();
  const IntList kept = IntList::range(q.ndim());
  const Array wide_q = broadcast_in_dim(q, shape, kept), wide_s = broadcast_in_dim(s, shape, kept);
  const Array ratio = div(wide_q, add(wide_q, iota(q.dtype(), shape, q.ndim())));
  const Array sum = reduce_sum(pow(ratio, wide_s), {q.ndim()});
  const Array w = plus(q, terms), last = pow(div(q, w), s);
  Array rest = add(div(mul(last, w), plus(s, -1)), times(last, 0.5)), factor = div(mul(last, s), w);
  for (int j = 0; j < 12; ++j) {
    rest = add(rest, times(factor, host::bernoulli_over_factorial[j]));
    factor = mul(factor, mul(div(plus(s, 2 * j + 1), w), div(plus(s, 2 * j + 2), w)));
  }
  return add(sum, rest);
}
Array zeta_positive(const Array& s, const Array& q) { return mul(pow(q, neg(s)), scaled_zeta(s, q)); }
// For whole s and q < 0: the terms below zero, counted from the nearest to it, and those above. For q > 0 `positive` itself.
template <class F> Array for_any(const Array& s, const Array& q, F positive) {
  const Array a = neg(q), low = below(q, 0), f = sub(a, floor(a)), safe = select(is(f, 0), all(q, 0.5), f);
  const Array even = is(rem(s, scalar(s.dtype(), 2)), 0);
  const Array first = positive(s, select(low, plus(a, 1), select(above(q, 0), q, all(q, 1))));
  const Array under = positive(s, safe), over = positive(s, sub(all(q, 1), safe));
  const Array rest = select(is(f, 0.5), all(q, 0), sub(over, under));  // of infinite ones, too
  const Array reflected = select(even, sub(add(under, over), first), add(rest, first));
  return select(low, reflected, first);
}
Array whole(const Array& x) { return eq(x, floor(x)); }

Array zeta_of(const Array& s, const Array& q) {
  const Array safe = select(above(s, 1), at_most(s, 1e4), all(s, 2));
  const Array pole = bit_and(whole(q), below(q, 0.5)), undefined = bit_and(below(q, 0), bit_not(whole(s)));
  Array value = select(undefined, all(s, nan_value), for_any(safe, select(pole, all(q, 1), q), zeta_positive));
  value = select(pole, all(s, inf), select(is(q, inf), all(s, 0), value));
  value = select(is(s, 1), all(s, inf), select(below(s, 1), all(s, nan_value), value));
  return select(bit_or(ne(s, s), ne(q, q)), all(s, nan_value), value);
}
Array digamma_of(const Array& x);
Array polygamma_of(const Array& m, const Array& x) {
  const Array valid = bit_and(bit_and(above(m, 0), below(m, inf)), bit_and(whole(m), eq(x, x)));
  const Array order = select(valid, m, all(m, 1)), odd = is(rem(order, scalar(m.dtype(), 2)), 1);
  const Array pole = bit_and(whole(x), below(x, 0.5)), at = select(bit_or(pole, is(x, inf)), all(x, 1), x);
  // m! zeta(m + 1, x), in the logarithm where a factor would overflow.
  const Array next = plus(order, 1), factorial = gamma_positive(next), its_log = lgamma_positive(next);
  const Array magnitude = for_any(next, at, [&](const Array& n, const Array& q) {
    const Array direct = mul(factorial, pow(q, neg(n))), by_log = exp(sub(its_log, mul(n, log(q))));
    return mul(select(above(n, 150), by_log, direct), scaled_zeta(at_most(n, 1e4), q));
  });
  Array value = select(odd, magnitude, neg(magnitude));
  value = select(is(x, inf), all(x, 0), select(pole, select(odd, all(x, inf), all(x, nan_value)), value));
  return select(is(m, 0), digamma_of(x), select(valid, value, all(x, nan_value)));
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
Array gamma(const EqnContext&, In in) { return in_double(gamma_of, in[0]); }
Array zeta(const EqnContext&, In in) { return in_double(zeta_of, in[0], in[1]); }
Array polygamma(const EqnContext&, In in) { return in_double(polygamma_of, in[0], in[1]); }
Array bessel_i1e(const EqnContext&, In in) { return in_double(i1e_of, in[0]); }

}  // namespace cotan::ops::expand

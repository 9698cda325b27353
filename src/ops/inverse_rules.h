// asin acos atan atan2 erf_inv. Needs elementary_rules.h, exp_log_rules.h.

// k pi/4 + sigma (q + tail) for k in 0..4, sigma = +-1 given as a sign bit; k pi/4 is carried as a pair.
template <class B>
COTAN_RULE FloatOf<B> quarter_turns(B& b, FloatOf<B> k, FloatOf<B> q, FloatOf<B> tail, IntOf<B> sigma) {
  using C = CoefficientsOf<B>;
  const auto sum = fast_two_sum(b, b.mul(k, b.k(C::quarter_pi[0])), with_sign(b, q, sigma));
  return b.add(sum.hi, b.fma(k, b.k(C::quarter_pi[1]), b.add(sum.lo, with_sign(b, tail, sigma))));
}

// The angle in [0, pi] of the point whose coordinates have magnitudes u <= v: atan(u / v), reflected in the diagonal if
// `swapped` (the angle lies nearer to pi/2), then in the vertical axis if `left`. Above tan(pi/8) the ratio is taken about
// the diagonal: pi/4 + atan((u - v) / (u + v)).
template <class B>
COTAN_RULE FloatOf<B> angle(B& b, FloatOf<B> u, FloatOf<B> v, typename B::M swapped, typename B::M left) {
  const auto zero = b.k(0), one = b.k(1);
  const auto diagonal = b.gt(u, b.mul(v, b.k(0.41421356237309503)));
  const auto less = b.sub(u, v);
  const auto more = fast_two_sum(b, v, u);
  const Pair<B> above = {b.select(diagonal, less, u), b.select(diagonal, b.sub(u, b.add(less, v)), zero)};
  const Pair<B> below = {b.select(diagonal, more.hi, v), b.select(diagonal, more.lo, zero)};
  const auto q = div_pairs(b, above, below);
  const auto square = b.mul(q.hi, q.hi);
  const auto tail = b.fma(b.mul(q.hi, square), poly(b, square, CoefficientsOf<B>::atan), q.lo);
  const auto k0 = b.select(diagonal, one, zero);
  const auto k1 = b.select(swapped, b.sub(b.k(2), k0), k0);
  const auto k2 = b.select(left, b.sub(b.k(4), k1), k1);
  const auto sigma = b.iselect(b.mxor(swapped, left), b.ki(Format<B>::sign), b.ki(0));
  return quarter_turns(b, k2, q.hi, tail, sigma);
}

template <class B> COTAN_RULE FloatOf<B> atan(B& b, FloatOf<B> x) {
  const auto one = b.k(1);
  const auto a = b.mins(b.k(0x1p60), b.abs(x));
  const auto swapped = b.gt(a, one);
  const auto y = angle(b, b.select(swapped, one, a), b.select(swapped, a, one), swapped, b.mfalse());
  return b.unbits(b.ior(b.bits(y), sign_of(b, x)));
}

// Signed zeros and infinities as C99: the sign bit of x decides for the left half plane.
template <class B> COTAN_RULE FloatOf<B> atan2(B& b, FloatOf<B> y, FloatOf<B> x) {
  const auto one = b.k(1), inf = infinity(b);
  const auto ay = b.abs(y), ax = b.abs(x);
  const auto swapped = b.gt(ay, ax);
  auto u = b.select(swapped, ax, ay);
  auto v = b.select(swapped, ay, ax);
  // inf / inf stands for 1, finite / inf and 0 / anything for 0.
  u = b.select(b.eq(v, inf), b.select(b.eq(u, inf), one, b.k(0)), u);
  v = b.select(b.mor(b.eq(v, inf), b.eq(v, b.k(0))), one, v);
  // Into the range where 1 / v exists; what u loses there belongs to quotients that underflow.
  constexpr bool is64 = Format<B>::is64;
  const auto factor = b.select(b.gt(v, b.k(is64 ? 0x1p1000 : 0x1p100)), b.k(is64 ? 0x1p-100 : 0x1p-40),
                               b.select(b.lt(v, b.k(is64 ? 0x1p-600 : 0x1p-40)), b.k(is64 ? 0x1p300 : 0x1p60), one));
  const auto left = b.mnot(b.eq(b.copysign(one, x), one));
  const auto r = angle(b, b.mul(u, factor), b.mul(v, factor), swapped, left);
  const auto nan = b.select(b.is_nan(x), x, y);
  return b.select(b.is_nan(nan), b.add(nan, nan), b.unbits(b.ior(b.bits(r), sign_of(b, y))));
}

// asin for |x| <= 1/2: s + s^3 P(s^2). Beyond, by 2 asin(sqrt((1 - |x|) / 2)), the angle to pi/2.
template <class B> struct AsinParts {
  FloatOf<B> s, tail;
  typename B::M large;
};
template <class B> COTAN_RULE AsinParts<B> asin_parts(B& b, FloatOf<B> a) {
  const auto large = b.gt(a, b.k(0.5));
  const auto half = b.mul(b.sub(b.k(1), a), b.k(0.5));
  const auto square = b.select(large, half, b.mul(a, a));
  const auto s = b.select(large, b.sqrt(half), a);
  const auto tail = b.mul(b.mul(s, square), poly(b, square, CoefficientsOf<B>::asin));
  const auto factor = b.select(large, b.k(2), b.k(1));
  return {b.mul(s, factor), b.mul(tail, factor), large};
}

template <class B> COTAN_RULE FloatOf<B> asin(B& b, FloatOf<B> x) {
  const auto p = asin_parts(b, b.abs(x));
  const auto k = b.select(p.large, b.k(2), b.k(0));
  const auto y = quarter_turns(b, k, p.s, p.tail, b.iselect(p.large, b.ki(Format<B>::sign), b.ki(0)));
  return b.unbits(b.ior(b.bits(y), sign_of(b, x)));
}

template <class B> COTAN_RULE FloatOf<B> acos(B& b, FloatOf<B> x) {
  const auto p = asin_parts(b, b.abs(x));
  const auto negative = b.lt(x, b.k(0));
  const auto k = b.select(p.large, b.select(negative, b.k(4), b.k(0)), b.k(2));
  const auto sigma = b.iselect(b.mxor(p.large, negative), b.ki(0), b.ki(Format<B>::sign));
  return quarter_turns(b, k, p.s, p.tail, sigma);
}

// x P(w), w = -log(1 - x^2): three polynomials, in w for the middle and in sqrt(w) for the two stretches of the tail.
template <class B> COTAN_RULE FloatOf<B> erf_inv(B& b, FloatOf<B> x) {
  using C = CoefficientsOf<B>;
  const auto a = b.abs(x);
  const auto product = b.mul(b.sub(b.k(1), a), b.add(b.k(1), a));
  const auto parts = log_parts(b, product, b.k(Format<B>::integer_magic + Format<B>::bias));
  const auto rest = log_rest(b, parts.e, b.sub(parts.m, b.k(1)), b.k(0));
  const auto l = fast_two_sum(b, b.mul(parts.e, b.k(C::ln2[0])), rest);
  const Pair<B> w = {b.neg(l.hi), b.neg(l.lo)};
  const auto low = b.lt(w.hi, b.k(C::erf_inv_bound[0])), mid = b.lt(w.hi, b.k(C::erf_inv_bound[1]));
  const auto root = sqrt_pair(b, Pair<B>{b.maxs(b.k(1), w.hi), w.lo});
  const auto t0 = b.sub(w.hi, b.k(C::erf_inv_centre[0]));
  const auto t1 = b.add(b.sub(root.hi, b.k(C::erf_inv_centre[1])), root.lo);
  const auto t2 = b.add(b.sub(root.hi, b.k(C::erf_inv_centre[2])), root.lo);
  const auto v0 = b.mul(t0, poly<1>(b, t0, C::erf_inv_low));
  const auto v1 = b.mul(t1, poly<1>(b, t1, C::erf_inv_mid));
  const auto v2 = b.mul(t2, poly<1>(b, t2, C::erf_inv_top));
  const auto constant =
      b.select(low, b.k(C::erf_inv_low[0]), b.select(mid, b.k(C::erf_inv_mid[0]), b.k(C::erf_inv_top[0])));
  const auto lost =
      b.select(low, b.k(C::erf_inv_lost[0]), b.select(mid, b.k(C::erf_inv_lost[1]), b.k(C::erf_inv_lost[2])));
  const auto sum = fast_two_sum(b, constant, b.select(low, v0, b.select(mid, v1, v2)));
  const auto y = b.copysign(b.fma(x, sum.hi, b.mul(x, b.add(sum.lo, lost))), x);
  const auto outside = b.select(b.eq(a, b.k(1)), b.copysign(infinity(b), x), b.select(b.is_nan(x), x, not_a_number(b)));
  return b.select(b.lt(a, b.k(1)), y, outside);
}

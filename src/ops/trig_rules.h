// sin, cos, tan and both at once. Needs elementary_rules.h.
//
// Reduction: x = n pi/2 + (hi + lo), |hi| <= pi/4, with pi/2 as the sum of three numbers (Cody and Waite) and every rounding
// recovered, so that neighbours of multiples of pi/2 keep all their bits. Beyond `trig_fast_bound` lanes are marked rare; the
// host scalar function reduces those by Payne and Hanek's method in integers and enters at trig_select or tan_of.
// The sign of x is kept apart, which gives -0 for -0.

template <class B> struct TrigReduced {
  FloatOf<B> hi, lo;
  IntOf<B> quadrant;  // n modulo 4 in the low bits
};

template <class B> constexpr double trig_fast_bound = Format<B>::is64 ? 1e8 : 2e5;

template <class B> COTAN_RULE TrigReduced<B> trig_reduce(B& b, FloatOf<B> magnitude) {
  using C = CoefficientsOf<B>;
  b.rare(b.gt(magnitude, b.k(trig_fast_bound<B>)));
  const auto shifted = b.fma(magnitude, b.k(0.63661977236758134308), b.k(Format<B>::round_magic));
  const auto n = b.sub(shifted, b.k(Format<B>::round_magic));
  const auto first = b.nfma(n, b.k(C::half_pi[0]), magnitude);  // exact
  const auto second = b.mul(n, b.k(C::half_pi[1]));
  const auto hi = b.sub(first, second);
  const auto third = b.fma(n, b.k(C::half_pi[2]), b.fms(n, b.k(C::half_pi[1]), second));
  const auto lo = b.sub(b.sub(b.sub(first, hi), second), third);
  return {hi, lo, b.bits(shifted)};
}

// sin(hi + lo) as hi + the tail returned.
template <class B> COTAN_RULE FloatOf<B> sin_tail(B& b, const TrigReduced<B>& r, FloatOf<B> square) {
  return b.fma(b.mul(r.hi, square), poly(b, square, CoefficientsOf<B>::sin), r.lo);
}
// cos(hi + lo) as an unevaluated sum: 1 - hi^2/2 rounded, and what that lost together with the tail.
template <class B> COTAN_RULE Pair<B> cos_pair(B& b, const TrigReduced<B>& r, FloatOf<B> square) {
  const auto half = b.mul(square, b.k(0.5));
  const auto leading = b.sub(b.k(1), half);
  const auto lost = b.nfma(r.hi, r.lo, b.sub(b.sub(b.k(1), leading), half));
  return {leading, b.fma(b.mul(square, square), poly(b, square, CoefficientsOf<B>::cos), lost)};
}

// The sine of the angle in quadrant `quadrant`, given the sine and cosine of the reduced one.
template <class B>
COTAN_RULE FloatOf<B> trig_select(B& b, FloatOf<B> s, FloatOf<B> c, IntOf<B> quadrant, IntOf<B> sign) {
  constexpr int width = Format<B>::width;
  const auto y = b.sel_top(b.template shl<width - 1>(quadrant), c, s);
  const auto negative = b.iand(b.template shl<width - 2>(quadrant), b.ki(Format<B>::sign));
  return with_sign(b, y, b.ixor(sign, negative));
}

template <class B> struct SinCos { FloatOf<B> sin, cos; };
template <class B> COTAN_RULE SinCos<B> sincos_of(B& b, const TrigReduced<B>& r, IntOf<B> sign) {
  const auto square = b.mul(r.hi, r.hi);
  const auto s = b.add(r.hi, sin_tail(b, r, square));
  const auto c = cos_pair(b, r, square);
  const auto cosine = b.add(c.hi, c.lo);
  return {trig_select(b, s, cosine, r.quadrant, sign), trig_select(b, s, cosine, b.iadd(r.quadrant, b.ki(1)), b.ki(0))};
}

// tan(hi + lo), or -1/tan in odd quadrants: one division with its remainder.
template <class B> COTAN_RULE FloatOf<B> tan_of(B& b, const TrigReduced<B>& r, IntOf<B> sign) {
  constexpr int width = Format<B>::width;
  const auto square = b.mul(r.hi, r.hi);
  const auto s = fast_two_sum(b, r.hi, sin_tail(b, r, square));
  const auto c0 = cos_pair(b, r, square);
  const auto c = fast_two_sum(b, c0.hi, c0.lo);
  const auto odd = b.template shl<width - 1>(r.quadrant);
  const Pair<B> above = {b.sel_top(odd, c.hi, s.hi), b.sel_top(odd, c.lo, s.lo)};
  const Pair<B> below = {b.sel_top(odd, s.hi, c.hi), b.sel_top(odd, s.lo, c.lo)};
  const auto q = div_pairs(b, above, below);
  return with_sign(b, b.add(q.hi, q.lo), b.ixor(sign, odd));
}

template <class B> COTAN_RULE FloatOf<B> sin(B& b, FloatOf<B> x) {
  return sincos_of(b, trig_reduce(b, b.abs(x)), sign_of(b, x)).sin;
}
template <class B> COTAN_RULE FloatOf<B> cos(B& b, FloatOf<B> x) {
  return sincos_of(b, trig_reduce(b, b.abs(x)), b.ki(0)).cos;
}
template <class B> COTAN_RULE SinCos<B> sincos(B& b, FloatOf<B> x) {
  return sincos_of(b, trig_reduce(b, b.abs(x)), sign_of(b, x));
}
template <class B> COTAN_RULE FloatOf<B> tan(B& b, FloatOf<B> x) {
  return tan_of(b, trig_reduce(b, b.abs(x)), sign_of(b, x));
}

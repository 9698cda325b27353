// exp exp2 expm1 log log1p logistic. Needs elementary_rules.h.

// e^x = 2^n (1 + p + lo): p + lo is e^r - 1 for the remainder r, |r| <= ln2 / 2.
template <class B> struct ExpParts {
  FloatOf<B> p, lo;
  IntOf<B> n;  // in the bits of a number to which round_magic was added
};

// x within the exponents that scale() takes.
template <class B> COTAN_RULE ExpParts<B> exp_parts(B& b, FloatOf<B> x) {
  using C = CoefficientsOf<B>;
  const auto shifted = b.fma(x, b.k(1.4426950408889634074), b.k(Format<B>::round_magic));
  const auto n = b.sub(shifted, b.k(Format<B>::round_magic));
  const auto first = b.nfma(n, b.k(C::ln2[0]), x);  // exact
  const auto r = b.nfma(n, b.k(C::ln2[1]), first);
  const auto r_lo = b.nfma(n, b.k(C::ln2[1]), b.sub(first, r));
  const auto tail = b.fma(b.mul(r, r), poly(b, r, C::exp), r_lo);
  const auto p = b.add(r, tail);
  return {p, b.add(b.sub(r, p), tail), b.bits(shifted)};
}
// Bounds beyond which exp is infinite, or zero.
template <class B> COTAN_RULE FloatOf<B> clamp_exp(B& b, FloatOf<B> x) {
  return b.mins(b.k(Format<B>::is64 ? 710 : 89), b.maxs(b.k(Format<B>::is64 ? -746 : -104), x));
}

template <class B> COTAN_RULE FloatOf<B> exp(B& b, FloatOf<B> x) {
  const auto e = exp_parts(b, clamp_exp(b, x));
  return scale(b, b.add(b.k(1), e.p), e.n);
}

// 2^(x.hi + x.lo), |x.lo| at most an ulp or two of x.hi; x.hi within what scale() takes.
template <class B> COTAN_RULE FloatOf<B> exp2_pair(B& b, Pair<B> x) {
  using C = CoefficientsOf<B>;
  const auto shifted = b.add(x.hi, b.k(Format<B>::round_magic));
  const auto r = fast_two_sum(b, b.sub(x.hi, b.sub(shifted, b.k(Format<B>::round_magic))), x.lo);
  const auto leading = two_product(b, r.hi, b.k(C::ln2_full[0]));
  const auto low = b.fma(r.hi, b.k(C::ln2_full[1]), b.fma(r.lo, b.k(C::ln2_full[0]), leading.lo));
  const auto tail = b.fma(b.mul(r.hi, r.hi), poly(b, r.hi, C::exp2), low);
  return scale(b, b.add(b.k(1), b.add(leading.hi, tail)), b.bits(shifted));
}
template <class B> COTAN_RULE FloatOf<B> clamp_exp2(B& b, FloatOf<B> x) {
  return b.mins(b.k(Format<B>::is64 ? 1025 : 129), b.maxs(b.k(Format<B>::is64 ? -1080 : -160), x));
}

template <class B> COTAN_RULE FloatOf<B> exp2(B& b, FloatOf<B> x) {
  return exp2_pair(b, Pair<B>{clamp_exp2(b, x), b.k(0)});
}

template <class B> COTAN_RULE FloatOf<B> expm1(B& b, FloatOf<B> x0) {
  const auto x = b.mins(b.k(Format<B>::is64 ? 710 : 89), b.maxs(b.k(Format<B>::is64 ? -38 : -18), x0));
  const auto e = exp_parts(b, x);
  const auto half = pow2(b, b.isub(e.n, b.ki(1)));  // 2^(n-1): does not overflow before the result does
  const auto y = b.fma(half, e.lo, b.fma(half, e.p, b.sub(half, b.k(0.5))));
  const auto whole = b.select(b.eq(half, b.k(0.5)), e.p, b.add(y, y));  // halving would round a denormal
  return b.unbits(b.ior(b.bits(whole), sign_of(b, x0)));
}

// 1 / (1 + e^-x) = t / (1 + t), t = e^x for negative x.
template <class B> COTAN_RULE FloatOf<B> logistic(B& b, FloatOf<B> x) {
  const auto negative = b.lt(x, b.k(0));
  const auto e = exp_parts(b, clamp_exp(b, b.neg(b.abs(x))));
  const auto mantissa = fast_two_sum(b, b.k(1), e.p);
  const Pair<B> t = {scale(b, mantissa.hi, e.n), scale(b, b.add(mantissa.lo, e.lo), e.n)};
  const auto sum = fast_two_sum(b, b.k(1), t.hi);
  const Pair<B> above = {b.select(negative, t.hi, b.k(1)), b.select(negative, t.lo, b.k(0))};
  const auto q = div_pairs(b, above, Pair<B>{sum.hi, b.add(t.lo, sum.lo)});
  return b.add(q.hi, q.lo);
}

// x = 2^e m for positive normal x, m in [sqrt(1/2), sqrt(2)), so that log x has no cancellation.
template <class B> struct LogParts {
  FloatOf<B> e, m;
  IntOf<B> e_bits;  // biased exponent, in its place
};
template <class B> COTAN_RULE LogParts<B> log_parts(B& b, FloatOf<B> x, FloatOf<B> bias) {
  using K = Format<B>;
  const auto raised = b.iadd(b.bits(x), b.ki(K::one - K::sqrt_half));
  const auto integer =
      b.ior(b.template shr<K::mantissa_bits>(raised), b.ki(K::is64 ? 0x4330000000000000ll : 0x4b000000ll));
  const auto m = b.unbits(b.iadd(b.iand(raised, b.ki(K::mantissa_mask)), b.ki(K::sqrt_half)));
  return {b.sub(b.unbits(integer), bias), m, b.iand(raised, b.inot(b.ki(K::mantissa_mask)))};
}
// Any positive finite x, denormals too.
template <class B> COTAN_RULE LogParts<B> log_parts(B& b, FloatOf<B> x) {
  using K = Format<B>;
  constexpr int raise = K::is64 ? 54 : 25;
  const auto tiny = b.lt(x, b.k(K::smallest_normal));
  const auto normal = b.select(tiny, b.mul(x, b.k(static_cast<double>(1ll << raise))), x);
  return log_parts(b, normal, b.select(tiny, b.k(K::integer_magic + K::bias + raise), b.k(K::integer_magic + K::bias)));
}

// log(1 + f) + tail and the low part of e ln2; tail small against the rest.
template <class B> COTAN_RULE FloatOf<B> log_rest(B& b, FloatOf<B> e, FloatOf<B> f, FloatOf<B> tail) {
  using C = CoefficientsOf<B>;
  const auto half = b.mul(b.mul(f, f), b.k(0.5));
  const auto low = b.fma(e, b.k(C::ln2[1]), tail);
  if constexpr (Format<B>::is64) {  // by s = f / (2 + f): log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2))
    const auto s = b.div(f, b.add(f, b.k(2)));
    const auto square = b.mul(s, s);
    const auto rest = b.mul(square, poly(b, square, C::log));
    return b.sub(f, b.sub(half, b.fma(s, b.add(half, rest), low)));
  } else {
    return b.sub(f, b.sub(half, b.fma(b.mul(f, b.mul(f, f)), poly(b, f, C::log), low)));
  }
}
// e ln2 + log(1 + f) + tail.
template <class B> COTAN_RULE FloatOf<B> log_sum(B& b, FloatOf<B> e, FloatOf<B> f, FloatOf<B> tail) {
  return b.fma(e, b.k(CoefficientsOf<B>::ln2[0]), log_rest(b, e, f, tail));
}

// y where x is positive and finite, else what a logarithm gives for x: -inf for 0, NaN below, x for inf and NaN.
template <class B> COTAN_RULE FloatOf<B> log_special(B& b, FloatOf<B> x, FloatOf<B> y) {
  const auto low = b.select(b.eq(x, b.k(0)), b.neg(infinity(b)), not_a_number(b));
  const auto ordinary = b.select(b.gt(x, b.k(0)), y, low);
  return b.select(b.lt(x, infinity(b)), ordinary, b.add(x, x));
}

template <class B> COTAN_RULE FloatOf<B> log(B& b, FloatOf<B> x) {
  const auto parts = log_parts(b, x);
  return log_special(b, x, log_sum(b, parts.e, b.sub(parts.m, b.k(1)), b.k(0)));
}

// log(2^doublings (1 + x.hi + x.lo)) for x > -1. Where the sum needs no power of two x.hi is the fraction itself; elsewhere the rounding
// of 1 + x is carried along: log(u + c) = log u + c / u, with 1 / (1 + f) as 1 - f + f^2.
template <class B> COTAN_RULE FloatOf<B> log1p_pair(B& b, Pair<B> x, FloatOf<B> doublings) {
  using K = Format<B>;
  const auto u = two_sum(b, b.k(1), x.hi);
  const auto parts = log_parts(b, u.hi, b.k(K::integer_magic + K::bias));
  const auto unscaled = b.eq(parts.e, b.k(0));
  const auto f = b.select(unscaled, x.hi, b.sub(parts.m, b.k(1)));
  const auto down = b.unbits(b.isub(b.ki(2 * K::one), parts.e_bits));  // 2^-e
  const auto scaled = b.mul(b.add(u.lo, x.lo), b.select(b.lt(u.hi, b.k(0x1p70)), down, b.k(0)));
  const auto c = b.select(unscaled, x.lo, scaled);
  const auto reciprocal = b.fma(f, b.sub(f, b.k(1)), b.k(1));
  return log_sum(b, b.add(parts.e, doublings), f, b.mul(c, reciprocal));
}

template <class B> COTAN_RULE FloatOf<B> log1p(B& b, FloatOf<B> x) {
  const auto y = log1p_pair(b, Pair<B>{x, b.k(0)}, b.k(0));
  const auto low = b.select(b.eq(x, b.k(-1)), b.neg(infinity(b)), not_a_number(b));
  const auto ordinary = b.select(b.gt(x, b.k(-1)), b.copysign(y, x), low);
  return b.select(b.lt(x, infinity(b)), ordinary, b.add(x, x));
}

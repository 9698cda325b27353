// pow sqrt rsqrt cbrt. Needs elementary_rules.h, exp_log_rules.h.

// log2 of a positive finite number to about 2^-10 ulp: log m = 2 atanh(s), s = (m - 1) / (m + 1), with everything that
// matters in pairs: s + s^3 (1/3 + s^2 Q(s^2)).
template <class B> COTAN_RULE Pair<B> log2_pair(B& b, FloatOf<B> x) {
  using C = CoefficientsOf<B>;
  const auto parts = log_parts(b, x);
  const auto below = two_sum(b, parts.m, b.k(1));
  const auto ratio = div_pairs(b, Pair<B>{b.sub(parts.m, b.k(1)), b.k(0)}, below);
  const auto s = fast_two_sum(b, ratio.hi, ratio.lo);
  const auto square = two_product(b, s.hi, s.hi);
  const Pair<B> z = {square.hi, b.fma(b.add(s.hi, s.hi), s.lo, square.lo)};
  const auto q = poly(b, z.hi, C::atanh);
  const auto zq = two_product(b, z.hi, q);
  const auto third = fast_two_sum(b, b.k(C::third[0]), zq.hi);
  const Pair<B> inner = {third.hi, b.add(third.lo, b.fma(z.lo, q, b.add(zq.lo, b.k(C::third[1]))))};
  const auto cubic = mul_pairs(b, s, mul_pairs(b, z, inner));
  const auto sum = fast_two_sum(b, s.hi, cubic.hi);
  const auto l = mul_pairs(b, Pair<B>{sum.hi, b.add(sum.lo, b.add(s.lo, cubic.lo))},
                           Pair<B>{b.k(C::two_log2_e[0]), b.k(C::two_log2_e[1])});
  const auto total = fast_two_sum(b, parts.e, l.hi);
  return fast_two_sum(b, total.hi, b.add(total.lo, l.lo));
}

template <class B> COTAN_RULE typename B::M is_integer(B& b, FloatOf<B> magnitude) {
  const auto big = b.k(Format<B>::integer_magic);
  return b.mor(b.ge(magnitude, big), b.eq(b.sub(b.add(magnitude, big), big), magnitude));
}

// C99's special cases of x^y (JAX's are the same); r = |x|^y where |x| and y are ordinary.
template <class B> COTAN_RULE FloatOf<B> pow_special(B& b, FloatOf<B> x, FloatOf<B> y, FloatOf<B> r) {
  const auto zero = b.k(0), one = b.k(1), inf = infinity(b);
  const auto ax = b.abs(x), ay = b.abs(y);
  const auto extreme = b.mor(b.eq(ay, inf), b.mor(b.eq(ax, zero), b.eq(ax, inf)));
  const auto shrinks = b.mxor(b.gt(ax, one), b.gt(y, zero));
  r = b.select(extreme, b.select(shrinks, zero, inf), r);
  r = b.select(b.eq(ax, one), one, r);

  const auto integer = is_integer(b, ay);
  const auto even = b.mor(b.ge(ay, b.k(2 * Format<B>::integer_magic)), is_integer(b, b.mul(ay, b.k(0.5))));
  const auto odd = b.mand(integer, b.mnot(even));
  r = with_sign(b, r, b.iselect(odd, sign_of(b, x), b.ki(0)));
  const auto invalid = b.mand(b.mand(b.lt(x, zero), b.lt(ax, inf)), b.mnot(integer));
  r = b.select(invalid, not_a_number(b), r);
  const auto nan = b.select(b.is_nan(x), x, y);
  r = b.select(b.is_nan(nan), b.add(nan, nan), r);
  return b.select(b.mor(b.eq(y, zero), b.eq(x, one)), one, r);
}

// 2^(y log2|x|). Most bases are positive: what is special is looked at only where a lane is.
template <class B> COTAN_RULE FloatOf<B> pow(B& b, FloatOf<B> x, FloatOf<B> y) {
  const auto l = log2_pair(b, b.abs(x));
  const auto product = two_product(b, y, l.hi);
  const auto inside = b.lt(b.abs(product.hi), b.k(Format<B>::is64 ? 1100 : 200));
  const auto low = b.select(inside, b.fma(y, l.lo, product.lo), b.k(0));
  const auto r = exp2_pair(b, Pair<B>{clamp_exp2(b, product.hi), low});
  const auto ordinary = b.mand(b.mand(b.gt(x, b.k(0)), b.lt(x, infinity(b))), b.lt(b.abs(y), infinity(b)));
  if (__builtin_expect(!b.any(b.mnot(ordinary)), 1)) return r;
  return pow_special(b, x, y, r);
}

template <class B> COTAN_RULE FloatOf<B> sqrt(B& b, FloatOf<B> x) { return b.sqrt(x); }

// 1 / sqrt(x), with the remainders of both operations; small x by 2^64 larger, for the remainder not to underflow.
template <class B> COTAN_RULE FloatOf<B> rsqrt(B& b, FloatOf<B> x) {
  const auto small = b.lt(x, b.k(Format<B>::is64 ? 0x1p-900 : 0x1p-90));
  const auto v = b.select(small, b.mul(x, b.k(0x1p64)), x);
  const auto s = b.sqrt(v);
  const auto y = b.div(b.k(1), s);
  const auto half_lost = b.mul(b.nfma(s, s, v), b.mul(b.mul(y, y), b.k(0.5)));
  const auto better = b.fma(y, b.sub(b.nfma(y, s, b.k(1)), half_lost), y);
  const auto result = b.select(b.is_nan(better), y, better);  // 0 and inf have no remainder
  return b.select(small, b.mul(result, b.k(0x1p32)), result);
}

// x = 2^3k m, m in [0.35, 2.9]: an estimate of m^(-1/3) by a polynomial, one step of third order, one correction of m^(1/3).
template <class B> COTAN_RULE FloatOf<B> cbrt(B& b, FloatOf<B> x) {
  using C = CoefficientsOf<B>;
  const auto parts = log_parts(b, b.abs(x));
  const auto shifted = b.fma(parts.e, b.k(1.0 / 3), b.k(Format<B>::round_magic));
  const auto k = b.sub(shifted, b.k(Format<B>::round_magic));
  const auto j = b.nfma(k, b.k(3), parts.e);  // -1, 0 or 1
  const auto up = b.gt(j, b.k(0)), down = b.lt(j, b.k(0));
  const auto m = b.mul(parts.m, b.select(up, b.k(2), b.select(down, b.k(0.5), b.k(1))));
  const auto root = b.select(up, b.k(C::cbrt2[1]), b.select(down, b.k(C::cbrt2[0]), b.k(1)));
  const auto r0 = b.mul(poly(b, parts.m, C::rcbrt), root);
  const auto error = b.nfma(b.mul(m, b.mul(r0, r0)), r0, b.k(1));
  const auto r = b.fma(b.mul(r0, error), b.fma(error, b.k(2.0 / 9), b.k(1.0 / 3)), r0);
  const auto square = b.mul(r, r);
  const auto c = b.mul(m, square);
  const auto c2 = two_product(b, c, c);
  const auto rest = b.nfma(c, c2.lo, b.nfma(c, c2.hi, m));  // m - c^3
  const auto y = b.mul(b.fma(b.mul(rest, square), b.k(1.0 / 3), c), pow2(b, b.bits(shifted)));
  const auto ordinary = b.mand(b.is_finite(x), b.ne(x, b.k(0)));
  return b.select(ordinary, b.copysign(y, x), b.add(x, x));
}

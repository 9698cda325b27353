// sinh cosh tanh asinh acosh atanh. Needs elementary_rules.h, exp_log_rules.h.

// Of float32: a power series up to 0.83; beyond, 1 - 2 / (e^2a + 1), whose error the 1 makes small.
template <class B> COTAN_RULE FloatOf<B> tanh_single(B& b, FloatOf<B> a) {
  using C = CoefficientsOf<B>;
  const auto square = b.mul(a, a);
  const auto near = b.fma(b.mul(a, square), poly(b, square, C::tanh), a);
  const auto shifted = b.fma(a, b.k(2 * 1.4426950408889634074), b.k(Format<B>::round_magic));
  const auto r = b.nfma(b.sub(shifted, b.k(Format<B>::round_magic)), b.k(C::ln2_full[0]), b.add(a, a));
  const auto p = b.fma(b.mul(r, r), poly(b, r, C::exp), r);
  const auto power = pow2(b, b.bits(shifted));
  const auto below = b.fma(power, p, b.add(power, b.k(1)));
  return b.select(b.lt(a, b.k(0.83)), near, b.sub(b.k(1), b.div(b.k(2), below)));
}
// Of float64: m / (m + 2), m = e^2a - 1; both kept as pairs. Where 2^n - 1 loses the 1 the quotient does not show it.
template <class B> COTAN_RULE FloatOf<B> tanh(B& b, FloatOf<B> x) {
  const auto a = b.mins(b.k(Format<B>::is64 ? 20 : 9.1), b.abs(x));
  if constexpr (!Format<B>::is64) return b.unbits(b.ior(b.bits(tanh_single(b, a)), sign_of(b, x)));
  const auto e = exp_parts(b, b.add(a, a));
  const auto power = pow2(b, e.n);
  const auto m = fast_two_sum(b, b.sub(power, b.k(1)), b.mul(power, e.p));
  const auto lo = b.fma(power, e.lo, m.lo);
  const auto below = b.add(m.hi, b.k(2));
  const auto lost = b.add(b.sub(m.hi, b.sub(below, b.k(2))), lo);
  const auto q = div_pairs(b, Pair<B>{m.hi, lo}, Pair<B>{below, lost});
  return b.unbits(b.ior(b.bits(b.add(q.hi, q.lo)), sign_of(b, x)));
}

// With e^a = 2^n (1 + v) and h = 2^-n: e^a -+ e^-a = 2^n ((1 -+ h^2) + v +- h^2 v / (1 + v)), in which nothing cancels
// but 1 - h^2 = 0 for n = 0, exactly. `direction` is -1 for sinh, 1 for cosh.
template <class B> COTAN_RULE FloatOf<B> sinh_or_cosh(B& b, FloatOf<B> magnitude, double direction) {
  const auto a = b.mins(b.k(Format<B>::is64 ? 712 : 91), magnitude);
  const auto e = exp_parts(b, a);
  const auto h = b.select(b.lt(a, b.k(40)), pow2(b, b.isub(b.ki(0), e.n)), b.k(0));
  const auto signed_square = b.mul(b.mul(h, h), b.k(direction));
  const auto below = fast_two_sum(b, b.k(1), e.p);
  const auto w = div_pairs(b, Pair<B>{e.p, e.lo}, Pair<B>{below.hi, b.add(below.lo, e.lo)});
  const auto base = fast_two_sum(b, b.k(1), signed_square);
  const auto varying = fast_two_sum(b, e.p, b.neg(b.mul(signed_square, w.hi)));
  const auto sum = fast_two_sum(b, base.hi, varying.hi);
  const auto low = b.add(varying.lo, b.add(e.lo, b.nfma(signed_square, w.lo, base.lo)));
  return scale(b, b.add(sum.hi, b.add(sum.lo, low)), b.isub(e.n, b.ki(1)));
}
template <class B> COTAN_RULE FloatOf<B> sinh(B& b, FloatOf<B> x) {
  return b.unbits(b.ior(b.bits(sinh_or_cosh(b, b.abs(x), -1)), sign_of(b, x)));
}
template <class B> COTAN_RULE FloatOf<B> cosh(B& b, FloatOf<B> x) { return sinh_or_cosh(b, b.abs(x), 1); }

// Beyond this 1 + a^2 is a^2: asinh a = acosh a = log 2a.
template <class B> constexpr double inverse_hyperbolic_large = Format<B>::is64 ? 0x1p28 : 0x1p14;

// log(1 + w), or log 2a for large a, where w may have overflowed.
template <class B> COTAN_RULE FloatOf<B> log1p_or_log2a(B& b, FloatOf<B> a, Pair<B> w) {
  const auto large = b.gt(a, b.k(inverse_hyperbolic_large<B>));
  const auto less_one = fast_two_sum(b, a, b.k(-1));
  const Pair<B> argument = {b.select(large, less_one.hi, w.hi), b.select(large, less_one.lo, w.lo)};
  return log1p_pair(b, argument, b.select(large, b.k(1), b.k(0)));
}

// log1p(a + a^2 / (1 + sqrt(1 + a^2)))
template <class B> COTAN_RULE FloatOf<B> asinh(B& b, FloatOf<B> x) {
  const auto a = b.abs(x);
  const auto square = two_product(b, a, a);
  const auto sum = two_sum(b, b.k(1), square.hi);
  const auto root = sqrt_pair(b, Pair<B>{sum.hi, b.add(sum.lo, square.lo)});
  const auto below = fast_two_sum(b, root.hi, b.k(1));
  const auto q = div_pairs(b, square, Pair<B>{below.hi, b.add(below.lo, root.lo)});
  const auto w = fast_two_sum(b, a, q.hi);
  const auto y = log1p_or_log2a(b, a, Pair<B>{w.hi, b.add(w.lo, q.lo)});
  return b.select(b.is_finite(x), b.unbits(b.ior(b.bits(y), sign_of(b, x))), b.add(x, x));
}

// log1p(t + sqrt(t (x + 1))), t = x - 1
template <class B> COTAN_RULE FloatOf<B> acosh(B& b, FloatOf<B> x) {
  const auto t = fast_two_sum(b, x, b.k(-1));
  const auto product = mul_pairs(b, t, fast_two_sum(b, x, b.k(1)));
  const auto root = sqrt_pair(b, product);
  const auto w = two_sum(b, root.hi, t.hi);
  const auto y = log1p_or_log2a(b, x, Pair<B>{w.hi, b.add(w.lo, b.add(root.lo, t.lo))});
  return b.select(b.lt(x, infinity(b)), b.select(b.ge(x, b.k(1)), y, not_a_number(b)), b.add(x, x));
}

// log1p(2a / (1 - a)) / 2
template <class B> COTAN_RULE FloatOf<B> atanh(B& b, FloatOf<B> x) {
  const auto a = b.abs(x);
  const auto w = div_pairs(b, Pair<B>{b.add(a, a), b.k(0)}, fast_two_sum(b, b.k(1), b.neg(a)));
  const auto y = b.mul(log1p_pair(b, w, b.k(0)), b.k(0.5));
  const auto outside = b.select(b.eq(a, b.k(1)), infinity(b), b.select(b.is_nan(x), a, not_a_number(b)));
  return b.unbits(b.ior(b.bits(b.select(b.lt(a, b.k(1)), y, outside)), sign_of(b, x)));
}

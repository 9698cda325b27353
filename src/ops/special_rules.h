// erf erfc bessel_i0e bessel_i1e. Needs elementary_rules.h, exp_log_rules.h; "ops/special_coefficients.h" at file level.

template <class B> using SpecialOf = cotan::ops::SpecialCoefficients<typename B::T>;

// erfc(a) for a >= 0.49: exp(-a^2) times erfcx(a), which is a polynomial in (a - 3) / (a + 3), over 1 + 2a.
template <class B> COTAN_RULE FloatOf<B> erfc_tail(B& b, FloatOf<B> x) {
  using C = SpecialOf<B>;
  const auto a = b.mins(b.k(Format<B>::is64 ? 28 : 11), x);
  const auto square = two_product(b, a, a);
  const auto e = exp_parts(b, b.neg(square.hi));
  const auto mantissa = fast_two_sum(b, b.k(1), e.p);
  const auto low = b.add(mantissa.lo, b.nfma(square.lo, mantissa.hi, e.lo));
  const auto t = b.div(b.sub(a, b.k(3)), b.add(a, b.k(3)));
  const auto h = fast_two_sum(b, b.k(C::erfcx[0]), b.fma(t, poly<1>(b, t, C::erfcx), b.k(C::erfcx_lost)));
  const auto q = div_pairs(b, h, two_sum(b, b.k(1), b.add(a, a)));
  const auto product = b.fma(mantissa.hi, q.hi, b.fma(mantissa.hi, q.lo, b.mul(low, q.hi)));
  return scale(b, product, e.n);
}

// erf(x) - x for |x| <= 1.
template <class B> COTAN_RULE FloatOf<B> erf_rest(B& b, FloatOf<B> x, FloatOf<B> magnitude) {
  const auto a = b.mins(b.k(1), magnitude);
  return b.mul(x, poly(b, b.mul(a, a), SpecialOf<B>::erf));
}

template <class B> COTAN_RULE FloatOf<B> erf(B& b, FloatOf<B> x) {
  const auto a = b.abs(x);
  const auto far = b.copysign(b.sub(b.k(1), erfc_tail(b, a)), x);
  return b.select(b.gt(a, b.k(1)), far, b.add(x, erf_rest(b, x, a)));
}

template <class B> COTAN_RULE FloatOf<B> erfc(B& b, FloatOf<B> x) {
  const auto a = b.abs(x);
  const auto tail = erfc_tail(b, a);
  const auto far = b.select(b.lt(x, b.k(0)), b.sub(b.k(2), tail), tail);
  const auto near = b.sub(b.sub(b.k(1), x), erf_rest(b, x, a));
  return b.select(b.gt(a, b.k(0.5)), far, near);
}

// Below `top` exp(-a) times a polynomial in (a / top)^2, above it a polynomial in 1 / a over sqrt(a).
constexpr double bessel_top = 8;  // a power of two: the ratio is exact

template <class B, std::size_t n, std::size_t m>
COTAN_RULE FloatOf<B> bessel(B& b, FloatOf<B> a, const double (&low)[n], const double (&high)[m], FloatOf<B>* scaled) {
  const auto top = b.k(bessel_top);
  const auto inside = b.mins(top, a), outside = b.maxs(top, a);
  const auto ratio = b.mul(inside, b.k(1 / bessel_top));
  *scaled = b.mul(exp(b, b.neg(inside)), poly(b, b.mul(ratio, ratio), low));
  const auto u = b.sub(b.div(b.add(top, top), outside), b.k(1));
  return b.div(poly(b, u, high), b.sqrt(outside));
}

template <class B> COTAN_RULE FloatOf<B> bessel_i0e(B& b, FloatOf<B> x) {
  using C = SpecialOf<B>;
  const auto a = b.abs(x);
  FloatOf<B> low;
  const auto high = bessel(b, a, C::i0_low, C::i0e_high, &low);
  return b.select(b.gt(a, b.k(bessel_top)), high, low);
}

template <class B> COTAN_RULE FloatOf<B> bessel_i1e(B& b, FloatOf<B> x) {
  using C = SpecialOf<B>;
  const auto a = b.abs(x);
  FloatOf<B> low;
  const auto high = bessel(b, a, C::i1_low, C::i1e_high, &low);
  return b.copysign(b.select(b.gt(a, b.k(bessel_top)), high, b.mul(a, low)), x);
}

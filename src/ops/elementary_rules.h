// What the rules of the elementary functions share: the formats of float32 and float64, polynomials, double-length numbers.
//
// No include guard, no includes, no namespace: included inside a host namespace and inside every instruction set's, before
// the families that use it, in the order elementary, trig, exp_log, hyperbolic, power, inverse (each names what it needs).
// "ops/coefficients.h" comes first, at file level. Builders: kernel/builder_scalar.h.
//
// How the last bits are kept. Each function is a leading term that is exact, or carried as an unevaluated sum hi + lo, plus a
// tail that is small against it; only the last addition rounds visibly. Where a division decides, its remainder is carried.
// No rule branches, but around work for special lanes alone. Clamps are written mins(bound, x), which lets NaN through. Results for
// +-0, +-inf, poles and NaN follow from the arithmetic where they do, and are selected at the end where they do not.

template <class B> using FloatOf = typename B::F;
template <class B> using IntOf = typename B::I;
template <class B> using CoefficientsOf = cotan::ops::Coefficients<typename B::T>;

template <class B> struct Format {
  static constexpr bool is64 = sizeof(typename B::T) == 8;
  static constexpr int mantissa_bits = is64 ? 52 : 23;
  static constexpr int width = is64 ? 64 : 32;
  static constexpr int bias = is64 ? 1023 : 127;
  static constexpr long long one = static_cast<long long>(bias) << mantissa_bits;
  static constexpr long long mantissa_mask = (1ll << mantissa_bits) - 1;
  static constexpr long long sign = is64 ? static_cast<long long>(1ull << 63) : 1ll << 31;
  static constexpr long long sqrt_half = is64 ? 0x3fe6a09e667f3bcdll : 0x3f3504f3ll;
  static constexpr double smallest_normal = is64 ? 0x1p-1022 : 0x1p-126;
  // x + round_magic has x, rounded to an integer, in its low bits; for |x| below half of it.
  static constexpr double round_magic = is64 ? 0x1.8p52 : 0x1.8p23;
  static constexpr double integer_magic = is64 ? 0x1p52 : 0x1p23;
};

template <class B> struct Pair { FloatOf<B> hi, lo; };

// c[0] + x (c[1] + x (c[2] + ...)).
template <std::size_t first = 0, class B, std::size_t n>
COTAN_RULE FloatOf<B> poly(B& b, FloatOf<B> x, const double (&c)[n]) {
  if constexpr (first + 1 == n) {
    return b.k(c[first]);
  } else {
    return b.fma(poly<first + 1>(b, x, c), x, b.k(c[first]));
  }
}

// x + y exactly, for |x| >= |y| or x = 0.
template <class B> COTAN_RULE Pair<B> fast_two_sum(B& b, FloatOf<B> x, FloatOf<B> y) {
  const auto s = b.add(x, y);
  return {s, b.sub(y, b.sub(s, x))};
}

template <class B> COTAN_RULE Pair<B> two_sum(B& b, FloatOf<B> x, FloatOf<B> y) {
  const auto s = b.add(x, y);
  const auto v = b.sub(s, x);
  return {s, b.add(b.sub(x, b.sub(s, v)), b.sub(y, v))};
}

template <class B> COTAN_RULE Pair<B> two_product(B& b, FloatOf<B> x, FloatOf<B> y) {
  const auto p = b.mul(x, y);
  return {p, b.fms(x, y, p)};
}

// The product of two pairs, to about 2^-(2p - 2) of its size.
template <class B> COTAN_RULE Pair<B> mul_pairs(B& b, Pair<B> x, Pair<B> y) {
  const auto p = two_product(b, x.hi, y.hi);
  return {p.hi, b.fma(x.hi, y.lo, b.fma(x.lo, y.hi, p.lo))};
}

// n / d with its remainder carried. d must have a finite reciprocal.
template <class B> COTAN_RULE Pair<B> div_pairs(B& b, Pair<B> n, Pair<B> d) {
  const auto reciprocal = b.div(b.k(1), d.hi);
  const auto q = b.mul(n.hi, reciprocal);
  const auto rest = b.nfma(q, d.lo, b.add(b.nfma(q, d.hi, n.hi), n.lo));
  return {q, b.mul(rest, reciprocal)};
}

// sqrt(x) with its remainder carried, for normal x > 0 (0 gives 0).
template <class B> COTAN_RULE Pair<B> sqrt_pair(B& b, Pair<B> x) {
  const auto s = b.sqrt(x.hi);
  const auto rest = b.add(b.nfma(s, s, x.hi), x.lo);
  return {s, b.div(rest, b.maxs(b.k(Format<B>::smallest_normal), b.add(s, s)))};
}

// The sign bit of x.
template <class B> COTAN_RULE IntOf<B> sign_of(B& b, FloatOf<B> x) { return b.iand(b.bits(x), b.ki(Format<B>::sign)); }
template <class B> COTAN_RULE FloatOf<B> with_sign(B& b, FloatOf<B> magnitude, IntOf<B> sign) {
  return b.unbits(b.ixor(b.bits(magnitude), sign));
}

// 2^n for the integer in the low bits of n, whatever stands above its exponent's width; -bias < n <= bias.
template <class B> COTAN_RULE FloatOf<B> pow2(B& b, IntOf<B> n) {
  return b.unbits(b.iadd(b.template shl<Format<B>::mantissa_bits>(n), b.ki(Format<B>::one)));
}

// y 2^n in two factors, so that results reach denormals and infinity with one rounding. n as in the bits of a number
// to which round_magic was added: halving those bits halves n.
template <class B> COTAN_RULE FloatOf<B> scale(B& b, FloatOf<B> y, IntOf<B> n) {
  const auto half = b.template shr<1>(n);
  return b.mul(b.mul(y, pow2(b, half)), pow2(b, b.isub(n, half)));
}

template <class B> COTAN_RULE FloatOf<B> infinity(B& b) { return b.k(__builtin_inf()); }
template <class B> COTAN_RULE FloatOf<B> not_a_number(B& b) { return b.k(__builtin_nan("")); }

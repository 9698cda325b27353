// Scalar rules of floating-point arithmetic that needs no fma. Included without guard, see kernel/builder_scalar.h.

template <class B>
COTAN_RULE typename B::F max(B& b, typename B::F x, typename B::F y) {  // NaN if either is; +0 over -0
  auto m = b.select(b.eq(x, y), b.unbits(b.iand(b.bits(x), b.bits(y))), b.maxs(x, y));
  return b.select(b.is_nan(x), x, m);
}
template <class B>
COTAN_RULE typename B::F min(B& b, typename B::F x, typename B::F y) {  // NaN if either is; -0 under +0
  auto m = b.select(b.eq(x, y), b.unbits(b.ior(b.bits(x), b.bits(y))), b.mins(x, y));
  return b.select(b.is_nan(x), x, m);
}
template <class B> COTAN_RULE typename B::F clamp(B& b, typename B::F lo, typename B::F x, typename B::F hi) {
  return min(b, max(b, lo, x), hi);
}
template <class B> COTAN_RULE typename B::F sign(B& b, typename B::F x) {  // zeros keep their sign, NaN stays
  return b.select(b.gt(b.abs(x), b.k(0)), b.copysign(b.k(1), x), x);
}
template <class B> COTAN_RULE typename B::F round_away(B& b, typename B::F x) {  // halves away from zero
  auto t = b.trunc(x);
  auto up = b.ge(b.abs(b.sub(x, t)), b.k(0.5));
  return b.add(t, b.copysign(b.select(up, b.k(1), b.k(0)), x));
}
// By repeated squaring from the low bit up, so that the roundings are those of the products JAX writes.
template <class B> COTAN_RULE typename B::F integer_pow(B& b, typename B::F x, std::uint32_t exponent) {
  const bool negative = exponent >> 31 != 0;
  std::uint32_t n = negative ? 0u - exponent : exponent;
  if (n == 0) return b.k(1);
  for (; (n & 1) == 0; n >>= 1) x = b.mul(x, x);
  auto y = x;
  while ((n >>= 1) != 0) {
    x = b.mul(x, x);
    if ((n & 1) != 0) y = b.mul(y, x);
  }
  return negative ? b.div(b.k(1), y) : y;
}

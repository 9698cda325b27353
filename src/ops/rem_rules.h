// The remainder with the sign of the dividend, exact. Included without guard, see kernel/builder_scalar.h.

// The rounded quotient's integer part is the true one or, just below an integer, one more; the remainder of either is a
// multiple of the divisor's last place and no larger than the divisor, hence exact. Large quotients, infinite and zero
// divisors are rare.
template <class B> COTAN_RULE typename B::F rem(B& b, typename B::F x, typename B::F y) {
  auto q = b.div(x, y), ay = b.abs(y);
  b.rare(b.mnot(b.mand(b.lt(b.abs(q), b.k(0x1p22)), b.is_finite(y))));
  auto r = b.copysign(b.k(1), x);
  r = b.mul(r, b.nfma(b.trunc(q), y, x));  // now positive where the quotient was the true one
  r = b.select(b.lt(r, b.k(0)), b.add(r, ay), r);
  return b.copysign(r, x);
}

// The host-scalar builder, and the one description of the builder interface that every scalar rule is written against.
//
// A rule is one generic function over a builder: branch-free (but see `any`), with explicit fma, without reassociation, so that
// its bits are the same on every instruction set. It is declared with COTAN_RULE in an `x_rules.h` *without include guard*, which is
// included once in a host namespace and once inside every instruction set's namespace (target attributes cover only text
// that stands between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE):
//
//   template <class B> COTAN_RULE typename B::F rsqrt(B& b, typename B::F x) { return b.div(b.k(1), b.sqrt(x)); }
//
// A builder B has
//   T            the element type, float or double                 F   values of T        M   masks, one truth value a lane
//   I            unsigned integers of T's width (two's complement arithmetic)
//   k(double)    constant of T (rounded once)                      ki(long long)          integer constant
//   add sub mul div sqrt neg abs                                   as IEEE, no contraction
//   fma(a,b,c) = a*b+c     nfma(a,b,c) = c-a*b     fms(a,b,c) = a*b-c                    one rounding
//   floor ceil trunc rint (ties to even)                           copysign(magnitude, sign)
//   bits(F) -> I           unbits(I) -> F
//   iadd isub iand ior ixor inot, shl<n> shr<n> (logical) sar<n> (arithmetic), shlv(a, n) shrv(a, n) (0 <= n < width)
//   to_int(F) -> I         truncates; the value must fit the signed type;   from_int(I) -> F   from the signed value
//   lt gt le ge eq ne      ordered comparisons (ne: true for NaN);  is_nan(F);  is_finite(F)
//   ilt igt (signed) ieq   comparisons of I
//   mand mor mxor mnot     masks;   mtrue mfalse                     iselect(m, a, b)     select over I
//   select(m, a, b)        m ? a : b                                sel_top(i, a, b)      a where the top bit of i is set
//   maxs(a, b) = a > b ? a : b     mins(a, b) = a < b ? a : b      so the *second* where unordered or equal (one instruction)
//   any(M) -> bool         whether a lane is marked: only to leave out work that changes no other lane
//   rare(M)                marks lanes whose result the rule does not give; the loop redoes them by the rule's `host` function
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#define COTAN_RULE inline __attribute__((always_inline))

namespace cotan::kernel {

template <class Element> struct ScalarBuilder {
  static_assert(std::is_same_v<Element, float> || std::is_same_v<Element, double>);
  using T = Element;
  using F = T;
  using I = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  using S = std::make_signed_t<I>;
  using M = bool;
  static constexpr int width = 8 * sizeof(T);
  static constexpr I sign_bit = I(1) << (width - 1);

  bool bad = false;  // a lane was marked rare

  F k(double c) const { return static_cast<T>(c); }
  I ki(long long c) const { return static_cast<I>(c); }

  F add(F a, F b) const { return a + b; }
  F sub(F a, F b) const { return a - b; }
  F mul(F a, F b) const { return a * b; }
  F div(F a, F b) const { return a / b; }
  F fma(F a, F b, F c) const { return std::fma(a, b, c); }
  F nfma(F a, F b, F c) const { return std::fma(-a, b, c); }
  F fms(F a, F b, F c) const { return std::fma(a, b, -c); }
  F sqrt(F a) const { return std::sqrt(a); }
  F neg(F a) const { return unbits(bits(a) ^ sign_bit); }
  F abs(F a) const { return unbits(bits(a) & ~sign_bit); }
  F copysign(F magnitude, F sign) const { return unbits((bits(magnitude) & ~sign_bit) | (bits(sign) & sign_bit)); }
  F floor(F a) const { return std::floor(a); }
  F ceil(F a) const { return std::ceil(a); }
  F trunc(F a) const { return std::trunc(a); }
  F rint(F a) const { return std::rint(a); }

  I bits(F a) const {
    I i;
    std::memcpy(&i, &a, sizeof i);
    return i;
  }
  F unbits(I i) const {
    F a;
    std::memcpy(&a, &i, sizeof a);
    return a;
  }
  I iadd(I a, I b) const { return a + b; }
  I isub(I a, I b) const { return a - b; }
  I iand(I a, I b) const { return a & b; }
  I ior(I a, I b) const { return a | b; }
  I ixor(I a, I b) const { return a ^ b; }
  I inot(I a) const { return ~a; }
  template <int n> I shl(I a) const { return a << n; }
  template <int n> I shr(I a) const { return a >> n; }
  template <int n> I sar(I a) const { return static_cast<I>(static_cast<S>(a) >> n); }
  I shlv(I a, I n) const { return a << n; }
  I shrv(I a, I n) const { return a >> n; }
  I to_int(F a) const { return static_cast<I>(static_cast<S>(a)); }
  F from_int(I a) const { return static_cast<T>(static_cast<S>(a)); }

  M lt(F a, F b) const { return a < b; }
  M gt(F a, F b) const { return a > b; }
  M le(F a, F b) const { return a <= b; }
  M ge(F a, F b) const { return a >= b; }
  M eq(F a, F b) const { return a == b; }
  M ne(F a, F b) const { return a != b; }
  M is_nan(F a) const { return a != a; }
  M is_finite(F a) const { return abs(a) < static_cast<T>(__builtin_inf()); }
  M ilt(I a, I b) const { return static_cast<S>(a) < static_cast<S>(b); }
  M igt(I a, I b) const { return static_cast<S>(a) > static_cast<S>(b); }
  M ieq(I a, I b) const { return a == b; }
  M mand(M a, M b) const { return a && b; }
  M mor(M a, M b) const { return a || b; }
  M mxor(M a, M b) const { return a != b; }
  M mnot(M a) const { return !a; }
  M mtrue() const { return true; }
  M mfalse() const { return false; }

  F select(M m, F a, F b) const { return m ? a : b; }
  I iselect(M m, I a, I b) const { return m ? a : b; }
  F sel_top(I m, F a, F b) const { return (m & sign_bit) != 0 ? a : b; }
  F maxs(F a, F b) const { return a > b ? a : b; }
  F mins(F a, F b) const { return a < b ? a : b; }

  bool any(M m) const { return m; }
  void rare(M m) { bad |= m; }
};

}  // namespace cotan::kernel

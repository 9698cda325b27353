// The vector builder, over a Highway tag: the interface that builder_scalar.h describes, for one instruction set.
// Included once per instruction set, after `hwy/foreach_target.h`.
#if defined(COTAN_KERNEL_BUILDER_HWY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef COTAN_KERNEL_BUILDER_HWY_INL_H_
#undef COTAN_KERNEL_BUILDER_HWY_INL_H_
#else
#define COTAN_KERNEL_BUILDER_HWY_INL_H_
#endif
#include "hwy/highway.h"
#include "kernel/builder_scalar.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::kernel {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D> struct HwyBuilder {
  using T = hn::TFromD<D>;
  using F = hn::Vec<D>;
  using DI = hn::RebindToUnsigned<D>;
  using DS = hn::RebindToSigned<D>;
  using I = hn::Vec<DI>;
  using V = hn::Vec<DS>;
  using M = hn::Mask<D>;
  static constexpr int width = 8 * sizeof(T);

  D d;
  DI di;
  DS ds;
  M bad;  // lanes marked rare

  HWY_INLINE HwyBuilder() : bad(hn::MaskFromVec(hn::Zero(D()))) {}

  HWY_INLINE F k(double c) const { return hn::Set(d, static_cast<T>(c)); }
  HWY_INLINE I ki(long long c) const { return hn::Set(di, static_cast<hn::TFromD<DI>>(c)); }

  HWY_INLINE F add(F a, F b) const { return hn::Add(a, b); }
  HWY_INLINE F sub(F a, F b) const { return hn::Sub(a, b); }
  HWY_INLINE F mul(F a, F b) const { return hn::Mul(a, b); }
  HWY_INLINE F div(F a, F b) const { return hn::Div(a, b); }
  HWY_INLINE F fma(F a, F b, F c) const { return hn::MulAdd(a, b, c); }
  HWY_INLINE F nfma(F a, F b, F c) const { return hn::NegMulAdd(a, b, c); }
  HWY_INLINE F fms(F a, F b, F c) const { return hn::MulSub(a, b, c); }
  HWY_INLINE F sqrt(F a) const { return hn::Sqrt(a); }
  HWY_INLINE F neg(F a) const { return hn::Neg(a); }
  HWY_INLINE F abs(F a) const { return hn::Abs(a); }
  HWY_INLINE F copysign(F magnitude, F sign) const { return hn::CopySign(magnitude, sign); }
  HWY_INLINE F floor(F a) const { return hn::Floor(a); }
  HWY_INLINE F ceil(F a) const { return hn::Ceil(a); }
  HWY_INLINE F trunc(F a) const { return hn::Trunc(a); }
  HWY_INLINE F rint(F a) const { return hn::Round(a); }

  HWY_INLINE I bits(F a) const { return hn::BitCast(di, a); }
  HWY_INLINE F unbits(I a) const { return hn::BitCast(d, a); }
  HWY_INLINE V as_signed(I a) const { return hn::BitCast(ds, a); }
  HWY_INLINE I iadd(I a, I b) const { return hn::Add(a, b); }
  HWY_INLINE I isub(I a, I b) const { return hn::Sub(a, b); }
  HWY_INLINE I iand(I a, I b) const { return hn::And(a, b); }
  HWY_INLINE I ior(I a, I b) const { return hn::Or(a, b); }
  HWY_INLINE I ixor(I a, I b) const { return hn::Xor(a, b); }
  HWY_INLINE I inot(I a) const { return hn::Not(a); }
  template <int n> HWY_INLINE I shl(I a) const { return hn::ShiftLeft<n>(a); }
  template <int n> HWY_INLINE I shr(I a) const { return hn::ShiftRight<n>(a); }
  template <int n> HWY_INLINE I sar(I a) const { return hn::BitCast(di, hn::ShiftRight<n>(as_signed(a))); }
  HWY_INLINE I shlv(I a, I n) const { return hn::Shl(a, n); }
  HWY_INLINE I shrv(I a, I n) const { return hn::Shr(a, n); }
  HWY_INLINE I to_int(F a) const { return hn::BitCast(di, hn::ConvertTo(ds, a)); }
  HWY_INLINE F from_int(I a) const { return hn::ConvertTo(d, as_signed(a)); }

  HWY_INLINE M lt(F a, F b) const { return hn::Lt(a, b); }
  HWY_INLINE M gt(F a, F b) const { return hn::Gt(a, b); }
  HWY_INLINE M le(F a, F b) const { return hn::Le(a, b); }
  HWY_INLINE M ge(F a, F b) const { return hn::Ge(a, b); }
  HWY_INLINE M eq(F a, F b) const { return hn::Eq(a, b); }
  HWY_INLINE M ne(F a, F b) const { return hn::Not(hn::Eq(a, b)); }  // Highway's Ne is false for NaN on x86
  HWY_INLINE M is_nan(F a) const { return hn::IsNaN(a); }
  HWY_INLINE M is_finite(F a) const { return hn::Lt(hn::Abs(a), k(__builtin_inf())); }
  HWY_INLINE M ilt(I a, I b) const { return hn::RebindMask(d, hn::Lt(as_signed(a), as_signed(b))); }
  HWY_INLINE M igt(I a, I b) const { return hn::RebindMask(d, hn::Gt(as_signed(a), as_signed(b))); }
  HWY_INLINE M ieq(I a, I b) const { return hn::RebindMask(d, hn::Eq(a, b)); }
  HWY_INLINE M mand(M a, M b) const { return hn::And(a, b); }
  HWY_INLINE M mor(M a, M b) const { return hn::Or(a, b); }
  HWY_INLINE M mxor(M a, M b) const { return hn::Xor(a, b); }
  HWY_INLINE M mnot(M a) const { return hn::Not(a); }
  HWY_INLINE M mfalse() const { return hn::MaskFromVec(hn::Zero(d)); }
  HWY_INLINE M mtrue() const { return hn::Not(mfalse()); }

  HWY_INLINE F select(M m, F a, F b) const { return hn::IfThenElse(m, a, b); }
  HWY_INLINE I iselect(M m, I a, I b) const { return hn::IfThenElse(hn::RebindMask(di, m), a, b); }
  HWY_INLINE F sel_top(I m, F a, F b) const { return hn::IfNegativeThenElse(hn::BitCast(d, m), a, b); }
#if HWY_ARCH_X86
  HWY_INLINE F maxs(F a, F b) const {
    return hn::Max(a, b);
  }  // maxps and minps give the second operand where unordered or equal
  HWY_INLINE F mins(F a, F b) const { return hn::Min(a, b); }
#else
  HWY_INLINE F maxs(F a, F b) const { return select(gt(a, b), a, b); }
  HWY_INLINE F mins(F a, F b) const { return select(lt(a, b), a, b); }
#endif

  HWY_INLINE bool any(M m) const { return !hn::AllFalse(d, m); }
  HWY_INLINE void rare(M m) { bad = hn::Or(bad, m); }
};

}  // namespace HWY_NAMESPACE
}  // namespace cotan::kernel
HWY_AFTER_NAMESPACE();
#endif

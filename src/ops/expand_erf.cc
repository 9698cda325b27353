// The error function, its complement and its inverse, by the polynomials of the tile functions.
#include <cmath>
#include <limits>

#include "ops/coefficients.h"
#include "ops/expand.h"
#include "ops/expand_special.h"
#include "ops/special_coefficients.h"

namespace cotan::ops::expand {

namespace {

using In = std::span<const Array>;

// exp(-a^2): the square of a with its low half cleared is exact, and the rest small.
Array gauss(const Array& a) {
  const bool wide = a.dtype() == DType::float64;
  const DType word = wide ? DType::uint64 : DType::uint32;
  const Array kept = scalar_int(word, wide ? -(std::int64_t{1} << 27) : 0xfffff000);
  const Array high = bitcast_convert_type(bit_and(bitcast_convert_type(a, word), kept), a.dtype());
  return mul(exp(neg(mul(high, high))), exp(mul(sub(high, a), add(high, a))));
}

// erfc(a) for a >= 0.49: exp(-a^2) times erfcx(a), which is a polynomial in (a - 3) / (a + 3), over 1 + 2a.
template <class C> Array erfc_tail(const Array& magnitude) {
  const Array a = min(magnitude, scalar(magnitude.dtype(), magnitude.dtype() == DType::float64 ? 28 : 11));
  const Array t = div(plus(a, -3), plus(a, 3));
  return mul(gauss(a), div(plus(polynomial(t, C::erfcx), C::erfcx_lost), plus(times(a, 2), 1)));
}
// erf(x) - x for |x| <= 1.
template <class C> Array erf_rest(const Array& x, const Array& magnitude) {
  const Array a = min(magnitude, scalar(x.dtype(), 1));
  return mul(x, polynomial(mul(a, a), C::erf));
}

template <class C> Array erf_of(const Array& x) {
  const Array a = abs(x);
  return select(gt(a, scalar(x.dtype(), 1)), with_sign(sub(all(x, 1), erfc_tail<C>(a)), x), add(x, erf_rest<C>(x, a)));
}
template <class C> Array erfc_of(const Array& x) {
  const Array a = abs(x), tail = erfc_tail<C>(a);
  const Array far = select(lt(x, scalar(x.dtype(), 0)), sub(all(x, 2), tail), tail);
  return select(gt(a, scalar(x.dtype(), 0.5)), far, sub(sub(all(x, 1), x), erf_rest<C>(x, a)));
}

// x P(w), w = -log(1 - x^2): three polynomials, in w for the middle and in sqrt(w) for the two stretches of the tail.
template <class C> Array erf_inv_of(const Array& x) {
  const DType d = x.dtype();
  const Array a = abs(x), small = neg(log1p(neg(mul(x, x))));
  const Array large = neg(log(mul(sub(all(x, 1), a), plus(a, 1))));
  const Array w = select(lt(a, scalar(d, 0.5)), small, large), root = sqrt(w);
  const auto stretch = [&](const Array& v, int i, const auto& c) {
    return plus(polynomial(plus(v, -C::erf_inv_centre[i]), c), C::erf_inv_lost[i]);
  };
  const Array tail =
      select(lt(w, scalar(d, C::erf_inv_bound[1])), stretch(root, 1, C::erf_inv_mid), stretch(root, 2, C::erf_inv_top));
  const Array y = mul(x, select(lt(w, scalar(d, C::erf_inv_bound[0])), stretch(w, 0, C::erf_inv_low), tail));
  const Array at_one = eq(a, scalar(d, 1));
  return select(at_one, with_sign(all(x, HUGE_VAL), x), y);
}

template <class Narrow, class Wide> Array by_width(const Array& x, Narrow narrow, Wide wide) {
  return x.dtype() == DType::float64 ? wide(x) : widened(narrow, x);
}

}  // namespace

Array erf(const EqnContext&, In in) {
  return by_width(in[0], erf_of<SpecialCoefficients<float>>, erf_of<SpecialCoefficients<double>>);
}
Array erfc(const EqnContext&, In in) {
  return by_width(in[0], erfc_of<SpecialCoefficients<float>>, erfc_of<SpecialCoefficients<double>>);
}
Array erf_inv(const EqnContext&, In in) {
  return by_width(in[0], erf_inv_of<Coefficients<float>>, erf_inv_of<Coefficients<double>>);
}

}  // namespace cotan::ops::expand

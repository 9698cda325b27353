// scipy.special: error functions, integrals, the normal distribution, entropies, Bessel and hypergeometric functions.
#include <cmath>

#include "cotan/scipy_special.h"
#include "ops/special.h"
#include "scipy/common.h"

namespace cotan::scipy::special {

using numpy::where;

namespace {
Array one(const char* function, const Array& x) { return inexact(function, {x}, Complex::accepted)[0]; }
Array real_one(const char* function, const Array& x) { return strong(inexact(function, {x})[0]); }
}  // namespace

#define COTAN_DIRECT(NAME, OP)     \
  Array NAME(const Array& x) {     \
    COTAN_API;                     \
    return ops::OP(one(#NAME, x)); \
  }
COTAN_DIRECT(erf, erf)
COTAN_DIRECT(erfc, erfc)
COTAN_DIRECT(erfinv, erf_inv)
COTAN_DIRECT(expit, logistic)
COTAN_DIRECT(i0e, bessel_i0e)
COTAN_DIRECT(i1e, bessel_i1e)
#undef COTAN_DIRECT
#define COTAN_STRONG(NAME, OP)          \
  Array NAME(const Array& x) {          \
    COTAN_API;                          \
    return ops::OP(real_one(#NAME, x)); \
  }
COTAN_STRONG(dawsn, dawsn_p)
COTAN_STRONG(expi, expi_p)
#undef COTAN_STRONG

Array erfcx(const Array& x) {
  COTAN_API;
  const Array v = strong(one("erfcx", x));
  if (!is_complex(v.dtype())) return ops::erfcx_p(v);
  return ops::wofz_p(ops::complex(-ops::imag(v), ops::real(v)));
}
Array wofz(const Array& z) {
  COTAN_API;
  const Array v = strong(one("wofz", z));
  if (is_complex(v.dtype())) return ops::wofz_p(v);
  return ops::wofz_p(to_dtype(v, v.dtype() == DType::float64 ? DType::complex128 : DType::complex64, false));
}
Array exp1(const Array& x) {
  COTAN_API;
  const Array v = real_one("exp1", x);
  return ops::expn_p(ops::full(v.aval(), 1), v);
}
Array expn(const Array& n, const Array& x) {
  COTAN_API;
  check_broadcast("expn", {n, x});
  const Arrays v = inexact("expn", {n, x});
  return ops::expn_p(ops::stop_gradient(strong(v[0])), strong(v[1]));
}
std::vector<Array> sici(const Array& x) {
  COTAN_API;
  const Array v = real_one("sici", x);
  return {ops::sine_integral_p(v), ops::cosine_integral_p(v)};
}
std::vector<Array> fresnel(const Array& x) {
  COTAN_API;
  if (is_complex(x.dtype()))
    throw NotImplementedError("fresnel of complex numbers is not implemented, got " + x.aval().str());
  const Array v = real_one("fresnel", x);
  return {ops::fresnel_sine_p(v), ops::fresnel_cosine_p(v)};
}
Array spence(const Array& x) {
  COTAN_API;
  check_single_or_double("spence", x);
  return ops::spence_p(strong(x));
}
Array owens_t(const Array& h, const Array& a) {
  COTAN_API;
  const auto wide = [](const Array& x) { return is_floating(x.dtype()) && item_size(x.dtype()) > 2 && !x.weak_type(); };
  Arrays v = inexact("owens_t", {h, a});
  if (!wide(h) && !wide(a)) v = inexact("owens_t", {v[0], v[1], ops::scalar(canonical_dtype(DType::float64), 0)});
  return ops::owens_t_p(strong(v[0]), strong(v[1]));
}

Array ndtr(const Array& x0) {
  COTAN_API;
  check_single_or_double("ndtr", x0);
  const Array x = strong(x0);
  const Array w = ops::mul(x, ops::number_like(x, M_SQRT1_2)), z = ops::abs(w), half = ops::number_like(x, M_SQRT1_2);
  const Array far =
      ops::select(ops::gt(w, ops::number_like(x, 0)), ops::sub(ops::number_like(x, 2), ops::erfc(z)), ops::erfc(z));
  const Array y = ops::select(ops::lt(z, half), ops::add(ops::number_like(x, 1), ops::erf(w)), far);
  return ops::mul(ops::number_like(x, 0.5), y);
}
Array ndtri(const Array& p) {
  COTAN_API;
  check_single_or_double("ndtri", p);
  return ops::ndtri_p(strong(p));
}
Array log_ndtr(const Array& x, std::int64_t series_order) {
  COTAN_API;
  if (series_order < 0)
    throw ValueError("log_ndtr: series_order must not be negative, got " + std::to_string(series_order));
  if (series_order > 30)
    throw ValueError("log_ndtr: series_order must be at most 30, got " + std::to_string(series_order));
  check_single_or_double("log_ndtr", x);
  return ops::log_ndtr_p(strong(x));
}

Array xlogy(const Array& x, const Array& y) {
  COTAN_API;
  const Arrays v = inexact("xlogy", {x, y}, Complex::accepted);
  if (!is_complex(v[0].dtype())) return ops::xlogy_p(v[0], v[1]);
  return where((v[0] != 0) | (v[1] != v[1]), v[0] * ops::log(v[1]), ops::number_like(v[0], 0));
}
Array xlog1py(const Array& x, const Array& y) {
  COTAN_API;
  const Arrays v = inexact("xlog1py", {x, y}, Complex::accepted);
  if (!is_complex(v[0].dtype())) return ops::xlog1py_p(v[0], v[1]);
  return where((v[0] != 0) | (v[1] != v[1]), v[0] * ops::log1p(v[1]), ops::number_like(v[0], 0));
}
Array entr(const Array& x) {
  COTAN_API;
  const Array v = inexact("entr", {x})[0];
  // At 0 the derivative is that of -v log(0), everywhere else that of -v log(v): neither sees the other's lanes.
  const Array zero = ops::number_like(v, 0), at_zero = ops::eq(v, zero);
  const Array base = ops::select(at_zero, ops::full(v.aval(), 0), ops::full(v.aval(), 1));
  const Array safe = ops::select(at_zero, ops::full(v.aval(), 1), v);
  const Array value = ops::select(at_zero, ops::xlogy_p(v, base), ops::xlogy_p(safe, safe));
  return ops::select(ops::lt(v, zero), ops::full(v.aval(), -INFINITY), ops::neg(value));
}
// p log p - p log q where both are positive.
Array rel_entr(const Array& p, const Array& q) {
  COTAN_API;
  const Arrays v = inexact("rel_entr", {p, q});
  const Array zero = ops::number_like(v[0], 0), one = ops::number_like(v[0], 1);
  const Array both = (v[0] > zero) & (v[1] > zero), none = (v[0] == zero) & (v[1] >= zero);
  const Array a = where(both, v[0], one), b = where(both, v[1], one);
  const Array value = ops::xlogy_p(a, a) - ops::xlogy_p(a, b);
  return where(both, value, where(none, zero, ops::number_like(v[0], INFINITY)));
}
Array kl_div(const Array& p, const Array& q) {
  COTAN_API;
  const Arrays v = inexact("kl_div", {p, q});
  return rel_entr(v[0], v[1]) - v[0] + v[1];
}
Array logit(const Array& x) {
  COTAN_API;
  const Array v = one("logit", x);
  return is_complex(v.dtype()) ? ops::log(v / (1 - v)) : ops::logit_p(v);
}
namespace {
Array power_transform(const Array& log_x, const Array& l) {
  const Array zero = l == 0, safe = where(zero, ops::number_like(l, 1), l);
  return where(zero, log_x, ops::expm1(safe * log_x) / safe);
}
}  // namespace
Array boxcox(const Array& x, const Array& lmbda) {
  COTAN_API;
  const Arrays v = inexact("boxcox", {x, lmbda}, Complex::accepted);
  return power_transform(ops::log(v[0]), v[1]);
}
Array boxcox1p(const Array& x, const Array& lmbda) {
  COTAN_API;
  const Arrays v = inexact("boxcox1p", {x, lmbda}, Complex::accepted);
  return power_transform(ops::log1p(v[0]), v[1]);
}

Array i0(const Array& x) {
  COTAN_API;
  const Array v = one("i0", x);  // x sign(x): |x| with the derivative 0 at 0, where that of i0 is
  return ops::mul(ops::exp(ops::mul(v, ops::sign(v))), ops::bessel_i0e(v));
}
Array i1(const Array& x) {
  COTAN_API;
  const Array v = one("i1", x);
  return ops::mul(ops::exp(ops::abs(v)), ops::bessel_i1e(v));
}
Array bessel_jn(const Array& z, const BesselOptions& o) {
  COTAN_API;
  if (!is_floating(z.dtype()))
    throw ValueError("bessel_jn: z must be a real floating-point array, got " + z.aval().str());
  if (o.v < 0) throw ValueError("bessel_jn: v must not be negative, got " + std::to_string(o.v));
  const Array x = strong(z);
  if (o.v >= INT32_MAX) throw OverflowError("bessel_jn: v is too large, got " + std::to_string(o.v));
  IntList column = IntList::filled(x.ndim() + 1, 1);
  column[0] = o.v + 1;
  return ops::bessel_jn_p(ops::reshape(ops::iota(x.dtype(), Shape(o.v + 1), 0), column), ops::expand_dims(x, {0}));
}
Array hyp1f1(const Array& a, const Array& b, const Array& x) {
  COTAN_API;
  check_broadcast("hyp1f1", {a, b, x});
  const Arrays v = inexact("hyp1f1", {a, b, x});
  return ops::hyp1f1_p(strong(v[0]), strong(v[1]), strong(v[2]));
}
Array hyp2f1(const Array& a, const Array& b, const Array& c, const Array& x) {
  COTAN_API;
  check_broadcast("hyp2f1", {a, b, c, x});
  const Arrays v = real_operands("hyp2f1", {a, b, c, x});
  return ops::hyp2f1(strong(v[0]), strong(v[1]), strong(v[2]), strong(v[3]));
}
Array sph_harm_y(const Array& n, const Array& m, const Array& theta, const Array& phi, const SphericalOptions& o) {
  COTAN_API;
  if (o.diff_n.has_value()) throw NotImplementedError("sph_harm_y: diff_n is not implemented");
  const Arrays v = inexact(
      "sph_harm_y", {theta, phi, to_dtype(n, default_float_dtype(), true), to_dtype(m, default_float_dtype(), true)});
  const Array size = ops::sph_legendre_p(strong(v[2]), strong(v[3]), strong(v[0])), angle = strong(v[3]) * strong(v[1]);
  return ops::complex(size * ops::cos(angle), size * ops::sin(angle));
}

}  // namespace cotan::scipy::special

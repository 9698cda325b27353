// Special functions: binding functions. Operands as of elementwise.h.
#pragma once
#include "core/primitive.h"

namespace cotan::ops {

extern const Primitive erf_p, erfc_p, lgamma_p, digamma_p, polygamma_p, zeta_p, bessel_i0e_p, bessel_i1e_p, igamma_p,
    igammac_p, igamma_grad_a_p, random_gamma_grad_p, gamma_density_p, regularized_incomplete_beta_p, beta_density_p,
    log_gamma_density_p, log_beta_density_p;

inline Array erf(const Array& x) { return erf_p(x); }
inline Array erfc(const Array& x) { return erfc_p(x); }
inline Array lgamma(const Array& x) { return lgamma_p(x); }
inline Array digamma(const Array& x) { return digamma_p(x); }
inline Array bessel_i0e(const Array& x) { return bessel_i0e_p(x); }
inline Array bessel_i1e(const Array& x) { return bessel_i1e_p(x); }
inline Array polygamma(const Array& m, const Array& x) { return polygamma_p(m, x); }
inline Array zeta(const Array& x, const Array& q) { return zeta_p(x, q); }
inline Array igamma(const Array& a, const Array& x) { return igamma_p(a, x); }
inline Array igammac(const Array& a, const Array& x) { return igammac_p(a, x); }
inline Array igamma_grad_a(const Array& a, const Array& x) { return igamma_grad_a_p(a, x); }
inline Array random_gamma_grad(const Array& a, const Array& x) { return random_gamma_grad_p(a, x); }
inline Array gamma_density(const Array& a, const Array& x) { return gamma_density_p(a, x); }
inline Array betainc(const Array& a, const Array& b, const Array& x) { return regularized_incomplete_beta_p(a, b, x); }
inline Array log_gamma_density(const Array& a, const Array& x) { return log_gamma_density_p(a, x); }
inline Array log_beta_density(const Array& a, const Array& b, const Array& x) { return log_beta_density_p(a, b, x); }
inline Array beta_density(const Array& a, const Array& b, const Array& x) { return beta_density_p(a, b, x); }

// Those of scipy.special that no primitive of lax gives.
extern const Primitive gamma_p, betaln_p, poch_p, ndtri_p, log_ndtr_p, erfcx_p, dawsn_p, expn_p, expi_p,
    sine_integral_p, cosine_integral_p, fresnel_sine_p, fresnel_cosine_p, spence_p, owens_t_p, bessel_jn_p,
    sph_legendre_p, hyp1f1_p, hyp2f1_p, wofz_p, loggamma_p, complex_gamma_p, xlogy_p, xlog1py_p, logit_p;
Array zeta_grad_x(const Array& s, const Array& q);  // the derivative by s
inline Array xlogy(const Array& x, const Array& y) { return xlogy_p(x, y); }
inline Array hyp2f1(const Array& a, const Array& b, const Array& c, const Array& x) {
  const Array in[] = {a, b, c, x};
  return hyp2f1_p.bind1({}, in);
}

}  // namespace cotan::ops

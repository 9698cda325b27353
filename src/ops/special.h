// Special functions: binding functions. Operands as of elementwise.h.
#pragma once
#include "core/primitive.h"

namespace cotan::ops {

extern const Primitive erf_p, erfc_p, lgamma_p, digamma_p, polygamma_p, zeta_p, bessel_i0e_p, bessel_i1e_p, igamma_p,
    igammac_p, igamma_grad_a_p, random_gamma_grad_p, gamma_density_p, regularized_incomplete_beta_p, beta_density_p;

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
inline Array beta_density(const Array& a, const Array& b, const Array& x) { return beta_density_p(a, b, x); }

}  // namespace cotan::ops

// Primitives that have no operation in StableHLO, by simpler ones: rules `stablehlo` of records. They are also right for real
// operands of 16 bits, which are computed in float32.
#pragma once
#include "core/primitive.h"

namespace cotan::ops::expand {

#define COTAN_EXPAND(name) Array name(const EqnContext&, std::span<const Array> in)
COTAN_EXPAND(exp2);
COTAN_EXPAND(asin);
COTAN_EXPAND(acos);
COTAN_EXPAND(atan);
COTAN_EXPAND(sinh);
COTAN_EXPAND(cosh);
COTAN_EXPAND(asinh);
COTAN_EXPAND(acosh);
COTAN_EXPAND(atanh);
COTAN_EXPAND(logaddexp);
COTAN_EXPAND(erf_inv);
COTAN_EXPAND(erf);
COTAN_EXPAND(erfc);
COTAN_EXPAND(bessel_i0e);
COTAN_EXPAND(bessel_i1e);
COTAN_EXPAND(lgamma);
COTAN_EXPAND(digamma);
COTAN_EXPAND(gamma);
COTAN_EXPAND(zeta);
COTAN_EXPAND(polygamma);
COTAN_EXPAND(igamma);
COTAN_EXPAND(igammac);
COTAN_EXPAND(igamma_grad_a);
COTAN_EXPAND(random_gamma_grad);
COTAN_EXPAND(gamma_density);
COTAN_EXPAND(log_gamma_density);
COTAN_EXPAND(betainc);
COTAN_EXPAND(beta_density);
COTAN_EXPAND(log_beta_density);
COTAN_EXPAND(betaln);
COTAN_EXPAND(erfcx);
COTAN_EXPAND(dawsn);
COTAN_EXPAND(expn);
COTAN_EXPAND(expi);
COTAN_EXPAND(sine_integral);
COTAN_EXPAND(cosine_integral);
COTAN_EXPAND(fresnel_sine);
COTAN_EXPAND(fresnel_cosine);
COTAN_EXPAND(spence);
COTAN_EXPAND(owens_t);
COTAN_EXPAND(log_ndtr);
COTAN_EXPAND(ndtri);
COTAN_EXPAND(poch);
COTAN_EXPAND(sph_legendre);
COTAN_EXPAND(hyp1f1);
COTAN_EXPAND(hyp2f1);
COTAN_EXPAND(bessel_jn);
COTAN_EXPAND(wofz);
COTAN_EXPAND(loggamma);
COTAN_EXPAND(complex_gamma);
COTAN_EXPAND(mulhi);
COTAN_EXPAND(nextafter);
#undef COTAN_EXPAND
// With what their params say: the order, or the operands that a derivative is by (special_host.h).
Array complex_polygamma(int order, std::span<const Array> in);
Array zeta_grad_x(int order, std::span<const Array> in);
Array hyp1f1_grad(int first, int second, std::span<const Array> in);
Array hyp2f1_grad(int first, int second, std::span<const Array> in);

}  // namespace cotan::ops::expand

// The templates of special functions at single values.
#include <math.h>

#include "ops/special_complex_rules.h"
#include "ops/special_hyper_rules.h"
#include "ops/special_integrals_rules.h"

namespace cotan::ops::host {

#define COTAN_VALUE_1(f) \
  double f(double x) { return special::f(x); }
#define COTAN_VALUE_2(f) \
  double f(double x, double y) { return special::f(x, y); }
#define COTAN_VALUE_3(f) \
  double f(double x, double y, double z) { return special::f(x, y, z); }
// clang-format off
COTAN_VALUE_2(igamma) COTAN_VALUE_2(igammac) COTAN_VALUE_2(igamma_grad_a) COTAN_VALUE_2(random_gamma_grad)
COTAN_VALUE_2(gamma_density) COTAN_VALUE_2(log_gamma_density)
COTAN_VALUE_3(betainc) COTAN_VALUE_3(beta_density) COTAN_VALUE_3(log_beta_density) COTAN_VALUE_2(betaln)
COTAN_VALUE_1(erfcx) COTAN_VALUE_1(dawsn) COTAN_VALUE_2(expn) COTAN_VALUE_1(expi) COTAN_VALUE_1(sine_integral)
COTAN_VALUE_1(cosine_integral) COTAN_VALUE_1(fresnel_sine) COTAN_VALUE_1(fresnel_cosine) COTAN_VALUE_1(spence)
COTAN_VALUE_2(owens_t) COTAN_VALUE_1(log_ndtr) COTAN_VALUE_1(ndtri)
COTAN_VALUE_2(poch) COTAN_VALUE_3(sph_legendre) COTAN_VALUE_3(hyp1f1)
// clang-format on
#undef COTAN_VALUE_1
#undef COTAN_VALUE_2
#undef COTAN_VALUE_3

                        double hyp2f1(double a, double b, double c, double x) {
  return special::hyp2f1(a, b, c, x);
}
double hyp1f1_grad(int first, int second, double a, double b, double x) {
  return special::hyp1f1_grad(first, second, a, b, x);
}
double hyp2f1_grad(int first, int second, double a, double b, double c, double x) {
  return special::hyp2f1_grad(first, second, a, b, c, x);
}
double zeta_grad_x(int order, double s, double q) { return special::zeta_grad_x(order, s, q); }

// The order is a whole number.
double bessel_jn(double n, double x) {
  return std::abs(n) <= 1e5 && special::whole(n) ? ::jn(static_cast<int>(n), x) : special::nan_value;
}

namespace {
special::Pair<double> pair(ComplexValue z) { return {z.re, z.im}; }
ComplexValue value(const special::Pair<double>& z) { return {z.re, z.im}; }
}  // namespace

ComplexValue wofz(ComplexValue z) { return value(special::wofz(pair(z))); }
ComplexValue loggamma(ComplexValue z) { return value(special::loggamma(pair(z))); }
ComplexValue gamma(ComplexValue z) { return value(special::complex_gamma(pair(z))); }
ComplexValue polygamma(int m, ComplexValue z) { return value(special::complex_polygamma(m, pair(z))); }

}  // namespace cotan::ops::host

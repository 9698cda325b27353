// Special functions of single values, in double precision; the tile functions of every dtype loop over them, those of float32
// through double. Built from the elementary functions of elementary_host.h, so that the bits are the same on every instruction set.
//
// Errors in ulp, against mpmath (tests/golden/special.py): in docs of the primitives. Values at poles and outside a domain as JAX's.
#pragma once

namespace cotan::ops::host {

// The rules of special_rules.h.
float erf(float);
double erf(double);
float erfc(float);
double erfc(double);
float bessel_i0e(float);
double bessel_i0e(double);
float bessel_i1e(float);
double bessel_i1e(double);

double lgamma(double);   // log |Gamma(x)|; inf at the poles
double digamma(double);  // NaN at the poles
double zeta(double s, double q);
double polygamma(double m, double x);
double igamma(double a, double x);  // regularised
double igammac(double a, double x);
double igamma_grad_a(double a, double x);
double random_gamma_grad(double a, double x);  // -igamma_grad_a / gamma_density
double gamma_density(double a, double x);      // x^(a-1) e^-x / Gamma(a)
double betainc(double a, double b, double x);  // regularised
double beta_density(double a, double b, double x);
double log_gamma_density(double a, double x);  // right where the densities underflow, and where their parts cancel
double log_beta_density(double a, double b, double x);

double zeta_grad_x(int order, double s, double q);  // the first or second derivative of zeta by s, for q > 0
double gamma(double x);                             // NaN at the negative poles
double betaln(double a, double b);                  // log |B(a, b)|
double ndtri(double p);                             // inverse of the normal distribution function
double log_ndtr(double x);                          // its logarithm
double erfcx(double x);                             // exp(x^2) erfc(x)
double dawsn(double x);                             // exp(-x^2) times the integral of exp(t^2) over [0, x]
double expn(double n, double x);                    // exponential integral of whole order n
double expi(double x);
double sine_integral(double x);
double cosine_integral(double x);  // of |x|
double fresnel_sine(double x);
double fresnel_cosine(double x);
double spence(double z);  // Li_2(1 - z)
double owens_t(double h, double a);
double bessel_jn(double n, double x);
double poch(double z, double m);  // Gamma(z + m) / Gamma(z)
// The spherical harmonic of degree n and order m at azimuth 0, with the phase (-1)^m.
double sph_legendre(double n, double m, double theta);
double hyp1f1(double a, double b, double x);
double hyp2f1(double a, double b, double c, double x);
// Derivatives by the operands `first` and, unless it is below 0, `second`, numbered from 0 for a.
double hyp1f1_grad(int first, int second, double a, double b, double x);
double hyp2f1_grad(int first, int second, double a, double b, double c, double x);
struct ComplexValue {
  double re, im;
};
ComplexValue wofz(ComplexValue z);      // exp(-z^2) erfc(-iz)
ComplexValue loggamma(ComplexValue z);  // with the cut along the negative real axis
ComplexValue gamma(ComplexValue z);
ComplexValue polygamma(int m, ComplexValue z);

// B_2k / (2k)!.
inline constexpr double bernoulli_over_factorial[] = {
    1.0 / 12,
    -1.0 / 720,
    1.0 / 30240,
    -1.0 / 1209600,
    1.0 / 47900160,
    -691.0 / 1307674368000.0,
    1.0 / 74724249600.0,
    -3617.0 / 10670622842880000.0,
    43867.0 / 5109094217170944000.0,
    -174611.0 / 802857662698291200000.0,
    77683.0 / 14101100039391805440000.0,
    -236364091.0 / 1693824136731743669452800000.0,
};

}  // namespace cotan::ops::host

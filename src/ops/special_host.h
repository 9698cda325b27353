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

// Shared parts.
double gamma_near(double x);       // Gamma(x) for 0 < x <= 20
double lgamma_one_plus(double x);  // log Gamma(1 + x) for -0.5 <= x <= 1.5, relative to its size
double stirling_rest(double x);    // log Gamma(x) - ((x - 1/2) log x - x + log(2 pi)/2), for x >= 8
double digamma_rest(double x);     // log x - digamma(x), for x >= 8
double expm1_rest(double x);       // exp(x) - 1 - x
double log1p_rest(double x);       // x - log(1 + x)

}  // namespace cotan::ops::host

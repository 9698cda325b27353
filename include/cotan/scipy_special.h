// jax.scipy.special: special functions, elementwise over operands that broadcast. Integers and bools become floats; complex operands
// raise ValueError or TypeError but where said. Accuracy: docs of the primitives in src/ops/special.cc and special_more.cc.
#pragma once
#include "cotan/array.h"
#include "cotan/axes.h"

namespace cotan::scipy::special {

// Gamma and beta.
Array gamma(const Array& x);
Array gammaln(const Array& x);   // log |Gamma(x)|
Array loggamma(const Array& x);  // log Gamma(x); NaN for negative x
Array gammasgn(const Array& x);  // the sign of Gamma(x); NaN at the poles
Array digamma(const Array& x);
Array polygamma(const Array& n, const Array& x);  // n of integer dtype (ValueError)
Array gammainc(const Array& a, const Array& x);   // regularised, lower
Array gammaincc(const Array& a, const Array& x);  // regularised, upper
Array multigammaln(const Array& a, const Array& d);
Array beta(const Array& a, const Array& b);
Array betaln(const Array& a, const Array& b);
Array betainc(const Array& a, const Array& b, const Array& x);
Array poch(const Array& z, const Array& m);                   // Gamma(z + m) / Gamma(z)
Array factorial(const Array& n, const Array& exact = false);  // NotImplementedError for exact
struct CombOptions {
  using is_options = void;
  bool repetition = false;
};
Array comb(const Array& N, const Array& k, const CombOptions& = {});
Array zeta(const Array& x, const Array& q = {});  // Hurwitz's; NotImplementedError without q
Array bernoulli(std::int64_t n);                  // B_0 ... B_n, with B_1 = -1/2

// Error functions, exponential and trigonometric integrals.
Array erf(const Array& x);
Array erfc(const Array& x);
Array erfcx(const Array& x);  // exp(x^2) erfc(x), also of complex x
Array erfinv(const Array& x);
Array dawsn(const Array& x);
Array wofz(const Array& z);  // the Faddeeva function, complex
Array exp1(const Array& x);
Array expi(const Array& x);
Array expn(const Array& n, const Array& x);
std::vector<Array> sici(const Array& x);     // sine and cosine integral
std::vector<Array> fresnel(const Array& x);  // S and C
Array spence(const Array& x);                // float32 or float64 (TypeError)
Array owens_t(const Array& h, const Array& a);

// The normal distribution; float32 or float64 (TypeError).
Array ndtr(const Array& x);
Array ndtri(const Array& p);
Array log_ndtr(const Array& x, std::int64_t series_order = 3);  // the order is checked, and not needed

// Entropies and transforms.
Array entr(const Array& x);
Array kl_div(const Array& p, const Array& q);
Array rel_entr(const Array& p, const Array& q);
Array xlogy(const Array& x, const Array& y);
Array xlog1py(const Array& x, const Array& y);
Array logit(const Array& x);
Array expit(const Array& x);
Array boxcox(const Array& x, const Array& lmbda);
Array boxcox1p(const Array& x, const Array& lmbda);

// Bessel and hypergeometric functions, spherical harmonics.
Array i0(const Array& x);
Array i0e(const Array& x);
Array i1(const Array& x);
Array i1e(const Array& x);
struct BesselOptions {
  using is_options = void;
  std::int64_t v = 0;        // the highest order; ValueError if negative
  std::int64_t n_iter = 50;  // not needed
};
Array bessel_jn(const Array& z, const BesselOptions& = {});  // J_0 ... J_v along a new first axis
Array hyp1f1(const Array& a, const Array& b, const Array& x);
Array hyp2f1(const Array& a, const Array& b, const Array& c, const Array& x);
struct SphericalOptions {
  using is_options = void;
  Array diff_n = {}, n_max = {};  // NotImplementedError for diff_n; n_max is not needed
};
// Of degree n and order m at the polar angle theta and the azimuth phi; complex.
Array sph_harm_y(const Array& n, const Array& m, const Array& theta, const Array& phi, const SphericalOptions& = {});

// Reductions. `b`: weights of the exponentials; `where`: what counts.
struct LogsumexpOptions {
  using is_options = void;
  Array b = {};
  bool keepdims = false;
  Array where = {};
};
Array logsumexp(const Array& a, const Axes& axis = none, const LogsumexpOptions& = {});
// log |sum|, and the sign (of complex a the phase).
std::vector<Array> logsumexp_with_sign(const Array& a, const Axes& axis = none, const LogsumexpOptions& = {});
struct SoftmaxOptions {
  using is_options = void;
  Axes axis = none;
};
Array softmax(const Array& x, const SoftmaxOptions& = {});
Array log_softmax(const Array& x, const SoftmaxOptions& = {});

}  // namespace cotan::scipy::special

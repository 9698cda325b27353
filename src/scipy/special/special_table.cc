// Lines of the function table for scipy.special.
#include "api/function_table.h"
#include "cotan/scipy_special.h"

namespace cotan::scipy::special {

namespace {
table::Value logsumexp_call(const table::Call& call) {
  LogsumexpOptions o;
  if (!call["b"].is_none()) o.b = call.get<Array>("b");
  if (!call["where"].is_none()) o.where = call.get<Array>("where");
  o.keepdims = call.get<bool>("keepdims");
  const Array a = call.get<Array>("a");
  const Axes axis = call.get<Axes>("axis");
  if (!call.get<bool>("return_sign")) return table::to_value(logsumexp(a, axis, o));
  return table::tuple_value(logsumexp_with_sign(a, axis, o));
}
}  // namespace

const FunctionTable special_table{
    "scipy.special",
    {
        function<bernoulli>("bernoulli(n)", "The Bernoulli numbers B_0 to B_n."),
        function<bessel_jn>("bessel_jn(z, *, v, n_iter=50)", "Bessel functions of the first kind of orders 0 to v."),
        function<beta>("beta(a, b)", "The beta function."),
        function<betainc>("betainc(a, b, x)", "The regularised incomplete beta function."),
        function<betaln>("betaln(a, b)", "Logarithm of the absolute value of the beta function."),
        function<boxcox>("boxcox(x, lmbda)", "(x^lmbda - 1) / lmbda; log(x) for lmbda = 0."),
        function<boxcox1p>("boxcox1p(x, lmbda)", "((1 + x)^lmbda - 1) / lmbda; log1p(x) for lmbda = 0."),
        function<comb>("comb(N, k, *, repetition=False)", "How many combinations of N things there are, k at a time."),
        function<dawsn>("dawsn(x)", "Dawson's integral."),
        function<digamma>("digamma(x)", "The logarithmic derivative of the gamma function."),
        function<entr>("entr(x)", "-x log(x); 0 for 0, -inf below."),
        function<erf>("erf(x)", "The error function."),
        function<erfc>("erfc(x)", "1 - erf(x), right in the tail."),
        function<erfcx>("erfcx(x)", "exp(x^2) erfc(x)."),
        function<erfinv>("erfinv(x)", "The inverse of erf."),
        function<exp1>("exp1(x)", "The exponential integral E_1."),
        function<expi>("expi(x)", "The exponential integral Ei."),
        function<expit>("expit(x)", "1 / (1 + exp(-x))."),
        function<expn>("expn(n, x)", "The exponential integral E_n, n a whole number."),
        function<factorial>("factorial(n, exact=False)", "Gamma(n + 1); 0 for negative n."),
        function<[](const Array& x) -> table::Value { return table::tuple_value(fresnel(x)); }>(
            "fresnel(x)", "Fresnel's integrals S and C."),
        function<gamma>("gamma(x)", "The gamma function."),
        function<gammainc>("gammainc(a, x)", "The regularised lower incomplete gamma function."),
        function<gammaincc>("gammaincc(a, x)", "The regularised upper incomplete gamma function."),
        function<gammaln>("gammaln(x)", "Logarithm of the absolute value of the gamma function."),
        function<gammasgn>("gammasgn(x)", "The sign of the gamma function."),
        function<hyp1f1>("hyp1f1(a, b, x)", "Kummer's confluent hypergeometric function."),
        function<hyp2f1>("hyp2f1(a, b, c, x)", "Gauss's hypergeometric function."),
        function<i0>("i0(x)", "The modified Bessel function of order 0."),
        function<i0e>("i0e(x)", "exp(-|x|) i0(x)."),
        function<i1>("i1(x)", "exp(|x|) times i1e(x)."),
        function<i1e>("i1e(x)", "exp(-|x|) I_1(x)."),
        function<kl_div>("kl_div(p, q)", "p log(p / q) - p + q, the terms of the Kullback-Leibler divergence."),
        function<log_ndtr>("log_ndtr(x, series_order=3)", "Logarithm of the normal distribution function."),
        function<log_softmax>("log_softmax(x, /, *, axis=None)", "Logarithm of softmax."),
        function<loggamma>("loggamma(x)", "Logarithm of the gamma function; NaN for negative x."),
        function<logit>("logit(x)", "log(x / (1 - x))."),
        function<logsumexp_call>("logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False, where=None)",
                                 "Logarithm of the sum of exponentials, without overflow."),
        function<multigammaln>("multigammaln(a, d)", "Logarithm of the multivariate gamma function of dimension d."),
        function<ndtr>("ndtr(x)", "The normal distribution function."),
        function<ndtri>("ndtri(p)", "The inverse of ndtr."),
        function<owens_t>("owens_t(h, a)", "Owen's function T."),
        function<poch>("poch(z, m)", "Pochhammer's symbol Gamma(z + m) / Gamma(z)."),
        function<polygamma>("polygamma(n, x)", "The n-th derivative of digamma."),
        function<rel_entr>("rel_entr(p, q)", "p log(p / q), the terms of the relative entropy."),
        function<[](const Array& x) -> table::Value { return table::tuple_value(sici(x)); }>(
            "sici(x)", "The sine and cosine integrals."),
        function<softmax>("softmax(x, /, *, axis=None)", "exp(x) over its sum."),
        function<spence>("spence(x)", "The dilogarithm of 1 - x."),
        function<sph_harm_y>("sph_harm_y(n, m, theta, phi, diff_n=None, n_max=None)",
                             "The spherical harmonic of degree n and order m."),
        function<wofz>("wofz(z)", "The Faddeeva function exp(-z^2) erfc(-iz)."),
        function<xlog1py>("xlog1py(x, y)", "x log1p(y); 0 for x = 0."),
        function<xlogy>("xlogy(x, y)", "x log(y); 0 for x = 0."),
        function<zeta>("zeta(x, q=None)", "Hurwitz's zeta function."),
    }};

}  // namespace cotan::scipy::special

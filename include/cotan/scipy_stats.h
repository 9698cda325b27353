// jax.scipy.stats: distributions. Operands broadcast; integers become floats. loc and scale move and stretch a distribution. Outside
// the support a density is 0 and its logarithm -inf. Tails are right to the last digits of the logarithm, as scipy.special's are.
#pragma once
#include "cotan/array.h"

namespace cotan::scipy::stats {

#define COTAN_LOC_SCALE const Array &loc = 0, const Array &scale = 1

namespace norm {
Array pdf(const Array& x, COTAN_LOC_SCALE);
Array logpdf(const Array& x, COTAN_LOC_SCALE);
Array cdf(const Array& x, COTAN_LOC_SCALE);
Array logcdf(const Array& x, COTAN_LOC_SCALE);
Array sf(const Array& x, COTAN_LOC_SCALE);
Array logsf(const Array& x, COTAN_LOC_SCALE);
Array ppf(const Array& q, COTAN_LOC_SCALE);
Array isf(const Array& q, COTAN_LOC_SCALE);
}  // namespace norm
namespace cauchy {
Array pdf(const Array& x, COTAN_LOC_SCALE);
Array logpdf(const Array& x, COTAN_LOC_SCALE);
Array cdf(const Array& x, COTAN_LOC_SCALE);
Array logcdf(const Array& x, COTAN_LOC_SCALE);
Array sf(const Array& x, COTAN_LOC_SCALE);
Array logsf(const Array& x, COTAN_LOC_SCALE);
Array ppf(const Array& q, COTAN_LOC_SCALE);
Array isf(const Array& q, COTAN_LOC_SCALE);
}  // namespace cauchy
namespace expon {
Array pdf(const Array& x, COTAN_LOC_SCALE);
Array logpdf(const Array& x, COTAN_LOC_SCALE);
Array cdf(const Array& x, COTAN_LOC_SCALE);
Array logcdf(const Array& x, COTAN_LOC_SCALE);
Array sf(const Array& x, COTAN_LOC_SCALE);
Array logsf(const Array& x, COTAN_LOC_SCALE);
Array ppf(const Array& q, COTAN_LOC_SCALE);
}  // namespace expon
namespace gumbel_l {
Array pdf(const Array& x, COTAN_LOC_SCALE);
Array logpdf(const Array& x, COTAN_LOC_SCALE);
Array cdf(const Array& x, COTAN_LOC_SCALE);
Array logcdf(const Array& x, COTAN_LOC_SCALE);
Array sf(const Array& x, COTAN_LOC_SCALE);
Array logsf(const Array& x, COTAN_LOC_SCALE);
Array ppf(const Array& p, COTAN_LOC_SCALE);
}  // namespace gumbel_l
namespace gumbel_r {
Array pdf(const Array& x, COTAN_LOC_SCALE);
Array logpdf(const Array& x, COTAN_LOC_SCALE);
Array cdf(const Array& x, COTAN_LOC_SCALE);
Array logcdf(const Array& x, COTAN_LOC_SCALE);
Array sf(const Array& x, COTAN_LOC_SCALE);
Array logsf(const Array& x, COTAN_LOC_SCALE);
Array ppf(const Array& p, COTAN_LOC_SCALE);
}  // namespace gumbel_r
namespace laplace {
Array pdf(const Array& x, COTAN_LOC_SCALE);
Array logpdf(const Array& x, COTAN_LOC_SCALE);
Array cdf(const Array& x, COTAN_LOC_SCALE);
}  // namespace laplace
namespace logistic {
Array pdf(const Array& x, COTAN_LOC_SCALE);
Array logpdf(const Array& x, COTAN_LOC_SCALE);
Array cdf(const Array& x, COTAN_LOC_SCALE);
Array sf(const Array& x, COTAN_LOC_SCALE);
Array ppf(const Array& x, COTAN_LOC_SCALE);
Array isf(const Array& x, COTAN_LOC_SCALE);
}  // namespace logistic
namespace uniform {
Array pdf(const Array& x, COTAN_LOC_SCALE);
Array logpdf(const Array& x, COTAN_LOC_SCALE);
Array cdf(const Array& x, COTAN_LOC_SCALE);
Array ppf(const Array& q, COTAN_LOC_SCALE);
}  // namespace uniform
namespace gamma {
Array pdf(const Array& x, const Array& a, COTAN_LOC_SCALE);
Array logpdf(const Array& x, const Array& a, COTAN_LOC_SCALE);
Array cdf(const Array& x, const Array& a, COTAN_LOC_SCALE);
Array logcdf(const Array& x, const Array& a, COTAN_LOC_SCALE);
Array sf(const Array& x, const Array& a, COTAN_LOC_SCALE);
Array logsf(const Array& x, const Array& a, COTAN_LOC_SCALE);
}  // namespace gamma
namespace chi2 {
Array pdf(const Array& x, const Array& df, COTAN_LOC_SCALE);
Array logpdf(const Array& x, const Array& df, COTAN_LOC_SCALE);
Array cdf(const Array& x, const Array& df, COTAN_LOC_SCALE);
Array logcdf(const Array& x, const Array& df, COTAN_LOC_SCALE);
Array sf(const Array& x, const Array& df, COTAN_LOC_SCALE);
Array logsf(const Array& x, const Array& df, COTAN_LOC_SCALE);
}  // namespace chi2
namespace beta {
Array pdf(const Array& x, const Array& a, const Array& b, COTAN_LOC_SCALE);
Array logpdf(const Array& x, const Array& a, const Array& b, COTAN_LOC_SCALE);
Array cdf(const Array& x, const Array& a, const Array& b, COTAN_LOC_SCALE);
Array logcdf(const Array& x, const Array& a, const Array& b, COTAN_LOC_SCALE);
Array sf(const Array& x, const Array& a, const Array& b, COTAN_LOC_SCALE);
Array logsf(const Array& x, const Array& a, const Array& b, COTAN_LOC_SCALE);
}  // namespace beta
namespace pareto {
Array pdf(const Array& x, const Array& b, COTAN_LOC_SCALE);
Array logpdf(const Array& x, const Array& b, COTAN_LOC_SCALE);
Array cdf(const Array& x, const Array& b, COTAN_LOC_SCALE);
Array logcdf(const Array& x, const Array& b, COTAN_LOC_SCALE);
Array sf(const Array& x, const Array& b, COTAN_LOC_SCALE);
Array logsf(const Array& x, const Array& b, COTAN_LOC_SCALE);
Array ppf(const Array& q, const Array& b, COTAN_LOC_SCALE);
}  // namespace pareto
namespace t {
Array pdf(const Array& x, const Array& df, COTAN_LOC_SCALE);
Array logpdf(const Array& x, const Array& df, COTAN_LOC_SCALE);
}  // namespace t
// On [loc + a scale, loc + b scale].
namespace truncnorm {
Array pdf(const Array& x, const Array& a, const Array& b, COTAN_LOC_SCALE);
Array logpdf(const Array& x, const Array& a, const Array& b, COTAN_LOC_SCALE);
Array cdf(const Array& x, const Array& a, const Array& b, COTAN_LOC_SCALE);
Array logcdf(const Array& x, const Array& a, const Array& b, COTAN_LOC_SCALE);
Array sf(const Array& x, const Array& a, const Array& b, COTAN_LOC_SCALE);
Array logsf(const Array& x, const Array& a, const Array& b, COTAN_LOC_SCALE);
}  // namespace truncnorm
namespace gennorm {
Array pdf(const Array& x, const Array& beta);
Array logpdf(const Array& x, const Array& beta);
Array cdf(const Array& x, const Array& beta);
}  // namespace gennorm
namespace vonmises {
Array pdf(const Array& x, const Array& kappa);
Array logpdf(const Array& x, const Array& kappa);
}  // namespace vonmises
namespace wrapcauchy {
Array pdf(const Array& x, const Array& c);
Array logpdf(const Array& x, const Array& c);
}  // namespace wrapcauchy

// Discrete ones.
namespace bernoulli {
Array pmf(const Array& k, const Array& p, const Array& loc = 0);
Array logpmf(const Array& k, const Array& p, const Array& loc = 0);
Array cdf(const Array& k, const Array& p);
Array ppf(const Array& q, const Array& p);
}  // namespace bernoulli
namespace binom {
Array pmf(const Array& k, const Array& n, const Array& p, const Array& loc = 0);
Array logpmf(const Array& k, const Array& n, const Array& p, const Array& loc = 0);
}  // namespace binom
namespace betabinom {
Array pmf(const Array& k, const Array& n, const Array& a, const Array& b, const Array& loc = 0);
Array logpmf(const Array& k, const Array& n, const Array& a, const Array& b, const Array& loc = 0);
}  // namespace betabinom
namespace nbinom {
Array pmf(const Array& k, const Array& n, const Array& p, const Array& loc = 0);
Array logpmf(const Array& k, const Array& n, const Array& p, const Array& loc = 0);
}  // namespace nbinom
namespace geom {
Array pmf(const Array& k, const Array& p, const Array& loc = 0);
Array logpmf(const Array& k, const Array& p, const Array& loc = 0);
}  // namespace geom
namespace poisson {
Array pmf(const Array& k, const Array& mu, const Array& loc = 0);
Array logpmf(const Array& k, const Array& mu, const Array& loc = 0);
Array cdf(const Array& k, const Array& mu, const Array& loc = 0);
Array entropy(const Array& mu, const Array& loc = 0);
}  // namespace poisson

// Of vectors: the last axis of x and p, the first of Dirichlet's x (ValueError for shapes that do not fit).
namespace multinomial {
Array pmf(const Array& x, const Array& n, const Array& p);
Array logpmf(const Array& x, const Array& n, const Array& p);
}  // namespace multinomial
namespace dirichlet {
Array pdf(const Array& x, const Array& alpha);
Array logpdf(const Array& x, const Array& alpha);
}  // namespace dirichlet
namespace multivariate_normal {  // NotImplementedError: it needs linear algebra
Array pdf(const Array& x, const Array& mean, const Array& cov);
Array logpdf(const Array& x, const Array& mean, const Array& cov);
}  // namespace multivariate_normal

#undef COTAN_LOC_SCALE

}  // namespace cotan::scipy::stats

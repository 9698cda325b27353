// Lines of the function table for scipy.stats.
#include "api/function_table.h"
#include "cotan/scipy_stats.h"

namespace cotan::scipy::stats {

namespace bernoulli {
const FunctionTable bernoulli_table{
    "scipy.stats.bernoulli",
    {
        function<cdf>("cdf(k, p)", "Distribution function of the Bernoulli distribution."),
        function<logpmf>("logpmf(k, p, loc=0)", "Logarithm of the probability of the Bernoulli distribution."),
        function<pmf>("pmf(k, p, loc=0)", "Probability of the Bernoulli distribution."),
        function<ppf>("ppf(q, p)", "Quantile: the inverse of cdf of the Bernoulli distribution."),
    }};
}  // namespace bernoulli
namespace beta {
const FunctionTable beta_table{
    "scipy.stats.beta",
    {
        function<cdf>("cdf(x, a, b, loc=0, scale=1)", "Distribution function of the beta distribution."),
        function<logcdf>("logcdf(x, a, b, loc=0, scale=1)",
                         "Logarithm of the distribution function of the beta distribution."),
        function<logpdf>("logpdf(x, a, b, loc=0, scale=1)", "Logarithm of the density of the beta distribution."),
        function<logsf>("logsf(x, a, b, loc=0, scale=1)",
                        "Logarithm of the survival function of the beta distribution."),
        function<pdf>("pdf(x, a, b, loc=0, scale=1)", "Density of the beta distribution."),
        function<sf>("sf(x, a, b, loc=0, scale=1)", "Survival function, 1 - cdf of the beta distribution."),
    }};
}  // namespace beta
namespace betabinom {
const FunctionTable betabinom_table{
    "scipy.stats.betabinom",
    {
        function<logpmf>("logpmf(k, n, a, b, loc=0)",
                         "Logarithm of the probability of the beta-binomial distribution."),
        function<pmf>("pmf(k, n, a, b, loc=0)", "Probability of the beta-binomial distribution."),
    }};
}  // namespace betabinom
namespace binom {
const FunctionTable binom_table{
    "scipy.stats.binom",
    {
        function<logpmf>("logpmf(k, n, p, loc=0)", "Logarithm of the probability of the binomial distribution."),
        function<pmf>("pmf(k, n, p, loc=0)", "Probability of the binomial distribution."),
    }};
}  // namespace binom
namespace cauchy {
const FunctionTable cauchy_table{
    "scipy.stats.cauchy",
    {
        function<cdf>("cdf(x, loc=0, scale=1)", "Distribution function of the Cauchy distribution."),
        function<isf>("isf(q, loc=0, scale=1)", "The inverse of sf of the Cauchy distribution."),
        function<logcdf>("logcdf(x, loc=0, scale=1)",
                         "Logarithm of the distribution function of the Cauchy distribution."),
        function<logpdf>("logpdf(x, loc=0, scale=1)", "Logarithm of the density of the Cauchy distribution."),
        function<logsf>("logsf(x, loc=0, scale=1)", "Logarithm of the survival function of the Cauchy distribution."),
        function<pdf>("pdf(x, loc=0, scale=1)", "Density of the Cauchy distribution."),
        function<ppf>("ppf(q, loc=0, scale=1)", "Quantile: the inverse of cdf of the Cauchy distribution."),
        function<sf>("sf(x, loc=0, scale=1)", "Survival function, 1 - cdf of the Cauchy distribution."),
    }};
}  // namespace cauchy
namespace chi2 {
const FunctionTable chi2_table{
    "scipy.stats.chi2",
    {
        function<cdf>("cdf(x, df, loc=0, scale=1)", "Distribution function of the chi-squared distribution."),
        function<logcdf>("logcdf(x, df, loc=0, scale=1)",
                         "Logarithm of the distribution function of the chi-squared distribution."),
        function<logpdf>("logpdf(x, df, loc=0, scale=1)", "Logarithm of the density of the chi-squared distribution."),
        function<logsf>("logsf(x, df, loc=0, scale=1)",
                        "Logarithm of the survival function of the chi-squared distribution."),
        function<pdf>("pdf(x, df, loc=0, scale=1)", "Density of the chi-squared distribution."),
        function<sf>("sf(x, df, loc=0, scale=1)", "Survival function, 1 - cdf of the chi-squared distribution."),
    }};
}  // namespace chi2
namespace dirichlet {
const FunctionTable dirichlet_table{
    "scipy.stats.dirichlet",
    {
        function<logpdf>("logpdf(x, alpha)", "Logarithm of the density of the Dirichlet distribution."),
        function<pdf>("pdf(x, alpha)", "Density of the Dirichlet distribution."),
    }};
}  // namespace dirichlet
namespace expon {
const FunctionTable expon_table{
    "scipy.stats.expon",
    {
        function<cdf>("cdf(x, loc=0, scale=1)", "Distribution function of the exponential distribution."),
        function<logcdf>("logcdf(x, loc=0, scale=1)",
                         "Logarithm of the distribution function of the exponential distribution."),
        function<logpdf>("logpdf(x, loc=0, scale=1)", "Logarithm of the density of the exponential distribution."),
        function<logsf>("logsf(x, loc=0, scale=1)",
                        "Logarithm of the survival function of the exponential distribution."),
        function<pdf>("pdf(x, loc=0, scale=1)", "Density of the exponential distribution."),
        function<ppf>("ppf(q, loc=0, scale=1)", "Quantile: the inverse of cdf of the exponential distribution."),
        function<sf>("sf(x, loc=0, scale=1)", "Survival function, 1 - cdf of the exponential distribution."),
    }};
}  // namespace expon
namespace gamma {
const FunctionTable gamma_table{
    "scipy.stats.gamma",
    {
        function<cdf>("cdf(x, a, loc=0, scale=1)", "Distribution function of the gamma distribution."),
        function<logcdf>("logcdf(x, a, loc=0, scale=1)",
                         "Logarithm of the distribution function of the gamma distribution."),
        function<logpdf>("logpdf(x, a, loc=0, scale=1)", "Logarithm of the density of the gamma distribution."),
        function<logsf>("logsf(x, a, loc=0, scale=1)", "Logarithm of the survival function of the gamma distribution."),
        function<pdf>("pdf(x, a, loc=0, scale=1)", "Density of the gamma distribution."),
        function<sf>("sf(x, a, loc=0, scale=1)", "Survival function, 1 - cdf of the gamma distribution."),
    }};
}  // namespace gamma
namespace gennorm {
const FunctionTable gennorm_table{
    "scipy.stats.gennorm",
    {
        function<cdf>("cdf(x, beta)", "Distribution function of the generalised normal distribution."),
        function<logpdf>("logpdf(x, beta)", "Logarithm of the density of the generalised normal distribution."),
        function<pdf>("pdf(x, beta)", "Density of the generalised normal distribution."),
    }};
}  // namespace gennorm
namespace geom {
const FunctionTable geom_table{
    "scipy.stats.geom",
    {
        function<logpmf>("logpmf(k, p, loc=0)", "Logarithm of the probability of the geometric distribution."),
        function<pmf>("pmf(k, p, loc=0)", "Probability of the geometric distribution."),
    }};
}  // namespace geom
namespace gumbel_l {
const FunctionTable gumbel_l_table{
    "scipy.stats.gumbel_l",
    {
        function<cdf>("cdf(x, loc=0, scale=1)", "Distribution function of the left Gumbel distribution."),
        function<logcdf>("logcdf(x, loc=0, scale=1)",
                         "Logarithm of the distribution function of the left Gumbel distribution."),
        function<logpdf>("logpdf(x, loc=0, scale=1)", "Logarithm of the density of the left Gumbel distribution."),
        function<logsf>("logsf(x, loc=0, scale=1)",
                        "Logarithm of the survival function of the left Gumbel distribution."),
        function<pdf>("pdf(x, loc=0, scale=1)", "Density of the left Gumbel distribution."),
        function<ppf>("ppf(p, loc=0, scale=1)", "Quantile: the inverse of cdf of the left Gumbel distribution."),
        function<sf>("sf(x, loc=0, scale=1)", "Survival function, 1 - cdf of the left Gumbel distribution."),
    }};
}  // namespace gumbel_l
namespace gumbel_r {
const FunctionTable gumbel_r_table{
    "scipy.stats.gumbel_r",
    {
        function<cdf>("cdf(x, loc=0, scale=1)", "Distribution function of the right Gumbel distribution."),
        function<logcdf>("logcdf(x, loc=0, scale=1)",
                         "Logarithm of the distribution function of the right Gumbel distribution."),
        function<logpdf>("logpdf(x, loc=0, scale=1)", "Logarithm of the density of the right Gumbel distribution."),
        function<logsf>("logsf(x, loc=0, scale=1)",
                        "Logarithm of the survival function of the right Gumbel distribution."),
        function<pdf>("pdf(x, loc=0, scale=1)", "Density of the right Gumbel distribution."),
        function<ppf>("ppf(p, loc=0, scale=1)", "Quantile: the inverse of cdf of the right Gumbel distribution."),
        function<sf>("sf(x, loc=0, scale=1)", "Survival function, 1 - cdf of the right Gumbel distribution."),
    }};
}  // namespace gumbel_r
namespace laplace {
const FunctionTable laplace_table{
    "scipy.stats.laplace",
    {
        function<cdf>("cdf(x, loc=0, scale=1)", "Distribution function of the Laplace distribution."),
        function<logpdf>("logpdf(x, loc=0, scale=1)", "Logarithm of the density of the Laplace distribution."),
        function<pdf>("pdf(x, loc=0, scale=1)", "Density of the Laplace distribution."),
    }};
}  // namespace laplace
namespace logistic {
const FunctionTable logistic_table{
    "scipy.stats.logistic",
    {
        function<cdf>("cdf(x, loc=0, scale=1)", "Distribution function of the logistic distribution."),
        function<isf>("isf(x, loc=0, scale=1)", "The inverse of sf of the logistic distribution."),
        function<logpdf>("logpdf(x, loc=0, scale=1)", "Logarithm of the density of the logistic distribution."),
        function<pdf>("pdf(x, loc=0, scale=1)", "Density of the logistic distribution."),
        function<ppf>("ppf(x, loc=0, scale=1)", "Quantile: the inverse of cdf of the logistic distribution."),
        function<sf>("sf(x, loc=0, scale=1)", "Survival function, 1 - cdf of the logistic distribution."),
    }};
}  // namespace logistic
namespace multinomial {
const FunctionTable multinomial_table{
    "scipy.stats.multinomial",
    {
        function<logpmf>("logpmf(x, n, p)", "Logarithm of the probability of the multinomial distribution."),
        function<pmf>("pmf(x, n, p)", "Probability of the multinomial distribution."),
    }};
}  // namespace multinomial
namespace multivariate_normal {
const FunctionTable multivariate_normal_table{
    "scipy.stats.multivariate_normal",
    {
        function<logpdf>("logpdf(x, mean, cov, allow_singular=None)",
                         "Logarithm of the density of the multivariate normal distribution."),
        function<pdf>("pdf(x, mean, cov)", "Density of the multivariate normal distribution."),
    }};
}  // namespace multivariate_normal
namespace nbinom {
const FunctionTable nbinom_table{
    "scipy.stats.nbinom",
    {
        function<logpmf>("logpmf(k, n, p, loc=0)",
                         "Logarithm of the probability of the negative binomial distribution."),
        function<pmf>("pmf(k, n, p, loc=0)", "Probability of the negative binomial distribution."),
    }};
}  // namespace nbinom
namespace norm {
const FunctionTable norm_table{
    "scipy.stats.norm",
    {
        function<cdf>("cdf(x, loc=0, scale=1)", "Distribution function of the normal distribution."),
        function<isf>("isf(q, loc=0, scale=1)", "The inverse of sf of the normal distribution."),
        function<logcdf>("logcdf(x, loc=0, scale=1)",
                         "Logarithm of the distribution function of the normal distribution."),
        function<logpdf>("logpdf(x, loc=0, scale=1)", "Logarithm of the density of the normal distribution."),
        function<logsf>("logsf(x, loc=0, scale=1)", "Logarithm of the survival function of the normal distribution."),
        function<pdf>("pdf(x, loc=0, scale=1)", "Density of the normal distribution."),
        function<ppf>("ppf(q, loc=0, scale=1)", "Quantile: the inverse of cdf of the normal distribution."),
        function<sf>("sf(x, loc=0, scale=1)", "Survival function, 1 - cdf of the normal distribution."),
    }};
}  // namespace norm
namespace pareto {
const FunctionTable pareto_table{
    "scipy.stats.pareto",
    {
        function<cdf>("cdf(x, b, loc=0, scale=1)", "Distribution function of the Pareto distribution."),
        function<logcdf>("logcdf(x, b, loc=0, scale=1)",
                         "Logarithm of the distribution function of the Pareto distribution."),
        function<logpdf>("logpdf(x, b, loc=0, scale=1)", "Logarithm of the density of the Pareto distribution."),
        function<logsf>("logsf(x, b, loc=0, scale=1)",
                        "Logarithm of the survival function of the Pareto distribution."),
        function<pdf>("pdf(x, b, loc=0, scale=1)", "Density of the Pareto distribution."),
        function<ppf>("ppf(q, b, loc=0, scale=1)", "Quantile: the inverse of cdf of the Pareto distribution."),
        function<sf>("sf(x, b, loc=0, scale=1)", "Survival function, 1 - cdf of the Pareto distribution."),
    }};
}  // namespace pareto
namespace poisson {
const FunctionTable poisson_table{
    "scipy.stats.poisson",
    {
        function<cdf>("cdf(k, mu, loc=0)", "Distribution function of the Poisson distribution."),
        function<entropy>("entropy(mu, loc=0)", "Entropy of the Poisson distribution."),
        function<logpmf>("logpmf(k, mu, loc=0)", "Logarithm of the probability of the Poisson distribution."),
        function<pmf>("pmf(k, mu, loc=0)", "Probability of the Poisson distribution."),
    }};
}  // namespace poisson
namespace t {
const FunctionTable t_table{
    "scipy.stats.t",
    {
        function<logpdf>("logpdf(x, df, loc=0, scale=1)", "Logarithm of the density of the Student's t distribution."),
        function<pdf>("pdf(x, df, loc=0, scale=1)", "Density of the Student's t distribution."),
    }};
}  // namespace t
namespace truncnorm {
const FunctionTable truncnorm_table{
    "scipy.stats.truncnorm",
    {
        function<cdf>("cdf(x, a, b, loc=0, scale=1)", "Distribution function of the truncated normal distribution."),
        function<logcdf>("logcdf(x, a, b, loc=0, scale=1)",
                         "Logarithm of the distribution function of the truncated normal distribution."),
        function<logpdf>("logpdf(x, a, b, loc=0, scale=1)",
                         "Logarithm of the density of the truncated normal distribution."),
        function<logsf>("logsf(x, a, b, loc=0, scale=1)",
                        "Logarithm of the survival function of the truncated normal distribution."),
        function<pdf>("pdf(x, a, b, loc=0, scale=1)", "Density of the truncated normal distribution."),
        function<sf>("sf(x, a, b, loc=0, scale=1)", "Survival function, 1 - cdf of the truncated normal distribution."),
    }};
}  // namespace truncnorm
namespace uniform {
const FunctionTable uniform_table{
    "scipy.stats.uniform",
    {
        function<cdf>("cdf(x, loc=0, scale=1)", "Distribution function of the uniform distribution."),
        function<logpdf>("logpdf(x, loc=0, scale=1)", "Logarithm of the density of the uniform distribution."),
        function<pdf>("pdf(x, loc=0, scale=1)", "Density of the uniform distribution."),
        function<ppf>("ppf(q, loc=0, scale=1)", "Quantile: the inverse of cdf of the uniform distribution."),
    }};
}  // namespace uniform
namespace vonmises {
const FunctionTable vonmises_table{
    "scipy.stats.vonmises",
    {
        function<logpdf>("logpdf(x, kappa)", "Logarithm of the density of the von Mises distribution."),
        function<pdf>("pdf(x, kappa)", "Density of the von Mises distribution."),
    }};
}  // namespace vonmises
namespace wrapcauchy {
const FunctionTable wrapcauchy_table{
    "scipy.stats.wrapcauchy",
    {
        function<logpdf>("logpdf(x, c)", "Logarithm of the density of the wrapped Cauchy distribution."),
        function<pdf>("pdf(x, c)", "Density of the wrapped Cauchy distribution."),
    }};
}  // namespace wrapcauchy

}  // namespace cotan::scipy::stats

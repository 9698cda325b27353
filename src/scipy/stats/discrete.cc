// Discrete distributions, and those of vectors.
#include "scipy/stats/common.h"

namespace cotan::scipy::stats {

namespace {
// log of the binomial coefficient.
Array log_choose(const Array& n, const Array& k) { return -ops::log1p(n) - ops::betaln_p(n - k + 1, k + 1); }
}  // namespace

namespace bernoulli {
Array logpmf(const Array& k, const Array& p, const Array& loc) {
  COTAN_API;
  const Arrays v = real_operands("bernoulli.logpmf", {k, p, loc});
  const Array x = v[0] - v[2], outside = (x < 0) | (x > 1);
  return minus_infinity(outside, ops::xlogy(x, v[1]) + ops::xlog1py_p(1 - x, -v[1]));
}
Array pmf(const Array& k, const Array& p, const Array& loc) {
  COTAN_API;
  return exp(logpmf(k, p, loc));
}
Array cdf(const Array& k, const Array& p) {
  COTAN_API;
  const Arrays v = real_operands("bernoulli.cdf", {k, p});
  const Array bad = (v[0] != v[0]) | (v[1] != v[1]) | (v[1] < 0) | (v[1] > 1);
  const Array value = where(v[0] < 0, like(v[0], 0), where(v[0] < 1, 1 - v[1], like(v[0], 1)));
  return where(bad, like(v[0], NAN), value);
}
Array ppf(const Array& q, const Array& p) {
  COTAN_API;
  const Arrays v = real_operands("bernoulli.ppf", {q, p});
  const Array bad = (v[0] != v[0]) | (v[1] != v[1]) | (v[1] < 0) | (v[1] > 1) | (v[0] < 0) | (v[0] > 1);
  return where(bad, like(v[0], NAN), where(v[0] <= 1 - v[1], like(v[0], 0), like(v[0], 1)));
}
}  // namespace bernoulli

namespace binom {
Array logpmf(const Array& k, const Array& n, const Array& p, const Array& loc) {
  COTAN_API;
  const Arrays v = real_operands("binom.logpmf", {k, n, p, loc});
  const Array x0 = v[0] - v[3], outside = (x0 < 0) | (x0 > v[1]), x = where(outside, like(x0, 0), x0);
  // The density of Beta(k + 1, n - k + 1) at p, over n + 1.
  return minus_infinity(outside, ops::log_beta_density(x + 1, v[1] - x + 1, v[2]) - ops::log1p(v[1]));
}
Array pmf(const Array& k, const Array& n, const Array& p, const Array& loc) {
  COTAN_API;
  return exp(logpmf(k, n, p, loc));
}
}  // namespace binom

namespace betabinom {
Array logpmf(const Array& k, const Array& n, const Array& a, const Array& b, const Array& loc) {
  COTAN_API;
  const Arrays v = real_operands("betabinom.logpmf", {k, n, a, b, loc});
  const Array x0 = ops::floor(v[0]) - v[4], outside = (x0 < 0) | (x0 > v[1]), x = where(outside, like(x0, 0), x0);
  const Array value = log_choose(v[1], x) + ops::betaln_p(x + v[2], v[1] - x + v[3]) - ops::betaln_p(v[2], v[3]);
  return where((v[1] >= 0) & (v[2] > 0) & (v[3] > 0), minus_infinity(outside, value), like(value, NAN));
}
Array pmf(const Array& k, const Array& n, const Array& a, const Array& b, const Array& loc) {
  COTAN_API;
  return exp(logpmf(k, n, a, b, loc));
}
}  // namespace betabinom

namespace nbinom {
Array logpmf(const Array& k, const Array& n, const Array& p, const Array& loc) {
  COTAN_API;
  const Arrays v = real_operands("nbinom.logpmf", {k, n, p, loc});
  const Array x0 = v[0] - v[3], outside = x0 < 0, x = where(outside, like(x0, 0), x0);
  const Array choose = -log(x + v[1]) - ops::betaln_p(v[1], x + 1);
  return minus_infinity(outside, choose + v[1] * log(v[2]) + ops::xlog1py_p(x, -v[2]));
}
Array pmf(const Array& k, const Array& n, const Array& p, const Array& loc) {
  COTAN_API;
  return exp(logpmf(k, n, p, loc));
}
}  // namespace nbinom

namespace geom {
Array logpmf(const Array& k, const Array& p, const Array& loc) {
  COTAN_API;
  const Arrays v = real_operands("geom.logpmf", {k, p, loc});
  const Array x0 = v[0] - v[2], outside = x0 <= 0, x = where(outside, like(x0, 1), x0);
  return minus_infinity(outside, ops::xlog1py_p(x - 1, -v[1]) + log(v[1]));
}
Array pmf(const Array& k, const Array& p, const Array& loc) {
  COTAN_API;
  return exp(logpmf(k, p, loc));
}
}  // namespace geom

namespace poisson {
Array logpmf(const Array& k, const Array& mu, const Array& loc) {
  COTAN_API;
  const Arrays v = real_operands("poisson.logpmf", {k, mu, loc});
  const Array x0 = v[0] - v[2], outside = (x0 < 0) | (v[0] != ops::floor(v[0])), x = where(outside, like(x0, 0), x0);
  return minus_infinity(outside, ops::log_gamma_density(x + 1, v[1]));
}
Array pmf(const Array& k, const Array& mu, const Array& loc) {
  COTAN_API;
  return exp(logpmf(k, mu, loc));
}
Array cdf(const Array& k, const Array& mu, const Array& loc) {
  COTAN_API;
  const Arrays v = real_operands("poisson.cdf", {k, mu, loc});
  const Array x0 = v[0] - v[2], outside = x0 < 0, x = where(outside, like(x0, 0), x0);
  return where(outside, like(x0, 0), ops::igammac(ops::floor(x) + 1, v[1]));
}
// Below 60 the sum of -p log p, of 160 terms; above, the expansion log(2 pi e mu)/2 - sum of c_k mu^-k, whose coefficients follow
// from those of Stirling's series and the moments.
Array entropy(const Array& mu, const Array& loc) {
  COTAN_API;
  constexpr double c[] = {1.0 / 12,          1.0 / 24,          19.0 / 360,        9.0 / 80,
                          863.0 / 2520,      1375.0 / 1008,     6.736706349206349, 39.77847222222222,
                          273.6054713804714, 2149.721590909091, 19002.91249444999, 186710.7684142646};
  constexpr double limit = 60;
  check_broadcast("poisson.entropy", {mu, loc});
  const Arrays v = real_operands("poisson.entropy", {mu, loc});
  const Array m = v[0], small = m < limit;
  const Array low = ops::expand_dims(where(small, m, like(m, 1)), {m.ndim()});
  Shape terms = Shape(IntList::filled(m.ndim() + 1, 1));
  terms[m.ndim()] = 160;
  const Array logs = logpmf(to_dtype(ops::iota(DType::int32, terms, m.ndim()), low.dtype(), false), low);
  const Array sum = -numpy::sum(exp(logs) * logs, m.ndim());
  const Array high = where(small, like(m, limit), m), r = 1 / high;
  Array series = like(r, 0);
  for (std::size_t k = std::size(c); k-- > 0;) series = r * (c[k] + series);
  const Array expansion = 0.5 * log(2 * M_PI * M_E * high) - series;
  const Array value = where(small, sum, expansion);
  return where(m >= 0, where(m == 0, like(value, 0), value), like(value, NAN)) + 0 * v[1];
}
}  // namespace poisson

namespace multinomial {
Array logpmf(const Array& x, const Array& n, const Array& p) {
  COTAN_API;
  if (!is_integer(x.dtype()) || !is_integer(n.dtype()))
    throw ValueError("multinomial.logpmf: x and n must be of integer type, got " + x.aval().str() + " and " +
                     n.aval().str());
  if (x.ndim() == 0) throw ValueError("multinomial.logpmf: x must have a dimension, got " + x.aval().str());
  const Arrays v = real_operands("multinomial.logpmf", {p, x});
  const Array count = numpy::promote_inexact(n);
  const Array total = numpy::sum(x, -1);
  const Array terms = numpy::sum(ops::xlogy(v[1], v[0]) - ops::lgamma(v[1] + 1), -1);
  return where(total == n, ops::lgamma(count + 1) + terms, like(terms, -INFINITY));
}
Array pmf(const Array& x, const Array& n, const Array& p) {
  COTAN_API;
  return exp(logpmf(x, n, p));
}
}  // namespace multinomial

namespace dirichlet {
Array logpdf(const Array& x0, const Array& alpha0) {
  COTAN_API;
  if (alpha0.ndim() != 1)
    throw ValueError("dirichlet.logpdf: alpha must be one-dimensional, got " + alpha0.aval().str());
  const std::int64_t k = alpha0.shape()[0];
  if (x0.ndim() == 0) throw IndexError("dirichlet.logpdf: x must have a dimension, got " + x0.aval().str());
  if (x0.shape()[0] != k && x0.shape()[0] != k - 1)
    throw ValueError("dirichlet.logpdf: x must have as many entries as alpha or one fewer, got " + x0.aval().str() +
                     " and alpha " + alpha0.aval().str());
  const LatticeType type = promote_types({x0.dtype(), x0.weak_type()}, {alpha0.dtype(), alpha0.weak_type()});
  const DType d = canonical_dtype(to_inexact_dtype(type.dtype));
  Array x = to_dtype(x0, d, false), alpha = to_dtype(alpha0, d, false);
  if (x.shape()[0] != k) {
    const Array last[] = {x, 1 - numpy::sum(x, 0, {.keepdims = true})};
    x = ops::concatenate(last, 0);
  }
  Shape column = Shape(IntList::filled(x.ndim(), 1));
  column[0] = k;
  const Array norm = numpy::sum(ops::lgamma(alpha)) - ops::lgamma(numpy::sum(alpha));
  const Array value = numpy::sum(ops::xlogy(ops::reshape(alpha, column) - 1, x), 0) - norm;
  const Array inside = numpy::all(x >= 0, 0) & (ops::abs(numpy::sum(x, 0) - 1) < 1e-6);
  return where(inside, value, like(value, -INFINITY));
}
Array pdf(const Array& x, const Array& alpha) {
  COTAN_API;
  return exp(logpdf(x, alpha));
}
}  // namespace dirichlet

namespace multivariate_normal {
Array logpdf(const Array&, const Array&, const Array&) {
  throw NotImplementedError("multivariate_normal.logpdf needs linear algebra, which is not implemented");
}
Array pdf(const Array&, const Array&, const Array&) {
  throw NotImplementedError("multivariate_normal.pdf needs linear algebra, which is not implemented");
}
}  // namespace multivariate_normal

}  // namespace cotan::scipy::stats

// Continuous distributions with shape parameters.
#include "scipy/stats/common.h"

namespace cotan::scipy::stats {

#define COTAN_SCALED const Array &loc, const Array &scale

namespace gamma {
namespace {
struct Standard {
  Array y, a, scale;
};
Standard standard(const char* function, const Array& x, const Array& a, COTAN_SCALED) {
  const Arrays v = real_operands(function, {x, a, loc, scale});
  return {(v[0] - v[2]) / v[3], v[1], v[3]};
}
struct Parts {
  Array lower, upper;
};
Parts parts(const char* function, const Array& x, const Array& a, COTAN_SCALED) {
  const Standard s = standard(function, x, a, loc, scale);
  const Array y = where(s.y < 0, like(s.y, 0), s.y);
  return {ops::igamma(s.a, y), ops::igammac(s.a, y)};
}
}  // namespace
Array logpdf(const Array& x, const Array& a, COTAN_SCALED) {
  COTAN_API;
  const Standard s = standard("gamma.logpdf", x, a, loc, scale);
  const Array outside = s.y < 0, y = where(outside, like(s.y, 1), s.y);
  return minus_infinity(outside, ops::log_gamma_density(s.a, y) - log(s.scale));
}
Array pdf(const Array& x, const Array& a, COTAN_SCALED) {
  COTAN_API;
  return exp(logpdf(x, a, loc, scale));
}
Array cdf(const Array& x, const Array& a, COTAN_SCALED) {
  COTAN_API;
  return parts("gamma.cdf", x, a, loc, scale).lower;
}
Array sf(const Array& x, const Array& a, COTAN_SCALED) {
  COTAN_API;
  return parts("gamma.sf", x, a, loc, scale).upper;
}
Array logcdf(const Array& x, const Array& a, COTAN_SCALED) {
  COTAN_API;
  const Parts p = parts("gamma.logcdf", x, a, loc, scale);
  return log_of(p.lower, p.upper);
}
Array logsf(const Array& x, const Array& a, COTAN_SCALED) {
  COTAN_API;
  const Parts p = parts("gamma.logsf", x, a, loc, scale);
  return log_of(p.upper, p.lower);
}
}  // namespace gamma

// The gamma distribution of df / 2, twice as wide.
namespace chi2 {
#define COTAN_CHI2(NAME)                                                \
  Array NAME(const Array& x, const Array& df, COTAN_SCALED) {           \
    COTAN_API;                                                          \
    const Arrays v = real_operands("chi2." #NAME, {x, df, loc, scale}); \
    return gamma::NAME(v[0], v[1] / 2, v[2], v[3] * 2);                 \
  }
COTAN_CHI2(pdf)
COTAN_CHI2(logpdf)
COTAN_CHI2(cdf)
COTAN_CHI2(logcdf)
COTAN_CHI2(sf)
COTAN_CHI2(logsf)
#undef COTAN_CHI2
}  // namespace chi2

namespace beta {
namespace {
struct Standard {
  Array y, a, b, scale;
};
Standard standard(const Arrays& v) { return {(v[0] - v[3]) / v[4], v[1], v[2], v[4]}; }
struct Parts {
  Array lower, upper;
};
Parts parts(const char* function, const Array& x, const Array& a, const Array& b, COTAN_SCALED) {
  const Standard s = standard(inexact(function, {x, a, b, loc, scale}));
  const Array zero = like(s.y, 0), one = like(s.y, 1);
  const Array y = where(s.y < 0, zero, where(s.y > 1, one, s.y));
  return {ops::betainc(s.a, s.b, y), ops::betainc(s.b, s.a, 1 - y)};
}
}  // namespace
Array logpdf(const Array& x, const Array& a, const Array& b, COTAN_SCALED) {
  COTAN_API;
  const Standard s = standard(real_operands("beta.logpdf", {x, a, b, loc, scale}));
  const Array outside = (s.y < 0) | (s.y > 1), y = where(outside, like(s.y, 0.5), s.y);
  return minus_infinity(outside, ops::log_beta_density(s.a, s.b, y) - log(s.scale));
}
Array pdf(const Array& x, const Array& a, const Array& b, COTAN_SCALED) {
  COTAN_API;
  return exp(logpdf(x, a, b, loc, scale));
}
Array cdf(const Array& x, const Array& a, const Array& b, COTAN_SCALED) {
  COTAN_API;
  return parts("beta.cdf", x, a, b, loc, scale).lower;
}
Array sf(const Array& x, const Array& a, const Array& b, COTAN_SCALED) {
  COTAN_API;
  return parts("beta.sf", x, a, b, loc, scale).upper;
}
Array logcdf(const Array& x, const Array& a, const Array& b, COTAN_SCALED) {
  COTAN_API;
  const Parts p = parts("beta.logcdf", x, a, b, loc, scale);
  return log_of(p.lower, p.upper);
}
Array logsf(const Array& x, const Array& a, const Array& b, COTAN_SCALED) {
  COTAN_API;
  const Parts p = parts("beta.logsf", x, a, b, loc, scale);
  return log_of(p.upper, p.lower);
}
}  // namespace beta

namespace pareto {
namespace {
struct Standard {
  Array log_y, b, scale, outside;
};
Standard standard(const char* function, const Array& x, const Array& b, COTAN_SCALED) {
  const Arrays v = real_operands(function, {x, b, loc, scale});
  const Array y = (v[0] - v[2]) / v[3], outside = y < 1;
  return {log(where(outside, like(y, 1), y)), v[1], v[3], outside};
}
}  // namespace
Array logpdf(const Array& x, const Array& b, COTAN_SCALED) {
  COTAN_API;
  const Standard s = standard("pareto.logpdf", x, b, loc, scale);
  return minus_infinity(s.outside, log(s.b) - (s.b + 1) * s.log_y - log(s.scale));
}
Array pdf(const Array& x, const Array& b, COTAN_SCALED) {
  COTAN_API;
  return exp(logpdf(x, b, loc, scale));
}
Array logsf(const Array& x, const Array& b, COTAN_SCALED) {
  COTAN_API;
  const Standard s = standard("pareto.logsf", x, b, loc, scale);
  return -(s.b * s.log_y);
}
Array sf(const Array& x, const Array& b, COTAN_SCALED) {
  COTAN_API;
  return exp(logsf(x, b, loc, scale));
}
Array cdf(const Array& x, const Array& b, COTAN_SCALED) {
  COTAN_API;
  return -ops::expm1(logsf(x, b, loc, scale));
}
Array logcdf(const Array& x, const Array& b, COTAN_SCALED) {
  COTAN_API;
  return log1mexp(-logsf(x, b, loc, scale));
}
Array ppf(const Array& q, const Array& b, COTAN_SCALED) {
  COTAN_API;
  const Arrays v = inexact("pareto.ppf", {q, b, loc, scale}, Complex::accepted);
  return probability(v[0], exp(-ops::log1p(-v[0]) / v[1]) * v[3] + v[2]);
}
}  // namespace pareto

namespace t {
// Gamma((df + 1)/2) / (Gamma(df/2) sqrt(pi)) is 1 / B(df/2, 1/2).
Array logpdf(const Array& x, const Array& df, COTAN_SCALED) {
  COTAN_API;
  const Arrays v = real_operands("t.logpdf", {x, df, loc, scale});
  const Array z = (v[0] - v[2]) / v[3], valid = v[1] > 0, n = where(valid, v[1], like(v[1], 1));
  const Array norm = -ops::betaln_p(n / 2, like(n, 0.5)) - 0.5 * log(n) - log(v[3]);
  return where(valid, norm - (n + 1) / 2 * ops::log1p(z * z / n), like(n, NAN));
}
Array pdf(const Array& x, const Array& df, COTAN_SCALED) {
  COTAN_API;
  return exp(logpdf(x, df, loc, scale));
}
}  // namespace t

namespace truncnorm {
namespace {
// log of the normal probability of [a, b]: by the tail on whose side the interval lies.
Array log_mass(const Array& a, const Array& b) {
  const Array right = a > 0;
  const Array low = where(right, -b, a), high = where(right, -a, b);
  const Array l = ops::log_ndtr_p(low), h = ops::log_ndtr_p(high);
  return h + log1mexp(h - l);
}
struct Standard {
  Array y, a, b, scale, valid;
};
Standard standard(const char* function, const Array& x, const Array& a, const Array& b, COTAN_SCALED) {
  const Arrays v = real_operands(function, {x, a, b, loc, scale});
  check_single_or_double(function, v[0]);
  const Array lower = strong(v[1]), upper = strong(v[2]);
  return {(strong(v[0]) - v[3]) / v[4], lower, upper, v[4], lower < upper};
}
// log of the share of [a, y] in [a, b], of the larger share by the smaller.
Array log_share(const Standard& s, bool below) {
  const Array under = s.y <= s.a, over = s.y >= s.b;
  const Array y = where(under | over, (s.a + s.b) / 2, s.y), whole = log_mass(s.a, s.b);
  const Array wanted = (below ? log_mass(s.a, y) : log_mass(y, s.b)) - whole;
  const Array other = (below ? log_mass(y, s.b) : log_mass(s.a, y)) - whole;
  const Array near_one = wanted > -0.1;
  const Array value = where(near_one, log1mexp(-where(near_one, other, like(other, -1))), wanted);
  const Array none = below ? under : over, all = below ? over : under;
  return where(s.valid, where(none, like(value, -INFINITY), where(all, like(value, 0), value)), like(value, NAN));
}
}  // namespace
Array logpdf(const Array& x, const Array& a, const Array& b, COTAN_SCALED) {
  COTAN_API;
  const Standard s = standard("truncnorm.logpdf", x, a, b, loc, scale);
  const Array value = -0.5 * (s.y * s.y) - half_log_two_pi - log_mass(s.a, s.b) - log(s.scale);
  return where(s.valid, minus_infinity((s.y < s.a) | (s.y > s.b), value), like(value, NAN));
}
Array pdf(const Array& x, const Array& a, const Array& b, COTAN_SCALED) {
  COTAN_API;
  return exp(logpdf(x, a, b, loc, scale));
}
Array logcdf(const Array& x, const Array& a, const Array& b, COTAN_SCALED) {
  COTAN_API;
  check_broadcast("truncnorm.logcdf", {x, a, b, loc, scale});
  return log_share(standard("truncnorm.logcdf", x, a, b, loc, scale), true);
}
Array logsf(const Array& x, const Array& a, const Array& b, COTAN_SCALED) {
  COTAN_API;
  check_broadcast("truncnorm.logsf", {x, a, b, loc, scale});
  return log_share(standard("truncnorm.logsf", x, a, b, loc, scale), false);
}
Array cdf(const Array& x, const Array& a, const Array& b, COTAN_SCALED) {
  COTAN_API;
  return exp(logcdf(x, a, b, loc, scale));
}
Array sf(const Array& x, const Array& a, const Array& b, COTAN_SCALED) {
  COTAN_API;
  return exp(logsf(x, a, b, loc, scale));
}
}  // namespace truncnorm

namespace gennorm {
Array logpdf(const Array& x, const Array& beta) {
  COTAN_API;
  const Arrays v = real_operands("gennorm.logpdf", {x, beta});
  return log(v[1] / 2) - ops::lgamma(1 / v[1]) - numpy::power(ops::abs(v[0]), v[1]);
}
Array pdf(const Array& x, const Array& beta) {
  COTAN_API;
  return exp(logpdf(x, beta));
}
Array cdf(const Array& x, const Array& beta) {
  COTAN_API;
  const Arrays v = real_operands("gennorm.cdf", {x, beta});
  const Array y = numpy::power(ops::abs(v[0]), v[1]), shape = 1 / v[1];
  return where(v[0] < 0, 0.5 * ops::igammac(shape, y), 0.5 + 0.5 * ops::igamma(shape, y));
}
}  // namespace gennorm

namespace vonmises {
// kappa (cos x - 1) - log(2 pi i0e(kappa)).
Array logpdf(const Array& x, const Array& kappa) {
  COTAN_API;
  const Arrays v = real_operands("vonmises.logpdf", {x, kappa});
  const Array half = ops::sin(v[0] / 2), norm = log(2 * M_PI * ops::bessel_i0e(v[1]));
  return where(v[1] >= 0, -2 * v[1] * (half * half) - norm, like(v[0], NAN));
}
Array pdf(const Array& x, const Array& kappa) {
  COTAN_API;
  return exp(logpdf(x, kappa));
}
}  // namespace vonmises

namespace wrapcauchy {
// (1 - c^2) / (2 pi (1 + c^2 - 2 c cos x)), the denominator as (1 - c)^2 + 4 c sin^2(x/2).
Array logpdf(const Array& x, const Array& c) {
  COTAN_API;
  const Arrays v = real_operands("wrapcauchy.logpdf", {x, c});
  const Array inside = (v[0] >= 0) & (v[0] <= 2 * M_PI), valid = (v[1] > 0) & (v[1] < 1);
  const Array r = where(valid, v[1], like(v[1], 0.5)), half = ops::sin(v[0] / 2), d = 1 - r;
  const Array value = ops::log1p(-r) + ops::log1p(r) - 2 * half_log_two_pi - log(d * d + 4 * r * (half * half));
  return where(valid, where(inside, value, like(value, -INFINITY)), like(value, NAN));
}
Array pdf(const Array& x, const Array& c) {
  COTAN_API;
  return exp(logpdf(x, c));
}
}  // namespace wrapcauchy

}  // namespace cotan::scipy::stats

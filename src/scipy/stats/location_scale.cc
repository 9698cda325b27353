// Distributions of a location and a scale alone.
#include "scipy/stats/common.h"

namespace cotan::scipy::stats {

namespace {
struct Standard {
  Array z, loc, scale;
};
// (x - loc) / scale.
Standard standard(const char* function, const Array& x, const Array& loc, const Array& scale,
                  Complex complex = Complex::refused) {
  const std::initializer_list<Array> operands = {x, loc, scale};
  const Arrays v =
      complex == Complex::accepted ? inexact(function, operands, complex) : real_operands(function, operands);
  return {(v[0] - v[1]) / v[2], v[1], v[2]};
}
// A quantile, moved and stretched.
struct Quantile {
  Array q, loc, scale;
  Array of(const Array& z) const { return z * scale + loc; }
};
Quantile quantile(const char* function, const Array& q, const Array& loc, const Array& scale,
                  Complex complex = Complex::refused) {
  const std::initializer_list<Array> operands = {q, loc, scale};
  const Arrays v =
      complex == Complex::accepted ? inexact(function, operands, complex) : real_operands(function, operands);
  return {v[0], v[1], v[2]};
}
}  // namespace

#define COTAN_ARGS const Array &x, const Array &loc, const Array &scale

namespace norm {
Array logpdf(COTAN_ARGS) {
  COTAN_API;
  const Standard s = standard("norm.logpdf", x, loc, scale, Complex::accepted);
  return -0.5 * (s.z * s.z) - half_log_two_pi - log(ops::abs(s.scale));
}
Array pdf(COTAN_ARGS) {
  COTAN_API;
  return exp(logpdf(x, loc, scale));
}
Array cdf(COTAN_ARGS) {
  COTAN_API;
  return special::ndtr(standard("norm.cdf", x, loc, scale).z);
}
Array logcdf(COTAN_ARGS) {
  COTAN_API;
  return special::log_ndtr(standard("norm.logcdf", x, loc, scale).z);
}
Array sf(COTAN_ARGS) {
  COTAN_API;
  return special::ndtr(-standard("norm.sf", x, loc, scale).z);
}
Array logsf(COTAN_ARGS) {
  COTAN_API;
  return special::log_ndtr(-standard("norm.logsf", x, loc, scale).z);
}
Array ppf(const Array& q, const Array& loc, const Array& scale) {
  COTAN_API;
  const Quantile v = quantile("norm.ppf", q, loc, scale);
  return v.of(special::ndtri(v.q));
}
Array isf(const Array& q, const Array& loc, const Array& scale) {
  COTAN_API;
  const Quantile v = quantile("norm.isf", q, loc, scale);
  return v.of(-special::ndtri(v.q));
}
}  // namespace norm

namespace cauchy {
// log(1 + z^2) without overflow.
Array logpdf(COTAN_ARGS) {
  COTAN_API;
  const Standard s = standard("cauchy.logpdf", x, loc, scale, Complex::accepted);
  if (is_complex(s.z.dtype())) return -log(s.scale * M_PI) - ops::log1p(s.z * s.z);
  const Array far = ops::abs(s.z) > 1e8, one = like(s.z, 1);
  const Array near = where(far, one, s.z), away = where(far, ops::abs(s.z), one);
  return -log(s.scale * M_PI) - where(far, 2 * log(away), ops::log1p(near * near));
}
Array pdf(COTAN_ARGS) {
  COTAN_API;
  return exp(logpdf(x, loc, scale));
}
namespace {
// The angle of the point (side, 1) over pi: cdf for side = -z, sf for z.
Array angle(const Array& side) {
  if (is_complex(side.dtype())) return 0.5 - ops::atan(side) / M_PI;
  return numpy::arctan2(ops::full(side.aval(), 1), side) / M_PI;
}
}  // namespace
Array cdf(COTAN_ARGS) {
  COTAN_API;
  return angle(-standard("cauchy.cdf", x, loc, scale, Complex::accepted).z);
}
Array sf(COTAN_ARGS) {
  COTAN_API;
  return angle(standard("cauchy.sf", x, loc, scale, Complex::accepted).z);
}
Array logcdf(COTAN_ARGS) {
  COTAN_API;
  const Array z = standard("cauchy.logcdf", x, loc, scale, Complex::accepted).z;
  return is_complex(z.dtype()) ? log(angle(-z)) : log_of(angle(-z), angle(z));
}
Array logsf(COTAN_ARGS) {
  COTAN_API;
  const Array z = standard("cauchy.logsf", x, loc, scale, Complex::accepted).z;
  return is_complex(z.dtype()) ? log(angle(z)) : log_of(angle(z), angle(-z));
}
namespace {
// tan(pi (q - 1/2)); by the cotangent where that difference would round.
Array tangent(const Array& q) {
  if (is_complex(q.dtype())) return ops::tan((q - 0.5) * M_PI);
  const Array low = q < 0.25, quarter = like(q, 0.25);
  const Array y =
      where(low, -1 / ops::tan(where(low, q, quarter) * M_PI), ops::tan((where(low, quarter, q) - 0.5) * M_PI));
  return probability(q, where(q == 1, like(q, INFINITY), y));
}
}  // namespace
Array ppf(const Array& q, const Array& loc, const Array& scale) {
  COTAN_API;
  const Quantile v = quantile("cauchy.ppf", q, loc, scale, Complex::accepted);
  return v.of(tangent(v.q));
}
Array isf(const Array& q, const Array& loc, const Array& scale) {
  COTAN_API;
  const Quantile v = quantile("cauchy.isf", q, loc, scale, Complex::accepted);
  return v.of(-tangent(v.q));
}
}  // namespace cauchy

namespace expon {
Array logpdf(COTAN_ARGS) {
  COTAN_API;
  const Standard s = standard("expon.logpdf", x, loc, scale);
  return minus_infinity(s.z < 0, -s.z - log(s.scale));
}
Array pdf(COTAN_ARGS) {
  COTAN_API;
  return exp(logpdf(x, loc, scale));
}
namespace {
Array positive_part(const Array& z) { return where(z < 0, like(z, 0), z); }
}  // namespace
Array cdf(COTAN_ARGS) {
  COTAN_API;
  return -ops::expm1(-positive_part(standard("expon.cdf", x, loc, scale).z));
}
Array logcdf(COTAN_ARGS) {
  COTAN_API;
  return log1mexp(positive_part(standard("expon.logcdf", x, loc, scale).z));
}
Array sf(COTAN_ARGS) {
  COTAN_API;
  return exp(logsf(x, loc, scale));
}
Array logsf(COTAN_ARGS) {
  COTAN_API;
  return -positive_part(standard("expon.logsf", x, loc, scale).z);
}
Array ppf(const Array& q, const Array& loc, const Array& scale) {
  COTAN_API;
  const Quantile v = quantile("expon.ppf", q, loc, scale, Complex::accepted);
  return probability(v.q, v.of(-ops::log1p(-v.q)));
}
}  // namespace expon

namespace {
Array positive_scale(const Array& scale, const Array& value) { return where(scale > 0, value, like(value, NAN)); }
}  // namespace

namespace gumbel_r {
Array logpdf(COTAN_ARGS) {
  COTAN_API;
  const Standard s = standard("gumbel_r.logpdf", x, loc, scale);
  return positive_scale(s.scale, -(s.z + exp(-s.z)) - log(s.scale));
}
Array pdf(COTAN_ARGS) {
  COTAN_API;
  return exp(logpdf(x, loc, scale));
}
Array logcdf(COTAN_ARGS) {
  COTAN_API;
  const Standard s = standard("gumbel_r.logcdf", x, loc, scale);
  return positive_scale(s.scale, -exp(-s.z));
}
Array cdf(COTAN_ARGS) {
  COTAN_API;
  return exp(logcdf(x, loc, scale));
}
Array sf(COTAN_ARGS) {
  COTAN_API;
  return -ops::expm1(logcdf(x, loc, scale));
}
Array logsf(COTAN_ARGS) {
  COTAN_API;
  return log1mexp(-logcdf(x, loc, scale));
}
Array ppf(const Array& p, const Array& loc, const Array& scale) {
  COTAN_API;
  const Quantile v = quantile("gumbel_r.ppf", p, loc, scale);
  return positive_scale(v.scale, v.of(-log(-log(v.q))));
}
}  // namespace gumbel_r

namespace gumbel_l {
Array logpdf(COTAN_ARGS) {
  COTAN_API;
  const Standard s = standard("gumbel_l.logpdf", x, loc, scale);
  return positive_scale(s.scale, s.z - exp(s.z) - log(s.scale));
}
Array pdf(COTAN_ARGS) {
  COTAN_API;
  return exp(logpdf(x, loc, scale));
}
Array logsf(COTAN_ARGS) {
  COTAN_API;
  const Standard s = standard("gumbel_l.logsf", x, loc, scale);
  return positive_scale(s.scale, -exp(s.z));
}
Array sf(COTAN_ARGS) {
  COTAN_API;
  return exp(logsf(x, loc, scale));
}
Array cdf(COTAN_ARGS) {
  COTAN_API;
  return -ops::expm1(logsf(x, loc, scale));
}
Array logcdf(COTAN_ARGS) {
  COTAN_API;
  return log1mexp(-logsf(x, loc, scale));
}
Array ppf(const Array& p, const Array& loc, const Array& scale) {
  COTAN_API;
  const Quantile v = quantile("gumbel_l.ppf", p, loc, scale);
  return positive_scale(v.scale, v.of(log(-ops::log1p(-v.q))));
}
}  // namespace gumbel_l

namespace laplace {
Array logpdf(COTAN_ARGS) {
  COTAN_API;
  const Standard s = standard("laplace.logpdf", x, loc, scale);
  return -(ops::abs(s.z) + log(2 * s.scale));
}
Array pdf(COTAN_ARGS) {
  COTAN_API;
  return exp(logpdf(x, loc, scale));
}
Array cdf(COTAN_ARGS) {
  COTAN_API;
  const Array z = standard("laplace.cdf", x, loc, scale).z, tail = 0.5 * exp(-ops::abs(z));
  return where(z <= 0, tail, 1 - tail);
}
}  // namespace laplace

namespace logistic {
Array logpdf(COTAN_ARGS) {
  COTAN_API;
  const Standard s = standard("logistic.logpdf", x, loc, scale, Complex::accepted);
  const Array a = is_complex(s.z.dtype()) ? s.z : ops::abs(s.z);  // even in z
  return -a - 2 * ops::log1p(exp(-a)) - log(s.scale);
}
Array pdf(COTAN_ARGS) {
  COTAN_API;
  return exp(logpdf(x, loc, scale));
}
Array cdf(COTAN_ARGS) {
  COTAN_API;
  return ops::logistic(standard("logistic.cdf", x, loc, scale, Complex::accepted).z);
}
Array sf(COTAN_ARGS) {
  COTAN_API;
  return ops::logistic(-standard("logistic.sf", x, loc, scale, Complex::accepted).z);
}
Array ppf(COTAN_ARGS) {
  COTAN_API;
  const Quantile v = quantile("logistic.ppf", x, loc, scale, Complex::accepted);
  return v.of(special::logit(v.q));
}
Array isf(COTAN_ARGS) {
  COTAN_API;
  const Quantile v = quantile("logistic.isf", x, loc, scale, Complex::accepted);
  return v.of(-special::logit(v.q));
}
}  // namespace logistic

namespace uniform {
Array logpdf(COTAN_ARGS) {
  COTAN_API;
  const Arrays v = real_operands("uniform.logpdf", {x, loc, scale});
  const Array outside = (v[0] < v[1]) | (v[0] > v[1] + v[2]);
  return where(outside, like(v[0], -INFINITY), -log(v[2]));
}
Array pdf(COTAN_ARGS) {
  COTAN_API;
  return exp(logpdf(x, loc, scale));
}
Array cdf(COTAN_ARGS) {
  COTAN_API;
  const Array z = strong(standard("uniform.cdf", x, loc, scale).z);
  return where(z <= 0, like(z, 0), where(z >= 1, like(z, 1), z));
}
Array ppf(const Array& q, const Array& loc, const Array& scale) {
  COTAN_API;
  const Quantile v = quantile("uniform.ppf", q, loc, scale, Complex::accepted);
  return probability(v.q, v.of(v.q));
}
}  // namespace uniform

}  // namespace cotan::scipy::stats

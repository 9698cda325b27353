// scipy.stats.gaussian_kde, of points on a line.
#include "cotan/scipy_stats_kde.h"

#include "api/function_table.h"
#include "cotan/numpy.h"
#include "cotan/random.h"
#include "cotan/scipy_special.h"
#include "scipy/stats/common.h"

namespace cotan::scipy::stats {

namespace {

[[noreturn]] void no_cholesky(const char* what, const Array& x) {
  throw NotImplementedError(std::string("gaussian_kde: ") + what + " of more than one dimension, got " +
                            x.aval().str() + ", needs a Cholesky factorisation, which is not implemented yet");
}

// [m] or [1, m] or a number as [m].
Array points_of(const char* method, const Array& points) {
  if (is_complex(points.dtype()))
    throw NotImplementedError(std::string(method) + ": gaussian_kde does not support complex coordinates, got " +
                              points.aval().str());
  if (points.ndim() > 2 || (points.ndim() == 2 && points.shape()[0] != 1))
    throw ValueError(std::string(method) +
                     ": points must be of shape [m] or [1, m], as the dataset has dimension 1, got " +
                     points.aval().str());
  return numpy::ravel(points);
}

Array one_number(const char* what, const Array& x) {
  if (x.size() != 1 || x.ndim() > 2)
    throw ValueError(std::string("integrate_gaussian: ") + what + " does not have dimension 1, got " + x.aval().str());
  return numpy::reshape(x, {});
}

Array row(const Array& x) { return ops::expand_dims(x, {0}); }
Array column(const Array& x) { return ops::expand_dims(x, {1}); }
Array number(const Array& one_by_one) { return numpy::reshape(one_by_one, {}); }

// log of the normal density at each difference, all of one variance: (..., shape of the differences).
Array log_normal(const Array& difference, const Array& variance) {
  const Array norm = like(variance, -half_log_two_pi) - 0.5 * log(variance);
  return norm - 0.5 * (ops::square(difference) / variance);
}
// [m, n]: every point against every one of the dataset.
Array log_kernels(const char* method, const GaussianKde& k, const Array& points) {
  const Arrays both = inexact(method, {k.dataset, column(points_of(method, points))});
  return log_normal(both[1] - both[0], number(k.covariance));
}

Array bandwidth(const GaussianKde& k, const KdeBandwidth& method) {
  if (const auto* word = std::get_if<std::string_view>(&method)) {
    if (*word == "scott") return numpy::power(k.neff, -1.0 / 5);
    if (*word == "silverman") return numpy::power(k.neff * 3 / 4.0, -1.0 / 5);
    throw ValueError("gaussian_kde: bw_method should be 'scott', 'silverman', a scalar, or a callable, got '" +
                     std::string(*word) + "'");
  }
  const auto* f = std::get_if<FunctionRef<Array(const GaussianKde&)>>(&method);
  const Array factor = f ? (*f)(k) : std::get<Array>(method);
  if (factor.has_value() && factor.ndim() == 0 && !is_complex(factor.dtype())) return factor;
  throw ValueError("gaussian_kde: bw_method should give one real number, got " +
                   (factor.has_value() ? factor.aval().str() : std::string("no value")));
}

}  // namespace

GaussianKde gaussian_kde(const Array& dataset, const KdeBandwidth& bw_method, const GaussianKdeOptions& o) {
  COTAN_API;
  for (const Array& x : {dataset, o.weights})
    if (x.has_value() && is_complex(x.dtype()))
      throw NotImplementedError("gaussian_kde does not support complex data, got " + x.aval().str());
  if (dataset.ndim() > 2)
    throw ValueError("gaussian_kde: the dataset must have 1 or 2 dimensions, got " + dataset.aval().str());
  if (dataset.size() < 2)
    throw ValueError("gaussian_kde: `dataset` input should have multiple elements, got " + dataset.aval().str());
  if (dataset.ndim() == 2 && dataset.shape()[0] != 1) no_cholesky("data", dataset);
  const std::int64_t n = dataset.size();
  GaussianKde k;
  if (o.weights.has_value()) {
    const Array w = numpy::atleast_1d(o.weights);
    if (w.ndim() != 1)
      throw ValueError("gaussian_kde: `weights` input should be one-dimensional, got " + w.aval().str());
    if (w.size() != n)
      throw ValueError("gaussian_kde: `weights` input should be of length n=" + std::to_string(n) + ", got " +
                       w.aval().str());
    const Arrays both = inexact("gaussian_kde", {numpy::ravel(dataset), w});
    k.dataset = row(both[0]), k.weights = both[1] / numpy::sum(both[1]);
  } else {
    k.dataset = row(numpy::ravel(numpy::promote_inexact(dataset)));
    k.weights = numpy::full({n}, 1.0 / static_cast<double>(n), k.dataset.dtype());
  }
  k.neff = 1 / numpy::sum(ops::square(k.weights));
  const Array factor = bandwidth(k, bw_method);
  const Array variance = numpy::reshape(numpy::cov(k.dataset, {.aweights = k.weights}), {1, 1});
  k.covariance = variance * ops::square(numpy::promote_inexact(factor));
  k.inv_cov = 1 / k.covariance;
  return k;
}

Array GaussianKde::evaluate(const Array& points) const {
  COTAN_API;
  return numpy::sum(exp(log_kernels("evaluate", *this, points)) * row(weights), 1);
}
Array GaussianKde::logpdf(const Array& x) const {
  COTAN_API;
  return special::logsumexp(log_kernels("logpdf", *this, x), 1, {.b = row(weights)});
}
Array GaussianKde::integrate_gaussian(const Array& mean, const Array& cov) const {
  COTAN_API;
  const Arrays two = inexact("integrate_gaussian", {one_number("mean", mean), one_number("covariance", cov)});
  return numpy::sum(exp(log_normal(numpy::ravel(dataset) - two[0], number(covariance) + two[1])) * weights);
}
Array GaussianKde::integrate_box_1d(const Array& low, const Array& high) const {
  COTAN_API;
  if (low.ndim() != 0 || high.ndim() != 0)
    throw ValueError("integrate_box_1d: the limits of integration must be scalars, got " + low.aval().str() + " and " +
                     high.aval().str());
  const Array x = numpy::ravel(dataset), sigma = numpy::sqrt(number(covariance));
  const Arrays limits = real_operands("integrate_box_1d", {low, high});
  return numpy::sum(weights * (special::ndtr((limits[1] - x) / sigma) - special::ndtr((limits[0] - x) / sigma)));
}
Array GaussianKde::integrate_kde(const GaussianKde& other) const {
  COTAN_API;
  const Array differences = column(numpy::ravel(dataset)) - row(numpy::ravel(other.dataset));
  const Array products = exp(log_normal(differences, number(covariance) + number(other.covariance)));
  return numpy::sum(column(weights) * products * row(other.weights));
}
Array GaussianKde::resample(const Array& key, const Shape& shape) const {
  COTAN_API;
  const Array keys = random::split(key);
  const Array centres = random::choice(keys(0), numpy::ravel(dataset), shape, {.p = weights});
  Shape one = shape;
  one.push_back(1);
  const Array noise = numpy::reshape(random::normal(keys(1), one, dataset.dtype()), shape);
  return row(centres + numpy::sqrt(number(covariance)) * noise);
}

namespace {
table::Value kde_values(const table::Call& c) {
  const table::Value& method = c["bw_method"];
  KdeBandwidth bandwidth = "scott";
  std::function<Array(const GaussianKde&)> f;
  if (method.get<std::string>()) bandwidth = *method.get<std::string>();
  else if (method.get<table::Value::Function>())
    bandwidth = f = c.get<std::function<Array(const GaussianKde&)>>("bw_method");
  else if (method.is_sequence())
    throw ValueError("gaussian_kde: bw_method should be 'scott', 'silverman', a scalar, or a callable, got " +
                     method.str());
  else if (!method.is_none()) bandwidth = c.get<Array>("bw_method");
  return table::to_value(gaussian_kde(c.get<Array>("dataset"), bandwidth, {.weights = c.get<Array>("weights")}));
}
}  // namespace

const FunctionTable kde_table{"scipy.stats",
                              {
                                  function<kde_values>("gaussian_kde(dataset, bw_method=None, weights=None)",
                                                       "The density of points on a line, by a Gaussian around each."),
                              }};
const FunctionTable kde_methods_table{
    "scipy.stats.gaussian_kde",
    {
        function<[](const GaussianKde& k, const Array& x) { return k.evaluate(x); }>("evaluate(self, points)",
                                                                                     "The density at the points."),
        function<[](const GaussianKde& k, const Array& x) { return k.pdf(x); }>("pdf(self, x)",
                                                                                "The density at the points."),
        function<[](const GaussianKde& k, const Array& x) { return k.logpdf(x); }>("logpdf(self, x)", "Its logarithm."),
        function<[](const GaussianKde& k, const Array& mean, const Array& cov) {
          return k.integrate_gaussian(mean, cov);
        }>("integrate_gaussian(self, mean, cov)", "The integral of the density times that of a normal variable."),
        function<[](const GaussianKde& k, const Array& low, const Array& high) {
          return k.integrate_box_1d(low, high);
        }>("integrate_box_1d(self, low, high)", "The integral of the density between two numbers."),
        function<[](const GaussianKde& k, const GaussianKde& other) { return k.integrate_kde(other); }>(
            "integrate_kde(self, other)", "The integral of the product of two densities."),
        function<[](const GaussianKde& k, const Array& key, const Shape& shape) { return k.resample(key, shape); }>(
            "resample(self, key, shape=())", "Points drawn from the density."),
    }};

}  // namespace cotan::scipy::stats

// scipy.stats.gaussian_kde: a density estimated from points, by a Gaussian around each. So far of points on a line: those of more
// dimensions need a Cholesky factorisation, NotImplementedError.
#pragma once
#include <string_view>
#include <variant>

#include "cotan/array.h"
#include "cotan/function_ref.h"
#include "cotan/options.h"
#include "cotan/shape.h"

namespace cotan::scipy::stats {

// What gaussian_kde returns: a pytree of arrays. Points are of shape [m] or [1, m], or one number (ValueError otherwise); complex ones
// raise NotImplementedError.
struct GaussianKde {
  Array neff;                 // (sum of the weights)^2 / sum of their squares
  Array dataset;              // [1, n]
  Array weights;              // [n], of sum 1
  Array covariance, inv_cov;  // [1, 1]: of the Gaussians

  Array evaluate(const Array& points) const;  // the density at each point: [m]
  Array operator()(const Array& points) const { return evaluate(points); }
  Array pdf(const Array& x) const { return evaluate(x); }
  Array logpdf(const Array& x) const;  // its logarithm, also where the density vanishes in its type
  // The integral of the density times that of a normal variable; mean and cov of one element.
  Array integrate_gaussian(const Array& mean, const Array& cov) const;
  Array integrate_box_1d(const Array& low, const Array& high) const;  // between two numbers
  Array integrate_kde(const GaussianKde& other) const;                // of the product of two densities
  Array resample(const Array& key, const Shape& shape = {}) const;    // points drawn from the density: [1] + shape
};

// The width of the Gaussians, in standard deviations of the data: n^(-1/5) for "scott", (3n/4)^(-1/5) for "silverman", with
// neff for n; a number; or a function of the estimate, whose covariance and inv_cov have no value yet. ValueError otherwise.
using KdeBandwidth = std::variant<std::string_view, Array, FunctionRef<Array(const GaussianKde&)>>;

struct GaussianKdeOptions {
  using is_options = void;
  Array weights = {};  // of each point: [n]
};
// dataset: [n] or [1, n], of at least two points (ValueError); complex ones raise NotImplementedError.
GaussianKde gaussian_kde(const Array& dataset, const KdeBandwidth& bw_method = "scott", const GaussianKdeOptions& = {});

}  // namespace cotan::scipy::stats

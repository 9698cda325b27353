// jax.nn.initializers: functions that return an initialiser of weights.
#pragma once
#include <optional>
#include <string_view>

#include "cotan/array.h"
#include "cotan/axes.h"

namespace cotan::nn {

// Weights for a random key, of a shape and a dtype: by default the one that the initialiser was made with, or the default float
// type.
class Initializer {
 public:
  Array operator()(const Array& key, const Shape& shape, std::optional<DType> dtype = std::nullopt) const;

  // For the library: what the rule makes weights from.
  struct Recipe {
    Array (*rule)(const Recipe&, const Array& key, const Shape&, DType) = nullptr;
    std::optional<DType> dtype = std::nullopt;
    double scale = 1, lower = 0, upper = 0;
    Array value = {};
    double (*fan)(double in, double out) = nullptr;
    IntList in_axis = {}, out_axis = {}, batch_axis = {};
  };
  explicit Initializer(Recipe r) : recipe_(static_cast<Recipe&&>(r)) {}

 private:
  Recipe recipe_;
};

namespace initializers {

Array zeros(const Array& key, const Shape& shape,
            std::optional<DType> dtype = std::nullopt);  // these two are initialisers
Array ones(const Array& key, const Shape& shape, std::optional<DType> dtype = std::nullopt);
Initializer constant(const Array& value, std::optional<DType> dtype = std::nullopt);
Initializer uniform(double scale = 0.01, std::optional<DType> dtype = std::nullopt);  // in [0, scale)
Initializer normal(double stddev = 0.01, std::optional<DType> dtype = std::nullopt);  // mean 0
Initializer truncated_normal(double stddev = 0.01, std::optional<DType> dtype = std::nullopt, double lower = -2,
                             double upper = 2);  // bounds in units of stddev

// Which axes of the weights are inputs, outputs and neither; the others are the receptive field, which counts to both.
struct FanOptions {
  using is_options = void;
  IntList in_axis = {-2};
  IntList out_axis = {-1};
  IntList batch_axis = {};
  std::optional<DType> dtype = std::nullopt;
};
// Of variance scale / n, n by mode "fan_in", "fan_out", "fan_avg" or "fan_geo_avg" (the geometric mean); distribution
// "truncated_normal" (within two standard deviations), "normal" or "uniform". ValueError for other words, and from
// the initialiser for weights of fewer than two axes.
Initializer variance_scaling(double scale, std::string_view mode, std::string_view distribution,
                             const FanOptions& = {});
Initializer glorot_uniform(const FanOptions& = {});  // 1, fan_avg
Initializer glorot_normal(const FanOptions& = {});
Initializer xavier_uniform(const FanOptions& = {});  // the same
Initializer xavier_normal(const FanOptions& = {});
Initializer lecun_uniform(const FanOptions& = {});  // 1, fan_in
Initializer lecun_normal(const FanOptions& = {});
Initializer he_uniform(const FanOptions& = {});  // 2, fan_in
Initializer he_normal(const FanOptions& = {});
Initializer kaiming_uniform(const FanOptions& = {});  // the same
Initializer kaiming_normal(const FanOptions& = {});

}  // namespace initializers
}  // namespace cotan::nn

// The distributions of jax.random. dtype: floating unless said otherwise, float32 (float64 under enable_x64) by default; ValueError
// for others. Parameters broadcast against the shape; a shape that is not given is that of the parameters.
#pragma once
#include "cotan/random.h"

namespace cotan::random {

using OptionalDType = std::optional<DType>;
inline constexpr std::nullopt_t no_dtype = std::nullopt;

// Uniform in [minval, maxval).
Array uniform(const Array& key, const Shape& shape = {}, OptionalDType dtype = no_dtype, const Array& minval = 0.0,
              const Array& maxval = 1.0);
Array normal(const Array& key, const Shape& shape = {},
             OptionalDType dtype = no_dtype);  // mean 0, variance 1; or complex
// Integers in [minval, maxval); minval where that is empty. TypeError for a dtype that is none.
Array randint(const Array& key, const Shape& shape, const Array& minval, const Array& maxval,
              OptionalDType dtype = no_dtype);

// mode "high": probabilities below 2^-24 (of float32) count, at twice the cost.
struct ModeOptions {
  using is_options = void;
  std::string_view mode = "low";
};
struct PermutationOptions {
  using is_options = void;
  bool independent = false;  // each vector along the axis is shuffled by itself
};
struct ChoiceOptions {
  using is_options = void;
  bool replace = true;
  Array p = {};  // probabilities, one for each entry; empty: equal ones
  std::int64_t axis = 0;
  std::string_view mode = {};
};
struct CategoricalOptions {
  using is_options = void;
  bool replace = true;
  std::string_view mode = {};
};
struct MultinomialOptions {
  using is_options = void;
  ShapeOrNone shape = none;
  OptionalDType dtype = no_dtype;
};

Array permutation(const Array& key, const Array& x, std::int64_t axis = 0,
                  PermutationOptions o = {});  // an integer: of its range
Array choice(const Array& key, const Array& a, const Shape& shape = {},
             ChoiceOptions o = {});  // of a, or of the range of an integer
Array bernoulli(const Array& key, const Array& p = 0.5, const ShapeOrNone& shape = none, ModeOptions o = {});
// Positions along the axis, drawn with probabilities softmax(logits). The shape ends with that of logits less the axis.
Array categorical(const Array& key, const Array& logits, std::int64_t axis = -1, const ShapeOrNone& shape = none,
                  CategoricalOptions o = {});
Array rademacher(const Array& key, const Shape& shape = {}, OptionalDType dtype = no_dtype);  // -1 or 1; int by default
// Counts of n trials over the categories of the last axis of p, whose sum is taken for 1.
Array multinomial(const Array& key, const Array& n, const Array& p, MultinomialOptions o = {});

Array truncated_normal(const Array& key, const Array& lower, const Array& upper, const ShapeOrNone& shape = none,
                       OptionalDType dtype = no_dtype);  // a normal one in (lower, upper)
Array exponential(const Array& key, const Shape& shape = {}, OptionalDType dtype = no_dtype);  // exp(-x)
Array laplace(const Array& key, const Shape& shape = {}, OptionalDType dtype = no_dtype);      // exp(-|x|) / 2
Array logistic(const Array& key, const Shape& shape = {}, OptionalDType dtype = no_dtype);  // exp(-x) / (1 + exp(-x))^2
Array cauchy(const Array& key, const Shape& shape = {}, OptionalDType dtype = no_dtype);    // 1 / (pi (1 + x^2))
Array gumbel(const Array& key, const Shape& shape = {}, OptionalDType dtype = no_dtype,
             ModeOptions o = {{}});  // exp(-x - exp(-x))
Array maxwell(const Array& key, const Shape& shape = {},
              OptionalDType dtype = no_dtype);  // the length of 3 normal ones
// The result's shape is `shape` (none: that of the parameters), then that of the parameters.
Array double_sided_maxwell(const Array& key, const Array& loc, const Array& scale, const Shape& shape = {},
                           OptionalDType dtype = no_dtype);
Array rayleigh(const Array& key, const Array& scale, const ShapeOrNone& shape = none, OptionalDType dtype = no_dtype);
Array pareto(const Array& key, const Array& b, const ShapeOrNone& shape = none, OptionalDType dtype = no_dtype);
Array weibull_min(const Array& key, const Array& scale, const Array& concentration, const Shape& shape = {},
                  OptionalDType dtype = no_dtype);
Array triangular(const Array& key, const Array& left, const Array& mode, const Array& right,
                 const ShapeOrNone& shape = none, OptionalDType dtype = no_dtype);
Array wald(const Array& key, const Array& mean, const ShapeOrNone& shape = none, OptionalDType dtype = no_dtype);
Array geometric(const Array& key, const Array& p, const ShapeOrNone& shape = none,
                OptionalDType dtype = no_dtype);  // trials, int
Array lognormal(const Array& key, const Array& sigma = 1.0, const ShapeOrNone& shape = none,
                OptionalDType dtype = no_dtype);  // exp of a normal one

// By rejection.
Array gamma(const Array& key, const Array& a, const ShapeOrNone& shape = none, OptionalDType dtype = no_dtype);
Array loggamma(const Array& key, const Array& a, const ShapeOrNone& shape = none, OptionalDType dtype = no_dtype);
Array beta(const Array& key, const Array& a, const Array& b, const ShapeOrNone& shape = none,
           OptionalDType dtype = no_dtype);
Array dirichlet(const Array& key, const Array& alpha, const ShapeOrNone& shape = none,
                OptionalDType dtype = no_dtype);  // over the last axis of alpha, which the shape leaves out
Array chisquare(const Array& key, const Array& df, const ShapeOrNone& shape = none, OptionalDType dtype = no_dtype);
Array t(const Array& key, const Array& df, const ShapeOrNone& shape = none, OptionalDType dtype = no_dtype);
Array f(const Array& key, const Array& dfnum, const Array& dfden, const ShapeOrNone& shape = none,
        OptionalDType dtype = no_dtype);
Array generalized_normal(const Array& key, const Array& p, const Shape& shape = {}, OptionalDType dtype = no_dtype);
// Uniform in the ball of d dimensions that the p-norm has.
Array ball(const Array& key, std::int64_t d, const Array& p = 2, const Shape& shape = {},
           OptionalDType dtype = no_dtype);
Array poisson(const Array& key, const Array& lam, const ShapeOrNone& shape = none,
              OptionalDType dtype = no_dtype);  // int
Array binomial(const Array& key, const Array& n, const Array& p, const ShapeOrNone& shape = none,
               OptionalDType dtype = no_dtype);  // floating

// Wait for linear algebra: NotImplementedError.
Array orthogonal(const Array& key, std::int64_t n, const Shape& shape = {}, OptionalDType dtype = no_dtype,
                 std::optional<std::int64_t> m = std::nullopt);
struct MultivariateNormalOptions {
  using is_options = void;
  std::string_view method = "cholesky";
};
Array multivariate_normal(const Array& key, const Array& mean, const Array& cov, const ShapeOrNone& shape = none,
                          OptionalDType dtype = no_dtype, MultivariateNormalOptions o = {});

}  // namespace cotan::random

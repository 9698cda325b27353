// jax.nn: functions for neural networks. Elementwise unless said; integers become floats where a function needs them.
#pragma once
#include "cotan/array.h"
#include "cotan/axes.h"
#include "cotan/nn_attention.h"
#include "cotan/nn_initializers.h"

namespace cotan::nn {

Array celu(const Array& x, const Array& alpha = 1.0);  // max(x, 0) + alpha (exp(min(x, 0) / alpha) - 1)
Array elu(const Array& x, const Array& alpha = 1.0);   // x, or alpha (exp(x) - 1) where x <= 0
Array gelu(const Array& x, bool approximate = true);   // x P(N <= x), N normal; approximated by tanh
Array glu(const Array& x, int axis = -1);              // first half times sigmoid of second. ValueError: odd size
Array hard_sigmoid(const Array& x);                    // relu6(x + 3) / 6
Array hard_silu(const Array& x);                       // x hard_sigmoid(x)
Array hard_swish(const Array& x);                      // the same
Array hard_tanh(const Array& x);                       // x, kept within [-1, 1]
Array identity(const Array& x);
Array leaky_relu(const Array& x, const Array& negative_slope = 0.01);  // x, or negative_slope x where x < 0
Array log1mexp(const Array& x);                        // log(1 - exp(-x)) for x > 0, without cancellation
Array log_sigmoid(const Array& x);                     // -softplus(-x)
Array mish(const Array& x);                            // x tanh(softplus(x))
Array relu(const Array& x);                            // max(x, 0); its derivative at 0 is 0
Array relu6(const Array& x);                           // min(max(x, 0), 6); derivatives 0 at 0 and at 6
Array selu(const Array& x);                            // elu scaled so that mean 0 and variance 1 persist
Array sigmoid(const Array& x);                         // 1 / (1 + exp(-x)); floating or complex, else TypeError
Array silu(const Array& x);                            // x sigmoid(x)
Array soft_sign(const Array& x);                       // x / (1 + |x|)
Array softplus(const Array& x);                        // log(1 + exp(x)), without overflow
Array sparse_plus(const Array& x);                     // 0 below -1, x above 1, (x + 1)^2 / 4 between
Array sparse_sigmoid(const Array& x);                  // its derivative: (x + 1) / 2 kept within [0, 1]
Array squareplus(const Array& x, const Array& b = 4);  // (x + sqrt(x^2 + b)) / 2
Array swish(const Array& x);                           // silu
Array tanh(const Array& x);

// where: elements to take, of a shape that broadcasts with x; empty: all. Over none of them, softmax is 0 and log_softmax -inf.
struct SoftmaxOptions {
  using is_options = void;
  Array where = {};
};
Array softmax(const Array& x, const Axes& axis = -1, const SoftmaxOptions& = {});      // exp(x) / sum of exp(x)
Array log_softmax(const Array& x, const Axes& axis = -1, const SoftmaxOptions& = {});  // its logarithm

// b: factors of the exponentials. A negative sum gives NaN, unless its sign is asked for. Over no element: -inf.
struct LogsumexpOptions {
  using is_options = void;
  Array b = {};
  detail::Flag keepdims = false;
  Array where = {};
};
struct SignedLog {
  Array values;  // log of the absolute value
  Array sign;
};
Array logsumexp(const Array& a, const Axes& axis = none, const LogsumexpOptions& = {});  // log(sum of b exp(a))
SignedLog logsumexp_with_sign(const Array& a, const Axes& axis = none,
                              const LogsumexpOptions& = {});  // return_sign=True

struct LogmeanexpOptions {
  using is_options = void;
  Array where = {};
  detail::Flag keepdims = false;
};
Array logmeanexp(const Array& x, const Axes& axis = none, const LogmeanexpOptions& = {});  // log(mean of exp(x))

// (x - mean) / sqrt(variance + epsilon). What is not given is computed over the axes: the variance as E[x^2] - E[x]^2, not
// below 0 (algorithm "fast"), or as E[(x - E[x])^2] ("stable"). ValueError for another algorithm.
struct StandardizeOptions {
  using is_options = void;
  Array mean = {};
  Array variance = {};
  Array epsilon = 1e-5;
  Array where = {};
  std::string_view algorithm = "fast";
};
Array standardize(const Array& x, const Axes& axis = -1, const StandardizeOptions& = {});

// 1 where the index is the position along a new axis, 0 elsewhere: all 0 for an index out of range. dtype: by default float32
// (float64 with enable_x64). axis: of the result.
struct OneHotOptions {
  using is_options = void;
  std::optional<DType> dtype = std::nullopt;
  int axis = -1;
};
Array one_hot(const Array& x, std::int64_t num_classes, const OneHotOptions& = {});

}  // namespace cotan::nn

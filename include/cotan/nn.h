// jax.nn: functions for neural networks.
#pragma once
#include "cotan/array.h"

namespace cotan::nn {

Array relu(const Array&);  // max(x, 0); its derivative at 0 is 0
Array sigmoid(const Array&);
Array softplus(const Array&);  // log(1 + exp(x)), without overflow
Array silu(const Array&);
Array logsumexp(const Array&, int axis = -1);
Array softmax(const Array&, int axis = -1);
Array log_softmax(const Array&, int axis = -1);
Array one_hot(const Array& indices, std::int64_t num_classes,
              DType dtype = float32);  // zeros for an index out of range

}  // namespace cotan::nn

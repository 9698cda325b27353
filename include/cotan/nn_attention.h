// jax.nn's attention.
#pragma once
#include <optional>
#include <string_view>

#include "cotan/array.h"
#include "cotan/options.h"
#include "cotan/shape.h"

namespace cotan::nn {

// scale: of the logits, by default 1 / sqrt(H). is_causal: no query looks at a later key. *_seq_lengths: int32, shape (B,): how
// many of the queries or keys count; queries beyond give 0. local_window_size: how far a query sees, {both} or {left, right}.
// implementation: "xla" or none.
struct AttentionOptions {
  using is_options = void;
  std::optional<double> scale = std::nullopt;
  detail::Flag is_causal = false;
  Array query_seq_lengths = {};
  Array key_value_seq_lengths = {};
  IntList local_window_size = {};
  std::string_view implementation = {};
};
// softmax(scale query . key + bias) . value for each head. query: ([B,] T, N, H); key and value: ([B,] S, K, H), where K divides
// N: each key head serves N / K query heads. bias and mask (bool: which logits count): shapes ([B,] N, T, S), where
// sizes of 1 are repeated. The result has query's shape. Logits and softmax are computed in float32 for narrower types.
// ValueError where shapes or dtypes do not fit.
Array dot_product_attention(const Array& query, const Array& key, const Array& value, const Array& bias = {},
                            const Array& mask = {}, const AttentionOptions& = {});
struct AttentionResult {
  Array encoded;
  Array residual;  // logsumexp of the logits, ([B,] T, N)
};
AttentionResult dot_product_attention_with_residual(const Array& query, const Array& key, const Array& value,
                                                    const Array& bias = {}, const Array& mask = {},
                                                    const AttentionOptions& = {});  // return_residual=True

}  // namespace cotan::nn

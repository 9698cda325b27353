// jax.nn's attention.
#include <cmath>
#include <limits>

#include "api/function_table.h"
#include "cotan/nn.h"
#include "numpy/common.h"

namespace cotan::nn {

namespace jnp = cotan::numpy;

namespace {

[[noreturn]] void fail(const std::string& what) { throw ValueError("dot_product_attention: " + what); }

void check_shape(const char* name, const Array& x, const Shape& expected) {
  if (!(x.shape() == expected))
    fail(std::string(name) + " must have shape " + expected.str() + ", got " + x.aval().str());
}
void check_dtype(const char* name, const Array& x, DType d) {
  if (x.dtype() != d) fail(std::string(name) + " must have dtype " + dtype_name(d) + ", got " + x.aval().str());
}

// x with leading dimensions of 1.
Array with_rank(const Array& x, int ndim) {
  return x.ndim() >= ndim ? x : ops::expand_dims(x, IntList::range(ndim - x.ndim()));
}

// The sizes: batch, queries, keys, query heads of one key head, key heads, features.
struct Sizes {
  std::int64_t batch, queries, keys, group, heads, features;
};

Sizes check_operands(const Array& q, const Array& k, const Array& v) {
  for (const Array* x : {&q, &k, &v})
    if (x->ndim() != 4)
      fail("query, key and value must have 3 or 4 dimensions, got " + q.aval().str() + ", " + k.aval().str() + " and " +
           v.aval().str());
  const Shape &a = q.shape(), &b = k.shape();
  check_shape("value", v, b);
  check_shape("query", q, {b[0], a[1], a[2], b[3]});
  check_dtype("key", k, q.dtype());
  check_dtype("value", v, q.dtype());
  if (b[2] == 0 ? a[2] != 0 : a[2] % b[2] != 0)
    fail("the number of query heads must be a multiple of that of key heads, got " + std::to_string(a[2]) + " and " +
         std::to_string(b[2]));
  return {b[0], a[1], b[1], b[2] == 0 ? 0 : a[2] / b[2], b[2], b[3]};
}

// A bias or mask of ([B,] N, T, S) as (B, K, G, T, S), sizes of 1 kept.
Array by_head(const char* name, const Array& x, const Sizes& s) {
  const Array y = with_rank(x, 4);
  const std::int64_t expected[4] = {s.batch, s.heads * s.group, s.queries, s.keys};
  for (int i = 0; i < 4; ++i)
    if (y.ndim() != 4 || (y.shape()[i] != 1 && y.shape()[i] != expected[i]))
      fail(std::string(name) + " must have a shape that broadcasts to " +
           Shape({expected[0], expected[1], expected[2], expected[3]}).str() + ", got " + x.aval().str());
  const Shape& n = y.shape();
  return n[1] == 1 ? ops::expand_dims(y, {1}) : ops::reshape(y, {n[0], s.heads, s.group, n[2], n[3]});
}

Array indices(std::int64_t n, bool rows) {
  return ops::expand_dims(ops::iota(DType::int32, Shape(n), 0), {rows ? 1 : 0});
}
// (B, 1, 1, T, 1) or (B, 1, 1, 1, S): the positions that count.
Array within(const char* name, const Array& lengths, std::int64_t n, std::int64_t batch, bool rows) {
  check_shape(name, lengths, Shape(batch));
  check_dtype(name, lengths, DType::int32);
  const Array position = ops::expand_dims(indices(n, rows), {0, 1, 2});
  return jnp::less(position, ops::expand_dims(lengths, {1, 2, 3, 4}));
}

// Where queries may look, or empty: everywhere.
Array attention_mask(const Array& mask, const AttentionOptions& o, const Sizes& s) {
  Array m;
  const auto restrict = [&](const Array& more) { m = m.has_value() ? jnp::logical_and(m, more) : more; };
  if (mask.has_value()) {
    check_dtype("mask", mask, DType::bool_);
    restrict(by_head("mask", mask, s));
  }
  const Array query = indices(s.queries, true), key = indices(s.keys, false);
  if (o.is_causal) restrict(ops::expand_dims(jnp::greater_equal(query, key), {0, 1, 2}));
  if (const IntList& w = o.local_window_size; !w.empty()) {
    if (w.length() > 2) fail("local_window_size must have one or two entries, got " + w.str());
    const Array left = jnp::less_equal(query, jnp::add(key, w[0])),
                right = jnp::greater_equal(query, jnp::subtract(key, w.back()));
    restrict(ops::expand_dims(jnp::logical_and(right, left), {0, 1, 2}));
  }
  if (o.query_seq_lengths.has_value())
    restrict(within("query_seq_lengths", o.query_seq_lengths, s.queries, s.batch, true));
  if (o.key_value_seq_lengths.has_value())
    restrict(within("key_value_seq_lengths", o.key_value_seq_lengths, s.keys, s.batch, false));
  return m;
}

double largest_finite(DType d) {
  return d == DType::float64 || d == DType::complex128 ? std::numeric_limits<double>::max()
                                                       : std::numeric_limits<float>::max();
}

// (B, K, G, T, S).
Array logits_of(const Array& query, const Array& key, const Array& bias, const Array& mask, const AttentionOptions& o,
                const Sizes& s) {
  const Array q = ops::reshape(query, {s.batch, s.queries, s.heads, s.group, s.features});
  const DType wide = promote_types({q.dtype(), false}, {DType::float32, false}).dtype;
  Array l = ops::dot_general(q, key, {{4}, {3}, {0, 2}, {0, 2}}, wide,
                             q.dtype() == DType::bfloat16 ? "BF16_BF16_F32" : Precision());
  l = ops::mul(l, ops::scalar(wide, o.scale.value_or(1 / std::sqrt(static_cast<double>(s.features)))));
  l = ops::transpose(l, {0, 1, 3, 2, 4});
  if (bias.has_value()) l = to_dtype(jnp::add(l, by_head("bias", bias, s)), wide, false);
  if (const Array m = attention_mask(mask, o, s); m.has_value())
    l = jnp::where(m, l, ops::scalar(wide, -0.7 * largest_finite(wide)));
  return to_dtype(l, real_dtype(wide), false);
}

struct Attention {
  Array encoded, logits;  // (B, T, N, H) and (B, K, G, T, S)
};

Attention attend(const Array& query, const Array& key, const Array& value, const Array& bias, const Array& mask,
                 const AttentionOptions& o) {
  if (!o.implementation.empty() && o.implementation != "xla") {
    if (o.implementation == "cudnn")
      throw NotImplementedError("dot_product_attention: implementation 'cudnn' is not there on CPU");
    fail("implementation must be 'xla' or none, got '" + std::string(o.implementation) + "'");
  }
  const Array q = with_rank(query, 4), k = with_rank(key, 4), v = with_rank(value, 4);
  const Sizes s = check_operands(q, k, v);
  const Array logits = logits_of(q, k, bias, mask, o, s);
  const Array p = to_dtype(softmax(logits), v.dtype(), false);
  Array r = ops::dot_general(p, v, {{4}, {1}, {0, 1}, {0, 2}}, v.dtype());  // (B, K, G, T, H)
  if (o.query_seq_lengths.has_value()) {
    const Array valid = within("query_seq_lengths", o.query_seq_lengths, s.queries, s.batch, true);
    r = jnp::multiply(r, to_dtype(valid, r.dtype(), false));
  }
  r = ops::reshape(ops::transpose(r, {0, 3, 1, 2, 4}), q.shape());
  return {query.ndim() == q.ndim() ? r : ops::reshape(r, query.shape()), logits};
}

}  // namespace

Array dot_product_attention(const Array& query, const Array& key, const Array& value, const Array& bias,
                            const Array& mask, const AttentionOptions& o) {
  COTAN_API;
  return attend(query, key, value, bias, mask, o).encoded;
}

AttentionResult dot_product_attention_with_residual(const Array& query, const Array& key, const Array& value,
                                                    const Array& bias, const Array& mask, const AttentionOptions& o) {
  COTAN_API;
  const Attention a = attend(query, key, value, bias, mask, o);
  const Array l = ops::transpose(ops::stop_gradient(logsumexp(a.logits, -1)), {0, 3, 1, 2});  // (B, T, K, G)
  Shape shape = query.shape();
  shape.erase(shape.length() - 1);
  return {a.encoded, ops::reshape(to_dtype(l, key.dtype(), false), shape)};
}

const FunctionTable attention_table{
    "nn",
    {
        function<[](const table::Call& c) -> table::Value {
          AttentionOptions o;
          o.scale = c.get<std::optional<double>>("scale");
          o.is_causal = c.get<bool>("is_causal");
          o.query_seq_lengths = c.get<Array>("query_seq_lengths");
          o.key_value_seq_lengths = c.get<Array>("key_value_seq_lengths");
          if (!c["local_window_size"].is_none()) o.local_window_size = c.get<IntList>("local_window_size");
          if (!c["implementation"].is_none()) o.implementation = c.get<std::string_view>("implementation");
          const Array q = c.get<Array>("query"), k = c.get<Array>("key"), v = c.get<Array>("value");
          const Array bias = c.get<Array>("bias"), mask = c.get<Array>("mask");
          if (!c.get<bool>("return_residual")) return dot_product_attention(q, k, v, bias, mask, o);
          const AttentionResult r = dot_product_attention_with_residual(q, k, v, bias, mask, o);
          return table::Value::tuple({r.encoded, r.residual});
        }>("dot_product_attention(query, key, value, bias=None, mask=None, *, scale=None, is_causal=False, "
           "query_seq_lengths=None, key_value_seq_lengths=None, local_window_size=None, implementation=None, "
           "return_residual=False)",
           "softmax(scale query . key + bias) . value for each head."),
    }};

}  // namespace cotan::nn

// Random order and choice: permutation, choice, categorical.
#include <algorithm>
#include <cmath>

#include "base/host_scalar.h"
#include "ops/sorting.h"
#include "random/common.h"
#include "random/table_values.h"

namespace cotan::random {

namespace {

// Sorted by random keys of 32 bits, as often as makes it unlikely that equal keys show: with n^3 = 2^32 orders per round.
Array shuffled(const Array& key, const Array& x, int axis) {
  const double size = static_cast<double>(std::max<std::int64_t>(x.size(), 1));
  const int rounds = static_cast<int>(std::ceil(3 * std::log(size) / std::log(4294967295.0)));
  return named_jit(
      "_shuffle",
      [&](const Arrays& a) {
        Array left = a[0], v = a[1];
        for (int i = 0; i < rounds; ++i) {
          const TwoKeys keys = split_in_two(left);
          left = keys.first;
          const Array pair[] = {ops::random_bits(keys.second, 32, v.shape()), v};
          v = ops::sort(pair, axis)[1];
        }
        return Arrays{v};
      },
      {key, x}, static_cast<std::uint64_t>(axis))[0];
}

Array range_of(std::int64_t n) { return ops::iota(default_int_dtype(), {std::max<std::int64_t>(n, 0)}, 0); }

// An integer that stands for its range: a number, or a concrete 0-d Array.
std::optional<std::int64_t> as_range(const char* function, const Array& x) {
  if (x.ndim() != 0) return std::nullopt;
  if (!is_integer(x.dtype()))
    throw TypeError(std::string(function) + ": expected an integer or an array of at least one dimension, got " +
                    x.aval().str());
  return x.item<std::int64_t>();
}

Array taken(const Array& x, const Array& indices, int axis, bool unique) {
  return numpy::take(x, indices, axis, {.unique_indices = unique});
}

Array permutation_of(const Array& key, const Array& x, int axis, bool independent) {
  if (x.ndim() == 1 || independent) return shuffled(key, x, axis);
  return taken(x, shuffled(key, range_of(x.shape()[axis]), 0), axis, true);
}

}  // namespace

Array permutation(const Array& key, const Array& x, std::int64_t axis, PermutationOptions o) {
  COTAN_API;
  const Array k = single_key("permutation", key);
  const int dimension = canonical_axis("permutation", axis, std::max(x.ndim(), 1));
  if (const auto n = as_range("permutation", x)) return permutation_of(k, range_of(*n), 0, false);
  return permutation_of(k, x, dimension, o.independent);
}

namespace {

Array chosen_with_p(const Array& key, const Array& p, const Shape& shape, const ChoiceOptions& o) {
  if (!o.replace) {
    const Array g = gumbel_call(key, p.shape(), p.dtype(), high_mode("choice", o.mode));
    return ops::top_k(ops::add(g, ops::log(p)), shape.size(), 0).indices;
  }
  const Array sums = numpy::cumsum(p);
  const Array last = ops::squeeze(ops::slice_in_dim(sums, p.size() - 1, p.size(), 1, 0), {0});
  const Array u = unit_uniform(key, shape, sums.dtype());
  return numpy::searchsorted(sums, ops::mul(last, ops::sub(ops::scalar(u.dtype(), 1), u)));
}

// Positions below n, `shape` of them.
Array chosen_positions(const Array& key, std::int64_t n, const Shape& shape, const ChoiceOptions& o) {
  if (o.p.has_value()) {
    if (!(o.p.shape() == Shape{n}))
      throw ValueError("choice: p must have one dimension of the size that is chosen from, " + std::to_string(n) +
                       ", got shape " + o.p.shape().str());
    return chosen_with_p(key, numpy::promote_inexact(o.p), shape, o);
  }
  return randint_call(key, shape, Array(0), ops::scalar_int(default_int_dtype(), n), default_int_dtype());
}

}  // namespace

Array choice(const Array& key, const Array& a, const Shape& shape, ChoiceOptions o) {
  COTAN_API;
  const Array k = single_key("choice", key);
  const auto whole = a.ndim() == 0 ? std::optional(a.item<std::int64_t>()) : std::nullopt;
  const int axis = whole ? 0 : canonical_axis("choice", o.axis, a.ndim());
  const std::int64_t n = whole ? *whole : a.shape()[axis], count = shape.size();
  if (count == 0) return numpy::zeros(shape, a.dtype());
  if (n < 1) throw ValueError("choice: nothing to choose from: a has " + std::to_string(n) + " entries");
  check_sizes("choice", shape);
  if (!o.replace && count > n)
    throw ValueError("choice: cannot take a larger sample (size " + std::to_string(count) + ") than population (size " +
                     std::to_string(n) + ") when 'replace=False'");
  Shape full = whole ? Shape{n} : a.shape();
  full.erase(axis);
  for (int i = 0; i < shape.ndim(); ++i) full.insert(axis + i, shape[i]);
  if (!o.replace && !o.p.has_value()) {
    const Array order = permutation_of(k, whole ? range_of(n) : a, axis, false);
    return ops::reshape(ops::slice_in_dim(order, 0, count, 1, axis), full);
  }
  const Array positions = chosen_positions(k, n, shape, o);
  return ops::reshape(whole ? positions.astype(default_int_dtype()) : taken(a, positions, axis, false), full);
}

// The largest of logits + gumbel noise.
Array categorical(const Array& key, const Array& logits, std::int64_t axis, const ShapeOrNone& shape,
                  CategoricalOptions o) {
  COTAN_API;
  const Array k = single_key("categorical", key);
  const DType d = logits.dtype();
  if (!is_floating(d)) fail_dtype("categorical", "a float", d);
  if (axis < -logits.ndim() || axis >= logits.ndim())
    throw IndexError("categorical: axis " + std::to_string(axis) + " is out of bounds for logits of dimension " +
                     std::to_string(logits.ndim()));
  const bool high = high_mode("categorical", o.mode);
  const int position = static_cast<int>(axis < 0 ? axis + logits.ndim() : axis);
  Shape batch = logits.shape();
  batch.erase(position);
  Shape result = batch;
  if (shape.given()) {
    const Shape shapes[] = {shape.shape(), batch};
    if (!(numpy::broadcast_shapes("categorical", shapes) == shape.shape()))
      throw ValueError("categorical: the shape " + shape.shape().str() + " cannot hold logits of shape " +
                       logits.shape().str());
    result = shape.shape();
  }
  const int prefix = result.ndim() - batch.ndim();
  const std::int64_t n = logits.shape()[position];
  if (o.replace) {
    Shape noise = result;
    noise.insert(prefix + position, n);
    const Array g = gumbel_call(k, noise, d, high);
    return numpy::argmax(numpy::add(g, logits), prefix + position);
  }
  Shape front;
  for (int i = 0; i < prefix; ++i) front.push_back(result[i]);
  const std::int64_t count = front.size();
  if (count > n)
    throw ValueError("categorical: number of samples without replacement (" + std::to_string(count) +
                     ") cannot exceed number of categories (" + std::to_string(n) + ")");
  const Array g = gumbel_call(k, logits.shape(), d, high);
  const Array best = ops::top_k(ops::add(logits, g), count, position).indices;
  return ops::reshape(numpy::moveaxis(best, position, 0), result);
}

const FunctionTable shuffle_table{
    "random",
    {
        function<permutation>("permutation(key, x, axis=0, independent=False, *, out_sharding=None)",
                              "Entries in random order."),
        function<choice>("choice(key, a, shape=(), replace=True, p=None, axis=0, mode=None)",
                         "Entries, chosen at random."),
        function<categorical>(
            "categorical(key, logits, axis=-1, shape=None, replace=True, mode=None, *, out_sharding=None)",
            "Positions along an axis, drawn with probabilities softmax(logits)."),
    }};

}  // namespace cotan::random

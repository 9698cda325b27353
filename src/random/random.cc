// Random numbers: what jax.random does with the bits of a key.
#include "cotan/random.h"

#include <cmath>
#include <complex>
#include <limits>

#include "base/host_scalar.h"
#include "control/jit.h"
#include "cotan/numpy.h"
#include "lax/operands.h"
#include "numpy/common.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/random.h"
#include "ops/structural.h"

namespace cotan::random {

namespace {

using numpy::combine_key;

std::uint64_t static_key(DType d, const Shape& shape) {
  std::uint64_t key = static_cast<std::uint64_t>(d);
  for (std::int64_t n : shape) key = combine_key(key, static_cast<std::uint64_t>(n));
  return key;
}

std::string got(const Array& a) { return std::string(dtype_name(a.dtype())) + a.shape().str(); }

void check_keys(const char* function, const Array& key) {
  if (!is_key(key.dtype()))
    throw TypeError(std::string(function) + " accepts a PRNG key, got " + key.aval().str() +
                    "\nrandom::key(seed) makes one, random::wrap_key_data turns bits into one.");
}
void check_key(const char* function, const Array& key) {
  check_keys(function, key);
  if (key.ndim() != 0)
    throw ValueError(std::string(function) + " accepts a single key, but was given a key array of shape " +
                     key.shape().str() + " != (). Use vmap for batching.");
}
void check_shape(const char* function, const Shape& shape) {
  for (std::int64_t n : shape)
    if (n < 0) throw ValueError(std::string(function) + ": sizes must not be negative, got shape " + shape.str());
}

struct FloatLayout {
  int bits, mantissa;
  DType word, drawn;
  std::int64_t one;
};
FloatLayout layout_of(DType d) {
  switch (d) {
    case DType::bfloat16: return {8, 7, DType::uint16, DType::uint8, 0x3f80};  // 8 bits hold its mantissa
    case DType::float16: return {16, 10, DType::uint16, DType::uint16, 0x3c00};
    case DType::float64: return {64, 52, DType::uint64, DType::uint64, 0x3ff0000000000000};
    default: return {32, 23, DType::uint32, DType::uint32, 0x3f800000};
  }
}

// minval and maxval with the rank of the result; ranks above 0 are evened by sizes of 1.
Array with_rank(const Array& x, int ndim) {
  return x.ndim() >= ndim ? x : ops::expand_dims(x, IntList::range(ndim - x.ndim()));
}

void check_fits(const char* function, const Array& x, const Shape& shape) {
  const Shape shapes[] = {shape, x.shape()};
  if (!(numpy::broadcast_shapes(function, shapes) == shape))
    throw ValueError(std::string(function) + ": Incompatible shapes for broadcasting: shape " + shape.str() +
                     " cannot hold a parameter of shape " + x.shape().str());
}

// Random mantissas under the exponent of 1 make numbers in [1, 2).
Array uniform_values(const Array& key, const Shape& shape, DType d, const Array& minval, const Array& maxval) {
  const Array minimum = to_dtype(minval, d, false), maximum = to_dtype(maxval, d, false);
  const Array low = with_rank(minimum, shape.ndim()), high = with_rank(maximum, shape.ndim());
  const FloatLayout l = layout_of(d);
  Array bits = ops::random_bits(key, l.bits, shape);
  bits = ops::convert_element_type(bits, l.word);
  bits = ops::shift_right_logical(bits, ops::scalar_int(l.word, l.bits - l.mantissa));
  bits = ops::bit_or(bits, ops::scalar_int(l.word, l.one));
  const Array unit = ops::sub(ops::bitcast_convert_type(bits, d), ops::scalar(d, 1));
  const Array v = ops::add(ops::mul(unit, ops::sub(high, low)), low);
  return ops::max(low, ops::reshape(v, shape));
}

Array uniform_call(const Array& key, const Shape& shape, DType d, const Array& minval, const Array& maxval) {
  return named_jit(
      "_uniform", [&](const Arrays& a) { return Arrays{uniform_values(a[0], shape, d, a[1], a[2])}; },
      {key, minval, maxval}, static_key(d, shape))[0];
}

Array normal_real(const Array& key, const Shape& shape, DType d) {
  return named_jit(
      "_normal_real",
      [&](const Arrays& a) {
        const double epsilon = d == DType::bfloat16  ? 0x1p-8
                               : d == DType::float16 ? 0x1p-11
                               : d == DType::float64 ? 0x1p-53
                                                     : 0x1p-24;
        const Array u = uniform_call(a[0], shape, d, ops::scalar(d, -1 + epsilon), ops::scalar(d, 1));
        return Arrays{ops::mul(ops::scalar(d, std::sqrt(2.0)), ops::erf_inv(u))};
      },
      {key}, static_key(d, shape))[0];
}

// Keys 0, 1, ... count - 1 of those that a split gives.
Array split_key(const Array& keys, std::int64_t i) {
  return ops::squeeze(ops::slice(keys, {i}, {i + 1}, IntList{1}), {0});
}

Array normal_values(const Array& key, const Shape& shape, DType d) {
  if (!is_complex(d)) return normal_real(key, shape, d);
  const DType real = real_dtype(d);
  const Array keys = ops::random_split(key, Shape(2));
  const Array first = split_key(keys, 0), second = split_key(keys, 1);
  const Array re = ops::convert_element_type(normal_real(first, shape, real), d),
              im = ops::convert_element_type(normal_real(second, shape, real), d);
  const Array i = to_dtype(Array(std::complex<double>(0, 1)), d, false);
  return ops::div(ops::add(re, ops::mul(i, im)), ops::scalar(d, std::sqrt(2.0)));
}

}  // namespace

Array key(std::int64_t seed) {
  COTAN_API;
  const DType d = default_int_dtype();
  const std::int64_t low =
      d == DType::int32 ? static_cast<std::int32_t>(seed) : seed;  // without 64-bit types, the low half
  return ops::random_seed(ops::scalar_int(d, low), DType::key_fry);
}

Array key_data(const Array& keys) {
  COTAN_API;
  check_keys("key_data", keys);
  return ops::random_unwrap(keys);
}

Array wrap_key_data(const Array& data) {
  COTAN_API;
  if (data.dtype() != DType::uint32) throw TypeError("invalid PRNG key data: expected dtype uint32, got " + got(data));
  if (data.ndim() == 0 || data.shape().back() != 2)
    throw TypeError("invalid PRNG key data: expected a shape that ends with 2, got " + got(data));
  return ops::random_wrap(data, DType::key_fry);
}

Array split(const Array& keys, const Shape& shape) {
  COTAN_API;
  check_key("split", keys);
  check_shape("split", shape);
  return ops::random_split(keys, shape);
}

Array fold_in(const Array& keys, const Array& data) {
  COTAN_API;
  check_key("fold_in", keys);
  if (data.ndim() != 0)
    throw TypeError("fold_in accepts a scalar, but was given an array of shape " + data.shape().str() +
                    " != (). Use vmap for batching.");
  if (is_concrete(data) && data.node()->plain_number && data.weak_type() && is_integer(data.dtype()) &&
      data.item<std::int64_t>() < 0)
    throw OverflowError("fold_in: the number " + std::to_string(data.item<std::int64_t>()) +
                        " is out of bounds for uint32");
  return ops::random_fold_in(keys, to_dtype(data, DType::uint32, false));
}

Array bits(const Array& key, const Shape& shape, DType dtype) {
  COTAN_API;
  check_key("bits", key);
  check_shape("bits", shape);
  if (!is_unsigned_integer(dtype))
    throw ValueError(std::string("dtype argument to `bits` must be an unsigned int dtype, got ") + dtype_name(dtype));
  return ops::random_bits(key, static_cast<int>(8 * item_size(canonical_dtype(dtype))), shape);
}

Array uniform(const Array& key, const Shape& shape, DType dtype, const Array& minval, const Array& maxval) {
  COTAN_API;
  check_key("uniform", key);
  check_shape("uniform", shape);
  if (!is_floating(dtype))
    throw ValueError(std::string("dtype argument to `uniform` must be a float dtype, got ") + dtype_name(dtype));
  check_fits("uniform", minval, shape);
  check_fits("uniform", maxval, shape);
  return uniform_call(key, shape, canonical_dtype(dtype), minval, maxval);
}

Array normal(const Array& key, const Shape& shape, DType dtype) {
  COTAN_API;
  check_key("normal", key);
  check_shape("normal", shape);
  if (!is_inexact(dtype))
    throw ValueError(std::string("dtype argument to `normal` must be a float or complex dtype, got ") +
                     dtype_name(dtype));
  const DType d = canonical_dtype(dtype);
  return named_jit(
      "_normal", [&](const Arrays& a) { return Arrays{normal_values(a[0], shape, d)}; }, {key},
      static_key(d, shape))[0];
}

Array bernoulli(const Array& key, const Array& p, const Shape& shape) {
  COTAN_API;
  check_key("bernoulli", key);
  check_shape("bernoulli", shape);
  if (!is_floating(p.dtype()))
    throw TypeError("bernoulli probability `p` must have a floating dtype, got " + std::string(dtype_name(p.dtype())) +
                    ".");
  const Shape full = shape.ndim() == 0 ? p.shape() : shape;
  check_fits("bernoulli", p, full);
  const DType d = p.dtype();
  return named_jit(
      "_bernoulli",
      [&](const Arrays& a) {
        const Array u = uniform_call(a[0], full, d, Array(0.0), Array(1.0));
        return Arrays{ops::lt(u, a[1].ndim() ? with_rank(a[1], full.ndim()) : a[1])};
      },
      {key, to_dtype(p, d, false)}, static_key(d, full))[0];
}

namespace {

struct IntegerRange {
  std::int64_t low;
  std::uint64_t high;
};
IntegerRange range_of(DType d) {
  const int bits = static_cast<int>(8 * item_size(d));
  if (is_signed_integer(d))
    return {std::numeric_limits<std::int64_t>::min() >> (64 - bits), (std::uint64_t(1) << (bits - 1)) - 1};
  return {0, ~std::uint64_t(0) >> (64 - bits)};
}
IntegerRange common_range(DType a, DType b) {
  const IntegerRange x = range_of(a), y = range_of(b);
  return {std::max(x.low, y.low), std::min(x.high, y.high)};
}

// v clamped to what both its type and d hold.
Array clip_to_type(const Array& v, DType d) {
  const IntegerRange r = common_range(v.dtype(), d);
  const auto number = [&](auto n) {
    const HostScalar s(n, v.dtype());
    Array a = evaluation_hook().from_bytes({Shape(), s.dtype, v.weak_type()}, s.bytes);
    a.node()->plain_number = true;
    return a;
  };
  return numpy::clip(v, number(r.low), number(r.high));
}

// The size of [low, high) as an unsigned word; 1 where it is empty. `over`: high stands for one past the type's largest value.
Array span_of(const Array& low, const Array& high, const Array& over, DType word) {
  Array span = ops::convert_element_type(ops::sub(high, low), word);
  const Array empty = ops::le(high, low);
  span = ops::select(empty, ops::full(span.aval(), 1), span);
  const Array whole = ops::bit_and(over, ops::gt(high, low));
  return ops::select(whole, ops::add(span, ops::scalar_int(word, 1)), span);
}

// Two draws of the type's width, combined modulo the span: the bias of one alone would be seen. d: of 32 or 64 bits.
Array randint_values(const Array& key, const Shape& shape, const Array& minval, const Array& maxval, DType d) {
  const int width = static_cast<int>(8 * item_size(d));
  const DType word = width == 32 ? DType::uint32 : DType::uint64;
  const HostScalar last(range_of(d).high, d);
  Array largest = evaluation_hook().from_bytes({Shape(), d, false}, last.bytes);
  largest.node()->plain_number = true;
  const Array limit = to_dtype(clip_to_type(largest, maxval.dtype()), maxval.dtype(), false);
  const Array over = ops::gt(maxval, limit);
  const Array least = to_dtype(clip_to_type(minval, d), d, false), most = to_dtype(clip_to_type(maxval, d), d, false);
  const Array low = with_rank(least, shape.ndim()), high = with_rank(most, shape.ndim());
  const Array keys = ops::random_split(key, Shape(2));
  const Array first = split_key(keys, 0), second = split_key(keys, 1);
  const Array upper = ops::random_bits(first, width, shape), lower = ops::random_bits(second, width, shape);
  const Array span = span_of(low, high, over.ndim() ? with_rank(over, shape.ndim()) : over, word);
  Array multiplier = ops::rem(ops::scalar_int(word, std::int64_t(1) << (width / 2)), span);
  multiplier = ops::rem(ops::mul(multiplier, multiplier), span);
  Array offset = ops::mul(ops::rem(upper, span), multiplier);
  offset = ops::add(offset, ops::rem(lower, span));
  return ops::add(low, ops::convert_element_type(ops::rem(offset, span), d));
}

}  // namespace

Array randint(const Array& key, const Shape& shape, const Array& minval, const Array& maxval, DType dtype) {
  COTAN_API;
  check_key("randint", key);
  check_shape("randint", shape);
  if (!is_integer(dtype)) throw TypeError(std::string("randint only accepts integer dtypes, got ") + dtype_name(dtype));
  const auto integer = [](const Array& v) {
    return is_integer(v.dtype()) ? v : to_dtype(v, default_int_dtype(), false);
  };
  Array low = integer(minval), high = integer(maxval);
  check_fits("randint", low, shape);
  check_fits("randint", high, shape);
  const DType d = canonical_dtype(dtype);
  const bool narrow = item_size(d) < 4;  // drawn as int32
  if (narrow) {
    const IntegerRange r = range_of(d);
    low = numpy::clip(low, r.low, r.high);
    high = numpy::clip(high, r.low, r.high + 1);
  }
  const DType drawn = narrow ? DType::int32 : d;
  const Array v = named_jit(
      "_randint", [&](const Arrays& a) { return Arrays{randint_values(a[0], shape, a[1], a[2], drawn)}; },
      {key, low, high}, static_key(drawn, shape))[0];
  return to_dtype(v, d, false);
}

}  // namespace cotan::random

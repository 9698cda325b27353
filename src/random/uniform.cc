// Bits made into numbers: uniform, normal, bernoulli, randint. Each is computed as JAX computes it, operation by operation, so that
// the results have its bits.
#include <cmath>
#include <complex>
#include <limits>

#include "base/host_scalar.h"
#include "random/common.h"
#include "random/table_values.h"

namespace cotan::random {

namespace {

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

// Outside of traces, the bits of the operations below come from one pass over memory.
bool at_once(const Array& key, const Shape& shape, DType d, const Array& low, const Array& high) {
  return !current_trace() && is_concrete(key) && is_concrete(low) && is_concrete(high) && low.ndim() == 0 &&
         high.ndim() == 0 && ops::has_random_floats(key, d, shape);
}

}  // namespace

Array uniform_call(const Array& key, const Shape& shape, DType d, const Array& minval, const Array& maxval, Bounds b) {
  if (at_once(key, shape, d, minval, maxval))
    return ops::random_floats(key, to_dtype(minval, d, false), to_dtype(maxval, d, false), shape, false);
  if (b == Bounds::positional)
    return named_jit(
        "_uniform", [&](const Arrays& a) { return Arrays{uniform_values(a[0], shape, d, a[1], a[2])}; },
        {key, minval, maxval}, static_key(d, shape))[0];
  return named_jit(
      "_uniform", [&](const Arrays& a) { return Arrays{uniform_values(a[0], shape, d, a[2], a[1])}; },
      {key, maxval, minval}, numpy::combine_key(static_key(d, shape), 1))[0];
}

namespace {

Array normal_real(const Array& key, const Shape& shape, DType d) {
  const Array low = ops::scalar(d, -1 + below_one(d)), high = ops::scalar(d, 1);
  if (at_once(key, shape, d, low, high)) return ops::random_floats(key, low, high, shape, true);
  return named_jit(
      "_normal_real",
      [&](const Arrays& a) {
        const Array u = uniform_call(a[0], shape, d, low, high);
        return Arrays{ops::mul(ops::scalar(d, std::sqrt(2.0)), ops::erf_inv(u))};
      },
      {key}, static_key(d, shape))[0];
}

Array normal_values(const Array& key, const Shape& shape, DType d) {
  if (!is_complex(d)) return normal_real(key, shape, d);
  const DType real = real_dtype(d);
  const TwoKeys keys = split_in_two(key);
  const Array re = ops::convert_element_type(normal_real(keys.first, shape, real), d),
              im = ops::convert_element_type(normal_real(keys.second, shape, real), d);
  const Array i = to_dtype(Array(std::complex<double>(0, 1)), d, false);
  return ops::div(ops::add(re, ops::mul(i, im)), ops::scalar(d, std::sqrt(2.0)));
}

}  // namespace

Array normal_call(const Array& key, const Shape& shape, DType d) {
  return named_jit(
      "_normal", [&](const Arrays& a) { return Arrays{normal_values(a[0], shape, d)}; }, {key},
      static_key(d, shape))[0];
}

Array uniform(const Array& key, const Shape& shape, OptionalDType dtype, const Array& minval, const Array& maxval) {
  COTAN_API;
  const Array k = single_key("uniform", key);
  check_shape("uniform", shape);
  const DType d = float_dtype("uniform", dtype);
  for (const Array* bound : {&minval, &maxval})
    if (!fits(*bound, shape))
      throw TypeError("uniform: incompatible shapes for broadcasting: shape " + shape.str() +
                      " cannot hold a bound of shape " + bound->shape().str());
  return uniform_call(k, shape, d, minval, maxval);
}

Array normal(const Array& key, const Shape& shape, OptionalDType dtype) {
  COTAN_API;
  const Array k = single_key("normal", key);
  check_shape("normal", shape);
  const DType d = canonical_dtype(dtype.value_or(DType::float64));
  if (!is_inexact(d)) fail_dtype("normal", "a float or complex", d);
  return normal_call(k, shape, d);
}

namespace {

// u < p with the uniform number u of twice as many bits: its high part decides, its low part where the high one is p's.
Array bernoulli_values(const Array& key, const Array& p, const Shape& shape, bool high) {
  const DType d = p.dtype();
  if (!high) {
    const Array u = unit_uniform(key, shape, d);
    return ops::lt(u, aligned(p, shape.ndim()));
  }
  Shape pair = shape;
  pair.insert(0, 2);
  const Array u = unit_uniform(key, pair, d);
  const Array first = key_at(u, 0), second = ops::mul(key_at(u, 1), ops::scalar(d, machine_epsilon(d)));
  return ops::lt(second, ops::sub(aligned(p, shape.ndim()), first));
}

}  // namespace

Array bernoulli_call(const Array& key, const Array& p, const Shape& shape, bool high) {
  return named_jit(
      "_bernoulli", [&](const Arrays& a) { return Arrays{bernoulli_values(a[0], a[1], shape, high)}; }, {key, p},
      numpy::combine_key(static_key(p.dtype(), shape), high))[0];
}

Array bernoulli(const Array& key, const Array& p, const ShapeOrNone& shape, ModeOptions o) {
  COTAN_API;
  const Array k = single_key("bernoulli", key);
  const bool high = high_mode("bernoulli", o.mode);
  if (!is_floating(p.dtype()))
    throw TypeError("bernoulli probability `p` must have a floating dtype, got " + std::string(dtype_name(p.dtype())) +
                    ".");
  const Shape full = sample_shape("bernoulli", shape, {&p});
  return bernoulli_call(k, to_dtype(p, p.dtype(), false), full, high);
}

Array rademacher_call(const Array& key, const Shape& shape, DType d) {
  return named_jit(
      "_rademacher",
      [&](const Arrays& a) {
        const Array b =
            to_dtype(bernoulli_call(a[0], ops::scalar(canonical_dtype(DType::float64), 0.5), shape, false), d, false);
        return Arrays{to_dtype(numpy::subtract(numpy::multiply(Array(2), b), Array(1)), d, false)};
      },
      {key}, static_key(d, shape))[0];
}

Array rademacher(const Array& key, const Shape& shape, OptionalDType dtype) {
  COTAN_API;
  const Array k = single_key("rademacher", key);
  check_shape("rademacher", shape);
  return rademacher_call(k, shape, int_dtype(dtype));
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
  const TwoKeys keys = split_in_two(key);
  const Array upper = ops::random_bits(keys.first, width, shape), lower = ops::random_bits(keys.second, width, shape);
  const Array span = span_of(low, high, aligned(over, shape.ndim()), word);
  Array multiplier = ops::rem(ops::scalar_int(word, std::int64_t(1) << (width / 2)), span);
  multiplier = ops::rem(ops::mul(multiplier, multiplier), span);
  Array offset = ops::mul(ops::rem(upper, span), multiplier);
  offset = ops::add(offset, ops::rem(lower, span));
  return ops::add(low, ops::convert_element_type(ops::rem(offset, span), d));
}

}  // namespace

Array randint_call(const Array& key, const Shape& shape, const Array& low, const Array& high, DType d) {
  return named_jit(
      "_randint", [&](const Arrays& a) { return Arrays{randint_values(a[0], shape, a[1], a[2], d)}; }, {key, low, high},
      static_key(d, shape))[0];
}

Array randint(const Array& key, const Shape& shape, const Array& minval, const Array& maxval, OptionalDType dtype) {
  COTAN_API;
  const Array k = single_key("randint", key);
  check_shape("randint", shape);
  const DType d = int_dtype(dtype);
  if (!is_integer(d)) throw TypeError(std::string("randint only accepts integer dtypes, got ") + dtype_name(d));
  const auto integer = [](const Array& v) {
    return is_integer(v.dtype()) ? v : to_dtype(v, default_int_dtype(), false);
  };
  Array low = integer(minval), high = integer(maxval);
  check_fits("randint", low, shape);
  check_fits("randint", high, shape);
  const bool narrow = item_size(d) < 4;  // drawn as int32
  if (narrow) {
    const IntegerRange r = range_of(d);
    for (Array* bound : {&low, &high})  // high may be one past the type's largest value
      if (item_size(bound->dtype()) < 4) *bound = to_dtype(*bound, DType::int32, bound->weak_type());
    low = numpy::clip(low, r.low, r.high);
    high = numpy::clip(high, r.low, r.high + 1);
  }
  return to_dtype(randint_call(k, shape, low, high, narrow ? DType::int32 : d), d, false);
}

const FunctionTable uniform_table{
    "random",
    {
        function<uniform>("uniform(key, shape=(), dtype=None, minval=0.0, maxval=1.0, *, out_sharding=None)",
                          "Uniform numbers in [minval, maxval)."),
        function<normal>("normal(key, shape=(), dtype=None, *, out_sharding=None)",
                         "Normal numbers of mean 0 and variance 1."),
        function<bernoulli>("bernoulli(key, p=0.5, shape=None, mode='low', *, out_sharding=None)",
                            "True with probability p."),
        function<rademacher>("rademacher(key, shape=(), dtype=None, *, out_sharding=None)", "-1 or 1, equally likely."),
        function<randint>("randint(key, shape, minval, maxval, dtype=None, *, out_sharding=None)",
                          "Integers, uniform in [minval, maxval)."),
    }};

}  // namespace cotan::random

// numpy's windows, and bits in bytes.
#include <cmath>

#include "api/function_table.h"
#include "numpy/common.h"

namespace cotan::numpy {

namespace {

// f of 0, 1, ..., M - 1 and M; a single point is 1.
template <class F> Array window(std::int64_t M, F f) {
  if (M <= 1) return ones(Shape(M));
  return f(ops::iota(default_float_dtype(), Shape(M), 0), static_cast<double>(M));
}
Array num(double v) { return ops::scalar(default_float_dtype(), v); }
Array cosine(const Array& n, double turns, double M) {
  return ops::cos(ops::div(ops::mul(num(2 * M_PI * turns), n), num(M - 1)));
}

bool little(const char* function, std::string_view order) {
  if (order != "little" && order != "big")
    throw ValueError(std::string(function) + ": bitorder must be 'little' or 'big', got '" + std::string(order) + "'");
  return order == "little";
}
int bit_axis(const char* function, int axis, int ndim) {
  if (axis < -ndim || axis >= ndim)
    throw IndexError(std::string(function) + ": axis " + std::to_string(axis) +
                     " is out of bounds for array of dimension " + std::to_string(ndim));
  return axis < 0 ? axis + ndim : axis;
}
Array swapped(const Array& x, int axis) { return swapaxes(x, axis, -1); }

Array pack_values(const Array& x, std::optional<int> axis, bool low_first) {
  Array bits = to_dtype(ops::ne(x, number_like(x, 0)), DType::uint8, false),
        places = ops::iota(DType::uint8, Shape(8), 0);
  if (!low_first) places = ops::rev(places, {0});
  bits = axis ? swapped(bits, *axis) : ravel(bits);
  const int last = bits.ndim() - 1;
  const std::int64_t n = bits.shape()[last], missing = (8 - n % 8) % 8;
  if (missing) {
    std::vector<ops::PadDim> config(static_cast<std::size_t>(last) + 1, {0, 0, 0});
    config.back().high = missing;
    bits = ops::pad(bits, ops::scalar_int(DType::uint8, 0), config);
  }
  Shape shape = bits.shape();
  shape[last] = (n + missing) / 8;
  shape.push_back(8);
  const Array eights = ops::reshape(bits, shape), shifts = ops::expand_dims(places, IntList::range(last + 1));
  const Array sum = ops::reduce_sum(to_dtype(ops::shift_left(eights, shifts), DType::uint32, false), {last + 1});
  const Array bytes = to_dtype(sum, DType::uint8, false);
  return axis ? swapped(bytes, *axis) : bytes;
}

Array unpack_values(const Array& x, std::optional<int> axis, std::optional<std::int64_t> count, bool low_first) {
  const Array places = ops::iota(DType::uint8, Shape(8), 0);
  Array masks = ops::shift_left(ops::scalar_int(DType::uint8, 1), places);
  if (!low_first) masks = ops::rev(masks, {0});
  const Array bytes = axis ? swapped(x, *axis) : ravel(x);
  const int last = bytes.ndim() - 1;
  const Array each = ops::expand_dims(bytes, {last + 1}), mask = ops::expand_dims(masks, IntList::range(last + 1));
  const Array set = ops::gt(ops::bit_and(each, mask), ops::scalar_int(DType::uint8, 0));
  Shape shape = bytes.shape();
  shape[last] *= 8;
  Array bits = ops::reshape(to_dtype(set, DType::uint8, false), shape);
  if (count) {
    const std::int64_t n = shape[last], kept = *count < 0 ? std::max<std::int64_t>(n + *count, 0) : *count;
    if (kept > n) {
      std::vector<ops::PadDim> config(static_cast<std::size_t>(last) + 1, {0, 0, 0});
      config.back().high = kept - n;
      bits = ops::pad(bits, ops::scalar_int(DType::uint8, 0), config);
    } else {
      Shape end = shape;
      end[last] = kept;
      bits = ops::slice(bits, IntList::filled(last + 1, 0), end);
    }
  }
  return axis ? swapped(bits, *axis) : bits;
}

}  // namespace

Array bartlett(std::int64_t M) {
  COTAN_API;
  return window(M, [](const Array& n, double m) {
    const Array centred = ops::sub(ops::add(ops::mul(num(2), n), num(1)), num(m));
    return ops::sub(num(1), ops::div(ops::abs(centred), num(m - 1)));
  });
}
Array blackman(std::int64_t M) {
  COTAN_API;
  return window(M, [](const Array& n, double m) {
    const Array first = ops::sub(num(0.42), ops::mul(num(0.5), cosine(n, 1, m)));
    return ops::add(first, ops::mul(num(0.08), cosine(n, 2, m)));
  });
}
Array hamming(std::int64_t M) {
  COTAN_API;
  return window(M, [](const Array& n, double m) { return ops::sub(num(0.54), ops::mul(num(0.46), cosine(n, 1, m))); });
}
Array hanning(std::int64_t M) {
  COTAN_API;
  return window(M, [](const Array& n, double m) { return ops::mul(num(0.5), ops::sub(num(1), cosine(n, 1, m))); });
}
Array kaiser(std::int64_t M, const Array& beta) {
  COTAN_API;
  if (M == 1) return ones(Shape(M));
  const Array n = ops::iota(default_float_dtype(), Shape(M), 0), alpha = num(0.5 * static_cast<double>(M - 1));
  const Array x = ops::div(ops::sub(n, alpha), alpha);
  return divide(i0(multiply(beta, ops::sqrt(ops::sub(num(1), ops::mul(x, x))))), i0(beta));
}

Array packbits(const Array& x, std::optional<int> axis, const PackOptions& o) {
  COTAN_API;
  if (!is_integer(x.dtype()) && !is_bool(x))
    throw TypeError("packbits: expected an array of integers or bools, got " + x.aval().str());
  const bool low_first = little("packbits", o.bitorder);
  if (axis) axis = bit_axis("packbits", *axis, x.ndim());
  return named_jit(
      "packbits", [&](const Arrays& a) { return Arrays{pack_values(a[0], axis, low_first)}; }, {x},
      list_key({axis.value_or(-1), static_cast<int>(low_first)}))[0];
}
Array unpackbits(const Array& x, std::optional<int> axis, std::optional<std::int64_t> count, const PackOptions& o) {
  COTAN_API;
  if (x.dtype() != DType::uint8) throw TypeError("unpackbits: expected an array of uint8, got " + x.aval().str());
  const bool low_first = little("unpackbits", o.bitorder);
  if (axis) axis = bit_axis("unpackbits", *axis, x.ndim());
  return named_jit(
      "unpackbits", [&](const Arrays& a) { return Arrays{unpack_values(a[0], axis, count, low_first)}; }, {x},
      list_key(
          {axis.value_or(-1), static_cast<int>(count.has_value()), count.value_or(0), static_cast<int>(low_first)}))[0];
}

const FunctionTable windows_table{
    "numpy",
    {
        function<bartlett>("bartlett(M)", "The triangular window of M points."),
        function<blackman>("blackman(M)", "0.42 - 0.5 cos(2 pi n / (M - 1)) + 0.08 cos(4 pi n / (M - 1))."),
        function<hamming>("hamming(M)", "0.54 - 0.46 cos(2 pi n / (M - 1))."),
        function<hanning>("hanning(M)", "0.5 - 0.5 cos(2 pi n / (M - 1))."),
        function<kaiser>("kaiser(M, beta)", "I0(beta sqrt(1 - x^2)) / I0(beta) for x from -1 to 1."),
        function<packbits>("packbits(a, axis=None, bitorder='big')",
                           "Eight elements, zero or not, as the bits of a uint8."),
        function<unpackbits>("unpackbits(a, axis=None, count=None, bitorder='big')",
                             "The bits of uint8 elements, as 0 and 1."),
    }};

}  // namespace cotan::numpy

#include "numpy/order.h"

#include <bit>
#include <limits>

namespace cotan::numpy {

Array is_nan(const Array& x) {
  if (!is_inexact(x.dtype())) return ops::broadcast_to_shape(ops::scalar_int(DType::bool_, 0), x.shape());
  return ops::ne(x, x);
}

Array one_zero_one_nan(const Array& x) {
  const DType d = x.dtype();
  if (is_complex(d)) return ops::complex(one_zero_one_nan(ops::real(x)), one_zero_one_nan(ops::imag(x)));
  if (!is_floating(d)) return x;
  const auto full = [&](double v) { return ops::broadcast_to_shape(ops::scalar(d, v), x.shape()); };
  const Array zero = ops::select(ops::eq(x, ops::scalar(d, 0)), full(0), x);
  return ops::select(ops::ne(x, x), full(std::numeric_limits<double>::quiet_NaN()), zero);
}

namespace {
Array compare(const Array& x, const Array& y, Binary of_floats, Binary of_others) {
  if (is_floating(x.dtype())) return of_floats(x, y);
  if (!is_complex(x.dtype())) return of_others(x, y);
  const Array xr = ops::real(x), yr = ops::real(y);
  const Array same = ops::eq_to(xr, yr), less = ops::lt_to(xr, yr);
  return ops::bit_or(less, ops::bit_and(same, of_floats(ops::imag(x), ops::imag(y))));
}
}  // namespace
Array order_le(const Array& x, const Array& y) { return compare(x, y, ops::le_to, ops::le); }
Array order_lt(const Array& x, const Array& y) { return compare(x, y, ops::lt_to, ops::lt); }

int one_axis(const char* function, const Axes& axis, int ndim) {
  if (axis.all() || axis.list().length() != 1)
    throw TypeError(std::string(function) + ": axis must be one integer, got " +
                    (axis.all() ? "none" : axis.list().str()));
  return canonical_axis(function, axis.list()[0], ndim);
}

Array positions(DType d, const Shape& shape, int axis) { return ops::iota(d, shape, axis); }

std::int64_t count_true(const char* function, const Array& mask) {
  const DType d = mask.size() > std::numeric_limits<std::int32_t>::max() ? DType::int64 : DType::int32;
  const Array count = ops::reduce_sum(ops::convert_element_type(mask, d), {0});
  try {
    return count.item<std::int64_t>();
  } catch (const ConcretizationTypeError& e) {
    throw ConcretizationTypeError(std::string(function) +
                                  ": the number of results depends on the values, which are traced; give `size`.\n" +
                                  e.what());
  }
}

Array take_along(const Array& x, const Array& indices, int axis) {
  return ops::take_axis(x, indices, axis, {false, false, ops::GatherScatterMode::promise_in_bounds});
}

Array search_sorted(const Array& sorted, const Array& v, bool right) {
  const std::int64_t n = sorted.size();
  const DType d = n > std::numeric_limits<std::int32_t>::max() ? DType::int64 : DType::int32;
  const auto full = [&](std::int64_t i) { return ops::broadcast_to_shape(ops::scalar_int(d, i), v.shape()); };
  if (n == 0 || v.size() == 0) return full(0);
  const Array a = one_zero_one_nan(sorted), x = one_zero_one_nan(v);
  Array low = full(0), high = full(n);
  for (int bits = std::bit_width(static_cast<std::uint64_t>(n)); bits > 0; --bits) {
    const Array half = ops::shift_right_logical(ops::sub(high, low), ops::scalar_int(d, 1));
    const Array middle = ops::add(low, half);
    const Array there = ops::take_axis(a, middle, 0, {false, false, ops::GatherScatterMode::clip});
    const Array before = right ? order_lt(x, there) : order_le(x, there);
    low = ops::select(before, low, middle), high = ops::select(before, middle, high);
  }
  return high;
}

}  // namespace cotan::numpy

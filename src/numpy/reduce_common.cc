#include "numpy/reduce_common.h"

#include <cmath>
#include <limits>

namespace cotan::numpy {

void check_number_operand(const char* function, const Array& x) {
  if (is_key(x.dtype()) || x.dtype() == DType::float0)
    throw TypeError(std::string(function) + " does not accept dtype " + dtype_name(x.dtype()) + ", got " +
                    x.aval().str());
}

void check_mask(const char* function, const Array& where) {
  if (where.has_value() && !is_bool(where))
    throw ValueError(std::string(function) + ": where must be a boolean array; got " + where.aval().str());
}

IntList reduced_axes(const char* function, const Axes& axes, int ndim) {
  return axes.all() ? IntList::range(ndim) : canonical_axes(function, axes.list(), ndim);
}

void check_indexable(const char* function, const Axes& axes, int ndim) {
  for (std::int64_t a : axes.list())
    if (a < -ndim || a >= ndim)
      throw IndexError(std::string(function) + ": axis " + std::to_string(a) +
                       " is out of bounds for array of dimension " + std::to_string(ndim));
}

std::int64_t count_over(const Shape& shape, const IntList& axes) {
  std::int64_t n = 1;
  bool overflow = false;
  for (std::int64_t a : axes) {
    if (shape[a] == 0) return 0;
    overflow |= __builtin_mul_overflow(n, shape[a], &n);
  }
  return overflow ? std::numeric_limits<std::int64_t>::max() : n;
}

Array count_of(DType d, std::int64_t n) {
  return is_integer(d) ? ops::scalar_int(d, n) : ops::scalar(d, static_cast<double>(n));
}

Array extreme_value(DType d, bool highest) {
  if (d == DType::bool_) return ops::scalar_int(d, highest);
  if (!is_integer(d)) return ops::scalar(d, highest ? INFINITY : -INFINITY);
  if (is_unsigned_integer(d)) return ops::scalar_int(d, highest ? -1 : 0);
  const int bits = static_cast<int>(8 * item_size(d));
  const auto low = static_cast<std::int64_t>(~std::uint64_t{0} << (bits - 1));
  return ops::scalar_int(d, highest ? ~low : low);
}

DType accumulator(DType d) { return is_floating(d) && item_size(d) == 2 ? DType::float32 : d; }

DType sum_dtype(DType d) {
  if (d == DType::bool_) return default_int_dtype();
  const DType wide = is_unsigned_integer(d) ? canonical_dtype(DType::uint64) : default_int_dtype();
  return is_integer(d) && item_size(d) < item_size(wide) ? wide : d;
}

Array widened(const Array& x, DType d) {
  const Array number = is_bool(x) && d != DType::bool_ ? to_dtype(x, default_int_dtype(), false) : x;
  return to_dtype(number, d, false);
}

Array masked(const Array& x, const Array& mask, const Array& otherwise) {
  return mask.has_value() ? where(mask, x, otherwise) : x;
}

std::uint64_t static_key(const IntList& axes, std::initializer_list<std::uint64_t> more) {
  std::uint64_t key = static_cast<std::uint64_t>(axes.length());
  for (std::int64_t a : axes) key = combine_key(key, static_cast<std::uint64_t>(a));
  for (std::uint64_t m : more) key = combine_key(key, m);
  return key;
}

}  // namespace cotan::numpy

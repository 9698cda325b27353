#include "lax/operands.h"

#include <algorithm>

#include "ops/common.h"
#include "ops/elementwise.h"

namespace cotan {

namespace {
[[noreturn]] void fail_shapes(const char* function, std::span<const Shape> shapes) {
  std::string s;
  for (const Shape& x : shapes) s += (s.empty() ? "" : ", ") + x.str();
  throw ValueError(std::string(function) + ": Incompatible shapes for broadcasting: shapes=[" + s + "]");
}
}  // namespace

Array to_dtype(const Array& x, DType d, bool weak) {
  if (x.dtype() == d && x.weak_type() == weak) return x;
  if (is_concrete(x) && x.node()->plain_number && x.ndim() == 0 && !is_key(d) && d != DType::float0) {
    HostScalar v = HostScalar::load(x.dtype(), bytes_of(x)).convert(d);
    Array r = evaluation_hook().from_bytes({Shape(), d, weak}, v.bytes);
    r.node()->plain_number = true;
    return r;
  }
  return ops::convert_element_type(x, d, weak);
}

Array with_dtype_of(const Array& x, const Array& y) {
  if (!x.has_value() || !y.has_value() || x.dtype() == y.dtype() || !x.node()->plain_number || y.node()->plain_number)
    return x;
  return promote_types({x.dtype(), x.weak_type()}, {y.dtype(), y.weak_type()}).dtype == y.dtype()
             ? to_dtype(x, y.dtype(), false)
             : x;
}

void refuse_complex_number(const char* function, const Array& x, DType d) {
  if (is_complex(x.dtype()) && !is_complex(d) && d != DType::bool_ && is_concrete(x) && x.node()->plain_number)
    throw TypeError(std::string(function) + ": a real number is expected for dtype " + dtype_name(d) + ", got " +
                    x.str());
}

Array start_from_end(const char* function, Array i, std::int64_t n, bool allowed) {
  if (!is_signed_integer(i.dtype()) || i.ndim() != 0) return i;
  if (item_size(i.dtype()) < 4) i = to_dtype(i, DType::int32, false);
  if (is_concrete(i) && i.node()->plain_number) {
    const auto v = i.item<std::int64_t>();
    if (v < 0 && !allowed)
      throw ValueError(std::string(function) + ": a start of " + std::to_string(v) +
                       " is given where allow_negative_indices is false");
    return v < 0 ? ops::scalar_int(i.dtype(), v + n) : i;
  }
  if (!allowed) return i;
  const DType d = i.dtype();
  const Array negative = ops::lt(i, ops::scalar_int(d, 0));
  return ops::select(negative, ops::add(to_dtype(i, d, false), ops::scalar_int(d, n)), i);
}

int canonical_axis(const char* function, std::int64_t axis, int ndim) {
  if (axis < -ndim || axis >= ndim)
    throw ValueError(std::string(function) + ": axis " + std::to_string(axis) +
                     " is out of bounds for array of dimension " + std::to_string(ndim));
  return static_cast<int>(axis < 0 ? axis + ndim : axis);
}

int indexed_axis(const char* function, std::int64_t axis, int ndim) {
  if (axis < -ndim || axis >= ndim)
    throw IndexError(std::string(function) + ": axis " + std::to_string(axis) +
                     " is out of bounds for array of dimension " + std::to_string(ndim));
  return canonical_axis(function, axis, ndim);
}

IntList canonical_axes(const char* function, const IntList& axes, int ndim) {
  IntList r;
  for (std::int64_t a : axes) {
    const int c = canonical_axis(function, a, ndim);
    if (r.contains(c)) throw ValueError(std::string(function) + ": duplicate value in axis: " + axes.str());
    r.push_back(c);
  }
  std::sort(r.begin(), r.end());
  return r;
}

Shape broadcast_shapes(const char* function, std::span<const Shape> shapes) {
  int ndim = 0;
  for (const Shape& s : shapes) ndim = std::max(ndim, s.ndim());
  Shape out = Shape(IntList::filled(ndim, 1));
  for (const Shape& s : shapes)
    for (int i = 0; i < s.ndim(); ++i) {
      std::int64_t& n = out[ndim - s.ndim() + i];
      if (s[i] == n || s[i] == 1) continue;
      if (n != 1) fail_shapes(function, shapes);
      n = s[i];
    }
  return out;
}

}  // namespace cotan

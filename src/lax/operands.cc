#include "lax/operands.h"

#include <algorithm>

#include "ops/elementwise.h"

namespace cotan {

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

int canonical_axis(const char* function, std::int64_t axis, int ndim) {
  if (axis < -ndim || axis >= ndim)
    throw ValueError(std::string(function) + ": axis " + std::to_string(axis) +
                     " is out of bounds for array of dimension " + std::to_string(ndim));
  return static_cast<int>(axis < 0 ? axis + ndim : axis);
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

}  // namespace cotan

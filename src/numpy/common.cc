#include "numpy/common.h"

namespace cotan::numpy {

namespace {
[[noreturn]] void fail_shapes(const char* function, std::span<const Shape> shapes) {
  std::string s;
  for (const Shape& x : shapes) s += (s.empty() ? "" : ", ") + x.str();
  throw ValueError(std::string(function) + ": Incompatible shapes for broadcasting: shapes=[" + s + "]");
}

Array with_rank(const Array& x, int ndim) {
  if (x.ndim() == 0 || x.ndim() == ndim) return x;
  return ops::expand_dims(x, IntList::range(ndim - x.ndim()));
}

Pair with_type(const char* function, const Array& x, const Array& y, DType d, bool weak) {
  const int ndim = std::max(x.ndim(), y.ndim());
  if (x.ndim() && y.ndim() && !(x.shape() == y.shape())) {
    const Shape shapes[] = {x.shape(), y.shape()};
    broadcast_shapes(function, shapes);
  }
  return {to_dtype(with_rank(x, ndim), d, weak), to_dtype(with_rank(y, ndim), d, weak)};
}

void check_number(const char* function, const Array& x) {
  if (is_key(x.dtype()) || x.dtype() == DType::float0)
    throw TypeError(std::string(function) + " does not accept dtype " + dtype_name(x.dtype()) + ", got " +
                    x.aval().str());
}
}  // namespace

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

Pair promote(const char* function, const Array& x, const Array& y) {
  check_number(function, x);
  check_number(function, y);
  if (x.dtype() == y.dtype() && x.weak_type() == y.weak_type())
    return with_type(function, x, y, x.dtype(), x.weak_type());
  LatticeType t = promote_types({x.dtype(), x.weak_type()}, {y.dtype(), y.weak_type()});
  return with_type(function, x, y, canonical_dtype(t.dtype), t.weak);
}

Pair promote_inexact(const char* function, const Array& x, const Array& y) {
  check_number(function, x);
  check_number(function, y);
  LatticeType t = promote_types({x.dtype(), x.weak_type()}, {y.dtype(), y.weak_type()});
  return with_type(function, x, y, canonical_dtype(to_inexact_dtype(t.dtype)), t.weak);
}

Pair promote_inexact_types(const char* function, const Array& x, const Array& y) {
  check_number(function, x);
  check_number(function, y);
  const LatticeType t = promote_types({x.dtype(), x.weak_type()}, {y.dtype(), y.weak_type()});
  const DType d = canonical_dtype(to_inexact_dtype(t.dtype));
  return {to_dtype(x, d, t.weak), to_dtype(y, d, t.weak)};
}

Array promote_inexact(const Array& x) {
  return to_dtype(x, canonical_dtype(to_inexact_dtype(x.dtype())), x.weak_type());
}

}  // namespace cotan::numpy

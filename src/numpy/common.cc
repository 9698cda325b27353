#include "numpy/common.h"

namespace cotan::numpy {

namespace {
// Of one rank: the primitive's TypeError, as in JAX.
void check_sizes_fit(const char* function, const Shape (&s)[2]) {
  for (int i = 0; i < s[0].ndim(); ++i)
    if (s[0][i] != s[1][i] && s[0][i] != 1 && s[1][i] != 1)
      throw TypeError(std::string(function) + " got incompatible shapes for broadcasting: " + s[0].str() + ", " +
                      s[1].str() + ".");
}

Array with_rank(const Array& x, int ndim) {
  if (x.ndim() == 0 || x.ndim() == ndim) return x;
  return ops::expand_dims(x, IntList::range(ndim - x.ndim()));
}

Pair with_type(const char* function, const Array& x, const Array& y, DType d, bool weak) {
  const int ndim = std::max(x.ndim(), y.ndim());
  if (x.ndim() && y.ndim() && !(x.shape() == y.shape())) {
    const Shape shapes[] = {x.shape(), y.shape()};
    if (x.ndim() == y.ndim()) check_sizes_fit(function, shapes);
    else broadcast_shapes(function, shapes);
  }
  return {to_dtype(with_rank(x, ndim), d, weak), to_dtype(with_rank(y, ndim), d, weak)};
}

void check_number(const char* function, const Array& x) {
  if (is_key(x.dtype()) || x.dtype() == DType::float0)
    throw TypeError(std::string(function) + " does not accept dtype " + dtype_name(x.dtype()) + ", got " +
                    x.aval().str());
}
}  // namespace

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

std::vector<Array> promoted(const std::vector<Array>& xs) {
  LatticeType t{xs[0].dtype(), xs[0].weak_type()};
  bool same = true;
  std::vector<LatticeType> types;
  for (const Array& x : xs) {
    types.push_back({x.dtype(), x.weak_type()});
    same &= types.back() == t;
  }
  if (same) return xs;
  t = promote_types(types);
  std::vector<Array> r;
  for (const Array& x : xs) r.push_back(is_key(t.dtype) ? x : to_dtype(x, canonical_dtype(t.dtype), t.weak));
  return r;
}

std::int64_t checked_size(const char* function, std::int64_t size, std::int64_t factor) {
  std::int64_t n;
  if (__builtin_mul_overflow(size, factor, &n))
    throw ValueError(std::string(function) + ": Maximum allowed size exceeded");
  return n;
}

}  // namespace cotan::numpy

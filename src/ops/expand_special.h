// What expansions share.
#pragma once
#include <cstddef>

#include "ops/common.h"
#include "ops/elementwise.h"

namespace cotan::ops::expand {

// f of arrays, computed in float32 where they have 16 bits.
template <class F, class... A> Array widened(F f, const Array& x, const A&... rest) {
  if (x.dtype() != DType::bfloat16 && x.dtype() != DType::float16) return f(x, rest...);
  const auto wide = [](const Array& v) { return convert_element_type(v, DType::float32); };
  return convert_element_type(f(wide(x), wide(rest)...), x.dtype());
}
// f of arrays in float64, of one shape.
template <class F, class... A> Array in_double(F f, const Array& x, const A&... rest) {
  const Aval avals[] = {x.aval(), rest.aval()...};
  const Shape shape = elementwise_shape("expand", avals);
  const auto wide = [&](const Array& v) { return broadcast_to_shape(convert_element_type(v, DType::float64), shape); };
  return convert_element_type(f(wide(x), wide(rest)...), x.dtype());
}

inline Array all(const Array& x, double v) { return full(x.aval().strong(), v); }
inline Array plus(const Array& x, double v) { return add(x, scalar(x.dtype(), v)); }
inline Array times(const Array& x, double v) { return mul(x, scalar(x.dtype(), v)); }
inline Array with_sign(const Array& magnitude, const Array& x) { return mul(magnitude, sign(x)); }

// c[0] + c[1] x + ...
template <std::size_t n> Array polynomial(const Array& x, const double (&c)[n]) {
  Array y = all(x, c[n - 1]);
  for (std::size_t i = n - 1; i-- > 0;) y = plus(mul(y, x), c[i]);
  return y;
}

}  // namespace cotan::ops::expand

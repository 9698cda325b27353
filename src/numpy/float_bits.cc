// numpy: counts of bits, neighbouring floats.
#include <cmath>

#include "api/function_table.h"
#include "numpy/common.h"

namespace cotan::numpy {

Array bitwise_count(const Array& x) {
  COTAN_API;
  const Array n = is_bool(x) ? to_dtype(x, DType::uint8, false) : x;
  const Array size = is_signed_integer(n.dtype()) ? ops::abs(n) : n;
  return to_dtype(ops::population_count(size), DType::uint8, false);
}

Array nextafter(const Array& x, const Array& y) {
  COTAN_API;
  const Pair p = promote_inexact("nextafter", x, y);
  return jitted("nextafter", [](const Arrays& a) { return ops::nextafter(a[0], a[1]); }, {p.x, p.y});
}

// As NumPy: for float16 upwards whatever the sign, so that the step at a negative power of two is that towards 0.
Array spacing(const Array& x) {
  COTAN_API;
  if (is_complex(x.dtype())) throw ValueError("spacing is not defined for complex numbers, got " + x.aval().str());
  const Array v = to_dtype(promote_inexact(x), promote_inexact(x).dtype(), false);
  const Array inf = ops::broadcast_to_shape(ops::scalar(v.dtype(), HUGE_VAL), v.shape());
  const Array negative = signbit(v);
  const Array away = v.dtype() == DType::float16 ? inf : ops::select(negative, ops::neg(inf), inf);
  return ops::sub(ops::nextafter(v, away), v);
}

const FunctionTable float_bits_table{
    "numpy",
    {
        function<bitwise_count>("bitwise_count(x, /)", "Bits set in the absolute values of integers, as uint8."),
        function<nextafter>("nextafter(x, y, /)", "The float beside x towards y."),
        function<spacing>("spacing(x, /)", "The distance from x to the float beside it, away from 0."),
    }};

}  // namespace cotan::numpy

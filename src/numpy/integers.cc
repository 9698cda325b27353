// numpy's functions of integers, and second names of elementwise functions.
#include "api/function_table.h"
#include "numpy/common.h"

namespace cotan::numpy {

namespace {

Pair promote_integers(const char* name, const Array& x, const Array& y) {
  const Shape shapes[] = {x.shape(), y.shape()};
  broadcast_shapes(name, shapes);
  const Pair p = promote(name, x, y);
  if (!is_integer(p.x.dtype()))
    throw ValueError(std::string("Arguments to numpy::") + name + " must be integers, got " + x.aval().str() + " and " +
                     y.aval().str());
  return p;
}
Array magnitude(const Array& x) { return is_unsigned_integer(x.dtype()) ? x : ops::abs(x); }

}  // namespace

Array gcd(const Array& x, const Array& y) {
  COTAN_API;
  return jitted("gcd",
                [](const Arrays& a) {
                  const Pair p = promote_integers("gcd", a[0], a[1]);
                  return ops::gcd(p.x, p.y);
                },
                {x, y});
}

Array lcm(const Array& x, const Array& y) {
  COTAN_API;
  return jitted("lcm",
                [](const Arrays& a) {
                  const Pair p = promote_integers("lcm", a[0], a[1]);
                  const Array m = magnitude(p.x), n = magnitude(p.y), d = gcd(m, n);
                  const Array none = ops::eq(d, number_like(d, 0)), product = ops::mul(m, floor_divide(n, d));
                  return where(none, number_like(product, 0), product);
                },
                {x, y});
}

#define COTAN_ALIAS_1(NAME, FN) \
  Array NAME(const Array& x) {  \
    COTAN_API;                  \
    return FN(x);               \
  }
#define COTAN_ALIAS_2(NAME, FN)                \
  Array NAME(const Array& x, const Array& y) { \
    COTAN_API;                                 \
    return FN(x, y);                           \
  }
COTAN_ALIAS_1(acos, arccos)
COTAN_ALIAS_1(acosh, arccosh)
COTAN_ALIAS_1(asin, arcsin)
COTAN_ALIAS_1(asinh, arcsinh)
COTAN_ALIAS_1(atan, arctan)
COTAN_ALIAS_1(atanh, arctanh)
COTAN_ALIAS_1(bitwise_invert, bitwise_not)
COTAN_ALIAS_2(atan2, arctan2)
COTAN_ALIAS_2(bitwise_left_shift, left_shift)
COTAN_ALIAS_2(bitwise_right_shift, right_shift)
COTAN_ALIAS_2(pow, power)
#undef COTAN_ALIAS_1
#undef COTAN_ALIAS_2

const FunctionTable integers_table{
    "numpy",
    {
        function<gcd>("gcd(x1, x2)", "The greatest common divisor of integers. ValueError for other types."),
        function<lcm>("lcm(x1, x2)", "The least common multiple of integers. ValueError for other types."),
        function<acos>("acos(x, /)", "The inverse of cos, in [0, pi]."),
        function<acosh>("acosh(x, /)", "The inverse of cosh."),
        function<asin>("asin(x, /)", "The inverse of sin, in [-pi/2, pi/2]."),
        function<asinh>("asinh(x, /)", "The inverse of sinh."),
        function<atan>("atan(x, /)", "The inverse of tan, in [-pi/2, pi/2]."),
        function<atanh>("atanh(x, /)", "The inverse of tanh."),
        function<atan2>("atan2(x1, x2, /)", "The angle of the point (x2, x1), in [-pi, pi]."),
        function<bitwise_invert>("bitwise_invert(x, /)", "All bits inverted; not of bools."),
        function<bitwise_left_shift>("bitwise_left_shift(x, y, /)",
                                     "x * 2^y; 0 where y is the width or more, or negative."),
        function<bitwise_right_shift>("bitwise_right_shift(x1, x2, /)", "x1 / 2^x2, rounded down."),
        function<pow>("pow(x1, x2, /)", "x1 to the power x2."),
    }};

}  // namespace cotan::numpy

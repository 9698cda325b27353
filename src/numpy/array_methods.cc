// Array's operators and methods.
#include <ostream>

#include "numpy/common.h"
#include "cotan/numpy_print.h"

namespace cotan {

Array Array::T() const {
  COTAN_API;
  return numpy::transpose(*this);
}
Array Array::astype(DType d) const {
  COTAN_API;
  return numpy::astype(*this, d);
}
Array Array::reshape(const Shape& s) const {
  COTAN_API;
  return numpy::reshape(*this, s);
}

#define COTAN_OPERATOR(OP, FN)                        \
  Array operator OP(const Array& x, const Array& y) { \
    COTAN_API;                                        \
    return numpy::FN(x, y);                           \
  }
COTAN_OPERATOR(+, add)
COTAN_OPERATOR(-, subtract)
COTAN_OPERATOR(*, multiply)
COTAN_OPERATOR(/, divide)
COTAN_OPERATOR(%, remainder)
COTAN_OPERATOR(<, less)
COTAN_OPERATOR(>, greater)
COTAN_OPERATOR(<=, less_equal)
COTAN_OPERATOR(>=, greater_equal)
COTAN_OPERATOR(==, equal)
COTAN_OPERATOR(!=, not_equal)
COTAN_OPERATOR(&, bitwise_and)
COTAN_OPERATOR(|, bitwise_or)
COTAN_OPERATOR(^, bitwise_xor)
COTAN_OPERATOR(<<, left_shift)
COTAN_OPERATOR(>>, right_shift)
#undef COTAN_OPERATOR
Array operator-(const Array& x) {
  COTAN_API;
  return numpy::negative(x);
}
Array operator~(const Array& x) {
  COTAN_API;
  return numpy::bitwise_not(x);
}

#define COTAN_UPDATE(OP, FN)                   \
  Array& Array::operator OP(const Array& o)& { \
    COTAN_API;                                 \
    return *this = numpy::FN(*this, o);        \
  }
COTAN_UPDATE(+=, add)
COTAN_UPDATE(-=, subtract)
COTAN_UPDATE(*=, multiply)
COTAN_UPDATE(/=, divide)
#undef COTAN_UPDATE

std::string Array::str() const {
  COTAN_API;
  return numpy::array_str(*this);
}
std::string Array::repr() const {
  COTAN_API;
  return numpy::array_repr(*this);
}
std::ostream& operator<<(std::ostream& out, const Array& x) { return out << x.str(); }

}  // namespace cotan

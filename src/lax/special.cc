// lax's special functions.
#include "ops/special.h"

#include "cotan/lax.h"
#include "lax/operands.h"

namespace cotan::lax {

#define COTAN_UNARY(NAME)      \
  Array NAME(const Array& x) { \
    COTAN_API;                 \
    return ops::NAME(x);       \
  }
COTAN_UNARY(erf)
COTAN_UNARY(erfc)
COTAN_UNARY(lgamma)
COTAN_UNARY(digamma)
COTAN_UNARY(bessel_i0e)
COTAN_UNARY(bessel_i1e)
#undef COTAN_UNARY

#define COTAN_BINARY(NAME)                                      \
  Array NAME(const Array& x, const Array& y) {                  \
    COTAN_API;                                                  \
    return ops::NAME(with_dtype_of(x, y), with_dtype_of(y, x)); \
  }
COTAN_BINARY(polygamma)
COTAN_BINARY(zeta)
COTAN_BINARY(igamma)
COTAN_BINARY(igammac)
COTAN_BINARY(igamma_grad_a)
COTAN_BINARY(random_gamma_grad)
#undef COTAN_BINARY

Array betainc(const Array& a, const Array& b, const Array& x) {
  COTAN_API;
  return ops::betainc(with_dtype_of(with_dtype_of(a, b), x), with_dtype_of(with_dtype_of(b, a), x),
                      with_dtype_of(with_dtype_of(x, a), b));
}

}  // namespace cotan::lax

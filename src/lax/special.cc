// lax's special functions.
#include "api/function_table.h"
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

const FunctionTable special_table{
    "lax",
    {
        function<erf>("erf(x)", "The error function."),
        function<erfc>("erfc(x)", "1 - erf(x), accurate where it is small."),
        function<lgamma>("lgamma(x)", "The logarithm of the gamma function's modulus."),
        function<digamma>("digamma(x)", "The derivative of lgamma."),
        function<bessel_i0e>("bessel_i0e(x)", "exp(-|x|) times the modified Bessel function of order 0."),
        function<bessel_i1e>("bessel_i1e(x)", "exp(-|x|) times the modified Bessel function of order 1."),
        function<polygamma>("polygamma(m, x)", "The derivative of order m of digamma."),
        function<zeta>("zeta(x, q)", "Hurwitz's zeta function: the sum over k of (k + q)^-x."),
        function<igamma>("igamma(a, x)", "The regularised lower incomplete gamma function."),
        function<igammac>("igammac(a, x)", "The regularised upper incomplete gamma function."),
        function<igamma_grad_a>("igamma_grad_a(a, x)", "The derivative of igamma by a."),
        function<random_gamma_grad>("random_gamma_grad(*args)", "The derivative by a of a gamma sample x."),
        function<betainc>("betainc(a, b, x)", "The regularised incomplete beta function."),
    }};

}  // namespace cotan::lax

// The elementary functions of complex numbers on single values, composed of the real ones. complex64 is computed as
// complex128 and rounded once. Errors are measured against |result|: a few ulp of it, save where stated. Branch cuts and
// special values as C99 Annex G (and NumPy): the sign of a zero tells the side of a cut.
//
// abs, sign and integer powers belong to arithmetic: complex_rules.h.
#pragma once
#include "kernel/tile_types.h"

namespace cotan::ops::host {

using kernel::Complex128;

// A list that declarations, tile functions and tests share.
// clang-format off
#define COTAN_COMPLEX_UNARY(X)                                                                                 \
  X(exp) X(exp2) X(expm1) X(log) X(log1p) X(logistic) X(sqrt) X(rsqrt) X(sin) X(cos) X(tan) X(sinh) X(cosh) \
  X(tanh) X(asin) X(acos) X(atan) X(asinh) X(acosh) X(atanh)
// clang-format on
#define COTAN_DECLARE(f) Complex128 f(Complex128 z);
COTAN_COMPLEX_UNARY(COTAN_DECLARE)
#undef COTAN_DECLARE

// e^(w log z), whose error grows with |w log z|. z^0 = 1 and 1^w = 1, also for NaN; 0^w = 0 for Re w > 0.
Complex128 pow(Complex128 z, Complex128 w);

// sqrt(x^2 + y^2) without overflow; infinite where either part is, even beside NaN.
double hypot(double x, double y);

}  // namespace cotan::ops::host

// Primitives that have no operation in StableHLO, by simpler ones: rules `stablehlo` of records. They are also right for real
// operands of 16 bits, which are computed in float32.
#pragma once
#include "core/primitive.h"

namespace cotan::ops::expand {

#define COTAN_EXPAND(name) Array name(const EqnContext&, std::span<const Array> in)
COTAN_EXPAND(exp2);
COTAN_EXPAND(asin);
COTAN_EXPAND(acos);
COTAN_EXPAND(atan);
COTAN_EXPAND(sinh);
COTAN_EXPAND(cosh);
COTAN_EXPAND(asinh);
COTAN_EXPAND(acosh);
COTAN_EXPAND(atanh);
COTAN_EXPAND(logaddexp);
COTAN_EXPAND(erf_inv);
COTAN_EXPAND(erf);
COTAN_EXPAND(erfc);
COTAN_EXPAND(bessel_i0e);
COTAN_EXPAND(bessel_i1e);
COTAN_EXPAND(lgamma);
COTAN_EXPAND(digamma);
COTAN_EXPAND(gamma);
COTAN_EXPAND(zeta);
COTAN_EXPAND(polygamma);
COTAN_EXPAND(mulhi);
COTAN_EXPAND(nextafter);
#undef COTAN_EXPAND

}  // namespace cotan::ops::expand

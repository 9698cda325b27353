// What the distributions share.
#pragma once
#include <cmath>

#include "cotan/scipy_special.h"
#include "cotan/scipy_stats.h"
#include "ops/special.h"
#include "scipy/common.h"

namespace cotan::scipy::stats {

using numpy::where;

inline constexpr double half_log_two_pi = 0.91893853320467274178;

inline Array exp(const Array& x) { return ops::exp(x); }
inline Array log(const Array& x) { return ops::log(x); }
inline Array like(const Array& x, double v) { return ops::number_like(x, v); }

// log(1 - exp(-x)) for x >= 0; the branch that is not taken has harmless operands, for the sake of derivatives.
inline Array log1mexp(const Array& x) {
  const Array small = x < M_LN2, one = like(x, 1);
  return where(small, log(-ops::expm1(-where(small, x, one))), ops::log1p(-exp(-where(small, one, x))));
}
// The logarithm of a probability, given its complement as well: that of the smaller one is right.
inline Array log_of(const Array& p, const Array& complement) {
  const Array small = p < 0.5, half = like(p, 0.5);
  return where(small, log(where(small, p, half)), ops::log1p(-where(small, half, complement)));
}
// NaN where a probability is outside [0, 1].
inline Array probability(const Array& q, const Array& value) {
  return where((q >= 0) & (q <= 1), value, like(value, NAN));
}
inline Array minus_infinity(const Array& outside, const Array& value) {
  return where(outside, like(value, -INFINITY), value);
}

}  // namespace cotan::scipy::stats

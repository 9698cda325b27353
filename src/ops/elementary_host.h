// The elementary functions on single values: the same rules, hence the same bits, as the tile functions. For constant
// folding, complex arithmetic, and the lanes that a vector rule marks as rare.
//
// Largest errors in ulp (float32 over all values, float64 over samples): tests/unit/elementary. Special values as C99.
#pragma once

namespace cotan::ops::host {

// Every function of one argument; a list that declarations, definitions and tests share.
// clang-format off
#define COTAN_ELEMENTARY_UNARY(X)                                                                             \
  X(sin) X(cos) X(tan) X(exp) X(exp2) X(expm1) X(log) X(log1p) X(logistic) X(sinh) X(cosh) X(tanh) X(asinh) \
  X(acosh) X(atanh) X(sqrt) X(rsqrt) X(cbrt) X(asin) X(acos) X(atan) X(erf_inv)
// clang-format on
#define COTAN_DECLARE(f) \
  float f(float x);      \
  double f(double x);
COTAN_ELEMENTARY_UNARY(COTAN_DECLARE)
#undef COTAN_DECLARE

float pow(float x, float y);
double pow(double x, double y);
float atan2(float y, float x);
double atan2(double y, double x);

template <class T> struct SinCos { T sin, cos; };
SinCos<float> sincos(float x);
SinCos<double> sincos(double x);

// log(1 + hi + lo) for |lo| small against 1 + hi.
float log1p_pair(float hi, float lo);
double log1p_pair(double hi, double lo);

}  // namespace cotan::ops::host

// Host-scalar instances of the rules, and the reduction of huge angles.
#include "ops/elementary_host.h"

#include <bit>
#include <cstdint>

#include "kernel/builder_scalar.h"
#include "ops/coefficients.h"

namespace cotan::ops {
namespace {
namespace rules {
#include "ops/elementary_rules.h"
#include "ops/trig_rules.h"
#include "ops/exp_log_rules.h"
#include "ops/hyperbolic_rules.h"
#include "ops/power_rules.h"
#include "ops/inverse_rules.h"
}  // namespace rules

using kernel::ScalarBuilder;

// 64 bits of 2/pi from bit `first` on; bit k has the weight 2^-k, bits before bit 1 are zero.
std::uint64_t two_over_pi_bits(int first) {
  if (first < 1) return first <= -63 ? 0 : two_over_pi[0] >> (1 - first);
  const int word = (first - 1) / 64, offset = (first - 1) % 64;
  const std::uint64_t high = word < 20 ? two_over_pi[word] : 0, low = word + 1 < 20 ? two_over_pi[word + 1] : 0;
  return offset == 0 ? high : high << offset | low >> (64 - offset);
}

double power_of_two(int n) {  // for normal results
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + n) << 52);
}

// An angle as quadrant and remainder in [-pi/4, pi/4], the latter as hi + lo.
struct Reduced {
  double hi, lo;
  unsigned quadrant;
};

// Payne and Hanek: x = m 2^e; of x 2/pi only the bits of 2/pi matter whose product with m is neither a multiple of 4 nor
// below the result: 192 of them, from weight 2^(1-e) on. For finite x >= 2^17.
Reduced reduce_huge(double x) {
  __extension__ using u128 = unsigned __int128;
  const std::uint64_t pattern = std::bit_cast<std::uint64_t>(x);
  const int e = static_cast<int>(pattern >> 52) - 1075;
  const std::uint64_t m = (pattern & 0xfffffffffffff) | 1ull << 52;
  const std::uint64_t w2 = two_over_pi_bits(e - 1), w1 = two_over_pi_bits(e + 63), w0 = two_over_pi_bits(e + 127);
  const u128 p0 = static_cast<u128>(m) * w0;
  const u128 p1 = static_cast<u128>(m) * w1 + static_cast<std::uint64_t>(p0 >> 64);
  const std::uint64_t top = m * w2 + static_cast<std::uint64_t>(p1 >> 64);  // its two top bits count quarter turns
  u128 fraction =
      (static_cast<u128>(top) << 64 | static_cast<std::uint64_t>(p1)) << 2 | static_cast<std::uint64_t>(p0) >> 62;
  unsigned quadrant = static_cast<unsigned>(top >> 62);
  const bool negative = fraction >> 127 != 0;  // nearer to the next quarter turn
  if (negative) {
    fraction = -fraction;
    ++quadrant;
  }
  // fraction / 2^128 as two doubles. It is not below 2^-70: no double is nearer to a multiple of pi/2.
  const std::uint64_t high = static_cast<std::uint64_t>(fraction >> 64);
  const int zeros =
      high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(fraction) | 1);
  const u128 aligned = fraction << zeros;
  const double unit = power_of_two(-53 - zeros);
  const double f_hi = static_cast<double>(static_cast<std::uint64_t>(aligned >> 75)) * unit;
  const double f_lo =
      static_cast<double>(static_cast<std::uint64_t>(aligned >> 22) & ((1ull << 53) - 1)) * unit * 0x1p-53;
  const double* half_pi = Coefficients<double>::half_pi;
  ScalarBuilder<double> b;
  using D = rules::Pair<ScalarBuilder<double>>;
  const D product = rules::mul_pairs(b, D{f_hi, f_lo}, D{half_pi[0], half_pi[1]});
  const D r = rules::fast_two_sum(b, product.hi, product.lo);
  return negative ? Reduced{-r.hi, -r.lo, quadrant} : Reduced{r.hi, r.lo, quadrant};
}

template <class T> bool is_huge(T magnitude) {  // false for NaN, which the rule passes on
  return magnitude > static_cast<T>(rules::trig_fast_bound<ScalarBuilder<T>>);
}

template <class T> rules::TrigReduced<ScalarBuilder<T>> reduce(ScalarBuilder<T>& b, T magnitude) {
  if (!is_huge(magnitude)) return rules::trig_reduce(b, magnitude);
  if (!b.is_finite(magnitude)) return {magnitude - magnitude, 0, 0};
  const Reduced r = reduce_huge(static_cast<double>(magnitude));
  const T hi = static_cast<T>(r.hi);
  return {hi, static_cast<T>((r.hi - static_cast<double>(hi)) + r.lo), r.quadrant};
}

template <class T> host::SinCos<T> sincos_any(T x) {
  ScalarBuilder<T> b;
  const auto y = rules::sincos_of(b, reduce(b, b.abs(x)), rules::sign_of(b, x));
  return {y.sin, y.cos};
}
template <class T> T tan_any(T x) {
  ScalarBuilder<T> b;
  return rules::tan_of(b, reduce(b, b.abs(x)), rules::sign_of(b, x));
}

}  // namespace

namespace host {

float sin(float x) { return sincos_any(x).sin; }
double sin(double x) { return sincos_any(x).sin; }
float cos(float x) { return sincos_any(x).cos; }
double cos(double x) { return sincos_any(x).cos; }
float tan(float x) { return tan_any(x); }
double tan(double x) { return tan_any(x); }
SinCos<float> sincos(float x) { return sincos_any(x); }
SinCos<double> sincos(double x) { return sincos_any(x); }

// The rest have no rare lanes: the rule is the function.
#define COTAN_DEFINE(f)      \
  float f(float x) {         \
    ScalarBuilder<float> b;  \
    return rules::f(b, x);   \
  }                          \
  double f(double x) {       \
    ScalarBuilder<double> b; \
    return rules::f(b, x);   \
  }
#define COTAN_DEFINE_2(f)        \
  float f(float x, float y) {    \
    ScalarBuilder<float> b;      \
    return rules::f(b, x, y);    \
  }                              \
  double f(double x, double y) { \
    ScalarBuilder<double> b;     \
    return rules::f(b, x, y);    \
  }
COTAN_DEFINE(exp)
COTAN_DEFINE(exp2)
COTAN_DEFINE(expm1)
COTAN_DEFINE(log)
COTAN_DEFINE(log1p)
COTAN_DEFINE(logistic)
COTAN_DEFINE(sinh)
COTAN_DEFINE(cosh)
COTAN_DEFINE(tanh)
COTAN_DEFINE(asinh)
COTAN_DEFINE(acosh)
COTAN_DEFINE(atanh)
COTAN_DEFINE(sqrt)
COTAN_DEFINE(rsqrt)
COTAN_DEFINE(cbrt)
COTAN_DEFINE(asin)
COTAN_DEFINE(acos)
COTAN_DEFINE(atan)
COTAN_DEFINE(erf_inv)
COTAN_DEFINE_2(pow)
COTAN_DEFINE_2(atan2)
#undef COTAN_DEFINE
#undef COTAN_DEFINE_2

float log1p_pair(float hi, float lo) {
  ScalarBuilder<float> b;
  return rules::log1p_pair(b, rules::Pair<ScalarBuilder<float>>{hi, lo}, 0.0f);
}
double log1p_pair(double hi, double lo) {
  ScalarBuilder<double> b;
  return rules::log1p_pair(b, rules::Pair<ScalarBuilder<double>>{hi, lo}, 0.0);
}

}  // namespace host
}  // namespace cotan::ops

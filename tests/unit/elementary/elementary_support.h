// What the tests of the elementary functions share: the functions with their bounds and references, errors in ulp, and the
// evaluation of tile functions over vectors.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "kernel/tile.h"
#include "ops/elementary_host.h"
#include "ops/tile_list.h"
#include "unit/elementary/elementary_samples.h"

namespace cotan::test {

// erf_inv by Newton's method on libm's erf, from an estimate.
inline double erf_inv_reference(double x) {
  const double a = std::fabs(x);
  if (!(a < 1)) return a == 1 ? std::copysign(INFINITY, x) : NAN;
  if (x == 0) return x;
  double y = ops::host::erf_inv(a);
  const double slope = 2 / std::sqrt(M_PI);
  for (int i = 0; i < 3; ++i) y += (a < 0.5 ? a - std::erf(y) : std::erfc(y) - (1 - a)) / (slope * std::exp(-y * y));
  return std::copysign(y, x);
}
inline double logistic_reference(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
inline double rsqrt_reference(double x) { return 1 / std::sqrt(x); }

struct Unary {
  const char* name;
  double bound32, bound64;  // largest error in ulp
  float (*host32)(float);
  double (*host64)(double);
  double (*reference)(double);
};
inline const std::vector<Unary>& unary_functions() {
#define COTAN_UNARY(f, bound32, bound64, reference) \
  { #f, bound32, bound64, ops::host::f, ops::host::f, reference }
  static const std::vector<Unary> all = {
    COTAN_UNARY(sin, 0.95, 0.95, std::sin),
    COTAN_UNARY(cos, 0.95, 0.95, std::cos),
    COTAN_UNARY(tan, 1.25, 1.25, std::tan),
    COTAN_UNARY(exp, 1.0, 1.0, std::exp),
    COTAN_UNARY(exp2, 0.9, 0.9, std::exp2),
    COTAN_UNARY(expm1, 1.3, 1.3, std::expm1),
    COTAN_UNARY(log, 0.95, 0.95, std::log),
    COTAN_UNARY(log1p, 1.05, 1.05, std::log1p),
    COTAN_UNARY(logistic, 1.0, 1.0, logistic_reference),
    COTAN_UNARY(sinh, 1.0, 1.0, std::sinh),
    COTAN_UNARY(cosh, 1.0, 1.0, std::cosh),
    COTAN_UNARY(tanh, 1.1, 1.1, std::tanh),
    COTAN_UNARY(asinh, 1.0, 1.0, std::asinh),
    COTAN_UNARY(acosh, 1.0, 1.0, std::acosh),
    COTAN_UNARY(atanh, 1.0, 1.0, std::atanh),
    COTAN_UNARY(rsqrt, 0.51, 0.51, rsqrt_reference),
    COTAN_UNARY(cbrt, 0.51, 0.51, std::cbrt),
    COTAN_UNARY(asin, 1.2, 1.2, std::asin),
    COTAN_UNARY(acos, 1.2, 1.2, std::acos),
    COTAN_UNARY(atan, 1.0, 1.0, std::atan),
    COTAN_UNARY(erf_inv, 1.8, 1.8, erf_inv_reference),
  };
#undef COTAN_UNARY
  return all;
}

// |got - exact| in units of the last place of exact, in T. Infinite when one is NaN or infinite and the other is not, and
// for a zero of the wrong sign.
template <class T, class Wide> double ulp_error(T got, Wide exact) {
  constexpr int digits = std::numeric_limits<T>::digits, low = std::numeric_limits<T>::min_exponent - digits;
  const T rounded = static_cast<T>(exact);
  if (std::isnan(rounded) || std::isnan(got)) return std::isnan(rounded) && std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(rounded) || std::isinf(got)) return rounded == got ? 0 : INFINITY;
  if (exact == 0 && (got != 0 || std::signbit(got) != std::signbit(exact))) return INFINITY;
  if (exact == 0) return 0;
  int exponent;
  std::frexp(exact, &exponent);
  const Wide unit = std::ldexp(Wide(1), std::max(exponent - digits, low));
  return static_cast<double>(std::fabs(static_cast<Wide>(got) - exact) / unit);
}

inline std::vector<kernel::Isa> available_isas() {
  std::vector<kernel::Isa> isas;
  for (kernel::Isa isa : {kernel::Isa::avx2, kernel::Isa::avx512, kernel::Isa::neon}) {
    if (kernel::isa_available(isa)) isas.push_back(isa);
  }
  return isas;
}
// Only the families under test, so that these tests need no other.
inline const kernel::TileRegistry& elementary_tiles(kernel::Isa isa) {
  static std::unique_ptr<kernel::TileRegistry> made[3];
  auto& r = made[static_cast<int>(isa)];
  if (r == nullptr) {
    r = std::make_unique<kernel::TileRegistry>(isa);
    ops::register_trig_tiles(*r);
    ops::register_exp_log_tiles(*r);
    ops::register_hyperbolic_tiles(*r);
    ops::register_power_tiles(*r);
    ops::register_inverse_tiles(*r);
    ops::register_complex_math_tiles(*r);
  }
  return *r;
}

// Applies a tile function in pieces of an odd length, so that partial vectors occur. y may be empty for unary functions.
template <class T>
std::vector<T> evaluate(const kernel::TileRegistry& tiles, const char* name, DType dtype, const std::vector<T>& x,
                        const std::vector<T>& y = {}) {
  std::vector<T> out(x.size());
  const kernel::TileFn fn = tiles.find(name)->fn[static_cast<int>(dtype)];
  constexpr std::size_t piece = 509;
  for (std::size_t i = 0; i < x.size(); i += piece) {
    T* second = const_cast<T*>(y.empty() ? x.data() : y.data()) + i;
    void* regs[3] = {out.data() + i, const_cast<T*>(x.data()) + i, second};
    kernel::Ins ins{};
    ins.dst = 0, ins.a = 1, ins.b = 2, ins.step_a = 1, ins.step_b = 1;
    fn(regs, &ins, std::min(piece, x.size() - i));
  }
  return out;
}
template <class T> constexpr DType float_dtype = sizeof(T) == 4 ? float32 : float64;

}  // namespace cotan::test

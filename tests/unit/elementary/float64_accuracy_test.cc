// float64 tile functions against MPFR on samples, with the neighbours of multiples of pi/2.
#include <gtest/gtest.h>

#include "unit/elementary/elementary_support.h"

#if COTAN_HAS_MPFR
#include <mpfr.h>

#include <functional>

namespace cotan::test {
namespace {

constexpr mpfr_prec_t precision = 160;

struct Mpfr {
  mpfr_t v;
  Mpfr() { mpfr_init2(v, precision); }
  explicit Mpfr(double x) : Mpfr() { mpfr_set_d(v, x, MPFR_RNDN); }
  Mpfr(const Mpfr&) = delete;
  Mpfr& operator=(const Mpfr&) = delete;
  ~Mpfr() { mpfr_clear(v); }
};

using Exact = std::function<void(mpfr_t result, double x)>;

template <int (*fn)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)> void plain(mpfr_t result, double x) {
  const Mpfr argument(x);
  fn(result, argument.v, MPFR_RNDN);
}
void logistic(mpfr_t result, double x) {
  const Mpfr argument(-x);
  mpfr_exp(result, argument.v, MPFR_RNDN);
  mpfr_add_ui(result, result, 1, MPFR_RNDN);
  mpfr_ui_div(result, 1, result, MPFR_RNDN);
}
void erf_inv(mpfr_t result, double x) {
  mpfr_set_d(result, erf_inv_reference(x), MPFR_RNDN);
  if (!(std::fabs(x) < 1) || x == 0) return;
  Mpfr error, slope;
  for (int i = 0; i < 2; ++i) {
    mpfr_erfc(error.v, result, MPFR_RNDN);  // the complement: relative precision near 1
    const Mpfr argument(x);
    Mpfr target;
    mpfr_ui_sub(target.v, 1, argument.v, MPFR_RNDN);
    mpfr_sub(error.v, error.v, target.v, MPFR_RNDN);
    mpfr_sqr(slope.v, result, MPFR_RNDN);
    mpfr_exp(slope.v, slope.v, MPFR_RNDN);
    mpfr_mul(error.v, error.v, slope.v, MPFR_RNDN);
    mpfr_mul_d(error.v, error.v, std::sqrt(M_PI) / 2, MPFR_RNDN);
    mpfr_add(result, result, error.v, MPFR_RNDN);
  }
}

Exact exact_function(const std::string& name) {
#define COTAN_EXACT(f, g) \
  if (name == #f) return plain<g>
  COTAN_EXACT(sin, mpfr_sin);
  COTAN_EXACT(cos, mpfr_cos);
  COTAN_EXACT(tan, mpfr_tan);
  COTAN_EXACT(exp, mpfr_exp);
  COTAN_EXACT(exp2, mpfr_exp2);
  COTAN_EXACT(expm1, mpfr_expm1);
  COTAN_EXACT(log, mpfr_log);
  COTAN_EXACT(log1p, mpfr_log1p);
  COTAN_EXACT(sinh, mpfr_sinh);
  COTAN_EXACT(cosh, mpfr_cosh);
  COTAN_EXACT(tanh, mpfr_tanh);
  COTAN_EXACT(asinh, mpfr_asinh);
  COTAN_EXACT(acosh, mpfr_acosh);
  COTAN_EXACT(atanh, mpfr_atanh);
  COTAN_EXACT(rsqrt, mpfr_rec_sqrt);
  COTAN_EXACT(cbrt, mpfr_cbrt);
  COTAN_EXACT(asin, mpfr_asin);
  COTAN_EXACT(acos, mpfr_acos);
  COTAN_EXACT(atan, mpfr_atan);
#undef COTAN_EXACT
  return name == "logistic" ? logistic : erf_inv;
}

// |got - exact| in ulp of exact.
double mpfr_ulp_error(double got, mpfr_t exact) {
  const double rounded = mpfr_get_d(exact, MPFR_RNDN);
  if (!std::isfinite(rounded) || !std::isfinite(got) || rounded == 0) {
    if (rounded == 0 && got != 0) return std::fabs(got) / 0x1p-1074;  // underflow
    return ulp_error<double>(got, rounded);
  }
  Mpfr difference;
  mpfr_sub_d(difference.v, exact, got, MPFR_RNDN);
  const long unit = std::max<long>(mpfr_get_exp(exact) - 53, -1074);
  mpfr_mul_2si(difference.v, difference.v, -unit, MPFR_RNDN);
  return std::fabs(mpfr_get_d(difference.v, MPFR_RNDN));
}

TEST(ElementaryFloat64, UnaryFunctionsKeepTheirBounds) {
  for (const Unary& f : unary_functions()) {
    const bool slow = std::string(f.name) == "erf_inv",
               trig = std::string("sin cos tan").find(f.name) != std::string::npos;
    std::vector<double> x = float64_samples(slow ? 400 : trig ? 2000 : 4000);
    if (!trig) x.resize(std::min<std::size_t>(x.size(), 20000));
    const std::vector<double> y = evaluate(elementary_tiles(available_isas().back()), f.name, float64, x);
    const Exact exact = exact_function(f.name);
    Mpfr z;
    double worst = 0, at = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (slow && !(std::fabs(x[i]) <= 1)) continue;
      if (x[i] == 0 && std::string(f.name) == "rsqrt") continue;  // MPFR gives +inf for -0
      exact(z.v, x[i]);
      const double e = mpfr_ulp_error(y[i], z.v);
      if (e > worst) worst = e, at = x[i];
    }
    EXPECT_LE(worst, f.bound64) << f.name << " at " << std::hexfloat << at;
    RecordProperty(f.name, std::to_string(worst));
  }
}

TEST(ElementaryFloat64, PowAndAtan2KeepTheirBounds) {
  Random random;
  std::vector<double> x, y;
  for (int i = 0; i < 6000; ++i) {
    x.push_back(std::exp2(random.unit() * (i % 4 == 0 ? 2 : 1020)));
    y.push_back(random.unit() * 1080 / std::log2(x.back()));
    x.push_back(std::bit_cast<double>(random.bits()));
    y.push_back(i % 2 == 0 ? static_cast<double>(random.bits() % 41) - 20 : std::bit_cast<double>(random.bits()));
    x.push_back(1 + random.unit() * 1e-9);
    y.push_back(random.unit() * 1e11);
    x.push_back(random.unit());
    y.push_back(random.unit());
  }
  const kernel::TileRegistry& tiles = elementary_tiles(available_isas().back());
  const std::vector<double> power = evaluate(tiles, "pow", float64, x, y),
                            angle = evaluate(tiles, "atan2", float64, x, y);
  Mpfr z;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Mpfr a(x[i]), b(y[i]);
    mpfr_pow(z.v, a.v, b.v, MPFR_RNDN);
    ASSERT_LE(mpfr_ulp_error(power[i], z.v), 0.95) << std::hexfloat << x[i] << " ^ " << y[i];
    mpfr_atan2(z.v, a.v, b.v, MPFR_RNDN);
    ASSERT_LE(mpfr_ulp_error(angle[i], z.v), 1.3) << "atan2 " << std::hexfloat << x[i] << ' ' << y[i];
  }
}

}  // namespace
}  // namespace cotan::test
#endif

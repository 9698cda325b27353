// scipy.special: gamma, beta and their kin.
#include <cmath>
#include <vector>

#include "cotan/scipy_special.h"
#include "ops/special.h"
#include "scipy/common.h"

namespace cotan::scipy::special {

using numpy::where;

namespace {
Array one(const char* function, const Array& x) { return inexact(function, {x}, Complex::accepted)[0]; }
}  // namespace

Array gamma(const Array& x) {
  COTAN_API;
  const Array v = strong(one("gamma", x));
  return is_complex(v.dtype()) ? ops::complex_gamma_p(v) : ops::gamma_p(v);
}
Array gammaln(const Array& x) {
  COTAN_API;
  return ops::lgamma(one("gammaln", x));
}
Array loggamma(const Array& x) {
  COTAN_API;
  const Array v = one("loggamma", x);
  if (is_complex(v.dtype())) return ops::loggamma_p(strong(v));
  return where(v > 0, ops::lgamma(v), Array(NAN));
}
Array gammasgn(const Array& x) {
  COTAN_API;
  const Array v = strong(inexact("gammasgn", {x})[0]);
  return numpy::jitted("gammasgn",
                       [](const Arrays& a) {
                         const Array& y = a[0];
                         const Array below = ops::floor(y), negative = y < 0;
                         const Array odd = numpy::remainder(below, 2) != 0;
                         const Array minus = (negative & odd) | ((y == 0) & numpy::signbit(y));
                         const Array sign = where(minus, ops::number_like(y, -1), ops::number_like(y, 1));
                         return where((negative & (y == below)) | (y != y), ops::number_like(y, NAN), sign);
                       },
                       {v});
}
Array digamma(const Array& x) {
  COTAN_API;
  return ops::digamma(one("digamma", x));
}
Array polygamma(const Array& n, const Array& x) {
  COTAN_API;
  if (!is_integer(n.dtype())) throw ValueError("polygamma: n must be of integer type, got " + n.aval().str());
  const Arrays v = inexact("polygamma", {n, x});
  return ops::polygamma(v[0], v[1]);
}
Array gammainc(const Array& a, const Array& x) {
  COTAN_API;
  const Arrays v = inexact("gammainc", {a, x}, Complex::accepted);
  return ops::igamma(v[0], v[1]);
}
Array gammaincc(const Array& a, const Array& x) {
  COTAN_API;
  const Arrays v = inexact("gammaincc", {a, x}, Complex::accepted);
  return ops::igammac(v[0], v[1]);
}
Array multigammaln(const Array& a, const Array& d) {
  COTAN_API;
  if (d.ndim() != 0) throw TypeError("multigammaln: d must be one number, got " + d.aval().str());
  const Array v = strong(one("multigammaln", a));
  const auto n = static_cast<std::int64_t>(d.item<double>());
  const Shape terms_of_d(std::max<std::int64_t>(n, 0));
  const Array halves = ops::mul(ops::iota(v.dtype(), terms_of_d, 0), ops::number_like(v, 0.5));
  const Array terms = ops::lgamma(numpy::expand_dims(v, -1) - halves);
  return ops::reduce_sum(terms, {v.ndim()}) +
         0.25 * static_cast<double>(n) * static_cast<double>(n - 1) * std::log(M_PI);
}

Array beta(const Array& a, const Array& b) {
  COTAN_API;
  const Arrays v = inexact("beta", {a, b});
  const Array x = strong(v[0]), y = strong(v[1]);
  return gammasgn(x) * gammasgn(y) * gammasgn(x + y) * ops::exp(ops::betaln_p(x, y));
}
Array betaln(const Array& a, const Array& b) {
  COTAN_API;
  const Arrays v = inexact("betaln", {a, b}, Complex::accepted);
  return ops::betaln_p(v[0], v[1]);
}
Array betainc(const Array& a, const Array& b, const Array& x) {
  COTAN_API;
  const Arrays v = inexact("betainc", {a, b, x});
  return ops::betainc(v[0], v[1], v[2]);
}
Array poch(const Array& z, const Array& m) {
  COTAN_API;
  const Arrays v = inexact("poch", {z, m});
  return strong(ops::poch_p(v[0], v[1]));
}
Array factorial(const Array& n, const Array& exact) {
  COTAN_API;
  if (bool(exact)) throw NotImplementedError("factorial: exact=True is not implemented");
  const Array v = one("factorial", n);
  return where(v < 0, ops::zeros_of(v.aval()), ops::gamma_p(v + 1));
}
// 1 / ((N + 1) B(N - k + 1, k + 1)), and 0 where k is not in [0, N].
Array comb(const Array& n, const Array& k, const CombOptions& o) {
  COTAN_API;
  if (o.repetition) return comb(n + k - 1, k);
  const Arrays v = inexact("comb", {n, k}, Complex::accepted);
  const Array valid = (v[1] <= v[0]) & (v[0] >= 0) & (v[1] >= 0), zero = ops::number_like(v[0], 0);
  const Array top = where(valid, v[0], zero), bottom = where(valid, v[1], zero);
  const Array value = ops::exp(-ops::log(top + 1) - ops::betaln_p(top - bottom + 1, bottom + 1));
  return where(valid, value, zero);
}
Array zeta(const Array& x, const Array& q) {
  COTAN_API;
  if (!q.has_value())
    throw NotImplementedError("zeta: Riemann's zeta function is not implemented; give q (q = 1 is Riemann's)");
  const Arrays v = inexact("zeta", {x, q}, Complex::accepted);
  return ops::zeta(v[0], v[1]);
}

// B_2k = (-1)^(k+1) 2 (2k)! zeta(2k) / (2 pi)^2k, DLMF 25.6.2.
Array bernoulli(std::int64_t n) {
  COTAN_API;
  if (n < 0) throw ValueError("bernoulli: n must not be negative, got " + std::to_string(n));
  if (n > 1'000'000) throw ValueError("bernoulli: n is at most 1000000, got " + std::to_string(n));
  std::vector<double> b(static_cast<std::size_t>(n) + 1);
  b[0] = 1;
  if (n > 0) b[1] = -0.5;
  double scale = 2;  // 2 (2k)! / (2 pi)^2k
  for (std::size_t m = 2; m < b.size(); m += 2) {
    const auto x = static_cast<double>(m);
    scale *= x / (2 * M_PI) * ((x - 1) / (2 * M_PI));
    double zeta_value = 1;
    for (double k = m > 60 ? 3 : 40; k >= 2; k -= 1) zeta_value += std::pow(k, -x);
    if (m <= 10) {
      static constexpr double exact[] = {1.0 / 6, 1.0 / 30, 1.0 / 42, 1.0 / 30, 5.0 / 66};
      b[m] = exact[m / 2 - 1];
    } else {
      b[m] = scale * zeta_value;
    }
    if (m % 4 == 0) b[m] = -b[m];
  }
  const Array wide = evaluation_hook().from_bytes({Shape(n + 1), DType::float64, false}, b.data());
  return to_dtype(wide, default_float_dtype(), false);
}

}  // namespace cotan::scipy::special

// Checks for the cases from the issue trackers of JAX and its neighbours: integers, types, shapes and the places of NaN and inf
// are exact. Each test has the name of its case.
#pragma once
#include <cmath>
#include <complex>
#include <limits>

#include "api_test.h"

namespace cases {

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

inline std::vector<double> elements(const Array& x) {
  std::vector<double> out;
  ct::enable_x64 x64;
  const Array y = jnp::ravel(x);
  for (std::int64_t i = 0; i < y.size(); ++i) {
    const auto v = y(i).item<std::complex<double>>();
    out.push_back(v.real());
    if (ct::is_complex(x.dtype())) out.push_back(v.imag());
  }
  return out;
}

// Complex values are listed as real, imaginary, real, ...
inline void expect(const Array& got, ct::DType dtype, const ct::Shape& shape, const std::vector<double>& want,
                   double rtol = 1e-5) {
  EXPECT_EQ(got.dtype(), dtype) << got.repr();
  ASSERT_EQ(got.shape().str(), shape.str());
  const std::vector<double> have = elements(got);
  ASSERT_EQ(have.size(), want.size());
  double scale = 0;
  for (double w : want)
    if (std::isfinite(w)) scale = std::max(scale, std::abs(w));
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double w = want[i], g = have[i];
    if (std::isnan(w)) {
      EXPECT_TRUE(std::isnan(g)) << got.repr();
    } else if (std::isinf(w) || !ct::is_inexact(dtype)) {
      EXPECT_EQ(g, w) << got.repr();
    } else {
      EXPECT_LE(std::abs(g - w), rtol * std::abs(w) + 0.1 * rtol * scale) << got.repr();
    }
    if (w == 0 && g == 0) { EXPECT_EQ(std::signbit(g), std::signbit(w)) << got.repr(); }
  }
}
inline void expect(const Array& got, const ct::Shape& shape, const std::vector<double>& want, double rtol = 1e-5) {
  expect(got, ct::float32, shape, want, rtol);
}
inline void expect(const Array& got, double want) { expect(got, ct::float32, {}, {want}); }
inline void expect_int(const Array& got, const ct::Shape& shape, const std::vector<double>& want) {
  expect(got, ct::int32, shape, want);
}

}  // namespace cases

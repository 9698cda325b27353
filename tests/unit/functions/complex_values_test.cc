// Complex arrays where JAX and NumPy differ: docs/differences.md.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "cotan/cotan.h"

namespace cotan {
namespace {

namespace jnp = numpy;
using C64 = std::complex<float>;

TEST(ComplexValues, AreTrueWhereEitherPartIs) {
  const Array x = jnp::array({C64(0, 1), C64(0, 0), C64(2, 0), C64(0, NAN), C64(-0.f, -0.f)});
  EXPECT_EQ(x.astype(bool_).str(), "[ True False  True  True False]");
  EXPECT_EQ(lax::convert_element_type(x, bool_).str(), "[ True False  True  True False]");
  EXPECT_TRUE(bool(x(0)) && !bool(x(1)));
}

TEST(ComplexValues, MaxAndMinKeepNaN) {
  for (const C64 nan : {C64(NAN, 0), C64(0, NAN)}) {
    const Array x = jnp::array({C64(1, 2), C64(1, -3), nan, C64(0, 5)}), one = jnp::array({C64(1, 1)})(0);
    EXPECT_TRUE(bool(jnp::isnan(jnp::max(x))) && bool(jnp::isnan(jnp::min(x))));
    EXPECT_EQ(jnp::isnan(jnp::maximum(x, one)).str(), "[False False  True False]");
    EXPECT_EQ(jnp::isnan(jnp::maximum(one, x)).str(), "[False False  True False]");
    EXPECT_EQ(jnp::isnan(jnp::minimum(x, one)).str(), "[False False  True False]");
    EXPECT_EQ(jnp::isnan(jnp::minimum(one, x)).str(), "[False False  True False]");
  }
  const Array x = jnp::array({C64(1, 2), C64(1, -3), C64(0, 5)});
  EXPECT_EQ(jnp::max(x).item<C64>(), C64(1, 2));
  EXPECT_EQ(jnp::min(x).item<C64>(), C64(0, 5));
}

TEST(ComplexValues, Exp2OfALargeImaginaryPart) {
  const C64 y = jnp::exp2(jnp::array({C64(0, 1e20f)}))(0).item<C64>();
  EXPECT_FLOAT_EQ(y.real(), -0.54609869f);
  EXPECT_FLOAT_EQ(y.imag(), -0.83772085f);
}

}  // namespace
}  // namespace cotan

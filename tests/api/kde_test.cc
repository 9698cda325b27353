// scipy.stats.gaussian_kde as C++ writes it; its values stand in tests/golden/functions_kde.txt.
#include "api_test.h"
#include "cotan/scipy_stats_kde.h"

namespace {

using ct::scipy::stats::gaussian_kde;
using ct::scipy::stats::GaussianKde;

TEST(GaussianKde, Widths) {
  const Array x = jnp::array({1., 2., 4., 7.5});
  const GaussianKde by_number = gaussian_kde(x, 0.25),
                    by_function = gaussian_kde(x, [](const GaussianKde&k) { return 1 / k.neff; });
  EXPECT_TRUE(equal(by_number.covariance, by_function.covariance));
  EXPECT_TRUE(equal(gaussian_kde(x).covariance, gaussian_kde(x, "scott").covariance));
  EXPECT_TRUE(equal(gaussian_kde(x, "scott", {.weights = jnp::array({2., 2., 2., 2.})}).weights, jnp::full({4}, 0.25)));
}

TEST(GaussianKde, IsAPytreeWithDerivatives) {
  const Array x = jnp::array({1., 2., 4., 7.5});
  const auto at_one = [](const GaussianKde& k) { return k(1.)(0); };
  const GaussianKde slope = ct::grad(at_one)(gaussian_kde(x));
  EXPECT_EQ(slope.dataset.shape(), ct::Shape({1, 4}));
  const auto area = [](const GaussianKde& k) { return k.integrate_box_1d(-100., 100.); };
  EXPECT_NEAR(ct::jit(area)(gaussian_kde(x)).item<float>(), 1, 1e-6);
  const auto lanes = ct::vmap([](const Array& data) { return gaussian_kde(data)(1.)(0); });
  EXPECT_TRUE(equal(lanes(jnp::stack({x, x + 1.}))(0), gaussian_kde(x)(1.)(0)));
}

TEST(GaussianKde, SaysWhatIsNotThere) {
  EXPECT_ERROR(gaussian_kde(jnp::ones({2, 5})), ct::NotImplementedError, "Cholesky");
  EXPECT_ERROR(gaussian_kde(jnp::ones({5}), "wide"), ct::ValueError,
               "'scott', 'silverman', a scalar, or a callable, got 'wide'");
  EXPECT_ERROR(gaussian_kde(jnp::ones({1})), ct::ValueError, "multiple elements");
  EXPECT_ERROR(gaussian_kde(jnp::arange(5.))(jnp::ones({2, 5})), ct::ValueError, "f32[2,5]");
}

}  // namespace

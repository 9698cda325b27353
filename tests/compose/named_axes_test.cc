// Named axes of vmap under the other transformations.
#include "api/api_test.h"

namespace {

Array xs() { return jnp::array({1.0f, 2.0f, 4.0f}); }
Array weighted(const Array& x) { return x * lax::psum(x, "i"); }                                            // x_i * S
Array total(const Array& x) { return jnp::sum(ct::vmap(weighted, ct::VmapOptions{.axis_name = "i"})(x)); }  // S^2

TEST(NamedAxes, PsumIsTheSum) {
  EXPECT_TRUE(close(ct::vmap(weighted, ct::VmapOptions{.axis_name = "i"})(xs()), jnp::array({7.f, 14.f, 28.f})));
}
TEST(NamedAxes, PsumUnderJit) {
  auto f = ct::vmap(weighted, ct::VmapOptions{.axis_name = "i"});
  EXPECT_TRUE(close(ct::jit(f)(xs()), f(xs())));
  auto inner = ct::vmap(ct::jit(weighted), ct::VmapOptions{.axis_name = "i"});
  EXPECT_TRUE(close(inner(xs()), f(xs())));
}
TEST(NamedAxes, GradOfVmap) {
  const Array want = jnp::array({14.f, 14.f, 14.f});  // d(S^2)/dx_i = 2S
  EXPECT_TRUE(close(ct::grad(total)(xs()), want));
  EXPECT_TRUE(close(ct::jit(ct::grad(total))(xs()), want));
  EXPECT_TRUE(close(ct::grad(ct::jit(total))(xs()), want));
  EXPECT_TRUE(close(ct::jacfwd(total)(xs()), want));
  EXPECT_TRUE(close(ct::hessian(total)(xs()), jnp::full({3, 3}, 2.0f)));
}
TEST(NamedAxes, JvpOfVmap) { EXPECT_FLOAT_EQ(ct::jvp(total, xs(), jnp::ones_like(xs())).second.item<float>(), 42.f); }
TEST(NamedAxes, GradInsideVmap) {
  // As JAX: the transpose of psum is psum, so that the gradient of each example sums over all of them.
  auto f = ct::vmap([](const Array& x) { return ct::grad([](const Array& y) { return lax::psum(y * y, "i"); })(x); },
                    ct::VmapOptions{.axis_name = "i"});
  const Array eager = f(xs());
  EXPECT_TRUE(close(ct::jit(f)(xs()), eager));
  EXPECT_TRUE(close(eager, jnp::array({6.f, 12.f, 24.f})));
}
TEST(NamedAxes, AxisIndex) {
  auto f = ct::vmap([](const Array& x) { return x * lax::axis_index("i").astype(ct::float32); },
                    ct::VmapOptions{.axis_name = "i"});
  EXPECT_TRUE(close(f(xs()), jnp::array({0.f, 2.f, 8.f})));
  EXPECT_TRUE(close(ct::jit(f)(xs()), f(xs())));
  EXPECT_TRUE(close(ct::grad([f](const Array& x) { return jnp::sum(f(x)); })(xs()), jnp::array({0.f, 1.f, 2.f})));
}
TEST(NamedAxes, TwoNames) {
  const Array m = jnp::array({{1.f, 2.f}, {3.f, 4.f}, {5.f, 6.f}});
  auto f = ct::vmap(ct::vmap([](const Array& x) { return lax::psum(x, "row") * 100 + lax::psum(x, "column"); },
                             ct::VmapOptions{.axis_name = "column"}),
                    ct::VmapOptions{.axis_name = "row"});
  const Array want = jnp::array({{903.f, 1203.f}, {907.f, 1207.f}, {911.f, 1211.f}});
  EXPECT_TRUE(close(f(m), want));
  EXPECT_TRUE(close(ct::jit(f)(m), want));
}
TEST(NamedAxes, InnermostNameWins) {
  const Array m = jnp::array({{1.f, 2.f}, {3.f, 4.f}});
  auto f = ct::vmap(ct::vmap([](const Array& x) { return lax::psum(x, "i"); }, ct::VmapOptions{.axis_name = "i"}),
                    ct::VmapOptions{.axis_name = "i"});
  EXPECT_TRUE(close(f(m), jnp::array({{3.f, 3.f}, {7.f, 7.f}})));
}
TEST(NamedAxes, OtherNameIsAnError) {
  auto f = ct::vmap([](const Array& x) { return lax::psum(x, "j"); }, ct::VmapOptions{.axis_name = "i"});
  EXPECT_ERROR(f(xs()), ct::NameError, "j");
  EXPECT_ERROR(lax::axis_index("i"), ct::NameError, "i");  // the axis has gone with its vmap
}

}  // namespace

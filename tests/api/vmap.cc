#include "api_test.h"

namespace {

const auto add = [](const Array& a, const Array& b) { return a + b; };

TEST(Vmap, Axes) {
  Array m = jnp::reshape(jnp::arange(6.f), {2, 3}), v = jnp::arange(3.f);
  EXPECT_TRUE(close(ct::vmap(jnp::dot, ct::in_axes(0, ct::none))(m, v), jnp::dot(m, v)));
  EXPECT_TRUE(close(ct::vmap(jnp::dot, ct::in_axes(-2, ct::none))(m, v), jnp::dot(m, v)));
  EXPECT_TRUE(close(ct::vmap(jnp::sin)(m), jnp::sin(m)));
  EXPECT_TRUE(close(ct::vmap(jnp::sin, 1)(m), jnp::sin(m).T()));
  EXPECT_TRUE(close(ct::vmap(jnp::sin, {.out_axes = 1})(m), jnp::sin(m).T()));
  EXPECT_TRUE(close(ct::vmap(jnp::sin, ct::in_axes(1), {.out_axes = -1})(m), jnp::sin(m)));
  EXPECT_TRUE(close(ct::vmap(ct::vmap(add, ct::in_axes(ct::none, 0)), ct::in_axes(0, ct::none))(v, v),
                    v(ct::all, ct::newaxis) + v));
  auto scaled = [](int n, const Array& x) { return x * n; };  // static arguments are passed on
  EXPECT_TRUE(close(ct::vmap(scaled)(3, v), 3.0 * v));
  EXPECT_TRUE(close(ct::vmap(jnp::sum)(m), jnp::sum(m, 1)) && close(ct::vmap(jnp::sum)(m, 0), jnp::sum(m, 1)));
  EXPECT_TRUE(close(ct::vmap(jnp::sum, ct::in_axes(1))(m), jnp::sum(m, 0)));
}

TEST(Vmap, Trees) {
  Array at = jnp::array({1.f, 2.f, 3.f});
  auto affine = [](const Layer& l, const Array& x) { return l.w * x + l.b; };
  EXPECT_TRUE(close(ct::vmap(affine, ct::in_axes({0, ct::none}, 0))({at, 1.0}, at), at * at + 1.0));
  EXPECT_TRUE(close(ct::vmap(affine, ct::in_axes(0, ct::none))({at, at}, 2.0), 3.0 * at));
  Net net{{{at, 1.0}, {at, 2.0}}, at, 2, "net"};  // static fields have entries too
  auto f = [](const Net& n) { return n.layers[0].w * *n.scale + n.layers[1].b * n.depth; };
  EXPECT_TRUE(
      close(ct::vmap(f, ct::in_axes({{{0, ct::none}, {0, ct::none}}, 0, ct::none, ct::none}))(net), at * at + 4.0));
  auto pair = [](const Array& x) { return std::pair(x * x, Layer{x, 1.0}); };
  auto [y, l] = ct::vmap(pair, {.out_axes = {0, {0, ct::none}}})(at);
  EXPECT_TRUE(close(y, at * at) && close(l.w, at) && l.b.shape() == ct::Shape{});
  auto [y2, l2] = ct::vmap(pair)(at);  // what does not vary is repeated
  EXPECT_TRUE(close(l2.b, jnp::ones({3})));
}

TEST(Vmap, SizeAndName) {
  EXPECT_TRUE(close(ct::vmap([](const Array& x) { return x; }, ct::none, {.axis_size = 4})(2.0), 2.0 * jnp::ones({4})));
  EXPECT_TRUE(close(ct::vmap([] { return Array(1.0); }, {.axis_size = 4})(), jnp::ones({4})));
  Array v = jnp::arange(3.f);
  EXPECT_TRUE(close(ct::vmap([](const Array& x) { return x / lax::psum(x, "i"); }, {.axis_name = "i"})(v), v / 3.0));
  EXPECT_TRUE(equal(ct::vmap(
                        [](const Array& x) {
                          (void)x;
                          return lax::axis_index("i");
                        },
                        {.axis_name = "i"})(v),
                    jnp::arange(3)));
  EXPECT_ERROR(ct::vmap([](const Array& x) { return lax::psum(x, "j"); }, {.axis_name = "i"})(v), ct::NameError, "j");
}

TEST(Vmap, OfDerivatives) {
  Array at = jnp::array({1.f, 2.f, 3.f});
  auto cubed = [](auto x) { return x * x * x; };
  EXPECT_TRUE(close(ct::vmap(ct::grad(cubed))(at), 3.0 * at * at));
  EXPECT_TRUE(close(ct::grad([&](const Array& x) { return jnp::sum(ct::vmap(cubed)(x)); })(at), 3.0 * at * at));
  EXPECT_TRUE(close(ct::vmap(ct::jit(ct::grad(cubed)))(at), 3.0 * at * at));
  EXPECT_TRUE(close(ct::vmap(ct::value_and_grad(jnp::square))(at).second, 2.0 * at));
}

TEST(Vmap, Errors) {
  Array m = jnp::ones({3, 2}), n = jnp::ones({4, 2}), v = jnp::ones({3});
  EXPECT_ERROR(ct::vmap(add)(m, n), ct::ValueError, "vmap got inconsistent sizes for array axes to be mapped");
  try {
    ct::vmap(add)(m, n);
  } catch (const ct::ValueError& e) {
    EXPECT_NE(e.message().find("size 3: axis 0 of argument 0 of type float32[3,2]"), std::string::npos) << e.what();
    EXPECT_NE(e.message().find("size 4: axis 0 of argument 1 of type float32[4,2]"), std::string::npos) << e.what();
  }
  EXPECT_ERROR(ct::vmap(add)(m, 1.0), ct::ValueError, "rank should be at least 1, but is only 0 (its shape is ()");
  EXPECT_ERROR(ct::vmap(add, ct::in_axes(2, 0))(m, v), ct::ValueError,
               "along axis 2, which implies that its rank should be at least 3, but is only 2 (its shape is (3, 2)");
  EXPECT_ERROR(ct::vmap(add, ct::in_axes(-3, 0))(m, v), ct::ValueError, "along axis -3");
  EXPECT_ERROR(ct::vmap(add, ct::in_axes(ct::none, ct::none))(m, v), ct::ValueError,
               "vmap must have at least one non-none value in in_axes or axis_size must be specified");
  EXPECT_ERROR(ct::vmap([] { return Array(1.0); })(), ct::ValueError,
               "at least one argument containing an array or axis_size must be specified");
  auto first = [](const Layer& l) { return l.w; };
  EXPECT_ERROR(ct::vmap(first, ct::in_axes({0, 0, 0}))({v, v}), ct::ValueError,
               "vmap in_axes[0] specification must be a tree prefix of the corresponding value, got {0, 0, 0} for a "
               "value of structure {w: *, b: *}");
  EXPECT_ERROR(ct::vmap(jnp::sin, ct::in_axes({0}))(v), ct::ValueError, "must be a tree prefix");
  EXPECT_ERROR(ct::vmap(jnp::sin, {.out_axes = ct::none})(v), ct::ValueError,
               "at vmap out_axes, got axis spec none but output was batched on axis 0");
  EXPECT_ERROR(ct::vmap(jnp::sin, {.out_axes = 1})(v), ct::ValueError,
               "axis 1 is out of bounds for array of dimension 1");
  EXPECT_ERROR(ct::vmap(jnp::sin, {.axis_size = 4})(v), ct::ValueError, "inconsistent sizes");
}

}  // namespace

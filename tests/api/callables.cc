// Everything that can be transformed.
#include <functional>

#include "api_test.h"

namespace {

Array plain(const Array& x) { return x * x; }
Array no_throw(const Array& x) noexcept { return x * x; }
Array overloaded(const Array& x) { return x * x; }
Array overloaded(const Array& x, const Array& y) { return x * y; }
double number(const Array& x) {
  (void)x;
  return 3.0;
}
struct Model {
  Array w;
  Array apply(const Array& x) const { return jnp::sum(w * x); }
};
struct Functor {
  Array operator()(const Array& x) const { return x * x; }
};

TEST(Callables, Kinds) {
  EXPECT_TRUE(close(ct::grad(plain)(3.0), 6.0) && close(ct::grad(no_throw)(3.0), 6.0) &&
              close(ct::grad(Functor{})(3.0), 6.0));
  EXPECT_TRUE(close(ct::grad([n = 0](const Array& x) mutable {
                      ++n;
                      return x * x;
                    })(3.0),
                    6.0));
  EXPECT_TRUE(close(ct::grad(std::function<Array(const Array&)>(plain))(3.0), 6.0));
  EXPECT_TRUE(close(ct::grad(ct::fn<Array(const Array&)>(overloaded))(3.0), 6.0));
  EXPECT_TRUE(close(ct::grad(ct::fn<Array(const Array&, const Array&)>(overloaded))(3.0, 5.0), 5.0));
  EXPECT_TRUE(close(ct::grad(ct::fn<Array(const Array&)>([](auto x) { return x * x; }))(3.0), 6.0));
  EXPECT_TRUE(close(ct::grad(&Model::apply)(Model{jnp::ones({2})}, jnp::arange(2.f)).w, jnp::arange(2.f)));
  EXPECT_TRUE(close(ct::jit(number)(1.0), 3.0));
  EXPECT_TRUE(close(ct::grad(ct::jit(plain))(3.0), 6.0));
  EXPECT_TRUE(close(ct::jit([] { return Array(2.0); })(), 2.0));
}

TEST(Callables, GenericLambdas) {
  auto cubed = [](auto x) { return x * x * x; };
  EXPECT_TRUE(close(ct::grad(ct::grad(cubed))(2.0), 12.0));
  Array at = jnp::arange(3.f);
  EXPECT_TRUE(close(ct::jit(ct::vmap(ct::grad(cubed)))(at), 3.0 * at * at));
  EXPECT_TRUE(close(ct::grad<1>([](auto a, auto b) { return a * b; })(2, 3.0), 2.0));
}

TEST(Callables, OptionsAndParametersLeftOut) {
  Array x = jnp::reshape(jnp::arange(6.f), {2, 3});
  EXPECT_TRUE(close(ct::grad(jnp::sum)(x), jnp::ones({2, 3})));
  EXPECT_TRUE(close(ct::jit(jnp::sum)(x, 0), jnp::sum(x, 0)) && close(ct::jit(jnp::sum)(x), 15.0));
  EXPECT_TRUE(close(ct::jit(jnp::sum)(x, {0, 1}), 15.0));
  EXPECT_TRUE(close(ct::vmap(jnp::max)(x), jnp::max(x, 1)));
  EXPECT_TRUE(close(ct::vjp(jnp::mean, x).second(1.0), jnp::full({2, 3}, 1.f / 6)));
}

TEST(Callables, FnIsAValue) {
  std::vector<ct::Fn<Array(Array)>> derivatives{jnp::sin};
  for (int i = 0; i < 4; ++i) derivatives.push_back(ct::grad(derivatives.back()));
  EXPECT_TRUE(close(derivatives[4](1.0), jnp::sin(1.0), 1e-5));
  ct::Fn<Array(Array)> moved = std::move(derivatives[0]);
  EXPECT_ERROR(derivatives[0](1.0), ct::ValueError, "a ct::Fn that was moved from was used");
  static_assert(std::is_same_v<decltype(ct::grad(ct::grad(plain))), ct::Fn<Array(Array)>>);
  static_assert(std::is_same_v<decltype(ct::jit(ct::vmap(ct::grad(plain)))), ct::Jit<Array(Array)>>);
}

TEST(Callables, ArgumentsConvert) {
  auto f = ct::jit([](const Layer& l, const Array& x, int n) { return l.w * x + l.b * n; });
  EXPECT_TRUE(close(f({2.0, 1}, 3, 2), 8.0));
  EXPECT_TRUE(close(f({true, 1.f}, 3u, 'a' - 'a'), 3.0));
}

}  // namespace

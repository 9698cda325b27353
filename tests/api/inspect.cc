// make_jaxpr, eval_shape, abstract arrays.
#include <sstream>

#include "api_test.h"

namespace {

Array twice(const Array& x) { return x + x; }

TEST(MakeJaxpr, Text) {
  auto f = [](const Array& x) {  // C++ leaves open which operand of * is computed first
    Array t = jnp::tanh(x), s = jnp::sin(x), product = t * s, square = x * x;
    return product + jnp::log1p(square);
  };
  auto j = ct::make_jaxpr(f)(jnp::arange(4.f));
  EXPECT_EQ(j.str(),
            "{ lambda ; a:f32[4]. let\n    b:f32[4] = tanh a\n    c:f32[4] = sin a\n    d:f32[4] = mul b c\n    "
            "e:f32[4] = mul a a\n"
            "    f:f32[4] = log1p e\n    g:f32[4] = add d f\n  in (g,) }");
  std::ostringstream out;
  out << j;
  EXPECT_EQ(out.str(), j.str());
}

TEST(MakeJaxpr, Arguments) {
  auto scaled = [](int n, const Layer& l) { return Layer{l.w * n, l.b}; };
  auto j = ct::make_jaxpr(scaled)(3, {1.0, jnp::ones({2})});
  EXPECT_EQ(j.in_avals().size(), 2u);
  EXPECT_EQ(j.out_avals().size(), 2u);
  EXPECT_TRUE(j.in_avals()[0].weak_type);
  auto generic = ct::make_jaxpr([](auto x) { return x * x; })(ct::abstract_array({1000000, 1000000}));
  EXPECT_EQ(generic.out_avals()[0].str(), "f32[1000000,1000000]");
  EXPECT_EQ(ct::make_jaxpr(jnp::sum)(jnp::ones({2, 3}), 0).out_avals()[0].str(), "f32[3]");
}

TEST(MakeJaxpr, NestedJit) {
  auto named = ct::jit([](const Array& x) { return x * x; }, {.name = "squared"});
  EXPECT_NE(ct::make_jaxpr([&](const Array& x) { return named(x); })(1.0).str().find("name=squared"),
            std::string::npos);
  auto lambda = ct::jit([](const Array& x) { return x * x; });
  EXPECT_NE(ct::make_jaxpr([&](const Array& x) { return lambda(x); })(1.0).str().find("name=<lambda>"),
            std::string::npos);
  struct Functor {
    Array operator()(const Array& x) const { return x * x; }
  };
  EXPECT_NE(ct::make_jaxpr([](const Array& x) { return ct::jit(Functor{})(x); })(1.0).str().find("name=Functor"),
            std::string::npos);
}

TEST(EvalShape, Types) {
  auto f = [](const Array& x, const Array& y) { return Layer{jnp::dot(x, y), jnp::sum(x)}; };
  Layer l = ct::eval_shape(f)(ct::abstract_array({100000, 30000}), ct::abstract_array({30000, 2}));
  EXPECT_TRUE(l.w.shape() == (ct::Shape{100000, 2}) && l.b.shape() == ct::Shape{} && l.b.dtype() == ct::float32);
  EXPECT_ERROR(l.b + 1.0, ct::TypeError, "abstract");
  EXPECT_ERROR(l.b.item<float>(), ct::TypeError, "");
  EXPECT_ERROR(ct::jit(twice)(ct::abstract_array({2})), ct::TypeError, "abstract");
  EXPECT_ERROR(ct::abstract_array({-1}), ct::ValueError, "must not be negative");
  EXPECT_TRUE(ct::eval_shape([](const Array& x) { return x * 2.0; })(3).dtype() == ct::float32);
  EXPECT_ERROR(ct::eval_shape(jnp::dot)(jnp::ones({2, 3}), jnp::ones({2, 3})), ct::TypeError, "dot");
}

}  // namespace

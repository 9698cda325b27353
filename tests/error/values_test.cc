// Arrays without a value, programs that are misused, derivatives that do not exist.
#include <limits>
#include <utility>

#include "api/api_test.h"
#include "core/jaxpr.h"

namespace {

TEST(Unset, ArraysRaise) {
  const Array none;
  EXPECT_ERROR(none + 1.0f, ct::ValueError, "never given a value");
  EXPECT_ERROR(none.shape(), ct::ValueError, "never given a value");
  EXPECT_ERROR(jnp::sum(none), ct::ValueError, "");
  EXPECT_ERROR(none.item<float>(), ct::ValueError, "");
  EXPECT_ERROR(none(0), ct::ValueError, "");
  EXPECT_NO_THROW(none.repr());
  EXPECT_ERROR(static_cast<void>(bool(none)), ct::ValueError, "");
  EXPECT_ERROR(jnp::concatenate({none}), ct::ValueError, "");
  EXPECT_ERROR(ct::jit([](const Array& x) { return x; })(none), ct::ValueError, "");
  EXPECT_ERROR(ct::grad([](const Array& x) { return x; })(none), ct::ValueError, "");
  EXPECT_ERROR(ct::vmap([](const Array& x) { return x; })(none), ct::ValueError, "");
  EXPECT_ERROR(ct::jvp([](const Array& x) { return x; }, Array(1.0f), none), ct::ValueError, "");
  EXPECT_ERROR(ct::jit([](const Array&) { return Array(); })(1.0f), ct::ValueError, "never given a value");
  EXPECT_ERROR(ct::vmap([](const Array&) { return Array(); })(jnp::ones({2})), ct::ValueError, "never given a value");
}
TEST(Unset, MovedFromArraysRaise) {
  Array x = 1.0f;
  const Array y = std::move(x);
  EXPECT_ERROR(x + 1.0f, ct::ValueError, "never given a value");
  EXPECT_FLOAT_EQ(y.item<float>(), 1.f);
  x = y;
  EXPECT_FLOAT_EQ((x + y).item<float>(), 2.f);
}

TEST(Jaxprs, Misused) {
  const ct::ClosedJaxpr program = ct::make_jaxpr(
      [](const Array& x, const Array& n) { return x * n.astype(ct::float32); })(jnp::ones({3}), Array(2));
  EXPECT_ERROR(ct::eval_jaxpr(program, {}), ct::Error, "2");
  EXPECT_ERROR(ct::eval_jaxpr(program, {jnp::ones({4}), Array(2)}), ct::Error, "f32[4]");
  EXPECT_ERROR(ct::eval_jaxpr(program, {jnp::arange(3), Array(2)}), ct::Error, "i32[3]");
  EXPECT_ERROR(ct::eval_jaxpr(program, {Array(), Array(2)}), ct::ValueError, "");
  EXPECT_ERROR(ct::eval_jaxpr(ct::ClosedJaxpr(), {}), ct::Error, "");
  EXPECT_NO_THROW(ct::ClosedJaxpr().str());
  EXPECT_ERROR(ct::ClosedJaxpr().to_text(), ct::Error, "");
  EXPECT_ERROR(ct::ClosedJaxpr().in_avals(), ct::Error, "");
  EXPECT_ERROR(ct::parse_jaxpr(""), ct::ValueError, "line 1");
  EXPECT_ERROR(ct::parse_jaxpr("{ lambda ; a:f32[2] . let in (a) }"), ct::ValueError, "line 1");
}

TEST(Derivatives, ThatDoNotExist) {
  EXPECT_ERROR(ct::grad([](const Array& x) { return x * 2; })(jnp::ones({3})), ct::TypeError,
               "scalar-output functions");
  EXPECT_ERROR(ct::grad([](const Array& x) { return x * 2; })(3), ct::TypeError, "real- or complex-valued inputs");
  EXPECT_ERROR(ct::grad([](const Array& x) { return lax::complex(x, x); })(1.0f), ct::TypeError, "real-valued outputs");
  EXPECT_ERROR(ct::grad([](const Array& x) { return x; })(lax::complex(1.0f, 2.0f)), ct::TypeError, "real-valued");
  EXPECT_ERROR(ct::linear_transpose([](const Array& x) { return jnp::exp(x); }, Array(1.0f))(Array(1.0f)),
               ct::NotImplementedError, "exp");
  EXPECT_ERROR(ct::linear_transpose([](const Array& x) { return x * x; }, Array(1.0f))(Array(1.0f)), ct::Error, "mul");
}

using Tree = std::vector<Array>;
TEST(Structure, ThatChanged) {
  const auto f = [](const Tree& t) { return t[0] * 2.0f; };
  auto [value, pullback] = ct::vjp([](const Array& x) { return Tree{x, x}; }, Array(1.0f));
  EXPECT_ERROR(pullback(Tree{1.0f}), ct::ValueError, "");
  EXPECT_ERROR(ct::jvp(f, Tree{1.0f, 2.0f}, Tree{1.0f}), ct::TypeError, "");
  EXPECT_ERROR(ct::tree::map([](const Array& a, const Array&) { return a; }, Tree{1.0f}, Tree{1.0f, 2.0f}),
               ct::ValueError, "");
  EXPECT_ERROR(ct::tree::with_leaves(Tree{1.0f}, {}), ct::ValueError, "1 leaves");
}

}  // namespace

// A function that throws leaves no trace behind: neither a current trace nor a named axis.
#include "api/api_test.h"
#include "core/trace.h"

namespace {

struct Thrown {};
Array thrower(const Array& x) {
  if (x.ndim() >= 0) throw Thrown{};
  return x;
}
using Scalar = ct::Fn<Array(Array)>;

struct Level {
  const char* name;
  void (*run)(const Scalar&, const Array&);
};
const Level levels[] = {
    {"plain", [](const Scalar& f, const Array& x) { f(x); }},
    {"grad", [](const Scalar& f, const Array& x) { ct::grad(f)(x); }},
    {"value_and_grad", [](const Scalar& f, const Array& x) { ct::value_and_grad(f)(x); }},
    {"jvp", [](const Scalar& f, const Array& x) { ct::jvp(f, x, x); }},
    {"vjp", [](const Scalar& f, const Array& x) { ct::vjp(f, x); }},
    {"linearize", [](const Scalar& f, const Array& x) { ct::linearize(f, x); }},
    {"linear_transpose", [](const Scalar& f, const Array& x) { ct::linear_transpose(f, x); }},
    {"jit", [](const Scalar& f, const Array& x) { ct::jit(f)(x); }},
    {"vmap",
     [](const Scalar& f, const Array& x) {
       ct::vmap(f, ct::VmapOptions{.axis_name = "i"})(jnp::stack({x, x}));
     }},
    {"make_jaxpr", [](const Scalar& f, const Array& x) { ct::make_jaxpr(f)(x); }},
    {"eval_shape", [](const Scalar& f, const Array& x) { ct::eval_shape(f)(x); }},
    {"jacfwd", [](const Scalar& f, const Array& x) { ct::jacfwd(f)(x); }},
    {"jacrev", [](const Scalar& f, const Array& x) { ct::jacrev(f)(x); }},
    {"hessian", [](const Scalar& f, const Array& x) { ct::hessian(f)(x); }},
};

void expect_clean(const std::string& what) {
  EXPECT_EQ(cotan::current_trace(), nullptr) << what;
  EXPECT_TRUE(cotan::axis_environment().empty()) << what;
  EXPECT_FLOAT_EQ((Array(1.5f) + Array(2.5f)).item<float>(), 4.f) << what;
}

TEST(Exceptions, LeaveTheTraceOfEveryLevel) {
  for (const Level& outer : levels)
    for (const Level& inner : levels) {
      const std::string what = std::string(outer.name) + " of " + inner.name;
      const Scalar nested = [&inner](const Array& x) {
        const cotan::Trace* before = cotan::current_trace();
        bool thrown = false;
        try {
          inner.run(thrower, x);
        } catch (const Thrown&) { thrown = true; }
        EXPECT_TRUE(thrown) << inner.name;
        EXPECT_EQ(cotan::current_trace(), before) << inner.name;
        inner.run(thrower, x);
        return x;
      };
      EXPECT_THROW(outer.run(nested, Array(1.0f)), Thrown) << what;
      expect_clean(what);
    }
}

// A function that caught an error inside goes on, and its derivative is right.
TEST(Exceptions, CaughtInsideAFunction) {
  auto f = [](const Array& x) {
    try {
      ct::jit(ct::grad(thrower))(x);
    } catch (const Thrown&) {}
    try {
      jnp::dot(jnp::ones({2}), jnp::ones({3}));
    } catch (const ct::Error&) {}
    return x * x;
  };
  EXPECT_FLOAT_EQ(ct::grad(f)(Array(3.0f)).item<float>(), 6.f);
  EXPECT_FLOAT_EQ(ct::jit(ct::grad(f))(Array(3.0f)).item<float>(), 6.f);
  expect_clean("caught");
}

TEST(Exceptions, AFailedTraceIsNotCached) {
  static int calls = 0;
  auto f = ct::jit([](const Array& x) {
    if (++calls == 1) throw Thrown{};
    return x + 1.0f;
  });
  EXPECT_THROW(f(Array(1.0f)), Thrown);
  EXPECT_FLOAT_EQ(f(Array(1.0f)).item<float>(), 2.f);
}

}  // namespace

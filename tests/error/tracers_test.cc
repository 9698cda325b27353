// Tracers where values are needed, and tracers that outlive their transformation.
#include <thread>

#include "api/api_test.h"

namespace {

Array vec() { return jnp::array({1.0f, 2.0f, 3.0f}); }

TEST(Conversion, OfATracerUnderJit) {
  EXPECT_ERROR(ct::jit([](const Array& x) { return x > 0 ? x : -x; })(1.0f), ct::TracerBoolConversionError, "bool");
  EXPECT_ERROR(ct::jit([](const Array& x) { return x * x.item<int>(); })(1), ct::ConcretizationTypeError, "");
  EXPECT_ERROR(ct::jit([](const Array& x) { return x * x.item<double>(); })(1.0f), ct::ConcretizationTypeError, "");
  EXPECT_ERROR(ct::jit([](const Array& x) { return x * x.span<float>()[0]; })(vec()), ct::TracerArrayConversionError,
               "");
  EXPECT_ERROR(ct::jit([](const Array& x) { return x.data() ? x : x; })(vec()), ct::TracerArrayConversionError, "");
  EXPECT_ERROR(ct::jit([](const Array& x) { return vec()(ct::slice(0, x.item<int>())); })(2),
               ct::ConcretizationTypeError, "");
}
TEST(Conversion, OfATracerUnderVmap) {
  EXPECT_ERROR(ct::vmap([](const Array& x) { return x > 0 ? x : -x; })(vec()), ct::TracerBoolConversionError, "bool");
  EXPECT_ERROR(ct::vmap([](const Array& x) { return x * x.item<float>(); })(vec()), ct::ConcretizationTypeError, "");
  EXPECT_ERROR(ct::vmap(ct::grad([](const Array& x) { return x > 0 ? x : -x; }))(vec()), ct::TracerBoolConversionError,
               "bool");
}
TEST(Conversion, OfAPrimalIsAllowed) {
  EXPECT_FLOAT_EQ(ct::grad([](const Array& x) { return x > 0 ? x * x : -x; })(3.0f).item<float>(), 6.f);
  EXPECT_FLOAT_EQ(
      ct::jvp([](const Array& x) { return x > 0 ? x * x : -x; }, Array(3.0f), Array(1.0f)).second.item<float>(), 6.f);
}
TEST(Conversion, OfSeveralElements) {
  EXPECT_ERROR(static_cast<void>(bool(vec() > 1)), ct::ValueError, "");
  EXPECT_ERROR(vec().item<float>(), ct::ValueError, "");
  EXPECT_ERROR(vec().span<int>(), ct::TypeError, "float32");
}

// Each transformation lets a tracer out.
Array leak(int how) {
  Array kept;
  const auto f = [&kept](const Array& x) {
    kept = x * 2.0f;
    return jnp::sum(x);
  };
  switch (how) {
    case 0: ct::grad(f)(vec()); break;
    case 1: ct::vmap(f)(jnp::ones({2, 3})); break;
    case 2: ct::jit(f)(vec()); break;
    case 3: ct::jvp(f, vec(), vec()); break;
    case 4: ct::make_jaxpr(f)(vec()); break;
    case 5: ct::jit(ct::vmap(ct::grad(f)))(jnp::ones({2, 3})); break;
    default: ct::eval_shape(f)(vec()); break;
  }
  return kept;
}

class Escaped : public testing::TestWithParam<int> {};
TEST_P(Escaped, UsedLater) {
  const Array kept = leak(GetParam());
  EXPECT_ERROR(kept + 1.0f, ct::UnexpectedTracerError, "");
  EXPECT_ERROR(jnp::sum(kept), ct::UnexpectedTracerError, "");
  EXPECT_NO_THROW(kept.shape());
  EXPECT_NO_THROW(static_cast<void>(kept.repr()));
}
TEST_P(Escaped, UsedInAnotherTransformation) {
  const Array kept = leak(GetParam());
  EXPECT_ERROR(ct::jit([kept](const Array& x) { return x + kept; })(vec()), ct::UnexpectedTracerError, "");
  EXPECT_ERROR(ct::grad([kept](const Array& x) { return jnp::sum(x * kept); })(vec()), ct::UnexpectedTracerError, "");
  EXPECT_ERROR(ct::vmap([kept](const Array& x) { return x * kept; })(vec()), ct::UnexpectedTracerError, "");
}
TEST_P(Escaped, ReturnedFromAnotherTransformation) {
  const Array kept = leak(GetParam());
  EXPECT_ERROR(ct::jit([kept](const Array&) { return kept; })(vec()), ct::UnexpectedTracerError, "");
  EXPECT_ERROR(ct::vmap([kept](const Array&) { return kept; })(vec()), ct::UnexpectedTracerError, "");
}
TEST_P(Escaped, GivenToATransformation) {
  const Array kept = leak(GetParam());
  EXPECT_ERROR(ct::jit([](const Array& x) { return x; })(kept), ct::UnexpectedTracerError, "");
  EXPECT_ERROR(ct::grad([](const Array& x) { return jnp::sum(x); })(kept), ct::UnexpectedTracerError, "");
}
TEST_P(Escaped, GivesNoValue) {
  const Array kept = leak(GetParam());
  EXPECT_THROW(static_cast<void>(kept.item<float>()), ct::Error);
  EXPECT_THROW(static_cast<void>(kept.data()), ct::Error);
  EXPECT_THROW(static_cast<void>(bool(kept)), ct::Error);
}
INSTANTIATE_TEST_SUITE_P(All, Escaped, testing::Range(0, 7));

TEST(Escaped, UsedInAnotherThread) {
  auto f = [](const Array& x) {
    std::thread([x] { EXPECT_ERROR(x + 1.0f, ct::UnexpectedTracerError, ""); }).join();
    return jnp::sum(x);
  };
  ct::grad(f)(vec());
  ct::jit(f)(vec());
  ct::vmap(f)(jnp::ones({2, 3}));
}
// A tracer of the outer function is a constant to the inner one; one of the inner is none of the outer's business.
TEST(Escaped, FromTheInnerFunction) {
  auto outer = [](const Array& x) {
    Array kept;
    ct::grad([&kept](const Array& y) { return kept = y * y; })(x);
    return x + kept;
  };
  EXPECT_ERROR(ct::grad(outer)(1.0f), ct::UnexpectedTracerError, "");
  EXPECT_ERROR(ct::jit(outer)(1.0f), ct::UnexpectedTracerError, "");
}

}  // namespace

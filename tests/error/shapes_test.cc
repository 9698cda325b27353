// Shapes that do not fit, dtypes that are not accepted, axes out of range: the class that JAX raises, and a first line that
// names the operation and says what was got.
#include "api/api_test.h"

namespace {

Array f32(const ct::Shape& s) { return jnp::ones(s); }

TEST(Shapes, ThatDoNotBroadcast) {
  EXPECT_ERROR(f32({2}) + f32({3}), ct::Error, "(3,)");
  EXPECT_ERROR(f32({2, 3}) * f32({2}), ct::Error, "(2,)");
  EXPECT_ERROR(jnp::where(f32({2}) > 0, f32({3}), 1), ct::ValueError, "(2,)");
  EXPECT_ERROR(jnp::broadcast_to(f32({3}), {2, 4}), ct::ValueError, "broadcast");
  EXPECT_ERROR(lax::add(f32({2}), f32({3})), ct::TypeError, "add");
  EXPECT_ERROR(lax::add(f32({2, 3}), f32({3})), ct::TypeError, "add");
}
TEST(Shapes, OfProducts) {
  EXPECT_ERROR(jnp::dot(f32({2, 3}), f32({2, 3})), ct::TypeError, "dot");
  EXPECT_ERROR(jnp::matmul(f32({2, 3}), f32({4, 2})), ct::TypeError, "contracting dimensions");
  EXPECT_ERROR(jnp::matmul(f32({}), f32({2})), ct::Error, "matmul");
  EXPECT_ERROR(lax::dot_general(f32({2}), f32({3}), {{0}, {0}}), ct::TypeError, "dot_general");
  EXPECT_ERROR(lax::dot_general(f32({2}), f32({2}), {{1}, {0}}), ct::Error, "dot_general");
  EXPECT_ERROR(lax::dot_general(f32({2}), f32({2}), {{0}, {}}), ct::Error, "dot_general");
}
TEST(Shapes, OfReshapes) {
  EXPECT_ERROR(jnp::reshape(f32({6}), {4}), ct::TypeError, "reshape");
  EXPECT_ERROR(jnp::reshape(f32({6}), {-1, 4}), ct::Error, "reshape");
  EXPECT_ERROR(jnp::reshape(f32({6}), {-1, -1}), ct::TypeError, "one unknown axis size");
  EXPECT_ERROR(lax::reshape(f32({6}), {7}), ct::ValueError, "reshape");
  EXPECT_ERROR(jnp::squeeze(f32({2, 1}), 0), ct::ValueError, "squeeze");
  EXPECT_ERROR(lax::transpose(f32({2, 3}), {0, 0}), ct::Error, "transpose");
  EXPECT_ERROR(lax::transpose(f32({2, 3}), {0}), ct::Error, "transpose");
}
TEST(Shapes, OfJoins) {
  EXPECT_ERROR(jnp::concatenate({f32({2, 3}), f32({2, 4})}, 0), ct::TypeError, "concatenate");
  EXPECT_ERROR(jnp::concatenate({}), ct::ValueError, "concatenate");
  EXPECT_ERROR(jnp::concatenate({f32({})}), ct::ValueError, "concatenate");
  EXPECT_ERROR(jnp::stack({f32({2}), f32({3})}), ct::ValueError, "must have the same shape");
  EXPECT_ERROR(jnp::stack({}), ct::ValueError, "stack");
  EXPECT_ERROR(jnp::split(f32({5}), 2), ct::ValueError, "split");
}
TEST(Shapes, OfSlices) {
  EXPECT_ERROR(lax::slice(f32({3}), {1}, {5}), ct::TypeError, "slice");
  EXPECT_ERROR(lax::slice(f32({3}), {2}, {1}), ct::TypeError, "slice");
  EXPECT_ERROR(lax::slice(f32({3}), {0, 0}, {1, 1}), ct::ValueError, "slice");
  EXPECT_ERROR(lax::dynamic_slice(f32({3}), {Array(0)}, {4}), ct::TypeError, "slice_sizes (4,)");
  EXPECT_ERROR(lax::dynamic_slice(f32({3}), {}, {1}), ct::ValueError, "slice indices");
  EXPECT_ERROR(lax::dynamic_update_slice(f32({3}), f32({4}), {Array(0)}), ct::TypeError, "dynamic_update_slice");
  EXPECT_ERROR(lax::pad(f32({3}), Array(0.0f), {}), ct::Error, "pad");
}
TEST(Shapes, OfIndices) {
  EXPECT_ERROR(f32({3})(0, 0), ct::IndexError, "ind");
  EXPECT_ERROR(f32({})(0), ct::IndexError, "ind");
}
TEST(Shapes, TooLarge) {
  EXPECT_ERROR(jnp::zeros({1LL << 40, 1LL << 40}), ct::Error, "");
  EXPECT_ERROR(jnp::broadcast_to(Array(1.0f), {1LL << 62}), ct::Error, "");
  EXPECT_ERROR(jnp::zeros({-1}), ct::Error, "-1");
  EXPECT_ERROR(jnp::arange(0.0, 1e30), ct::Error, "");
}

TEST(Dtypes, ThatDiffer) {
  EXPECT_ERROR(lax::add(jnp::arange(3), f32({3})), ct::TypeError, "int32, float32");
  EXPECT_ERROR(lax::select(f32({3}), f32({3}), f32({3})), ct::TypeError, "select");
  EXPECT_ERROR(lax::clamp(jnp::arange(3), f32({3}), f32({3})), ct::TypeError, "clamp");
  EXPECT_ERROR(lax::concatenate({jnp::arange(3), f32({3})}, 0), ct::TypeError, "concatenate");
}
TEST(Dtypes, ThatAreNotAccepted) {
  EXPECT_ERROR(lax::sin(jnp::arange(3)), ct::TypeError, "sin does not accept dtype int32");
  EXPECT_ERROR(lax::bitwise_and(f32({3}), f32({3})), ct::TypeError, "and does not accept dtype float32");
  EXPECT_ERROR(lax::abs(jnp::arange(3).astype(ct::uint8)), ct::TypeError, "abs does not accept dtype uint8");
  EXPECT_ERROR(lax::floor(lax::complex(f32({3}), f32({3}))), ct::TypeError, "floor does not accept dtype complex64");
  EXPECT_ERROR(lax::lt(lax::complex(f32({3}), f32({3})), lax::complex(f32({3}), f32({3}))), ct::TypeError, "lt");
  EXPECT_ERROR(~f32({3}), ct::TypeError, "float32");
  EXPECT_ERROR(f32({3}) & f32({3}), ct::TypeError, "float32");
  EXPECT_ERROR(f32({3}) << 1, ct::TypeError, "float32");
  EXPECT_ERROR(ct::random::key(0) + 1, ct::TypeError, "key");
  EXPECT_ERROR(ct::random::split(f32({2})), ct::TypeError, "");
  EXPECT_ERROR(ct::random::uniform(ct::random::key(0), {2}, ct::int32), ct::ValueError, "int32");
  EXPECT_ERROR(f32({3})(f32({2})), ct::TypeError, "");
  EXPECT_ERROR(Array(std::int64_t{1} << 40), ct::OverflowError, "1099511627776");
}

TEST(Axes, OutOfRange) {
  EXPECT_ERROR(jnp::sum(f32({2, 3}), 2), ct::ValueError, "axis 2 is out of bounds for array of dimension 2");
  EXPECT_ERROR(jnp::sum(f32({2, 3}), -3), ct::ValueError, "axis -3 is out of bounds for array of dimension 2");
  EXPECT_ERROR(jnp::sum(f32({2, 3}), {0, 0}), ct::ValueError, "");
  EXPECT_ERROR(jnp::argmax(f32({2, 3}), 5), ct::IndexError, "axis 5");
  EXPECT_ERROR(jnp::expand_dims(f32({2}), 5), ct::ValueError, "axis 5");
  EXPECT_ERROR(jnp::concatenate({f32({2})}, 1), ct::ValueError, "axis 1");
  EXPECT_ERROR(jnp::swapaxes(f32({2, 3}), 0, 2), ct::IndexError, "axis 2");
  EXPECT_ERROR(jnp::moveaxis(f32({2, 3}), 2, 0), ct::ValueError, "2");
  EXPECT_ERROR(jnp::flip(f32({2, 3}), 2), ct::ValueError, "axis 2");
  EXPECT_ERROR(lax::reduce_sum(f32({2}), {1}), ct::Error, "reduce_sum");
  EXPECT_ERROR(lax::broadcasted_iota(ct::int32, {2}, 1), ct::Error, "iota");
  EXPECT_ERROR(lax::argmax(f32({2}), 1, ct::int32), ct::Error, "argmax");
}
TEST(Axes, OfEmptyReductions) {
  EXPECT_ERROR(jnp::max(f32({0})), ct::ValueError, "max");
  EXPECT_ERROR(jnp::min(f32({2, 0}), 1), ct::ValueError, "min");
  EXPECT_ERROR(jnp::argmax(f32({0})), ct::ValueError, "argmax");
}

}  // namespace

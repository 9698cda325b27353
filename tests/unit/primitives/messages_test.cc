// What the checks of structural, reduction and contraction primitives say: class and first line as JAX's.
#include "ops/common.h"
#include "ops/random.h"
#include "ops/reduction.h"
#include "ops/structural.h"
#include "unit/primitives/primitive_support.h"

namespace cotan::primitive_test {
namespace {

const Array x = vector<float>({0, 1, 2, 3}), m = array<float>({2, 3}, std::vector<float>(6, 1)),
            ints = vector<std::int32_t>({1, 2, 3, 4});

template <class E> void expect_message(const char* message, const std::function<void()>& f) {
  EXPECT_EQ(message_of<E>(f), message);
}

TEST(Messages, BroadcastReshapeTranspose) {
  expect_message<TypeError>(
      "broadcast_in_dim operand dimension sizes must either be 1, or be equal to their corresponding dimensions in the "
      "target "
      "broadcast shape; got operand of shape (4,), target broadcast shape (3,), broadcast_dimensions (0,)",
      [] { ops::broadcast_in_dim(x, {3}, {0}); });
  expect_message<TypeError>(
      "broadcast_in_dim broadcast_dimensions must be a subset of output dimensions, got (1,) for operand ndim 1 and "
      "shape (4,).",
      [] { ops::broadcast_in_dim(x, {4}, {1}); });
  expect_message<TypeError>(
      "broadcast_in_dim target broadcast shape must have equal or higher rank to the operand shape; got operand ndim 2 "
      "and "
      "target broadcast ndim 1.",
      [] {
        ops::broadcast_in_dim(m, {3}, {0, 1});
      });
  expect_message<TypeError>("broadcast_in_dim shape must have every element be nonnegative, got (-4,).",
                            [] { ops::broadcast_in_dim(x, {-4}, {0}); });
  expect_message<TypeError>("reshape new_sizes must all be positive, got (-4,).", [] { ops::reshape(x, {-4}); });
  expect_message<TypeError>("reshape total size must be unchanged, got new_sizes (3,) for shape (4,).",
                            [] { ops::reshape(x, {3}); });
  expect_message<TypeError>(
      "transpose permutation isn't a permutation of operand dimensions, got permutation (0, 0) for operand shape (2, "
      "3).",
      [] {
        ops::transpose(m, {0, 0});
      });
  expect_message<ValueError>(
      "cannot select an axis to squeeze out which has size not equal to one, got shape=(2, 3) and dimensions=(0,)",
      [] { ops::squeeze(m, {0}); });
  expect_message<ValueError>("axis 3 is out of bounds for array of dimension 2", [] { ops::squeeze(m, {3}); });
  expect_message<ValueError>("repeated axis in lax.expand_dims: (0, 0)", [] { ops::expand_dims(m, {0, 0}); });
  expect_message<TypeError>("rev dimensions must be unique, got (0, 0).", [] { ops::rev(x, {0, 0}); });
  expect_message<TypeError>(
      "rev dimensions must all be less than operand ndim, got dimensions (1,) for operand ndim 1.",
      [] { ops::rev(x, {1}); });
  expect_message<ValueError>("iota dimension must be between 0 and len(shape), got dimension=2 for shape=(2, 3)", [] {
    ops::iota(int32, {2, 3}, 2);
  });
  expect_message<TypeError>("iota shape must have every element be nonnegative, got (-1,).",
                            [] { ops::iota(int32, {-1}, 0); });
}

TEST(Messages, ConcatenateStackPad) {
  const auto both = [](const Array& a, const Array& b) { return std::vector<Array>{a, b}; };
  expect_message<TypeError>("Cannot concatenate arrays with different numbers of dimensions: got (4,), (2, 3).",
                            [&] { ops::concatenate(both(x, m), 0); });
  expect_message<TypeError>("concatenate dimension out of bounds: dimension 1 for shapes (4,), (4,).",
                            [&] { ops::concatenate(both(x, x), 1); });
  expect_message<TypeError>(
      "Cannot concatenate arrays with shapes that differ in dimensions other than the one being concatenated: "
      "concatenating "
      "along dimension 1 for shapes (2, 3), (3, 2).",
      [&] {
        ops::concatenate(both(m, ops::transpose(m, {1, 0})), 1);
      });
  expect_message<ValueError>("Cannot stack arrays with different numbers of dimensions: got (4,), (2, 3).",
                             [&] { ops::stack(both(x, m), 0); });
  expect_message<ValueError>("axis 2 is out of bounds for array of dimension 2", [&] { ops::stack(both(x, x), 2); });
  const auto pad = [](const Array& a, const Array& v, std::vector<ops::PadDim> c) { ops::pad(a, v, c); };
  const Array zero = ops::scalar(float32, 0);
  expect_message<TypeError>("pad operand and padding_value must be same dtype: got float32 and int32.", [&] {
    pad(x, ops::scalar_int(int32, 1), {{1, 1, 0}});
  });
  expect_message<ValueError>(
      "length of padding_config must equal the number of axes of operand, got padding_config ((1, 1, 0), (1, 1, 0)) "
      "for "
      "operand shape (4,)",
      [&] {
        pad(x, zero, {{1, 1, 0}, {1, 1, 0}});
      });
  expect_message<ValueError>("interior padding in padding_config must be nonnegative, got padding_config ((1, 1, -1),)",
                             [&] {
                               pad(x, zero, {{1, 1, -1}});
                             });
  expect_message<ValueError>(
      "Dimension size after padding is not at least 0, got result shape (-2,), for padding_config ((-3, -3, 0),) and "
      "operand "
      "shape (4,)",
      [&] {
        pad(x, zero, {{-3, -3, 0}});
      });
}

TEST(Messages, Slices) {
  expect_message<TypeError>(
      "slice limit_indices must be less than or equal to operand shape, got limit_indices (5,) for operand shape (4,).",
      [] { ops::slice(x, {1}, {5}); });
  expect_message<TypeError>("slice start_indices must have every element be nonnegative, got (-1,).",
                            [] { ops::slice(x, {-1}, {3}); });
  expect_message<TypeError>(
      "slice limit_indices must be greater than or equal to start_indices, got start_indices (3,) and limit_indices "
      "(1,).",
      [] { ops::slice(x, {3}, {1}); });
  expect_message<TypeError>(
      "slice start_indices must have length equal to the number of dimensions of the operand, got indices (1, 1) for "
      "operand "
      "shape (4,).",
      [] {
        ops::slice(x, {1, 1}, {3, 3});
      });
  expect_message<TypeError>("slice strides must be positive, got (0,)", [] { ops::slice(x, {1}, {3}, IntList{0}); });
  const Array start[] = {ops::scalar_int(int32, 1), ops::scalar_int(int32, 1)};
  expect_message<TypeError>(
      "slice slice_sizes must be less than or equal to operand shape, got slice_sizes (5,) for operand shape (4,).",
      [&] {
        ops::dynamic_slice(x, {start, 1}, {5});
      });
  expect_message<ValueError>("Length of slice indices must match number of operand dimensions (2 vs (4,))",
                             [&] { ops::dynamic_slice(x, start, {2}); });
  expect_message<TypeError>(
      "dynamic_update_slice update shape must be smaller than operand shape, got update shape (5,) for operand shape "
      "(4,).",
      [&] {
        ops::dynamic_update_slice(x, ops::iota(float32, {5}, 0), {start, 1});
      });
  const Array fraction = ops::scalar(float32, 1);
  expect_message<TypeError>("index arguments to dynamic_slice must be integers of the same type, got: float32", [&] {
    ops::dynamic_slice(x, {&fraction, 1}, {2});
  });
}

TEST(Messages, ReductionsAndDot) {
  expect_message<ValueError>("duplicate value in 'axes' of reduction: (0, 0)", [] { ops::reduce_sum(x, {0, 0}); });
  expect_message<ValueError>("reduction axes (1,) contains out-of-bounds indices for f32[4].",
                             [] { ops::reduce_max(x, {1}); });
  expect_message<TypeError>("reduce_sum does not accept dtype bool. Accepted dtypes are subtypes of number.", [] {
    ops::reduce_sum(bools({2}, {0, 1}), {0});
  });
  expect_message<TypeError>("logical reduction requires operand dtype bool or int, got float32.",
                            [] { ops::reduce_and(x, {0}); });
  expect_message<ValueError>("Invalid axis 1 for operand shape (4,)", [] { ops::argmax(x, 1, int32); });
  expect_message<ValueError>("argmin and argmax require non-empty reduced dimension. operand.shape=(0,) axis=0",
                             [] { ops::argmax(ops::iota(float32, {0}, 0), 0, int32); });
  expect_message<TypeError>("index_dtype must be an integer type, but got float32", [] { ops::argmax(x, 0, float32); });
  expect_message<TypeError>(
      "dot_general requires contracting dimensions to have the same shape, got (3,) and (2,): the operands' shapes are "
      "(2, 3) and (2, 3).",
      [] {
        ops::dot_general(m, m, {{1}, {0}, {}, {}});
      });
  expect_message<TypeError>(
      "dot_general requires lhs batch dimensions to be disjoint from contracting dimensions, got lhs_batch (0,) and "
      "lhs_contracting (0,).",
      [] {
        ops::dot_general(x, x, {{0}, {0}, {0}, {0}});
      });
  expect_message<TypeError>(
      "dot_general requires rhs dimension numbers to be nonnegative and less than the number of axes of the rhs value, "
      "got "
      "rhs_batch of () and rhs_contracting of (1,) for rhs of rank 1",
      [] {
        ops::dot_general(x, x, {{0}, {1}, {}, {}});
      });
  expect_message<TypeError>(
      "dot_general requires equal numbers of lhs_batch and rhs_batch dimensions, got lhs_batch (0,) and rhs_batch ().",
      [] {
        ops::dot_general(m, m, {{}, {}, {0}, {}});
      });
  expect_message<TypeError>(
      "`preferred_element_type` must not be narrower than the original type, got preferred_element_type of int8 for "
      "result "
      "type of int32.",
      [] {
        ops::dot_general(ints, ints, {{0}, {0}, {}, {}}, int8);
      });
}

TEST(Messages, Keys) {
  EXPECT_EQ(message_of<TypeError>([] { ops::random_bits(x, 32, {2}); }).substr(0, 54),
            "random_bits expects an array of keys, got f32[4]. Keys");
  expect_message<TypeError>(
      "invalid PRNG key data: expected key_data.shape to end with (2,); got shape=(3,) for the implementation fry", [] {
        ops::random_wrap(vector<std::uint32_t>({1, 2, 3}), DType::key_fry);
      });
  expect_message<TypeError>("PRNG key seed must be an integer; got f32[4]",
                            [] { ops::random_seed(x, DType::key_fry); });
}

}  // namespace
}  // namespace cotan::primitive_test

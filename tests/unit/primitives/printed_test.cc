// Equations print as in JAX 0.10.2.
#include "ops/collective.h"
#include "ops/common.h"
#include "ops/random.h"
#include "ops/reduction.h"
#include "ops/structural.h"
#include "transforms/flat.h"
#include "unit/primitives/primitive_support.h"

namespace cotan::primitive_test {
namespace {

const Aval f4{{4}, float32, false}, f23{{2, 3}, float32, false}, i0{{}, int32, false}, key{{}, DType::key_fry, false};

void expect_text(const std::vector<Aval>& in, const std::function<Array(const Arrays&)>& f, const char* text) {
  EXPECT_EQ(flat_make_jaxpr([&](const Arrays& a) { return Arrays{f(a)}; }, in).str(), text);
}

TEST(Printed, Structural) {
  expect_text(
      {f4},
      [](const Arrays& a) {
        return ops::broadcast_in_dim(a[0], {3, 2, 4}, {2});
      },
      "{ lambda ; a:f32[4]. let\n    b:f32[3,2,4] = broadcast_in_dim[broadcast_dimensions=(2,)] a\n  in (b,) }");
  expect_text(
      {},
      [](const Arrays&) {
        return ops::full({{2}, float32, false}, 1);
      },
      "{ lambda ; . let a:f32[2] = broadcast_in_dim 1.0:f32[] in (a,) }");
  expect_text(
      {f4},
      [](const Arrays& a) {
        return ops::reshape(a[0], {2, 2});
      },
      "{ lambda ; a:f32[4]. let\n    b:f32[2,2] = reshape[dimensions=None new_sizes=(2, 2) sharding=None] a\n  in (b,) "
      "}");
  expect_text(
      {f4}, [](const Arrays& a) { return ops::rev(a[0], {0}); },
      "{ lambda ; a:f32[4]. let b:f32[4] = rev[dimensions=(0,)] a in (b,) }");
  expect_text(
      {f4}, [](const Arrays& a) { return ops::slice(a[0], {1}, {4}); },
      "{ lambda ; a:f32[4]. let\n    b:f32[3] = slice[limit_indices=(4,) start_indices=(1,) strides=None] a\n  in (b,) "
      "}");
  expect_text(
      {f4}, [](const Arrays& a) { return ops::slice_in_dim(a[0], 1, 3, 1, 0); },
      "{ lambda ; a:f32[4]. let\n    b:f32[2] = slice[limit_indices=(3,) start_indices=(1,) strides=(1,)] a\n  in (b,) "
      "}");
  expect_text(
      {f4},
      [](const Arrays& a) {
        return ops::stack(std::vector<Array>{a[0], a[0]}, 0);
      },
      "{ lambda ; a:f32[4]. let b:f32[2,4] = stack[axis=0] a a in (b,) }");
  expect_text(
      {f4},
      [](const Arrays& a) {
        const ops::PadDim config[] = {{1, -1, 2}};
        return ops::pad(a[0], ops::scalar(float32, 0), config);
      },
      "{ lambda ; a:f32[4]. let\n    b:f32[10] = pad[padding_config=((1, -1, 2),)] a 0.0:f32[]\n  in (b,) }");
  expect_text(
      {}, [](const Arrays&) { return ops::iota(int32, {5}, 0); },
      "{ lambda ; . let\n    a:i32[5] = iota[dimension=0 dtype=int32 shape=(5,) sharding=None] \n  in (a,) }");
  expect_text(
      {f4, i0},
      [](const Arrays& a) {
        return ops::dynamic_slice(a[0], {&a[1], 1}, {2});
      },
      "{ lambda ; a:f32[4] b:i32[]. let\n    c:f32[2] = dynamic_slice[slice_sizes=(2,)] a b\n  in (c,) }");
}

TEST(Printed, ReductionsAndDot) {
  expect_text(
      {f4}, [](const Arrays& a) { return ops::reduce_sum(a[0], {0}); },
      "{ lambda ; a:f32[4]. let\n    b:f32[] = reduce_sum[axes=(0,) out_sharding=None] a\n  in (b,) }");
  expect_text(
      {f4}, [](const Arrays& a) { return ops::reduce_max(a[0], {0}); },
      "{ lambda ; a:f32[4]. let b:f32[] = reduce_max[axes=(0,)] a in (b,) }");
  expect_text(
      {f4}, [](const Arrays& a) { return ops::argmax(a[0], 0, int32); },
      "{ lambda ; a:f32[4]. let\n    b:i32[] = argmax[axes=(0,) index_dtype=int32] a\n  in (b,) }");
  expect_text(
      {f23},
      [](const Arrays& a) {
        return ops::dot_general(a[0], a[0], {{1}, {1}, {0}, {0}});
      },
      "{ lambda ; a:f32[2,3]. let\n    b:f32[2] = dot_general[dimension_numbers=(([1], [1]), ([0], [0]))] a a\n  in "
      "(b,) }");
  expect_text(
      {f4},
      [](const Arrays& a) {
        return ops::dot_general(a[0], a[0], {{0}, {0}, {}, {}}, float32);
      },
      "{ lambda ; a:f32[4]. let\n    b:f32[] = dot_general[\n      dimension_numbers=(([0], [0]), ([], []))\n"
      "      preferred_element_type=float32\n    ] a a\n  in (b,) }");
}

TEST(Printed, RandomAndCollectives) {
  expect_text(
      {key}, [](const Arrays& a) { return ops::random_bits(a[0], 32, {3}); },
      "{ lambda ; a:key<fry>[]. let\n    b:u32[3] = random_bits[bit_width=32 shape=(3,)] a\n  in (b,) }");
  expect_text(
      {key},
      [](const Arrays& a) {
        return ops::random_split(a[0], {2, 3});
      },
      "{ lambda ; a:key<fry>[]. let\n    b:key<fry>[2,3] = random_split[shape=(2, 3)] a\n  in (b,) }");
  expect_text(
      {key}, [](const Arrays& a) { return ops::random_fold_in(a[0], ops::scalar_int(uint32, 3)); },
      "{ lambda ; a:key<fry>[]. let b:key<fry>[] = random_fold_in a 3:u32[] in (b,) }");
  expect_text(
      {i0}, [](const Arrays& a) { return ops::random_seed(a[0], DType::key_fry); },
      "{ lambda ; a:i32[]. let b:key<fry>[] = random_seed[impl=fry] a in (b,) }");
  AxisScope axis("i", 4);
  expect_text(
      {f4}, [](const Arrays& a) { return ops::psum(a[0], {"i"}); },
      "{ lambda ; a:f32[4]. let\n    b:f32[4] = psum[axes=('i',) axis_index_groups=None] a\n  in (b,) }");
  expect_text(
      {}, [](const Arrays&) { return ops::axis_index("i"); },
      "{ lambda ; . let a:i32[] = axis_index[axis_name=i]  in (a,) }");
}

}  // namespace
}  // namespace cotan::primitive_test

// Collectives over named vmap axes: values that JAX 0.10.2 gives.
#include "ops/collective.h"

#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/reduction.h"
#include "transforms/flat.h"
#include "unit/primitives/primitive_support.h"

namespace cotan::primitive_test {
namespace {

using Floats = std::vector<float>;
const Array counting = vector<float>({0, 1, 2, 3});

Array vmapped(const std::function<Array(const Array&)>& f, const Array& x, const std::string& axis = "i") {
  const std::int64_t n = x.shape()[0];
  return with_batch_axis(flat_vmap([&](const Arrays& a) { return Arrays{f(a[0])}; }, {x}, {0}, n, axis)[0], 0, n);
}
Array grad(const std::function<Array(const Array&)>& f, const Array& x) {
  const LinearizeResult r = flat_linearize([&](const Arrays& a) { return Arrays{f(a[0])}; }, {x});
  return ops::instantiate(r.linear.transpose({Tangent(ops::full(r.primals[0].aval(), 1))})[0]);
}
Array psum_of_square(const Array& y) { return ops::psum(ops::mul(y, y), {"i"}); }

TEST(Collective, PsumOfMappedSharedAndConstantValues) {
  EXPECT_EQ(elements<float>(vmapped([](const Array& y) { return ops::psum(y, {"i"}); }, counting)),
            (Floats{6, 6, 6, 6}));
  EXPECT_EQ(elements<float>(vmapped([](const Array&) { return ops::psum(ops::scalar(float32, 3), {"i"}); }, counting)),
            (Floats{12, 12, 12, 12}));
  const auto r = flat_vmap(
      [](const Arrays& a) {
        ArrayVec out;
        ops::psum(a, {"i"}, out);
        return Arrays(out.begin(), out.end());
      },
      {counting, ops::scalar(float32, 2)}, {0, no_axis}, 4, "i");
  EXPECT_EQ(elements<float>(r[0].value), Floats{6});
  EXPECT_EQ(elements<float>(r[1].value), Floats{8});
  EXPECT_EQ(r[1].axis, no_axis);
  const Array counted =
      vmapped([](const Array& y) { return ops::psum(ops::gt(y, ops::scalar(float32, 1)), {"i"}); }, counting);
  EXPECT_EQ(elements<std::int32_t>(counted), (std::vector<std::int32_t>{2, 2, 2, 2}));
}

TEST(Collective, ExtremaAndPositions) {
  EXPECT_EQ(elements<float>(vmapped([](const Array& y) { return ops::pmax(y, {"i"}); }, counting)),
            (Floats{3, 3, 3, 3}));
  EXPECT_EQ(elements<float>(vmapped([](const Array& y) { return ops::pmin(y, {"i"}); }, counting)),
            (Floats{0, 0, 0, 0}));
  EXPECT_EQ(elements<std::int32_t>(vmapped([](const Array&) { return ops::axis_index("i"); }, counting)),
            (std::vector<std::int32_t>{0, 1, 2, 3}));
}

TEST(Collective, TwoAxes) {
  const Array x = ops::full({{2, 3}, float32, false}, 1);
  const auto nested = [&](const std::function<Array(const Array&)>& f) {
    return vmapped([&](const Array& row) { return vmapped(f, row, "j"); }, x, "i");
  };
  EXPECT_EQ(elements<float>(nested([](const Array& y) { return ops::psum(y, {"i", "j"}); })), Floats(6, 6));
  EXPECT_EQ(elements<float>(nested([](const Array& y) { return ops::psum(y, {"i"}); })), Floats(6, 2));
  EXPECT_EQ(elements<float>(nested([](const Array& y) { return ops::psum(y, {"j"}); })), Floats(6, 3));
  const Array place = nested([](const Array&) {
    return ops::add(ops::mul(ops::axis_index("i"), ops::scalar_int(int32, 3)), ops::axis_index("j"));
  });
  EXPECT_EQ(elements<std::int32_t>(place), (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Collective, Derivatives) {
  EXPECT_EQ(elements<float>(vmapped([](const Array& y) { return grad(psum_of_square, y); }, counting)),
            (Floats{0, 8, 16, 24}));
  const auto sum_of_vmap = [](const Array& x) { return ops::reduce_sum(vmapped(psum_of_square, x), {0}); };
  EXPECT_EQ(elements<float>(grad(sum_of_vmap, counting)), (Floats{0, 8, 16, 24}));
  const Array tangent = vmapped(
      [](const Array& y) {
        const FlatFn f = [](const Arrays& a) { return Arrays{psum_of_square(a[0])}; };
        return flat_jvp(f, {y}, {Tangent(ops::scalar(float32, 1))}).tangents[0].value();
      },
      counting);
  EXPECT_EQ(elements<float>(tangent), (Floats{12, 12, 12, 12}));
  EXPECT_NE(message_of<NotImplementedError>([] {
              vmapped([](const Array& y) { return grad([](const Array& z) { return ops::pmax(z, {"i"}); }, y); },
                      counting);
            }),
            "");
}

TEST(Collective, UnboundAxis) {
  EXPECT_EQ(message_of<NameError>([] { ops::psum(counting, {"q"}); }).substr(0, 30), "Found an unbound axis name: q.");
  EXPECT_NE(message_of<NameError>([] { ops::axis_index("q"); }), "");
  EXPECT_NE(message_of<NameError>([] { vmapped([](const Array& y) { return ops::pmax(y, {"j"}); }, counting); }), "");
}

}  // namespace
}  // namespace cotan::primitive_test

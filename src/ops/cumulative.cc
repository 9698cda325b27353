// Cumulative sum, product, extrema and logsumexp along an axis.
#include <cmath>

#include "kernel/row_params.h"
#include "kernel/plan.h"
#include "ops/common.h"
#include "ops/costs.h"
#include "ops/elementwise.h"
#include "ops/op_list.h"
#include "ops/sorting.h"
#include "ops/structural.h"
#include "ops/structural_checks.h"

namespace cotan::ops {

RowSizes rows_along(const Shape& shape, int axis) {
  RowSizes r;
  r.n = shape[axis];
  for (int i = 0; i < shape.ndim(); ++i)
    if (i != axis) (i < axis ? r.outer : r.inner) *= shape[i];
  return r;
}

namespace {

using kernel::ScanKind;
constexpr auto f32 = DType::float32;

struct CumulativeParams {
  int axis = 0;
  bool reverse = false;
  template <class S, class V> static void fields(S& s, V& v) { v("axis", s.axis), v("reverse", s.reverse); }
};

void cumulative_avals(const AbstractIn& in, AvalVec& out) {
  const Aval& x = in.in[0];
  const int axis = in.params<CumulativeParams>().axis;
  check_dtype(in.primitive.name, in.primitive.dtypes, x);
  if (axis < 0)
    throw ValueError(std::string(in.primitive.name) + ": the axis must not be negative, got " + std::to_string(axis));
  if (axis >= x.ndim())
    throw ValueError("axis " + std::to_string(axis) + " is out of bounds for array of shape " + x.shape.str());
  out.push_back({x.shape, x.dtype, x.weak_type});
}

void cumulative_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  CumulativeParams p = in.params<CumulativeParams>();
  p.axis += p.axis >= in.dims[0];
  out.push_back(in.primitive.bind1(make_params(p), in.args));
  out_dims.push_back(in.dims[0]);
}

template <ScanKind kind> void cumulative_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<CumulativeParams>();
  const Aval& x = in.in[0];
  if (x.size() == 0) return;
  const RowSizes r = rows_along(x.shape, p.axis);
  kernel::LibraryCall call;
  call.op = kernel::LibraryOp::scan;
  call.inputs = {{0, x.dtype, 0}};
  call.outputs = {{1, x.dtype, 0}};
  call.params = kernel::ScanParams{{r.outer, r.n, r.inner}, kind, p.reverse}.encode();
  plan.steps.emplace_back(std::move(call));
}

void cumsum_transpose(const TransposeIn& in, TangentVec& out) {
  const auto& p = in.params<CumulativeParams>();
  out.push_back(cumsum(in.cts[0].value(), p.axis, !p.reverse));
}

// --- derivatives: the scan of pairs of a value and its tangent --------------------------------------------------------------------
struct Dual {
  Array x, t;
};
using Combine = Dual (*)(const Dual& before, const Dual& after);

Dual every_second(const Dual& d, std::int64_t first, std::int64_t last, int axis) {
  return {slice_in_dim(d.x, first, last, 2, axis), slice_in_dim(d.t, first, last, 2, axis)};
}
Array join(const Array& a, const Array& b, int axis) {
  const Array both[] = {a, b};
  return concatenate(both, axis);
}
// a0 b0 a1 b1 ...; a has as many elements as b, or one more.
Array interleave(const Array& a, const Array& b, int axis) {
  const std::int64_t n = b.shape()[axis];
  IntList wide = a.shape();
  wide[axis] = 2 * n;
  const Array pair[] = {slice_in_dim(a, 0, n, 1, axis), b};
  const Array whole = reshape(stack(pair, axis + 1), Shape(wide));
  return a.shape()[axis] == n ? whole : join(whole, slice_in_dim(a, n, n + 1, 1, axis), axis);
}

// Neighbours are combined, their scan gives every second result, and those between follow from it: the order in which JAX
// combines, which decides how equal extrema share their tangent.
Dual scan_pairs(const Dual& d, Combine combine, int axis) {
  const std::int64_t n = d.x.shape()[axis];
  if (n < 2) return d;
  const Dual odd = scan_pairs(combine(every_second(d, 0, n - n % 2, axis), every_second(d, 1, n, axis)), combine, axis);
  const Array first_x = slice_in_dim(d.x, 0, 1, 1, axis), first_t = slice_in_dim(d.t, 0, 1, 1, axis);
  Dual even{first_x, first_t};
  if (n > 2) {
    const std::int64_t before = odd.x.shape()[axis] - (n % 2 == 0);
    const Dual sums{slice_in_dim(odd.x, 0, before, 1, axis), slice_in_dim(odd.t, 0, before, 1, axis)};
    const Dual rest = combine(sums, every_second(d, 2, n, axis));
    even = {join(first_x, rest.x, axis), join(first_t, rest.t, axis)};
  }
  return {interleave(even.x, odd.x, axis), interleave(even.t, odd.t, axis)};
}

template <Combine combine> void cumulative_jvp(const JvpIn& in, ArrayVec& out, TangentVec& tangents_out) {
  const auto& p = in.params<CumulativeParams>();
  out.push_back(in.primitive.bind1(in.params_ref, in.primals));
  Dual d{in.primals[0], in.tangents[0].value()};
  if (p.reverse) d = {rev(d.x, {p.axis}), rev(d.t, {p.axis})};
  const Array t = scan_pairs(d, combine, p.axis).t;
  tangents_out.push_back(p.reverse ? rev(t, {p.axis}) : t);
}

Dual combine_products(const Dual& a, const Dual& b) { return {mul(a.x, b.x), add_any(mul(a.t, b.x), mul(a.x, b.t))}; }
// Equal values share the tangent.
template <bool is_max> Dual combine_extrema(const Dual& a, const Dual& b) {
  const Array half = mul(add_any(a.t, b.t), scalar(a.t.dtype(), 0.5));
  const Array x = is_max ? max(a.x, b.x) : min(a.x, b.x);
  const Array same = eq(a.x, b.x), left = eq(a.x, x);
  return {x, select(same, half, select(left, a.t, b.t))};
}
// exp(x - r), and 0 where x is -inf, whatever r.
Array share(const Array& x, const Array& r) {
  const Array nothing = is_complex(x.dtype()) ? eq(real(x), scalar(real_dtype(x.dtype()), -HUGE_VAL))
                                              : eq(x, scalar(x.dtype(), -HUGE_VAL));
  const Array zero = zeros_of(x.aval());
  return select(nothing, zero, exp(select(nothing, zero, sub(x, r))));
}
// Of complex numbers, relative to the larger real part.
Array add_logs(const Array& x, const Array& y) {
  if (!is_complex(x.dtype())) return logaddexp(x, y);
  const Array m = max(real(x), real(y)), zero = zeros_of(m.aval());
  const Array largest = complex(select(is_finite(m), m, zero), zero);
  return add(log(add(exp(sub(x, largest)), exp(sub(y, largest)))), largest);
}
Dual combine_logs(const Dual& a, const Dual& b) {
  const Array r = add_logs(a.x, b.x);
  return {r, add_any(mul(a.t, share(a.x, r)), mul(b.t, share(b.x, r)))};
}

// What follows each element (or precedes, in reverse) at a distance that doubles is combined with it.
template <Array (*combine)(const Array&, const Array&)>
Array cumulative_expand(const EqnContext& c, std::span<const Array> in) {
  const auto& p = c.params<CumulativeParams>();
  const DType d = in[0].dtype(), computed = d == DType::bfloat16 || d == DType::float16 ? DType::float32 : d;
  Array x = convert_element_type(in[0], computed);
  const std::int64_t n = x.shape()[p.axis];
  for (std::int64_t step = 1; step < n; step *= 2) {
    const Array near = slice_in_dim(x, 0, n - step, 1, p.axis), far = slice_in_dim(x, step, n, 1, p.axis);
    const Array combined = p.reverse ? combine(far, near) : combine(near, far);
    x = p.reverse ? join(combined, slice_in_dim(x, n - step, n, 1, p.axis), p.axis)
                  : join(slice_in_dim(x, 0, step, 1, p.axis), combined, p.axis);
  }
  return convert_element_type(x, d);
}

std::vector<Sample> cumulative_samples(std::initializer_list<DType> dtypes) {
  std::vector<Sample> v;
  const auto s = [&](Shape shape, int axis, bool reverse, DType d) {
    v.push_back({make_params(CumulativeParams{axis, reverse}), {{std::move(shape), d}}});
  };
  for (DType d : dtypes) s({5}, 0, false, d), s({2, 3}, 1, true, d);
  s({3, 2}, 0, false, f32), s({2, 3, 2}, 1, false, f32), s({2, 3, 2}, 1, true, f32), s({1}, 0, false, f32);
  s({0}, 0, false, f32), s({2, 0}, 0, true, f32), s({0, 3}, 1, false, f32);
  return v;
}
std::vector<Sample> number_samples() {
  return cumulative_samples({f32, DType::float64, DType::bfloat16, DType::complex64, DType::int32, DType::uint8});
}
std::vector<Sample> float_samples() {
  return cumulative_samples({f32, DType::float64, DType::float16, DType::complex128});
}

template <ScanKind kind, Combine combine, Array (*expand)(const Array&, const Array&)>
constexpr Primitive cumulative(const char* name, const char* doc, DTypeSet dtypes, SamplesRule* samples) {
  return {.name = name,
          .doc = doc,
          .dtypes = dtypes,
          .params = &params_ops<CumulativeParams>,
          .abstract_eval = cumulative_avals,
          .jvp = cumulative_jvp<combine>,
          .transpose = not_linear,
          .batching = cumulative_batching,
          .nans = Nans::made,
          .emit = cumulative_emit<kind>,
          .stablehlo = cumulative_expand<expand>,
          .cost = one_each,
          .samples = samples};
}

}  // namespace

constinit const Primitive cumsum_p{.name = "cumsum",
                                   .doc =
                                       "The sum of each element and those before it along `axis` (reverse: after it), "
                                       "of numbers. Floats are added in float64, in "
                                       "an order that the shape fixes; integers wrap.",
                                   .dtypes = numeric,
                                   .params = &params_ops<CumulativeParams>,
                                   .abstract_eval = cumulative_avals,
                                   .jvp = jvp_linear_in_first,
                                   .transpose = cumsum_transpose,
                                   .batching = cumulative_batching,
                                   .nans = Nans::made,
                                   .emit = cumulative_emit<ScanKind::sum>,
                                   .stablehlo = cumulative_expand<add>,
                                   .cost = one_each,
                                   .samples = number_samples};
constinit const Primitive cumprod_p =
    cumulative<ScanKind::prod, combine_products, mul>("cumprod",
                                                      "The product of each element and those before it along `axis` "
                                                      "(reverse: after it), of numbers, multiplied as cumsum adds. "
                                                      "The derivative is right also where elements are 0.",
                                                      numeric, number_samples);
constinit const Primitive cummax_p = cumulative<ScanKind::max, combine_extrema<true>, max>(
    "cummax",
    "The largest of each element and those before it along `axis` "
    "(reverse: after it); NaN from the first NaN on. Equal elements "
    "share the tangent, as they are combined by halves.",
    numeric, number_samples);
constinit const Primitive cummin_p = cumulative<ScanKind::min, combine_extrema<false>, min>(
    "cummin",
    "The smallest of each element and those before it along `axis` "
    "(reverse: after it); NaN from the first NaN on. Equal elements "
    "share the tangent, as they are combined by halves.",
    numeric, number_samples);
constinit const Primitive cumlogsumexp_p = cumulative<ScanKind::logsumexp, combine_logs, add_logs>(
    "cumlogsumexp",
    "log of the sum of the exponentials of each element and those before "
    "it along `axis` (reverse: after it), each relative to the "
    "largest of them, so that no prefix overflows. Floating and complex.",
    inexact, float_samples);

namespace {
Array bind_cumulative(const Primitive& p, const Array& x, int axis, bool reverse) {
  return p.bind1(make_params(CumulativeParams{axis, reverse}), {&x, 1});
}
}  // namespace
Array cumsum(const Array& x, int axis, bool reverse) { return bind_cumulative(cumsum_p, x, axis, reverse); }
Array cumprod(const Array& x, int axis, bool reverse) { return bind_cumulative(cumprod_p, x, axis, reverse); }
Array cummax(const Array& x, int axis, bool reverse) { return bind_cumulative(cummax_p, x, axis, reverse); }
Array cummin(const Array& x, int axis, bool reverse) { return bind_cumulative(cummin_p, x, axis, reverse); }
Array cumlogsumexp(const Array& x, int axis, bool reverse) { return bind_cumulative(cumlogsumexp_p, x, axis, reverse); }

void register_cumulative() {
  for (const Primitive* p : {&cumsum_p, &cumprod_p, &cummax_p, &cummin_p, &cumlogsumexp_p}) register_primitive(*p);
}

}  // namespace cotan::ops

// Collectives over named axes: psum, pmax, pmin, axis_index. Where the axis is vmap's, its batching rule does all the work.
#include "ops/collective.h"

#include <algorithm>

#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/op_list.h"
#include "ops/reduction.h"
#include "ops/structural.h"

namespace cotan::ops {

namespace {

struct CollectiveParams {
  AxisNames axes;
  Absent axis_index_groups;
  template <class S, class V> static void fields(S& s, V& v) {
    v("axes", s.axes), v("axis_index_groups", s.axis_index_groups);
  }
  bool names(const std::string& axis) const { return std::find(axes.begin(), axes.end(), axis) != axes.end(); }
};
struct AxisIndexParams {
  std::string axis_name;
  template <class S, class V> static void fields(S& s, V& v) { v("axis_name", s.axis_name); }
};

bool collective_names(const EqnContext& c, const std::string& axis) { return c.params<CollectiveParams>().names(axis); }

void avals_over_axes(const AbstractIn& in, DTypeSet accepted, AvalVec& out) {
  for (const std::string& axis : in.params<CollectiveParams>().axes) find_axis(axis);
  for (const Aval& a : in.in) {
    check_dtype(in.primitive.name, accepted, a);
    out.push_back(a);
  }
}

// `over_batch` combines a mapped operand over its batch dimension, `repeated` an operand that is the same in the whole batch.
template <class Over, class Repeated>
void collective_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims, Over over_batch, Repeated repeated) {
  CollectiveParams p = in.params<CollectiveParams>();
  if (!p.names(in.axis_name)) {  // over an outer axis
    in.primitive.bind(in.params_ref, in.args, out);
    for (int d : in.dims) out_dims.push_back(d);
    return;
  }
  std::erase(p.axes, in.axis_name);
  ArrayVec results;
  for (std::size_t i = 0; i < in.args.size(); ++i) {
    results.push_back(in.dims[i] == not_mapped ? repeated(in.args[i]) : over_batch(in.args[i], IntList{in.dims[i]}));
    out_dims.push_back(not_mapped);
  }
  if (!p.axes.empty()) return in.primitive.bind(make_params(std::move(p)), results, out);
  for (Array& r : results) out.push_back(std::move(r));
}

void psum_jvp(const JvpIn& in, ArrayVec& out, TangentVec& tangents_out) {
  in.primitive.bind(in.params_ref, in.primals, out);
  ArrayVec given, sums;
  for (const Tangent& t : in.tangents)
    if (!t.is_zero()) given.push_back(t.value());
  if (!given.empty()) in.primitive.bind(in.params_ref, given, sums);
  std::size_t next = 0;
  for (const Tangent& t : in.tangents) tangents_out.push_back(t.is_zero() ? t : Tangent(sums[next++]));
}

// Each member of the axis gets the sum of all members' cotangents.
void psum_transpose(const TransposeIn& in, TangentVec& out) {
  ArrayVec given, sums;
  for (std::size_t i = 0; i < in.cts.size(); ++i)
    if (in.args[i].is_linear() && !in.cts[i].is_zero()) given.push_back(in.cts[i].value());
  if (!given.empty()) in.primitive.bind(in.params_ref, given, sums);
  std::size_t next = 0;
  for (std::size_t i = 0; i < in.cts.size(); ++i) {
    const bool has = in.args[i].is_linear() && !in.cts[i].is_zero();
    out.push_back(has ? Tangent(sums[next++]) : Tangent::zero(in.args[i].aval));
  }
}

void psum_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  collective_batching(in, out, out_dims, reduce_sum,
                      [&](const Array& x) { return mul(x, scalar_int(x.dtype(), in.axis_size)); });
}
template <Array (*reduce)(const Array&, const IntList&)>
void extremum_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  collective_batching(in, out, out_dims, reduce, [](const Array& x) { return x; });
}

void axis_index_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  out.push_back(iota(DType::int32, {in.axis_size}, 0));
  out_dims.push_back(0);
}

void refuse_emit(const EmitIn& in, kernel::Plan&) {
  throw NotImplementedError(std::string(in.primitive.name) + " over an axis that is not vmap's is not implemented");
}
std::vector<Sample> no_samples() { return {}; }  // an axis must be in scope: see tests/unit/ops

constexpr NoRule extremum_jvp = not_differentiable("which member gives the extremum is not recorded");

constexpr NoRule no_devices{"programs of several devices are not there yet"};

}  // namespace

constinit const Primitive psum_p{
    .name = "psum",
    .doc =
        "The sum of each operand over the named `axes`; numbers of any dtype. NameError for an axis that is not bound.",
    .operands = -1,
    .results = -1,
    .params = &params_ops<CollectiveParams>,
    .abstract_eval = [](const AbstractIn& in, AvalVec& out) { avals_over_axes(in, numeric, out); },
    .jvp = psum_jvp,
    .transpose = psum_transpose,
    .batching = psum_batching,
    .names_axis = collective_names,
    .emit = refuse_emit,
    .stablehlo = no_devices,
    .samples = no_samples};

constinit const Primitive pmax_p{
    .name = "pmax",
    .doc = "The largest of each operand over the named `axes`. NameError for an axis that is not bound.",
    .operands = -1,
    .results = -1,
    .params = &params_ops<CollectiveParams>,
    .abstract_eval = [](const AbstractIn& in, AvalVec& out) { avals_over_axes(in, any_number, out); },
    .jvp = extremum_jvp,
    .transpose = not_linear,
    .batching = extremum_batching<reduce_max>,
    .names_axis = collective_names,
    .emit = refuse_emit,
    .stablehlo = no_devices,
    .samples = no_samples};

constinit const Primitive pmin_p{
    .name = "pmin",
    .doc = "The smallest of each operand over the named `axes`. NameError for an axis that is not bound.",
    .operands = -1,
    .results = -1,
    .params = &params_ops<CollectiveParams>,
    .abstract_eval = [](const AbstractIn& in, AvalVec& out) { avals_over_axes(in, any_number, out); },
    .jvp = extremum_jvp,
    .transpose = not_linear,
    .batching = extremum_batching<reduce_min>,
    .names_axis = collective_names,
    .emit = refuse_emit,
    .stablehlo = no_devices,
    .samples = no_samples};

constinit const Primitive axis_index_p{
    .name = "axis_index",
    .doc = "The position along the named axis, int32. NameError for an axis that is not bound.",
    .operands = 0,
    .params = &params_ops<AxisIndexParams>,
    .abstract_eval =
        [](const AbstractIn& in, AvalVec& out) {
          find_axis(in.params<AxisIndexParams>().axis_name);
          out.push_back({{}, DType::int32, false});
        },
    .jvp = zero_derivative,
    .transpose = not_linear,
    .batching = axis_index_batching,
    .names_axis = [](const EqnContext& c,
                     const std::string& axis) { return c.params<AxisIndexParams>().axis_name == axis; },
    .emit = refuse_emit,
    .stablehlo = no_devices,
    .samples = no_samples};

namespace {
bool all_concrete(std::span<const Array> xs) {
  return std::all_of(xs.begin(), xs.end(), [](const Array& x) { return is_concrete(x); });
}
Array collective1(const Primitive& p, const Array& x, const AxisNames& axes) {
  return p.bind1(make_params(CollectiveParams{axes, {}}), {&x, 1});
}
}  // namespace

void psum(std::span<const Array> xs, const AxisNames& axes, ArrayVec& out) {
  std::int64_t size = 1;
  for (const std::string& axis : axes) size *= find_axis(axis).size;
  ArrayVec in;
  for (const Array& x : xs) in.push_back(x.dtype() == DType::bool_ ? convert_element_type(x, DType::int32) : x);
  if (!all_concrete(in)) return psum_p.bind(make_params(CollectiveParams{axes, {}}), in, out);
  for (const Array& x : in) out.push_back(mul(x, scalar_int(x.dtype(), size)));  // the same in every member
}
Array psum(const Array& x, const AxisNames& axes) {
  ArrayVec out;
  psum({&x, 1}, axes, out);
  return std::move(out[0]);
}
Array pmax(const Array& x, const AxisNames& axes) { return collective1(pmax_p, x, axes); }
Array pmin(const Array& x, const AxisNames& axes) { return collective1(pmin_p, x, axes); }
Array axis_index(const std::string& axis) { return axis_index_p.bind1(make_params(AxisIndexParams{axis}), {}); }

void register_collectives() {
  for (const Primitive* p : {&psum_p, &pmax_p, &pmin_p, &axis_index_p}) register_primitive(*p);
}

}  // namespace cotan::ops

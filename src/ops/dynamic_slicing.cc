// Blocks at positions known at run time: dynamic_slice, dynamic_update_slice.
#include <algorithm>

#include "ops/common.h"
#include "ops/emit.h"
#include "ops/gather.h"
#include "ops/index_checks.h"
#include "ops/op_list.h"
#include "ops/stablehlo.h"
#include "ops/structural.h"
#include "ops/structural_checks.h"
#include "ops/structural_simplify.h"

namespace cotan::ops {

namespace {

constexpr auto f32 = DType::float32;

void check_starts(const char* name, std::span<const Aval> starts) {
  std::string shapes, dtypes;
  bool scalars = true, same = true;
  for (const Aval& a : starts) {
    shapes += (shapes.empty() ? "" : ", ") + a.str();
    dtypes += (dtypes.empty() ? "" : ", ") + std::string(dtype_name(a.dtype));
    scalars &= a.ndim() == 0;
    same &= a.dtype == starts[0].dtype && is_integer(a.dtype);
  }
  if (!scalars)
    throw TypeError(std::string("start_indices arguments to ") + name + " must be scalars, got indices (" + shapes +
                    ")");
  if (!same)
    throw TypeError(std::string("index arguments to ") + name + " must be integers of the same type, got: " + dtypes);
}

// Where a block of these sizes begins in the first operand, given by the operands from `first` on.
kernel::Starts starts_in(const EmitIn& in, int first, const Shape& block) {
  kernel::Starts starts;
  const Shape& whole = in.in[0].shape;
  const IntList strides = kernel::row_major_strides(whole);
  for (int i = 0; i < whole.ndim(); ++i)
    if (whole[i] > block[i])
      starts.push_back({first + i, in.in[static_cast<std::size_t>(first + i)].dtype, whole[i] - block[i], strides[i]});
  return starts;
}

std::vector<Aval> with_starts(std::vector<Aval> arrays, DType index = DType::int32) {
  const int n = arrays[0].ndim();
  for (int i = 0; i < n; ++i) arrays.push_back({{}, index});
  return arrays;
}

// `first`: the operand that is the first start; the block is the update before it, or the result.
template <std::size_t first> void block_checks(const ChecksIn& in, std::vector<Check>& out) {
  if (in.in.size() == first) return;
  std::vector<Array> starts;
  for (const Array& s : in.in.subspan(first)) starts.push_back(broadcast_in_dim(s, {1}, {}));
  const Shape& x = in.in[0].shape();
  out.push_back(index_check(x, concatenate(starts, 0), IntList::range(x.ndim()),
                            first == 1 ? in.out[0].shape() : in.in[1].shape()));
}

// --- dynamic_slice ------------------------------------------------------------------------------------------------------------
struct DynamicSliceParams {
  IntList slice_sizes;
  template <class S, class V> static void fields(S& s, V& v) { v("slice_sizes", s.slice_sizes); }
};

void dynamic_slice_avals(const AbstractIn& in, AvalVec& out) {
  const IntList& sizes = in.params<DynamicSliceParams>().slice_sizes;
  if (in.in.empty()) throw TypeError("dynamic_slice expects an operand, got none.");
  const Aval& x = in.in[0];
  const auto starts = in.in.subspan(1);
  check_dtype("dynamic_slice", any_dtype, x);
  if (static_cast<int>(starts.size()) != x.ndim())
    throw ValueError("Length of slice indices must match number of operand dimensions (" +
                     std::to_string(starts.size()) + " vs " + x.shape.str() + ")");
  if (sizes.length() != x.ndim())
    throw TypeError(
        "slice slice_sizes must have length equal to the number of dimensions of the operand, got slice_sizes " +
        sizes.str() + " for operand shape " + x.shape.str() + ".");
  for (int i = 0; i < x.ndim(); ++i)
    if (sizes[i] > x.shape[i])
      throw TypeError("slice slice_sizes must be less than or equal to operand shape, got slice_sizes " + sizes.str() +
                      " for operand shape " + x.shape.str() + ".");
  for (std::int64_t n : sizes)
    if (n < 0)
      throw TypeError("slice slice_sizes must be greater than or equal to zero, got slice_sizes of " + sizes.str() +
                      ".");
  check_starts("dynamic_slice", starts);
  out.push_back(x.with_shape(sizes));
}

ArrayVec starts_of(const TransposeIn& in, std::size_t first) {
  ArrayVec starts;
  for (std::size_t i = first; i < in.args.size(); ++i) starts.push_back(in.args[i].value);
  return starts;
}
void no_cotangents(const TransposeIn& in, std::size_t first, TangentVec& out) {
  for (std::size_t i = first; i < in.args.size(); ++i) out.push_back(Tangent::zero_of(in.args[i].aval));
}

void dynamic_slice_transpose(const TransposeIn& in, TangentVec& out) {
  out.push_back(dynamic_update_slice(zeros_of(in.args[0].aval), in.cts[0].value(), starts_of(in, 1)));
  no_cotangents(in, 1, out);
}

bool starts_differ(const BatchIn& in, std::size_t first) {
  for (std::size_t i = first; i < in.dims.size(); ++i)
    if (in.dims[i] != not_mapped) return true;
  return false;
}
// The start indices of the batch as index vectors.
Array start_vectors(const BatchIn& in, std::size_t first) {
  ArrayVec columns;
  for (std::size_t i = first; i < in.args.size(); ++i)
    columns.push_back(expand_dims(with_batch_front(in.args[i], in.dims[i], in.axis_size), {1}));
  return concatenate(columns, 1);
}
// 1, ..., n: the dimensions of examples behind a batch dimension.
IntList behind_batch(int n) { return shifted(IntList::range(n), 1); }
// The start indices, with 0 for the batch dimension.
ArrayVec starts_with_batch(const BatchIn& in, std::size_t first, int dim) {
  ArrayVec starts;
  const DType d = first < in.args.size() ? in.args[first].dtype() : DType::int32;
  for (std::size_t i = first; i <= in.args.size(); ++i) {
    if (static_cast<int>(i - first) == dim) starts.push_back(scalar_int(d, 0));
    if (i < in.args.size()) starts.push_back(in.args[i]);
  }
  return starts;
}

void dynamic_slice_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const int dim = in.dims[0];
  IntList sizes = in.params<DynamicSliceParams>().slice_sizes;
  if (starts_differ(in, 1)) {
    const int n = sizes.length();
    GatherDims d{behind_batch(n), {}, IntList::range(n), {}, {}};
    Array x = in.args[0];
    if (dim != not_mapped) {
      x = move_axis(x, dim, 0);
      d.start_index_map = behind_batch(n), d.operand_batching_dims = d.start_indices_batching_dims = {0};
      sizes.insert(0, std::min<std::int64_t>(1, in.axis_size));
    }
    out.push_back(gather(x, start_vectors(in, 1), d, sizes, {false, false, GatherScatterMode::clip}));
    return out_dims.push_back(0);
  }
  sizes.insert(dim, in.axis_size);
  out.push_back(dynamic_slice(in.args[0], starts_with_batch(in, 1, dim), sizes));
  out_dims.push_back(dim);
}

void dynamic_slice_emit(const EmitIn& in, kernel::Plan& plan) {
  if (in.out[0].size() == 0) return;
  const Aval& x = in.in[0];
  kernel::ProgramBuilder b(in.out[0].shape);
  b.store_contiguous(
      b.memory(0, moved_as(x.dtype), kernel::row_major_strides(x.shape), 0, starts_in(in, 1, in.out[0].shape)),
      static_cast<int>(in.in.size()));
  plan.steps.emplace_back(b.finish());
}

void dynamic_slice_write(const HloIn& in, HloWriter& w, HloValues& results) {
  HloValues operands{in.operands[0]};
  for (const HloValue& i : hlo_indices(w, in.operands.subspan(1))) operands.push_back(i);
  results.push_back(w.op("stablehlo.dynamic_slice", operands, HloType(in.out[0]),
                         "slice_sizes = " + hlo_ints(in.params<DynamicSliceParams>().slice_sizes)));
}
void dynamic_update_slice_write(const HloIn& in, HloWriter& w, HloValues& results) {
  HloValues operands{in.operands[0], in.operands[1]};
  for (const HloValue& i : hlo_indices(w, in.operands.subspan(2))) operands.push_back(i);
  results.push_back(w.op("stablehlo.dynamic_update_slice", operands, HloType(in.out[0])));
}

std::vector<Sample> dynamic_slice_samples() {
  const auto s = [](IntList sizes, Shape shape, DType d = f32, DType index = DType::int32) {
    return Sample{
        make_params(DynamicSliceParams{std::move(sizes)}), with_starts({{std::move(shape), d}}, index), {-3, 3}};
  };
  return {s({2}, {4}), s({1, 3}, {2, 3}), s({2, 2}, {3, 4}),         s({0}, {3}),
          s({}, {}),   s({0}, {0}),       s({2}, {4}, DType::int32), s({2}, {4}, f32, DType::uint8)};
}

// --- dynamic_update_slice -------------------------------------------------------------------------------------------------------
void dynamic_update_slice_avals(const AbstractIn& in, AvalVec& out) {
  if (in.in.size() < 2)
    throw TypeError("dynamic_update_slice expects an operand and an update, got " + std::to_string(in.in.size()) +
                    " operands.");
  const Aval &x = in.in[0], &update = in.in[1];
  const auto starts = in.in.subspan(2);
  check_dtype("dynamic_update_slice", any_dtype, x);
  if (x.ndim() != update.ndim())
    throw TypeError("dynamic_update_slice update must have the same rank as operand, got update shape " +
                    update.shape.str() + " for operand shape " + x.shape.str() + ".");
  if (static_cast<int>(starts.size()) != x.ndim())
    throw ValueError("Length of slice indices must match number of operand dimensions (" +
                     std::to_string(starts.size()) + " vs " + x.shape.str() + ")");
  for (int i = 0; i < x.ndim(); ++i)
    if (update.shape[i] > x.shape[i])
      throw TypeError("dynamic_update_slice update shape must be smaller than operand shape, got update shape " +
                      update.shape.str() + " for operand shape " + x.shape.str() + ".");
  check_same_dtypes("dynamic_update_slice", in.in.subspan(0, 2));
  check_starts("dynamic_update_slice", starts);
  out.push_back({x.shape, x.dtype, x.weak_type && update.weak_type});
}

void dynamic_update_slice_jvp(const JvpIn& in, ArrayVec& out, TangentVec& tangents_out) {
  in.primitive.bind(in.params_ref, in.primals, out);
  if (in.tangents[0].is_zero() && in.tangents[1].is_zero()) {
    tangents_out.push_back(Tangent::zero_of(out.back().aval()));
    return;
  }
  ArrayVec tangents(in.primals);
  for (std::size_t i : {0u, 1u}) tangents[i] = instantiate(in.tangents[i]);
  tangents_out.push_back(in.primitive.bind1(in.params_ref, tangents));
}

// The operand gets the cotangent outside the block, the update what stands in it.
void dynamic_update_slice_transpose(const TransposeIn& in, TangentVec& out) {
  const ArrayVec starts = starts_of(in, 2);
  const Array& ct = in.cts[0].value();
  const Aval &x = in.args[0].aval, &update = in.args[1].aval;
  out.push_back(in.args[0].is_linear() ? Tangent(dynamic_update_slice(ct, zeros_of(update), starts))
                                       : Tangent::zero(x));
  out.push_back(in.args[1].is_linear() ? Tangent(dynamic_slice(ct, starts, update.shape)) : Tangent::zero(update));
  no_cotangents(in, 2, out);
}

void dynamic_update_slice_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  if (starts_differ(in, 2)) {
    const Array x = with_batch_front(in.args[0], in.dims[0], in.axis_size),
                update = with_batch_front(in.args[1], in.dims[1], in.axis_size);
    const IntList dims = behind_batch(x.ndim() - 1);
    out.push_back(scatter(scatter_p, x, start_vectors(in, 2), update, {dims, {}, dims, {0}, {0}},
                          {true, true, GatherScatterMode::clip}));
    return out_dims.push_back(0);
  }
  ArrayVec arrays;
  const int dim = same_batch_dim(in, 2, arrays);
  out.push_back(dynamic_update_slice(arrays[0], arrays[1], starts_with_batch(in, 2, dim)));
  out_dims.push_back(dim);
}

void dynamic_update_slice_emit(const EmitIn& in, kernel::Plan& plan) {
  const int result = static_cast<int>(in.in.size());
  if (in.out[0].size() == 0) return;
  emit_copy_all(plan, 0, result, in.in[0].dtype, in.in[0].size());
  if (in.in[1].size() == 0) return;
  const Aval& update = in.in[1];
  kernel::ProgramBuilder b(update.shape);
  b.store(b.contiguous(1, moved_as(update.dtype)), result, kernel::row_major_strides(in.in[0].shape), 0,
          starts_in(in, 2, update.shape));
  plan.steps.emplace_back(b.finish());
}

std::vector<Sample> dynamic_update_slice_samples() {
  const auto s = [](Shape shape, Shape update, DType d = f32) {
    return Sample{{}, with_starts({{std::move(shape), d}, {std::move(update), d}}), {-3, 3}};
  };
  return {s({4}, {2}), s({2, 3}, {1, 3}), s({3, 4}, {2, 2}),        s({3}, {0}),
          s({}, {}),   s({0}, {0}),       s({4}, {2}, DType::int32)};
}

// Known places make it a slice; so does a whole dimension, which leaves no choice.
Simplified dynamic_slice_simplify(const SimplifyIn& in) {
  const Shape whole = in.aval(in.in[0]).shape;
  if (whole == in.out.shape) return in.in[0];
  IntList starts, limits;
  for (int i = 0; i < whole.ndim(); ++i) {
    const std::int64_t last = whole[i] - in.out.shape[i];
    std::int64_t start = 0;
    if (last > 0) {
      const HostScalar* v = in.value(static_cast<std::size_t>(i) + 1);
      if (!v) return {};
      const bool huge = v->dtype == DType::uint64 && v->as_int64() < 0;
      start = huge ? last : std::clamp<std::int64_t>(v->as_int64(), 0, last);
    }
    starts.push_back(start), limits.push_back(start + in.out.shape[i]);
  }
  return as_slice(in.in[0], starts, limits);
}

Simplified dynamic_update_slice_simplify(const SimplifyIn& in) {
  if (in.aval(in.in[1]).shape == in.out.shape) return in.in[1];
  return {};
}

}  // namespace

constinit const Primitive dynamic_slice_p{.name = "dynamic_slice",
                                          .doc =
                                              "The block of slice_sizes that starts at the scalar integers given per "
                                              "dimension, which are clamped so that it lies inside. Any "
                                              "dtype.",
                                          .kind = Kind::indexing,
                                          .operands = -1,
                                          .params = &params_ops<DynamicSliceParams>,
                                          .abstract_eval = dynamic_slice_avals,
                                          .jvp = jvp_linear_in_first,
                                          .transpose = dynamic_slice_transpose,
                                          .batching = dynamic_slice_batching,
                                          .simplify = dynamic_slice_simplify,
                                          .checks = block_checks<1>,
                                          .emit = dynamic_slice_emit,
                                          .stablehlo = dynamic_slice_write,
                                          .samples = dynamic_slice_samples};

constinit const Primitive dynamic_update_slice_p{
    .name = "dynamic_update_slice",
    .doc =
        "The operand with the block that starts at the scalar integers given per dimension, clamped so that it lies "
        "inside, replaced by "
        "the update, of the same rank and dtype.",
    .kind = Kind::indexing,
    .operands = -1,
    .abstract_eval = dynamic_update_slice_avals,
    .jvp = dynamic_update_slice_jvp,
    .transpose = dynamic_update_slice_transpose,
    .batching = dynamic_update_slice_batching,
    .simplify = dynamic_update_slice_simplify,
    .checks = block_checks<2>,
    .emit = dynamic_update_slice_emit,
    .stablehlo = dynamic_update_slice_write,
    .inplace_operand = 0,
    .samples = dynamic_update_slice_samples};

Array dynamic_slice(const Array& x, std::span<const Array> start_indices, const IntList& slice_sizes) {
  ArrayVec in{x};
  for (const Array& s : start_indices) in.push_back(s);
  return dynamic_slice_p.bind1(make_params(DynamicSliceParams{slice_sizes}), in);
}

Array dynamic_update_slice(const Array& x, const Array& update, std::span<const Array> start_indices) {
  ArrayVec in{x, update};
  for (const Array& s : start_indices) in.push_back(s);
  return dynamic_update_slice_p.bind1({}, in);
}

void register_dynamic_slicing() {
  for (const Primitive* p : {&dynamic_slice_p, &dynamic_update_slice_p}) register_primitive(*p);
}

}  // namespace cotan::ops

// gather: windows of an array at index vectors.
#include "ops/gather.h"

#include <cstring>
#include <limits>

#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/emit.h"
#include "ops/index_checks.h"
#include "ops/indexed.h"
#include "ops/op_list.h"
#include "ops/structural.h"

namespace cotan::ops {

namespace {

constexpr auto f32 = DType::float32;
using Mode = GatherScatterMode;

// A number as a parameter: its dtype and bytes.
struct FillParam {
  DType dtype = DType::float32;
  std::int64_t low = 0, high = 0;
  template <class S, class V> static void fields(S& s, V& v) {
    v("dtype", s.dtype), v("high", s.high), v("low", s.low);
  }
  FillParam() = default;
  explicit FillParam(const HostScalar& h) : dtype(h.dtype) {
    std::memcpy(&low, h.bytes, 8), std::memcpy(&high, h.bytes + 8, 8);
  }
  HostScalar value() const {
    HostScalar h;
    h.dtype = dtype;
    std::memcpy(h.bytes, &low, 8), std::memcpy(h.bytes + 8, &high, 8);
    return h;
  }
};

struct GatherParams {
  GatherDims dimension_numbers;
  std::optional<FillParam> fill_value;
  bool indices_are_sorted = false;
  Mode mode = Mode::fill_or_drop;
  Shape slice_sizes;
  bool unique_indices = false;
  template <class S, class V> static void fields(S& s, V& v) {
    v("dimension_numbers", s.dimension_numbers), v("fill_value", s.fill_value);
    v("indices_are_sorted", s.indices_are_sorted), v("mode", s.mode), v("slice_sizes", s.slice_sizes);
    v("unique_indices", s.unique_indices);
  }
  void pretty(PrettyParams& p) const {
    p.field("dimension_numbers", dimension_numbers);
    p.text("fill_value", fill_value ? fill_value->value().item_str() : "None");
    p.field("indices_are_sorted", indices_are_sorted), p.field("mode", mode), p.field("slice_sizes", slice_sizes);
    p.field("unique_indices", unique_indices);
  }
  GatherScatterOptions options() const { return {indices_are_sorted, unique_indices, mode}; }
};

Shape gathered_shape(const GatherParams& p, const Aval& x, const Aval& indices, int ndim) {
  const IndexedDims d = IndexedDims::of("gather", p.dimension_numbers);
  const IntList kept = d.kept(x.ndim());
  Shape shape;
  int window = 0, batch = 0;
  for (int i = 0; i < ndim; ++i)
    shape.push_back(d.window.contains(i) ? p.slice_sizes[kept[window++]] : indices.shape[batch++]);
  return shape;
}

void gather_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<GatherParams>();
  const Aval &x = in.in[0], &indices = in.in[1];
  check_dtype("gather", any_dtype, x);
  const int ndim = indices.ndim() - 1 + p.dimension_numbers.offset_dims.length();
  check_indexed(IndexedDims::of("gather", p.dimension_numbers), x, indices, p.slice_sizes, ndim);
  out.push_back(x.with_shape(gathered_shape(p, x, indices, ndim)));
}

void gather_jvp(const JvpIn& in, ArrayVec& out, TangentVec& tangents_out) {
  const auto& p = in.params<GatherParams>();
  in.primitive.bind(in.params_ref, in.primals, out);
  if (in.tangents[0].is_zero()) return tangents_out.push_back(Tangent::zero_of(out.back().aval()));
  tangents_out.push_back(gather(in.tangents[0].value(), in.primals[1], p.dimension_numbers, p.slice_sizes, p.options(),
                                HostScalar(std::int64_t{0})));
}

void gather_transpose(const TransposeIn& in, TangentVec& out) {
  const auto& p = in.params<GatherParams>();
  out.push_back(scatter(scatter_add_p, zeros_of(in.args[0].aval), in.args[1].value, in.cts[0].value(),
                        scatter_dims_of(p.dimension_numbers), p.options()));
  out.push_back(Tangent::zero_of(in.args[1].aval));
}

// Mapped in the operand: a larger window. In the indices: one more loop. In both: a batching dimension.
void gather_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  GatherParams p = in.params<GatherParams>();
  GatherDims& d = p.dimension_numbers;
  const bool array = in.dims[0] != not_mapped, indices = in.dims[1] != not_mapped;
  ArrayVec args(in.args);
  for (std::size_t i : {0u, 1u})
    if (in.dims[i] != not_mapped) args[i] = move_axis(args[i], in.dims[i], 0);
  shift_all(d.offset_dims);
  if (array) {
    for (IntList* l : {&d.collapsed_slice_dims, &d.start_index_map, &d.operand_batching_dims}) shift_all(*l);
    p.slice_sizes.insert(0, indices ? std::min<std::int64_t>(1, in.axis_size) : in.axis_size);
  }
  if (indices) shift_all(d.start_indices_batching_dims);
  if (array && indices) d.operand_batching_dims.insert(0, 0), d.start_indices_batching_dims.insert(0, 0);
  else if (array) d.offset_dims.insert(0, 0);
  if (indices) p.indices_are_sorted = false;
  out.push_back(in.primitive.bind1(make_params(std::move(p)), args));
  out_dims.push_back(0);
}

void gather_checks(const ChecksIn& in, std::vector<Check>& out) {
  const auto& p = in.params<GatherParams>();
  out.push_back(index_check(in.in[0].shape(), in.in[1], p.dimension_numbers.start_index_map, p.slice_sizes));
}

HostScalar default_fill(DType d) {
  if (is_inexact(d)) return HostScalar(std::numeric_limits<double>::quiet_NaN(), d);
  if (d == DType::bool_) return HostScalar(true);
  const int bits = static_cast<int>(item_size(d)) * 8;
  if (is_signed_integer(d)) return HostScalar(std::numeric_limits<std::int64_t>::min() >> (64 - bits), d);
  return HostScalar(~std::uint64_t{0} >> (64 - bits), d);
}

void gather_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<GatherParams>();
  const Aval& x = in.in[0];
  if (in.out[0].size() == 0) return;
  const DType moved = moved_as(x.dtype);
  kernel::IndexedParams loops = indexed_params(IndexedDims::of("gather", p.dimension_numbers), x.shape, in.in[1].shape,
                                               p.slice_sizes, in.out[0].shape, p.mode, true);
  loops.windows_overlap = false;  // of reads, no order matters
  if (is_key(x.dtype)) loops.fill[0] = loops.fill[1] = -1;
  else {
    const HostScalar fill = p.fill_value ? p.fill_value->value().convert(x.dtype) : default_fill(x.dtype);
    std::memcpy(loops.fill, fill.bytes, 16);
  }
  kernel::LibraryCall c;
  c.op = kernel::LibraryOp::gather;
  c.inputs = {{0, moved, 0}, {1, in.in[1].dtype, 0}};
  c.outputs = {{2, moved, 0}};
  c.params = loops.encode();
  plan.steps.emplace_back(std::move(c));
}

HloValue gathered(HloWriter& w, const GatherParams& p, const HloValue& x, const HloValue& vectors,
                  const HloType& result) {
  const GatherDims& d = p.dimension_numbers;
  return w.op(
      "stablehlo.gather", {x, vectors}, result,
      "dimension_numbers = #stablehlo.gather<offset_dims = " + hlo_list(d.offset_dims) + ", collapsed_slice_dims = " +
          hlo_list(d.collapsed_slice_dims) + ", operand_batching_dims = " + hlo_list(d.operand_batching_dims) +
          ", start_indices_batching_dims = " + hlo_list(d.start_indices_batching_dims) + ", start_index_map = " +
          hlo_list(d.start_index_map) + ", index_vector_dim = " + std::to_string(vectors.type.shape.ndim() - 1) +
          ">, slice_sizes = " + hlo_ints(p.slice_sizes) + ", " + hlo_flag("indices_are_sorted", p.indices_are_sorted));
}

// StableHLO moves windows inside, as clip does.
void gather_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const auto& p = in.params<GatherParams>();
  const HloValue& x = in.operands[0];
  const HloType result(in.out[0]);
  const IndexedDims d = IndexedDims::of("gather", p.dimension_numbers);
  const HloIndices i = hlo_index_vectors(w, d, in.operands[1], x.type.shape, p.slice_sizes);
  const HloValue fill =
      w.constant(result, p.fill_value ? p.fill_value->value().convert(result.dtype) : default_fill(result.dtype));
  bool empty = result.shape.size() == 0;
  for (std::int64_t dim : d.map) empty |= x.type.shape[dim] < p.slice_sizes[dim];
  if (empty) return results.push_back(fill);  // no window lies inside
  const HloValue windows = gathered(w, p, x, i.vectors, result);
  if (p.mode != Mode::fill_or_drop) return results.push_back(windows);
  results.push_back(w.select(w.broadcast(hlo_inside(w, i), result.shape, d.batch(result.shape.ndim())), windows, fill));
}

std::vector<Sample> gather_samples() {
  const auto s = [](GatherDims d, Shape sizes, Shape x, Shape indices, Mode mode = Mode::fill_or_drop, DType t = f32,
                    DType i = DType::int32) {
    return Sample{make_params(GatherParams{std::move(d), {}, false, mode, std::move(sizes), false}),
                  {{std::move(x), t}, {std::move(indices), i}}};
  };
  Sample inside = s({{}, {0}, {0}, {}, {}}, {1}, {5}, {4, 1}, Mode::promise_in_bounds);
  inside.domain = {0, 4};  // the cotangents of windows that break the promise are dropped
  return {inside,
          s({{}, {0}, {0}, {}, {}}, {1}, {5}, {4, 1}, Mode::clip),
          s({{1}, {0}, {0}, {}, {}}, {1, 3}, {4, 3}, {6, 1}, Mode::clip),
          s({{0}, {1}, {1}, {}, {}}, {3, 1}, {3, 6}, {5, 1}, Mode::clip),
          s({{}, {0, 1}, {0, 1}, {}, {}}, {1, 1}, {4, 5}, {2, 3, 2}, Mode::clip),
          s({{}, {0, 1}, {1, 0}, {}, {}}, {1, 1}, {4, 5}, {3, 2}, Mode::clip),
          s({{0, 2}, {}, {0}, {}, {}}, {2, 3}, {4, 3}, {3, 1}, Mode::clip),
          s({{1}, {0}, {0, 2}, {1}, {0}}, {1, 1, 2}, {3, 4, 5}, {4, 2}, Mode::clip),
          s({{}, {1}, {1}, {0}, {0}}, {1, 1}, {3, 7}, {3, 2, 1}, Mode::clip),
          s({{0}, {}, {}, {}, {}}, {3}, {3}, {0}, Mode::clip),
          s({{}, {}, {}, {}, {}}, {}, {}, {2, 0}, Mode::clip),
          s({{1}, {0}, {0}, {}, {}}, {1, 0}, {4, 0}, {2, 1}, Mode::clip),
          s({{1}, {0}, {0}, {}, {}}, {1, 3}, {4, 3}, {0, 1}, Mode::clip),
          s({{1}, {}, {0}, {}, {}}, {0}, {0}, {2, 1}, Mode::clip),
          s({{}, {0}, {0}, {}, {}}, {1}, {5}, {6, 1}, Mode::fill_or_drop, DType::int32),
          s({{}, {0}, {0}, {}, {}}, {1}, {5}, {6, 1}, Mode::fill_or_drop, DType::uint8, DType::int8),
          s({{}, {0}, {0}, {}, {}}, {1}, {5}, {6, 1}, Mode::clip, DType::bfloat16, DType::uint64),
          s({{1}, {0}, {0}, {}, {}}, {1, 2}, {3, 2}, {5, 1}, Mode::fill_or_drop, DType::bool_, DType::int64),
          s({{1}, {0}, {0}, {}, {}}, {1, 2}, {3, 2}, {5, 1}, Mode::clip, DType::complex128, DType::uint8)};
}

}  // namespace

constinit const Primitive gather_p{
    .name = "gather",
    .doc =
        "The windows of slice_sizes that stand at each of the index vectors (the last dimension of the indices) along "
        "the dimensions of start_index_map, without collapsed_slice_dims; the window's dimensions are offset_dims of "
        "the "
        "result, the others those of the indices. Dimensions of operand_batching_dims go along with those of "
        "start_indices_batching_dims. Any dtype; indices of any integer type. A window that does not lie inside is "
        "moved "
        "(clip), or reads fill_value (fill_or_drop). TypeError where dimensions do not fit.",
    .kind = Kind::indexing,
    .operands = 2,
    .params = &params_ops<GatherParams>,
    .abstract_eval = gather_avals,
    .jvp = gather_jvp,
    .transpose = gather_transpose,
    .batching = gather_batching,
    .checks = gather_checks,
    .emit = gather_emit,
    .stablehlo = gather_write,
    .samples = gather_samples};

Array gather(const Array& x, const Array& indices, const GatherDims& dims, const Shape& slice_sizes,
             const GatherScatterOptions& o, const std::optional<HostScalar>& fill_value) {
  GatherParams p{dims, {}, o.indices_are_sorted, o.mode, slice_sizes, o.unique_indices};
  if (fill_value) p.fill_value = FillParam(*fill_value);
  const Array in[] = {x, indices};
  return gather_p.bind1(make_params(std::move(p)), in);
}

GatherDims gather_dims_of(const ScatterDims& d) {
  return {d.update_window_dims, d.inserted_window_dims, d.scatter_dims_to_operand_dims, d.operand_batching_dims,
          d.scatter_indices_batching_dims};
}
ScatterDims scatter_dims_of(const GatherDims& d) {
  return {d.offset_dims, d.collapsed_slice_dims, d.start_index_map, d.operand_batching_dims,
          d.start_indices_batching_dims};
}

Array take_axis(const Array& x, const Array& indices, int axis, const GatherScatterOptions& o,
                const std::optional<HostScalar>& fill_value) {
  GatherDims d;
  Shape sizes = x.shape();
  sizes[axis] = std::min<std::int64_t>(1, sizes[axis]);
  for (int i = 0; i < x.ndim(); ++i)
    if (i != axis) d.offset_dims.push_back(i < axis ? i : i - 1 + indices.ndim());
  d.collapsed_slice_dims = d.start_index_map = {axis};
  return gather(x, expand_dims(indices, {indices.ndim()}), d, sizes, o, fill_value);
}

void register_gather() {
  register_primitive(gather_p);
  register_scatter();
}

}  // namespace cotan::ops

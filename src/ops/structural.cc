// Primitives that rearrange one operand: broadcast_in_dim, reshape, transpose, squeeze, rev, iota, copy.
#include <algorithm>

#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/emit.h"
#include "ops/op_list.h"
#include "ops/reduction.h"
#include "ops/structural.h"
#include "ops/structural_checks.h"

namespace cotan::ops {

namespace {

constexpr auto f32 = DType::float32;

IntList shifted(const IntList& axes, int by) {
  IntList r = axes;
  for (std::int64_t& a : r) a += by;
  return r;
}
// The place of each axis beside a batch dimension at `dim`.
IntList around(const IntList& axes, int dim) {
  IntList r = axes;
  for (std::int64_t& a : r) a += a >= dim;
  return r;
}

// --- broadcast_in_dim -------------------------------------------------------------------------------------------------------
struct BroadcastInDimParams {
  IntList broadcast_dimensions;
  Shape shape;
  Absent sharding;
  template <class S, class V> static void fields(S& s, V& v) {
    v("broadcast_dimensions", s.broadcast_dimensions), v("shape", s.shape), v("sharding", s.sharding);
  }
  void pretty(PrettyParams& p) const { if (!broadcast_dimensions.empty()) p.field("broadcast_dimensions", broadcast_dimensions); }
};

void broadcast_in_dim_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<BroadcastInDimParams>();
  const Aval& x = in.in[0];
  const IntList& dims = p.broadcast_dimensions;
  check_dtype("broadcast_in_dim", any_dtype, x);
  check_nonnegative("broadcast_in_dim shape", p.shape);
  check_nonnegative("broadcast_in_dim broadcast_dimensions", dims);
  if (dims.length() != x.ndim())
    throw TypeError("broadcast_in_dim broadcast_dimensions must have length equal to operand ndim; got broadcast_dimensions " + dims.str() +
                    " for operand ndim " + std::to_string(x.ndim()) + ".");
  if (p.shape.ndim() < x.ndim())
    throw TypeError("broadcast_in_dim target broadcast shape must have equal or higher rank to the operand shape; got operand ndim " +
                    std::to_string(x.ndim()) + " and target broadcast ndim " + std::to_string(p.shape.ndim()) + ".");
  for (std::int64_t d : dims)
    if (d >= p.shape.ndim())
      throw TypeError("broadcast_in_dim broadcast_dimensions must be a subset of output dimensions, got " + dims.str() +
                      " for operand ndim " + std::to_string(x.ndim()) + " and shape " + p.shape.str() + ".");
  for (int i = 0; i < x.ndim(); ++i)
    if (x.shape[i] != 1 && x.shape[i] != p.shape[dims[i]])
      throw TypeError("broadcast_in_dim operand dimension sizes must either be 1, or be equal to their corresponding dimensions in the "
                      "target broadcast shape; got operand of shape " + x.shape.str() + ", target broadcast shape " + p.shape.str() +
                      ", broadcast_dimensions " + dims.str());
  if (!distinct(dims))
    throw TypeError("broadcast_in_dim broadcast_dimensions must not contain duplicates, got broadcast_dimensions " + dims.str());
  out.push_back(x.with_shape(p.shape));
}

// Sums over what was repeated, and puts the rest in the operand's order.
void broadcast_in_dim_transpose(const TransposeIn& in, TangentVec& out) {
  const auto& p = in.params<BroadcastInDimParams>();
  const Aval& x = in.args[0].aval;
  IntList kept, units;                                        // dimensions of the result; of the operand
  for (int i = 0; i < x.ndim(); ++i) {
    if (x.shape[i] == 1) units.push_back(i);
    else kept.push_back(p.broadcast_dimensions[i]);
  }
  IntList summed, order;
  for (int d = 0; d < p.shape.ndim(); ++d)
    if (!kept.contains(d)) summed.push_back(d);
  for (std::int64_t d : kept) order.push_back(std::count_if(kept.begin(), kept.end(), [&](std::int64_t e) { return e < d; }));
  const Array sum = transpose(reduce_sum(in.cts[0].value(), summed), order);
  out.push_back(expand_dims(sum, units));
}

void broadcast_in_dim_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const auto& p = in.params<BroadcastInDimParams>();
  IntList dims = shifted(p.broadcast_dimensions, 1);
  dims.insert(in.dims[0], 0);
  Shape shape = p.shape;
  shape.insert(0, in.axis_size);
  out.push_back(broadcast_in_dim(in.args[0], shape, dims));
  out_dims.push_back(0);
}

void broadcast_in_dim_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<BroadcastInDimParams>();
  const Shape& from = in.in[0].shape;
  const IntList own = kernel::row_major_strides(from);
  IntList strides = IntList::filled(p.shape.ndim(), 0);
  for (int i = 0; i < from.ndim(); ++i)
    if (from[i] != 1) strides[p.broadcast_dimensions[i]] = own[i];
  emit_copy(plan, 0, 1, in.in[0].dtype, p.shape, strides);
}

Sample broadcast_sample(Shape from, Shape shape, IntList dims, DType d = f32) {
  return {make_params(BroadcastInDimParams{std::move(dims), std::move(shape), {}}), {{std::move(from), d}}};
}
std::vector<Sample> broadcast_in_dim_samples() {
  return {broadcast_sample({}, {2, 3}, {}),          broadcast_sample({3}, {2, 3}, {1}),        broadcast_sample({2}, {2, 3}, {0}),
          broadcast_sample({1, 3}, {2, 3}, {0, 1}),  broadcast_sample({2, 3}, {3, 4, 2}, {2, 0}), broadcast_sample({0}, {0, 3}, {0}),
          broadcast_sample({3}, {0, 3}, {1}),        broadcast_sample({}, {}, {}),              broadcast_sample({2, 1}, {1, 2, 5}, {1, 2}),
          broadcast_sample({3}, {2, 3}, {1}, DType::bool_), broadcast_sample({1}, {3}, {0}, DType::complex64)};
}

// --- reshape ------------------------------------------------------------------------------------------------------------------
struct ReshapeParams {
  std::optional<IntList> dimensions;
  Shape new_sizes;
  Absent sharding;
  template <class S, class V> static void fields(S& s, V& v) {
    v("dimensions", s.dimensions), v("new_sizes", s.new_sizes), v("sharding", s.sharding);
  }
};

Shape permuted(const Shape& shape, const IntList& permutation) {
  Shape r;
  for (std::int64_t d : permutation) r.push_back(shape[d]);
  return r;
}
IntList inverse(const IntList& permutation) {
  IntList r = permutation;
  for (int i = 0; i < permutation.length(); ++i) r[permutation[i]] = i;
  return r;
}

void reshape_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<ReshapeParams>();
  const Aval& x = in.in[0];
  check_dtype("reshape", any_dtype, x);
  for (std::int64_t n : p.new_sizes)
    if (n < 0) throw TypeError("reshape new_sizes must all be positive, got " + p.new_sizes.str() + ".");
  if (p.dimensions && !is_permutation(*p.dimensions, x.ndim()))
    throw TypeError("reshape dimensions must be a permutation of operand dimensions, got dimensions " + p.dimensions->str() + " for shape " +
                    x.shape.str() + ".");
  if (p.new_sizes.size() != x.size())
    throw TypeError("reshape total size must be unchanged, got new_sizes " + p.new_sizes.str() + " for shape " + x.shape.str() + ".");
  out.push_back(x.with_shape(p.new_sizes));
}

void reshape_transpose(const TransposeIn& in, TangentVec& out) {
  const auto& p = in.params<ReshapeParams>();
  const Shape& shape = in.args[0].aval.shape;
  const Array& ct = in.cts[0].value();
  out.push_back(p.dimensions ? transpose(reshape(ct, permuted(shape, *p.dimensions)), inverse(*p.dimensions)) : reshape(ct, shape));
}

void reshape_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  ReshapeParams p = in.params<ReshapeParams>();
  p.new_sizes.insert(0, in.axis_size);
  if (p.dimensions) {
    p.dimensions = shifted(*p.dimensions, 1);
    p.dimensions->insert(0, 0);
  }
  const Array x = move_axis(in.args[0], in.dims[0], 0);
  out.push_back(in.primitive.bind1(make_params(std::move(p)), {&x, 1}));
  out_dims.push_back(0);
}

void reshape_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<ReshapeParams>();
  const Aval& x = in.in[0];
  if (!p.dimensions) return emit_copy_all(plan, 0, 1, x.dtype, x.size());
  emit_copy(plan, 0, 1, x.dtype, permuted(x.shape, *p.dimensions), permuted(kernel::row_major_strides(x.shape), *p.dimensions));
}

std::vector<Sample> reshape_samples() {
  const auto s = [](Shape from, Shape to, std::optional<IntList> dims = {}, DType d = f32) {
    return Sample{make_params(ReshapeParams{std::move(dims), std::move(to), {}}), {{std::move(from), d}}};
  };
  return {s({2, 3}, {3, 2}), s({4}, {2, 2}),      s({}, {1, 1}),          s({1}, {}),
          s({0, 3}, {0}),    s({2, 3}, {6}, IntList{1, 0}), s({2, 3, 2}, {4, 3}, IntList{2, 0, 1}), s({4}, {2, 2}, {}, DType::int32)};
}

// --- transpose ----------------------------------------------------------------------------------------------------------------
struct TransposeParams {
  IntList permutation;
  template <class S, class V> static void fields(S& s, V& v) { v("permutation", s.permutation); }
};

void transpose_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<TransposeParams>().permutation;
  check_dtype("transpose", any_dtype, in.in[0]);
  if (!is_permutation(p, in.in[0].ndim()))
    throw TypeError("transpose permutation isn't a permutation of operand dimensions, got permutation " + p.str() + " for operand shape " +
                    in.in[0].shape.str() + ".");
  out.push_back(in.in[0].with_shape(permuted(in.in[0].shape, p)));
}

void transpose_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  IntList permutation = around(in.params<TransposeParams>().permutation, in.dims[0]);
  permutation.insert(0, in.dims[0]);
  out.push_back(transpose(in.args[0], permutation));
  out_dims.push_back(0);
}

void transpose_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<TransposeParams>().permutation;
  emit_copy(plan, 0, 1, in.in[0].dtype, in.out[0].shape, permuted(kernel::row_major_strides(in.in[0].shape), p));
}

std::vector<Sample> transpose_samples() {
  const auto s = [](Shape shape, IntList p, DType d = f32) { return Sample{make_params(TransposeParams{std::move(p)}), {{std::move(shape), d}}}; };
  return {s({2, 3}, {1, 0}), s({2, 3, 4}, {2, 0, 1}), s({2, 3, 4}, {0, 2, 1}), s({}, {}), s({0, 3}, {1, 0}), s({2, 3}, {1, 0}, DType::int8)};
}

// --- squeeze ------------------------------------------------------------------------------------------------------------------
struct SqueezeParams {
  IntList dimensions;
  template <class S, class V> static void fields(S& s, V& v) { v("dimensions", s.dimensions); }
};

void squeeze_avals(const AbstractIn& in, AvalVec& out) {
  const auto& dims = in.params<SqueezeParams>().dimensions;
  const Aval& x = in.in[0];
  check_dtype("squeeze", any_dtype, x);
  for (std::int64_t d : dims) check_axis(d, x.ndim());
  if (!distinct(dims)) throw ValueError("dimensions are not unique: " + dims.str());
  Shape shape;
  for (int i = 0; i < x.ndim(); ++i) {
    if (!dims.contains(i)) shape.push_back(x.shape[i]);
    else if (x.shape[i] != 1)
      throw ValueError("cannot select an axis to squeeze out which has size not equal to one, got shape=" + x.shape.str() +
                       " and dimensions=" + dims.str());
  }
  out.push_back(x.with_shape(std::move(shape)));
}

void squeeze_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const IntList dims = around(in.params<SqueezeParams>().dimensions, in.dims[0]);
  out.push_back(squeeze(in.args[0], dims));
  out_dims.push_back(in.dims[0] - static_cast<int>(std::count_if(dims.begin(), dims.end(), [&](std::int64_t d) { return d < in.dims[0]; })));
}

std::vector<Sample> squeeze_samples() {
  const auto s = [](Shape shape, IntList d) { return Sample{make_params(SqueezeParams{std::move(d)}), {{std::move(shape), f32}}}; };
  return {s({1, 3}, {0}), s({2, 1, 3, 1}, {1, 3}), s({1}, {0}), s({0, 1}, {1}), s({2}, {})};
}

// --- rev ----------------------------------------------------------------------------------------------------------------------
struct RevParams {
  IntList dimensions;
  template <class S, class V> static void fields(S& s, V& v) { v("dimensions", s.dimensions); }
};

void rev_avals(const AbstractIn& in, AvalVec& out) {
  const auto& dims = in.params<RevParams>().dimensions;
  check_dtype("rev", any_dtype, in.in[0]);
  check_nonnegative("rev dimensions", dims);
  if (!distinct(dims)) throw TypeError("rev dimensions must be unique, got " + dims.str() + ".");
  for (std::int64_t d : dims)
    if (d >= in.in[0].ndim())
      throw TypeError("rev dimensions must all be less than operand ndim, got dimensions " + dims.str() + " for operand ndim " +
                      std::to_string(in.in[0].ndim()) + ".");
  out.push_back(in.in[0]);
}

void rev_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  out.push_back(rev(in.args[0], around(in.params<RevParams>().dimensions, in.dims[0])));
  out_dims.push_back(in.dims[0]);
}

void rev_emit(const EmitIn& in, kernel::Plan& plan) {
  const Shape& shape = in.in[0].shape;
  IntList strides = kernel::row_major_strides(shape);
  std::int64_t offset = 0;
  if (shape.size() > 0)
    for (std::int64_t d : in.params<RevParams>().dimensions) {
      offset += (shape[d] - 1) * strides[d];
      strides[d] = -strides[d];
    }
  emit_copy(plan, 0, 1, in.in[0].dtype, shape, strides, offset);
}

std::vector<Sample> rev_samples() {
  const auto s = [](Shape shape, IntList d, DType t = f32) { return Sample{make_params(RevParams{std::move(d)}), {{std::move(shape), t}}}; };
  return {s({4}, {0}), s({2, 3}, {1}), s({2, 3}, {0, 1}), s({}, {}), s({0, 2}, {0}), s({3}, {0}, DType::bool_)};
}

// --- iota ---------------------------------------------------------------------------------------------------------------------
struct IotaParams {
  int dimension = 0;
  DType dtype = f32;
  Shape shape;
  Absent sharding;
  template <class S, class V> static void fields(S& s, V& v) {
    v("dimension", s.dimension), v("dtype", s.dtype), v("shape", s.shape), v("sharding", s.sharding);
  }
};

void iota_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<IotaParams>();
  check_nonnegative("iota shape", p.shape);
  if (!numeric.contains(p.dtype))
    throw TypeError(std::string("iota does not accept dtype ") + dtype_name(p.dtype) + ". Accepted dtypes are subtypes of " + numeric.str() + ".");
  if (p.dimension < 0 || p.dimension >= p.shape.ndim())
    throw ValueError("iota dimension must be between 0 and len(shape), got dimension=" + std::to_string(p.dimension) + " for shape=" + p.shape.str());
  out.push_back({p.shape, p.dtype, false});
}

void iota_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<IotaParams>();
  const int buffers[] = {0};
  kernel::append(&plan, kernel::iota_program(p.dtype, p.shape, p.dimension), buffers);
}

std::vector<Sample> iota_samples() {
  const auto s = [](DType d, Shape shape, int dimension) { return Sample{make_params(IotaParams{dimension, d, std::move(shape), {}}), {}}; };
  return {s(DType::int32, {5}, 0), s(f32, {2, 3}, 1), s(f32, {2, 3}, 0), s(DType::complex64, {3}, 0), s(DType::uint8, {300}, 0),
          s(DType::bfloat16, {3}, 0), s(DType::int32, {0}, 0)};
}

void copy_emit(const EmitIn& in, kernel::Plan& plan) { emit_copy_all(plan, 0, 1, in.in[0].dtype, in.in[0].size()); }
void copy_avals(const AbstractIn& in, AvalVec& out) {
  check_dtype("copy", any_dtype, in.in[0]);
  out.push_back(in.in[0]);
}
std::vector<Sample> copy_samples() { return {{{}, {{{2, 3}, f32}}}, {{}, {{{}, f32}}}, {{}, {{{0}, DType::int32}}}}; }

}  // namespace

constinit const Primitive broadcast_in_dim_p{
    .name = "broadcast_in_dim",
    .doc = "The operand's dimension i becomes dimension broadcast_dimensions[i] of the result, repeated where its size is 1; the result "
           "is repeated along the others. Any dtype. TypeError where sizes do not fit.",
    .kind = Kind::structural,
    .params = &params_ops<BroadcastInDimParams>,
    .abstract_eval = broadcast_in_dim_avals,
    .jvp = jvp_linear_in_first,
    .transpose = broadcast_in_dim_transpose,
    .batching = broadcast_in_dim_batching,
    .emit = broadcast_in_dim_emit,
    .samples = broadcast_in_dim_samples};

constinit const Primitive reshape_p{
    .name = "reshape",
    .doc = "The elements in row-major order (of the operand with its dimensions permuted, where `dimensions` is given) with the shape "
           "new_sizes. Any dtype. TypeError where the number of elements differs.",
    .kind = Kind::structural,
    .params = &params_ops<ReshapeParams>,
    .abstract_eval = reshape_avals,
    .jvp = jvp_linear_in_first,
    .transpose = reshape_transpose,
    .batching = reshape_batching,
    .emit = reshape_emit,
    .samples = reshape_samples};

constinit const Primitive transpose_p{
    .name = "transpose",
    .doc = "Dimension i of the result is dimension permutation[i] of the operand. Any dtype. TypeError for no permutation.",
    .kind = Kind::structural,
    .params = &params_ops<TransposeParams>,
    .abstract_eval = transpose_avals,
    .jvp = jvp_linear_in_first,
    .transpose = [](const TransposeIn& in, TangentVec& out) {
      out.push_back(transpose(in.cts[0].value(), inverse(in.params<TransposeParams>().permutation)));
    },
    .batching = transpose_batching,
    .emit = transpose_emit,
    .samples = transpose_samples};

constinit const Primitive squeeze_p{
    .name = "squeeze",
    .doc = "The operand without `dimensions`, whose sizes are 1. Any dtype. ValueError where a size is not 1.",
    .kind = Kind::structural,
    .params = &params_ops<SqueezeParams>,
    .abstract_eval = squeeze_avals,
    .jvp = jvp_linear_in_first,
    .transpose = [](const TransposeIn& in, TangentVec& out) { out.push_back(reshape(in.cts[0].value(), in.args[0].aval.shape)); },
    .batching = squeeze_batching,
    .emit = copy_emit,
    .inplace_operand = 0,
    .samples = squeeze_samples};

constinit const Primitive rev_p{
    .name = "rev",
    .doc = "The operand with the order of elements along `dimensions` reversed. Any dtype.",
    .kind = Kind::structural,
    .params = &params_ops<RevParams>,
    .abstract_eval = rev_avals,
    .jvp = jvp_linear_in_first,
    .transpose = [](const TransposeIn& in, TangentVec& out) { out.push_back(rev(in.cts[0].value(), in.params<RevParams>().dimensions)); },
    .batching = rev_batching,
    .emit = rev_emit,
    .samples = rev_samples};

constinit const Primitive iota_p{
    .name = "iota",
    .doc = "0, 1, 2, ... along `dimension`, the same along the others, converted to `dtype` (a number).",
    .kind = Kind::structural,
    .operands = 0,
    .params = &params_ops<IotaParams>,
    .abstract_eval = iota_avals,
    .jvp = zero_derivative,
    .transpose = not_linear,
    .batching = NoRule{"it has no operand to be batched"},
    .emit = iota_emit,
    .samples = iota_samples};

constinit const Primitive copy_p{
    .name = "copy",
    .doc = "The operand, in memory of its own. Any dtype.",
    .kind = Kind::structural,
    .abstract_eval = copy_avals,
    .jvp = jvp_linear_in_first,
    .transpose = [](const TransposeIn& in, TangentVec& out) { out.push_back(in.cts[0]); },
    .batching = batch_elementwise,
    .emit = copy_emit,
    .inplace_operand = 0,
    .samples = copy_samples};

Array broadcast_in_dim(const Array& x, const Shape& shape, const IntList& broadcast_dimensions) {
  if (x.shape() == shape && broadcast_dimensions == IntList::range(shape.ndim())) return x;
  return broadcast_in_dim_p.bind1(make_params(BroadcastInDimParams{broadcast_dimensions, shape, {}}), {&x, 1});
}

Array reshape(const Array& x, const Shape& new_sizes) {
  if (x.shape() == new_sizes) return x;
  return reshape_p.bind1(make_params(ReshapeParams{std::nullopt, new_sizes, {}}), {&x, 1});
}

Array transpose(const Array& x, const IntList& permutation) {
  if (permutation == IntList::range(x.ndim())) return x;
  return transpose_p.bind1(make_params(TransposeParams{permutation}), {&x, 1});
}

Array squeeze(const Array& x, const IntList& dimensions) {
  if (dimensions.empty()) return x;
  return squeeze_p.bind1(make_params(SqueezeParams{dimensions}), {&x, 1});
}

Array expand_dims(const Array& x, const IntList& dimensions) {
  if (dimensions.empty()) return x;
  const int ndim = x.ndim() + dimensions.length();
  for (std::int64_t d : dimensions) check_axis(d, ndim);
  Shape shape;
  IntList kept;
  for (int i = 0; i < ndim; ++i) {
    if (!dimensions.contains(i)) kept.push_back(i);
    shape.push_back(dimensions.contains(i) ? 1 : x.shape()[kept.length() - 1]);
  }
  return broadcast_in_dim(x, shape, kept);
}

Array rev(const Array& x, const IntList& dimensions) {
  return rev_p.bind1(make_params(RevParams{dimensions}), {&x, 1});
}

Array iota(DType d, const Shape& shape, int dimension) {
  return iota_p.bind1(make_params(IotaParams{dimension, d, shape, {}}), {});
}

Array copy(const Array& x) { return copy_p(x); }

void register_structural() {
  for (const Primitive* p : {&broadcast_in_dim_p, &reshape_p, &transpose_p, &squeeze_p, &rev_p, &iota_p, &copy_p}) register_primitive(*p);
  register_joining();
}

}  // namespace cotan::ops

// Parts of arrays at known positions: slice.
#include "core/stablehlo_writer.h"
#include "ops/common.h"
#include "ops/emit.h"
#include "ops/op_list.h"
#include "ops/structural.h"
#include "ops/structural_checks.h"
#include "ops/structural_simplify.h"

namespace cotan::ops {

namespace {

constexpr auto f32 = DType::float32;

// --- slice --------------------------------------------------------------------------------------------------------------------
struct SliceParams {
  IntList limit_indices, start_indices;
  std::optional<IntList> strides;
  template <class S, class V> static void fields(S& s, V& v) {
    v("limit_indices", s.limit_indices), v("start_indices", s.start_indices), v("strides", s.strides);
  }
  std::int64_t stride(int i) const { return strides ? (*strides)[i] : 1; }
};

void check_slice(const SliceParams& p, const Aval& x) {
  const IntList &start = p.start_indices, &limit = p.limit_indices;
  check_nonnegative("slice start_indices", start);
  check_nonnegative("slice limit_indices", limit);
  if (start.length() != x.ndim())
    throw TypeError(
        "slice start_indices must have length equal to the number of dimensions of the operand, got indices " +
        start.str() + " for operand shape " + x.shape.str() + ".");
  if (limit.length() != start.length())
    throw TypeError("slice limit_indices must have the same length as start_indices, got start_indices " + start.str() +
                    " and limit_indices " + limit.str() + ".");
  for (int i = 0; i < x.ndim(); ++i)
    if (limit[i] > x.shape[i])
      throw TypeError("slice limit_indices must be less than or equal to operand shape, got limit_indices " +
                      limit.str() + " for operand shape " + x.shape.str() + ".");
  for (int i = 0; i < x.ndim(); ++i)
    if (limit[i] < start[i])
      throw TypeError("slice limit_indices must be greater than or equal to start_indices, got start_indices " +
                      start.str() + " and limit_indices " + limit.str() + ".");
  if (!p.strides) return;
  if (p.strides->length() != x.ndim())
    throw TypeError("slice strides must have length equal to the number of dimensions of the operand, got strides " +
                    p.strides->str() + " for operand shape " + x.shape.str() + ".");
  for (std::int64_t s : *p.strides)
    if (s <= 0) throw TypeError("slice strides must be positive, got " + p.strides->str());
}

void slice_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<SliceParams>();
  const Aval& x = in.in[0];
  check_dtype("slice", any_dtype, x);
  check_slice(p, x);
  Shape shape;
  for (int i = 0; i < x.ndim(); ++i) {
    const std::int64_t n = p.limit_indices[i] - p.start_indices[i];
    shape.push_back(n == 0 ? 0 : (n - 1) / p.stride(i) + 1);
  }
  out.push_back(x.with_shape(std::move(shape)));
}

void slice_transpose(const TransposeIn& in, TangentVec& out) {
  const auto& p = in.params<SliceParams>();
  const Shape& shape = in.args[0].aval.shape;
  const Array& ct = in.cts[0].value();
  SmallVec<PadDim> config;
  for (int i = 0; i < shape.ndim(); ++i) {
    const std::int64_t n = ct.shape()[i];
    const std::int64_t end = n == 0 ? p.start_indices[i] : p.start_indices[i] + (n - 1) * p.stride(i) + 1;
    config.push_back({p.start_indices[i], shape[i] - end, p.stride(i) - 1});
  }
  out.push_back(pad(ct, number_like(ct, 0), config));
}

void slice_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  SliceParams p = in.params<SliceParams>();
  p.start_indices.insert(in.dims[0], 0);
  p.limit_indices.insert(in.dims[0], in.axis_size);
  if (p.strides) p.strides->insert(in.dims[0], 1);
  out.push_back(in.primitive.bind1(make_params(std::move(p)), in.args));
  out_dims.push_back(in.dims[0]);
}

// All of the operand; a part of a part.
Simplified slice_simplify(const SimplifyIn& in) {
  const auto& p = in.params<SliceParams>();
  if (in.aval(in.in[0]).shape == in.out.shape) return in.in[0];
  if (Simplified s = simplify_repeated(in); s.primitive || s.same) return s;
  const JaxprEqn* e = in.producer(0, in.primitive);
  if (!e || in.out.size() == 0) return {};
  const auto& first = params_as<SliceParams>(e->params.get());
  SliceParams r{{}, {}, IntList()};
  for (int i = 0; i < in.out.ndim(); ++i) {
    const std::int64_t stride = first.stride(i) * p.stride(i);
    r.start_indices.push_back(first.start_indices[i] + p.start_indices[i] * first.stride(i));
    r.limit_indices.push_back(r.start_indices[i] + (in.out.shape[i] - 1) * stride + 1);
    r.strides->push_back(in.out.shape[i] == 1 ? 1 : stride);
  }
  if (*r.strides == IntList::filled(in.out.ndim(), 1)) r.strides.reset();
  return {in.primitive, make_params(std::move(r)), {in.operand_of(*e)}};
}

void slice_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<SliceParams>();
  if (in.out[0].size() == 0) return;
  IntList strides = kernel::row_major_strides(in.in[0].shape);
  std::int64_t offset = 0;
  for (int i = 0; i < strides.length(); ++i) {
    offset += p.start_indices[i] * strides[i];
    strides[i] *= p.stride(i);
  }
  emit_copy(plan, 0, 1, in.in[0].dtype, in.out[0].shape, strides, offset);
}

std::vector<Sample> slice_samples() {
  const auto s = [](IntList start, IntList limit, std::optional<IntList> strides, Shape shape, DType d = f32) {
    return Sample{make_params(SliceParams{std::move(limit), std::move(start), std::move(strides)}),
                  {{std::move(shape), d}}};
  };
  return {s({1}, {3}, {}, {4}),
          s({0, 1}, {2, 3}, {}, {2, 3}),
          s({1}, {7}, IntList{2}, {8}),
          s({0, 0}, {3, 5}, IntList{2, 3}, {3, 5}),
          s({2}, {2}, {}, {4}),
          s({2}, {2}, IntList{3}, {4}),
          s({}, {}, {}, {}),
          s({0}, {0}, {}, {0}),
          s({0}, {4}, IntList{1}, {4}, DType::int32)};
}

}  // namespace

constinit const Primitive slice_p{
    .name = "slice",
    .doc =
        "The elements from start_indices up to, not including, limit_indices, every "
        "strides-th along each dimension. Any dtype. "
        "TypeError where they do not fit the shape.",
    .kind = Kind::structural,
    .params = &params_ops<SliceParams>,
    .abstract_eval = slice_avals,
    .jvp = jvp_linear_in_first,
    .transpose = slice_transpose,
    .batching = slice_batching,
    .simplify = slice_simplify,
    .emit = slice_emit,
    .stablehlo =
        [](const HloIn& in, HloWriter& w, HloValues& results) {
          const auto& p = in.params<SliceParams>();
          results.push_back(w.slice(in.operands[0], p.start_indices, p.limit_indices,
                                    p.strides.value_or(IntList::filled(in.in[0].ndim(), 1))));
        },
    .samples = slice_samples};

Array slice(const Array& x, const IntList& start, const IntList& limit, const std::optional<IntList>& strides) {
  return slice_p.bind1(make_params(SliceParams{limit, start, strides}), {&x, 1});
}

Simplified as_slice(Atom x, const IntList& start, const IntList& limit) {
  return {slice_p, make_params(SliceParams{limit, start, std::nullopt}), {x}};
}

Array slice_in_dim(const Array& x, std::int64_t start, std::int64_t limit, std::int64_t stride, int axis) {
  check_axis(axis, x.ndim());
  IntList starts = IntList::filled(x.ndim(), 0), limits = x.shape(), strides = IntList::filled(x.ndim(), 1);
  starts[axis] = start, limits[axis] = limit, strides[axis] = stride;
  return slice(x, starts, limits, strides);
}

void register_slicing() { register_primitive(slice_p); }

}  // namespace cotan::ops

// Primitives that numpy's tile and unstack are: whole copies along every dimension, and the parts along one.
#include "core/stablehlo_writer.h"
#include "ops/common.h"
#include "ops/emit.h"
#include "ops/op_list.h"
#include "ops/reduction.h"
#include "ops/structural.h"
#include "ops/structural_checks.h"
#include "ops/structural_simplify.h"

namespace cotan::ops {

namespace {

constexpr auto f32 = DType::float32;

// --- tile ---------------------------------------------------------------------------------------------------------------------
struct TileParams {
  IntList reps;
  template <class S, class V> static void fields(S& s, V& v) { v("reps", s.reps); }
};

void tile_avals(const AbstractIn& in, AvalVec& out) {
  const IntList& reps = in.params<TileParams>().reps;
  const Aval& x = in.in[0];
  check_dtype("tile", any_dtype, x);
  check_nonnegative("tile reps", reps);
  if (reps.length() != x.ndim())
    throw ValueError("tile reps must have one entry for each dimension, got reps " + reps.str() + " for shape " +
                     x.shape.str());
  Shape shape = x.shape;
  for (int i = 0; i < x.ndim(); ++i)
    if (__builtin_mul_overflow(shape[i], reps[i], &shape[i])) throw ValueError("tile: Maximum allowed size exceeded");
  out.push_back(x.with_shape(std::move(shape)));
}

// Each dimension in two: which copy, and where in it.
IntList copies_and_places(const Shape& shape, const IntList& reps) {
  IntList r;
  for (int i = 0; i < shape.ndim(); ++i) r.push_back(reps[i]), r.push_back(shape[i]);
  return r;
}

void tile_transpose(const TransposeIn& in, TangentVec& out) {
  const IntList& reps = in.params<TileParams>().reps;
  IntList copies;
  for (int i = 0; i < reps.length(); ++i) copies.push_back(2 * i);
  const Array apart = reshape(in.cts[0].value(), Shape(copies_and_places(in.args[0].aval.shape, reps)));
  out.push_back(reduce_sum(apart, copies));
}

void tile_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  IntList reps = in.params<TileParams>().reps;
  reps.insert(in.dims[0], 1);
  out.push_back(tile(in.args[0], reps));
  out_dims.push_back(in.dims[0]);
}

void tile_emit(const EmitIn& in, kernel::Plan& plan) {
  const Shape& shape = in.in[0].shape;
  const IntList own = kernel::row_major_strides(shape);
  IntList strides;
  for (int i = 0; i < shape.ndim(); ++i) strides.push_back(0), strides.push_back(own[i]);
  emit_copy(plan, 0, 1, in.in[0].dtype, copies_and_places(shape, in.params<TileParams>().reps), strides);
}

void tile_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const Shape& shape = in.in[0].shape;
  IntList places;
  for (int i = 0; i < shape.ndim(); ++i) places.push_back(2 * i + 1);
  const Shape apart(copies_and_places(shape, in.params<TileParams>().reps));
  results.push_back(w.reshape(w.broadcast(in.operands[0], apart, places), in.out[0].shape));
}

std::vector<Sample> tile_samples() {
  const auto s = [](Shape shape, IntList reps, DType d = f32) {
    return Sample{make_params(TileParams{std::move(reps)}), {{std::move(shape), d}}};
  };
  return {s({3}, {2}), s({2, 3}, {1, 2}), s({2, 3}, {3, 1}), s({2, 1, 2}, {2, 3, 1}),
          s({}, {}),   s({2, 3}, {2, 0}), s({0}, {3}),       s({2}, {3}, DType::int8)};
}

Simplified tile_simplify(const SimplifyIn& in) {
  if (in.aval(in.in[0]) == in.out) return in.in[0];
  return simplify_repeated(in);
}

// --- unstack ------------------------------------------------------------------------------------------------------------------
struct UnstackParams {
  int axis = 0;
  template <class S, class V> static void fields(S& s, V& v) { v("axis", s.axis); }
};

void unstack_avals(const AbstractIn& in, AvalVec& out) {
  const int axis = in.params<UnstackParams>().axis;
  const Aval& x = in.in[0];
  check_dtype("unstack", any_dtype, x);
  check_axis(axis, x.ndim());
  Shape shape = x.shape;
  shape.erase(axis);
  for (std::int64_t i = 0; i < x.shape[axis]; ++i) out.push_back(x.with_shape(shape));
}

void unstack_jvp(const JvpIn& in, ArrayVec& out, TangentVec& tangents) {
  const int axis = in.params<UnstackParams>().axis;
  unstack(in.primals[0], axis, out);
  ArrayVec t;
  unstack(in.tangents[0].value(), axis, t);
  for (const Array& a : t) tangents.push_back(a);
}

void unstack_transpose(const TransposeIn& in, TangentVec& out) {
  ArrayVec parts;
  for (const Tangent& ct : in.cts) parts.push_back(instantiate(ct));
  out.push_back(stack(parts, in.params<UnstackParams>().axis));
}

void unstack_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const int axis = in.params<UnstackParams>().axis, batch = in.dims[0];
  unstack(in.args[0], axis + (axis >= batch), out);
  for (std::size_t i = 0; i < out.size(); ++i) out_dims.push_back(batch - (axis < batch));
}

void unstack_emit(const EmitIn& in, kernel::Plan& plan) {
  const int axis = in.params<UnstackParams>().axis;
  IntList strides = kernel::row_major_strides(in.in[0].shape);
  const std::int64_t step = strides[axis];
  strides.erase(axis);
  for (int i = 0; i < static_cast<int>(in.out.size()); ++i)
    if (in.out[0].size() > 0) emit_copy(plan, 0, 1 + i, in.in[0].dtype, in.out[0].shape, strides, i * step);
}

void unstack_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const int axis = in.params<UnstackParams>().axis;
  const Shape& shape = in.in[0].shape;
  IntList start = IntList::filled(shape.ndim(), 0), limit = shape;
  for (const Aval& part : in.out) {
    limit[axis] = start[axis] + 1;
    results.push_back(w.reshape(w.slice(in.operands[0], start, limit, IntList::filled(shape.ndim(), 1)), part.shape));
    start[axis] = limit[axis];
  }
}

std::vector<Sample> unstack_samples() {
  const auto s = [](Shape shape, int axis, DType d = f32) {
    return Sample{make_params(UnstackParams{axis}), {{std::move(shape), d}}};
  };
  return {s({3}, 0), s({2, 3}, 0), s({2, 3}, 1), s({2, 2, 3}, 1), s({2, 0}, 0), s({2, 2}, 0, DType::uint8)};
}

}  // namespace

constinit const Primitive tile_p{.name = "tile",
                                 .doc = "The operand repeated whole reps[i] times along dimension i. Any dtype.",
                                 .kind = Kind::structural,
                                 .params = &params_ops<TileParams>,
                                 .abstract_eval = tile_avals,
                                 .jvp = jvp_linear_in_first,
                                 .transpose = tile_transpose,
                                 .batching = tile_batching,
                                 .simplify = tile_simplify,
                                 .emit = tile_emit,
                                 .stablehlo = tile_write,
                                 .samples = tile_samples};

constinit const Primitive unstack_p{
    .name = "unstack",
    .doc = "The parts along `axis`, one result for each, without that dimension. Any dtype.",
    .kind = Kind::structural,
    .results = -1,
    .params = &params_ops<UnstackParams>,
    .abstract_eval = unstack_avals,
    .jvp = unstack_jvp,
    .transpose = unstack_transpose,
    .batching = unstack_batching,
    .emit = unstack_emit,
    .stablehlo = unstack_write,
    .samples = unstack_samples};

Array tile(const Array& x, const IntList& reps) { return tile_p.bind1(make_params(TileParams{reps}), {&x, 1}); }

void unstack(const Array& x, int axis, ArrayVec& out) {
  check_axis(axis, x.ndim());
  if (x.shape()[axis] == 0) return;
  unstack_p.bind(make_params(UnstackParams{axis}), {&x, 1}, out);
}

void register_repeating() {
  for (const Primitive* p : {&tile_p, &unstack_p}) register_primitive(*p);
}

}  // namespace cotan::ops

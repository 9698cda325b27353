// Primitives that rearrange one operand: reshape, transpose, squeeze, rev.
#include <algorithm>

#include "core/stablehlo_writer.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/emit.h"
#include "ops/op_list.h"
#include "ops/reduction.h"
#include "ops/structural.h"
#include "ops/structural_checks.h"
#include "ops/structural_simplify.h"

namespace cotan::ops {

namespace {

constexpr auto f32 = DType::float32;

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
    throw TypeError("reshape dimensions must be a permutation of operand dimensions, got dimensions " +
                    p.dimensions->str() + " for shape " + x.shape.str() + ".");
  if (p.new_sizes.size() != x.size())
    throw TypeError("reshape total size must be unchanged, got new_sizes " + p.new_sizes.str() + " for shape " +
                    x.shape.str() + ".");
  out.push_back(x.with_shape(p.new_sizes));
}

void reshape_transpose(const TransposeIn& in, TangentVec& out) {
  const auto& p = in.params<ReshapeParams>();
  const Shape& shape = in.args[0].aval.shape;
  const Array& ct = in.cts[0].value();
  out.push_back(p.dimensions ? transpose(reshape(ct, permuted(shape, *p.dimensions)), inverse(*p.dimensions))
                             : reshape(ct, shape));
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

Simplified reshape_simplify(const SimplifyIn& in) {
  const auto& dims = in.params<ReshapeParams>().dimensions;
  if (dims && *dims != IntList::range(dims->length())) return simplify_repeated(in);
  if (in.aval(in.in[0]) == in.out) return in.in[0];
  return simplify_reshaped(in);
}

void reshape_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<ReshapeParams>();
  const Aval& x = in.in[0];
  if (!p.dimensions) return emit_copy_all(plan, 0, 1, x.dtype, x.size());
  emit_copy(plan, 0, 1, x.dtype, permuted(x.shape, *p.dimensions),
            permuted(kernel::row_major_strides(x.shape), *p.dimensions));
}

void reshape_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const auto& p = in.params<ReshapeParams>();
  HloValue x = in.operands[0];
  if (p.dimensions)
    x = w.op("stablehlo.transpose", {x}, HloType(permuted(x.type.shape, *p.dimensions), x.type.dtype),
             "permutation = " + hlo_ints(*p.dimensions));
  results.push_back(w.reshape(x, p.new_sizes));
}

std::vector<Sample> reshape_samples() {
  const auto s = [](Shape from, Shape to, std::optional<IntList> dims = {}, DType d = f32) {
    return Sample{make_params(ReshapeParams{std::move(dims), std::move(to), {}}), {{std::move(from), d}}};
  };
  return {s({2, 3}, {3, 2}),
          s({4}, {2, 2}),
          s({}, {1, 1}),
          s({1}, {}),
          s({0, 3}, {0}),
          s({2, 3}, {6}, IntList{1, 0}),
          s({2, 3, 2}, {4, 3}, IntList{2, 0, 1}),
          s({4}, {2, 2}, {}, DType::int32)};
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
    throw TypeError("transpose permutation isn't a permutation of operand dimensions, got permutation " + p.str() +
                    " for operand shape " + in.in[0].shape.str() + ".");
  out.push_back(in.in[0].with_shape(permuted(in.in[0].shape, p)));
}

void transpose_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  IntList permutation = around(in.params<TransposeParams>().permutation, in.dims[0]);
  permutation.insert(0, in.dims[0]);
  out.push_back(transpose(in.args[0], permutation));
  out_dims.push_back(0);
}

// One after another; one that moves no dimension past another of size other than 1 is a reshape.
Simplified transpose_simplify(const SimplifyIn& in) {
  const auto& p = in.params<TransposeParams>().permutation;
  if (p == IntList::range(p.length())) return in.in[0];
  if (const JaxprEqn* e = in.producer(0, in.primitive))
    return {in.primitive,
            make_params(TransposeParams{permuted(params_as<TransposeParams>(e->params.get()).permutation, p)}),
            {in.operand_of(*e)}};
  if (Simplified s = simplify_repeated(in); s.primitive || s.same) return s;
  IntList moved;
  for (std::int64_t d : p)
    if (in.aval(in.in[0]).shape[d] != 1) moved.push_back(d);
  if (!std::is_sorted(moved.begin(), moved.end())) return {};
  return as_reshape(in.in[0], in.out.shape);
}

void transpose_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<TransposeParams>().permutation;
  emit_copy(plan, 0, 1, in.in[0].dtype, in.out[0].shape, permuted(kernel::row_major_strides(in.in[0].shape), p));
}

std::vector<Sample> transpose_samples() {
  const auto s = [](Shape shape, IntList p, DType d = f32) {
    return Sample{make_params(TransposeParams{std::move(p)}), {{std::move(shape), d}}};
  };
  return {s({2, 3}, {1, 0}), s({2, 3, 4}, {2, 0, 1}), s({2, 3, 4}, {0, 2, 1}),
          s({}, {}),         s({0, 3}, {1, 0}),       s({2, 3}, {1, 0}, DType::int8)};
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
      throw ValueError("cannot select an axis to squeeze out which has size not equal to one, got shape=" +
                       x.shape.str() + " and dimensions=" + dims.str());
  }
  out.push_back(x.with_shape(std::move(shape)));
}

void squeeze_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const IntList dims = around(in.params<SqueezeParams>().dimensions, in.dims[0]);
  out.push_back(squeeze(in.args[0], dims));
  out_dims.push_back(in.dims[0] - static_cast<int>(std::count_if(dims.begin(), dims.end(),
                                                                 [&](std::int64_t d) { return d < in.dims[0]; })));
}

Simplified squeeze_simplify(const SimplifyIn& in) {
  if (in.aval(in.in[0]) == in.out) return in.in[0];
  return simplify_reshaped(in);
}

std::vector<Sample> squeeze_samples() {
  const auto s = [](Shape shape, IntList d) {
    return Sample{make_params(SqueezeParams{std::move(d)}), {{std::move(shape), f32}}};
  };
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
      throw TypeError("rev dimensions must all be less than operand ndim, got dimensions " + dims.str() +
                      " for operand ndim " + std::to_string(in.in[0].ndim()) + ".");
  out.push_back(in.in[0]);
}

void rev_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  out.push_back(rev(in.args[0], around(in.params<RevParams>().dimensions, in.dims[0])));
  out_dims.push_back(in.dims[0]);
}

Simplified rev_simplify(const SimplifyIn& in) {
  IntList dims;
  for (std::int64_t d : in.params<RevParams>().dimensions)
    if (in.out.shape[d] > 1) dims.push_back(d);
  if (dims.empty()) return in.in[0];
  if (const JaxprEqn* e = in.producer(0, in.primitive)) {
    IntList both;
    for (std::int64_t d = 0; d < in.out.ndim(); ++d)
      if (dims.contains(d) != params_as<RevParams>(e->params.get()).dimensions.contains(d)) both.push_back(d);
    return {in.primitive, make_params(RevParams{std::move(both)}), {in.operand_of(*e)}};
  }
  return simplify_repeated(in);
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
  const auto s = [](Shape shape, IntList d, DType t = f32) {
    return Sample{make_params(RevParams{std::move(d)}), {{std::move(shape), t}}};
  };
  return {s({4}, {0}), s({2, 3}, {1}), s({2, 3}, {0, 1}), s({}, {}), s({0, 2}, {0}), s({3}, {0}, DType::bool_)};
}

}  // namespace

constinit const Primitive reshape_p{
    .name = "reshape",
    .doc =
        "The elements in row-major order (of the operand with its dimensions permuted, "
        "where `dimensions` is given) with the shape "
        "new_sizes. Any dtype. TypeError where the number of elements differs.",
    .kind = Kind::structural,
    .params = &params_ops<ReshapeParams>,
    .abstract_eval = reshape_avals,
    .jvp = jvp_linear_in_first,
    .transpose = reshape_transpose,
    .batching = reshape_batching,
    .simplify = reshape_simplify,
    .emit = reshape_emit,
    .keeps_elements = [](const EqnContext& c) { return !c.params<ReshapeParams>().dimensions; },
    .stablehlo = reshape_write,
    .samples = reshape_samples};

constinit const Primitive transpose_p{
    .name = "transpose",
    .doc =
        "Dimension i of the result is dimension permutation[i] of the operand. Any dtype. TypeError for no "
        "permutation.",
    .kind = Kind::structural,
    .params = &params_ops<TransposeParams>,
    .abstract_eval = transpose_avals,
    .jvp = jvp_linear_in_first,
    .transpose =
        [](const TransposeIn& in, TangentVec& out) {
          out.push_back(transpose(in.cts[0].value(), inverse(in.params<TransposeParams>().permutation)));
        },
    .batching = transpose_batching,
    .simplify = transpose_simplify,
    .emit = transpose_emit,
    .stablehlo =
        [](const HloIn& in, HloWriter& w, HloValues& results) {
          results.push_back(w.op("stablehlo.transpose", in.operands, HloType(in.out[0]),
                                 "permutation = " + hlo_ints(in.params<TransposeParams>().permutation)));
        },
    .samples = transpose_samples};

constinit const Primitive squeeze_p{
    .name = "squeeze",
    .doc = "The operand without `dimensions`, whose sizes are 1. Any dtype. ValueError where a size is not 1.",
    .kind = Kind::structural,
    .params = &params_ops<SqueezeParams>,
    .abstract_eval = squeeze_avals,
    .jvp = jvp_linear_in_first,
    .transpose = [](const TransposeIn& in,
                    TangentVec& out) { out.push_back(reshape(in.cts[0].value(), in.args[0].aval.shape)); },
    .batching = squeeze_batching,
    .simplify = squeeze_simplify,
    .emit = [](const EmitIn& in, kernel::Plan& plan) { emit_copy_all(plan, 0, 1, in.in[0].dtype, in.in[0].size()); },
    .keeps_elements = [](const EqnContext&) { return true; },
    .stablehlo = [](const HloIn& in, HloWriter& w,
                    HloValues& results) { results.push_back(w.reshape(in.operands[0], in.out[0].shape)); },
    .inplace_operand = 0,
    .samples = squeeze_samples};

constinit const Primitive rev_p{
    .name = "rev",
    .doc = "The operand with the order of elements along `dimensions` reversed. Any dtype.",
    .kind = Kind::structural,
    .params = &params_ops<RevParams>,
    .abstract_eval = rev_avals,
    .jvp = jvp_linear_in_first,
    .transpose = [](const TransposeIn& in,
                    TangentVec& out) { out.push_back(rev(in.cts[0].value(), in.params<RevParams>().dimensions)); },
    .batching = rev_batching,
    .simplify = rev_simplify,
    .emit = rev_emit,
    .stablehlo =
        [](const HloIn& in, HloWriter& w, HloValues& results) {
          results.push_back(w.op("stablehlo.reverse", in.operands, HloType(in.out[0]),
                                 "dimensions = " + hlo_ints(in.params<RevParams>().dimensions)));
        },
    .samples = rev_samples};

Simplified simplify_reshaped(const SimplifyIn& in) {
  const JaxprEqn* e = in.producer(0);
  if (!e) return {};
  const bool reshapes = e->primitive == &reshape_p && !params_as<ReshapeParams>(e->params.get()).dimensions;
  if (!reshapes && e->primitive != &squeeze_p && !only_adds_dimensions(in, *e)) return simplify_repeated(in);
  const Atom x = in.operand_of(*e);
  if (in.aval(x) == in.out) return x;
  return as_reshape(x, in.out.shape);
}

Simplified as_reshape(Atom x, const Shape& new_sizes) {
  return {reshape_p, make_params(ReshapeParams{std::nullopt, new_sizes, {}}), {x}};
}

Array reshape(const Array& x, const Shape& new_sizes) {
  if (x.shape() == new_sizes) return x;
  return reshape_p.bind1(make_params(ReshapeParams{std::nullopt, new_sizes, {}}), {&x, 1});
}

Array reshape_permuted(const Array& x, const Shape& new_sizes, const IntList& dimensions) {
  return reshape_p.bind1(make_params(ReshapeParams{dimensions, new_sizes, {}}), {&x, 1});
}

Array transpose(const Array& x, const IntList& permutation) {
  if (permutation == IntList::range(x.ndim())) return x;
  return transpose_p.bind1(make_params(TransposeParams{permutation}), {&x, 1});
}

Array squeeze(const Array& x, const IntList& dimensions) {
  if (dimensions.empty()) return x;
  return squeeze_p.bind1(make_params(SqueezeParams{dimensions}), {&x, 1});
}

Array rev(const Array& x, const IntList& dimensions) {
  return rev_p.bind1(make_params(RevParams{dimensions}), {&x, 1});
}

void register_structural() {
  for (const Primitive* p : {&reshape_p, &transpose_p, &squeeze_p, &rev_p}) register_primitive(*p);
  register_copying();
  register_broadcasting();
  register_joining();
  register_repeating();
  register_splitting();
}

}  // namespace cotan::ops

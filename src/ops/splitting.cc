// split: an array cut along an axis, as one equation with several results.
#include "core/stablehlo_writer.h"
#include "ops/common.h"
#include "ops/emit.h"
#include "ops/structural.h"
#include "ops/structural_checks.h"

namespace cotan::ops {

namespace {

constexpr auto f32 = DType::float32;

struct SplitParams {
  int axis = 0;
  IntList sizes;
  template <class S, class V> static void fields(S& s, V& v) { v("axis", s.axis), v("sizes", s.sizes); }
};

void split_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<SplitParams>();
  const Aval& x = in.in[0];
  check_dtype("split", any_dtype, x);
  check_axis(p.axis, x.ndim());
  std::int64_t total = 0;
  bool overflow = false;
  for (std::int64_t n : p.sizes) {
    if (n < 0) throw ValueError("Sizes passed to split must be nonnegative, got " + p.sizes.str());
    overflow |= __builtin_add_overflow(total, n, &total);
  }
  if (overflow || total != x.shape[p.axis])
    throw ValueError("Sum of sizes " + p.sizes.str() + " must be equal to dimension " + std::to_string(p.axis) +
                     " of the operand shape " + x.shape.str());
  for (std::int64_t n : p.sizes) {
    Shape shape = x.shape;
    shape[p.axis] = n;
    out.push_back({shape, x.dtype, x.weak_type});
  }
}

void split_transpose(const TransposeIn& in, TangentVec& out) {
  ArrayVec parts;
  for (const Tangent& t : in.cts) parts.push_back(instantiate(t));
  out.push_back(concatenate(parts, in.params<SplitParams>().axis));
}

void split_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  SplitParams p = in.params<SplitParams>();
  p.axis += p.axis >= in.dims[0];
  const int count = p.sizes.length();
  in.primitive.bind(make_params(std::move(p)), in.args, out);
  for (int i = 0; i < count; ++i) out_dims.push_back(in.dims[0]);
}

void split_emit(const EmitIn& in, kernel::Plan& plan) {
  const int axis = in.params<SplitParams>().axis;
  const IntList strides = kernel::row_major_strides(in.in[0].shape);
  std::int64_t start = 0;
  for (std::size_t i = 0; i < in.out.size(); ++i) {
    const Aval& part = in.out[i];
    if (part.size() > 0)
      emit_copy(plan, 0, static_cast<int>(i) + 1, part.dtype, part.shape, strides, start * strides[axis]);
    start += part.shape[axis];
  }
}

void split_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const auto& p = in.params<SplitParams>();
  const Shape& shape = in.in[0].shape;
  IntList start = IntList::filled(shape.ndim(), 0), limit = shape;
  for (std::int64_t n : p.sizes) {
    limit[p.axis] = start[p.axis] + n;
    results.push_back(w.slice(in.operands[0], start, limit, IntList::filled(shape.ndim(), 1)));
    start[p.axis] = limit[p.axis];
  }
}

std::vector<Sample> split_samples() {
  const auto s = [](int axis, IntList sizes, Shape shape, DType d = f32) {
    return Sample{make_params(SplitParams{axis, std::move(sizes)}), {{std::move(shape), d}}};
  };
  return {s(0, {2, 3}, {5}), s(1, {1, 2}, {2, 3}), s(0, {1, 1}, {2, 2}), s(0, {0, 3}, {3}),
          s(0, {4}, {4}),    s(0, {0, 0}, {0}),    s(1, {1, 1}, {0, 2}), s(0, {2, 2}, {4}, DType::int8)};
}

}  // namespace

constinit const Primitive split_p{.name = "split",
                                  .doc =
                                      "The parts of an array, of any dtype, that have `sizes` along `axis`, one after "
                                      "the other. ValueError where the sizes do not add up.",
                                  .kind = Kind::structural,
                                  .results = -1,
                                  .params = &params_ops<SplitParams>,
                                  .abstract_eval = split_avals,
                                  .jvp = jvp_linear_in_first,
                                  .transpose = split_transpose,
                                  .batching = split_batching,
                                  .emit = split_emit,
                                  .stablehlo = split_write,
                                  .samples = split_samples};

std::vector<Array> split(const Array& x, const IntList& sizes, int axis) {
  ArrayVec out;
  split_p.bind(make_params(SplitParams{axis, sizes}), {&x, 1}, out);
  return {out.begin(), out.end()};
}

void register_splitting() { register_primitive(split_p); }

}  // namespace cotan::ops

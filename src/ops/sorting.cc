// Sorting: sort, top_k, approx_top_k.
#include "ops/sorting.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel/row_params.h"
#include "kernel/plan.h"
#include "ops/common.h"
#include "ops/costs.h"
#include "ops/emit.h"
#include "ops/gather.h"
#include "ops/op_list.h"
#include "ops/stablehlo.h"
#include "ops/structural.h"
#include "ops/structural_checks.h"

namespace cotan::ops {

Array take_along_axis(const Array& x, const Array& indices, int axis) {
  if (x.size() == 0) return zeros_of(x.aval().with_shape(indices.shape()));
  GatherDims d;
  Shape sizes, with_one = indices.shape();
  for (int i = 0; i < x.ndim(); ++i) {
    sizes.push_back(1);
    if (i != axis) d.operand_batching_dims.push_back(i), d.start_indices_batching_dims.push_back(i);
  }
  d.collapsed_slice_dims = {axis};
  d.start_index_map = {axis};
  with_one.push_back(1);
  return gather(x, reshape(indices, with_one), d, sizes, {false, false, GatherScatterMode::promise_in_bounds});
}

namespace {

constexpr auto f32 = DType::float32;

// --- sort ---------------------------------------------------------------------------------------------------------------------
struct SortParams {
  int dimension = 0;
  bool is_stable = true;
  int num_keys = 1;
  template <class S, class V> static void fields(S& s, V& v) {
    v("dimension", s.dimension), v("is_stable", s.is_stable), v("num_keys", s.num_keys);
  }
};

void sort_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<SortParams>();
  if (in.in.empty()) throw TypeError("sort requires at least one operand, got none.");
  std::string shapes;
  for (const Aval& a : in.in) shapes += (shapes.empty() ? "" : " ") + a.shape.str();
  for (const Aval& a : in.in)
    if (!(a.shape == in.in[0].shape)) throw TypeError("Arguments to sort must have equal shapes, got: " + shapes);
  check_axis(p.dimension, in.in[0].ndim());
  if (p.num_keys < 1 || p.num_keys > static_cast<int>(in.in.size()))
    throw ValueError("num_keys=" + std::to_string(p.num_keys) + " must be between 1 and the number of operands, " +
                     std::to_string(in.in.size()));
  for (std::size_t i = 0; i < in.in.size(); ++i) {
    check_dtype("sort", static_cast<int>(i) < p.num_keys ? any_number : any_dtype, in.in[i]);
    out.push_back({in.in[i].shape, in.in[i].dtype, in.in[i].weak_type});
  }
}

// The tangents go where their elements went: a number for each place is sorted along.
void sort_jvp(const JvpIn& in, ArrayVec& out, TangentVec& tangents_out) {
  const auto& p = in.params<SortParams>();
  const std::size_t n = in.primals.size();
  if (std::all_of(in.tangents.begin(), in.tangents.end(), [](const Tangent& t) { return t.is_zero(); })) {
    in.primitive.bind(in.params_ref, in.primals, out);
    for (const Array& a : out) tangents_out.push_back(Tangent::zero_of(a.aval()));
    return;
  }
  ArrayVec operands(in.primals), results;
  const Shape& shape = in.primals[0].shape();
  const DType index = shape[p.dimension] > 0x7fffffff ? DType::int64 : DType::int32;
  operands.push_back(iota(index, shape, p.dimension));
  in.primitive.bind(in.params_ref, operands, results);
  for (std::size_t i = 0; i < n; ++i) {
    const Tangent& t = in.tangents[i];
    out.push_back(results[i]);
    tangents_out.push_back(t.is_zero() ? Tangent::zero_of(results[i].aval())
                                       : Tangent(take_along_axis(t.value(), results[n], p.dimension)));
  }
}

void sort_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  auto p = in.params<SortParams>();
  ArrayVec args;
  const int dim = same_batch_dim(in, in.args.size(), args);
  p.dimension += p.dimension >= dim;
  in.primitive.bind(make_params(p), args, out);
  for (std::size_t i = 0; i < args.size(); ++i) out_dims.push_back(dim);
}

void sort_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<SortParams>();
  if (in.in[0].size() == 0) return;
  const RowSizes r = rows_along(in.in[0].shape, p.dimension);
  kernel::LibraryCall call;
  call.op = kernel::LibraryOp::sort;
  const int n = static_cast<int>(in.in.size());
  for (int i = 0; i < n; ++i) {
    const DType d = moved_as(in.in[static_cast<std::size_t>(i)].dtype);
    call.inputs.push_back({i, d, 0}), call.outputs.push_back({n + i, d, 0});
  }
  call.params = kernel::SortParams{{r.outer, r.n, r.inner}, p.num_keys}.encode();
  plan.steps.emplace_back(std::move(call));
}

// Whether a stands before b; `tie`: whether they are equal. NaNs are equal to each other and come last.
struct Order {
  HloValue before, tie;
};
Order order_of(HloWriter& w, const HloValue& a, const HloValue& b) {
  const auto both = [&](const HloValue& x, const HloValue& y) { return w.binary("stablehlo.and", x, y); };
  const auto either = [&](const HloValue& x, const HloValue& y) { return w.binary("stablehlo.or", x, y); };
  const DType d = a.type.dtype;
  if (is_complex(d)) {
    const HloType part(Shape(), real_dtype(d));
    const Order re = order_of(w, w.op("stablehlo.real", {a}, part), w.op("stablehlo.real", {b}, part)),
                im = order_of(w, w.op("stablehlo.imag", {a}, part), w.op("stablehlo.imag", {b}, part));
    return {either(re.before, both(re.tie, im.before)), both(re.tie, im.tie)};
  }
  Order r{w.compare(a, b, "LT"), w.compare(a, b, "EQ")};
  if (!is_floating(d)) return r;
  const HloValue a_number = w.compare(a, a, "EQ"), b_nan = w.compare(b, b, "NE");
  return {either(r.before, both(a_number, b_nan)), either(r.tie, both(w.unary("stablehlo.not", a_number), b_nan))};
}

HloValues sorted(HloWriter& w, std::span<const HloValue> operands, int dimension, HloWriter::Body before) {
  std::vector<HloType> types, elements;
  for (const HloValue& v : operands) {
    types.push_back(v.type);
    elements.insert(elements.end(), 2, HloType({}, v.type.dtype));
  }
  const HloWriter::Region region{elements, before};
  return w.op_with_regions("stablehlo.sort", operands, {&region, 1}, types,
                           "dimension = " + std::to_string(dimension) + " : i64, is_stable = true");
}

void sort_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const auto& p = in.params<SortParams>();
  for (const Aval& a : in.in)
    if (is_key(a.dtype))
      throw NotImplementedError("StableHLO text of primitive 'sort' is not implemented for keys of random numbers");
  results = sorted(w, in.operands, p.dimension, [&](HloWriter::Operands a, HloValues& r) {
    Order all = order_of(w, a[0], a[1]);
    for (std::size_t i = 1; i < static_cast<std::size_t>(p.num_keys); ++i) {
      const Order next = order_of(w, a[2 * i], a[2 * i + 1]);
      const HloValue later = w.binary("stablehlo.and", all.tie, next.before);
      all = {w.binary("stablehlo.or", all.before, later), w.binary("stablehlo.and", all.tie, next.tie)};
    }
    r.push_back(all.before);
  });
}

std::vector<Sample> sort_samples() {
  const auto s = [](SortParams p, std::vector<Aval> in) { return Sample{make_params(p), std::move(in)}; };
  std::vector<Sample> v{s({0, true, 1}, {{{5}, f32}, {{5}, DType::int32}}),
                        s({0, false, 2}, {{{6}, DType::int32}, {{6}, f32}, {{6}, DType::bool_}}),
                        s({1, true, 1}, {{{2, 4}, f32}, {{2, 4}, f32}}),
                        s({0, true, 1}, {{{3, 2}, f32}}),
                        s({1, true, 1}, {{{2, 3, 2}, f32}}),
                        s({0, true, 1}, {{{1}, f32}}),
                        s({0, true, 1}, {{{0}, f32}}),
                        s({1, true, 1}, {{{2, 0}, f32}, {{2, 0}, DType::int32}}),
                        s({0, true, 1}, {{{0, 3}, f32}})};
  for (DType d : {f32, DType::float64, DType::bfloat16, DType::float16, DType::complex64, DType::bool_, DType::int8,
                  DType::int64, DType::uint16, DType::uint64})
    v.push_back(s({0, true, 1}, {{{6}, d}}));
  return v;
}

// --- top_k, approx_top_k ----------------------------------------------------------------------------------------------------------
struct TopKParams {
  int axis = 0;
  std::int64_t k = 0;
  template <class S, class V> static void fields(S& s, V& v) { v("axis", s.axis), v("k", s.k); }
};
// As JAX's: a backend may look at part of the elements, this one looks at all.
struct ApproxParams {
  bool aggregate_to_topk = true, is_max_k = true;
  std::int64_t k = 0;
  double recall_target = 0.95;
  int reduction_dimension = 0;
  std::int64_t reduction_input_size_override = -1;
  template <class S, class V> static void fields(S& s, V& v) {
    v("aggregate_to_topk", s.aggregate_to_topk), v("is_max_k", s.is_max_k), v("k", s.k);
    v("recall_target", s.recall_target), v("reduction_dimension", s.reduction_dimension);
    v("reduction_input_size_override", s.reduction_input_size_override);
  }
};

void push_largest(const Aval& x, int axis, std::int64_t k, AvalVec& out) {
  Shape shape = x.shape;
  shape[axis] = k;
  out.push_back({shape, x.dtype, x.weak_type});
  out.push_back({shape, DType::int32, false});
}

void top_k_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<TopKParams>();
  const Aval& x = in.in[0];
  if (is_complex(x.dtype)) throw ValueError(std::string("top_k does not order complex numbers, got ") + x.str());
  check_dtype("top_k", reals | bools, x);
  if (p.k < 0) throw ValueError("k argument to top_k must be nonnegative, got " + std::to_string(p.k));
  check_axis(p.axis, x.ndim());
  if (p.k > x.shape[p.axis])
    throw ValueError("k argument to top_k must be no larger than size along axis; got k=" + std::to_string(p.k) +
                     " with shape=" + x.shape.str() + " and axis=" + std::to_string(p.axis));
  if (x.shape[p.axis] > 0x7fffffff)
    throw ValueError("top_k gives int32 indices, got an axis of size " + std::to_string(x.shape[p.axis]));
  push_largest(x, p.axis, p.k, out);
}

void approx_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<ApproxParams>();
  const Aval& x = in.in[0];
  const int axis = p.reduction_dimension < 0 ? p.reduction_dimension + x.ndim() : p.reduction_dimension;
  if (!floating.contains(x.dtype)) throw ValueError("approx_top_k: operand must be a floating type, got " + x.str());
  if (x.ndim() == 0) throw TypeError("approx_top_k needs a dimension to reduce, got " + x.str());
  if (p.k <= 0) throw ValueError("approx_top_k: k must be positive, got " + std::to_string(p.k));
  check_axis(axis, x.ndim());
  if (p.k > x.shape[axis])
    throw ValueError("approx_top_k: k must be no larger than the size of the reduction dimension, " +
                     std::to_string(x.shape[axis]) + ", got " + std::to_string(p.k));
  if (!(p.recall_target > 0 && p.recall_target <= 1))
    throw ValueError("approx_top_k: recall_target must be above 0 and at most 1, got " +
                     std::to_string(p.recall_target));
  if (!p.aggregate_to_topk) throw NotImplementedError("approx_top_k with aggregate_to_topk=False is not implemented");
  push_largest(x, axis, p.k, out);
}

int axis_of(const TopKParams& p, int) { return p.axis; }
int axis_of(const ApproxParams& p, int ndim) {
  return p.reduction_dimension < 0 ? p.reduction_dimension + ndim : p.reduction_dimension;
}
void set_axis(TopKParams& p, int axis) { p.axis = axis; }
void set_axis(ApproxParams& p, int axis) { p.reduction_dimension = axis; }

template <class P> void largest_jvp(const JvpIn& in, ArrayVec& out, TangentVec& tangents_out) {
  in.primitive.bind(in.params_ref, in.primals, out);
  const int axis = axis_of(in.params<P>(), in.primals[0].ndim());
  const Tangent& t = in.tangents[0];
  tangents_out.push_back(t.is_zero() ? Tangent::zero_of(out[0].aval())
                                     : Tangent(take_along_axis(t.value(), out[1], axis)));
  tangents_out.push_back(Tangent::zero_of(out[1].aval()));
}

template <class P> void largest_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  P p = in.params<P>();
  const int dim = in.dims[0], axis = axis_of(p, in.args[0].ndim() - 1);
  set_axis(p, axis + (axis >= dim));
  in.primitive.bind(make_params(p), in.args, out);
  out_dims.push_back(dim), out_dims.push_back(dim);
}

void emit_largest(kernel::Plan& plan, const Aval& x, int axis, std::int64_t k, int from, int values) {
  const RowSizes r = rows_along(x.shape, axis);
  kernel::LibraryCall call;
  call.op = kernel::LibraryOp::top_k;
  call.inputs = {{from, x.dtype, 0}};
  call.outputs = {{values, x.dtype, 0}, {2, DType::int32, 0}};
  call.params = kernel::TopKParams{{r.outer, r.n, r.inner}, k}.encode();
  plan.steps.emplace_back(std::move(call));
}
void top_k_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<TopKParams>();
  if (in.out[0].size() > 0) emit_largest(plan, in.in[0], p.axis, p.k, 0, 1);
}
// The smallest are the largest of what is negated, for that turns the total order round.
void approx_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<ApproxParams>();
  const Aval& x = in.in[0];
  if (in.out[0].size() == 0) return;
  const int axis = axis_of(p, x.ndim());
  if (p.is_max_k) return emit_largest(plan, x, axis, p.k, 0, 1);
  const auto negate = [&](int from, std::int64_t n) {
    const int to = plan.add_temporary(n * static_cast<std::int64_t>(item_size(x.dtype)));
    const int buffers[] = {from, to};
    kernel::append(&plan, kernel::elementwise_program("neg", x.dtype, x.dtype, n, {&x.dtype, 1}), buffers);
    return to;
  };
  const int turned = negate(0, x.size()),
            found = plan.add_temporary(in.out[0].size() * static_cast<std::int64_t>(item_size(x.dtype)));
  emit_largest(plan, x, axis, p.k, turned, found);
  const int buffers[] = {found, 1};
  kernel::append(&plan, kernel::elementwise_program("neg", x.dtype, x.dtype, in.out[0].size(), {&x.dtype, 1}), buffers);
}

// Sorted the largest first, of equal ones the first one first; and cut off.
void write_largest(const HloIn& in, HloWriter& w, HloValues& results, int axis, std::int64_t k, bool largest) {
  const HloValue& x = in.operands[0];
  const Shape& shape = x.type.shape;
  const HloValue operands[] = {x, w.iota(HloType(shape, DType::int32), axis)};
  const bool real = is_floating(x.type.dtype);
  const HloValues all = sorted(w, operands, axis, [&](HloWriter::Operands a, HloValues& r) {
    const auto plain = [&](const HloValue& v) {  // every NaN as the positive one, which is above all
      if (!real) return v;
      const HloValue nan = w.constant(v.type, std::numeric_limits<double>::quiet_NaN());
      return w.select(w.compare(v, v, "NE"), largest ? nan : w.unary("stablehlo.negate", nan), v);
    };
    r.push_back(w.compare(plain(a[0]), plain(a[1]), largest ? "GT" : "LT", real));
  });
  IntList limit = shape;
  limit[axis] = k;
  for (const HloValue& v : all)
    results.push_back(w.slice(v, IntList::filled(shape.ndim(), 0), limit, IntList::filled(shape.ndim(), 1)));
}

std::vector<Sample> top_k_samples() {
  const auto s = [](int axis, std::int64_t k, Shape shape, DType d = f32) {
    return Sample{make_params(TopKParams{axis, k}), {{std::move(shape), d}}};
  };
  return {s(0, 2, {5}),
          s(1, 2, {2, 3}),
          s(0, 1, {3, 2}),
          s(1, 2, {2, 3, 2}),
          s(0, 0, {3}),
          s(0, 0, {0}),
          s(1, 2, {0, 3}),
          s(0, 4, {4}, DType::float64),
          s(0, 2, {4}, DType::bfloat16),
          s(0, 3, {6}, DType::int32),
          s(0, 2, {3}, DType::bool_),
          s(0, 2, {5}, DType::uint64)};
}
std::vector<Sample> approx_samples() {
  const auto s = [](bool is_max, int axis, Shape shape, DType d = f32) {
    return Sample{make_params(ApproxParams{true, is_max, 2, 0.95, axis, -1}), {{std::move(shape), d}}};
  };
  return {s(true, 0, {5}), s(false, 1, {2, 4}), s(true, 0, {3, 2}, DType::float64),
          s(false, -1, {2, 3}, DType::bfloat16)};
}

// About log2 n comparisons for each of n elements of a row.
Cost sort_cost(const EmitIn& in) {
  const std::int64_t n = in.in[0].ndim() > 0 ? in.in[0].shape[in.params<SortParams>().dimension] : 1;
  return {elements(in.in[0]) * std::ceil(std::log2(static_cast<double>(std::max<std::int64_t>(n, 1)))), 0};
}

}  // namespace

constinit const Primitive sort_p{.name = "sort",
                                 .doc =
                                     "The operands, of one shape, each row along `dimension` in the ascending order of "
                                     "the first num_keys of them, which are "
                                     "compared one after the other. Any dtype; keys of random numbers only beside the "
                                     "keys to sort by. -0 equals 0; NaNs are "
                                     "equal to each other and come last; complex numbers compare by real, then "
                                     "imaginary part. Equal elements keep their order, "
                                     "whatever is_stable says.",
                                 .operands = -1,
                                 .results = -1,
                                 .params = &params_ops<SortParams>,
                                 .abstract_eval = sort_avals,
                                 .jvp = sort_jvp,
                                 .transpose = not_linear,
                                 .batching = sort_batching,
                                 .emit = sort_emit,
                                 .stablehlo = sort_write,
                                 .cost = sort_cost,
                                 .samples = sort_samples};
constinit const Primitive top_k_p{.name = "top_k",
                                  .doc =
                                      "The k largest elements of each row along `axis`, the largest first, and their "
                                      "places as int32; of equal ones the first "
                                      "comes first. Real dtypes and bool; floats in the total order, where -0 is below "
                                      "0 and NaN above all. ValueError where k "
                                      "does not fit.",
                                  .results = 2,
                                  .params = &params_ops<TopKParams>,
                                  .abstract_eval = top_k_avals,
                                  .jvp = largest_jvp<TopKParams>,
                                  .transpose = not_linear,
                                  .batching = largest_batching<TopKParams>,
                                  .emit = top_k_emit,
                                  .stablehlo =
                                      [](const HloIn& in, HloWriter& w, HloValues& results) {
                                        const auto& p = in.params<TopKParams>();
                                        write_largest(in, w, results, p.axis, p.k, true);
                                      },
                                  .samples = top_k_samples};
constinit const Primitive approx_top_k_p{.name = "approx_top_k",
                                         .doc =
                                             "The k largest (is_max_k; else smallest) elements of each row along "
                                             "`reduction_dimension`, floating, and their places as "
                                             "int32. Exact, whatever the recall_target.",
                                         .results = 2,
                                         .params = &params_ops<ApproxParams>,
                                         .abstract_eval = approx_avals,
                                         .jvp = largest_jvp<ApproxParams>,
                                         .transpose = not_linear,
                                         .batching = largest_batching<ApproxParams>,
                                         .emit = approx_emit,
                                         .stablehlo =
                                             [](const HloIn& in, HloWriter& w, HloValues& results) {
                                               const auto& p = in.params<ApproxParams>();
                                               write_largest(in, w, results, axis_of(p, in.in[0].ndim()), p.k,
                                                             p.is_max_k);
                                             },
                                         .samples = approx_samples};

std::vector<Array> sort(std::span<const Array> operands, int dimension, int num_keys, bool is_stable) {
  ArrayVec out;
  sort_p.bind(make_params(SortParams{dimension, is_stable, num_keys}), operands, out);
  return {out.begin(), out.end()};
}
Largest top_k(const Array& x, std::int64_t k, int axis) {
  ArrayVec out;
  top_k_p.bind(make_params(TopKParams{axis, k}), {&x, 1}, out);
  return {out[0], out[1]};
}
Largest approx_top_k(const Array& x, const ApproxTopK& o) {
  ArrayVec out;
  approx_top_k_p.bind(make_params(ApproxParams{o.aggregate_to_topk, o.is_max_k, o.k, o.recall_target,
                                               o.reduction_dimension, o.reduction_input_size_override}),
                      {&x, 1}, out);
  return {out[0], out[1]};
}

void register_sorting() {
  for (const Primitive* p : {&sort_p, &top_k_p, &approx_top_k_p}) register_primitive(*p);
}

}  // namespace cotan::ops

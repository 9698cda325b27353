// Reductions over axes: sum, prod, max, min, and, or, xor, argmax, argmin.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/simplify.h"
#include "kernel/plan.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/emit.h"
#include "ops/op_list.h"
#include "ops/reduction.h"
#include "ops/stablehlo.h"
#include "ops/structural.h"
#include "ops/structural_checks.h"
#include "ops/structural_simplify.h"

namespace cotan::ops {

namespace {

using kernel::Combiner;
constexpr auto f32 = DType::float32;

struct ReduceParams {
  IntList axes;
  template <class S, class V> static void fields(S& s, V& v) { v("axes", s.axes); }
};
struct ReduceSumParams {
  IntList axes;
  Absent out_sharding;
  template <class S, class V> static void fields(S& s, V& v) { v("axes", s.axes), v("out_sharding", s.out_sharding); }
};
struct ArgParams {
  IntList axes;  // one
  DType index_dtype = DType::int32;
  template <class S, class V> static void fields(S& s, V& v) { v("axes", s.axes), v("index_dtype", s.index_dtype); }
};

// --- what all share -------------------------------------------------------------------------------------------------------------
Shape without(const Shape& shape, const IntList& axes) {
  Shape r;
  for (int i = 0; i < shape.ndim(); ++i)
    if (!axes.contains(i)) r.push_back(shape[i]);
  return r;
}
Shape with_ones(const Shape& shape, const IntList& axes) {
  Shape r = shape;
  for (std::int64_t a : axes) r[a] = 1;
  return r;
}
IntList others(int ndim, const IntList& axes) {
  IntList r;
  for (int i = 0; i < ndim; ++i)
    if (!axes.contains(i)) r.push_back(i);
  return r;
}

Shape reduced_shape(const Aval& x, const IntList& axes) {
  if (!distinct(axes)) throw ValueError("duplicate value in 'axes' of reduction: " + axes.str());
  for (std::int64_t a : axes)
    if (a < 0 || a >= x.ndim())
      throw ValueError("reduction axes " + axes.str() + " contains out-of-bounds indices for " + x.str() + ".");
  return without(x.shape, axes);
}

template <class P> void number_avals(const AbstractIn& in, AvalVec& out) {
  const Aval& x = in.in[0];
  if (!numeric.contains(x.dtype))
    throw TypeError(std::string(in.primitive.name) + " does not accept dtype " + dtype_name(x.dtype) +
                    ". Accepted dtypes are subtypes of number.");
  out.push_back(x.with_shape(reduced_shape(x, in.params<P>().axes)));
}
void extremum_avals(const AbstractIn& in, AvalVec& out) {
  const Aval& x = in.in[0];
  check_dtype(in.primitive.name, any_number, x);
  out.push_back(x.with_shape(reduced_shape(x, in.params<ReduceParams>().axes)));
}
void logical_avals(const AbstractIn& in, AvalVec& out) {
  const Aval& x = in.in[0];
  if (!(bools | integers).contains(x.dtype))
    throw TypeError(std::string("logical reduction requires operand dtype bool or int, got ") + dtype_name(x.dtype) +
                    ".");
  out.push_back({reduced_shape(x, in.params<ReduceParams>().axes), x.dtype, false});
}

// The reduction of a lone element is the element.
template <class P> Simplified reduce_simplify(const SimplifyIn& in) {
  const IntList& axes = in.params<P>().axes;
  if (axes.empty()) return in.in[0];
  const Aval x = in.aval(in.in[0]);
  const bool alone =
      std::all_of(axes.begin(), axes.end(), [&](std::int64_t a) { return x.shape[static_cast<int>(a)] == 1; });
  if (!alone || x.weak_type || x.dtype != in.out.dtype) return {};
  return as_reshape(in.in[0], in.out.shape);
}

template <class P> void reduce_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  P p = in.params<P>();
  const int dim = in.dims[0];
  for (std::int64_t& a : p.axes) a += a >= dim;
  out_dims.push_back(
      dim - static_cast<int>(std::count_if(p.axes.begin(), p.axes.end(), [&](std::int64_t a) { return a < dim; })));
  out.push_back(in.primitive.bind1(make_params(std::move(p)), in.args));
}

void emit_reduce(kernel::Plan& plan, Combiner combiner, const Aval& x, DType result, const IntList& axes) {
  if (axes.empty()) return emit_copy_all(plan, 0, 1, x.dtype, x.size());
  std::vector<int> loops;
  for (std::int64_t a : axes) loops.push_back(static_cast<int>(a));
  const int buffers[] = {0, 1};
  kernel::append(&plan, kernel::reduce_program(combiner, x.dtype, result, x.shape, std::move(loops)), buffers);
}
template <class P, Combiner combiner> void reduce_emit(const EmitIn& in, kernel::Plan& plan) {
  emit_reduce(plan, combiner, in.in[0], in.out[0].dtype, in.params<P>().axes);
}

template <class P>
void number_write(const HloIn& in, HloWriter& w, HloValues& results, const char* op, double identity) {
  const HloValue x = w.convert(in.operands[0], computed_in(in.in[0].dtype));
  const HloValue init = w.constant(HloType({}, x.type.dtype), identity);
  results.push_back(w.convert(hlo_reduce(w, x, op, init, in.params<P>().axes), in.out[0].dtype));
}
void logical_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const HloValue& x = in.operands[0];
  const std::string_view which = in.primitive.name;
  const char* op = which == "reduce_and" ? "stablehlo.and" : which == "reduce_or" ? "stablehlo.or" : "stablehlo.xor";
  const HloType scalar({}, x.type.dtype);
  const HloValue zero = w.constant(scalar, 0.0);
  const HloValue init = which == "reduce_and" ? w.unary("stablehlo.not", zero) : zero;
  results.push_back(hlo_reduce(w, x, op, init, in.params<ReduceParams>().axes));
}
// The largest or smallest number of a dtype: the one that any other replaces.
HostScalar extreme(DType d, bool largest) {
  if (is_inexact(d)) return HostScalar(largest ? HUGE_VAL : -HUGE_VAL, d);
  if (d == DType::bool_) return HostScalar(largest);
  const int spare = 64 - 8 * static_cast<int>(item_size(d));
  if (is_signed_integer(d)) {
    const std::int64_t least = std::numeric_limits<std::int64_t>::min() >> spare;
    return HostScalar(largest ? ~least : least, d);
  }
  return HostScalar(largest ? ~std::uint64_t{0} >> spare : std::uint64_t{0}, d);
}
void extremum_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const std::string_view which = in.primitive.name;
  const HloValue& x = in.operands[0];
  const HloValue init = w.constant(HloType({}, x.type.dtype), extreme(x.type.dtype, which == "reduce_min"));
  results.push_back(hlo_reduce(w, x, init, in.params<ReduceParams>().axes,
                               [&](const HloValue& a, const HloValue& b) { return hlo_extremum(w, which, a, b); }));
}
// Pairs of an element and its place: the better element, NaN the best, of equals the first.
void arg_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const auto& p = in.params<ArgParams>();
  const bool is_max = std::string_view(in.primitive.name) == "argmax";
  const HloValue& x = in.operands[0];
  const HloType value({}, x.type.dtype), index({}, DType::int64);
  const HloValue places = w.iota(HloType(x.type.shape, index.dtype), static_cast<int>(p.axes[0]));
  const HloValue operands[] = {x, places, w.constant(value, extreme(value.dtype, !is_max)),
                               w.constant(index, HostScalar(std::numeric_limits<std::int64_t>::max()))};
  const auto body = [&](HloWriter::Operands a, HloValues& r) {
    const auto nan = [&](const HloValue& v) { return w.compare(v, v, "NE"); };
    const auto both = [&](const HloValue& c, const HloValue& d) { return w.binary("stablehlo.and", c, d); };
    const auto either = [&](const HloValue& c, const HloValue& d) { return w.binary("stablehlo.or", c, d); };
    const HloValue left_nan = nan(a[0]), right_nan = nan(a[2]);
    const HloValue equal = either(w.compare(a[0], a[2], "EQ"), both(left_nan, right_nan));
    const HloValue better =
        either(w.compare(a[0], a[2], is_max ? "GT" : "LT"), both(left_nan, w.unary("stablehlo.not", right_nan)));
    const HloValue first = either(better, both(equal, w.compare(a[1], a[3], "LT")));
    r.push_back(w.select(first, a[0], a[2]));
    r.push_back(w.select(first, a[1], a[3]));
  };
  const HloType types[] = {value, index, value, index};
  const HloType made[] = {HloType(in.out[0].shape, value.dtype), HloType(in.out[0].shape, index.dtype)};
  const HloWriter::Region region{types, body};
  const HloValues best =
      w.op_with_regions("stablehlo.reduce", operands, {&region, 1}, made, "dimensions = " + hlo_ints(p.axes));
  results.push_back(w.convert(best[1], p.index_dtype));
}

template <class P> std::vector<Sample> samples_of(std::initializer_list<DType> dtypes) {
  std::vector<Sample> v;
  const auto s = [&](Shape shape, IntList axes, DType d) {
    P p;
    p.axes = std::move(axes);
    v.push_back({make_params(std::move(p)), {{std::move(shape), d}}});
  };
  for (DType d : dtypes) s({2, 3}, {1}, d), s({3}, {0}, d);
  const DType d = *dtypes.begin();
  s({2, 3, 2}, {0, 2}, d), s({2, 3}, {0, 1}, d), s({2, 3}, {0}, d), s({2}, {}, d), s({}, {}, d), s({0, 3}, {1}, d),
      s({1, 4}, {0}, d);
  s({0}, {0}, d), s({2, 0}, {1}, d);
  return v;
}
std::vector<Sample> number_samples() {
  return samples_of<ReduceParams>({f32, DType::float64, DType::complex64, DType::bfloat16, DType::int32, DType::uint8});
}
std::vector<Sample> extremum_samples() {
  return samples_of<ReduceParams>(
      {f32, DType::float64, DType::complex64, DType::float16, DType::int32, DType::uint8, DType::bool_});
}
std::vector<Sample> logical_samples() { return samples_of<ReduceParams>({DType::bool_, DType::int32, DType::uint64}); }

// --- sum ----------------------------------------------------------------------------------------------------------------------
std::vector<Sample> sum_samples() {
  return samples_of<ReduceSumParams>(
      {f32, DType::float64, DType::complex64, DType::bfloat16, DType::int32, DType::uint8});
}

void reduce_sum_transpose(const TransposeIn& in, TangentVec& out) {
  const Aval& x = in.args[0].aval;
  out.push_back(broadcast_in_dim(in.cts[0].value(), x.shape, others(x.ndim(), in.params<ReduceSumParams>().axes)));
}

// --- prod ---------------------------------------------------------------------------------------------------------------------
// The tangent of a product: halves are multiplied with each other until one is left, with the product rule at each step. Unlike
// out / x it is right where elements are 0, and so are its own derivatives.
void reduce_prod_jvp(const JvpIn& in, ArrayVec& out, TangentVec& tangents_out) {
  const IntList& axes = in.params<ReduceParams>().axes;
  out.push_back(in.primitive.bind1(in.params_ref, in.primals));
  const Shape& shape = in.primals[0].shape();
  const Shape kept = without(shape, axes);
  IntList order = axes;
  for (std::int64_t a : others(shape.ndim(), axes)) order.push_back(a);
  Shape flat = kept;
  std::int64_t n = 1;
  for (std::int64_t a : axes) n *= shape[a];
  flat.insert(0, n);
  Array x = reshape(transpose(in.primals[0], order), flat), t = reshape(transpose(in.tangents[0].value(), order), flat);
  if (n == 0) return tangents_out.push_back(Tangent::zero_of(out.back().aval()));
  for (; n > 1; n -= n / 2) {
    const std::int64_t half = n / 2;
    const auto part = [&](const Array& a, std::int64_t from, std::int64_t to) {
      return slice_in_dim(a, from, to, 1, 0);
    };
    const Array x1 = part(x, 0, half), x2 = part(x, half, 2 * half), t1 = part(t, 0, half),
                t2 = part(t, half, 2 * half);
    Array product = mul(x1, x2), tangent = add_any(mul(t1, x2), mul(x1, t2));
    if (n % 2) {
      const Array rest[] = {product, part(x, n - 1, n)}, rest_t[] = {tangent, part(t, n - 1, n)};
      product = concatenate(rest, 0), tangent = concatenate(rest_t, 0);
    }
    x = product, t = tangent;
  }
  tangents_out.push_back(reshape(t, kept));
}

// --- max, min -----------------------------------------------------------------------------------------------------------------
// Elements that are the extremum share its tangent equally.
void extremum_jvp(const JvpIn& in, ArrayVec& out, TangentVec& tangents_out) {
  const IntList& axes = in.params<ReduceParams>().axes;
  const Array &x = in.primals[0], &t = in.tangents[0].value();
  out.push_back(in.primitive.bind1(in.params_ref, in.primals));
  if (x.size() == 0) return tangents_out.push_back(Tangent::zero_of(out.back().aval()));
  const Array extremum = reshape(out.back(), with_ones(x.shape(), axes));
  const Array chosen = convert_element_type(eq(x, extremum), t.dtype());
  const Array count = reduce_sum(chosen, axes);
  tangents_out.push_back(div(reduce_sum(mul(t, chosen), axes), count));
}

// The kernel IR has no extremum of complex values over a loop: the reduced elements are laid out as rows, whose halves are
// combined until one column is left.
void emit_complex_extremum(const EmitIn& in, kernel::Plan& plan, const char* op, double identity) {
  const IntList& axes = in.params<ReduceParams>().axes;
  const Aval& x = in.in[0];
  const std::int64_t rows = in.out[0].size(), columns = rows == 0 ? 0 : x.size() / rows;
  if (rows == 0) return;
  if (columns == 0) {
    const double value[2] = {identity, 0};
    const float narrow[2] = {static_cast<float>(identity), 0};
    const int buffers[] = {1};
    const void* bytes = x.dtype == DType::complex64 ? static_cast<const void*>(narrow) : value;
    return kernel::append(&plan, kernel::fill_program(x.dtype, rows, bytes), buffers);
  }
  IntList order = others(x.ndim(), axes), extents, strides;
  for (std::int64_t a : axes) order.push_back(a);
  const IntList own = kernel::row_major_strides(x.shape);
  for (std::int64_t a : order) extents.push_back(x.shape[a]), strides.push_back(own[a]);
  const int rest = plan.add_temporary(x.size() * static_cast<std::int64_t>(item_size(x.dtype)));
  emit_copy(plan, 0, rest, x.dtype, extents, strides);
  const int buffers[] = {rest};
  for (std::int64_t n = columns; n > 1; n -= n / 2) {
    kernel::ProgramBuilder b(IntList{rows, n / 2});
    const IntList places{columns, 1};
    const kernel::Value left = b.memory(0, x.dtype, places), right = b.memory(0, x.dtype, places, n - n / 2);
    b.store(b.apply(op, x.dtype, {left, right}), 0, places);
    kernel::append(&plan, b.finish(), buffers);
  }
  emit_copy(plan, rest, 1, x.dtype, {rows}, {columns});
}

template <Combiner combiner> void extremum_emit(const EmitIn& in, kernel::Plan& plan) {
  constexpr bool is_max = combiner == Combiner::max;
  if (is_complex(in.in[0].dtype))
    return emit_complex_extremum(in, plan, is_max ? "max" : "min", is_max ? -HUGE_VAL : HUGE_VAL);
  emit_reduce(plan, combiner, in.in[0], in.out[0].dtype, in.params<ReduceParams>().axes);
}

// --- argmax, argmin -----------------------------------------------------------------------------------------------------------
void arg_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<ArgParams>();
  const Aval& x = in.in[0];
  if (p.axes.length() != 1 || p.axes[0] < 0 || p.axes[0] >= x.ndim())
    throw ValueError("Invalid axis " + (p.axes.length() == 1 ? std::to_string(p.axes[0]) : p.axes.str()) +
                     " for operand shape " + x.shape.str());
  if (x.shape[p.axes[0]] < 1)
    throw ValueError("argmin and argmax require non-empty reduced dimension. operand.shape=" + x.shape.str() +
                     " axis=" + std::to_string(p.axes[0]));
  if (!is_integer(p.index_dtype))
    throw TypeError(std::string("index_dtype must be an integer type, but got ") + dtype_name(p.index_dtype));
  check_dtype(in.primitive.name, reals | bools, x);
  out.push_back({without(x.shape, p.axes), p.index_dtype, false});
}

std::vector<Sample> arg_samples() {
  const auto s = [](Shape shape, int axis, DType d = f32, DType index = DType::int32) {
    return Sample{make_params(ArgParams{{axis}, index}), {{std::move(shape), d}}};
  };
  return {s({4}, 0),
          s({2, 3}, 0),
          s({2, 3}, 1),
          s({2, 3, 2}, 1, DType::int32),
          s({3}, 0, DType::bool_, DType::uint8),
          s({0, 3}, 1),
          s({3}, 0, DType::bfloat16, DType::int64),
          s({1}, 0, DType::float64)};
}

template <Combiner combiner> constexpr Primitive logical(const char* name, const char* doc) {
  return {.name = name,
          .doc = doc,
          .kind = Kind::reduction,
          .params = &params_ops<ReduceParams>,
          .abstract_eval = logical_avals,
          .jvp = zero_derivative,
          .transpose = not_linear,
          .batching = reduce_batching<ReduceParams>,
          .simplify = reduce_simplify<ReduceParams>,
          .emit = reduce_emit<ReduceParams, combiner>,
          .stablehlo = logical_write,
          .samples = logical_samples};
}
template <Combiner combiner> constexpr Primitive extremum(const char* name, const char* doc) {
  return {.name = name,
          .doc = doc,
          .kind = Kind::reduction,
          .params = &params_ops<ReduceParams>,
          .abstract_eval = extremum_avals,
          .jvp = extremum_jvp,
          .transpose = not_linear,
          .batching = reduce_batching<ReduceParams>,
          .simplify = reduce_simplify<ReduceParams>,
          .nans = Nans::kept,
          .emit = extremum_emit<combiner>,
          .stablehlo = extremum_write,
          .samples = extremum_samples};
}
template <Combiner combiner> constexpr Primitive arg(const char* name, const char* doc) {
  return {.name = name,
          .doc = doc,
          .kind = Kind::reduction,
          .params = &params_ops<ArgParams>,
          .abstract_eval = arg_avals,
          .jvp = zero_derivative,
          .transpose = not_linear,
          .batching = reduce_batching<ArgParams>,
          .emit = reduce_emit<ArgParams, combiner>,
          .stablehlo = arg_write,
          .samples = arg_samples};
}

}  // namespace

constinit const Primitive reduce_sum_p{
    .name = "reduce_sum",
    .doc =
        "The sum over `axes`, of numbers, in their dtype (16-bit floats are added "
        "in float32 and rounded once; integers wrap), in an "
        "order that shape, axes and dtype fix. Over no element: 0.",
    .kind = Kind::reduction,
    .params = &params_ops<ReduceSumParams>,
    .abstract_eval = number_avals<ReduceSumParams>,
    .jvp = jvp_linear_in_first,
    .transpose = reduce_sum_transpose,
    .batching = reduce_batching<ReduceSumParams>,
    .simplify = reduce_simplify<ReduceSumParams>,
    .emit = reduce_emit<ReduceSumParams, Combiner::sum>,
    .stablehlo = [](const HloIn& in, HloWriter& w,
                    HloValues& results) { number_write<ReduceSumParams>(in, w, results, "stablehlo.add", 0); },
    .samples = sum_samples};

constinit const Primitive reduce_prod_p{
    .name = "reduce_prod",
    .doc =
        "The product over `axes`, of numbers, in their dtype (16-bit floats are "
        "multiplied in float32). Over no element: 1.",
    .kind = Kind::reduction,
    .params = &params_ops<ReduceParams>,
    .abstract_eval = number_avals<ReduceParams>,
    .jvp = reduce_prod_jvp,
    .transpose = not_linear,
    .batching = reduce_batching<ReduceParams>,
    .simplify = reduce_simplify<ReduceParams>,
    .emit = reduce_emit<ReduceParams, Combiner::prod>,
    .stablehlo = [](const HloIn& in, HloWriter& w,
                    HloValues& results) { number_write<ReduceParams>(in, w, results, "stablehlo.multiply", 1); },
    .samples = number_samples};

constinit const Primitive reduce_max_p =
    extremum<Combiner::max>("reduce_max",
                            "The largest over `axes`; NaN where there is one. Complex values compare by real, then "
                            "imaginary part. Over no element: -inf, or the "
                            "smallest integer. Equal largest elements share the tangent.");
constinit const Primitive reduce_min_p =
    extremum<Combiner::min>("reduce_min",
                            "The smallest over `axes`; NaN where there is one. Complex values compare by real, then "
                            "imaginary part. Over no element: inf, or the "
                            "largest integer. Equal smallest elements share the tangent.");
constinit const Primitive reduce_and_p = logical<Combiner::bit_and>(
    "reduce_and", "The bitwise and over `axes`, of bool or integers. Over no element: all bits set.");
constinit const Primitive reduce_or_p =
    logical<Combiner::bit_or>("reduce_or", "The bitwise or over `axes`, of bool or integers. Over no element: 0.");
constinit const Primitive reduce_xor_p = logical<Combiner::bit_xor>(
    "reduce_xor", "The bitwise exclusive or over `axes`, of bool or integers. Over no element: 0.");
constinit const Primitive argmax_p = arg<Combiner::argmax>(
    "argmax",
    "The position of the first largest element along the one axis in `axes`, as `index_dtype`; the first NaN "
    "is larger than any. ValueError where the axis has size 0.");
constinit const Primitive argmin_p = arg<Combiner::argmin>(
    "argmin",
    "The position of the first smallest element along the one axis in `axes`, as `index_dtype`; the first NaN "
    "is smaller than any. ValueError where the axis has size 0.");

Array reduce_sum(const Array& x, const IntList& axes) {
  return reduce_sum_p.bind1(make_params(ReduceSumParams{axes, {}}), {&x, 1});
}
Array reduce_prod(const Array& x, const IntList& axes) {
  return reduce_prod_p.bind1(make_params(ReduceParams{axes}), {&x, 1});
}
Array reduce_max(const Array& x, const IntList& axes) {
  return reduce_max_p.bind1(make_params(ReduceParams{axes}), {&x, 1});
}
Array reduce_min(const Array& x, const IntList& axes) {
  return reduce_min_p.bind1(make_params(ReduceParams{axes}), {&x, 1});
}
Array reduce_and(const Array& x, const IntList& axes) {
  return reduce_and_p.bind1(make_params(ReduceParams{axes}), {&x, 1});
}
Array reduce_or(const Array& x, const IntList& axes) {
  return reduce_or_p.bind1(make_params(ReduceParams{axes}), {&x, 1});
}
Array reduce_xor(const Array& x, const IntList& axes) {
  return reduce_xor_p.bind1(make_params(ReduceParams{axes}), {&x, 1});
}
Array argmax(const Array& x, int axis, DType index_dtype) {
  return argmax_p.bind1(make_params(ArgParams{{axis}, index_dtype}), {&x, 1});
}
Array argmin(const Array& x, int axis, DType index_dtype) {
  return argmin_p.bind1(make_params(ArgParams{{axis}, index_dtype}), {&x, 1});
}

void register_reductions() {
  for (const Primitive* p : {&reduce_sum_p, &reduce_prod_p, &reduce_max_p, &reduce_min_p, &reduce_and_p, &reduce_or_p,
                             &reduce_xor_p, &argmax_p, &argmin_p})
    register_primitive(*p);
}

}  // namespace cotan::ops

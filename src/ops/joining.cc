// Structural primitives of several operands: concatenate, stack, pad.
#include <algorithm>

#include "core/simplify.h"
#include "core/stablehlo_writer.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/emit.h"
#include "ops/reduction.h"
#include "ops/structural.h"
#include "ops/structural_checks.h"

namespace cotan::ops {

namespace {

constexpr auto f32 = DType::float32;

std::string shapes_of(std::span<const Aval> in) {
  std::string s;
  for (const Aval& a : in) s += (s.empty() ? "" : ", ") + a.shape.str();
  return s;
}
bool all_weak(std::span<const Aval> in) {
  return std::all_of(in.begin(), in.end(), [](const Aval& a) { return a.weak_type; });
}
void check_dtypes_agree(const char* name, std::span<const Aval> in) {
  for (const Aval& a : in) check_dtype(name, any_dtype, a);
  check_same_dtypes(name, in);
}

// --- concatenate --------------------------------------------------------------------------------------------------------------
struct ConcatenateParams {
  int dimension = 0;
  template <class S, class V> static void fields(S& s, V& v) { v("dimension", s.dimension); }
};

void concatenate_avals(const AbstractIn& in, AvalVec& out) {
  const int dim = in.params<ConcatenateParams>().dimension;
  if (in.in.empty()) throw TypeError("concatenate expects at least one operand, got 0.");
  Aval r = in.in[0];
  for (const Aval& a : in.in)
    if (a.ndim() != r.ndim())
      throw TypeError("Cannot concatenate arrays with different numbers of dimensions: got " + shapes_of(in.in) + ".");
  if (dim < 0 || dim >= r.ndim())
    throw TypeError("concatenate dimension out of bounds: dimension " + std::to_string(dim) + " for shapes " +
                    shapes_of(in.in) + ".");
  std::int64_t total = 0;
  for (const Aval& a : in.in) {
    total += a.shape[dim];
    for (int i = 0; i < r.ndim(); ++i)
      if (i != dim && a.shape[i] != r.shape[i])
        throw TypeError(
            "Cannot concatenate arrays with shapes that differ in dimensions other than the one being concatenated: "
            "concatenating along dimension " +
            std::to_string(dim) + " for shapes " + shapes_of(in.in) + ".");
  }
  check_dtypes_agree("concatenate", in.in);
  r.shape[dim] = total;
  r.weak_type = all_weak(in.in);
  out.push_back(std::move(r));
}

// The part of ct that belongs to each operand.
void concatenate_transpose(const TransposeIn& in, TangentVec& out) {
  const int dim = in.params<ConcatenateParams>().dimension;
  std::int64_t start = 0;
  for (const LinearOperand& a : in.args) {
    const std::int64_t end = start + a.aval.shape[dim];
    out.push_back(a.is_linear() ? Tangent(slice_in_dim(in.cts[0].value(), start, end, 1, dim)) : Tangent::zero(a.aval));
    start = end;
  }
}

void concatenate_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  ArrayVec args;
  const int batch = same_batch_dim(in, in.args.size(), args);
  const int dim = in.params<ConcatenateParams>().dimension;
  out.push_back(concatenate(args, dim + (dim >= batch)));
  out_dims.push_back(batch);
}

void concatenate_emit(const EmitIn& in, kernel::Plan& plan) {
  const int dim = in.params<ConcatenateParams>().dimension;
  const int result = static_cast<int>(in.in.size());
  const IntList strides = kernel::row_major_strides(in.out[0].shape);
  std::int64_t start = 0;
  for (int i = 0; i < result; ++i) {
    const Aval& a = in.in[static_cast<std::size_t>(i)];
    if (a.size() > 0) emit_place(plan, i, result, a.dtype, a.shape, strides, start * strides[dim]);
    start += a.shape[dim];
  }
}

std::vector<Sample> concatenate_samples() {
  const auto s = [](int dim, std::vector<Aval> in) {
    return Sample{make_params(ConcatenateParams{dim}), std::move(in)};
  };
  return {s(0, {{{3}, f32}, {{2}, f32}}),       s(1, {{{2, 3}, f32}, {{2, 1}, f32}, {{2, 2}, f32}}),
          s(0, {{{2, 3}, f32}, {{0, 3}, f32}}), s(0, {{{4}, f32}}),
          s(0, {{{0}, f32}, {{0}, f32}}),       s(1, {{{2, 2, 2}, DType::int16}, {{2, 1, 2}, DType::int16}})};
}

// --- stack --------------------------------------------------------------------------------------------------------------------
struct StackParams {
  int axis = 0;
  template <class S, class V> static void fields(S& s, V& v) { v("axis", s.axis); }
};

void stack_avals(const AbstractIn& in, AvalVec& out) {
  const int axis = in.params<StackParams>().axis;
  if (in.in.empty()) throw ValueError("stack expects at least one operand, got 0.");
  Aval r = in.in[0];
  for (const Aval& a : in.in)
    if (a.ndim() != r.ndim())
      throw ValueError("Cannot stack arrays with different numbers of dimensions: got " + shapes_of(in.in) + ".");
  for (const Aval& a : in.in)
    if (!(a.shape == r.shape))
      throw ValueError("All input arrays must have the same shape. Got " + shapes_of(in.in) + ".");
  check_axis(axis, r.ndim() + 1);
  check_dtypes_agree("stack", in.in);
  r.shape.insert(axis, static_cast<std::int64_t>(in.in.size()));
  r.weak_type = all_weak(in.in);
  out.push_back(std::move(r));
}

void stack_transpose(const TransposeIn& in, TangentVec& out) {
  const int axis = in.params<StackParams>().axis;
  for (std::size_t i = 0; i < in.args.size(); ++i) {
    const LinearOperand& a = in.args[i];
    const auto at = static_cast<std::int64_t>(i);
    out.push_back(a.is_linear() ? Tangent(squeeze(slice_in_dim(in.cts[0].value(), at, at + 1, 1, axis), {axis}))
                                : Tangent::zero(a.aval));
  }
}

void stack_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  ArrayVec args;
  const int batch = same_batch_dim(in, in.args.size(), args);
  const int axis = in.params<StackParams>().axis;
  out.push_back(stack(args, axis + (axis > batch)));
  out_dims.push_back(batch + (axis <= batch));
}

void stack_emit(const EmitIn& in, kernel::Plan& plan) {
  const int axis = in.params<StackParams>().axis;
  const int result = static_cast<int>(in.in.size());
  IntList strides = kernel::row_major_strides(in.out[0].shape);
  const std::int64_t step = strides[axis];
  strides.erase(axis);
  for (int i = 0; i < result; ++i) emit_place(plan, i, result, in.in[0].dtype, in.in[0].shape, strides, i * step);
}

void stack_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const int axis = in.params<StackParams>().axis;
  HloValues parts;
  for (const HloValue& v : in.operands) {
    Shape one = v.type.shape;
    one.insert(axis, 1);
    parts.push_back(w.reshape(v, one));
  }
  results.push_back(w.concatenate(parts, axis));
}

std::vector<Sample> stack_samples() {
  const auto s = [](int axis, std::vector<Aval> in) { return Sample{make_params(StackParams{axis}), std::move(in)}; };
  return {s(0, {{{3}, f32}, {{3}, f32}}),
          s(1, {{{3}, f32}, {{3}, f32}}),
          s(1, {{{2, 3}, f32}, {{2, 3}, f32}, {{2, 3}, f32}}),
          s(0, {{{}, f32}, {{}, f32}}),
          s(0, {{{0}, f32}, {{0}, f32}}),
          s(2, {{{2, 3}, DType::bool_}})};
}

Simplified concatenate_simplify(const SimplifyIn& in) {
  if (in.in.size() == 1) return in.in[0];
  return {};
}

// --- pad ----------------------------------------------------------------------------------------------------------------------
struct PadEntry : PadDim {
  template <class S, class V> static void fields(S& s, V& v) {
    v("low", s.low), v("high", s.high), v("interior", s.interior);
  }
};
struct PadParams {
  std::vector<PadEntry> padding_config;
  template <class S, class V> static void fields(S& s, V& v) { v("padding_config", s.padding_config); }
};

std::string config_text(const std::vector<PadEntry>& config) {
  std::string s = "(";
  for (const PadEntry& c : config) s += (s.size() > 1 ? ", " : "") + IntList{c.low, c.high, c.interior}.str();
  return s + (config.size() == 1 ? ",)" : ")");
}

void pad_avals(const AbstractIn& in, AvalVec& out) {
  const auto& config = in.params<PadParams>().padding_config;
  const Aval &x = in.in[0], &value = in.in[1];
  check_dtype("pad", any_dtype, x);
  if (x.dtype != value.dtype)
    throw TypeError(std::string("pad operand and padding_value must be same dtype: got ") + dtype_name(x.dtype) +
                    " and " + dtype_name(value.dtype) + ".");
  if (value.ndim() != 0)
    throw ValueError("padding_value must be a scalar; got np.shape(padding_value)=" + value.shape.str());
  if (static_cast<int>(config.size()) != x.ndim())
    throw ValueError("length of padding_config must equal the number of axes of operand, got padding_config " +
                     config_text(config) + " for operand shape " + x.shape.str());
  constexpr std::int64_t limit = std::int64_t{1} << 61;  // so that sums of them are numbers too
  Shape shape;
  for (int i = 0; i < x.ndim(); ++i) {
    const PadEntry& c = config[static_cast<std::size_t>(i)];
    if (c.interior < 0)
      throw ValueError("interior padding in padding_config must be nonnegative, got padding_config " +
                       config_text(config));
    std::int64_t n = 0;
    bool overflow = __builtin_add_overflow(c.low, c.high, &n) || __builtin_add_overflow(n, x.shape[i], &n);
    std::int64_t between = 0;
    overflow = overflow || __builtin_mul_overflow(std::max<std::int64_t>(x.shape[i] - 1, 0), c.interior, &between) ||
               __builtin_add_overflow(n, between, &n) || std::max(c.low, c.high) > limit ||
               std::min(c.low, c.high) < -limit || c.interior > limit;
    if (overflow) throw ValueError("padding_config is too large for 64-bit sizes: " + config_text(config));
    shape.push_back(n);
  }
  for (std::int64_t n : shape)
    if (n < 0)
      throw ValueError("Dimension size after padding is not at least 0, got result shape " + shape.str() +
                       ", for padding_config " + config_text(config) + " and operand shape " + x.shape.str());
  out.push_back({std::move(shape), x.dtype, x.weak_type && value.weak_type});
}

// The operand gets what stands at its elements' places (cut off: zero), the padding value the sum of the rest.
void pad_transpose(const TransposeIn& in, TangentVec& out) {
  const auto& config = in.params<PadParams>().padding_config;
  const Array& ct = in.cts[0].value();
  SmallVec<PadDim> unpad;
  IntList steps;
  for (const PadEntry& c : config) {
    unpad.push_back({-c.low, -c.high, 0});
    steps.push_back(c.interior + 1);
  }
  const Array grown = pad(ct, number_like(ct, 0), unpad);
  const Array t = slice(grown, IntList::filled(grown.ndim(), 0), grown.shape(), steps);
  out.push_back(in.args[0].is_linear() ? Tangent(t) : Tangent::zero(in.args[0].aval));
  if (!in.args[1].is_linear()) {
    out.push_back(Tangent::zero(in.args[1].aval));
    return;
  }
  const IntList all = IntList::range(ct.ndim());
  out.push_back(sub(reduce_sum(ct, all), reduce_sum(t, all)));
}

void pad_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  SmallVec<PadDim> config;
  for (const PadEntry& c : in.params<PadParams>().padding_config) config.push_back(c);
  Array x = in.args[0];
  int dim = in.dims[0];
  if (dim == not_mapped) {
    x = with_batch_front(x, dim, in.axis_size);
    dim = 0;
  }
  SmallVec<PadDim> wider;
  for (int i = 0; i <= static_cast<int>(config.size()); ++i)
    wider.push_back(i == dim ? PadDim{0, 0, 0} : config[static_cast<std::size_t>(i - (i > dim))]);
  if (in.dims[1] == not_mapped) {
    out.push_back(pad(x, in.args[1], wider));
  } else {  // a value per row: where there is no operand, the row's value
    const Array inside = pad(full({x.shape(), DType::bool_, false}, 1), scalar(DType::bool_, 0), wider);
    const Array filler = is_key(x.dtype()) ? squeeze(slice_in_dim(in.args[1], 0, 1, 1, 0), {0}) : scalar(x.dtype(), 0);
    const Array padded = pad(x, filler, wider);
    out.push_back(select(inside, padded, broadcast_in_dim(in.args[1], padded.shape(), {dim})));
  }
  out_dims.push_back(dim);
}

Simplified pad_simplify(const SimplifyIn& in) {
  for (const PadEntry& c : in.params<PadParams>().padding_config)
    if (c.low != 0 || c.high != 0 || c.interior != 0) return {};
  return in.in[0];
}

// Fills what lies around a box of the result: along each dimension what is before and after it, within it along the earlier ones.
void emit_around(kernel::Plan& plan, DType d, const Shape& shape, const IntList& start, const IntList& box) {
  const IntList to = kernel::row_major_strides(shape);
  IntList extents = shape;
  std::int64_t offset = 0;
  for (int i = 0; i < shape.ndim(); ++i) {
    const std::int64_t end = start[i] + box[i];
    for (const auto& [from, n] : {std::pair{std::int64_t{0}, start[i]}, std::pair{end, shape[i] - end}}) {
      if (n == 0) continue;
      extents[i] = n;
      kernel::ProgramBuilder b(extents);
      b.store(b.scalar(0, d), 1, to, offset + from * to[i]);
      const int buffers[] = {1, 2};
      kernel::append(&plan, b.finish(), buffers);
    }
    extents[i] = box[i];
    offset += start[i] * to[i];
  }
}

// Puts the operand's surviving elements in their places, and the padding value around or, where there is some between them, everywhere
// before.
void pad_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& config = in.params<PadParams>().padding_config;
  const Aval &x = in.in[0], &result = in.out[0];
  if (result.size() == 0) return;
  IntList extents, start, from = kernel::row_major_strides(x.shape), to = kernel::row_major_strides(result.shape);
  std::int64_t from_offset = 0, to_offset = 0;
  bool between = false;
  for (int i = 0; i < x.ndim(); ++i) {
    const PadEntry& c = config[static_cast<std::size_t>(i)];
    const std::int64_t step = c.interior + 1;
    const std::int64_t first = c.low < 0 ? (-c.low + step - 1) / step : 0;  // element i goes to low + i * step
    const std::int64_t room = result.shape[i] - 1 - c.low;
    const std::int64_t last = room < 0 ? -1 : std::min(x.shape[i] - 1, room / step);
    extents.push_back(std::max<std::int64_t>(last - first + 1, 0));
    start.push_back(c.low + first * step);
    between |= step > 1;
    from_offset += first * from[i];
    to_offset += (c.low + first * step) * to[i];
    to[i] *= step;
  }
  const DType d = moved_as(x.dtype);
  if (extents.product() == 0) return emit_copy(plan, 1, 2, d, {result.size()}, {0});
  if (between) emit_copy(plan, 1, 2, d, {result.size()}, {0});
  else emit_around(plan, d, result.shape, start, extents);
  kernel::ProgramBuilder b(extents);
  b.store(b.memory(0, d, from, from_offset), 1, to, to_offset);
  const int buffers[] = {0, 2};
  kernel::append(&plan, b.finish(), buffers);
}

void pad_write(const HloIn& in, HloWriter& w, HloValues& results) {
  IntList low, high, interior;
  for (const PadEntry& c : in.params<PadParams>().padding_config)
    low.push_back(c.low), high.push_back(c.high), interior.push_back(c.interior);
  results.push_back(w.op("stablehlo.pad", in.operands, HloType(in.out[0]),
                         "edge_padding_low = " + hlo_ints(low) + ", edge_padding_high = " + hlo_ints(high) +
                             ", interior_padding = " + hlo_ints(interior)));
}

std::vector<Sample> pad_samples() {
  const auto s = [](std::vector<PadEntry> c, Shape shape, DType d = f32) {
    return Sample{make_params(PadParams{std::move(c)}), {{std::move(shape), d}, {{}, d}}};
  };
  return {s({{{1, 2, 0}}}, {3}),
          s({{{0, 0, 2}}}, {3}),
          s({{{-1, 1, 1}}}, {4}),
          s({{{-1, -2, 0}}}, {5}),
          s({{{1, 0, 0}}, {{0, -1, 2}}}, {2, 3}),
          s({{{2, 0, 0}}}, {0}),
          s({{{-3, 0, 0}}}, {3}),
          s({}, {}),
          s({{{-2, 5, 2}}}, {3}),
          s({{{1, 1, 1}}}, {3}, DType::int32),
          s({{{5, -3, 0}}}, {2})};
}

}  // namespace

constinit const Primitive concatenate_p{
    .name = "concatenate",
    .doc =
        "The operands one after the other along `dimension`; of equal sizes "
        "otherwise and one dtype, which may be any. TypeError where "
        "they do not fit.",
    .kind = Kind::structural,
    .operands = -1,
    .params = &params_ops<ConcatenateParams>,
    .abstract_eval = concatenate_avals,
    .jvp = jvp_linear,
    .transpose = concatenate_transpose,
    .batching = concatenate_batching,
    .simplify = concatenate_simplify,
    .emit = concatenate_emit,
    .stablehlo =
        [](const HloIn& in, HloWriter& w, HloValues& results) {
          results.push_back(w.concatenate(in.operands, in.params<ConcatenateParams>().dimension));
        },
    .samples = concatenate_samples};

constinit const Primitive stack_p{.name = "stack",
                                  .doc =
                                      "The operands, of one shape and dtype, side by side along a new dimension "
                                      "`axis`. ValueError where they do not fit.",
                                  .kind = Kind::structural,
                                  .operands = -1,
                                  .params = &params_ops<StackParams>,
                                  .abstract_eval = stack_avals,
                                  .jvp = jvp_linear,
                                  .transpose = stack_transpose,
                                  .batching = stack_batching,
                                  .emit = stack_emit,
                                  .stablehlo = stack_write,
                                  .samples = stack_samples};

constinit const Primitive pad_p{
    .name = "pad",
    .doc =
        "The operand with padding_value (a scalar of its dtype) added: per dimension `low` before, `high` after "
        "(negative: removed) and "
        "`interior` between neighbours. Any dtype. ValueError for a configuration that does not fit.",
    .kind = Kind::structural,
    .operands = 2,
    .params = &params_ops<PadParams>,
    .abstract_eval = pad_avals,
    .jvp = jvp_linear,
    .transpose = pad_transpose,
    .batching = pad_batching,
    .simplify = pad_simplify,
    .emit = pad_emit,
    .stablehlo = pad_write,
    .samples = pad_samples};

Array concatenate(std::span<const Array> xs, int dimension) {
  if (xs.size() == 1) return xs[0];
  return concatenate_p.bind1(make_params(ConcatenateParams{dimension}), xs);
}
Array stack(std::span<const Array> xs, int axis) { return stack_p.bind1(make_params(StackParams{axis}), xs); }
Array pad(const Array& x, const Array& padding_value, std::span<const PadDim> config) {
  PadParams p;
  for (const PadDim& c : config) p.padding_config.push_back({c});
  const Array in[] = {x, padding_value};
  return pad_p.bind1(make_params(std::move(p)), in);
}

void register_joining() {
  for (const Primitive* p : {&concatenate_p, &stack_p, &pad_p}) register_primitive(*p);
}

}  // namespace cotan::ops

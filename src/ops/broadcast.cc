// Primitives that repeat: broadcast_in_dim, and iota, which has no operand.
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

// --- broadcast_in_dim -------------------------------------------------------------------------------------------------------
struct BroadcastInDimParams {
  IntList broadcast_dimensions;
  Shape shape;
  Absent sharding;
  template <class S, class V> static void fields(S& s, V& v) {
    v("broadcast_dimensions", s.broadcast_dimensions), v("shape", s.shape), v("sharding", s.sharding);
  }
  void pretty(PrettyParams& p) const {
    if (!broadcast_dimensions.empty()) p.field("broadcast_dimensions", broadcast_dimensions);
  }
};

void broadcast_in_dim_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<BroadcastInDimParams>();
  const Aval& x = in.in[0];
  const IntList& dims = p.broadcast_dimensions;
  check_dtype("broadcast_in_dim", any_dtype, x);
  check_nonnegative("broadcast_in_dim shape", p.shape);
  check_nonnegative("broadcast_in_dim broadcast_dimensions", dims);
  if (dims.length() != x.ndim())
    throw TypeError(
        "broadcast_in_dim broadcast_dimensions must have length equal to operand ndim; got broadcast_dimensions " +
        dims.str() + " for operand ndim " + std::to_string(x.ndim()) + ".");
  if (p.shape.ndim() < x.ndim())
    throw TypeError(
        "broadcast_in_dim target broadcast shape must have equal or higher rank to the operand shape; got operand "
        "ndim " +
        std::to_string(x.ndim()) + " and target broadcast ndim " + std::to_string(p.shape.ndim()) + ".");
  for (std::int64_t d : dims)
    if (d >= p.shape.ndim())
      throw TypeError("broadcast_in_dim broadcast_dimensions must be a subset of output dimensions, got " + dims.str() +
                      " for operand ndim " + std::to_string(x.ndim()) + " and shape " + p.shape.str() + ".");
  for (int i = 0; i < x.ndim(); ++i)
    if (x.shape[i] != 1 && x.shape[i] != p.shape[dims[i]])
      throw TypeError(
          "broadcast_in_dim operand dimension sizes must either be 1, or be equal to their corresponding dimensions in "
          "the "
          "target broadcast shape; got operand of shape " +
          x.shape.str() + ", target broadcast shape " + p.shape.str() + ", broadcast_dimensions " + dims.str());
  if (!distinct(dims))
    throw TypeError("broadcast_in_dim broadcast_dimensions must not contain duplicates, got broadcast_dimensions " +
                    dims.str());
  out.push_back(x.with_shape(p.shape));
}

// Sums over what was repeated, and puts the rest in the operand's order.
void broadcast_in_dim_transpose(const TransposeIn& in, TangentVec& out) {
  const auto& p = in.params<BroadcastInDimParams>();
  const Aval& x = in.args[0].aval;
  IntList kept, units;  // dimensions of the result; of the operand
  for (int i = 0; i < x.ndim(); ++i) {
    if (x.shape[i] == 1) units.push_back(i);
    else kept.push_back(p.broadcast_dimensions[i]);
  }
  IntList summed, order;
  for (int d = 0; d < p.shape.ndim(); ++d)
    if (!kept.contains(d)) summed.push_back(d);
  for (std::int64_t d : kept)
    order.push_back(std::count_if(kept.begin(), kept.end(), [&](std::int64_t e) { return e < d; }));
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

// One that repeats what another one or a reshape to sizes of 1 gives.
Simplified broadcast_in_dim_simplify(const SimplifyIn& in) {
  const auto& p = in.params<BroadcastInDimParams>();
  const Aval x = in.aval(in.in[0]);
  if (x == in.out && p.broadcast_dimensions == IntList::range(x.ndim())) return in.in[0];
  if (const JaxprEqn* e = in.producer(0, in.primitive)) {
    const auto& first = params_as<BroadcastInDimParams>(e->params.get());
    IntList dims;
    for (std::int64_t d : first.broadcast_dimensions) dims.push_back(p.broadcast_dimensions[d]);
    return {in.primitive, make_params(BroadcastInDimParams{std::move(dims), p.shape, {}}), {in.operand_of(*e)}};
  }
  if (x.size() == in.out.size() && std::is_sorted(p.broadcast_dimensions.begin(), p.broadcast_dimensions.end()))
    return simplify_reshaped(in);
  return {};
}

Sample broadcast_sample(Shape from, Shape shape, IntList dims, DType d = f32) {
  return {make_params(BroadcastInDimParams{std::move(dims), std::move(shape), {}}), {{std::move(from), d}}};
}
std::vector<Sample> broadcast_in_dim_samples() {
  return {broadcast_sample({}, {2, 3}, {}),
          broadcast_sample({3}, {2, 3}, {1}),
          broadcast_sample({2}, {2, 3}, {0}),
          broadcast_sample({1, 3}, {2, 3}, {0, 1}),
          broadcast_sample({2, 3}, {3, 4, 2}, {2, 0}),
          broadcast_sample({2, 3}, {3, 1, 2}, {2, 0}),
          broadcast_sample({0}, {0, 3}, {0}),
          broadcast_sample({3}, {0, 3}, {1}),
          broadcast_sample({}, {}, {}),
          broadcast_sample({2, 1}, {1, 2, 5}, {1, 2}),
          broadcast_sample({3}, {2, 3}, {1}, DType::bool_),
          broadcast_sample({1}, {3}, {0}, DType::complex64)};
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
    throw TypeError(std::string("iota does not accept dtype ") + dtype_name(p.dtype) +
                    ". Accepted dtypes are subtypes of " + numeric.str() + ".");
  if (p.dimension < 0 || p.dimension >= p.shape.ndim())
    throw ValueError("iota dimension must be between 0 and len(shape), got dimension=" + std::to_string(p.dimension) +
                     " for shape=" + p.shape.str());
  out.push_back({p.shape, p.dtype, false});
}

void iota_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<IotaParams>();
  const int buffers[] = {0};
  kernel::append(&plan, kernel::iota_program(p.dtype, p.shape, p.dimension), buffers);
}

Simplified iota_simplify(const SimplifyIn& in) {
  const auto& p = in.params<IotaParams>();
  if (p.shape[p.dimension] != 1) return {};
  return repeated_scalar()(in.literal(HostScalar(0.0, p.dtype), false), p.shape);
}

std::vector<Sample> iota_samples() {
  const auto s = [](DType d, Shape shape, int dimension) {
    return Sample{make_params(IotaParams{dimension, d, std::move(shape), {}}), {}};
  };
  return {s(DType::int32, {5}, 0),   s(f32, {2, 3}, 1),          s(f32, {2, 3}, 0),      s(DType::complex64, {3}, 0),
          s(DType::uint8, {300}, 0), s(DType::bfloat16, {3}, 0), s(DType::int32, {0}, 0)};
}

}  // namespace

constinit const Primitive broadcast_in_dim_p{
    .name = "broadcast_in_dim",
    .doc =
        "The operand's dimension i becomes dimension broadcast_dimensions[i] of the result, repeated where its size is "
        "1; the result "
        "is repeated along the others. Any dtype. TypeError where sizes do not fit.",
    .kind = Kind::structural,
    .params = &params_ops<BroadcastInDimParams>,
    .abstract_eval = broadcast_in_dim_avals,
    .jvp = jvp_linear_in_first,
    .transpose = broadcast_in_dim_transpose,
    .batching = broadcast_in_dim_batching,
    .simplify = broadcast_in_dim_simplify,
    .emit = broadcast_in_dim_emit,
    .keeps_elements =
        [](const EqnContext& c) {
          const IntList& d = c.params<BroadcastInDimParams>().broadcast_dimensions;
          return std::is_sorted(d.begin(), d.end());
        },
    .stablehlo =
        [](const HloIn& in, HloWriter& w, HloValues& results) {
          const auto& p = in.params<BroadcastInDimParams>();
          results.push_back(w.broadcast(in.operands[0], p.shape, p.broadcast_dimensions));
        },
    .samples = broadcast_in_dim_samples};

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
    .simplify = iota_simplify,
    .emit = iota_emit,
    .stablehlo =
        [](const HloIn& in, HloWriter& w, HloValues& results) {
          results.push_back(w.iota(HloType(in.out[0]), in.params<IotaParams>().dimension));
        },
    .samples = iota_samples};

Array broadcast_in_dim(const Array& x, const Shape& shape, const IntList& broadcast_dimensions) {
  if (x.shape() == shape && broadcast_dimensions == IntList::range(shape.ndim())) return x;
  return broadcast_in_dim_p.bind1(make_params(BroadcastInDimParams{broadcast_dimensions, shape, {}}), {&x, 1});
}

Array expand_dims(const Array& x, const IntList& dimensions) {
  if (dimensions.empty()) return x;
  const int ndim = x.ndim() + dimensions.length();
  for (std::int64_t d : dimensions) check_axis(d, ndim);
  if (!distinct(dimensions)) throw ValueError("repeated axis in lax.expand_dims: " + dimensions.str());
  Shape shape;
  IntList kept;
  for (int i = 0; i < ndim; ++i) {
    if (!dimensions.contains(i)) kept.push_back(i);
    shape.push_back(dimensions.contains(i) ? 1 : x.shape()[kept.length() - 1]);
  }
  return broadcast_in_dim(x, shape, kept);
}

namespace {
Simplified repeat(Atom scalar, const Shape& shape) {
  if (shape.ndim() == 0) return scalar;
  return {broadcast_in_dim_p, make_params(BroadcastInDimParams{{}, shape, {}}), {scalar}};
}
}  // namespace

Simplified simplify_repeated(const SimplifyIn& in) {
  const JaxprEqn* e = in.producer(0, broadcast_in_dim_p);
  if (!e || in.aval(in.operand_of(*e)).ndim() != 0) return {};
  return repeat(in.operand_of(*e), in.out.shape);
}

bool only_adds_dimensions(const SimplifyIn& in, const JaxprEqn& e) {
  if (e.primitive != &broadcast_in_dim_p) return false;
  const auto& p = params_as<BroadcastInDimParams>(e.params.get());
  return std::is_sorted(p.broadcast_dimensions.begin(), p.broadcast_dimensions.end()) &&
         in.aval(in.operand_of(e)).size() == p.shape.size();
}

Array iota(DType d, const Shape& shape, int dimension) {
  return iota_p.bind1(make_params(IotaParams{dimension, d, shape, {}}), {});
}

void register_broadcasting() {
  for (const Primitive* p : {&broadcast_in_dim_p, &iota_p}) register_primitive(*p);
  install_repeat(repeat);
}

}  // namespace cotan::ops

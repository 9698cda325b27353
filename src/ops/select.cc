// Choices: select_n, clamp, stop_gradient.
#include <algorithm>

#include "core/simplify.h"
#include "core/stablehlo_writer.h"
#include "kernel/plan.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/emit.h"
#include "ops/op_list.h"
#include "ops/structural.h"

namespace cotan::ops {

namespace {

// --- select_n, clamp ----------------------------------------------------------------------------------------------------------
void select_avals(const AbstractIn& in, AvalVec& out) {
  if (in.in.empty()) throw TypeError("select needs `which` and at least one case, got no operands");
  const Aval& which = in.in[0];
  auto cases = in.in.subspan(1);
  if (cases.empty()) throw TypeError("select must have at least one case");
  if (which.dtype != DType::bool_ && which.dtype != DType::int32)
    throw TypeError(std::string("select `which` must be boolean or int32 type, got ") + dtype_name(which.dtype) + ".");
  if (which.dtype == DType::bool_ && cases.size() > 2)
    throw TypeError("select with boolean `which` cannot have more than two cases, got " + std::to_string(cases.size()) +
                    ".");
  bool weak = true;
  for (const Aval& c : cases) {
    check_dtype("select_n", any_dtype, c);
    if (c.shape != cases[0].shape)
      throw TypeError("select cases must have the same shapes, got " + cases[0].shape.str() + ", " + c.shape.str() +
                      ".");
    if (c.dtype != cases[0].dtype)
      throw TypeError(std::string("select cases must have the same dtypes, got ") + dtype_name(cases[0].dtype) + ", " +
                      dtype_name(c.dtype) + ".");
    weak &= c.weak_type;
  }
  if (which.ndim() != 0 && which.shape != cases[0].shape)
    throw TypeError("select `which` must be scalar or have the same shape as cases, got " + which.shape.str() +
                    " and " + cases[0].shape.str() + ".");
  out.push_back({cases[0].shape, cases[0].dtype, weak});
}

void select_jvp(const JvpIn& in, ArrayVec& primals, TangentVec& tangents) {
  in.primitive.bind(in.params_ref, in.primals, primals);
  if (!is_inexact(primals[0].dtype())) return tangents.push_back(Tangent::zero_of(primals[0].aval()));
  ArrayVec args, out;
  args.push_back(in.primals[0]);
  for (std::size_t i = 1; i < in.tangents.size(); ++i) args.push_back(instantiate(in.tangents[i]));
  in.primitive.bind(in.params_ref, args, out);
  tangents.push_back(out[0]);
}

void select_transpose(const TransposeIn& in, TangentVec& out) {
  const Array& which = in.args[0].value;
  const Array& ct = in.cts[0].value();
  Array zero = zeros_of(ct.aval());
  out.push_back(Tangent::zero(in.args[0].aval));
  for (std::size_t k = 1; k < in.args.size(); ++k) {
    if (!in.args[k].is_linear()) {
      out.push_back(Tangent::zero(in.args[k].aval));
      continue;
    }
    ArrayVec cases(in.args.size() - 1, zero);
    cases[k - 1] = ct;
    out.push_back(select_n(which, cases));
  }
}

void select_batch(const BatchIn& in, ArrayVec& out, DimVec& dims) {
  // A shared scalar `which` chooses whole cases, so it stays one; otherwise all operands get the same axes.
  const bool scalar_which = in.args[0].ndim() == 0 && in.dims[0] == not_mapped;
  ArrayVec args;
  for (std::size_t i = 0; i < in.args.size(); ++i)
    args.push_back(i == 0 && scalar_which ? in.args[0] : with_batch_front(in.args[i], in.dims[i], in.axis_size));
  if (!scalar_which && args[0].ndim() < args[1].ndim())
    args[0] = broadcast_in_dim(args[0], args[1].shape(), IntList{0});
  in.primitive.bind(in.params_ref, args, out);
  dims.push_back(0);
}

// A bool chooses by one instruction, an int32 by comparing with each case's number; outside the range the nearest case.
void select_emit(const EmitIn& in, kernel::Plan& plan) {
  const Aval& o = in.out[0];
  const DType d = moved_as(o.dtype);
  kernel::ProgramBuilder b({o.size()});
  const DType wt = in.in[0].dtype;
  kernel::Value which = in.in[0].ndim() == 0 ? b.scalar(0, wt) : b.contiguous(0, wt);
  kernel::Value r = b.contiguous(1, d);
  for (std::size_t k = 1; k + 1 < in.in.size(); ++k) {
    kernel::Value chosen = which;
    if (wt == DType::int32) chosen = b.apply("ge", wt, {which, b.constant_of(wt, static_cast<std::int32_t>(k))});
    r = b.apply("select", d, {chosen, r, b.contiguous(static_cast<int>(k) + 1, d)});
  }
  if (in.in.size() == 2) r = b.apply("copy", d, {r});
  b.store_contiguous(r, static_cast<int>(in.in.size()));
  std::vector<int> buffers;
  for (std::size_t i = 0; i <= in.in.size(); ++i) buffers.push_back(static_cast<int>(i));
  kernel::append(&plan, b.finish(), buffers);
}

Simplified select_simplify(const SimplifyIn& in) {
  const auto cases = in.in.subspan(1);
  if (std::all_of(cases.begin(), cases.end(), [&](Atom a) { return a == cases[0]; })) return cases[0];
  if (const HostScalar* which = in.value(0)) {
    const auto last = static_cast<std::int64_t>(cases.size()) - 1;
    return cases[static_cast<std::size_t>(std::clamp<std::int64_t>(which->as_int64(), 0, last))];
  }
  if (const JaxprEqn* e = in.producer(0, not_p); e && cases.size() == 2 && in.aval(in.in[0]).dtype == DType::bool_)
    return {in.primitive, {}, {in.operand_of(*e), cases[1], cases[0]}};
  return {};
}

void select_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const HloValue which = w.broadcast_to(in.operands[0], in.out[0].shape);
  HloValue r = in.operands[1];
  for (std::size_t k = 1; k + 1 < in.operands.size(); ++k) {
    const bool is_bool = which.type.dtype == DType::bool_;
    const HloValue chosen = is_bool ? which : w.compare(which, w.constant(which.type, static_cast<double>(k)), "GE");
    r = w.select(chosen, in.operands[k + 1], r);
  }
  results.push_back(r);
}

std::vector<Sample> select_samples() {
  std::vector<Sample> v;
  for (DType d : {DType::float32, DType::float64, DType::int32, DType::complex64, DType::bool_, DType::bfloat16}) {
    Aval x{Shape{2, 3}, d, false};
    v.push_back({{}, {{Shape{2, 3}, DType::bool_, false}, x, x}});
    v.push_back({{}, {{Shape{}, DType::bool_, false}, x, x}});
    v.push_back({{}, {{Shape{2, 3}, DType::int32, false}, x, x, x}});
  }
  return v;
}

void clamp_avals(const AbstractIn& in, AvalVec& out) {
  for (const Aval& a : in.in) check_dtype("clamp", reals, a);
  check_same_dtypes("clamp", in.in);
  const Aval& x = in.in[1];
  for (int i : {0, 2}) {
    const Aval& bound = in.in[static_cast<std::size_t>(i)];
    if (bound.ndim() != 0 && bound.shape != x.shape)
      throw TypeError(std::string("clamp requires ") + (i ? "max" : "min") +
                      ".shape == operand.shape or it to be a scalar, got " + bound.shape.str() + " and " +
                      x.shape.str() + ".");
  }
  out.push_back({x.shape, x.dtype, x.weak_type});
}

Array where_or_zero(const Array& mask, const JvpTermIn& a) {
  const Shape& s = a.out.shape();
  Array t = broadcast_to_shape(a.t, s);
  return select(broadcast_to_shape(mask, s), t, zeros_of(t.aval()));
}

// Bounds shared by all examples or one a batch get x's shape, unless they are scalars shared by all.
void clamp_batch(const BatchIn& in, ArrayVec& out, DimVec& dims) {
  const Array x = with_batch_front(in.args[1], in.dims[1], in.axis_size);
  const auto bound = [&](std::size_t i) {
    if (in.dims[i] == not_mapped && in.args[i].ndim() == 0) return in.args[i];
    const Array b = with_batch_front(in.args[i], in.dims[i], in.axis_size);
    return b.ndim() == x.ndim() ? b : broadcast_in_dim(b, x.shape(), IntList{0});
  };
  const Array args[] = {bound(0), x, bound(2)};
  in.primitive.bind(in.params_ref, args, out);
  dims.push_back(0);
}

std::vector<Sample> clamp_samples() {
  std::vector<Sample> v;
  for (DType d : {DType::float32, DType::float64, DType::int32, DType::bfloat16}) {
    Aval x{Shape{4}, d, false}, s{Shape{}, d, false};
    v.push_back({{}, {x, x, x}});
    v.push_back({{}, {s, x, s}});
  }
  return v;
}

}  // namespace

constinit const Primitive select_n_p{.name = "select_n",
                                     .doc =
                                         "cases[which], position by position. which: bool with one or two cases, or "
                                         "int32; a scalar, or of the cases' shape.",
                                     .kind = Kind::elementwise,
                                     .operands = -1,
                                     .abstract_eval = select_avals,
                                     .jvp = select_jvp,
                                     .transpose = select_transpose,
                                     .batching = select_batch,
                                     .simplify = select_simplify,
                                     .nans = Nans::kept,
                                     .emit = select_emit,
                                     .stablehlo = select_write,
                                     .samples = select_samples};

// The bounds carry a tangent where they are the result, and x does strictly between them. Where low > high, high is.
constinit const Primitive clamp_p{
    .name = "clamp",
    .doc = "min(max(low, x), high); NaN where any is. The bounds are scalars or of x's shape.",
    .kind = Kind::elementwise,
    .operands = 3,
    .dtypes = reals,
    .abstract_eval = clamp_avals,
    .jvp_terms = {[](const JvpTermIn& a) {
                    Array under = broadcast_to_shape(lt(a.x[0], a.x[2]), a.out.shape());
                    return where_or_zero(bit_and(broadcast_to_shape(gt(a.x[0], a.x[1]), a.out.shape()), under), a);
                  },
                  [](const JvpTermIn& a) {
                    Array above = broadcast_to_shape(gt(a.x[1], a.x[0]), a.out.shape());
                    return where_or_zero(bit_and(above, lt(a.x[1], a.x[2])), a);
                  },
                  [](const JvpTermIn& a) { return where_or_zero(lt(a.x[2], max(a.x[0], a.x[1])), a); }},
    .transpose = not_linear,
    .batching = clamp_batch,
    .nans = Nans::kept,
    .tile = "clamp",
    .stablehlo = "stablehlo.clamp",
    .samples = clamp_samples};

constinit const Primitive stop_gradient_p{
    .name = "stop_gradient",
    .doc = "x, as a constant to derivatives.",
    .kind = Kind::elementwise,
    .dtypes = any_number,
    .jvp = zero_derivative,
    .transpose = not_linear,
    .simplify = [](const SimplifyIn& in) { return Simplified(in.in[0]); },
    .nans = Nans::kept,
    .tile = "copy",
    .stablehlo = [](const HloIn& in, HloWriter&, HloValues& results) { results.push_back(in.operands[0]); }};

Array stop_gradient(const Array& x) { return is_inexact(x.dtype()) ? stop_gradient_p(x) : x; }
Array clamp(const Array& low, const Array& x, const Array& high) { return clamp_p(low, x, high); }
Array select_n(const Array& which, std::span<const Array> cases) {
  ArrayVec args;
  args.push_back(which);
  for (const Array& c : cases) args.push_back(c);
  return select_n_p.bind1({}, args);
}

void register_select() {
  for (const Primitive* p : {&select_n_p, &clamp_p, &stop_gradient_p}) register_primitive(*p);
}

}  // namespace cotan::ops

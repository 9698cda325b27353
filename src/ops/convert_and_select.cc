// Conversions between dtypes, parts of complex numbers, and choices: select_n, clamp, stop_gradient.
#include "kernel/plan.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/emit.h"
#include "ops/op_list.h"
#include "ops/structural.h"

namespace cotan::ops {

namespace {

// --- convert_element_type, bitcast_convert_type ----------------------------------------------------------------------------
struct ConvertParams {
  DType new_dtype;
  bool weak_type;
  template <class S, class V> static void fields(S& s, V& v) {
    v("new_dtype", s.new_dtype);
    v("weak_type", s.weak_type);
  }
};
struct BitcastParams {
  DType new_dtype;
  template <class S, class V> static void fields(S& s, V& v) { v("new_dtype", s.new_dtype); }
};

void convert_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<ConvertParams>();
  check_dtype("convert_element_type", any_number, in.in[0]);
  if (!any_number.contains(p.new_dtype))
    throw TypeError(std::string("convert_element_type cannot convert to ") + dtype_name(p.new_dtype) + ", got " +
                    in.in[0].str());
  out.push_back({in.in[0].shape, p.new_dtype, p.weak_type});
}

Array convert_term(const JvpTermIn& a) { return convert_element_type(a.t, a.out.dtype()); }

void convert_emit(const EmitIn& in, kernel::Plan& plan) {
  const int buffers[] = {0, 1};
  kernel::append(&plan, kernel::convert_program(in.in[0].dtype, in.out[0].dtype, in.in[0].size()), buffers);
}

std::vector<Sample> convert_samples() {
  std::vector<Sample> v;
  constexpr DType types[] = {DType::bool_,    DType::int8,    DType::int32,   DType::uint32,
                             DType::bfloat16, DType::float32, DType::float64, DType::complex64};
  for (DType from : types)
    for (DType to : types)
      if (!is_complex(from) || is_complex(to))
        v.push_back({make_params(ConvertParams{to, false}), {{Shape{3}, from, false}}});
  return v;
}

void bitcast_avals(const AbstractIn& in, AvalVec& out) {
  const DType to = in.params<BitcastParams>().new_dtype, from = in.in[0].dtype;
  Shape shape = in.in[0].shape;
  const auto narrow = static_cast<std::int64_t>(item_size(from)), wide = static_cast<std::int64_t>(item_size(to));
  if (from != to && !(reals.contains(to) && reals.contains(from)))
    throw TypeError(std::string("bitcast_convert_type takes bool and complex types only to themselves, got ") +
                    dtype_name(from) + " to " + dtype_name(to));
  if (narrow > wide) shape.push_back(narrow / wide);
  if (narrow < wide) {
    if (shape.empty() || shape.back() * narrow != wide)
      throw ValueError(std::string("bitcast_convert_type: an element of ") + dtype_name(to) + " takes " +
                       std::to_string(wide / narrow) + " of " + dtype_name(from) + " along the last axis, got shape " +
                       shape.str());
    shape.erase(shape.length() - 1);
  }
  out.push_back({shape, to, false});
}

// The last axis may be joined or made: a batch dimension that is the last is put in front.
void bitcast_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const Array& a = in.args[0];
  if (a.ndim() == 1) {  // an example has no axis that could be joined
    const Aval example[] = {{{}, a.dtype(), false}};
    AvalVec result;
    infer(in.primitive, in.params_ref, example, result);
  }
  const bool last = in.dims[0] == a.ndim() - 1;
  const Array x = last ? move_axis(a, in.dims[0], 0) : a;
  out.push_back(in.primitive.bind1(in.params_ref, {&x, 1}));
  out_dims.push_back(last ? 0 : in.dims[0]);
}

// The bits stay: any copy of elements of that size will do.
void bitcast_emit(const EmitIn& in, kernel::Plan& plan) {
  const int buffers[] = {0, 1};
  kernel::append(&plan, kernel::copy_program(in.in[0].dtype, {in.in[0].size()}, {1}), buffers);
}

std::vector<Sample> bitcast_samples() {
  return {{make_params(BitcastParams{DType::float32}), {{Shape{3}, DType::uint32, false}}},
          {make_params(BitcastParams{DType::int64}), {{Shape{2, 2}, DType::float64, false}}},
          {make_params(BitcastParams{DType::int8}), {{Shape{2, 3}, DType::int32, false}}},
          {make_params(BitcastParams{DType::uint64}), {{Shape{3, 4}, DType::uint16, false}}},
          {make_params(BitcastParams{DType::bfloat16}), {{Shape{3}, DType::int32, false}}},
          {make_params(BitcastParams{DType::uint32}), {{Shape{0, 2}, DType::uint16, false}}}};
}

// --- parts of complex numbers -----------------------------------------------------------------------------------------------
struct ConjParams {
  DType input_dtype;
  template <class S, class V> static void fields(S& s, V& v) { v("input_dtype", s.input_dtype); }
};

void conj_avals(const AbstractIn& in, AvalVec& out) {
  check_dtype("conj", complexes | DTypeSet{DType::float32, DType::float64}, in.in[0]);
  out.push_back({in.in[0].shape, complex_dtype(in.in[0].dtype), in.in[0].weak_type});
}
void part_avals(const AbstractIn& in, AvalVec& out) {
  check_dtype(in.primitive.name, complexes, in.in[0]);
  out.push_back({in.in[0].shape, real_dtype(in.in[0].dtype), in.in[0].weak_type});
}
void complex_avals(const AbstractIn& in, AvalVec& out) {
  for (const Aval& a : in.in) check_dtype("complex", DTypeSet{DType::float32, DType::float64}, a);
  check_same_dtypes("complex", in.in);
  out.push_back(
      {elementwise_shape("complex", in.in), complex_dtype(in.in[0].dtype), in.in[0].weak_type && in.in[1].weak_type});
}
// A real operand is the complex number with imaginary part 0; the tile operation takes complex ones.
void conj_emit(const EmitIn& in, kernel::Plan& plan) {
  kernel::ProgramBuilder b({in.out[0].size()});
  const DType d = in.out[0].dtype;
  b.store_contiguous(b.apply("conj", d, {b.convert(b.contiguous(0, in.in[0].dtype), d)}), 1);
  const int buffers[] = {0, 1};
  kernel::append(&plan, b.finish(), buffers);
}
std::vector<Sample> conj_samples() {
  std::vector<Sample> v;
  for (DType d : {DType::float32, DType::complex64, DType::complex128})
    v.push_back({make_params(ConjParams{d}), {{Shape{3}, d, false}}});
  return v;
}

void zero_like(const TransposeIn& in, std::size_t i, TangentVec& out) { out.push_back(Tangent::zero(in.args[i].aval)); }

void transpose_complex(const TransposeIn& in, TangentVec& out) {
  const Array& ct = in.cts[0].value();
  if (in.args[0].is_linear()) out.push_back(unbroadcast(real(ct), in.args[0].aval.shape));
  else zero_like(in, 0, out);
  if (in.args[1].is_linear()) out.push_back(unbroadcast(neg(imag(ct)), in.args[1].aval.shape));
  else zero_like(in, 1, out);
}

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
  zero_like(in, 0, out);
  for (std::size_t k = 1; k < in.args.size(); ++k) {
    if (!in.args[k].is_linear()) {
      zero_like(in, k, out);
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

constinit const Primitive convert_element_type_p{
    .name = "convert_element_type",
    .doc =
        "The elements as another dtype. Floats go to integers toward zero, saturating, NaN to 0; integers "
        "wrap; to bool: x != 0; complex to real drops the imaginary part.",
    .kind = Kind::elementwise,
    .dtypes = any_number,
    .params = &params_ops<ConvertParams>,
    .abstract_eval = convert_avals,
    .jvp_terms = {convert_term},
    .transpose =
        [](const TransposeIn& in, TangentVec& out) {
          out.push_back(convert_element_type(in.cts[0].value(), in.args[0].aval.dtype, in.args[0].aval.weak_type));
        },
    .emit = convert_emit,
    .samples = convert_samples};

constinit const Primitive bitcast_convert_type_p{.name = "bitcast_convert_type",
                                                 .doc =
                                                     "The bits of the elements as another dtype. Of a narrower one "
                                                     "each element makes several, low bits first, along a new last "
                                                     "axis; of a wider one the last axis is joined to one element. "
                                                     "bool and complex types only to themselves.",
                                                 .kind = Kind::structural,
                                                 .params = &params_ops<BitcastParams>,
                                                 .abstract_eval = bitcast_avals,
                                                 .jvp = zero_derivative,
                                                 .transpose = not_linear,
                                                 .batching = bitcast_batching,
                                                 .emit = bitcast_emit,
                                                 .keeps_elements = [](const EqnContext&) { return true; },
                                                 .samples = bitcast_samples};

constinit const Primitive conj_p{.name = "conj",
                                 .doc = "The complex conjugate, complex also for a real x.",
                                 .kind = Kind::elementwise,
                                 .params = &params_ops<ConjParams>,
                                 .abstract_eval = conj_avals,
                                 .jvp_terms = {[](const JvpTermIn& a) { return conj(a.t, a.x[0].dtype()); }},
                                 .transpose =
                                     [](const TransposeIn& in, TangentVec& out) {
                                       Array c = conj(in.cts[0].value(), in.cts[0].value().dtype());
                                       out.push_back(is_complex(in.params<ConjParams>().input_dtype) ? c : real(c));
                                     },
                                 .emit = conj_emit,
                                 .samples = conj_samples};

constinit const Primitive real_p{.name = "real",
                                 .doc = "The real part.",
                                 .kind = Kind::elementwise,
                                 .dtypes = complexes,
                                 .abstract_eval = part_avals,
                                 .jvp_terms = {[](const JvpTermIn& a) { return real(a.t); }},
                                 .transpose =
                                     [](const TransposeIn& in, TangentVec& out) {
                                       const Array& ct = in.cts[0].value();
                                       out.push_back(complex(ct, number_like(ct, 0)));
                                     },
                                 .tile = "real"};

constinit const Primitive imag_p{.name = "imag",
                                 .doc = "The imaginary part.",
                                 .kind = Kind::elementwise,
                                 .dtypes = complexes,
                                 .abstract_eval = part_avals,
                                 .jvp_terms = {[](const JvpTermIn& a) { return imag(a.t); }},
                                 .transpose =
                                     [](const TransposeIn& in, TangentVec& out) {
                                       const Array& ct = in.cts[0].value();
                                       out.push_back(complex(number_like(ct, 0), neg(ct)));
                                     },
                                 .tile = "imag"};

constinit const Primitive complex_p{.name = "complex",
                                    .doc = "x + iy.",
                                    .kind = Kind::elementwise,
                                    .operands = 2,
                                    .dtypes = DTypeSet{DType::float32, DType::float64},
                                    .abstract_eval = complex_avals,
                                    .jvp_terms = {[](const JvpTermIn& a) { return complex(a.t, number_like(a.t, 0)); },
                                                  [](const JvpTermIn& a) { return complex(number_like(a.t, 0), a.t); }},
                                    .transpose = transpose_complex,
                                    .tile = "complex"};

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
                                     .emit = select_emit,
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
    .tile = "clamp",
    .samples = clamp_samples};

constinit const Primitive stop_gradient_p{.name = "stop_gradient",
                                          .doc = "x, as a constant to derivatives.",
                                          .kind = Kind::elementwise,
                                          .dtypes = any_number,
                                          .jvp = zero_derivative,
                                          .transpose = not_linear,
                                          .tile = "copy"};

Array convert_element_type(const Array& x, DType d, bool weak) {
  if (x.dtype() == d && x.weak_type() == weak) return x;
  return convert_element_type_p.bind1(make_params(ConvertParams{d, weak}), {&x, 1});
}
Array bitcast_convert_type(const Array& x, DType d) {
  if (x.dtype() == d) return x;
  return bitcast_convert_type_p.bind1(make_params(BitcastParams{d}), {&x, 1});
}
Array conj(const Array& x, DType input_dtype) { return conj_p.bind1(make_params(ConjParams{input_dtype}), {&x, 1}); }
Array stop_gradient(const Array& x) { return is_inexact(x.dtype()) ? stop_gradient_p(x) : x; }
Array clamp(const Array& low, const Array& x, const Array& high) { return clamp_p(low, x, high); }
Array select_n(const Array& which, std::span<const Array> cases) {
  ArrayVec args;
  args.push_back(which);
  for (const Array& c : cases) args.push_back(c);
  return select_n_p.bind1({}, args);
}

void register_convert_and_select() {
  for (const Primitive* p : {&convert_element_type_p, &bitcast_convert_type_p, &conj_p, &real_p, &imag_p, &complex_p,
                             &select_n_p, &clamp_p, &stop_gradient_p})
    register_primitive(*p);
}

}  // namespace cotan::ops

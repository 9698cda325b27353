// Conversions between dtypes, and parts of complex numbers.
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

// Whether every value of `a` is one of `b`.
bool holds_all(DType b, DType a) {
  if (a == DType::bool_) return true;
  if (is_integer(a) && is_integer(b)) {
    const bool a_signed = signed_ints.contains(a), b_signed = signed_ints.contains(b);
    return (a_signed == b_signed && item_size(b) >= item_size(a)) || (b_signed && item_size(b) > item_size(a));
  }
  if (is_integer(a) && is_floating(b))  // so many bits, sign aside
    return static_cast<int>(item_size(a)) * 8 - (signed_ints.contains(a) ? 1 : 0) <= (b == DType::float64   ? 53
                                                                                      : b == DType::float32 ? 24
                                                                                      : b == DType::float16 ? 11
                                                                                                            : 8);
  if (is_floating(a) && is_floating(b)) return item_size(b) > item_size(a);
  return false;
}

// By way of a dtype that loses nothing is the same as directly.
Simplified convert_simplify(const SimplifyIn& in) {
  const Aval x = in.aval(in.in[0]);
  if (x == in.out) return in.in[0];
  const JaxprEqn* e = in.producer(0, in.primitive);
  if (!e) return {};
  const Atom from = in.operand_of(*e);
  const Aval origin = in.aval(from);
  if (origin.dtype != x.dtype && !holds_all(x.dtype, origin.dtype)) return {};
  // Floats saturate where integers wrap.
  if (is_integer(origin.dtype) && !is_integer(x.dtype) && is_integer(in.out.dtype) &&
      !holds_all(in.out.dtype, origin.dtype))
    return {};
  if (origin == in.out) return from;
  return {in.primitive, in.params_ref, {from}};
}

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
  const auto refuse = [&](DTypeSet takes) {
    if (from != to && !(takes.contains(to) && takes.contains(from)))
      throw TypeError(
          std::string("bitcast_convert_type takes integers and floats, other types only to themselves, got ") +
          dtype_name(from) + " to " + dtype_name(to));
  };
  refuse(any_number);  // the others may have no size
  if (narrow > wide) shape.push_back(narrow / wide);
  if (narrow < wide) {
    if (shape.empty() || shape.back() * narrow != wide)
      throw ValueError(std::string("bitcast_convert_type: an element of ") + dtype_name(to) + " takes " +
                       std::to_string(wide / narrow) + " of " + dtype_name(from) + " along the last axis, got shape " +
                       shape.str());
    shape.erase(shape.length() - 1);
  }
  refuse(reals);
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
Simplified bitcast_simplify(const SimplifyIn& in) {
  if (in.aval(in.in[0]) == in.out) return in.in[0];
  if (const JaxprEqn* e = in.producer(0, in.primitive); e && in.aval(in.operand_of(*e)) == in.out)
    return in.operand_of(*e);
  return {};
}

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
void conj_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const HloValue& x = in.operands[0];
  if (!is_complex(x.type.dtype)) return results.push_back(w.convert(x, in.out[0].dtype));
  const HloType part(x.type.shape, real_dtype(x.type.dtype));
  const HloValue im = w.unary("stablehlo.negate", w.op("stablehlo.imag", {x}, part));
  results.push_back(w.op("stablehlo.complex", {w.op("stablehlo.real", {x}, part), im}, x.type));
}
std::vector<Sample> conj_samples() {
  std::vector<Sample> v;
  for (DType d : {DType::float32, DType::complex64, DType::complex128})
    v.push_back({make_params(ConjParams{d}), {{Shape{3}, d, false}}});
  return v;
}

// The parts of a number made from its parts, and a number made from the parts of one.
template <std::size_t part> Simplified part_simplify(const SimplifyIn& in) {
  if (const JaxprEqn* e = in.producer(0, complex_p)) return in.operand_of(*e, part);
  return {};
}
Simplified complex_simplify(const SimplifyIn& in) {
  const JaxprEqn *re = in.producer(0, real_p), *im = in.producer(1, imag_p);
  if (re && im && in.operand_of(*re) == in.operand_of(*im)) return in.operand_of(*re);
  return {};
}
Simplified conj_simplify(const SimplifyIn& in) {
  if (const JaxprEqn* e = in.producer(0, conj_p)) return in.operand_of(*e);
  return {};
}

void zero_like(const TransposeIn& in, std::size_t i, TangentVec& out) { out.push_back(Tangent::zero(in.args[i].aval)); }

void transpose_complex(const TransposeIn& in, TangentVec& out) {
  const Array& ct = in.cts[0].value();
  if (in.args[0].is_linear()) out.push_back(unbroadcast(real(ct), in.args[0].aval.shape));
  else zero_like(in, 0, out);
  if (in.args[1].is_linear()) out.push_back(unbroadcast(neg(imag(ct)), in.args[1].aval.shape));
  else zero_like(in, 1, out);
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
    .simplify = convert_simplify,
    .nans = Nans::kept,
    .emit = convert_emit,
    .stablehlo = [](const HloIn& in, HloWriter& w,
                    HloValues& results) { results.push_back(w.convert(in.operands[0], in.out[0].dtype)); },
    .samples = convert_samples};

constinit const Primitive bitcast_convert_type_p{
    .name = "bitcast_convert_type",
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
    .simplify = bitcast_simplify,
    .nans = Nans::kept,
    .emit = bitcast_emit,
    .keeps_elements = [](const EqnContext&) { return true; },
    .stablehlo =
        [](const HloIn& in, HloWriter& w, HloValues& results) {
          results.push_back(w.op("stablehlo.bitcast_convert", in.operands, HloType(in.out[0])));
        },
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
                                 .simplify = conj_simplify,
                                 .nans = Nans::kept,
                                 .emit = conj_emit,
                                 .stablehlo = conj_write,
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
                                 .simplify = part_simplify<0>,
                                 .nans = Nans::kept,
                                 .tile = "real",
                                 .stablehlo = "stablehlo.real"};

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
                                 .simplify = part_simplify<1>,
                                 .nans = Nans::kept,
                                 .tile = "imag",
                                 .stablehlo = "stablehlo.imag"};

constinit const Primitive complex_p{.name = "complex",
                                    .doc = "x + iy.",
                                    .kind = Kind::elementwise,
                                    .operands = 2,
                                    .dtypes = DTypeSet{DType::float32, DType::float64},
                                    .abstract_eval = complex_avals,
                                    .jvp_terms = {[](const JvpTermIn& a) { return complex(a.t, number_like(a.t, 0)); },
                                                  [](const JvpTermIn& a) { return complex(number_like(a.t, 0), a.t); }},
                                    .transpose = transpose_complex,
                                    .simplify = complex_simplify,
                                    .nans = Nans::kept,
                                    .tile = "complex",
                                    .stablehlo = "stablehlo.complex"};

Array convert_element_type(const Array& x, DType d, bool weak) {
  if (x.dtype() == d && x.weak_type() == weak) return x;
  return convert_element_type_p.bind1(make_params(ConvertParams{d, weak}), {&x, 1});
}
Array bitcast_convert_type(const Array& x, DType d) {
  if (x.dtype() == d) return x;
  return bitcast_convert_type_p.bind1(make_params(BitcastParams{d}), {&x, 1});
}
Array conj(const Array& x, DType input_dtype) { return conj_p.bind1(make_params(ConjParams{input_dtype}), {&x, 1}); }

void register_convert() {
  for (const Primitive* p : {&convert_element_type_p, &bitcast_convert_type_p, &conj_p, &real_p, &imag_p, &complex_p})
    register_primitive(*p);
}

}  // namespace cotan::ops

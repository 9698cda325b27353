// dot_general: products summed over contracting dimensions, side by side over batch dimensions.
#include <algorithm>
#include <tuple>

#include "kernel/library_params.h"
#include "kernel/plan.h"
#include "ops/common.h"
#include "ops/costs.h"
#include "ops/elementwise.h"
#include "ops/op_list.h"
#include "ops/reduction.h"
#include "ops/stablehlo.h"
#include "ops/structural.h"
#include "ops/structural_checks.h"

namespace cotan::ops {

extern const Primitive dot_general_p;

namespace {

constexpr auto f32 = DType::float32;

enum class PrecisionLevel : std::uint8_t { default_, high, highest, first_algorithm };  // Precision's numbers, less one
std::span<const char* const> enum_names(PrecisionLevel) {
  static constexpr const char* names[] = {"DEFAULT",     "HIGH",          "HIGHEST",          "default",
                                          "F32_F32_F32", "BF16_BF16_F32", "BF16_BF16_F32_X3", "BF16_BF16_F32_X6"};
  return names;
}
struct PrecisionPair {
  PrecisionLevel lhs{}, rhs{};
  template <class S, class V> static void fields(S& s, V& v) { v("lhs", s.lhs), v("rhs", s.rhs); }
  std::string text() const {
    const auto name = [](PrecisionLevel l) { return std::string(enum_names(l)[static_cast<std::size_t>(l)]); };
    if (lhs == PrecisionLevel::first_algorithm) return "DEFAULT";
    if (lhs > PrecisionLevel::first_algorithm) return name(lhs);
    return "(Precision." + name(lhs) + ", Precision." + name(rhs) + ")";
  }
};

struct DotParams {
  DotDimensionNumbers dimension_numbers;
  std::optional<PrecisionPair> precision;
  std::optional<DType> preferred_element_type;
  template <class S, class V> static void fields(S& s, V& v) {
    v("lhs_batch", s.dimension_numbers.lhs_batch), v("lhs_contract", s.dimension_numbers.lhs_contract);
    v("precision", s.precision), v("preferred_element_type", s.preferred_element_type);
    v("rhs_batch", s.dimension_numbers.rhs_batch), v("rhs_contract", s.dimension_numbers.rhs_contract);
  }
  // In JAX's text: ((lhs_contract, rhs_contract), (lhs_batch, rhs_batch)), as lists.
  void pretty(PrettyParams& p) const {
    const auto list = [](const IntList& l) {
      std::string s = l.str();
      if (s.size() > 2 && s[s.size() - 2] == ',') s.erase(s.size() - 2, 1);
      s.front() = '[', s.back() = ']';
      return s;
    };
    const DotDimensionNumbers& d = dimension_numbers;
    p.text("dimension_numbers", "((" + list(d.lhs_contract) + ", " + list(d.rhs_contract) + "), (" + list(d.lhs_batch) +
                                    ", " + list(d.rhs_batch) + "))");
    if (precision) p.text("precision", precision->text());
    if (preferred_element_type) p.field("preferred_element_type", *preferred_element_type);
  }
};

IntList free_dims(int ndim, const IntList& contract, const IntList& batch) {
  IntList r;
  for (int i = 0; i < ndim; ++i)
    if (!contract.contains(i) && !batch.contains(i)) r.push_back(i);
  return r;
}
Shape sizes_of(const Shape& shape, const IntList& dims) {
  Shape r;
  for (std::int64_t d : dims) r.push_back(shape[d]);
  return r;
}

// --- types --------------------------------------------------------------------------------------------------------------------
void check_side(const char* side, int ndim, const IntList& contract, const IntList& batch) {
  const std::string s = side;
  for (const IntList* l : {&contract, &batch})
    for (std::int64_t d : *l)
      if (d < 0 || d >= ndim)
        throw TypeError("dot_general requires " + s +
                        " dimension numbers to be nonnegative and less than the number of axes of the " + s +
                        " value, got " + s + "_batch of " + batch.str() + " and " + s + "_contracting of " +
                        contract.str() + " for " + s + " of rank " + std::to_string(ndim));
  if (!distinct(batch))
    throw TypeError("dot_general requires " + s + " batch dimensions to be distinct, got " + s + "_batch " +
                    batch.str() + ".");
  if (!distinct(contract))
    throw TypeError("dot_general requires " + s + " contracting dimensions to be distinct, got " + s + "_contracting " +
                    contract.str() + ".");
  for (std::int64_t d : contract)
    if (batch.contains(d))
      throw TypeError("dot_general requires " + s +
                      " batch dimensions to be disjoint from contracting dimensions, got " + s + "_batch " +
                      batch.str() + " and " + s + "_contracting " + contract.str() + ".");
}

// Where two types meet: complex over real, the larger exponent, the longer mantissa, the wider, the signed one.
DType common_dtype(DType a, DType b) {
  const auto rank = [](DType d) {
    const DType r = real_dtype(d);
    const int exponent = r == DType::float64                           ? 1024
                         : r == DType::float32 || r == DType::bfloat16 ? 128
                         : r == DType::float16                         ? 16
                                                                       : -1;
    const int mantissa = r == DType::float64    ? 52
                         : r == DType::float32  ? 23
                         : r == DType::float16  ? 10
                         : r == DType::bfloat16 ? 7
                                                : -1;
    const int width = d == DType::bool_ ? 0 : static_cast<int>(item_size(r));
    return std::tuple(is_complex(d), exponent, mantissa, width, !is_unsigned_integer(d));
  };
  return rank(b) > rank(a) ? b : a;
}
// Of a component.
int width(DType d) { return d == DType::bool_ ? 0 : static_cast<int>(item_size(real_dtype(d))); }

void dot_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<DotParams>();
  const DotDimensionNumbers& d = p.dimension_numbers;
  const Aval &x = in.in[0], &y = in.in[1];
  check_dtype("dot_general", any_number, x);
  check_dtype("dot_general", any_number, y);
  check_side("lhs", x.ndim(), d.lhs_contract, d.lhs_batch);
  check_side("rhs", y.ndim(), d.rhs_contract, d.rhs_batch);
  if (d.lhs_batch.length() != d.rhs_batch.length())
    throw TypeError("dot_general requires equal numbers of lhs_batch and rhs_batch dimensions, got lhs_batch " +
                    d.lhs_batch.str() + " and rhs_batch " + d.rhs_batch.str() + ".");
  Shape shape = sizes_of(x.shape, d.lhs_batch);
  const Shape rhs_batch = sizes_of(y.shape, d.rhs_batch), lhs_k = sizes_of(x.shape, d.lhs_contract),
              rhs_k = sizes_of(y.shape, d.rhs_contract);
  if (!(shape == rhs_batch))
    throw TypeError("dot_general requires lhs batch dimensions and rhs batch dimensions to have the same shape, got " +
                    shape.str() + " and " + rhs_batch.str() + ".");
  if (!(lhs_k == rhs_k))
    throw TypeError("dot_general requires contracting dimensions to have the same shape, got " + lhs_k.str() + " and " +
                    rhs_k.str() + ": the operands' shapes are " + x.shape.str() + " and " + y.shape.str() + ".");
  for (std::int64_t i : free_dims(x.ndim(), d.lhs_contract, d.lhs_batch)) shape.push_back(x.shape[i]);
  for (std::int64_t i : free_dims(y.ndim(), d.rhs_contract, d.rhs_batch)) shape.push_back(y.shape[i]);
  const DType common = common_dtype(x.dtype, y.dtype), result = p.preferred_element_type.value_or(common);
  check_dtype("dot_general", any_number, {{}, result});
  if (!is_floating(common) && width(result) < width(common))
    throw TypeError(
        std::string(
            "`preferred_element_type` must not be narrower than the original type, got preferred_element_type of ") +
        dtype_name(result) + " for result type of " + dtype_name(common) + ".");
  out.push_back({std::move(shape), result, x.weak_type && y.weak_type && !p.preferred_element_type});
}

// --- derivatives and batches ------------------------------------------------------------------------------------------------------
// Linear in each operand by itself.
void dot_jvp(const JvpIn& in, ArrayVec& out, TangentVec& tangents_out) {
  out.push_back(in.primitive.bind1(in.params_ref, in.primals));
  Tangent sum = Tangent::zero_of(out.back().aval());
  for (std::size_t i : {0u, 1u}) {
    if (in.tangents[i].is_zero()) continue;
    ArrayVec operands(in.primals);
    operands[i] = in.tangents[i].value();
    const Array term = in.primitive.bind1(in.params_ref, operands);
    if (is_inexact(term.dtype())) sum = add_tangents(sum, term);
  }
  tangents_out.push_back(std::move(sum));
}

IntList range_from(std::int64_t first, int count) {
  IntList r;
  for (int i = 0; i < count; ++i) r.push_back(first + i);
  return r;
}

IntList joined(IntList a, const IntList& b, const IntList& c) {
  for (std::int64_t i : b) a.push_back(i);
  for (std::int64_t i : c) a.push_back(i);
  return a;
}

// The same product of other operands.
Array bind_dot(const Array& lhs, const Array& rhs, DotDimensionNumbers d, const DotParams& like,
               std::optional<DType> preferred) {
  const Array in[] = {lhs, rhs};
  return dot_general_p.bind1(make_params(DotParams{std::move(d), like.precision, preferred}), in);
}

// The cotangent of operand x (the left one if `left`): ct times the other operand, summed over the other's free dimensions, and
// its dimensions put in x's order.
Array dot_cotangent(const Array& ct, const Aval& x, const Array& y, const DotParams& p, bool left) {
  const DotDimensionNumbers& d = p.dimension_numbers;
  const IntList &x_contract = left ? d.lhs_contract : d.rhs_contract,
                &y_contract = left ? d.rhs_contract : d.lhs_contract;
  const IntList &x_batch = left ? d.lhs_batch : d.rhs_batch, &y_batch = left ? d.rhs_batch : d.lhs_batch;
  const IntList x_free = free_dims(x.ndim(), x_contract, x_batch), y_free = free_dims(y.ndim(), y_contract, y_batch);
  const int batch = x_batch.length();
  const IntList ct_y = range_from(left ? batch + x_free.length() : batch, y_free.length());
  // Of a product whose imaginary part is dropped, the factor has one all the same.
  const bool real_part = !is_complex(ct.dtype()) && (is_complex(x.dtype) || is_complex(y.dtype()));
  const auto preferred = real_part ? common_dtype(x.dtype, y.dtype()) : p.preferred_element_type;
  IntList by_y = IntList::range(y_contract.length());  // the contracted ones come in the order of y's dimensions
  std::sort(by_y.begin(), by_y.end(), [&](std::int64_t a, std::int64_t b) { return y_contract[a] < y_contract[b]; });
  IntList contracted;
  for (std::int64_t i : by_y) contracted.push_back(x_contract[i]);
  // Of x's dimensions in the product: with y first where that is x's order already.
  const bool y_first = joined(x_batch, contracted, x_free) == IntList::range(x.ndim());
  const IntList order = y_first ? IntList::range(x.ndim()) : joined(x_batch, x_free, contracted);
  const IntList ct_batch = range_from(0, batch);
  const Array r = y_first ? bind_dot(y, ct, {y_free, ct_y, y_batch, ct_batch}, p, preferred)
                          : bind_dot(ct, y, {ct_y, y_free, ct_batch, y_batch}, p, preferred);
  IntList permutation = order;
  for (int i = 0; i < order.length(); ++i) permutation[order[i]] = i;
  return convert_element_type(transpose(r, permutation), x.dtype);
}

void dot_transpose(const TransposeIn& in, TangentVec& out) {
  const auto& p = in.params<DotParams>();
  const LinearOperand &x = in.args[0], &y = in.args[1];
  if (x.is_linear() && y.is_linear()) throw TypeError("dot_general of two linear values is not linear");
  const Array& ct = in.cts[0].value();
  out.push_back(x.is_linear() ? Tangent(dot_cotangent(ct, x.aval, y.value, p, true)) : Tangent::zero(x.aval));
  out.push_back(y.is_linear() ? Tangent(dot_cotangent(ct, y.aval, x.value, p, false)) : Tangent::zero(y.aval));
}

void make_room(IntList& dims, int at) {
  for (std::int64_t& d : dims) d += d >= at;
}

// Mapped in both: one more batch dimension. In one: one more free dimension of that operand.
void dot_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const auto& p = in.params<DotParams>();
  DotDimensionNumbers d = p.dimension_numbers;
  const int left = in.dims[0], right = in.dims[1];
  if (left != not_mapped) make_room(d.lhs_contract, left), make_room(d.lhs_batch, left);
  if (right != not_mapped) make_room(d.rhs_contract, right), make_room(d.rhs_batch, right);
  int place = 0;
  const auto before = [](const IntList& free, int dim) {
    return static_cast<int>(std::count_if(free.begin(), free.end(), [&](std::int64_t i) { return i < dim; }));
  };
  const IntList lhs_free = free_dims(in.args[0].ndim(), d.lhs_contract, d.lhs_batch);
  if (left != not_mapped && right != not_mapped) {
    d.lhs_batch.insert(0, left), d.rhs_batch.insert(0, right);
  } else if (left != not_mapped) {
    place = d.lhs_batch.length() + before(lhs_free, left);
  } else {
    place = d.lhs_batch.length() + lhs_free.length() +
            before(free_dims(in.args[1].ndim(), d.rhs_contract, d.rhs_batch), right);
  }
  out.push_back(bind_dot(in.args[0], in.args[1], d, p, p.preferred_element_type));
  out_dims.push_back(place);
}

// --- evaluation -----------------------------------------------------------------------------------------------------------------
// An operand as a stack of matrices: strides of the batch, the outer and the inner dimension.
struct Matrices {
  int buffer;
  std::int64_t batch, outer, inner;
};

// The one stride of several dimensions taken together; -1 where they are not evenly spaced.
std::int64_t joint_stride(const Shape& shape, const IntList& strides, const IntList& dims) {
  std::int64_t stride = 0, expected = 0;
  for (int i = dims.length() - 1; i >= 0; --i) {
    const std::int64_t n = shape[dims[i]];
    if (n == 1) continue;
    if (stride == 0) stride = expected = strides[dims[i]];
    if (strides[dims[i]] != expected) return -1;
    expected = strides[dims[i]] * n;
  }
  return stride;
}

// The types that a product's elements go through: first one common to the operands, then the one computed in.
struct Types {
  DType common, compute;
};

// The operand in `buffer` as matrices over (batch, outer, inner) of type `compute`: in place where its layout and type allow, else
// in a temporary buffer.
Matrices as_matrices(kernel::Plan& plan, int buffer, const Aval& x, const Types& t, const IntList& batch,
                     const IntList& outer, const IntList& inner) {
  const IntList strides = kernel::row_major_strides(x.shape);
  const std::int64_t rows = sizes_of(x.shape, outer).size(), columns = sizes_of(x.shape, inner).size();
  if (x.dtype == t.compute && t.common == t.compute) {
    Matrices m{buffer, joint_stride(x.shape, strides, batch), joint_stride(x.shape, strides, outer),
               joint_stride(x.shape, strides, inner)};
    const bool even = m.batch >= 0 && m.outer >= 0 && m.inner >= 0;
    if (even && (m.outer == 1 || m.inner == 1 || (rows == 1 && columns == 1))) return m;
  }
  IntList extents, from;
  for (const IntList* dims : {&batch, &outer, &inner})
    for (std::int64_t d : *dims) extents.push_back(x.shape[d]), from.push_back(strides[d]);
  const int temporary = plan.add_temporary(x.size() * static_cast<std::int64_t>(item_size(t.compute)));
  kernel::ProgramBuilder b(extents);
  b.store_contiguous(b.convert(b.convert(b.memory(0, x.dtype, from), t.common), t.compute), 1);
  const int buffers[] = {buffer, temporary};
  kernel::append(&plan, b.finish(), buffers);
  return {temporary, rows * columns, columns, 1};
}

bool is_half(DType d) { return d == DType::bfloat16 || d == DType::float16; }

// Operands of two types become the result's, as in JAX. Products are formed and added in a type never narrower than the
// operands' or the result's, and in float32 for 16-bit floats.
Types types_of(DType x, DType y, DType result) {
  const DType common = x == y ? x : result, d = common_dtype(common, result);
  return {common, is_half(d) ? DType::float32 : d};
}

void dot_emit(const EmitIn& in, kernel::Plan& plan) {
  const DotDimensionNumbers& d = in.params<DotParams>().dimension_numbers;
  const Aval &x = in.in[0], &y = in.in[1], &r = in.out[0];
  if (r.size() == 0) return;
  Types t = types_of(x.dtype, y.dtype, r.dtype);
  const bool halves = is_half(t.common) && t.compute == f32;  // widened block by block
  const DType compute = halves && r.dtype == t.common ? r.dtype : t.compute;
  if (halves) t.compute = t.common;
  const IntList x_free = free_dims(x.ndim(), d.lhs_contract, d.lhs_batch),
                y_free = free_dims(y.ndim(), d.rhs_contract, d.rhs_batch);
  const Matrices a = as_matrices(plan, 0, x, t, d.lhs_batch, x_free, d.lhs_contract);
  const Matrices b = as_matrices(plan, 1, y, t, d.rhs_batch, d.rhs_contract, y_free);
  const int result =
      r.dtype == compute ? 2 : plan.add_temporary(r.size() * static_cast<std::int64_t>(item_size(compute)));
  kernel::LibraryCall call;
  call.op = kernel::LibraryOp::dot;
  call.inputs = {{a.buffer, t.compute, 0}, {b.buffer, t.compute, 0}};
  call.outputs = {{result, compute, 0}};
  call.params = kernel::DotParams{sizes_of(x.shape, d.lhs_batch).size(),
                                  sizes_of(x.shape, x_free).size(),
                                  sizes_of(y.shape, y_free).size(),
                                  sizes_of(x.shape, d.lhs_contract).size(),
                                  a.batch,
                                  a.outer,
                                  a.inner,
                                  b.batch,
                                  b.outer,
                                  b.inner}
                    .encode();
  plan.steps.emplace_back(std::move(call));
  if (result == 2) return;
  const int buffers[] = {result, 2};
  kernel::append(&plan, kernel::convert_program(compute, r.dtype, r.size()), buffers);
}

// 16-bit floats and small integers are multiplied as they are, with a result in which they are added.
void dot_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const auto& p = in.params<DotParams>();
  const DotDimensionNumbers& d = p.dimension_numbers;
  const DType result = in.out[0].dtype;
  Types t = types_of(in.in[0].dtype, in.in[1].dtype, result);
  if (t.common == DType::bool_) t = {DType::int32, DType::int32};  // counts the pairs that hold
  const bool as_they_are =
      is_complex(t.common) == is_complex(t.compute) && is_integer(t.common) == is_integer(t.compute);
  const DType factor = as_they_are ? t.common : t.compute;
  const HloValue operands[] = {w.convert(w.convert(in.operands[0], t.common), factor),
                               w.convert(w.convert(in.operands[1], t.common), factor)};
  const auto level = [](PrecisionLevel l) {
    return l < PrecisionLevel::first_algorithm ? enum_names(l)[static_cast<std::size_t>(l)] : "DEFAULT";
  };
  const PrecisionPair precision = p.precision.value_or(PrecisionPair{});
  const std::string numbers = "#stablehlo.dot<lhs_batching_dimensions = " + hlo_list(d.lhs_batch) +
                              ", rhs_batching_dimensions = " + hlo_list(d.rhs_batch) +
                              ", lhs_contracting_dimensions = " + hlo_list(d.lhs_contract) +
                              ", rhs_contracting_dimensions = " + hlo_list(d.rhs_contract) + ">";
  const HloValue product = w.op("stablehlo.dot_general", operands, HloType(in.out[0].shape, t.compute),
                                "dot_dimension_numbers = " + numbers + ", precision_config = [#stablehlo<precision " +
                                    level(precision.lhs) + ">, #stablehlo<precision " + level(precision.rhs) + ">]");
  results.push_back(w.convert(product, result));
}

std::vector<Sample> dot_samples() {
  const auto s = [](DotDimensionNumbers d, Shape x, Shape y, DType t = f32, std::optional<DType> preferred = {}) {
    return Sample{make_params(DotParams{std::move(d), {}, preferred}), {{std::move(x), t}, {std::move(y), t}}};
  };
  return {s({{1}, {0}, {}, {}}, {2, 3}, {3, 4}),
          s({{0}, {0}, {}, {}}, {3}, {3}),
          s({{0}, {0}, {}, {}}, {3, 2}, {3, 4}),
          s({{1}, {1}, {}, {}}, {2, 3}, {4, 3}),
          s({{2}, {1}, {0}, {0}}, {2, 3, 4}, {2, 4, 3}),
          s({{1}, {2}, {0}, {1}}, {2, 3, 4}, {5, 2, 3}),
          s({{0, 1}, {1, 0}, {}, {}}, {2, 3}, {3, 2}),
          s({{}, {}, {}, {}}, {2}, {3}),
          s({{}, {}, {0}, {0}}, {3}, {3}),
          s({{1, 3}, {0, 2}, {}, {}}, {2, 3, 2, 2}, {3, 2, 2}),
          s({{1}, {0}, {}, {}}, {2, 0}, {0, 3}),
          s({{1}, {0}, {}, {}}, {0, 2}, {2, 3}),
          s({{}, {}, {}, {}}, {}, {}),
          s({{0}, {2}, {2}, {0}}, {3, 4, 2}, {2, 5, 3}),
          s({{1}, {0}, {}, {}}, {2, 3}, {3, 2}, DType::float64),
          s({{1}, {0}, {}, {}}, {2, 3}, {3, 2}, DType::complex64),
          s({{1}, {0}, {}, {}}, {2, 3}, {3, 2}, DType::bfloat16),
          s({{1}, {0}, {}, {}}, {2, 3}, {3, 2}, DType::bfloat16, f32),
          s({{1}, {0}, {}, {}}, {2, 3}, {3, 2}, DType::int8, DType::int32),
          s({{1}, {0}, {}, {}}, {2, 3}, {3, 2}, DType::uint64),
          s({{1}, {0}, {}, {}}, {2, 3}, {3, 2}, DType::bool_),
          s({{1}, {0}, {}, {}}, {2, 3}, {3, 2}, f32, DType::bfloat16),
          s({{1}, {0}, {}, {}}, {2, 3}, {3, 2}, f32, DType::complex64),
          s({{1}, {0}, {}, {}}, {2, 3}, {3, 2}, DType::complex64, f32),
          s({{1}, {0}, {}, {}}, {2, 3}, {3, 2}, DType::bool_, DType::int32),
          s({{1}, {0}, {}, {}}, {2, 3}, {3, 2}, DType::uint8, DType::int32),
          s({{1}, {0}, {}, {}}, {2, 3}, {3, 2}, DType::int16)};
}

// A product and a sum for each pair of elements that meet.
Cost dot_cost(const EmitIn& in) {
  double n = 2 * elements(in.out[0]);
  for (std::int64_t d : in.params<DotParams>().dimension_numbers.lhs_contract)
    n *= static_cast<double>(in.in[0].shape[d]);
  return {n, 0};
}

}  // namespace

constinit const Primitive dot_general_p{
    .name = "dot_general",
    .doc =
        "Sums over the contracting dimensions of products of elements, for each "
        "index of the batch dimensions; the result's dimensions "
        "are the batch, then lhs's, then rhs's others. Numbers (bool: or of ands) "
        "of any dtype; the result has the common one, or "
        "preferred_element_type. 16-bit floats are added in float32 and rounded "
        "once; operands of two dtypes become the result's first. `precision` has no "
        "effect on CPU. TypeError where sizes do not fit.",
    .kind = Kind::contraction,
    .operands = 2,
    .params = &params_ops<DotParams>,
    .abstract_eval = dot_avals,
    .jvp = dot_jvp,
    .transpose = dot_transpose,
    .batching = dot_batching,
    .emit = dot_emit,
    .stablehlo = dot_write,
    .cost = dot_cost,
    .samples = dot_samples};

Array dot_general(const Array& lhs, const Array& rhs, const DotDimensionNumbers& numbers,
                  std::optional<DType> preferred_element_type, const Precision& precision) {
  const Array in[] = {lhs, rhs};
  std::optional<PrecisionPair> pair;
  if (precision.given())
    pair = {static_cast<PrecisionLevel>(precision.lhs() - 1), static_cast<PrecisionLevel>(precision.rhs() - 1)};
  return dot_general_p.bind1(make_params(DotParams{numbers, pair, preferred_element_type}), in);
}

const DotDimensionNumbers* dot_dimensions_of(const JaxprEqn& e) {
  return e.primitive == &dot_general_p ? &params_as<DotParams>(e.params.get()).dimension_numbers : nullptr;
}

void register_dot() { register_primitive(dot_general_p); }

}  // namespace cotan::ops

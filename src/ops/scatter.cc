// scatter and its combining kin: windows written into an array at index vectors, in the order of the indices.
#include <mutex>

#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/emit.h"
#include "ops/gather.h"
#include "ops/index_checks.h"
#include "ops/indexed.h"
#include "ops/products_of_others.h"
#include "ops/structural.h"

namespace cotan::ops {

namespace {

constexpr auto f32 = DType::float32;
using Mode = GatherScatterMode;
using Combiner = kernel::IndexedCombiner;

struct ScatterParams {
  ScatterDims dimension_numbers;
  bool indices_are_sorted = false;
  Mode mode = Mode::fill_or_drop;
  bool unique_indices = false;
  ClosedJaxpr update_jaxpr;  // of two scalars; none: the second. For reading only: the primitive says what is done
  template <class S, class V> static void fields(S& s, V& v) {
    v("dimension_numbers", s.dimension_numbers), v("indices_are_sorted", s.indices_are_sorted), v("mode", s.mode);
    v("unique_indices", s.unique_indices), v("update_jaxpr", s.update_jaxpr);
  }
  void pretty(PrettyParams& p) const {
    p.field("dimension_numbers", dimension_numbers), p.field("indices_are_sorted", indices_are_sorted);
    p.field("mode", mode), p.field("unique_indices", unique_indices), p.field("update_consts", IntList());
    p.field("update_jaxpr", update_jaxpr);
  }
  GatherScatterOptions options() const { return {indices_are_sorted, unique_indices, mode}; }
};

struct Kin {
  const Primitive* scatter;
  const Primitive* scalar;  // what is done to a pair of elements; null: the second is taken
  Combiner combiner;
  DTypeSet dtypes;
};
const Kin& kin_of(const char* name) {
  static const Kin kin[] = {
      {&scatter_p, nullptr, Combiner::set, any_dtype},     {&scatter_add_p, &add_p, Combiner::add, numeric},
      {&scatter_sub_p, &sub_p, Combiner::sub, numeric},    {&scatter_mul_p, &mul_p, Combiner::mul, numeric},
      {&scatter_min_p, &min_p, Combiner::min, any_number}, {&scatter_max_p, &max_p, Combiner::max, any_number}};
  for (const Kin& k : kin)
    if (k.scatter->name == std::string_view(name)) return k;
  return kin[0];
}

// One program for each operation and dtype, so that they print as shared.
ClosedJaxpr update_jaxpr(const Kin& k, DType d) {
  static std::mutex mutex;
  static auto* const made = new ClosedJaxpr[6][dtype_count];
  if (!k.scalar) return {};
  const std::lock_guard lock(mutex);
  ClosedJaxpr& j = made[static_cast<int>(k.combiner)][static_cast<int>(d)];
  if (!j.has_value()) {
    Ref<Jaxpr> program(new Jaxpr);
    const Aval element{{}, d, false};
    const Var x = program->add_var(element), y = program->add_var(element), r = program->add_var(element);
    program->invars = {x, y};
    program->outvars = {Atom(r)};
    const Atom in[] = {x, y};
    program->add_eqn(*k.scalar, {}, in, {&r, 1});
    j = close_jaxpr(program);
  }
  return j;
}

IndexedDims roles(const EqnContext& c) {
  return IndexedDims::of(c.primitive.name, c.params<ScatterParams>().dimension_numbers);
}

void check_window(const IndexedDims& d, const Aval& x, const Aval& updates) {
  const IntList kept = d.kept(x.ndim());
  if (kept.length() != d.window.length()) return;  // check_indexed says so
  for (std::int64_t i : d.window)
    if (i < 0 || i >= updates.ndim()) return;
  for (int i = 0; i < kept.length(); ++i)
    if (updates.shape[d.window[i]] > x.shape[kept[i]])
      throw TypeError(
          "Bounds of the window dimensions of updates must not exceed the bounds of the corresponding "
          "dimensions of operand in " +
          std::string(d.name) + " op: updates " + updates.str() + ", operand " + x.str());
}

void scatter_avals(const AbstractIn& in, AvalVec& out) {
  const Aval &x = in.in[0], &indices = in.in[1], &updates = in.in[2];
  const IndexedDims d = roles(in);
  check_dtype(d.name, kin_of(d.name).dtypes, x);
  if (x.dtype != updates.dtype)
    throw TypeError(std::string(d.name) + " requires operand and updates of one dtype, got " + x.str() + " and " +
                    updates.str());
  check_window(d, x, updates);
  const int batch = updates.ndim() - d.window.length();
  if (indices.ndim() > 0 && batch != indices.ndim() - 1)
    throw TypeError("Updates tensor must be of rank " + std::to_string(indices.ndim() - 1 + d.window.length()) +
                    " in " + d.name + " op; got " + std::to_string(updates.ndim()) + ".");
  check_indexed(d, x, indices, window_sizes(x.shape, updates.shape, in.params<ScatterParams>().dimension_numbers),
                updates.ndim());
  const IntList places = d.batch(updates.ndim());
  for (int i = 0; i < places.length(); ++i)
    if (updates.shape[places[i]] != indices.shape[i])
      throw TypeError("Updates scatter dimensions must be those of the indices in " + std::string(d.name) +
                      " op; got updates " + updates.str() + " for indices " + indices.str());
  out.push_back(x);
}

// --- derivatives ----------------------------------------------------------------------------------------------------------------
Array again(const EqnContext& c, const Array& x, const Array& indices, const Array& updates) {
  const Array in[] = {x, indices, updates};
  return c.primitive.bind1(c.params_ref, in);
}
// With the same windows: what stands there, 0 where nothing is written.
Array read_windows(const EqnContext& c, const Array& from, const Array& indices, const Shape& updates) {
  const auto& p = c.params<ScatterParams>();
  GatherScatterOptions o = p.options();
  if (o.mode == Mode::promise_in_bounds) o.mode = Mode::fill_or_drop;
  return gather(from, indices, gather_dims_of(p.dimension_numbers),
                window_sizes(from.shape(), updates, p.dimension_numbers), o, HostScalar(std::int64_t{0}));
}
Array write_windows(const EqnContext& c, const Primitive& how, const Array& x, const Array& indices,
                    const Array& updates) {
  const auto& p = c.params<ScatterParams>();
  return scatter(how, x, indices, updates, p.dimension_numbers, p.options());
}

void linear_jvp(const JvpIn& in, ArrayVec& out, TangentVec& tangents_out) {
  in.primitive.bind(in.params_ref, in.primals, out);
  const Tangent &x = in.tangents[0], &u = in.tangents[2];
  if (x.is_zero() && u.is_zero()) return tangents_out.push_back(Tangent::zero_of(out.back().aval()));
  tangents_out.push_back(again(in, instantiate(x), in.primals[1], instantiate(u)));
}

// Whether each element is written once at most. One index vector writes distinct elements.
bool writes_once(const EqnContext& c, const Shape& indices, const Shape& updates) {
  const auto& p = c.params<ScatterParams>();
  if (p.unique_indices || updates.size() == 0) return true;
  std::int64_t vectors = 1;
  for (int i = 0; i < indices.ndim() - 1; ++i)
    if (!p.dimension_numbers.scatter_indices_batching_dims.contains(i)) vectors *= indices[i];
  return vectors <= 1;
}

// For each update the product of what else is multiplied into its place: of the operand's element and the other updates there.
Array other_factors(const EqnContext& c, const Array& x, const Array& indices, const Array& updates) {
  const Shape& shape = updates.shape();
  const Array there = read_windows(c, x, indices, shape);
  if (writes_once(c, indices.shape(), shape)) return there;
  const DType index = x.size() > 0x7fffffff ? DType::int64 : DType::int32;
  const Array numbers = reshape(add(iota(index, Shape(x.size()), 0), scalar_int(index, 1)), x.shape());  // 0: outside
  const Array places = reshape(read_windows(c, numbers, indices, shape), Shape(updates.size()));
  return mul(there, reshape(products_of_others(reshape(updates, places.shape()), places), shape));
}

void scatter_mul_jvp(const JvpIn& in, ArrayVec& out, TangentVec& tangents_out) {
  in.primitive.bind(in.params_ref, in.primals, out);
  const Array &x = in.primals[0], &indices = in.primals[1], &updates = in.primals[2];
  Tangent sum = Tangent::zero_of(out.back().aval());
  if (!in.tangents[0].is_zero()) sum = add_tangents(sum, again(in, in.tangents[0].value(), indices, updates));
  if (!in.tangents[2].is_zero()) {
    const Array products = mul(in.tangents[2].value(), other_factors(in, x, indices, updates));
    sum = add_tangents(sum, write_windows(in, scatter_add_p, zeros_of(x.aval()), indices, products));
  }
  tangents_out.push_back(std::move(sum));
}

// Operand and updates that are equal to the result share its tangent evenly. Where nothing is written the operand has all of it,
// also if it is NaN; elsewhere NaN has none.
void scatter_extreme_jvp(const JvpIn& in, ArrayVec& out, TangentVec& tangents_out) {
  in.primitive.bind(in.params_ref, in.primals, out);
  const Array &x = in.primals[0], &indices = in.primals[1], &updates = in.primals[2], r = out.back();
  if (in.tangents[0].is_zero() && in.tangents[2].is_zero()) return tangents_out.push_back(Tangent::zero_of(r.aval()));
  const DType d = x.dtype();
  const Array here = full({updates.shape(), DType::bool_}, 1);
  const Array written = write_windows(in, scatter_p, full({x.shape(), DType::bool_}, 0), indices, here);
  const Array kept = convert_element_type(bit_or(eq(x, r), bit_not(written)), d),
              taken = convert_element_type(eq(updates, read_windows(in, r, indices, updates.shape())), d);
  const Array count = max(write_windows(in, scatter_add_p, kept, indices, taken), full({x.shape(), d}, 1));
  const Array sum = write_windows(in, scatter_add_p, mul(instantiate(in.tangents[0]), kept), indices,
                                  mul(instantiate(in.tangents[2]), taken));
  tangents_out.push_back(div(sum, count));
}

// The cotangent of updates: what their places got, for those that were not written over.
Array surviving(const TransposeIn& in, const Array& ct, const Array& indices, const Shape& updates) {
  const Array got = read_windows(in, ct, indices, updates);
  if (writes_once(in, indices.shape(), updates)) return got;
  const DType d = updates.size() > 0x7fffffff ? DType::int64 : DType::int32;
  const Array order = reshape(iota(d, Shape(updates.size()), 0), updates),
              last = write_windows(in, scatter_p, full({ct.shape(), d}, -1), indices, order);
  return select(eq(read_windows(in, last, indices, updates), order), got, zeros_of(got.aval()));
}

void scatter_transpose(const TransposeIn& in, TangentVec& out) {
  const Array &ct = in.cts[0].value(), &indices = in.args[1].value;
  const Aval &x = in.args[0].aval, &updates = in.args[2].aval;
  out.push_back(in.args[0].is_linear()
                    ? Tangent(write_windows(in, scatter_p, ct, indices, zeros_of({updates.shape, ct.dtype()})))
                    : Tangent::zero(x));
  out.push_back(Tangent::zero_of(in.args[1].aval));
  out.push_back(in.args[2].is_linear() ? Tangent(surviving(in, ct, indices, updates.shape)) : Tangent::zero(updates));
}

template <bool negative> void scatter_sum_transpose(const TransposeIn& in, TangentVec& out) {
  const Array &ct = in.cts[0].value(), &indices = in.args[1].value;
  out.push_back(in.args[0].is_linear() ? Tangent(ct) : Tangent::zero(in.args[0].aval));
  out.push_back(Tangent::zero_of(in.args[1].aval));
  const Aval& updates = in.args[2].aval;
  if (!in.args[2].is_linear()) return out.push_back(Tangent::zero(updates));
  const Array got = read_windows(in, ct, indices, updates.shape);
  out.push_back(negative ? neg(got) : got);
}

void scatter_mul_transpose(const TransposeIn& in, TangentVec& out) {
  const Array &ct = in.cts[0].value(), &indices = in.args[1].value;
  const LinearOperand &x = in.args[0], &updates = in.args[2];
  if (x.is_linear() && updates.is_linear()) throw TypeError("scatter-mul of two linear values is not linear");
  out.push_back(x.is_linear() ? Tangent(again(in, ct, indices, updates.value)) : Tangent::zero(x.aval));
  out.push_back(Tangent::zero_of(in.args[1].aval));
  if (!updates.is_linear()) return out.push_back(Tangent::zero(updates.aval));
  if (!writes_once(in, indices.shape(), updates.aval.shape))
    throw TypeError("scatter-mul is not linear in updates that meet at one place");
  out.push_back(read_windows(in, mul(ct, x.value), indices, updates.aval.shape));
}

// --- batches ----------------------------------------------------------------------------------------------------------------------
// Shared indices: a larger window. Else a batching dimension of all three.
void scatter_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  ScatterParams p = in.params<ScatterParams>();
  ScatterDims& d = p.dimension_numbers;
  ArrayVec args(in.args);
  const bool indices = in.dims[1] != not_mapped;
  for (std::size_t i : {0u, 2u}) args[i] = with_batch_front(args[i], in.dims[i], in.axis_size);
  if (indices) args[1] = move_axis(args[1], in.dims[1], 0);
  for (IntList* l :
       {&d.update_window_dims, &d.inserted_window_dims, &d.scatter_dims_to_operand_dims, &d.operand_batching_dims})
    shift_all(*l);
  if (indices) {
    shift_all(d.scatter_indices_batching_dims);
    d.operand_batching_dims.insert(0, 0), d.scatter_indices_batching_dims.insert(0, 0);
    p.indices_are_sorted = false;
  } else {
    d.update_window_dims.insert(0, 0);
  }
  out.push_back(in.primitive.bind1(make_params(std::move(p)), args));
  out_dims.push_back(0);
}

void scatter_checks(const ChecksIn& in, std::vector<Check>& out) {
  const auto& d = in.params<ScatterParams>().dimension_numbers;
  out.push_back(index_check(in.in[0].shape(), in.in[1], d.scatter_dims_to_operand_dims,
                            window_sizes(in.in[0].shape(), in.in[2].shape(), d)));
}

// --- evaluation -----------------------------------------------------------------------------------------------------------------
void scatter_emit(const EmitIn& in, kernel::Plan& plan) {
  const auto& p = in.params<ScatterParams>();
  const Aval &x = in.in[0], &updates = in.in[2];
  if (x.size() == 0) return;
  emit_copy_all(plan, 0, 3, x.dtype, x.size());
  if (updates.size() == 0) return;
  const DType moved = moved_as(x.dtype);
  kernel::IndexedParams loops =
      indexed_params(roles(in), x.shape, in.in[1].shape, window_sizes(x.shape, updates.shape, p.dimension_numbers),
                     updates.shape, p.mode, false);
  loops.combiner = static_cast<int>(kin_of(in.primitive.name).combiner);
  kernel::LibraryCall c;
  c.op = kernel::LibraryOp::scatter;
  c.inputs = {{1, in.in[1].dtype, 0}, {2, moved, 0}};
  c.outputs = {{3, moved, 0}};
  c.params = loops.encode();
  plan.steps.emplace_back(std::move(c));
}

// Windows that do not lie inside are moved inside, or so far out that no element of theirs is written.
HloValue scatter_vectors(HloWriter& w, const HloIn& in) {
  const auto& p = in.params<ScatterParams>();
  const Shape& shape = in.in[0].shape;
  const IndexedDims d = roles(in);
  const HloIndices i =
      hlo_index_vectors(w, d, in.operands[1], shape, window_sizes(shape, in.in[2].shape, p.dimension_numbers));
  const HloType& t = i.vectors.type;
  if (t.shape.back() == 0) return i.vectors;
  if (p.mode == Mode::clip) return w.op("stablehlo.clamp", {w.constant(t, 0.0), i.vectors, i.highest}, t);
  const HloValue inside = w.broadcast(hlo_inside(w, i), t.shape, IntList::range(t.shape.ndim() - 1));
  std::int64_t outside = 0;
  for (std::int64_t dim : d.map) outside = std::max(outside, shape[dim]);
  return w.select(inside, i.vectors, w.constant(t, HostScalar(outside, t.dtype)));
}

void scatter_write(const HloIn& in, HloWriter& w, HloValues& results) {
  const auto& p = in.params<ScatterParams>();
  const ScatterDims& d = p.dimension_numbers;
  const Combiner how = kin_of(in.primitive.name).combiner;
  const HloValue& x = in.operands[0];
  if (in.in[2].size() == 0) return results.push_back(x);
  const HloValue vectors = scatter_vectors(w, in);
  const HloValue updates = how == Combiner::sub ? w.unary("stablehlo.negate", in.operands[2]) : in.operands[2];
  const auto combine = [&](HloWriter::Operands a, HloValues& r) {
    switch (how) {
      case Combiner::set: return r.push_back(a[1]);
      case Combiner::add:
      case Combiner::sub: return r.push_back(w.binary("stablehlo.add", a[0], a[1]));
      case Combiner::mul: return r.push_back(w.binary("stablehlo.multiply", a[0], a[1]));
      case Combiner::min: return r.push_back(hlo_extremum(w, "min", a[0], a[1]));
      case Combiner::max: return r.push_back(hlo_extremum(w, "max", a[0], a[1]));
    }
  };
  const HloType element({}, x.type.dtype), elements[] = {element, element};
  const HloWriter::Region region{elements, combine};
  const HloValue operands[] = {x, vectors, updates};
  const std::string numbers = "#stablehlo.scatter<update_window_dims = " + hlo_list(d.update_window_dims) +
                              ", inserted_window_dims = " + hlo_list(d.inserted_window_dims) +
                              ", input_batching_dims = " + hlo_list(d.operand_batching_dims) +
                              ", scatter_indices_batching_dims = " + hlo_list(d.scatter_indices_batching_dims) +
                              ", scatter_dims_to_operand_dims = " + hlo_list(d.scatter_dims_to_operand_dims) +
                              ", index_vector_dim = " + std::to_string(vectors.type.shape.ndim() - 1) + ">";
  results.push_back(w.op_with_regions("stablehlo.scatter", operands, {&region, 1}, {&x.type, 1},
                                      "scatter_dimension_numbers = " + numbers + ", " +
                                          hlo_flag("indices_are_sorted", p.indices_are_sorted) + ", " +
                                          hlo_flag("unique_indices", p.unique_indices))[0]);
}

Sample scatter_sample(ScatterDims d, Shape x, Shape indices, Shape updates, Mode mode = Mode::fill_or_drop,
                      DType t = f32, DType i = DType::int32, bool unique = false) {
  return {make_params(ScatterParams{std::move(d), false, mode, unique, {}}),
          {{std::move(x), t}, {std::move(indices), i}, {std::move(updates), t}}};
}

// Index vectors that may meet.
std::vector<Sample> scatter_samples() {
  const auto s = scatter_sample;
  return {s({{}, {0}, {0}, {}, {}}, {5}, {6, 1}, {6}, Mode::clip, f32, DType::int32, false),
          s({{}, {0}, {0}, {}, {}}, {5}, {6, 1}, {6}, Mode::fill_or_drop, f32, DType::int32, false),
          s({{1}, {0}, {0}, {}, {}}, {4, 3}, {6, 1}, {6, 3}, Mode::promise_in_bounds, f32, DType::int64, false),
          s({{0}, {1}, {1}, {}, {}}, {3, 5}, {7, 1}, {3, 7}, Mode::fill_or_drop, f32, DType::int8, false),
          s({{}, {0, 1}, {1, 0}, {}, {}}, {4, 5}, {2, 3, 2}, {2, 3}, Mode::clip, f32, DType::int32, false),
          s({{0, 2}, {}, {0}, {}, {}}, {6, 3}, {4, 1}, {2, 4, 3}, Mode::clip, f32, DType::int32, false),
          s({{1}, {}, {0}, {}, {}}, {5}, {3, 1}, {3, 3}, Mode::clip, f32, DType::int32, false),
          s({{1}, {0}, {0, 2}, {1}, {0}}, {3, 4, 5}, {4, 2}, {4, 2}, Mode::clip, f32, DType::int32, false),
          s({{}, {1}, {1}, {0}, {0}}, {3, 7}, {3, 5, 1}, {3, 5}, Mode::fill_or_drop, f32, DType::int32, false),
          s({{0}, {}, {}, {}, {}}, {3}, {0}, {2}, Mode::clip, f32, DType::int32, false),
          s({{}, {0}, {0}, {}, {}}, {4}, {0, 1}, {0}, Mode::clip, f32, DType::int32, false),
          s({{1}, {}, {0}, {}, {}}, {0}, {2, 1}, {2, 0}, Mode::clip, f32, DType::int32, false),
          s({{}, {0}, {0}, {}, {}}, {3}, {8, 1}, {8}, Mode::clip, DType::int32, DType::uint8, false),
          s({{}, {0}, {0}, {}, {}}, {3}, {8, 1}, {8}, Mode::clip, DType::uint8, DType::uint64, false),
          s({{}, {0}, {0}, {}, {}}, {3}, {5, 1}, {5}, Mode::clip, DType::float16, DType::int32, false),
          s({{}, {0}, {0}, {}, {}}, {3}, {5, 1}, {5}, Mode::clip, DType::bfloat16, DType::int32, false),
          s({{1}, {0}, {0}, {}, {}}, {4, 2}, {5, 1}, {5, 2}, Mode::clip, DType::float64, DType::int32, false),
          s({{1}, {0}, {0}, {}, {}}, {4, 2}, {5, 1}, {5, 2}, Mode::clip, DType::complex64, DType::int32, false)};
}

// Index vectors that are known not to meet, or that must: by those that may or may not a product is linear, or is not.
std::vector<Sample> scatter_mul_samples() {
  const auto s = scatter_sample;
  std::vector<Sample> v{s({{}, {0}, {0}, {}, {}}, {8}, {3, 1}, {3}, Mode::fill_or_drop, f32, DType::int32, true),
                        s({{1}, {0}, {0}, {}, {}}, {8, 2}, {3, 1}, {3, 2}, Mode::fill_or_drop, f32, DType::int64, true),
                        s({{0, 1}, {}, {0}, {}, {}}, {6, 2}, {1}, {2, 2}, Mode::clip, f32, DType::int32, false),
                        s({{0}, {}, {}, {}, {}}, {3}, {0}, {2}, Mode::clip, f32, DType::int32, false),
                        s({{1}, {}, {0}, {}, {}}, {0}, {2, 1}, {2, 0}, Mode::clip, f32, DType::int32, false),
                        s({{}, {0}, {0}, {}, {}}, {5}, {6, 1}, {6}, Mode::clip, f32, DType::int32, false),
                        s({{0}, {1}, {1}, {}, {}}, {3, 5}, {7, 1}, {3, 7}, Mode::fill_or_drop, f32, DType::int8, false),
                        s({{}, {1}, {1}, {0}, {0}}, {3, 4}, {3, 5, 1}, {3, 5}, Mode::clip, f32, DType::int32, false)};
  for (Sample& e : scatter_samples())
    if (!is_inexact(e.in[0].dtype)) v.push_back(std::move(e));
  for (DType d : {DType::float64, DType::complex128, DType::bfloat16})
    v.push_back(s({{0}, {}, {0}, {}, {}}, {6}, {1}, {3}, Mode::clip, d, DType::int32, false));
  return v;
}

}  // namespace

Shape window_sizes(const Shape& operand, const Shape& updates, const ScatterDims& d) {
  Shape sizes;
  int window = 0;
  const auto next = [&]() -> std::int64_t {  // 0 for dimensions that updates lack: checks come later
    const std::int64_t i = window < d.update_window_dims.length() ? d.update_window_dims[window++] : -1;
    return i >= 0 && i < updates.ndim() ? updates[i] : 0;
  };
  for (int i = 0; i < operand.ndim(); ++i) {
    const bool dropped = d.inserted_window_dims.contains(i) || d.operand_batching_dims.contains(i);
    sizes.push_back(dropped ? std::min<std::int64_t>(1, operand[i]) : next());
  }
  return sizes;
}

#define COTAN_SCATTER(NAME, TEXT, JVP, TRANSPOSE, SAMPLES, DOC)                                                       \
  constinit const Primitive NAME {                                                                                    \
    .name = TEXT,                                                                                                     \
    .doc = DOC                                                                                                        \
        " The windows of the updates (their update_window_dims; inserted_window_dims of "                             \
        "the operand are left out) stand at the index vectors, as in gather. A window "                               \
        "that does not lie inside is left out, or moved inside (clip). Applied in the "                               \
        "order of the indices. TypeError where dimensions or dtypes do not fit.",                                     \
    .kind = Kind::indexing, .operands = 3, .params = &params_ops<ScatterParams>, .abstract_eval = scatter_avals,      \
    .jvp = JVP, .transpose = TRANSPOSE, .batching = scatter_batching, .checks = scatter_checks, .emit = scatter_emit, \
    .stablehlo = scatter_write, .inplace_operand = 0, .samples = SAMPLES                                              \
  }
COTAN_SCATTER(scatter_p, "scatter", linear_jvp, scatter_transpose, scatter_samples,
              "The operand with windows replaced by updates; where several meet, the last counts. Any dtype.");
COTAN_SCATTER(scatter_add_p, "scatter-add", linear_jvp, scatter_sum_transpose<false>, scatter_samples,
              "The operand with updates added. Numbers.");
COTAN_SCATTER(scatter_sub_p, "scatter-sub", linear_jvp, scatter_sum_transpose<true>, scatter_samples,
              "The operand with updates subtracted. Numbers.");
COTAN_SCATTER(scatter_mul_p, "scatter-mul", scatter_mul_jvp, scatter_mul_transpose, scatter_mul_samples,
              "The operand with updates multiplied in. Numbers.");
COTAN_SCATTER(scatter_min_p, "scatter-min", scatter_extreme_jvp, not_linear, scatter_samples,
              "The smaller of operand and updates; NaN wins. Numbers and bools.");
COTAN_SCATTER(scatter_max_p, "scatter-max", scatter_extreme_jvp, not_linear, scatter_samples,
              "The larger of operand and updates; NaN wins. Numbers and bools.");
#undef COTAN_SCATTER

Array scatter(const Primitive& how, const Array& x, const Array& indices, const Array& updates, const ScatterDims& dims,
              const GatherScatterOptions& o) {
  const Array in[] = {x, indices, updates};
  return how.bind1(make_params(ScatterParams{dims, o.indices_are_sorted, o.mode, o.unique_indices,
                                             update_jaxpr(kin_of(how.name), x.dtype())}),
                   in);
}

void register_scatter() {
  for (const Primitive* p :
       {&scatter_p, &scatter_add_p, &scatter_sub_p, &scatter_mul_p, &scatter_min_p, &scatter_max_p})
    register_primitive(*p);
}

}  // namespace cotan::ops

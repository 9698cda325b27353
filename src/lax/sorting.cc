// lax: sorting, cumulative operations, bits, scans.
#include <algorithm>
#include <functional>

#include "api/function_table.h"
#include "control/reduce.h"
#include "core/jaxpr.h"
#include "cotan/lax.h"
#include "lax/operands.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/reduction.h"
#include "ops/sorting.h"
#include "ops/structural.h"

namespace cotan::lax {

Array sort(const Array& x, int dimension, const SortOptions& o) {
  COTAN_API;
  return ops::sort({&x, 1}, canonical_axis("sort", dimension, x.ndim()), o.num_keys, o.is_stable)[0];
}
std::vector<Array> sort_operands(const std::vector<Array>& xs, int dimension, const SortOptions& o) {
  COTAN_API;
  if (xs.empty()) throw TypeError("sort requires at least one operand, got none");
  return ops::sort(xs, canonical_axis("sort", dimension, xs[0].ndim()), o.num_keys, o.is_stable);
}
KeysAndValues sort_key_val(const Array& keys, const Array& values, int dimension, const SortStableOptions& o) {
  COTAN_API;
  const Array both[] = {keys, values};
  const std::vector<Array> r = ops::sort(both, canonical_axis("sort_key_val", dimension, keys.ndim()), 1, o.is_stable);
  return {r[0], r[1]};
}

TopK top_k(const Array& x, std::int64_t k, const TopKOptions& o) {
  COTAN_API;
  if (is_complex(x.dtype())) throw ValueError("top_k does not order complex numbers, got " + x.aval().str());
  if (k < 0) throw ValueError("k argument to top_k must be nonnegative, got " + std::to_string(k));
  const auto [values, indices] = ops::top_k(x, k, canonical_axis("top_k", o.axis, x.ndim()));
  return {values, indices};
}

namespace {
TopK approx_k(const Array& x, std::int64_t k, int dimension, const ApproxOptions& o, bool is_max) {
  if (x.ndim() > 0 && (dimension < -x.ndim() || dimension >= x.ndim()))
    throw IndexError("approx_top_k: axis " + std::to_string(dimension) + " is out of bounds for " + x.aval().str());
  const auto [values, indices] = ops::approx_top_k(
      x, {k, is_max, dimension, o.recall_target, o.reduction_input_size_override, o.aggregate_to_topk});
  return {values, indices};
}
}  // namespace
TopK approx_max_k(const Array& x, std::int64_t k, int dimension, const ApproxOptions& o) {
  COTAN_API;
  return approx_k(x, k, dimension, o, true);
}
TopK approx_min_k(const Array& x, std::int64_t k, int dimension, const ApproxOptions& o) {
  COTAN_API;
  return approx_k(x, k, dimension, o, false);
}

#define COTAN_CUMULATIVE(NAME)                         \
  Array NAME(const Array& x, int axis, bool reverse) { \
    COTAN_API;                                         \
    return ops::NAME(x, axis, reverse);                \
  }
COTAN_CUMULATIVE(cumsum)
COTAN_CUMULATIVE(cumprod)
COTAN_CUMULATIVE(cummax)
COTAN_CUMULATIVE(cummin)
COTAN_CUMULATIVE(cumlogsumexp)
#undef COTAN_CUMULATIVE

Array clz(const Array& x) {
  COTAN_API;
  return ops::clz(x);
}
Array population_count(const Array& x) {
  COTAN_API;
  return ops::population_count(x);
}
Array nextafter(const Array& x, const Array& y) {
  COTAN_API;
  return ops::nextafter(with_dtype_of(x, y), with_dtype_of(y, x));
}
Array mulhi(const Array& x, const Array& y) {
  COTAN_API;
  return ops::mulhi(with_dtype_of(x, y), with_dtype_of(y, x));
}
Array reduce_precision(const Array& x, int exponent_bits, int mantissa_bits) {
  COTAN_API;
  return ops::reduce_precision(x, exponent_bits, mantissa_bits);
}

std::vector<Array> split(const Array& x, const IntList& sizes, int axis) {
  COTAN_API;
  return ops::split(x, sizes, canonical_axis("split", axis, x.ndim()));
}

Array collapse(const Array& x, int start, std::optional<int> stop) {
  COTAN_API;
  const Shape& shape = x.shape();
  const int n = x.ndim();
  const auto bound = [n](int i) { return std::clamp(i < 0 ? i + n : i, 0, n); };  // as Python's slices
  const int first = bound(start), last = stop ? bound(*stop) : n;
  if (last < first)
    throw ValueError("Invalid dimension range passed to collapse: " + shape.str() + "[" + std::to_string(start) + ":" +
                     std::to_string(stop.value_or(n)) + "]");
  Shape r;
  std::int64_t joined = 1;
  for (int i = 0; i < n; ++i) {
    if (i == first) r.push_back(1);
    if (i >= first && i < last) joined = r[first] *= shape[i];
    else r.push_back(shape[i]);
  }
  if (first == n) r.push_back(joined);
  return ops::reshape(x, r);
}

Array broadcast_to_rank(const Array& x, int rank) {
  COTAN_API;
  return rank <= x.ndim() ? x : ops::expand_dims(x, IntList::range(rank - x.ndim()));
}

// --- associative_scan ---------------------------------------------------------------------------------------------------------
namespace {

using Arrays = std::vector<Array>;

Arrays each(const Arrays& xs, const std::function<Array(const Array&)>& f) {
  Arrays r;
  for (const Array& x : xs) r.push_back(f(x));
  return r;
}
Arrays part(const Arrays& xs, std::int64_t first, std::int64_t last, std::int64_t step, int axis) {
  return each(xs, [&](const Array& x) { return ops::slice_in_dim(x, first, last, step, axis); });
}

// a0 b0 a1 b1 ...: both spread out over zeros, and added.
Array interleave(const Array& a, const Array& b, int axis) {
  const std::int64_t n = a.shape()[axis], m = b.shape()[axis];
  const auto spread = [&](const Array& x, std::int64_t low, std::int64_t high) {
    std::vector<ops::PadDim> config(static_cast<std::size_t>(x.ndim()), {0, 0, 0});
    config[static_cast<std::size_t>(axis)] = {low, high, 1};
    return ops::pad(x, ops::scalar_int(x.dtype(), 0), config);
  };
  const Array x = spread(a, 0, n == m), y = spread(b, 1, n != m);
  return x.dtype() == DType::bool_ ? ops::bit_or(x, y) : ops::add(x, y);
}

// Neighbours combined have half as many prefixes: every second of those sought, from which those between follow.
Arrays scan_prefixes(const detail::ListFn& f, const Arrays& elems, int axis) {
  const std::int64_t n = elems[0].shape()[axis];
  if (n < 2) return elems;
  const Arrays first = part(elems, 0, n - 1, 2, axis), second = part(elems, 1, n, 2, axis);
  const Arrays pairs = f(first, second);
  const Arrays odd = scan_prefixes(f, pairs, axis);
  const Arrays left = n % 2 ? odd : part(odd, 0, odd[0].shape()[axis] - 1, 1, axis), right = part(elems, 2, n, 2, axis);
  const Arrays rest = f(left, right);
  Arrays result;
  for (std::size_t i = 0; i < elems.size(); ++i) {
    const Array even[] = {ops::slice_in_dim(elems[i], 0, 1, 1, axis), rest[i]};
    result.push_back(interleave(ops::concatenate(even, axis), odd[i], axis));
  }
  return result;
}

}  // namespace

std::vector<Array> detail::associative_scan(const ListFn& f, const Arrays& elems, bool reverse, int axis) {
  COTAN_API;
  if (elems.empty()) throw ValueError("associative_scan needs an array, got none");
  const int a = canonical_axis("associative_scan", axis, elems[0].ndim());
  std::string shapes;
  for (const Array& x : elems) shapes += (shapes.empty() ? "" : ", ") + x.shape().str();
  for (const Array& x : elems)
    if (x.ndim() <= a || x.shape()[a] != elems[0].shape()[a])
      throw ValueError("associative_scan: the arrays must have the same size along axis " + std::to_string(a) +
                       ", got shapes " + shapes);
  const auto turn = [&](const Array& x) { return ops::rev(x, {a}); };
  if (!reverse) return scan_prefixes(f, elems, a);
  return each(scan_prefixes(f, each(elems, turn), a), turn);
}

// --- reduce ---------------------------------------------------------------------------------------------------------------------
namespace {

using Reduction = Array (*)(const Array&, const IntList&);

// The reduction that a program of one equation is, if it starts from that reduction's identity.
Reduction known_reduction(const Jaxpr& j, const Array& init) {
  if (j.eqns.size() != 1 || j.outvars.size() != 1 || !is_concrete(init) || is_complex(init.dtype())) return nullptr;
  const auto in = j.inputs(j.eqns[0]);
  const bool plain = in.size() == 2 && !in[0].is_literal() && !in[1].is_literal() && in[0].var().id == j.invars[0].id &&
                     in[1].var().id == j.invars[1].id && !j.outvars[0].is_literal() &&
                     j.outvars[0].var().id == j.outputs(j.eqns[0])[0].var().id;
  if (!plain) return nullptr;
  const DType d = init.dtype();
  const Shape none(0);
  const struct {
    const char* name;
    Reduction run;
  } known[] = {{"add", ops::reduce_sum}, {"mul", ops::reduce_prod}, {"max", ops::reduce_max}, {"min", ops::reduce_min},
               {"and", ops::reduce_and}, {"or", ops::reduce_or},    {"xor", ops::reduce_xor}};
  for (const auto& k : known) {
    if (j.eqns[0].primitive->name != std::string_view(k.name)) continue;
    CurrentTrace evaluating(nullptr);
    const Array identity = k.run(ops::broadcast_to_shape(ops::scalar_int(d, 0), none), {0});
    return ops::eq(identity, init).item<bool>() ? k.run : nullptr;
  }
  return nullptr;
}

}  // namespace

Arrays detail::reduce(const Arrays& operands, const Arrays& init_values, const ListFn& f, const IntList& dimensions) {
  COTAN_API;
  if (operands.empty() || operands.size() != init_values.size())
    throw ValueError("reduce: operands must have the same tree structure as init_values, got " +
                     std::to_string(operands.size()) + " and " + std::to_string(init_values.size()) + " arrays");
  const std::size_t n = operands.size();
  Arrays inits;
  std::vector<Aval> scalars;
  for (std::size_t i = 0; i < 2 * n; ++i) {
    const Array& x = operands[i % n];
    if (i < n) inits.push_back(to_dtype(with_dtype_of(init_values[i], x), x.dtype(), false));
    scalars.push_back({Shape(), x.dtype(), false});
    if (i < n && inits[i].ndim() != 0)
      throw ValueError("reduce found non-scalar initial value: " + inits[i].shape().str());
  }
  const ClosedJaxpr program = flat_make_jaxpr(
      [&](const Arrays& x) {
        const auto half = x.begin() + static_cast<std::ptrdiff_t>(n);
        return f(Arrays(x.begin(), half), Arrays(half, x.end()));
      },
      scalars);
  if (!program.consts().empty())
    throw NotImplementedError(
        "reduce: a computation that refers to arrays other than its arguments is not implemented");
  if (n == 1)
    if (const Reduction known = known_reduction(program.jaxpr(), inits[0])) return {known(operands[0], dimensions)};
  return bind_reduce(operands, inits, program, dimensions);
}

// --- table ------------------------------------------------------------------------------------------------------------------------
namespace {

using table::Value;

Value call_sort(const table::Call& call) {
  const SortOptions o{call.get<bool>("is_stable"), call.get<int>("num_keys")};
  const int dimension = call.get<int>("dimension");
  if (!call["operand"].is_sequence()) return sort(call.get<Array>("operand"), dimension, o);
  return Value::tuple(table::to_value(sort_operands(call.get<std::vector<Array>>("operand"), dimension, o)).items());
}
Value list(const TopK& r) { return Value::list({r.values, r.indices}); }
Value call_top_k(const table::Call& call) {
  return list(top_k(call.get<Array>("operand"), call.get<std::int64_t>("k"), {call.get<int>("axis")}));
}
template <TopK (*f)(const Array&, std::int64_t, int, const ApproxOptions&)> Value call_approx(const table::Call& call) {
  return list(f(call.get<Array>("operand"), call.get<std::int64_t>("k"), call.get<int>("reduction_dimension"),
                {call.get<double>("recall_target"), call.get<std::int64_t>("reduction_input_size_override"),
                 call.get<bool>("aggregate_to_topk")}));
}
using Combine = std::function<Array(const Array&, const Array&)>;
Value call_reduce(const table::Call& call) {
  const IntList dimensions = call.get<IntList>("dimensions");
  return reduce(call.get<Array>("operands"), call.get<Array>("init_values"), call.get<Combine>("computation"),
                dimensions);
}
Value call_associative_scan(const table::Call& call) {
  return associative_scan(call.get<Combine>("fn"), call.get<Array>("elems"), call.get<bool>("reverse"),
                          call.get<int>("axis"));
}
Value call_sort_key_val(const table::Call& call) {
  const KeysAndValues r = sort_key_val(call.get<Array>("keys"), call.get<Array>("values"), call.get<int>("dimension"),
                                       {call.get<bool>("is_stable")});
  return Value::tuple({r.keys, r.values});
}

}  // namespace

const FunctionTable sorting_table{
    "lax",
    {
        function<call_sort>("sort(operand, dimension=-1, is_stable=True, num_keys=1)",
                            "Arrays along an axis, in the order of the first num_keys of them."),
        function<call_sort_key_val>("sort_key_val(keys, values, dimension=-1, is_stable=True)",
                                    "Keys in order, and the values that go with them."),
        function<call_top_k>("top_k(operand, k, *, axis=-1)", "The k largest along an axis, and their places."),
        function<call_approx<approx_max_k>>("approx_max_k(operand, k, reduction_dimension=-1, recall_target=0.95, "
                                            "reduction_input_size_override=-1, aggregate_to_topk=True)",
                                            "The k largest floats along an axis, and their places."),
        function<call_approx<approx_min_k>>("approx_min_k(operand, k, reduction_dimension=-1, recall_target=0.95, "
                                            "reduction_input_size_override=-1, aggregate_to_topk=True)",
                                            "The k smallest floats along an axis, and their places."),
        function<cumsum>("cumsum(operand, axis=0, reverse=False)", "Sum of each element and those before it."),
        function<cumprod>("cumprod(operand, axis=0, reverse=False)", "Product of each element and those before it."),
        function<cummax>("cummax(operand, axis=0, reverse=False)", "Largest of each element and those before it."),
        function<cummin>("cummin(operand, axis=0, reverse=False)", "Smallest of each element and those before it."),
        function<cumlogsumexp>("cumlogsumexp(operand, axis=0, reverse=False)",
                               "log of the sum of exponentials of each element and those before it."),
        function<call_associative_scan>(
            "associative_scan(fn, elems, reverse=False, axis=0)",
            "All prefixes combined by an associative function, in a logarithmic number of steps."),
        function<call_reduce>("reduce(operands, init_values, computation, dimensions, out_sharding=None)",
                              "Elements combined over dimensions by an associative function."),
        function<clz>("clz(x)", "Zero bits above the highest bit that is set."),
        function<population_count>("population_count(x)", "Bits that are set."),
        function<nextafter>("nextafter(x1, x2)", "The float beside x1 towards x2."),
        function<mulhi>("mulhi(x, y, /)", "The high half of the product of integers."),
        function<reduce_precision>("reduce_precision(operand, exponent_bits, mantissa_bits)",
                                   "Floats rounded to fewer bits."),
        function<split>("split(operand, sizes, axis=0)", "Parts of the sizes along an axis."),
        function<collapse>("collapse(operand, start_dimension, stop_dimension=None)", "Several axes as one."),
        function<broadcast_to_rank>("broadcast_to_rank(x, rank)", "New leading axes of size 1."),
    }};

}  // namespace cotan::lax

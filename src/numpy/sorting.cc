// numpy: sorting and searching.
#include "api/function_table.h"
#include "numpy/order.h"

namespace cotan::numpy {

namespace {

struct Row {
  Array x;
  int axis;
};
// The array and the axis to sort along: flattened where axis is none.
Row row_of(const char* function, const Array& a, const Axes& axis) {
  if (axis.all()) return {ops::reshape(a, Shape(a.size())), 0};
  return {a, one_axis(function, axis, a.ndim())};
}
std::uint64_t key_of(int axis, bool a, bool b) { return static_cast<std::uint64_t>(axis) * 4 + a * 2 + b; }

void check_size(const char* function, const Array& a, int axis, int kth, std::int64_t n) {
  if (kth < -n || kth >= n)
    throw ValueError(std::string(function) + ": kth=" + std::to_string(kth) + " is out of bounds for axis " +
                     std::to_string(axis) + " of shape " + a.shape().str());
}

}  // namespace

Array sort(const Array& a, const Axes& axis, const SortOptions& o) {
  COTAN_API;
  const int flat = axis.all() ? 0 : one_axis("sort", axis, a.ndim());
  const auto body = [&](const Array& x) {
    const Row r = axis.all() ? row_of("sort", x, axis) : Row{x, flat};
    const Array sorted = ops::sort(r.x, r.axis, o.stable);
    return o.descending ? ops::rev(sorted, {r.axis}) : sorted;
  };
  return named_jit(
      "sort", [&](const Arrays& x) { return Arrays{body(x[0])}; }, {a},
      combine_key(axis.all(), key_of(flat, o.stable, o.descending)))[0];
}

// Descending: what is turned round is sorted and turned round again, so that equal elements keep their order.
Array argsort(const Array& a, const Axes& axis, const ArgsortOptions& o) {
  COTAN_API;
  const int flat = axis.all() ? 0 : one_axis("argsort", axis, a.ndim());
  const DType index = default_int_dtype();
  const auto body = [&](const Array& x) {
    const Row r = axis.all() ? row_of("argsort", x, axis) : Row{x, flat};
    Array operands[] = {r.x, positions(index, r.x.shape(), r.axis)};
    const bool turn = o.descending && o.stable;
    if (turn)
      for (Array& operand : operands) operand = ops::rev(operand, {r.axis});
    const Array sorted = ops::sort(operands, r.axis, 1, o.stable)[1];
    return o.descending ? ops::rev(sorted, {r.axis}) : sorted;
  };
  const Array r = named_jit(
      "argsort", [&](const Arrays& x) { return Arrays{body(x[0])}; }, {a},
      combine_key(axis.all(), key_of(flat, o.stable, o.descending)))[0];
  return o.dtype ? to_dtype(r, canonical_dtype(*o.dtype), false) : r;
}

Array lexsort(const std::vector<Array>& keys, int axis) {
  COTAN_API;
  if (keys.empty()) throw TypeError("lexsort needs a sequence of keys with at least one, got none");
  for (const Array& k : keys)
    if (!(k.shape() == keys[0].shape()))
      throw ValueError("lexsort: all keys need to be the same shape, got " + k.shape().str() + " and " +
                       keys[0].shape().str());
  const DType index = default_int_dtype();
  if (keys[0].ndim() == 0) return ops::scalar_int(index, 0);
  const int along = canonical_axis("lexsort", axis, keys[0].ndim());
  return named_jit(
      "lexsort",
      [&](const Arrays& k) {
        Arrays operands(k.rbegin(), k.rend());
        operands.push_back(positions(index, k[0].shape(), along));
        return Arrays{ops::sort(operands, along, static_cast<int>(k.size())).back()};
      },
      keys, static_cast<std::uint64_t>(along))[0];
}

namespace {
// The k smallest, in ascending order.
ops::Largest smallest(const Array& x, std::int64_t k, int axis) {
  const bool integer = is_integer(x.dtype());
  const ops::Largest r = ops::top_k(integer ? ops::bit_not(x) : ops::neg(x), k, axis);
  return {integer ? ops::bit_not(r.values) : ops::neg(r.values), r.indices};
}
// Where a partition cuts: the axis, its size, and the position that the elements are on either side of.
struct Cut {
  int axis;
  std::int64_t n, k;
  std::uint64_t key() const { return combine_key(static_cast<std::uint64_t>(axis), static_cast<std::uint64_t>(k)); }
};
Cut cut_of(const char* function, const Array& a, int kth, int axis) {
  if (is_complex(a.dtype()))
    throw NotImplementedError(std::string(function) + " of complex numbers is not implemented, got " + a.aval().str());
  if (!is_integer(a.dtype()) && !is_floating(a.dtype()))
    throw TypeError(std::string(function) + " does not accept dtype " + dtype_name(a.dtype()));
  const int along = canonical_axis(function, axis, a.ndim());
  const std::int64_t n = a.shape()[along];
  check_size(function, a, along, kth, n);
  return {along, n, kth < 0 ? kth + n : kth};
}
}  // namespace

Array partition(const Array& a, int kth, int axis) {
  COTAN_API;
  const Cut c = cut_of("partition", a, kth, axis);
  return named_jit(
      "partition",
      [&](const Arrays& x) {
        const Array parts[] = {smallest(x[0], c.k + 1, c.axis).values, ops::top_k(x[0], c.n - c.k - 1, c.axis).values};
        return Arrays{ops::concatenate(parts, c.axis)};
      },
      {a}, c.key())[0];
}

// The places of the rest are in ascending order.
Array argpartition(const Array& a, int kth, int axis) {
  COTAN_API;
  const Cut c = cut_of("argpartition", a, kth, axis);
  return named_jit(
      "argpartition",
      [&](const Arrays& x) {
        const Array places = smallest(x[0], c.n, c.axis).indices;
        const Array parts[] = {ops::slice_in_dim(places, 0, c.k + 1, 1, c.axis),
                               ops::sort(ops::slice_in_dim(places, c.k + 1, c.n, 1, c.axis), c.axis)};
        return Arrays{ops::concatenate(parts, c.axis)};
      },
      {a}, c.key())[0];
}

Array sort_complex(const Array& a) {
  COTAN_API;
  const int last = canonical_axis("sort_complex", -1, a.ndim());
  const DType wide = is_complex(a.dtype())       ? a.dtype()
                     : item_size(a.dtype()) == 8 ? DType::complex128
                                                 : DType::complex64;
  return jitted("sort_complex", [=](const Arrays& x) { return to_dtype(ops::sort(x[0], last), wide, false); }, {a});
}

// --- searching ------------------------------------------------------------------------------------------------------------------
namespace {

void check_side(std::string_view side) {
  if (side != "left" && side != "right")
    throw ValueError("searchsorted: invalid argument side='" + std::string(side) + "', expected 'left' or 'right'");
}
void check_method(std::string_view method) {
  for (const char* m : {"compare_all", "scan", "scan_unrolled", "sort"})
    if (method == m) return;
  throw ValueError("searchsorted: invalid argument method='" + std::string(method) +
                   "', expected 'compare_all', 'scan', 'scan_unrolled' or 'sort'");
}

}  // namespace

Array searchsorted(const Array& a, const Array& v, std::string_view side, const Array& sorter, const SearchOptions& o) {
  COTAN_API;
  check_side(side);
  check_method(o.method);
  if (a.ndim() != 1) throw ValueError("searchsorted: a should be 1-dimensional, got shape " + a.shape().str());
  LatticeType t = promote_types({a.dtype(), a.weak_type()}, {v.dtype(), v.weak_type()});
  const DType d = canonical_dtype(t.dtype);
  const Array own = sorter.has_value() ? take_along(a, sorter) : a;
  const bool right = side == "right";
  return named_jit(
      "searchsorted",
      [&](const Arrays& x) { return Arrays{search_sorted(to_dtype(x[0], d, false), to_dtype(x[1], d, false), right)}; },
      {own, v}, right)[0];
}

Array digitize(const Array& x, const Array& bins, bool right, const DigitizeOptions& o) {
  COTAN_API;
  if (bins.ndim() != 1)
    throw ValueError("digitize: bins must be a 1-dimensional array; got shape " + bins.shape().str());
  const std::string_view side = right ? "left" : "right", method = o.method.empty() ? "scan" : o.method;
  const std::int64_t n = bins.size();
  if (n == 0) return ops::broadcast_to_shape(ops::scalar_int(DType::int32, 0), x.shape());
  const auto body = [&](const Arrays& in) {
    const auto end = [&](std::int64_t i) { return ops::squeeze(ops::slice_in_dim(in[1], i, i + 1, 1, 0), {0}); };
    const Array rising = searchsorted(in[1], in[0], side, {}, {.method = method});
    const Array falling = searchsorted(ops::rev(in[1], {0}), in[0], side, {}, {.method = method});
    return Arrays{where(order_le(end(0), end(n - 1)), rising, ops::sub(ops::scalar_int(rising.dtype(), n), falling))};
  };
  return named_jit("digitize", body, {x, bins}, right)[0];
}

const FunctionTable sorting_table{
    "numpy",
    {function<sort>("sort(a, axis=-1, *, kind=None, order=None, stable=True, descending=False)",
                    "The elements in order."),
     function<argsort>("argsort(a, axis=-1, *, kind=None, order=None, stable=True, descending=False, dtype=None)",
                       "The places from which the elements in order come."),
     function<lexsort>("lexsort(keys, axis=-1)", "As argsort, by several keys, of which the last comes first."),
     function<partition>("partition(a, kth, axis=-1)",
                         "The kth smallest at its place, and the smaller ones before it."),
     function<argpartition>("argpartition(a, kth, axis=-1)", "The places from which the elements of partition come."),
     function<sort_complex>("sort_complex(a)", "The elements in order, as complex numbers."),
     function<searchsorted>("searchsorted(a, v, side='left', sorter=None, *, method='scan')",
                            "Where values stand in a sorted array."),
     function<digitize>("digitize(x, bins, right=False, *, method=None)", "The bin of each value.")}};

}  // namespace cotan::numpy

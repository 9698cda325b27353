// numpy's functions that find elements, and numpy.compress and its kin, which keep them.
#include <algorithm>

#include "api/function_table.h"
#include "cotan/numpy_index.h"
#include "numpy/indexing.h"
#include "ops/sorting.h"

namespace cotan::numpy {

Array running_sum(const Array& x) { return ops::cumsum(to_dtype(x, DType::int32, false), 0); }

// The k-th one stands behind as many elements as have at most k true ones up to them.
Array true_positions(const Array& mask, std::int64_t size) {
  if (size < 0) throw TypeError("the size of a result must be nonnegative, got " + std::to_string(size));
  const std::int64_t n = mask.size();
  if (n == 0 || size == 0) return ops::full({Shape(size), default_int_dtype()}, static_cast<double>(n));
  return cumsum(bincount(cumsum(mask), {}, 0, {.length = size}));
}

namespace {

[[noreturn]] void needs_size(const char* function, const Array& a) {
  throw ConcretizationTypeError("The size argument of numpy::" + std::string(function) +
                                " must be statically specified to use it within transformations; got a traced " +
                                a.aval().str());
}

std::vector<Array> sized_nonzero(const Array& a, const NonzeroOptions& o) {
  if (o.fill_value.size() > 1 && static_cast<int>(o.fill_value.size()) != a.ndim())
    throw ValueError("nonzero: as many fill values as axes are expected, got " + std::to_string(o.fill_value.size()) +
                     " for " + std::to_string(a.ndim()));
  const DType d = default_int_dtype();
  const Array at = true_positions(to_bool(a), *o.size);
  std::vector<Array> out;
  std::int64_t stride = a.size();
  for (int k = 0; k < a.ndim(); ++k) {
    const std::int64_t n = a.shape()[k];
    stride = n == 0 ? 1 : stride / n;
    const Array place =
        n == 0 ? at : remainder(floor_divide(at, ops::scalar_int(d, std::max<std::int64_t>(stride, 1))), Array(n));
    const std::size_t which = o.fill_value.size() > 1 ? static_cast<std::size_t>(k) : 0;
    const bool filled = a.size() == 0 || !o.fill_value.empty();  // else missing ones are 0, as all of at are a.size()
    out.push_back(filled ? where(ops::ge(at, ops::scalar_int(d, a.size())),
                                 o.fill_value.empty() ? Array(0) : o.fill_value[which], place)
                         : place);
  }
  return out;
}

std::vector<Array> found(const char* function, const Array& a, const NonzeroOptions& o) {
  if (a.ndim() == 0)
    throw ValueError("Calling " + std::string(function) +
                     " on 0d arrays is not allowed. Use nonzero(atleast_1d(scalar)) instead.");
  if (o.size) return sized_nonzero(a, o);
  if (!is_concrete(a)) needs_size(function, a);
  return host_nonzero(a);
}

Array as_vector(const Array& a) { return ops::reshape(a, Shape(a.size())); }

}  // namespace

std::vector<Array> nonzero(const Array& a, const NonzeroOptions& o) {
  COTAN_API;
  return found("nonzero", a, o);
}

Array argwhere(const Array& a, const NonzeroOptions& o) {
  COTAN_API;
  if (a.ndim() == 0) {
    if (!o.size && !is_concrete(a)) needs_size("argwhere", a);
    const std::int64_t n = o.size ? *o.size : bool(to_bool(a)) ? 1 : 0;
    return ops::full({{n, 0}, default_int_dtype()}, 0);
  }
  return transpose(vstack(found("argwhere", atleast_1d(a), o)));
}

Array flatnonzero(const Array& a, const NonzeroOptions& o) {
  COTAN_API;
  if (!o.size && !is_concrete(a)) needs_size("flatnonzero", a);
  if (!o.size) return host_nonzero(as_vector(a))[0];
  return found("flatnonzero", as_vector(a), o)[0];
}

namespace {

// Rows of a, along its first axis, where the condition holds.
Array kept_rows(const Array& condition, const Array& a, const SizeOptions& o) {
  if (!o.size) {
    if (!is_concrete(condition)) needs_size("compress", condition);
    const Array at = host_nonzero(condition)[0];
    if (at.size() == 0) {
      Shape none = a.shape();
      none[0] = 0;
      return ops::full({none, a.dtype(), a.weak_type()}, 0);
    }
    const Index index[] = {Index(at)};
    return get_at(a, index);
  }
  const Array at = true_positions(to_bool(condition), *o.size);
  return ops::take_axis(a, at, 0, {false, false, ops::GatherScatterMode::fill_or_drop}, fill_number(o.fill_value));
}

}  // namespace

Array compress(const Array& condition, const Array& a, const Axes& axis, const SizeOptions& o) {
  COTAN_API;
  if (condition.ndim() != 1) throw ValueError("condition must be a 1D array, got " + condition.aval().str());
  if (!axis.all() && axis.list().length() != 1)
    throw TypeError("compress: axis must be one integer or none, got " + axis.list().str());
  const int at = axis.all() ? 0 : canonical_axis("compress", axis.list()[0], a.ndim());
  const Array rows = axis.all() ? as_vector(a) : moveaxis(a, at, 0);
  const std::int64_t n = rows.shape()[0];
  Array c = condition;
  if (c.size() > n) {
    if (is_concrete(c)) {
      for (const Array& p : host_nonzero(c))
        if (p.size() && p(p.size() - 1).item<std::int64_t>() >= n)
          throw ValueError("condition contains entries that are out of bounds");
    }
    c = ops::slice(c, {0}, {n});
  }
  const Array kept = kept_rows(c, rows, o);
  return axis.all() ? kept : moveaxis(kept, 0, at);
}

Array extract(const Array& condition, const Array& arr, const SizeOptions& o) {
  COTAN_API;
  return compress(as_vector(condition), arr, none, o);
}

Array place(const Array& arr, const Array& mask, const Array& vals, const InplaceOptions& o) {
  COTAN_API;
  if (o.inplace)
    throw ValueError(
        "numpy::place cannot modify arrays in-place, because Arrays are immutable. Pass inplace=false to "
        "instead return an updated array.");
  if (arr.size() != mask.size())
    throw ValueError("place: arr and mask must be the same size, got " + arr.aval().str() + " and " +
                     mask.aval().str());
  if (vals.size() == 0) throw ValueError("Cannot place values from an empty array");
  if (arr.size() == 0) return arr;
  const Array on = as_vector(to_bool(mask));
  const Array rank = ops::sub(running_sum(on), ops::scalar_int(DType::int32, 1));
  const Array which =
      ops::rem(ops::max(rank, ops::scalar_int(DType::int32, 0)), ops::scalar_int(DType::int32, vals.size()));
  const Array v = ops::take_axis(as_vector(to_dtype(vals, arr.dtype(), false)), which, 0,
                                 {false, false, ops::GatherScatterMode::promise_in_bounds});
  return ops::reshape(ops::select(on, v, as_vector(arr)), arr.shape());
}

namespace {

using table::Call;
using table::Value;

NonzeroOptions nonzero_options(const Call& c) {
  NonzeroOptions o;
  o.size = c.get<std::optional<std::int64_t>>("size");
  const Value& fill = c["fill_value"];
  if (fill.is_sequence()) o.fill_value = c.get<std::vector<Array>>("fill_value");
  else if (!fill.is_none()) o.fill_value = {c.get<Array>("fill_value")};
  return o;
}
Value as_tuple(const std::vector<Array>& v) {
  Value::Items items;
  for (const Array& a : v) items.push_back(Value(a));
  return Value::tuple(std::move(items));
}

}  // namespace

const FunctionTable find_table{
    "numpy",
    {
        function<[](const Call& c) -> Value { return as_tuple(nonzero(c.get<Array>("a"), nonzero_options(c))); }>(
            "nonzero(a, *, size=None, fill_value=None)", "The positions of what is not zero, an array for each axis."),
        function<[](const Call& c) -> Value { return argwhere(c.get<Array>("a"), nonzero_options(c)); }>(
            "argwhere(a, *, size=None, fill_value=None)", "The positions of what is not zero, one a row."),
        function<[](const Call& c) -> Value { return flatnonzero(c.get<Array>("a"), nonzero_options(c)); }>(
            "flatnonzero(a, *, size=None, fill_value=None)", "The positions of what is not zero in the flat array."),
        function<compress>("compress(condition, a, axis=None, *, size=None, fill_value=0, out=None)",
                           "The slices along an axis for which the condition holds."),
        function<extract>("extract(condition, arr, *, size=None, fill_value=0)",
                          "The elements for which the condition holds."),
        function<place>("place(arr, mask, vals, *, inplace=True)",
                        "The array with the elements under the mask replaced by the values in turn."),
    }};

}  // namespace cotan::numpy

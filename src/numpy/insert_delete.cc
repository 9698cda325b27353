// numpy.delete and numpy.insert.
#include <algorithm>

#include "api/function_table.h"
#include "cotan/numpy_index.h"
#include "numpy/indexing.h"
#include "ops/sorting.h"

namespace cotan::numpy {

namespace {

// The array and axis that a position counts along: a vector where no axis is given.
struct Along {
  Array a;
  int axis;
  std::int64_t n() const { return a.shape()[axis]; }
};
Along along(const char* function, const Array& a, const Axes& axis) {
  if (axis.all()) return {ops::reshape(a, Shape(a.size())), 0};
  if (axis.list().length() != 1)
    throw TypeError(std::string(function) + ": axis must be one integer or none, got " + axis.list().str());
  return {a, canonical_axis(function, axis.list()[0], a.ndim())};
}

Array part(const Along& x, std::int64_t start, std::int64_t stop) {
  return ops::slice_in_dim(x.a, start, stop, 1, x.axis);
}
Array without_range(const Along& x, std::int64_t start, std::int64_t count) {
  const Array parts[] = {part(x, 0, start), part(x, start + count, x.n())};
  return ops::concatenate(parts, x.axis);
}

Array positions_array(const std::vector<std::int64_t>& v) {
  const std::vector<std::int32_t> narrow(v.begin(), v.end());
  return evaluation_hook().from_bytes({Shape(v.size()), DType::int32, false}, narrow.data());
}
Array kept(const Along& x, const std::vector<bool>& gone) {
  std::vector<std::int64_t> at;
  for (std::int64_t i = 0; i < x.n(); ++i)
    if (!gone[static_cast<std::size_t>(i)]) at.push_back(i);
  if (at.empty()) return part(x, 0, 0);
  return ops::take_axis(x.a, positions_array(at), x.axis, {true, true, ops::GatherScatterMode::promise_in_bounds});
}

std::vector<std::int64_t> host_integers(const Array& a) {
  std::vector<std::int64_t> v;
  const auto item = static_cast<std::int64_t>(item_size(a.dtype()));
  for (std::int64_t i = 0; i < a.size(); ++i)
    v.push_back(HostScalar::load(a.dtype(), static_cast<const char*>(bytes_of(a)) + i * item).as_int64());
  return v;
}

std::int64_t position_in(std::int64_t i, std::int64_t n, int axis) {
  if (i < -n || i >= n)
    throw IndexError("index " + std::to_string(i) + " is out of bounds for axis " + std::to_string(axis) +
                     " with size " + std::to_string(n));
  return i < 0 ? i + n : i;
}

// The positions of a slice, in order, as Python's range gives them.
std::vector<std::int64_t> positions_of(const slice& s, std::int64_t n) {
  const Range r = range_of(s, n);
  std::vector<std::int64_t> v;
  for (std::int64_t i = 0; i < r.count; ++i) v.push_back(r.reversed ? r.last() - i * r.step : r.start + i * r.step);
  return v;
}

// Known positions of the object, counted from the start; nothing where they are traced.
std::optional<std::vector<std::int64_t>> known_positions(const Index& obj, const Along& x) {
  if (obj.kind == Index::Kind::range) return positions_of(obj.range, x.n());
  if (obj.kind == Index::Kind::at) return std::vector<std::int64_t>{obj.position};
  if (!is_concrete(obj.array)) return std::nullopt;
  return host_integers(obj.array);
}
bool is_one(const Index& obj) {
  return obj.kind == Index::Kind::at || (obj.kind == Index::Kind::array && obj.array.ndim() == 0);
}
void check_object(const char* function, const Index& obj, bool masks) {
  const bool fits = obj.kind == Index::Kind::at || obj.kind == Index::Kind::range ||
                    (obj.kind == Index::Kind::array &&
                     (is_integer(obj.array.dtype()) || (masks && obj.array.dtype() == DType::bool_)));
  if (fits) return;
  throw ValueError(std::string("numpy::") + function + ": obj must be an integer, a slice or an array of integers" +
                   (masks ? " or bools" : "") +
                   (obj.kind == Index::Kind::array ? ", got " + obj.array.aval().str() : std::string()));
}

}  // namespace

Array delete_(const Array& arr, const Index& obj, const Axes& axis, const DeleteOptions& o) {
  COTAN_API;
  const Along x = along("delete", arr, axis);
  check_object("delete", obj, true);
  const std::int64_t n = x.n();
  const bool array = obj.kind == Index::Kind::array;
  if (array && !is_concrete(obj.array)) {
    if (!o.assume_unique_indices || !is_integer(obj.array.dtype()))
      throw ConcretizationTypeError(
          "'obj' array argument of numpy::delete must be concrete, or integers with "
          "assume_unique_indices=true; got a traced " +
          obj.array.aval().str());
    const Index gone[] = {Index(ops::reshape(obj.array, Shape(obj.array.size())))};
    const Array left = update_at(Update::set, ops::full({Shape(n), DType::bool_}, 1), gone, false);
    const Array at = true_positions(left, std::max<std::int64_t>(n - obj.array.size(), 0));
    return ops::take_axis(x.a, at, x.axis, {true, true, ops::GatherScatterMode::clip});
  }
  if (is_one(obj) && (!array || is_integer(obj.array.dtype()))) {
    const std::int64_t given = array ? host_integers(obj.array)[0] : obj.position;
    if (given < -n || given >= n)
      throw ValueError("delete: index " + std::to_string(given) + " is out of bounds for axis " +
                       std::to_string(x.axis) + " with size " + std::to_string(n));
    return without_range(x, given < 0 ? given + n : given, 1);
  }
  std::vector<bool> gone(static_cast<std::size_t>(n), false);
  if (array && obj.array.dtype() == DType::bool_) {
    if (obj.array.ndim() != 1 || obj.array.size() != n)
      throw ValueError("delete: for boolean indices, obj must be one-dimensional with length matching the axis of " +
                       std::to_string(n) + " elements, got " + obj.array.aval().str());
    const auto* on = static_cast<const unsigned char*>(bytes_of(obj.array));
    for (std::int64_t i = 0; i < n; ++i) gone[static_cast<std::size_t>(i)] = on[i] != 0;
  } else {
    for (std::int64_t i : known_positions(obj, x).value_or(std::vector<std::int64_t>()))
      gone[static_cast<std::size_t>(position_in(i, n, x.axis))] = true;
  }
  return kept(x, gone);
}

namespace {

// What stands where in the array of n old and `count` new elements, new ones numbered from n, as known.
Array known_order(std::vector<std::int64_t> at, std::int64_t n) {
  const auto count = static_cast<std::int64_t>(at.size());
  for (std::int64_t& i : at) i = std::clamp<std::int64_t>(i < 0 ? i + n : i, 0, n);
  std::vector<std::int64_t> order(at.size()), out;
  for (std::int64_t i = 0; i < count; ++i) order[static_cast<std::size_t>(i)] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return at[static_cast<std::size_t>(a)] < at[static_cast<std::size_t>(b)];
  });
  std::size_t next = 0;
  for (std::int64_t i = 0; i <= n; ++i) {
    for (; next < order.size() && at[static_cast<std::size_t>(order[next])] == i; ++next)
      out.push_back(n + order[next]);
    if (i < n) out.push_back(i);
  }
  return positions_array(out);
}

// The same of traced positions: each new element stands behind the new ones that come before it.
Array traced_order(const Array& given, std::int64_t n) {
  const DType d = DType::int32;
  const std::int64_t count = given.size();
  Array at = wrapped(to_dtype(ops::reshape(given, Shape(count)), d, false), n);
  at = ops::clamp(ops::scalar_int(d, 0), at, ops::scalar_int(d, n));
  const Array keys[] = {at, ops::iota(d, Shape(count), 0)};
  const std::vector<Array> sorted = ops::sort(keys, 0);  // stable: new elements of one place keep their order
  const Array to = ops::reshape(ops::add(sorted[0], keys[1]), {count, 1});
  const Shape all(n + count);
  const Array is_new = ops::scatter(ops::scatter_p, ops::full({all, DType::bool_}, 0), to,
                                    ops::full({Shape(count), DType::bool_}, 1), {{}, {0}, {0}, {}, {}});
  const Array which = ops::scatter(ops::scatter_p, ops::full({all, d}, 0), to, sorted[1], {{}, {0}, {0}, {}, {}});
  const Array old = ops::sub(ops::iota(d, all, 0), running_sum(is_new));
  return ops::select(is_new, ops::add(which, ops::scalar_int(d, n)), old);
}

}  // namespace

Array insert(const Array& arr, const Index& obj, const Array& values, const Axes& axis) {
  COTAN_API;
  const Along x = along("insert", arr, axis);
  check_object("insert", obj, false);
  const std::int64_t n = x.n();
  std::optional<std::vector<std::int64_t>> at = known_positions(obj, x);
  const std::int64_t count = at ? static_cast<std::int64_t>(at->size()) : obj.array.size();
  Array v = to_dtype(values, arr.dtype(), false);
  Shape shape = x.a.shape();
  if (count == 1) {  // as many as there are values, one behind the other
    if (v.ndim() < x.a.ndim()) v = ops::expand_dims(v, IntList::range(x.a.ndim() - v.ndim()));
    if (is_one(obj)) v = moveaxis(v, 0, x.axis);
    shape[x.axis] = v.ndim() == x.a.ndim() ? v.shape()[x.axis] : 1;
  } else shape[x.axis] = count;
  v = broadcast_to(v, shape);
  if (v.shape()[x.axis] == 0) return x.a;
  const Array both[] = {x.a, v};
  const Array joined = ops::concatenate(both, x.axis);
  const std::int64_t fresh = shape[x.axis];
  if (at && at->size() == 1) at->resize(static_cast<std::size_t>(fresh), at->front());
  const Array order =
      at ? known_order(*at, n)
         : traced_order(
               count == 1 ? ops::broadcast_in_dim(ops::reshape(obj.array, Shape{}), Shape(fresh), {}) : obj.array, n);
  return ops::take_axis(joined, order, x.axis, {false, true, ops::GatherScatterMode::promise_in_bounds});
}

namespace {

using table::Call;
using table::Value;

Index index_of(const Call& c, const char* name) {
  const Value& v = c[name];
  if (const auto* s = v.get<slice>()) return Index(*s);
  if (const auto* i = v.get<std::int64_t>()) return Index(*i);
  return Index(c.get<Array>(name));
}

}  // namespace

const FunctionTable insert_delete_table{
    "numpy",
    {
        function<[](const Call& c) -> Value {
          return delete_(c.get<Array>("arr"), index_of(c, "obj"), c.get<Axes>("axis"),
                         {c.get<bool>("assume_unique_indices")});
        }>("delete(arr, obj, axis=None, *, assume_unique_indices=False)",
           "The array without some positions of an axis."),
        function<[](const Call& c) -> Value {
          return insert(c.get<Array>("arr"), index_of(c, "obj"), c.get<Array>("values"), c.get<Axes>("axis"));
        }>("insert(arr, obj, values, axis=None)", "The array with values put before positions of an axis."),
    }};

}  // namespace cotan::numpy

// numpy: unique elements, and arrays as sets.
#include <cmath>

#include "api/function_table.h"
#include "cotan/numpy_sets.h"
#include "numpy/indexing.h"
#include "numpy/order.h"

namespace cotan::numpy {

namespace {

Array flat(const Array& x) { return x.ndim() == 1 ? x : ops::reshape(x, Shape(x.size())); }
Array tail(const Array& x) { return ops::slice_in_dim(x, 1, x.shape()[0], 1, 0); }
Array init(const Array& x) { return ops::slice_in_dim(x, 0, x.shape()[0] - 1, 1, 0); }
Array filled(DType d, std::int64_t n, std::int64_t value) {
  return ops::broadcast_to_shape(ops::scalar_int(d, value), Shape(n));
}
// Both in their common dtype.
Pair alike(const char* function, const Array& x, const Array& y) {
  for (const Array& a : {x, y})
    if (is_key(a.dtype())) throw TypeError(std::string(function) + " does not accept dtype " + dtype_name(a.dtype()));
  const LatticeType t = promote_types({x.dtype(), x.weak_type()}, {y.dtype(), y.weak_type()});
  return {to_dtype(x, canonical_dtype(t.dtype), t.weak), to_dtype(y, canonical_dtype(t.dtype), t.weak)};
}
Array followed_by(const Array& x, const Array& y) {
  const Array both[] = {x, y};
  return ops::concatenate(both, 0);
}

// Slices of x along its first axis in order, and which differ from the one before.
struct Sorted {
  Array values, places, first;
};
Sorted sorted_slices(const Array& x, bool equal_nan, DType index) {
  const std::int64_t n = x.shape()[0];
  Sorted s;
  Arrays keys;
  if (x.ndim() == 1) {
    keys.push_back(x);
  } else {
    for (std::int64_t i = 0; i < x.shape()[1]; ++i)
      keys.push_back(ops::squeeze(ops::slice_in_dim(x, i, i + 1, 1, 1), {1}));
  }
  keys.push_back(positions(index, Shape(n), 0));
  const Arrays sorted = ops::sort(keys, 0, std::max<int>(1, static_cast<int>(keys.size()) - 1));
  s.places = sorted.back();
  s.values = x.ndim() == 1 ? sorted[0] : take_along(x, s.places);
  if (n == 0) {
    s.first = filled(DType::bool_, 0, 0);
    return s;
  }
  const Array after = tail(s.values), before = init(s.values);
  Array differ = ops::ne(after, before);
  if (equal_nan) differ = ops::bit_and(differ, ops::bit_not(ops::bit_and(is_nan(after), is_nan(before))));
  if (x.ndim() > 1) differ = ops::reduce_or(differ, {1});
  s.first = followed_by(filled(DType::bool_, 1, 1), differ);
  return s;
}

// What was found, as many as wanted: missing ones are fill_value, or else the first.
Array fill_missing(const Array& found, const Array& places, std::int64_t none, const Array& fill_value) {
  if (!fill_value.has_value()) return found;
  const Array missing = ops::eq(places, ops::scalar_int(places.dtype(), none));
  Shape column = missing.shape();
  while (column.ndim() < found.ndim()) column.push_back(1);
  return where(ops::reshape(missing, column), to_dtype(fill_value, found.dtype(), false), found);
}

UniqueAll unique_of_nothing(const Array& x, const Array& like, std::int64_t size, const Array& fill_value,
                            DType index) {
  if (size > 0 && !fill_value.has_value())
    throw ValueError("unique: of no elements and with a size that is not 0, fill_value must be given");
  Shape shape = x.shape();
  shape[0] = size;
  const Array zeros = filled(index, size, 0), fill = fill_value.has_value() ? fill_value : Array(0);
  return {numpy::broadcast_to(to_dtype(fill, x.dtype(), false), shape), zeros,
          ops::broadcast_to_shape(ops::scalar_int(index, 0), like.shape()), zeros};
}

// x: the slices are along the first axis. like: of the inverse's shape.
UniqueAll unique_slices(const Array& x, const Array& like, const UniqueOptions& o) {
  const DType index = default_int_dtype();
  const std::int64_t n = x.shape()[0];
  if (o.size && *o.size < 0) throw TypeError("unique: size must not be negative, got " + std::to_string(*o.size));
  if (n == 0) return unique_of_nothing(x, like, o.size.value_or(0), o.fill_value, index);
  const Sorted s = sorted_slices(x, o.equal_nan, index);
  const std::int64_t size = o.size ? *o.size : count_true("unique", s.first);
  const Array starts = true_positions(s.first, size + 1);  // and where the last run ends
  const Array begin = init(starts);
  const Array known = ops::select(ops::eq(begin, ops::scalar_int(index, n)), filled(index, size, 0), begin);
  UniqueAll r;
  r.values = fill_missing(take_along(s.values, known), begin, n, o.size ? o.fill_value : Array());
  r.indices = take_along(s.places, known);
  r.counts = ops::sub(tail(starts), begin);
  const Array number = ops::sub(ops::cumsum(ops::convert_element_type(s.first, index), 0), ops::scalar_int(index, 1));
  const Array back[] = {s.places, number};
  r.inverse_indices = ops::reshape(ops::sort(back, 0)[1], like.shape());
  return r;
}

}  // namespace

UniqueAll unique_parts(const Array& ar, const UniqueOptions& o) {
  COTAN_API;
  if (o.axis.all()) return unique_slices(flat(ar), ar, o);
  const int axis = one_axis("unique", o.axis, ar.ndim());
  const Array front = ops::move_axis(ar, axis, 0);
  const std::int64_t n = front.shape()[0], rest = n == 0 ? 0 : front.size() / n;
  if (ar.ndim() == 1) return unique_slices(ar, ar, o);
  const Array rows = ops::reshape(front, Shape{n, rest});
  UniqueAll r = unique_slices(rows, positions(DType::int32, Shape(n), 0), o);
  Shape shape = front.shape();
  shape[0] = r.values.shape()[0];
  r.values = ops::move_axis(ops::reshape(r.values, shape), 0, axis);
  return r;
}
Array unique(const Array& ar, const UniqueOptions& o) {
  COTAN_API;
  return unique_parts(ar, o).values;
}
UniqueAll unique_all(const Array& x, const SetOptions& o) {
  COTAN_API;
  return unique_parts(x, {.equal_nan = false, .size = o.size, .fill_value = o.fill_value});
}
UniqueCounts unique_counts(const Array& x, const SetOptions& o) {
  COTAN_API;
  const UniqueAll r = unique_all(x, o);
  return {r.values, r.counts};
}
UniqueInverse unique_inverse(const Array& x, const SetOptions& o) {
  COTAN_API;
  const UniqueAll r = unique_all(x, o);
  return {r.values, r.inverse_indices};
}
Array unique_values(const Array& x, const SetOptions& o) {
  COTAN_API;
  return unique_all(x, o).values;
}

// --- sets -----------------------------------------------------------------------------------------------------------------------
namespace {

// Both sets in one sorted array, those of the first set first among equals; `second`: which come from the other.
struct Merged {
  Array values, places, second;
  Array same;  // as the element before
  std::int64_t first_size = 0, size = 0;
  DType index = DType::int32;
  bool weak = false;
};
Merged merge(const char* function, const Array& ar1, const Array& ar2, bool join_nan) {
  const Pair p = alike(function, flat(ar1), flat(ar2));
  const Array x = to_dtype(p.x, p.x.dtype(), false), y = to_dtype(p.y, p.y.dtype(), false);
  Merged m;
  m.weak = p.x.weak_type();
  m.first_size = x.size(), m.size = x.size() + y.size(), m.index = default_int_dtype();
  const Array operands[] = {followed_by(x, y), positions(m.index, Shape(m.size), 0)};
  const Arrays sorted = ops::sort(operands, 0);
  m.values = sorted[0], m.places = sorted[1];
  m.second = ops::ge(m.places, ops::scalar_int(m.index, m.first_size));
  if (m.size == 0) {
    m.same = m.second;
    return m;
  }
  Array same = ops::eq(tail(m.values), init(m.values));
  if (join_nan) {  // of one set
    const Array nan = ops::bit_and(is_nan(tail(m.values)), is_nan(init(m.values)));
    same = ops::bit_or(same, ops::bit_and(nan, ops::eq(tail(m.second), init(m.second))));
  }
  m.same = followed_by(filled(DType::bool_, 1, 0), same);
  return m;
}

// The least of the sorted elements found, NaN if one of them is, 0 if there is none.
Array least(const Array& found, const Array& missing) {
  const Array none = ops::squeeze(ops::slice_in_dim(missing, 0, 1, 1, 0), {0});
  const Array first = ops::squeeze(ops::slice_in_dim(found, 0, 1, 1, 0), {0});
  const Array fill = where(none, ops::scalar_int(found.dtype(), 0), first);
  if (!is_inexact(found.dtype())) return fill;
  const Array nan = ops::bit_and(is_nan(found), ops::bit_not(missing));
  return where(ops::reduce_or(nan, {0}), ops::scalar(found.dtype(), std::nan("")), fill);
}

// Elements where the mask is true; missing ones are fill_value, or else the least.
Array select_values(const char* function, const Array& values, const Array& mask, const SetOptions& o) {
  const std::int64_t n = values.size(), size = o.size ? *o.size : count_true(function, mask);
  const auto filled_up = [&](const Array& missing, const Array& found) {
    return o.fill_value.has_value() ? where(missing, o.fill_value, found) : found;
  };
  if (n == 0) {
    const Array zeros = to_dtype(filled(values.dtype(), size, 0), values.dtype(), values.weak_type());
    return o.size ? filled_up(filled(DType::bool_, size, 1), zeros) : zeros;
  }
  const DType index = default_int_dtype();
  const Array places = true_positions(mask, size);
  const Array missing = ops::eq(places, ops::scalar_int(index, n));
  const Array found = take_along(values, ops::select(missing, filled(index, size, 0), places));
  if (!o.size) return found;
  if (o.fill_value.has_value() || size == 0) return filled_up(missing, found);
  return where(missing, least(found, missing), found);
}

// The result of a known size is not weak.
Array as_weak(const Array& r, const Merged& m, const SetOptions& o) {
  return m.weak && !o.size ? to_dtype(r, r.dtype(), true) : r;
}

}  // namespace

Array union1d(const Array& ar1, const Array& ar2, const SetOptions& o) {
  COTAN_API;
  const Pair p = alike("union1d", flat(ar1), flat(ar2));
  return unique(followed_by(p.x, p.y), {.size = o.size, .fill_value = o.fill_value});
}

// An element of the second set that follows one of the first ends a part of equals that both have.
Intersection intersect1d_indices(const Array& ar1, const Array& ar2, const SetOptions& o) {
  COTAN_API;
  const Merged m = merge("intersect1d", ar1, ar2, false);
  const std::int64_t second_size = m.size - m.first_size;
  Array mask = m.same;
  if (m.size > 0) {
    const Array turn = ops::bit_and(tail(m.second), ops::bit_not(init(m.second)));
    mask = ops::bit_and(m.same, followed_by(filled(DType::bool_, 1, 0), turn));
  }
  const std::int64_t size = o.size ? *o.size : count_true("intersect1d", mask);
  Intersection r;
  r.values = as_weak(select_values("intersect1d", m.values, mask, o), m, o);
  const Array places = true_positions(mask, size);
  if (m.size == 0) {
    r.indices1 = r.indices2 = places;
    return r;
  }
  const Array here = positions(m.index, Shape(m.size), 0), zero = filled(m.index, m.size, 0);
  const Array start = ops::cummax(ops::select(m.same, zero, here), 0);  // of the run of equals
  const Array missing = ops::eq(places, ops::scalar_int(m.index, m.size));
  const Array known = ops::select(missing, filled(m.index, size, 0), places);
  const Array first = take_along(m.places, take_along(start, known));
  const Array second = ops::sub(take_along(m.places, known), ops::scalar_int(m.index, m.first_size));
  r.indices1 = ops::select(missing, filled(m.index, size, m.first_size), first);
  r.indices2 = ops::select(missing, filled(m.index, size, second_size), second);
  return r;
}
Array intersect1d(const Array& ar1, const Array& ar2, bool, const SetOptions& o) {
  COTAN_API;
  return intersect1d_indices(ar1, ar2, o).values;
}

Array setdiff1d(const Array& ar1, const Array& ar2, bool assume_unique, const SetOptions& o) {
  COTAN_API;
  Array x = flat(ar1), first = filled(DType::bool_, x.size(), 1);
  if (!assume_unique) {
    const Sorted s = sorted_slices(x, true, default_int_dtype());
    x = s.values, first = s.first;
  }
  SetOptions like = o;
  like.fill_value = to_dtype(o.fill_value.has_value() ? o.fill_value : Array(0), x.dtype(), x.weak_type());
  return select_values("setdiff1d", x, ops::bit_and(first, isin(x, ar2, false, true)), like);
}

// The first of a run of equals, unless the run has elements of both sets: then its last is of the second.
Array setxor1d(const Array& ar1, const Array& ar2, bool, const SetOptions& o) {
  COTAN_API;
  const Merged m = merge("setxor1d", ar1, ar2, true);
  if (m.size == 0) return as_weak(select_values("setxor1d", m.values, m.same, o), m, o);
  const Array last = followed_by(ops::bit_not(tail(m.same)), filled(DType::bool_, 1, 1));
  const Array here = positions(m.index, Shape(m.size), 0), beyond = filled(m.index, m.size, m.size);
  const Array end = ops::cummin(ops::select(last, here, beyond), 0, true);  // of the run
  const Array ends_in_second = take_along(m.second, end);
  const Array only = ops::bit_or(m.second, ops::bit_not(ends_in_second));
  return as_weak(select_values("setxor1d", m.values, ops::bit_and(ops::bit_not(m.same), only), o), m, o);
}

Array isin(const Array& element, const Array& test_elements, bool, bool invert, const IsinOptions& o) {
  COTAN_API;
  bool known = false;
  for (const char* m : {"compare_all", "binary_search", "sort", "auto"}) known |= o.method == m;
  if (!known)
    throw ValueError("isin: method='" + std::string(o.method) +
                     "' is not implemented; options are 'compare_all', 'binary_search', 'sort', and 'auto'");
  const Pair p = alike("isin", element, flat(test_elements));
  const Array x = to_dtype(ops::reshape(p.x, element.shape()), p.x.dtype(), false);
  const std::int64_t n = test_elements.size();
  if (n == 0) return ops::broadcast_to_shape(ops::scalar_int(DType::bool_, invert), element.shape());
  const Array sorted = ops::sort(to_dtype(flat(p.y), p.y.dtype(), false), 0);
  const Array place = search_sorted(sorted, x, false);
  const Array found = ops::take_axis(sorted, place, 0, {false, false, ops::GatherScatterMode::clip});
  return invert ? ops::ne(found, x) : ops::eq(found, x);
}

namespace {

UniqueOptions unique_options(const table::Call& call) {
  return {call.get<Axes>("axis"), call.get<bool>("equal_nan"), call.get<std::optional<std::int64_t>>("size"),
          call["fill_value"].is_none() ? Array() : call.get<Array>("fill_value"), call.get<bool>("sorted")};
}

table::Value call_unique(const table::Call& call) {
  const UniqueAll r = unique_parts(call.get<Array>("ar"), unique_options(call));
  table::Value::Items items{r.values};
  if (call.get<bool>("return_index")) items.push_back(r.indices);
  if (call.get<bool>("return_inverse")) items.push_back(r.inverse_indices);
  if (call.get<bool>("return_counts")) items.push_back(r.counts);
  if (items.size() == 1) return items[0];
  return table::Value::tuple(std::move(items));
}

table::Value call_intersect(const table::Call& call) {
  const SetOptions o{call.get<std::optional<std::int64_t>>("size"),
                     call["fill_value"].is_none() ? Array() : call.get<Array>("fill_value")};
  const Intersection r = intersect1d_indices(call.get<Array>("ar1"), call.get<Array>("ar2"), o);
  if (!call.get<bool>("return_indices")) return r.values;
  return table::Value::tuple({r.values, r.indices1, r.indices2});
}

}  // namespace

const FunctionTable sets_table{
    "numpy",
    {function<call_unique>(
         "unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, "
         "size=None, fill_value=None, sorted=True)",
         "The distinct elements, sorted."),
     function<unique_all>("unique_all(x, /, *, size=None, fill_value=None)",
                          "The distinct elements, where they occur first, the inverse and counts."),
     function<unique_counts>("unique_counts(x, /, *, size=None, fill_value=None)",
                             "The distinct elements and how often each occurs."),
     function<unique_inverse>("unique_inverse(x, /, *, size=None, fill_value=None)",
                              "The distinct elements and where each element is among them."),
     function<unique_values>("unique_values(x, /, *, size=None, fill_value=None)", "The distinct elements."),
     function<union1d>("union1d(ar1, ar2, *, size=None, fill_value=None)", "Elements of either."),
     function<call_intersect>(
         "intersect1d(ar1, ar2, assume_unique=False, return_indices=False, *, size=None, fill_value=None)",
         "Elements of both."),
     function<setdiff1d>("setdiff1d(ar1, ar2, assume_unique=False, *, size=None, fill_value=None)",
                         "Elements of the first that are not in the second."),
     function<setxor1d>("setxor1d(ar1, ar2, assume_unique=False, *, size=None, fill_value=None)",
                        "Elements of one of both only."),
     function<isin>("isin(element, test_elements, assume_unique=False, invert=False, *, method='auto')",
                    "Whether each element is among the test_elements.")}};

}  // namespace cotan::numpy

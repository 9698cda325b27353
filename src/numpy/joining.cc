// numpy's functions that join arrays and cut them.
#include "api/function_table.h"
#include "numpy/common.h"

namespace cotan::numpy {

namespace {

std::string shapes_of(const std::vector<Array>& xs) {
  std::string s;
  for (const Array& x : xs) s += (s.empty() ? "" : ", ") + x.shape().str();
  return s;
}

std::vector<Array> in_dtype(const std::vector<Array>& xs, const std::optional<DType>& dtype) {
  if (!dtype) return promoted(xs);
  std::vector<Array> r;
  for (const Array& x : xs) r.push_back(to_dtype(x, canonical_dtype(*dtype), false));
  return r;
}

// The sizes of the parts along an axis of n.
IntList part_sizes(const char* function, const Sections& s, std::int64_t n, bool equal) {
  IntList sizes;
  if (s.counted()) {
    const std::int64_t count = s.count();
    if (count <= 0)
      throw ValueError(std::string(function) + ": number sections must be larger than 0, got " + std::to_string(count));
    if (equal && n % count)
      throw ValueError(std::string(function) + ": array split does not result in an equal division of " +
                       std::to_string(n) + " elements in " + std::to_string(count) + " parts; rest is " +
                       std::to_string(n % count));
    for (std::int64_t i = 0; i < count; ++i) sizes.push_back(n / count + (i < n % count));
    return sizes;
  }
  std::int64_t start = 0;
  IntList ends = s.places();
  ends.push_back(n);
  for (std::int64_t end : ends) {
    if (end < start || end > n)
      throw ValueError(std::string(function) + ": sizes of parts must be nonnegative, got the places " +
                       s.places().str() + " on an axis of " + std::to_string(n) + " elements");
    sizes.push_back(end - start);
    start = end;
  }
  return sizes;
}

std::vector<Array> split_at(const char* function, const Array& x, const Sections& s, int axis, bool equal) {
  const int a = canonical_axis(function, axis, x.ndim());
  return ops::split(x, part_sizes(function, s, x.shape()[a], equal), a);
}

// Depth of the nested lists, which must be the same everywhere.
int depth_of(const Nested& n) {
  if (n.is_leaf()) return 0;
  if (n.parts().empty()) throw ValueError("block: empty lists are not allowed");
  int depth = -1;
  for (const Nested& p : n.parts()) {
    const int d = depth_of(p);
    if (depth >= 0 && d != depth)
      throw ValueError("block: mismatched list depths, got " + std::to_string(depth + 1) + " and " +
                       std::to_string(d + 1));
    depth = d;
  }
  return depth + 1;
}
void leaves_of(const Nested& n, Arrays& out) {
  if (n.is_leaf()) return out.push_back(n.leaf());
  for (const Nested& p : n.parts()) leaves_of(p, out);
}
std::uint64_t shape_key(const Nested& n) {
  std::uint64_t key = n.parts().size();
  for (const Nested& p : n.parts()) key = combine_key(key, shape_key(p));
  return key;
}
Array join_level(const Nested& n, int depth, int level, const Arrays& leaves, std::size_t& next) {
  if (n.is_leaf()) {
    const Array& x = leaves[next++];
    return ops::expand_dims(x, IntList::range(std::max(depth - x.ndim(), 0)));
  }
  std::vector<Array> parts;
  int ndim = 0;
  for (const Nested& p : n.parts()) {
    parts.push_back(join_level(p, depth, level - 1, leaves, next));
    ndim = std::max(ndim, parts.back().ndim());
  }
  for (Array& p : parts) p = ops::expand_dims(p, IntList::range(ndim - p.ndim()));
  return concatenate(parts, -level);
}

}  // namespace

Array concatenate(const std::vector<Array>& xs, const Axes& axis, const DtypeOptions& o) {
  COTAN_API;
  if (xs.empty()) throw ValueError("Need at least one array to concatenate.");
  if (axis.all()) {
    std::vector<Array> flat;
    for (const Array& x : xs) flat.push_back(ravel(x));
    return concatenate(flat, 0, o);
  }
  if (axis.list().length() != 1)
    throw TypeError("concatenate: axis must be one integer or none, got " + axis.list().str());
  if (xs[0].ndim() == 0) throw ValueError("Zero-dimensional arrays cannot be concatenated.");
  const int a = canonical_axis("concatenate", axis.list()[0], xs[0].ndim());
  const std::vector<Array> same = in_dtype(xs, o.dtype);
  return same.size() == 1 ? same[0] : ops::concatenate(same, a);
}
Array concat(const std::vector<Array>& xs, const Axes& axis) {
  COTAN_API;
  return concatenate(xs, axis);
}

Array stack(const std::vector<Array>& xs, int axis, const DtypeOptions& o) {
  COTAN_API;
  if (xs.empty()) throw ValueError("Need at least one array to stack.");
  for (const Array& x : xs)
    if (!(x.shape() == xs[0].shape()))
      throw ValueError("All input arrays must have the same shape. Got " + shapes_of(xs) + ".");
  return ops::stack(in_dtype(xs, o.dtype), canonical_axis("stack", axis, xs[0].ndim() + 1));
}

Array vstack(const std::vector<Array>& xs, const DtypeOptions& o) {
  COTAN_API;
  std::vector<Array> rows;
  for (const Array& x : xs) rows.push_back(atleast_2d(x));
  return concatenate(rows, 0, o);
}
Array hstack(const std::vector<Array>& xs, const DtypeOptions& o) {
  COTAN_API;
  std::vector<Array> columns;
  for (const Array& x : xs) columns.push_back(atleast_1d(x));
  return concatenate(columns, columns.empty() || columns[0].ndim() == 1 ? 0 : 1, o);
}
Array dstack(const std::vector<Array>& xs, const DtypeOptions& o) {
  COTAN_API;
  std::vector<Array> layers;
  for (const Array& x : xs) layers.push_back(atleast_3d(x));
  return concatenate(layers, 2, o);
}
Array column_stack(const std::vector<Array>& xs) {
  COTAN_API;
  std::vector<Array> columns;
  for (const Array& x : xs) columns.push_back(x.ndim() < 2 ? transpose(atleast_2d(x)) : x);
  return concatenate(columns, 1);
}

Array append(const Array& x, const Array& values, const Axes& axis) {
  COTAN_API;
  return named_jit(
      "append",
      [&](const Arrays& a) {
        return Arrays{concatenate({a[0], a[1]}, axis)};
      },
      {x, values}, axis.all() ? 0 : combine_key(1, list_key(axis.list())))[0];
}

Array block(const Nested& arrays) {
  COTAN_API;
  const int depth = depth_of(arrays);
  Arrays leaves;
  leaves_of(arrays, leaves);
  return named_jit(
      "block",
      [&](const Arrays& a) {
        std::size_t next = 0;
        return Arrays{join_level(arrays, depth, depth, a, next)};
      },
      leaves, shape_key(arrays))[0];
}

std::vector<Array> split(const Array& x, const Sections& s, int axis) {
  COTAN_API;
  return split_at("split", x, s, axis, true);
}
std::vector<Array> array_split(const Array& x, const Sections& s, int axis) {
  COTAN_API;
  return split_at("array_split", x, s, axis, false);
}
std::vector<Array> vsplit(const Array& x, const Sections& s) {
  COTAN_API;
  return split_at("vsplit", x, s, 0, true);
}
std::vector<Array> hsplit(const Array& x, const Sections& s) {
  COTAN_API;
  return split_at("hsplit", x, s, x.ndim() == 1 ? 0 : 1, true);
}
std::vector<Array> dsplit(const Array& x, const Sections& s) {
  COTAN_API;
  return split_at("dsplit", x, s, 2, true);
}
std::vector<Array> unstack(const Array& x, int axis) {
  COTAN_API;
  const int a = canonical_axis("unstack", axis, x.ndim());
  ArrayVec parts;
  ops::unstack(x, a, parts);
  return {parts.begin(), parts.end()};
}

}  // namespace cotan::numpy

namespace cotan::table {
template <> struct FromValue<numpy::Sections> {
  static numpy::Sections get(const Value& v, const Place& p) {
    if (v.is_sequence() || (v.get<Array>() && v.get<Array>()->ndim() == 1)) return to_integers(v, p);
    return to_integer(v, p);
  }
};
template <> struct FromValue<numpy::Nested> {
  static numpy::Nested get(const Value& v, const Place& p) {
    if (!v.is_list()) return to_array(v, p);
    std::vector<numpy::Nested> parts;
    for (const Value& item : v.items()) parts.push_back(get(item, p));
    return parts;
  }
};
}  // namespace cotan::table

namespace cotan::numpy {

const FunctionTable joining_table{
    "numpy",
    {
        function<concatenate>("concatenate(arrays, axis=0, dtype=None)",
                              "The arrays in a row along an axis; axis None: flattened."),
        function<concat>("concat(arrays, /, *, axis=0)", "The arrays in a row along an axis; axis None: flattened."),
        function<stack>("stack(arrays, axis=0, out=None, dtype=None)", "Arrays of one shape along a new axis."),
        function<vstack>("vstack(tup, dtype=None)", "Joined along the first axis; vectors are rows."),
        function<hstack>("hstack(tup, dtype=None)", "Joined along the second axis; vectors along their only one."),
        function<dstack>("dstack(tup, dtype=None)", "Joined along the third axis."),
        function<column_stack>("column_stack(tup)", "Vectors and matrices as the columns of a matrix."),
        function<append>("append(arr, values, axis=None)", "values behind arr along an axis; None: both flattened."),
        function<block>("block(arrays)", "An array from nested lists of blocks."),
        function<split>("split(ary, indices_or_sections, axis=0)", "Equal parts, or parts that begin at indices."),
        function<array_split>("array_split(ary, indices_or_sections, axis=0)",
                              "Parts whose sizes differ by one at most."),
        function<vsplit>("vsplit(ary, indices_or_sections)", "split along the first axis."),
        function<hsplit>("hsplit(ary, indices_or_sections)",
                         "split along the second axis; of a vector along its only one."),
        function<dsplit>("dsplit(ary, indices_or_sections)", "split along the third axis."),
        function<[](const Array& x, int axis) { return table::tuple_value(unstack(x, axis)); }>(
            "unstack(x, /, *, axis=0)", "The parts along an axis, without it."),
    }};

}  // namespace cotan::numpy

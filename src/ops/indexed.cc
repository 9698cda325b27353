#include "ops/indexed.h"

#include <algorithm>

#include "ops/structural_checks.h"

namespace cotan::ops {

std::span<const char* const> enum_names(GatherScatterMode) {
  static constexpr const char* names[] = {"GatherScatterMode.CLIP", "GatherScatterMode.FILL_OR_DROP",
                                          "GatherScatterMode.PROMISE_IN_BOUNDS"};
  return names;
}

IndexedDims IndexedDims::of(const char* name, const GatherDims& d) {
  return {name,
          "offset_dims",
          "collapsed_slice_dims",
          "start_index_map",
          "operand_batching_dims",
          "start_indices_batching_dims",
          d.offset_dims,
          d.collapsed_slice_dims,
          d.start_index_map,
          d.operand_batching_dims,
          d.start_indices_batching_dims};
}
IndexedDims IndexedDims::of(const char* name, const ScatterDims& d) {
  return {name,
          "update_window_dims",
          "inserted_window_dims",
          "scatter_dims_to_operand_dims",
          "operand_batching_dims",
          "scatter_indices_batching_dims",
          d.update_window_dims,
          d.inserted_window_dims,
          d.scatter_dims_to_operand_dims,
          d.operand_batching_dims,
          d.scatter_indices_batching_dims};
}

IntList IndexedDims::kept(int ndim) const {
  IntList r;
  for (int i = 0; i < ndim; ++i)
    if (!dropped.contains(i) && !batching.contains(i)) r.push_back(i);
  return r;
}
IntList IndexedDims::batch(int windows_ndim) const {
  IntList r;
  for (int i = 0; i < windows_ndim; ++i)
    if (!window.contains(i)) r.push_back(i);
  return r;
}

namespace {

struct Checker {
  std::string name;
  [[noreturn]] void fail(const std::string& what) const { throw TypeError(what); }
  void sorted(const char* what, const IntList& l) const {
    if (!std::is_sorted(l.begin(), l.end()))
      fail(std::string(what) + " in " + name + " op must be sorted; got " + l.str());
  }
  void dims(const char* what, const IntList& l, int ndim) const {
    for (std::int64_t d : l)
      if (d < 0 || d >= ndim)
        fail(std::string(what) + " in " + name + " op must be within [0, " + std::to_string(ndim) + "); got " +
             l.str());
    if (!distinct(l)) fail(std::string(what) + " in " + name + " op must not repeat; got: " + l.str());
  }
};

void check_batching(const Checker& c, const IndexedDims& d, const Aval& x, const Aval& indices) {
  c.dims(d.batching_name, d.batching, x.ndim());
  c.dims(d.indices_batching_name, d.indices_batching, indices.ndim() - 1);
  if (d.batching.length() != d.indices_batching.length())
    c.fail(std::string(d.batching_name) + " and " + d.indices_batching_name + " in " + c.name +
           " op must have equal lengths; got " + d.batching.str() + " and " + d.indices_batching.str());
  for (int i = 0; i < d.batching.length(); ++i)
    if (x.shape[d.batching[i]] != indices.shape[d.indices_batching[i]])
      c.fail(std::string(d.batching_name) + " and " + d.indices_batching_name + " in " + c.name +
             " op must have equal sizes; got operand " + x.str() + " at " + d.batching.str() + " and indices " +
             indices.str() + " at " + d.indices_batching.str());
  for (std::int64_t i : d.batching)
    if (d.dropped.contains(i) || d.map.contains(i))
      c.fail(std::string(d.batching_name) + " in " + c.name + " op must be disjoint from " + d.dropped_name + " and " +
             d.map_name + "; got " + d.batching.str() + ", " + d.dropped.str() + " and " + d.map.str());
}

void check_sizes(const Checker& c, const IndexedDims& d, const Aval& x, const Shape& sizes) {
  if (sizes.ndim() != x.ndim())
    c.fail("slice_sizes in " + c.name + " op must have one size for each dimension of the operand; got " + sizes.str() +
           " for operand shape " + x.shape.str());
  for (int i = 0; i < x.ndim(); ++i)
    if (sizes[i] < 0 || sizes[i] > x.shape[i])
      c.fail("Slice size at index " + std::to_string(i) + " in " + c.name + " op is out of range, must be within [0, " +
             std::to_string(x.shape[i]) + " + 1), got " + std::to_string(sizes[i]) + ".");
  for (const IntList* l : {&d.dropped, &d.batching})
    for (std::int64_t i : *l)
      if (sizes[i] > 1)
        c.fail("Slice size at index " + std::to_string(i) + " in " + c.name +
               " op must be at most 1 where the dimension is left out, got " + std::to_string(sizes[i]) + ".");
}

// A loop nest in which each level has several strides; levels that follow on one another are joined.
struct Loops {
  IntList extents;
  std::vector<IntList> strides;
  explicit Loops(std::size_t arrays) : strides(arrays) {}
  void add(std::int64_t n, std::initializer_list<std::int64_t> by) {
    if (n == 1) return;
    const int last = extents.length() - 1;
    bool follows = last >= 0;
    std::size_t k = 0;
    for (std::int64_t s : by) follows = follows && strides[k++][last] == s * n;
    k = 0;
    if (follows) {
      extents[last] *= n;
      for (std::int64_t s : by) strides[k++][last] = s;
    } else {
      extents.push_back(n);
      for (std::int64_t s : by) strides[k++].push_back(s);
    }
  }
};

}  // namespace

void check_indexed(const IndexedDims& d, const Aval& x, const Aval& indices, const Shape& sizes, int windows_ndim) {
  const Checker c{d.name};
  if (!is_integer(indices.dtype)) c.fail(c.name + " requires indices of an integer type, got " + indices.str());
  if (indices.ndim() == 0)
    c.fail(c.name + " requires indices with a last dimension of index vectors, got " + indices.str());
  c.sorted(d.window_name, d.window), c.dims(d.window_name, d.window, windows_ndim);
  c.sorted(d.dropped_name, d.dropped), c.dims(d.dropped_name, d.dropped, x.ndim());
  c.sorted(d.batching_name, d.batching);
  c.dims(d.map_name, d.map, x.ndim());
  if (d.map.length() != indices.shape.back())
    c.fail(c.name + " op must have " + d.map_name + " as long as the index vectors; got " + d.map.str() +
           " for indices " + indices.str());
  check_batching(c, d, x, indices);
  if (d.window.length() + d.dropped.length() + d.batching.length() != x.ndim())
    c.fail(c.name + " op must have as many " + d.window_name + ", " + d.dropped_name + " and " + d.batching_name +
           " as the operand has dimensions; got " + d.window.str() + ", " + d.dropped.str() + " and " +
           d.batching.str() + " for operand " + x.str());
  check_sizes(c, d, x, sizes);
}

kernel::IndexedParams indexed_params(const IndexedDims& d, const Shape& operand, const Shape& indices,
                                     const Shape& sizes, const Shape& windows, GatherScatterMode mode, bool clips) {
  const IntList array = kernel::row_major_strides(operand), by_index = kernel::row_major_strides(indices),
                by_window = kernel::row_major_strides(windows);
  const IntList batch = d.batch(windows.ndim()), kept = d.kept(operand.ndim());
  Loops outer(3), inner(2);
  for (int i = 0; i < batch.length(); ++i) {
    std::int64_t in_array = 0;
    for (int k = 0; k < d.batching.length(); ++k)
      if (d.indices_batching[k] == i) in_array = array[d.batching[k]];
    outer.add(windows[batch[i]], {by_window[batch[i]], by_index[i], in_array});
  }
  kernel::IndexedParams p;
  p.windows_overlap = false;
  for (int i = 0; i < kept.length(); ++i) {
    inner.add(sizes[kept[i]], {by_window[d.window[i]], array[kept[i]]});
    p.windows_overlap |= d.map.contains(kept[i]) && sizes[kept[i]] != 1;
  }
  p.batch = outer.extents;
  p.batch_windows = outer.strides[0], p.batch_indices = outer.strides[1], p.batch_array = outer.strides[2];
  p.window = inner.extents, p.window_windows = inner.strides[0], p.window_array = inner.strides[1];
  for (std::int64_t i : d.map) {
    p.component_stride.push_back(array[i]);
    p.component_limit.push_back(operand[i] - sizes[i]);
  }
  p.clamps = mode == GatherScatterMode::clip || (mode == GatherScatterMode::promise_in_bounds && clips);
  return p;
}

void shift_all(IntList& dims) {
  for (std::int64_t& i : dims) ++i;
}

HloIndices hlo_index_vectors(HloWriter& w, const IndexedDims& d, const HloValue& indices, const Shape& operand,
                             const Shape& sizes) {
  HloValue v = hlo_indices(w, {&indices, 1})[0];
  std::vector<std::int64_t> highest;
  bool wide = false;
  for (std::int64_t i : d.map) {
    highest.push_back(operand[i] - sizes[i]);
    wide |= operand[i] > 0x7fffffff;
  }
  if (wide) v = w.convert(v, DType::int64);
  const HloType row(Shape{Dim(highest.size())}, DType::int64);
  const HloValue limits = w.convert(w.dense(row, highest.data()), v.type.dtype);
  return {v, w.broadcast(limits, v.type.shape, {v.type.shape.ndim() - 1})};
}

HloValue hlo_inside(HloWriter& w, const HloIndices& i) {
  const HloValue low = w.compare(i.vectors, w.constant(i.vectors.type, 0.0), "GE");
  const HloValue inside = w.binary("stablehlo.and", low, w.compare(i.vectors, i.highest, "LE"));
  const HloValue yes = w.constant(HloType({}, DType::bool_), 1.0);
  return hlo_reduce(w, inside, "stablehlo.and", yes, {i.vectors.type.shape.ndim() - 1});
}

std::string hlo_flag(const char* name, bool value) { return std::string(name) + " = " + (value ? "true" : "false"); }

}  // namespace cotan::ops

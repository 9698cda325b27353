// An index expression as the dimension numbers and index vectors of a gather or scatter.
#include <algorithm>
#include <limits>

#include "core/trace.h"
#include "numpy/indexing.h"

namespace cotan::numpy {

namespace {

using Entry = IndexEntry;

std::int64_t largest(DType d) {
  const int bits = static_cast<int>(item_size(d)) * 8 - is_signed_integer(d);
  return bits >= 63 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << bits) - 1;
}

class Lowering {
 public:
  Lowering(const Shape& x, const ParsedIndex& index, bool wrap) : x_(x), index_(index), wrap_(wrap) {
    dtype_ = DType::int32;
    for (const Entry& e : index.entries)
      if (e.kind == Entry::Kind::array && item_size(e.array.dtype()) == 8) dtype_ = DType::int64;
    for (std::int64_t n : x)
      if (n > largest(DType::int32)) dtype_ = DType::int64;
  }

  GatherIndex run() {
    out_.sizes = x_;
    out_.advanced = index_.advanced;
    if (index_.advanced) prepare_advanced();
    else
      for (const Entry& e : index_.entries)
        if (e.kind == Entry::Kind::array) scalars_.push_back(to_dtype(counted(e), dtype_, false));
    if (index_.advanced && !contiguous_) add_advanced();
    for (const Entry& e : index_.entries) add(e);
    std::sort(out_.dims.collapsed_slice_dims.begin(), out_.dims.collapsed_slice_dims.end());
    join();
    return std::move(out_);
  }

 private:
  struct Component {
    Array value;
    IntList dims;  // of the batch
  };

  Array counted(const Entry& e) const {  // with negative positions counted from the end
    if (e.in_range || !wrap_ || !is_signed_integer(e.array.dtype())) return e.array;
    return wrapped(e.array, x_[e.axis]);
  }

  // Arrays and positions in their common shape.
  void prepare_advanced() {
    std::vector<Array> arrays;
    int first = -1, last = -1, count = 0;
    for (int i = 0; i < static_cast<int>(index_.entries.size()); ++i) {
      const Entry& e = index_.entries[static_cast<std::size_t>(i)];
      if (e.kind != Entry::Kind::array && e.kind != Entry::Kind::position) continue;
      if (first < 0) first = i;
      last = i, ++count;
      arrays.push_back(e.kind == Entry::Kind::array ? counted(e) : Array(e.position));
      axes_.push_back(e.axis);
    }
    contiguous_ = last - first + 1 == count;
    std::vector<Shape> shapes;
    for (const Array& a : arrays) shapes.push_back(a.shape());
    shape_ = broadcast_shapes("indexing", shapes);
    for (const Array& a : arrays) {
      Array whole = a;
      if (!(a.shape() == shape_)) {
        IntList dims;
        for (int i = 0; i < a.ndim(); ++i) dims.push_back(shape_.ndim() - a.ndim() + i);
        whole = ops::broadcast_in_dim(a, shape_, dims);
      }
      advanced_.push_back(to_dtype(whole, dtype_, false));
    }
  }
  void add_advanced() {
    added_ = true;
    IntList dims;
    for (std::int64_t n : shape_) dims.push_back(add_batch(n));
    for (std::size_t k = 0; k < advanced_.size(); ++k) {
      components_.push_back({advanced_[k], dims});
      drop(static_cast<int>(axes_[static_cast<std::int64_t>(k)]));
    }
  }

  std::int64_t add_batch(std::int64_t n) {
    place(n);
    batch_.push_back(n);
    return batch_.length() - 1;
  }
  void place(std::int64_t n) { out_.gathered.push_back(n); }
  int place_with_new_axes() const { return out_.gathered.ndim() + out_.new_axes.length(); }
  void drop(int axis) {
    out_.dims.start_index_map.push_back(axis);
    out_.dims.collapsed_slice_dims.push_back(axis);
    out_.sizes[axis] = 1;
  }

  void add(const Entry& e) {
    switch (e.kind) {
      case Entry::Kind::new_axis: return out_.new_axes.push_back(place_with_new_axes());
      case Entry::Kind::range: return add_range(e);
      default: break;
    }
    if (index_.advanced) {
      if (!added_) add_advanced();
      return;
    }
    components_.push_back(
        {e.kind == Entry::Kind::array ? scalars_[scalar_++] : ops::scalar_int(dtype_, e.position), {}});
    drop(e.axis);
  }
  void add_range(const Entry& e) {
    const Range& r = e.range;
    if (r.reversed && r.count > 1) out_.reversed.push_back(out_.gathered.ndim());
    if (r.step == 1) {
      out_.dims.offset_dims.push_back(out_.gathered.ndim());
      place(r.count);
      if (r.count == x_[e.axis]) return;
      out_.sizes[e.axis] = r.count;
      out_.dims.start_index_map.push_back(e.axis);
      components_.push_back({ops::scalar_int(dtype_, r.count == 0 ? 0 : r.start), {}});
      return;
    }
    const Array steps =
        ops::mul(ops::scalar_int(dtype_, r.reversed ? -r.step : r.step), ops::iota(dtype_, Shape(r.count), 0));
    Array at = ops::add(ops::scalar_int(dtype_, r.reversed ? r.last() : r.start), steps);
    if (r.reversed) at = ops::rev(at, {0});
    components_.push_back({at, {add_batch(r.count)}});
    drop(e.axis);
  }

  void join() {
    Shape vectors = batch_;
    vectors.push_back(1);
    std::vector<Array> columns;
    for (const Component& c : components_) columns.push_back(ops::broadcast_in_dim(c.value, vectors, c.dims));
    if (columns.size() == 1) out_.indices = columns[0];
    else if (!columns.empty()) out_.indices = ops::concatenate(columns, batch_.ndim());
    else {
      vectors[batch_.ndim()] = 0;
      out_.indices = evaluation_hook().from_bytes({vectors, dtype_, false}, nullptr);
    }
  }

  const Shape& x_;
  const ParsedIndex& index_;
  const bool wrap_;
  DType dtype_;
  GatherIndex out_;
  Shape batch_, shape_;
  std::vector<Component> components_;
  std::vector<Array> advanced_, scalars_;
  std::size_t scalar_ = 0;
  IntList axes_;
  bool contiguous_ = true, added_ = false;
};

template <class T> bool any_negative(const void* data, std::int64_t n) {
  constexpr std::int64_t block = 1024;
  const T* p = static_cast<const T*>(data);
  for (; n >= block; n -= block, p += block) {
    T all = 0;
    for (std::int64_t i = 0; i < block; ++i) all = static_cast<T>(all | p[i]);
    if (all < 0) return true;
  }
  return std::any_of(p, p + n, [](T i) { return i < 0; });
}

// Whether these are values, not to be staged, that need not be counted from the end: one look saves three passes.
bool nothing_to_wrap(const Array& i) {
  if (current_trace() != nullptr || !is_concrete(i)) return false;
  switch (i.dtype()) {
    case DType::int8: return !any_negative<std::int8_t>(bytes_of(i), i.size());
    case DType::int16: return !any_negative<std::int16_t>(bytes_of(i), i.size());
    case DType::int32: return !any_negative<std::int32_t>(bytes_of(i), i.size());
    default: return !any_negative<std::int64_t>(bytes_of(i), i.size());
  }
}

}  // namespace

Array wide_for(const Array& i, std::int64_t n) {
  return n <= largest(i.dtype()) ? i : to_dtype(i, DType::int32, false);
}

Array wrapped(const Array& position, std::int64_t n) {
  const Array i = wide_for(position, n);
  if (nothing_to_wrap(i)) return i;
  const DType d = i.dtype();
  const Array negative = ops::lt(i, ops::scalar_int(d, 0)), from_end = ops::add(i, ops::scalar_int(d, n));
  return ops::select(negative, from_end, i);
}

Shape GatherIndex::shape() const {
  Shape s = gathered;
  for (std::int64_t i : new_axes) s.insert(i, 1);
  return s;
}

GatherIndex lower_index(const Shape& x, const ParsedIndex& index, bool wrap_negative) {
  return Lowering(x, index, wrap_negative).run();
}

}  // namespace cotan::numpy

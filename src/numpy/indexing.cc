// Basic indexing: x(i, slice, ...), and x.at(...).set(v) and its kin, by slices and blocks.
#include "numpy/indexing.h"

#include <algorithm>
#include <limits>

#include "cotan/config.h"

namespace cotan::numpy {

namespace {

using Kind = Index::Kind;

bool consumes_axis(const Index& i) { return i.kind == Kind::at || i.kind == Kind::range || i.kind == Kind::array; }

// A slice's positions as Python's: bounds are clamped, negative ones count from the end.
AxisRegion range_of(const slice& s, std::int64_t n) {
  const std::int64_t step = s.stride.given ? s.stride.value : 1;
  if (step == 0) throw ValueError("slice step cannot be zero");
  const bool down = step < 0;
  const std::int64_t lowest = down ? -1 : 0, highest = down ? n - 1 : n;
  const auto bound = [&](const Bound& b, std::int64_t otherwise) {
    if (!b.given) return otherwise;
    const std::int64_t v = b.value < 0 ? b.value + n : b.value;
    return std::clamp(v, lowest, highest);
  };
  const std::int64_t first = bound(s.first, down ? highest : lowest), last = bound(s.last, down ? lowest : highest);
  const std::int64_t distance = down ? first - last : last - first;
  AxisRegion r;
  r.step = down ? (step == std::numeric_limits<std::int64_t>::min() ? std::numeric_limits<std::int64_t>::max() : -step)
                : step;
  r.reversed = down;
  r.count = distance <= 0 ? 0 : (distance - 1) / r.step + 1;
  r.start = r.count == 0 ? (down ? n : first) : down ? first - (r.count - 1) * r.step : first;
  r.limit = down ? n : last;
  if (r.count <= 1) r.step = 1;
  return r;
}

AxisRegion position_of(const Index& index, int axis, std::int64_t n, Region* region) {
  if (n == 0) throw IndexError("index is out of bounds for axis " + std::to_string(axis) + " with size 0");
  AxisRegion r;
  r.drops = true;
  if (index.kind == Kind::array) {
    const Array& a = index.array;
    if (a.dtype() == DType::bool_ && !is_concrete(a))
      throw NonConcreteBooleanIndexError("Array boolean indices must be concrete; got " + a.aval().str());
    if (a.dtype() == DType::bool_)
      throw NotImplementedError("indexing with a bool Array is not implemented: it needs gather; got " +
                                a.aval().str());
    if (!is_integer(a.dtype()))
      throw TypeError(std::string("Indexer must have integer or boolean type, got indexer with type ") +
                      dtype_name(a.dtype()));
    if (a.ndim() > 0)
      throw NotImplementedError(
          "indexing with an integer Array that has axes is not implemented: it needs gather; got " + a.aval().str());
    r.position = a;
    region->dynamic = true;
    return r;
  }
  const std::int64_t i = index.position;
  if (!config::get(config::Flag::enable_x64) && i != static_cast<std::int32_t>(i))
    throw OverflowError("index " + std::to_string(i) + " is too large for int32");
  r.start = i < 0 ? i + n : i;
  if (r.start < 0 || r.start >= n) {
    r.start = i;  // as given: wrapped and clamped with the dynamic ones
    region->dynamic = region->outside = true;
  }
  return r;
}

DType index_dtype(const Region& r) {
  for (const AxisRegion& a : r.axes)
    if (a.is_dynamic() && item_size(a.position.dtype()) == 8) return DType::int64;
  return DType::int32;
}

// Negative positions count from the end.
Array wrapped(const Array& i, std::int64_t n) {
  const DType d = i.dtype();
  const Array negative = ops::lt(i, ops::scalar_int(d, 0)), from_end = ops::add(i, ops::scalar_int(d, n));
  return ops::select(negative, from_end, i);
}

std::vector<Array> block_starts(const Shape& shape, const Region& r) {
  const DType d = index_dtype(r);
  std::vector<Array> starts;
  for (std::size_t i = 0; i < r.axes.size(); ++i) {
    const AxisRegion& a = r.axes[i];
    const std::int64_t n = shape[static_cast<std::int64_t>(i)];
    const Array at = a.is_dynamic() ? to_dtype(a.position, d, false)
                                    : ops::scalar_int(d, a.step == 1 ? std::min(a.start, a.drops ? a.start : n) : 0);
    starts.push_back(wrapped(at, n));
  }
  return starts;
}

// The sizes of the block that dynamic_slice takes: strided axes whole.
IntList dynamic_sizes(const Shape& shape, const Region& r) {
  IntList sizes = r.counts();
  for (std::size_t i = 0; i < r.axes.size(); ++i)
    if (r.axes[i].step != 1) sizes[static_cast<std::int64_t>(i)] = shape[static_cast<std::int64_t>(i)];
  return sizes;
}

// What remains to be done in such a block.
Region strided_rest(const Region& r) {
  Region rest = r;
  rest.dynamic = rest.outside = false;
  for (AxisRegion& a : rest.axes) {
    a.position = Array();
    if (a.step == 1) a.start = 0;
  }
  return rest;
}

Array read_static(const Array& x, const Region& r) {
  IntList start, limit, strides;
  bool whole = true, strided = false;
  for (std::size_t i = 0; i < r.axes.size(); ++i) {
    const AxisRegion& a = r.axes[i];
    const std::int64_t n = x.shape()[static_cast<std::int64_t>(i)];
    start.push_back(a.start);
    limit.push_back(a.count == 0  ? a.start
                    : a.step == 1 ? a.start + a.count
                    : a.reversed  ? a.start + (a.count - 1) * a.step + 1
                                  : a.limit);
    strides.push_back(a.step);
    whole &= a.count == n && a.step == 1;
    strided |= a.step != 1;
  }
  if (whole) return x;
  return ops::slice(x, start, limit, strided ? std::optional<IntList>(strides) : std::nullopt);
}

Array write_static(const Array& x, const Array& block, const Region& r) {
  if (r.is_contiguous()) {
    std::vector<Array> starts;
    for (const AxisRegion& a : r.axes) starts.push_back(ops::scalar_int(DType::int32, a.start));
    return ops::dynamic_update_slice(x, block, starts);
  }
  std::vector<ops::PadDim> config;
  for (std::size_t i = 0; i < r.axes.size(); ++i) {
    const AxisRegion& a = r.axes[i];
    const std::int64_t end = a.start + (a.count - 1) * a.step + 1;
    config.push_back({a.start, x.shape()[static_cast<std::int64_t>(i)] - end, a.step - 1});
  }
  const Array inside =
      ops::pad(ops::full({block.shape(), DType::bool_, false}, 1), ops::scalar(DType::bool_, 0), config);
  // Between the elements any value of the type will do.
  const Array filler = is_key(x.dtype())
                           ? ops::squeeze(ops::slice(block, IntList::filled(x.ndim(), 0), IntList::filled(x.ndim(), 1)),
                                          IntList::range(x.ndim()))
                           : ops::scalar(x.dtype(), 0);
  return ops::select(inside, ops::pad(block, filler, config), x);
}

// Whether every dynamic position, wrapped, is one of the axis.
Array positions_fit(const Shape& shape, const Region& r, const std::vector<Array>& starts) {
  Array fit;
  for (std::size_t i = 0; i < r.axes.size(); ++i) {
    if (!r.axes[i].is_dynamic()) continue;
    const DType d = starts[i].dtype();
    const Array above = ops::ge(starts[i], ops::scalar_int(d, 0)),
                below = ops::lt(starts[i], ops::scalar_int(d, shape[static_cast<std::int64_t>(i)]));
    const Array in = ops::bit_and(above, below);
    fit = fit.has_value() ? ops::bit_and(fit, in) : in;
  }
  return fit;
}

}  // namespace

IntList Region::dropped() const {
  IntList r;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].drops) r.push_back(static_cast<std::int64_t>(i));
  return r;
}
IntList Region::reversed() const {
  IntList r;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].reversed) r.push_back(static_cast<std::int64_t>(i));
  return r;
}
IntList Region::counts() const {
  IntList r;
  for (const AxisRegion& a : axes) r.push_back(a.count);
  return r;
}
Shape Region::result_shape() const {
  Shape s;
  for (const AxisRegion& a : axes)
    if (!a.drops) s.push_back(a.count);
  for (std::int64_t i : new_axes) s.insert(i, 1);
  return s;
}
bool Region::is_contiguous() const {
  return std::all_of(axes.begin(), axes.end(), [](const AxisRegion& a) { return a.step == 1; });
}

Region parse_index(const Array& x, std::span<const Index> index) {
  const auto rests = std::count_if(index.begin(), index.end(), [](const Index& i) { return i.kind == Kind::rest; });
  const auto used = static_cast<int>(std::count_if(index.begin(), index.end(), consumes_axis));
  if (rests > 1) throw IndexError("an index can only have a single ellipsis");
  if (used > x.ndim())
    throw IndexError("Too many indices: array is " + std::to_string(x.ndim()) + "-dimensional, but " +
                     std::to_string(used) + " were indexed");
  Region r;
  std::int64_t place = 0;  // in the result
  const auto whole_axes = [&](int count) {
    for (int i = 0; i < count; ++i, ++place)
      r.axes.push_back(range_of(slice(none), x.shape()[static_cast<std::int64_t>(r.axes.size())]));
  };
  for (const Index& i : index) {
    const auto axis = static_cast<int>(r.axes.size());
    if (i.kind == Kind::new_axis) r.new_axes.push_back(place++);
    else if (i.kind == Kind::rest) whole_axes(x.ndim() - used);
    else if (i.kind == Kind::range) r.axes.push_back(range_of(i.range, x.shape()[axis])), ++place;
    else r.axes.push_back(position_of(i, axis, x.shape()[axis], &r));
  }
  whole_axes(x.ndim() - static_cast<int>(r.axes.size()));
  return r;
}

Array read_block(const Array& x, const Region& r) {
  if (!r.dynamic) return read_static(x, r);
  return read_static(ops::dynamic_slice(x, block_starts(x.shape(), r), dynamic_sizes(x.shape(), r)), strided_rest(r));
}

Array write_block(const Array& x, const Array& block, const Region& r) {
  if (r.outside || block.size() == 0) return x;
  if (!r.dynamic) return write_static(x, block, r);
  const std::vector<Array> starts = block_starts(x.shape(), r);
  const Array before = ops::dynamic_slice(x, starts, dynamic_sizes(x.shape(), r));
  const Array after = write_static(before, block, strided_rest(r));
  return ops::dynamic_update_slice(x, ops::select(positions_fit(x.shape(), r, starts), after, before), starts);
}

namespace {

Array take(const Array& x, std::span<const Index> index) {
  const Region r = parse_index(x, index);
  Array v = read_block(x, r);
  const IntList reversed = r.reversed();
  if (!reversed.empty()) v = ops::rev(v, reversed);
  return ops::expand_dims(ops::squeeze(v, r.dropped()), r.new_axes);
}

using Combine = Array (*)(const Array& old, const Array& v);

// v, of the shape of the indexed part, as a block of x.
Array as_block(const Array& v, const Region& r) {
  const Array whole = broadcast_to(v, r.result_shape());
  const Array block = ops::expand_dims(ops::squeeze(whole, r.new_axes), r.dropped());
  const IntList reversed = r.reversed();
  return reversed.empty() ? block : ops::rev(block, reversed);
}

Array update(const Array& x, std::span<const Index> index, const Array& v, Combine combine) {
  const Region r = parse_index(x, index);
  if (is_key(x.dtype()) != is_key(v.dtype()) || (is_key(x.dtype()) && (combine || x.dtype() != v.dtype())))
    throw TypeError("at: a value of type " + v.aval().str() + " cannot update an array of type " + x.aval().str());
  Array block = as_block(v, r);
  if (combine) block = combine(read_block(x, r), block);
  return write_block(x, to_dtype(block, x.dtype(), x.weak_type()), r);
}

}  // namespace

}  // namespace cotan::numpy

namespace cotan {

Array Array::index(std::initializer_list<Index> i) const {
  COTAN_API;
  return numpy::take(*this, {i.begin(), i.size()});
}

IndexedArray::IndexedArray(Array x, std::initializer_list<Index> i) : x_(std::move(x)), index_(i) {}
IndexedArray::~IndexedArray() = default;
Array IndexedArray::get() const {
  COTAN_API;
  return numpy::take(x_, index_);
}
Array IndexedArray::set(const Array& v) const {
  COTAN_API;
  return numpy::update(x_, index_, v, nullptr);
}
#define COTAN_UPDATE(NAME, FN)                      \
  Array IndexedArray::NAME(const Array& v) const {  \
    COTAN_API;                                      \
    return numpy::update(x_, index_, v, numpy::FN); \
  }
COTAN_UPDATE(add, add)
COTAN_UPDATE(subtract, subtract)
COTAN_UPDATE(multiply, multiply)
COTAN_UPDATE(divide, divide)
COTAN_UPDATE(power, power)
COTAN_UPDATE(min, minimum)
COTAN_UPDATE(max, maximum)
#undef COTAN_UPDATE

}  // namespace cotan

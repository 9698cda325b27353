// x(...) and x.at(...): slices where positions are known, blocks where only their starts are not, else gather and scatter.
#include "numpy/indexing.h"

#include <algorithm>
#include <limits>

namespace cotan::numpy {

namespace {

using Entry = IndexEntry;
using Mode = ops::GatherScatterMode;

// The places of the entries that are no new axes, and of those that are, in the indexed shape.
struct Kept {
  IntList dropped, reversed, new_axes;
};
Kept kept_of(const ParsedIndex& p) {
  Kept k;
  std::int64_t place = 0;
  for (const Entry& e : p.entries) {
    if (e.kind == Entry::Kind::new_axis) k.new_axes.push_back(place++);
    else if (e.kind == Entry::Kind::range) {
      if (e.range.reversed) k.reversed.push_back(e.axis);
      ++place;
    } else k.dropped.push_back(e.axis);
  }
  return k;
}
Array finish(Array v, const Kept& k) {
  if (!k.reversed.empty()) v = ops::rev(v, k.reversed);
  return ops::expand_dims(ops::squeeze(v, k.dropped), k.new_axes);
}

Array read_static(const Array& x, const ParsedIndex& p) {
  IntList start, limit, strides;
  bool whole = true, strided = false;
  for (const Entry& e : p.entries) {
    if (e.kind == Entry::Kind::new_axis) continue;
    Range r = e.range;
    if (e.kind == Entry::Kind::position) r = {e.position, 1, 1, e.position + 1, false};
    start.push_back(r.start);
    limit.push_back(r.count == 0 ? r.start : r.step == 1 || r.reversed ? r.last() + 1 : r.limit);
    strides.push_back(r.step);
    whole &= r.count == x.shape()[e.axis] && r.step == 1;
    strided |= r.step != 1;
  }
  const Array block = whole ? x : ops::slice(x, start, limit, strided ? std::optional<IntList>(strides) : std::nullopt);
  return finish(block, kept_of(p));
}

Array read_block(const Array& x, const ParsedIndex& p, bool wrap_negative) {
  DType d = DType::int32;
  for (const Entry& e : p.entries)
    if (e.kind == Entry::Kind::array && item_size(e.array.dtype()) == 8) d = DType::int64;
  for (std::int64_t n : x.shape())
    if (n > std::numeric_limits<std::int32_t>::max()) d = DType::int64;
  std::vector<Array> starts;
  IntList sizes;
  for (const Entry& e : p.entries) {
    if (e.kind == Entry::Kind::new_axis) continue;
    const std::int64_t n = x.shape()[e.axis];
    const bool range = e.kind == Entry::Kind::range;
    sizes.push_back(range ? e.range.count : 1);
    if (e.kind == Entry::Kind::array) {
      const Array at = to_dtype(e.array, d, false);
      starts.push_back(wrap_negative ? wrapped(at, n) : at);
    } else {
      const Array at = ops::scalar_int(d, range ? std::min(e.range.start, n) : e.given);
      starts.push_back(wrap_negative ? wrapped(at, n) : at);
    }
  }
  return finish(ops::dynamic_slice(x, starts, sizes), kept_of(p));
}

HostScalar fill_of(const AtGetOptions& o, DType d) {
  return o.fill_value.has_value() ? fill_number(o.fill_value) : default_fill(d);
}

// --- updates ------------------------------------------------------------------------------------------------------------------
using Binary = Array (*)(const Array&, const Array&);
Binary function_of(Update u) {
  switch (u) {
    case Update::add: return add;
    case Update::subtract: return subtract;
    case Update::multiply: return multiply;
    case Update::divide: return divide;
    case Update::power: return power;
    case Update::min: return minimum;
    case Update::max: return maximum;
    default: return nullptr;
  }
}
const Primitive& scatter_of(Update u) {
  switch (u) {
    case Update::add: return ops::scatter_add_p;
    case Update::subtract: return ops::scatter_sub_p;
    case Update::min: return ops::scatter_min_p;
    case Update::max: return ops::scatter_max_p;
    case Update::set: return ops::scatter_p;
    default: return ops::scatter_mul_p;
  }
}

void check_keys(Update u, const Array& x, const Array& v) {
  if (is_key(x.dtype()) == is_key(v.dtype()) && (!is_key(x.dtype()) || (u == Update::set && x.dtype() == v.dtype())))
    return;
  throw TypeError("at: a value of type " + v.aval().str() + " cannot update an array of type " + x.aval().str());
}

// x and v in the type that they are combined in: x's where v replaces.
Pair common(Update u, const Array& x, const Array& v) {
  if (u == Update::set) return {x, x.dtype() == v.dtype() ? v : to_dtype(v, x.dtype(), false)};
  const LatticeType t = promote_types({x.dtype(), x.weak_type()}, {v.dtype(), v.weak_type()});
  return {x.dtype() == t.dtype ? x : to_dtype(x, t.dtype, t.weak),
          v.dtype() == t.dtype ? v : to_dtype(v, t.dtype, t.weak)};
}

Array as_windows(const Array& v, const GatherIndex& g) {
  if (v.ndim() > g.shape().ndim())
    throw ValueError("Cannot broadcast to shape with fewer dimensions: the value has shape " + v.shape().str() +
                     ", the indexed part " + g.shape().str());
  const Array windows = ops::squeeze(broadcast_to(v, g.shape()), g.new_axes);
  return g.reversed.empty() ? windows : ops::rev(windows, g.reversed);
}

ops::GatherScatterOptions scatter_options(const GatherIndex& g, const AtSetOptions& o) {
  return {o.indices_are_sorted || !g.advanced, o.unique_indices || !g.advanced, mode_of(o.mode, Mode::fill_or_drop)};
}

Array scattered(Update u, const Array& x, std::span<const Index> index, const Array& v, const AtSetOptions& o) {
  const ParsedIndex p = parse_index(x, index, o.wrap_negative_indices);
  Shape shape = x.shape();
  for (std::int64_t a : p.truth_axes) shape.insert(a, 1);
  const GatherIndex g = lower_index(shape, p, o.wrap_negative_indices);
  const Pair c = common(u, x, v);
  const Array windows = as_windows(c.y, g);
  const ops::GatherScatterOptions options = scatter_options(g, o);
  if (windows.size() == 0) return x;
  if (is_bool(c.x) && u != Update::set && u != Update::min && u != Update::max)
    throw TypeError("at: bools are not added, subtracted or multiplied; got " + x.aval().str());
  if (x.size() == 0) return x;
  const Array r = ops::scatter(scatter_of(u), ops::expand_dims(c.x, p.truth_axes), g.indices, windows,
                               ops::scatter_dims_of(g.dims), options);
  return to_dtype(ops::squeeze(r, p.truth_axes), x.dtype(), x.weak_type());
}

// --- a traced mask ----------------------------------------------------------------------------------------------------------------
bool is_whole(const Index& i) {
  return i.kind == Index::Kind::range && !i.range.first.given && !i.range.last.given && !i.range.stride.given;
}
// The one mask among whole axes, or null.
const Index* traced_mask(std::span<const Index> index) {
  const Index* mask = nullptr;
  for (const Index& i : index) {
    const bool is_mask = i.kind == Index::Kind::array && i.array.dtype() == DType::bool_ && i.array.ndim() > 0;
    if (is_mask && !is_concrete(i.array) && !mask) mask = &i;
    else if (!is_whole(i) && i.kind != Index::Kind::rest) return nullptr;
  }
  return mask;
}

struct Masked {
  Array mask;  // of x's shape
  int axis;    // the first that it has
  int ndim;
};
Masked masked(const Array& x, std::span<const Index> index, const Index& mask) {
  int before = 0, after = 0;
  bool rest = false;
  for (const Index& i : index)
    if (&i != &mask) {
      const bool behind = &i > &mask;
      if (i.kind == Index::Kind::rest) rest |= !behind;
      else (behind ? after : before) += 1;
    }
  const int n = mask.array.ndim();
  if (before + after + n > x.ndim())
    throw IndexError("Too many indices: array is " + std::to_string(x.ndim()) + "-dimensional, but " +
                     std::to_string(before + after + n) + " were indexed");
  const int axis = rest ? x.ndim() - n - after : before;
  IntList dims, expected;
  for (int i = 0; i < n; ++i) dims.push_back(axis + i), expected.push_back(x.shape()[axis + i]);
  if (!(mask.array.shape() == expected))
    throw IndexError("boolean index did not match shape of indexed array at axis " + std::to_string(axis) + ": got " +
                     mask.array.shape().str() + ", expected " + expected.str());
  return {ops::broadcast_in_dim(mask.array, x.shape(), dims), axis, n};
}

// v, which broadcasts to an axis of unknown size in the place of the mask's, as x's shape.
Array over_mask(const Array& v, const Array& x, const Masked& m, const Array& mask) {
  const int ndim = x.ndim() - m.ndim + 1;
  Shape shape = IntList::filled(std::max(0, ndim - v.ndim()), 1);
  for (std::int64_t n : v.shape()) shape.push_back(n);
  if (v.ndim() > ndim || shape[m.axis] != 1)
    throw NonConcreteBooleanIndexError(
        "Array boolean indices must be concrete, or the value must not depend on how many "
        "are true; got " +
        mask.aval().str() + " and a value of type " + v.aval().str());
  for (int i = 1; i < m.ndim; ++i) shape.insert(m.axis, 1);
  return broadcast_to(ops::reshape(v, shape), x.shape());
}

Array masked_update(Update u, const Array& x, std::span<const Index> index, const Index& mask, const Array& v) {
  const Masked m = masked(x, index, mask);
  const Array whole = over_mask(v, x, m, mask.array);
  if (u == Update::divide || u == Update::power) {
    const Array factors = ops::select(m.mask, to_dtype(whole, x.dtype(), x.weak_type()), ops::full(x.aval(), 1));
    return function_of(u)(x, factors);
  }
  const Array r = u == Update::set ? whole : function_of(u)(x, whole);
  return ops::select(m.mask, to_dtype(r, x.dtype(), x.weak_type()), x);
}

}  // namespace

HostScalar default_fill(DType d) {
  if (is_inexact(d)) return HostScalar(std::numeric_limits<double>::quiet_NaN(), d);
  if (!is_integer(d)) return HostScalar(true);
  const int bits = static_cast<int>(item_size(d)) * 8;
  if (is_signed_integer(d)) return HostScalar(std::numeric_limits<std::int64_t>::min() >> (64 - bits), d);
  return HostScalar(~std::uint64_t{0} >> (64 - bits), d);
}

Array get_at(const Array& x, std::span<const Index> index, const AtGetOptions& o) {
  const ParsedIndex p = parse_index(x, index, o.wrap_negative_indices);
  const Mode mode = mode_of(o.mode, Mode::promise_in_bounds);
  if (mode != Mode::fill_or_drop && p.is_static(x.shape())) return read_static(x, p);
  if (mode == Mode::promise_in_bounds && p.is_block()) return read_block(x, p, o.wrap_negative_indices);
  Shape shape = x.shape();
  for (std::int64_t a : p.truth_axes) shape.insert(a, 1);
  const GatherIndex g = lower_index(shape, p, o.wrap_negative_indices);
  const Array whole = ops::expand_dims(x, p.truth_axes);
  if (g.gathered.size() == 0 && !is_key(x.dtype())) return ops::full({g.shape(), x.dtype(), x.weak_type()}, 0);
  std::optional<HostScalar> fill;
  if (mode == Mode::fill_or_drop && !is_key(x.dtype())) fill = fill_of(o, x.dtype());
  Array r = ops::gather(whole, g.indices, g.dims, g.sizes,
                        {o.indices_are_sorted || !g.advanced, o.unique_indices || !g.advanced, mode}, fill);
  if (!g.reversed.empty()) r = ops::rev(r, g.reversed);
  return ops::expand_dims(r, g.new_axes);
}

Array update_at(Update u, const Array& x, std::span<const Index> index, const Array& v, const AtSetOptions& o) {
  check_keys(u, x, v);
  if (const Index* mask = traced_mask(index)) return masked_update(u, x, index, *mask, v);
  if (u != Update::divide && u != Update::power) return scattered(u, x, index, v, o);
  const Array factors = scattered(Update::multiply, ops::full(x.aval(), 1), index, v, o);
  return function_of(u)(x, factors);
}

Array apply_at(const Array& x, std::span<const Index> index, const UnaryFn& f, const AtSetOptions& o) {
  if (const Index* mask = traced_mask(index)) return ops::select(masked(x, index, *mask).mask, f(x), x);
  const ParsedIndex p = parse_index(x, index, o.wrap_negative_indices);
  Shape shape = x.shape();
  for (std::int64_t a : p.truth_axes) shape.insert(a, 1);
  const GatherIndex g = lower_index(shape, p, o.wrap_negative_indices);
  const Array r = apply_windows(ops::expand_dims(x, p.truth_axes), g.indices, g.gathered, f,
                                ops::scatter_dims_of(g.dims), scatter_options(g, o));
  return ops::squeeze(r, p.truth_axes);
}

}  // namespace cotan::numpy

namespace cotan {

Array Array::index(std::initializer_list<Index> i) const {
  COTAN_API;
  return numpy::get_at(*this, {i.begin(), i.size()});
}

IndexedArray::IndexedArray(Array x, std::initializer_list<Index> i) : x_(std::move(x)), index_(i) {}
IndexedArray::~IndexedArray() = default;
Array IndexedArray::get(const AtGetOptions& o) const {
  COTAN_API;
  return numpy::get_at(x_, index_, o);
}
#define COTAN_UPDATE(NAME)                                                \
  Array IndexedArray::NAME(const Array& v, const AtSetOptions& o) const { \
    COTAN_API;                                                            \
    return numpy::update_at(numpy::Update::NAME, x_, index_, v, o);       \
  }
COTAN_UPDATE(set)
COTAN_UPDATE(add)
COTAN_UPDATE(subtract)
COTAN_UPDATE(multiply)
COTAN_UPDATE(divide)
COTAN_UPDATE(power)
COTAN_UPDATE(min)
COTAN_UPDATE(max)
#undef COTAN_UPDATE
Array IndexedArray::apply(const FunctionRef<Array(const Array&)>& f, const AtSetOptions& o) const {
  COTAN_API;
  return numpy::apply_at(x_, index_, f, o);
}

}  // namespace cotan

// Index expressions, entry by entry: ellipsis and masks written out, known positions counted from the start.
#include <algorithm>
#include <complex>
#include <limits>

#include "cotan/config.h"
#include "numpy/indexing.h"

namespace cotan::numpy {

namespace {

using Kind = Index::Kind;
using Entry = IndexEntry;

std::int64_t position_of(std::int64_t i, std::int64_t n, bool wrap_negative) {
  if (!config::get(config::Flag::enable_x64) && i != static_cast<std::int32_t>(i))
    throw OverflowError("index " + std::to_string(i) + " is too large for int32");
  return wrap_negative && i < 0 ? i + n : i;
}

bool is_mask(const Index& i) { return i.kind == Kind::array && i.array.dtype() == DType::bool_; }
bool is_truth(const Index& i) { return i.kind == Kind::truth || (is_mask(i) && i.array.ndim() == 0); }
int axes_of(const Index& i) {
  if (is_truth(i)) return 0;
  if (is_mask(i)) return i.array.ndim();
  return i.kind == Kind::at || i.kind == Kind::range || i.kind == Kind::array;
}

Array host_ints(const std::vector<std::int64_t>& v, DType d) {
  std::vector<std::int32_t> narrow(v.begin(), v.end());
  const Aval aval{Shape(v.size()), d, false};
  return evaluation_hook().from_bytes(aval, d == DType::int64 ? static_cast<const void*>(v.data()) : narrow.data());
}

class Parser {
 public:
  Parser(const Array& x, bool wrap_negative) : x_(x), wrap_(wrap_negative) {}
  ParsedIndex parsed;

  void add(const Index& i, int rest) {
    if (is_truth(i)) return add_truth(i);
    if (is_mask(i)) return add_mask(i.array);
    if (i.kind == Kind::rest) return add_whole(rest);
    Entry e{};
    if (i.kind == Kind::new_axis) {
      e.kind = Entry::Kind::new_axis;
      parsed.entries.push_back(std::move(e));
      return;
    }
    e.axis = next();
    const std::int64_t n = x_.shape()[axis_++];
    if (i.kind == Kind::range) {
      e.kind = Entry::Kind::range;
      e.range = range_of(i.range, n);
    } else if (i.kind == Kind::at) {
      e.kind = Entry::Kind::position;
      e.given = i.position;
      e.position = position_of(i.position, n, wrap_);
    } else {
      if (!is_integer(i.array.dtype()))
        throw TypeError(std::string("Indexer must have integer or boolean type, got indexer with type ") +
                        dtype_name(i.array.dtype()));
      e.kind = Entry::Kind::array;
      e.array = i.array;
      parsed.advanced |= i.array.ndim() > 0;
    }
    parsed.entries.push_back(std::move(e));
  }
  void add_whole(int count) {
    for (int i = 0; i < count; ++i) add(Index(all_t()), 0);
  }
  int used() const { return axis_; }

 private:
  int next() const { return axis_ + parsed.truth_axes.length(); }
  void add_truth(const Index& i) {
    if (i.kind == Kind::array) check_known(i.array);
    const bool on = i.kind == Kind::truth ? i.position != 0 : i.array.item<bool>();
    const int axis = next();
    parsed.truth_axes.push_back(axis);
    add_positions(axis, host_ints(std::vector<std::int64_t>(on ? 1 : 0, 0), DType::int32));
  }
  void add_mask(const Array& mask) {
    check_known(mask);
    for (int k = 0; k < mask.ndim(); ++k)
      if (mask.shape()[k] != x_.shape()[axis_ + k]) {
        IntList expected;
        for (int j = 0; j < mask.ndim(); ++j) expected.push_back(x_.shape()[axis_ + j]);
        throw IndexError("boolean index did not match shape of indexed array at axis " + std::to_string(axis_) +
                         ": got " + mask.shape().str() + ", expected " + expected.str());
      }
    for (const Array& positions : host_nonzero(mask)) {
      add_positions(next(), positions);
      ++axis_;
    }
  }
  void add_positions(int axis, const Array& positions) {
    Entry e{};
    e.kind = Entry::Kind::array;
    e.axis = axis;
    e.array = positions;
    e.in_range = parsed.advanced = true;
    parsed.entries.push_back(std::move(e));
  }
  static void check_known(const Array& mask) {
    if (!is_concrete(mask))
      throw NonConcreteBooleanIndexError("Array boolean indices must be concrete; got " + mask.aval().str());
  }

  const Array& x_;
  bool wrap_;
  int axis_ = 0;
};

template <class T> void positions_of(const T* p, const Shape& shape, std::vector<std::vector<std::int64_t>>& out) {
  IntList at = IntList::filled(shape.ndim(), 0);
  const std::int64_t n = shape.size();
  for (std::int64_t i = 0; i < n; ++i) {
    if (p[i] != T{})
      for (int k = 0; k < shape.ndim(); ++k) out[static_cast<std::size_t>(k)].push_back(at[k]);
    for (int k = shape.ndim() - 1; k >= 0; --k) {
      if (++at[k] < shape[k]) break;
      at[k] = 0;
    }
  }
}

}  // namespace

std::vector<Array> host_nonzero(const Array& x) {
  std::vector<std::vector<std::int64_t>> out(static_cast<std::size_t>(x.ndim()));
  const void* p = bytes_of(x);
  const auto as = [&](auto type) { positions_of(static_cast<const decltype(type)*>(p), x.shape(), out); };
  if (!is_inexact(x.dtype())) {
    switch (item_size(x.dtype())) {
      case 1: as(std::uint8_t{}); break;
      case 2: as(std::uint16_t{}); break;
      case 4: as(std::uint32_t{}); break;
      default: as(std::uint64_t{});
    }
  } else if (x.dtype() == DType::float32) as(float{});
  else if (x.dtype() == DType::float64) as(double{});
  else if (x.dtype() == DType::complex64) as(std::complex<float>{});
  else if (x.dtype() == DType::complex128) as(std::complex<double>{});
  else {
    std::vector<std::uint8_t> on;
    for (std::int64_t i = 0; i < x.size(); ++i)
      on.push_back(!HostScalar::load(x.dtype(), static_cast<const char*>(p) + 2 * i).is_zero());
    positions_of(on.data(), x.shape(), out);
  }
  std::vector<Array> r;
  for (const auto& v : out) r.push_back(host_ints(v, default_int_dtype()));
  return r;
}

// A slice's positions as Python's: bounds are clamped, negative ones count from the end.
Range range_of(const slice& s, std::int64_t n) {
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
  Range r;
  r.step = down ? (step == std::numeric_limits<std::int64_t>::min() ? std::numeric_limits<std::int64_t>::max() : -step)
                : step;
  r.reversed = down;
  r.count = distance <= 0 ? 0 : (distance - 1) / r.step + 1;
  r.start = r.count == 0 ? (down ? n : first) : down ? first - (r.count - 1) * r.step : first;
  r.limit = down ? n : last;
  if (r.count <= 1) r.step = 1;
  return r;
}

bool ParsedIndex::is_static(const Shape& shape) const {
  if (advanced) return false;
  return std::all_of(entries.begin(), entries.end(), [&](const Entry& e) {
    return e.kind == Entry::Kind::range || e.kind == Entry::Kind::new_axis ||
           (e.kind == Entry::Kind::position && e.position >= 0 && e.position < shape[e.axis]);
  });
}
bool ParsedIndex::is_block() const {
  if (advanced) return false;
  return std::all_of(entries.begin(), entries.end(),
                     [](const Entry& e) { return e.kind != Entry::Kind::range || e.range.step == 1; });
}

ParsedIndex parse_index(const Array& x, std::span<const Index> index, bool wrap_negative) {
  const auto rests = std::count_if(index.begin(), index.end(), [](const Index& i) { return i.kind == Kind::rest; });
  int used = 0;
  for (const Index& i : index) used += axes_of(i);
  if (rests > 1) throw IndexError("an index can only have a single ellipsis");
  if (used > x.ndim())
    throw IndexError("Too many indices: array is " + std::to_string(x.ndim()) + "-dimensional, but " +
                     std::to_string(used) + " were indexed");
  Parser p(x, wrap_negative);
  for (const Index& i : index) p.add(i, x.ndim() - used);
  p.add_whole(x.ndim() - p.used());
  if (!p.parsed.advanced)  // else the gather says so, unless it takes nothing
    for (const Entry& e : p.parsed.entries)
      if ((e.kind == Entry::Kind::position || e.kind == Entry::Kind::array) && x.shape()[e.axis] == 0)
        throw IndexError("index is out of bounds for axis " + std::to_string(e.axis) + " with size 0");
  return std::move(p.parsed);
}

}  // namespace cotan::numpy

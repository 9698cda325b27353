// numpy's sequences of numbers, and grids of them.
#include <cmath>

#include "api/function_table.h"
#include "numpy/common.h"

namespace cotan::numpy {

namespace {

LatticeType type_of(const Array& a, const Array& b) {
  return promote_types({a.dtype(), a.weak_type()}, {b.dtype(), b.weak_type()});
}
std::uint64_t sequence_key(std::int64_t num, bool endpoint, int axis, DType d, DType computed) {
  return list_key({num, axis, static_cast<int>(endpoint), static_cast<int>(d), static_cast<int>(computed)});
}
void check_number_of_samples(std::int64_t num) {
  if (num < 0) throw ValueError("Number of samples, " + std::to_string(num) + ", must be non-negative.");
}

struct Sequence {
  std::int64_t num;
  bool endpoint;
  int axis;  // as given
  DType result, computed;
};

// first * (1 - t) + last * t at t = i / div, so that both ends are met exactly.
Arrays linspace_values(const Array& start, const Array& stop, const Sequence& q) {
  const DType d = q.computed;
  const Array first = to_dtype(start, d, false), last = to_dtype(stop, d, false);
  const Shape bounds[] = {first.shape(), last.shape()};
  const Shape shape = broadcast_shapes("linspace", bounds);
  const int ndim = shape.ndim() + 1;
  if (q.axis < -ndim || q.axis >= ndim)
    throw IndexError("linspace: axis " + std::to_string(q.axis) + " is out of bounds for a result of dimension " +
                     std::to_string(ndim));
  const int axis = q.axis < 0 ? q.axis + ndim : q.axis;
  const Array low = broadcast_to(first, shape), high = broadcast_to(last, shape);
  Shape one = shape;
  one.insert(axis, 1);
  const std::int64_t div = q.endpoint ? q.num - 1 : q.num;
  Array r, delta = ops::scalar(real_dtype(d), NAN);
  if (q.num > 1) {
    const DType real = real_dtype(d);
    delta = ops::div(promoted("linspace", ops::sub, last, first), ops::scalar(d, static_cast<double>(div)));
    Array t = ops::iota(real, Shape(div), 0);
    Shape along = Shape(IntList::filled(ndim, 1));
    along[axis] = div;
    t = ops::div(ops::reshape(t, along), ops::scalar(real, static_cast<double>(div)));
    if (real != d) t = to_dtype(t, d, false);
    const Array starts = ops::reshape(low, one), rest = ops::sub(ops::scalar(d, 1), t), left = ops::mul(starts, rest);
    const Array stops = ops::reshape(high, one), right = ops::mul(stops, t);
    r = ops::add(left, right);
    if (q.endpoint) {
      const Array parts[] = {r, ops::expand_dims(high, {axis})};
      r = ops::concatenate(parts, axis);
    }
  } else if (q.num == 1) {
    if (!q.endpoint) delta = promoted("linspace", ops::sub, last, first);
    r = ops::reshape(low, one);
  } else {
    Shape none = shape;
    none.insert(axis, 0);
    r = ops::full({none, d, false}, 0);
  }
  if (is_integer(q.result)) r = ops::floor(r);
  return {to_dtype(r, q.result, false), delta};
}

Arrays named_linspace(const Array& start, const Array& stop, const Sequence& q) {
  return named_jit(
      "_linspace", [&](const Arrays& a) { return linspace_values(a[0], a[1], q); }, {start, stop},
      sequence_key(q.num, q.endpoint, q.axis, q.result, q.computed));
}
Array samples_only(const Array& start, const Array& stop, const Sequence& q) {
  return named_jit(
      "_linspace", [&](const Arrays& a) { return Arrays{linspace_values(a[0], a[1], q)[0]}; }, {start, stop},
      combine_key(1, sequence_key(q.num, q.endpoint, q.axis, q.result, q.computed)))[0];
}

Sequence sequence_of(const Array& start, const Array& stop, std::int64_t num, const LinspaceOptions& o) {
  check_number_of_samples(num);
  const DType d = canonical_dtype(o.dtype ? *o.dtype : to_inexact_dtype(type_of(start, stop).dtype));
  return {num, o.endpoint, o.axis, d, canonical_dtype(to_inexact_dtype(d))};
}

Array named_logspace(const Array& start, const Array& stop, const Array& base, const Sequence& q) {
  return named_jit(
      "_logspace",
      [&](const Arrays& a) {
        const Array first = to_dtype(a[0], q.computed, false), last = to_dtype(a[1], q.computed, false);
        const Array exponents = samples_only(first, last, {q.num, q.endpoint, q.axis, q.computed, q.computed});
        return Arrays{to_dtype(power(to_dtype(a[2], q.computed, false), exponents), q.result, false)};
      },
      {start, stop, base}, sequence_key(q.num, q.endpoint, q.axis, q.result, q.computed))[0];
}

Array log10_of(const Array& x) {
  const Array v = ops::log(x);
  if (!is_complex(v.dtype())) return ops::mul(v, number_like(v, M_LOG10E));
  const Array re = ops::real(v), im = ops::imag(v);
  return ops::complex(ops::mul(re, number_like(re, M_LOG10E)), ops::mul(im, number_like(im, M_LOG10E)));
}

}  // namespace

Array linspace(const Array& start, const Array& stop, std::int64_t num, const LinspaceOptions& o) {
  COTAN_API;
  return samples_only(start, stop, sequence_of(start, stop, num, o));
}
LinspaceResult linspace_with_step(const Array& start, const Array& stop, std::int64_t num, const LinspaceOptions& o) {
  COTAN_API;
  const Arrays r = named_linspace(start, stop, sequence_of(start, stop, num, o));
  return {r[0], r[1]};
}
Array logspace(const Array& start, const Array& stop, std::int64_t num, const LogspaceOptions& o) {
  COTAN_API;
  return named_logspace(start, stop, o.base, sequence_of(start, stop, num, {o.endpoint, o.dtype, o.axis}));
}
Array geomspace(const Array& start, const Array& stop, std::int64_t num, const LinspaceOptions& o) {
  COTAN_API;
  const Sequence q = sequence_of(start, stop, num, o);
  return named_jit(
      "_geomspace",
      [&](const Arrays& a) {
        const Array first = to_dtype(a[0], q.computed, false), last = to_dtype(a[1], q.computed, false);
        Array sign = ops::sign(first);
        const Array low = log10_of(ops::div(first, sign)), high = log10_of(promoted("geomspace", ops::div, last, sign));
        const Array r = named_logspace(low, high, Array(10.0), {q.num, q.endpoint, q.axis, q.computed, q.computed});
        if (sign.ndim() > 0) {
          const Shape bounds[] = {first.shape(), last.shape()};
          const Shape shape = broadcast_shapes("geomspace", bounds);
          sign = ops::expand_dims(broadcast_to(sign, shape), {q.axis < 0 ? q.axis + shape.ndim() + 1 : q.axis});
        }
        return Arrays{to_dtype(multiply(sign, r), q.result, false)};
      },
      {start, stop}, sequence_key(q.num, q.endpoint, q.axis, q.result, q.computed))[0];
}

std::vector<Array> meshgrid(const std::vector<Array>& xs, const MeshgridOptions& o) {
  COTAN_API;
  if (!o.copy) throw ValueError("meshgrid only supports copy=true");
  if (o.indexing != "xy" && o.indexing != "ij")
    throw ValueError("Valid values for indexing are 'xy' and 'ij', got '" + std::string(o.indexing) + "'");
  const int n = static_cast<int>(xs.size());
  std::vector<Array> r = xs;
  if (o.indexing == "xy" && n >= 2) std::swap(r[0], r[1]);
  Shape shape = Shape(IntList::filled(n, 1));
  for (const Array& x : r)
    if (x.ndim() != 1) throw ValueError("Arguments to meshgrid must be 1D, got " + x.aval().str());
  if (!o.sparse)
    for (int i = 0; i < n; ++i) shape[i] = r[static_cast<std::size_t>(i)].size();
  for (int i = 0; i < n; ++i) {
    Array& x = r[static_cast<std::size_t>(i)];
    if (o.sparse) shape[i] = x.size();
    x = ops::broadcast_in_dim(x, shape, {i});
    if (o.sparse) shape[i] = 1;
  }
  if (o.indexing == "xy" && n >= 2) std::swap(r[0], r[1]);
  return r;
}

namespace {

Array range_values(const GridRange& r) {
  if (!is_complex(r.step.dtype())) return arange(r.start, r.stop, r.step);
  const double count = std::abs(r.step.item<std::complex<double>>().imag());
  return linspace(r.start, r.stop, static_cast<std::int64_t>(count));
}
std::vector<Array> range_vectors(const std::vector<GridRange>& ranges) {
  std::vector<Array> r;
  for (const GridRange& range : ranges) r.push_back(range_values(range));
  return r.empty() ? r : promoted(r);
}

// "axis,ndim,trans" of r_ and c_.
struct Directive {
  std::int64_t axis = 0, ndim = 1, place = -1;
  explicit Directive(std::string_view text) {
    std::int64_t* const parts[] = {&axis, &ndim, &place};
    std::size_t i = 0;
    const std::string words(text);
    for (std::size_t at = 0; at <= words.size(); ++i) {
      const std::size_t end = std::min(words.find(',', at), words.size());
      char* rest = nullptr;
      const std::string word = words.substr(at, end - at);
      const long v = std::strtol(word.c_str(), &rest, 10);
      if (i == 3 || word.empty() || *rest)
        throw ValueError("unknown special directive '" + words +
                         "', expected 'axis', 'axis,ndim' or 'axis,ndim,trans'");
      *parts[i] = v;
      at = end + 1;
    }
  }
};

Array joined(const std::vector<GridItem>& items, std::string_view text) {
  const Directive d(text);
  if (items.empty()) throw ValueError("Need at least one array to concatenate.");
  std::vector<Array> parts;
  for (const GridItem& item : items) {
    Array x = item.array().has_value() ? item.array() : range_values(item.range());
    if (x.ndim() == 0) x = ops::expand_dims(x, {0});
    const std::int64_t more = d.ndim - x.ndim();
    if (more > 0) {
      const std::int64_t before =
          d.place < 0 ? std::clamp<std::int64_t>(more + 1 + d.place, 0, more) : std::min(d.place, more);
      IntList axes;
      for (std::int64_t i = 0; i < more; ++i) axes.push_back(i < before ? i : i + x.ndim());
      x = ops::expand_dims(x, axes);
    }
    parts.push_back(x);
  }
  return concatenate(parts, d.axis);
}

}  // namespace

Array mgrid(const std::vector<GridRange>& ranges) {
  COTAN_API;
  if (ranges.empty()) throw ValueError("mgrid: at least one range is needed");
  return stack(meshgrid(range_vectors(ranges), {.indexing = "ij"}));
}
std::vector<Array> ogrid(const std::vector<GridRange>& ranges) {
  COTAN_API;
  return meshgrid(range_vectors(ranges), {.sparse = true, .indexing = "ij"});
}
Array r_(const std::vector<GridItem>& items, std::string_view directive) {
  COTAN_API;
  return joined(items, directive);
}
Array c_(const std::vector<GridItem>& items, std::string_view directive) {
  COTAN_API;
  return joined(items, directive);
}

const FunctionTable grid_table{
    "numpy",
    {
        function<[](const Array& start, const Array& stop, std::int64_t num, bool endpoint, bool retstep,
                    std::optional<DType> dtype, int axis) -> table::Value {
          const LinspaceOptions o{endpoint, dtype, axis};
          if (!retstep) return linspace(start, stop, num, o);
          const LinspaceResult r = linspace_with_step(start, stop, num, o);
          return table::Value::tuple({r.samples, r.step});
        }>("linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None)",
           "num samples from start to stop, along a new axis."),
        function<logspace>("logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0)",
                           "num samples from base^start to base^stop."),
        function<geomspace>("geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0)",
                            "num samples from start to stop, each the same multiple of the one before."),
        function<meshgrid>("meshgrid(*xi, copy=True, sparse=False, indexing='xy')",
                           "The coordinates of the grid that vectors span."),
    }};

}  // namespace cotan::numpy

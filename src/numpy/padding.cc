// numpy.pad.
#include <algorithm>

#include "api/function_table.h"
#include "cotan/vmap.h"
#include "numpy/common.h"
#include "numpy/value_array.h"

namespace cotan::numpy {

namespace {

using Pairs = std::vector<PadPair>;

Pairs pairs_of(const char* what, const PadWidth& w, int ndim) {
  const Pairs& p = w.pairs();
  if (p.size() != 1 && p.size() != static_cast<std::size_t>(ndim))
    throw ValueError(std::string("pad: ") + what + " has " + std::to_string(p.size()) + " pairs for " +
                     std::to_string(ndim) + " dimensions; one, or one for each, are expected");
  for (const auto& [low, high] : p)
    if (low < 0 || high < 0)
      throw ValueError(std::string("index can't contain negative values, got ") + what + " (" + std::to_string(low) +
                       ", " + std::to_string(high) + ")");
  return p.size() == 1 ? Pairs(static_cast<std::size_t>(ndim), p[0]) : p;
}

// A value before and after each axis.
class EdgeValues {
 public:
  EdgeValues(const Array& v, DType d, int ndim) : v_(to_dtype(v, d, false)) {
    if (v_.ndim() > 0) v_ = broadcast_to(v_, {ndim, 2});
  }
  Array at(int axis, int side) const {
    if (v_.ndim() == 0) return v_;
    return ops::squeeze(ops::slice(v_, {axis, side}, {axis + 1, side + 1}), {0, 1});
  }
  bool one() const { return v_.ndim() == 0; }

 private:
  Array v_;
};

Array pad_constant(const Array& x, const Pairs& widths, const Array& values) {
  const EdgeValues v(values, x.dtype(), x.ndim());
  std::vector<ops::PadDim> config;
  for (const auto& [low, high] : widths) config.push_back({low, high, 0});
  if (v.one()) return ops::pad(x, v.at(0, 0), config);
  Array r = x;
  for (int i = 0; i < x.ndim(); ++i)
    for (int side = 0; side < 2; ++side) {
      std::vector<ops::PadDim> one(config.size(), {0, 0, 0});
      auto& own = one[static_cast<std::size_t>(i)];
      (side ? own.high : own.low) =
          side ? widths[static_cast<std::size_t>(i)].second : widths[static_cast<std::size_t>(i)].first;
      r = ops::pad(r, v.at(i, side), one);
    }
  return r;
}

Array part(const Array& x, std::int64_t start, std::int64_t end, int axis) {
  return ops::slice_in_dim(x, start, end, 1, axis);
}
Array join(std::initializer_list<Array> parts, int axis) {
  return ops::concatenate(std::span(parts.begin(), parts.size()), axis);
}

// One axis is padded after the other; each function does one.
Array pad_edge(const Array& x, const PadPair& w, int axis) {
  const std::int64_t n = x.shape()[axis];
  const Array before = repeat(part(x, 0, 1, axis), w.first, axis),
              after = repeat(part(x, n - 1, n, axis), w.second, axis);
  return join({before, x, after}, axis);
}

Array pad_empty(const Array& x, const PadPair& w, int axis) {
  Shape low = x.shape(), high = x.shape();
  low[axis] = w.first, high[axis] = w.second;
  const Array before = ops::full({low, x.dtype(), false}, 0), after = ops::full({high, x.dtype(), false}, 0);
  return join({before, x, after}, axis);
}

Array pad_ramp(const Array& x, const PadPair& w, int axis, const Array& low, const Array& high) {
  const std::int64_t n = x.shape()[axis];
  const Array first = part(x, 0, 1, axis), last = part(x, n - 1, n, axis);
  const LinspaceOptions o{.endpoint = false, .dtype = x.dtype(), .axis = axis};
  const Array before = linspace(low, ops::squeeze(first, {axis}), w.first, o);
  const Array after = flip(linspace(high, ops::squeeze(last, {axis}), w.second, o), axis);
  return join({before, x, after}, axis);
}

Array statistic(const Array& x, const std::string& mode, int axis) {
  if (mode == "maximum") return max(x, axis, {.keepdims = true});
  if (mode == "minimum") return min(x, axis, {.keepdims = true});
  return mode == "mean" ? mean(x, axis, {.keepdims = true}) : median(x, axis, {.keepdims = true});
}

Array pad_statistic(const Array& x, const PadPair& w, int axis, const std::string& mode, const PadPair* length) {
  const std::int64_t n = x.shape()[axis];
  Array before, after;
  if (length) {
    const Array first = part(x, 0, std::min(length->first, n), axis);
    const Array last = part(x, n - std::min(length->second, n), n, axis);
    before = statistic(first, mode, axis), after = statistic(last, mode, axis);
  } else {
    before = after = statistic(x, mode, axis);
  }
  if (is_integer(x.dtype()) && is_inexact(before.dtype())) before = round(before), after = round(after);
  before = to_dtype(before, x.dtype(), false), after = to_dtype(after, x.dtype(), false);
  const Array low = repeat(before, w.first, axis), high = repeat(after, w.second, axis);
  return join({low, x, high}, axis);
}

// A mirrored piece of at most the original size is added until the width is reached.
Array pad_mirrored(const Array& x, const PadPair& w, int axis, bool with_edge, bool odd) {
  const std::int64_t n = x.shape()[axis], offset = with_edge ? 0 : 1;
  if (n == 1 && !with_edge) return pad_edge(x, w, axis);
  Array r = x;
  for (const bool front : {true, false}) {
    std::int64_t missing = front ? w.first : w.second, size = r.shape()[axis];
    if (missing == 0) continue;
    Array edge = front ? part(r, 0, 1, axis) : part(r, size - 1, size, axis);
    for (; missing > 0; size = r.shape()[axis]) {
      const std::int64_t piece = std::min(missing, n - offset);
      Array p = front ? part(r, offset, offset + piece, axis) : part(r, size - offset - piece, size - offset, axis);
      p = flip(p, axis);
      if (odd) {
        p = ops::sub(ops::mul(number_like(edge, 2), edge), p);
        edge = front ? part(p, 0, 1, axis) : part(p, piece - 1, piece, axis);
      }
      r = front ? join({p, r}, axis) : join({r, p}, axis);
      missing -= piece;
    }
  }
  return r;
}

Array pad_wrap(const Array& x, const PadPair& w, int axis) {
  if (w.first == 0 && w.second == 0) return x;
  const std::int64_t n = x.shape()[axis], low = w.first % n, high = w.second % n;
  std::vector<Array> parts;
  if (low) parts.push_back(part(x, n - low, n, axis));
  for (std::int64_t i = 0; i < w.first / n + 1 + w.second / n; ++i) parts.push_back(x);
  if (high) parts.push_back(part(x, 0, high, axis));
  return ops::concatenate(parts, axis);
}

Array pad_by_function(const Array& x, const Pairs& widths, const PadMode::Function& f) {
  Array r = pad_constant(x, widths, Array(0));
  for (int axis = 0; axis < x.ndim(); ++axis) {
    const PadPair width = widths[static_cast<std::size_t>(axis)];
    const Array last = ops::move_axis(r, axis, r.ndim() - 1);
    const std::int64_t n = last.shape()[r.ndim() - 1];
    if (last.size() == 0) continue;
    const auto one = [&](const Array& v) { return to_dtype(f(v, width, axis), x.dtype(), false); };
    const Array rows = vmap(one)(ops::reshape(last, {last.size() / n, n}));
    if (!(rows.shape() == Shape({last.size() / n, n})))
      throw ValueError("pad: the function must give a vector of " + std::to_string(n) +
                       " elements, got one result of " + rows.shape().str());
    r = ops::move_axis(ops::reshape(rows, last.shape()), r.ndim() - 1, axis);
  }
  return r;
}

bool is_statistic(const std::string& m) { return m == "maximum" || m == "minimum" || m == "mean" || m == "median"; }

struct Request {
  Pairs widths, lengths;
  std::string mode;
  bool odd;
};

Array pad_values(const Array& x, const Request& q, const Array& constants, const Array& ends) {
  if (q.mode == "constant") return pad_constant(x, q.widths, constants);
  const EdgeValues end_values(q.mode == "linear_ramp" ? ends : Array(0), x.dtype(), x.ndim());
  Array r = x;
  for (int axis = 0; axis < x.ndim(); ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    const PadPair& w = q.widths[i];
    if (r.shape()[axis] == 0 && q.mode != "empty") {
      if (w.first > 0 || w.second > 0)
        throw ValueError("pad: can't extend an empty axis " + std::to_string(axis) +
                         " using modes other than 'constant' or 'empty', got '" + q.mode + "'");
      continue;
    }
    if (q.mode == "edge") r = pad_edge(r, w, axis);
    else if (q.mode == "empty") r = pad_empty(r, w, axis);
    else if (q.mode == "linear_ramp") r = pad_ramp(r, w, axis, end_values.at(axis, 0), end_values.at(axis, 1));
    else if (is_statistic(q.mode)) r = pad_statistic(r, w, axis, q.mode, q.lengths.empty() ? nullptr : &q.lengths[i]);
    else if (q.mode == "wrap") r = pad_wrap(r, w, axis);
    else r = pad_mirrored(r, w, axis, q.mode == "symmetric", q.odd);
  }
  return r;
}

void check_words(const PadMode& mode, const PadOptions& o) {
  const std::string& m = mode.name();
  static constexpr std::string_view names[] = {"constant", "edge",    "linear_ramp", "maximum", "mean", "median",
                                               "minimum",  "reflect", "symmetric",   "wrap",    "empty"};
  if (std::find(std::begin(names), std::end(names), m) == std::end(names))
    throw NotImplementedError("pad: unsupported mode '" + m + "'");
  if (o.reflect_type != "even" && o.reflect_type != "odd")
    throw ValueError("pad: reflect_type must be 'even' or 'odd', got '" + std::string(o.reflect_type) + "'");
  const auto only = [&](bool given, const char* field, bool fits) {
    if (given && !fits) throw ValueError(std::string("pad: unsupported keyword ") + field + " for mode '" + m + "'");
  };
  only(o.constant_values.has_value(), "constant_values", m == "constant");
  only(o.end_values.has_value(), "end_values", m == "linear_ramp");
  only(o.stat_length.has_value(), "stat_length", is_statistic(m));
}

void check_end_values(const Shape& s, int ndim) {
  if (s.ndim() == 0 || s == Shape(1) || s == Shape(2) || s == Shape{1, 2} || s == Shape{ndim, 2}) return;
  throw ValueError("pad: end_values with ndim=" + std::to_string(ndim) + " has unsupported shape " + s.str() +
                   "; (ndim, 2), (1, 2), (2,), (1,) and () are valid");
}

std::uint64_t request_key(const Request& q) {
  std::uint64_t key = combine_key(std::hash<std::string>()(q.mode), q.odd);
  for (const Pairs* p : {&q.widths, &q.lengths})
    for (const auto& [a, b] : *p)
      key = combine_key(key, combine_key(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
  return key;
}

}  // namespace

Array pad(const Array& x, const PadWidth& pad_width, const PadMode& mode, const PadOptions& o) {
  COTAN_API;
  const Pairs widths = pairs_of("pad_width", pad_width, x.ndim());
  if (x.ndim() == 0) return x;
  if (mode.function()) return pad_by_function(x, widths, *mode.function());
  check_words(mode, o);
  Request q{widths, {}, mode.name(), o.reflect_type == "odd"};
  if (o.stat_length) {
    q.lengths = pairs_of("stat_length", *o.stat_length, x.ndim());
    for (const auto& [a, b] : q.lengths)
      if (a == 0 || b == 0) throw ValueError("pad: stat_length of 0 yields no value for padding");
  }
  Arrays args{x, o.constant_values.has_value() ? o.constant_values : Array(0)};
  const bool ramp = q.mode == "linear_ramp" && o.end_values.has_value();
  if (ramp) check_end_values(o.end_values.shape(), x.ndim());
  if (ramp) args.push_back(o.end_values);
  return named_jit(
      "_pad", [&](const Arrays& a) { return Arrays{pad_values(a[0], q, a[1], ramp ? a[2] : Array(0))}; }, args,
      request_key(q))[0];
}

}  // namespace cotan::numpy

namespace cotan::table {
template <> struct FromValue<numpy::PadWidth> {
  static numpy::PadWidth get(const Value& v, const Place& p) {
    if (v.is_dict()) throw NotImplementedError(std::string(p.function) + ": " + p.parameter + " as a dict");
    if (!v.is_sequence()) return to_integer(v, p);
    const Value::Items& items = v.items();
    const bool flat = std::none_of(items.begin(), items.end(), [](const Value& i) { return i.is_sequence(); });
    if (flat) {
      const IntList l = to_integers(v, p);
      if (l.length() == 1) return l[0];
      if (l.length() == 2) return {l[0], l[1]};
      throw ValueError(std::string(p.function) + ": " + p.parameter + " must be a number, a pair, or pairs, got " +
                       l.str());
    }
    std::vector<numpy::PadPair> pairs;
    for (const Value& i : items) {
      const IntList l = to_integers(i, p);
      if (l.length() != 2 && !(l.length() == 1 && items.size() == 1))
        throw ValueError(std::string(p.function) + ": " + p.parameter + " must be made of pairs, got " + l.str());
      pairs.emplace_back(l[0], l[l.length() - 1]);
    }
    return pairs;
  }
};
template <> struct FromValue<numpy::PadMode> {
  static numpy::PadMode get(const Value& v, const Place& p) { return std::string_view(to_string(v, p)); }
};
}  // namespace cotan::table

namespace cotan::numpy {

namespace {
// Keywords other than those of the mode are refused, as Python's **kwargs are.
Array pad_call(const table::Call& call) {
  const table::Value& kwargs = call["kwargs"];
  PadOptions o;
  const table::Place place{"pad", "kwargs"};
  if (kwargs.is_dict())
    for (const auto& [name, v] : kwargs.entries()) {
      if (name == "constant_values") o.constant_values = array_of_value(v, std::nullopt, place);
      else if (name == "end_values") o.end_values = array_of_value(v, std::nullopt, place);
      else if (name == "stat_length") o.stat_length = table::FromValue<std::optional<PadWidth>>::get(v, place);
      else if (name == "reflect_type") o.reflect_type = table::to_string(v, place);
      else throw ValueError("pad: unsupported keyword arguments for mode: " + name);
    }
  return pad(call.get<Array>("array"), call.get<PadWidth>("pad_width"), call.get<PadMode>("mode"), o);
}
}  // namespace

const FunctionTable padding_table{"numpy",
                                  {
                                      function<pad_call>("pad(array, pad_width, mode='constant', **kwargs)",
                                                         "Places added before and after each axis. Keywords: "
                                                         "constant_values, end_values, stat_length, reflect_type."),
                                  }};

}  // namespace cotan::numpy

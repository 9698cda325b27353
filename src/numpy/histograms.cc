// numpy: histograms and counts.
#include <cmath>

#include "api/function_table.h"
#include "numpy/indexing.h"
#include "numpy/order.h"

namespace cotan::numpy {

namespace {

std::int64_t bin_count(const char* function, const Array& bins) {
  if (!is_integer(bins.dtype()) || bins.ndim() != 0)
    throw TypeError(std::string(function) + ": bins must be an integer or a 1-d array of edges, got " +
                    bins.aval().str());
  const auto n = bins.item<std::int64_t>();
  if (n < 0) throw IndexError(std::string(function) + ": bins must not be negative, got " + std::to_string(n));
  return n;
}

Array item(const Array& x, std::int64_t i) { return ops::squeeze(ops::slice_in_dim(x, i, i + 1, 1, 0), {0}); }

// n + 1 numbers from low to high, which both are exact.
Array even_edges(const Array& low, const Array& high, std::int64_t n) {
  const DType d = low.dtype(), real = real_dtype(d);
  const Shape shape(n + 1);
  const auto wide = [&](const Array& x) { return ops::broadcast_to_shape(x, shape); };
  const Array i = ops::convert_element_type(positions(DType::int32, shape, 0), real);
  const Array share =
      to_dtype(ops::div(i, ops::scalar(real, static_cast<double>(std::max<std::int64_t>(n, 1)))), d, false);
  const Array rest = to_dtype(ops::sub(ops::scalar(real, 1), real_dtype(d) == d ? share : ops::real(share)), d, false);
  const Array between = ops::add(ops::mul(wide(low), rest), ops::mul(wide(high), share));
  const Array last = ops::eq(positions(DType::int32, shape, 0), ops::scalar_int(DType::int32, n));
  return n == 0 ? wide(low) : ops::select(last, wide(high), between);
}

DType edge_dtype(const Array& a) { return canonical_dtype(to_inexact_dtype(a.dtype())); }

Array edges_of(const char* function, const Array& a, const Array& bins, const HistogramRange& range) {
  if (bins.ndim() == 1) return to_dtype(bins, canonical_dtype(to_inexact_dtype(bins.dtype())), false);
  const DType d = edge_dtype(a);
  const std::int64_t n = bin_count(function, bins);
  Array low, high;
  if (range) {
    if (range->size() != 2)
      throw ValueError(std::string(function) + ": range must be a pair, got " + std::to_string(range->size()) +
                       " items");
    low = to_dtype((*range)[0], d, false), high = to_dtype((*range)[1], d, false);
    if (low.ndim() != 0 || high.ndim() != 0)
      throw ValueError(std::string(function) + ": range must be a pair of numbers, got shapes " + low.shape().str() +
                       " and " + high.shape().str());
  } else {
    if (a.size() == 0)
      throw ValueError(std::string(function) + ": the range of no elements must be given, got shape " +
                       a.shape().str());
    const Array x = to_dtype(ops::reshape(a, Shape(a.size())), d, false);
    low = ops::reduce_min(x, {0}), high = ops::reduce_max(x, {0});
  }
  const Array same = ops::eq(high, low), half = ops::scalar(d, 0.5);
  return even_edges(ops::select(same, ops::sub(low, half), low), ops::select(same, ops::add(high, half), high), n);
}

// The bin of each x, counted from 1; 0 or beyond: outside. The last edge belongs to the last bin.
Array bin_of(const Array& edges, const Array& x) {
  const std::int64_t n = edges.size();
  const Array place = search_sorted(edges, x, true);
  if (n == 0) return place;
  const Array at_end = ops::eq(x, ops::broadcast_to_shape(item(edges, n - 1), x.shape()));
  return where(at_end, ops::scalar_int(place.dtype(), n - 1), place);
}

// zeros(length) with weights added at the places that are inside.
Array add_at(std::int64_t length, const Array& places, const Array& weights) {
  ops::ScatterDims dims;
  dims.inserted_window_dims = {0}, dims.scatter_dims_to_operand_dims = {0};
  const Array zeros = ops::broadcast_to_shape(ops::scalar_int(weights.dtype(), 0), Shape(length));
  return ops::scatter(ops::scatter_add_p, zeros, ops::expand_dims(places, {1}), weights, dims);
}

Array widths(const Array& edges) {
  const std::int64_t n = edges.size();
  return ops::sub(ops::slice_in_dim(edges, 1, n, 1, 0), ops::slice_in_dim(edges, 0, n - 1, 1, 0));
}

}  // namespace

Array histogram_bin_edges(const Array& a, const Array& bins, const HistogramRange& range, const Array&) {
  COTAN_API;
  return edges_of("histogram_bin_edges", a, bins, range);
}

Histogram histogram(const Array& a, const Array& bins, const HistogramOptions& o) {
  COTAN_API;
  if (o.weights.has_value() && !(o.weights.shape() == a.shape()))
    throw ValueError("histogram: weights should have the same shape as a, got " + o.weights.shape().str() + " and " +
                     a.shape().str());
  Array x = promote_inexact(a), w;
  if (o.weights.has_value()) {
    const Pair p = promote_inexact("histogram", x, o.weights);
    x = p.x, w = p.y;
  }
  x = ops::reshape(to_dtype(x, x.dtype(), false), Shape(a.size()));
  const Array edges = to_dtype(edges_of("histogram", x, bins, o.range), x.dtype(), false);
  w = w.has_value() ? ops::reshape(to_dtype(w, x.dtype(), false), x.shape())
                    : ops::broadcast_to_shape(ops::scalar(x.dtype(), 1), x.shape());
  const std::int64_t n = edges.size();
  if (n == 0) throw ValueError("histogram: bins has no edges");
  Array counts = ops::slice_in_dim(add_at(n, bin_of(edges, x), w), 1, n, 1, 0);
  if (o.density) counts = ops::div(ops::div(counts, widths(edges)), ops::reduce_sum(counts, {0}));
  return {counts, edges};
}

Histogramdd histogramdd(const Array& sample, const HistogramBins& bins, const HistogramddOptions& o) {
  COTAN_API;
  if (sample.ndim() != 2)
    throw ValueError("histogramdd: the sample must have two dimensions, got shape " + sample.shape().str());
  const std::int64_t n = sample.shape()[0], dimensions = sample.shape()[1];
  if (o.weights.has_value() && !(o.weights.shape() == Shape(n)))
    throw ValueError("histogramdd: there should be one weight for each sample, got shape " + o.weights.shape().str() +
                     " for " + std::to_string(n));
  if (!bins.shared && static_cast<std::int64_t>(bins.each.size()) != dimensions)
    throw ValueError("histogramdd: there should be bins for each of " + std::to_string(dimensions) +
                     " dimensions, got " + std::to_string(bins.each.size()));
  if (o.range && static_cast<std::int64_t>(o.range->size()) != dimensions)
    throw ValueError("histogramdd: range must be a pair or none for each of " + std::to_string(dimensions) +
                     " dimensions, got " + std::to_string(o.range->size()));
  const Array x = promote_inexact(sample);
  Histogramdd r;
  Array place, outside;
  Shape shape;
  std::int64_t total = 1;
  for (std::int64_t i = 0; i < dimensions; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Array column = ops::squeeze(ops::slice_in_dim(to_dtype(x, x.dtype(), false), i, i + 1, 1, 1), {1});
    const Array edges = to_dtype(
        edges_of("histogramdd", column, bins.each[bins.shared ? 0 : at], o.range ? (*o.range)[at] : HistogramRange()),
        x.dtype(), false);
    const std::int64_t count = std::max<std::int64_t>(edges.size() - 1, 0);
    const Array bin = ops::sub(bin_of(edges, column), ops::scalar_int(DType::int32, 1));
    const Array bad =
        ops::bit_or(ops::lt(bin, ops::scalar_int(DType::int32, 0)), ops::ge(bin, ops::scalar_int(DType::int32, count)));
    outside = i == 0 ? bad : ops::bit_or(outside, bad);
    place = i == 0 ? bin : ops::add(ops::mul(place, ops::scalar_int(DType::int32, count)), bin);
    r.edges.push_back(edges);
    shape.push_back(count);
    if (__builtin_mul_overflow(total, count, &total) || total > 0x7fffffff)
      throw ValueError("histogramdd: too many bins: " + shape.str());
  }
  if (dimensions == 0)
    throw ValueError("histogramdd: the sample must have a dimension, got shape " + sample.shape().str());
  Array w = o.weights.has_value() ? to_dtype(o.weights, o.weights.dtype(), false)
                                  : ops::broadcast_to_shape(ops::scalar_int(default_int_dtype(), 1), Shape(n));
  r.hist = ops::reshape(add_at(total, where(outside, ops::scalar_int(DType::int32, total), place), w), shape);
  if (!o.density) return r;
  const DType d = x.dtype();
  r.hist = to_dtype(r.hist, canonical_dtype(promote_types({r.hist.dtype(), false}, {d, false}).dtype), false);
  Array all = r.hist;
  for (int i = 0; i < shape.ndim(); ++i) {
    IntList others = IntList::filled(shape.ndim(), 1);
    others[i] = shape[i];
    const Array width =
        to_dtype(ops::reshape(widths(r.edges[static_cast<std::size_t>(i)]), Shape(others)), all.dtype(), false);
    all = ops::div(all, ops::broadcast_to_shape(width, shape));
  }
  r.hist = ops::div(all, ops::reduce_sum(r.hist, IntList::range(shape.ndim())));
  return r;
}

Histogram2d histogram2d(const Array& x, const Array& y, const HistogramBins& bins, const HistogramddOptions& o) {
  COTAN_API;
  const Pair p = promote("histogram2d", x, y);
  if (p.x.ndim() != 1 || !(p.x.shape() == p.y.shape()))
    throw TypeError("histogram2d: x and y must be 1-d and of one size, got shapes " + x.shape().str() + " and " +
                    y.shape().str());
  const Array columns[] = {p.x, p.y};
  const bool edges = !bins.shared && bins.each.size() != 2 && bins.each.size() != 1;
  HistogramBins own = bins;
  if (edges) {  // a list of edges for both
    Arrays scalars;
    for (const Array& e : bins.each) scalars.push_back(ops::reshape(e, Shape(1)));
    own = HistogramBins(ops::concatenate(scalars, 0));
  }
  const Histogramdd r = histogramdd(ops::stack(columns, 1), own, o);
  return {r.hist, r.edges[0], r.edges[1]};
}

Array bincount(const Array& x, const Array& weights, std::int64_t minlength, const BincountOptions& o) {
  COTAN_API;
  if (!is_integer(x.dtype()) && !is_bool(x))
    throw TypeError(std::string("bincount: x must have an integer type, got ") + dtype_name(x.dtype()));
  if (x.ndim() != 1) throw ValueError("bincount: only 1-dimensional input is supported, got shape " + x.shape().str());
  if (weights.has_value() && !(weights.shape() == x.shape()))
    throw ValueError("bincount: weights must have the shape of x, got " + weights.shape().str() + " and " +
                     x.shape().str());
  const DType index = is_bool(x) ? DType::int32 : x.dtype();
  const Array place = to_dtype(x, index, false);
  std::int64_t length = o.length.value_or(0);
  if (!o.length) {
    length = std::max<std::int64_t>(minlength, 0);
    if (x.size() > 0) {
      try {
        length = std::max(length, ops::reduce_max(place, {0}).item<std::int64_t>() + 1);
      } catch (const ConcretizationTypeError& e) {
        throw ConcretizationTypeError(
            std::string("bincount: the length of the result depends on x, which is traced; give `length`.\n") +
            e.what());
      }
    }
  }
  if (length < 0) throw ValueError("bincount: length must not be negative, got " + std::to_string(length));
  const Array w =
      weights.has_value() ? to_dtype(weights, weights.dtype(), false) : ops::scalar_int(default_int_dtype(), 1);
  const Array counts = zeros(length, w.dtype());
  const Index at[] = {Index(is_signed_integer(index) ? clip(place, 0) : place)};
  return update_at(Update::add, counts, at, w);
}

}  // namespace cotan::numpy

namespace cotan::table {

template <> struct FromValue<numpy::HistogramBins> {
  static numpy::HistogramBins get(const Value& v, const Place& p) {
    if (!v.is_sequence()) return FromValue<Array>::get(v, p);
    return FromValue<std::vector<Array>>::get(v, p);
  }
};

}  // namespace cotan::table

namespace cotan::numpy {

namespace {

Array call_bin_edges(const table::Call& call) {
  if (call["bins"].get<std::string>())
    throw NotImplementedError("histogram_bin_edges: bins=" + call["bins"].str() + "; a number or edges are expected");
  return histogram_bin_edges(call.get<Array>("a"), call.get<Array>("bins"), call.get<HistogramRange>("range"));
}

}  // namespace

const FunctionTable histograms_table{
    "numpy",
    {function<histogram>("histogram(a, bins=10, range=None, weights=None, density=None)",
                         "How many elements are in each bin, and the edges of the bins."),
     function<call_bin_edges>("histogram_bin_edges(a, bins=10, range=None, weights=None)",
                              "The edges of the bins of histogram."),
     function<histogram2d>("histogram2d(x, y, bins=10, range=None, weights=None, density=None)",
                           "How many pairs are in each bin of two dimensions."),
     function<histogramdd>("histogramdd(sample, bins=10, range=None, weights=None, density=None)",
                           "How many samples are in each bin of several dimensions."),
     function<bincount>("bincount(x, weights=None, minlength=0, *, length=None, out_sharding=None)",
                        "How often each integer occurs.")}};

}  // namespace cotan::numpy

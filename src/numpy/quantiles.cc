// numpy: medians, quantiles and percentiles.
#include <cmath>

#include "api/function_table.h"
#include "numpy/order.h"

namespace cotan::numpy {

namespace {

enum class Method { linear, lower, higher, midpoint, nearest, inverted_cdf };

Method method_of(std::string_view name) {
  constexpr std::string_view names[] = {"linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf"};
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (name == names[i]) return static_cast<Method>(i);
  throw ValueError("method can only be 'linear', 'lower', 'higher', 'midpoint', 'nearest' or 'inverted_cdf', got '" +
                   std::string(name) + "'");
}

struct Question {
  Method method;
  IntList axes;
  bool keepdims, without_nan, weighted;
};

// The reduced axes of x made one, the last.
Array rows(const Array& x, const IntList& axes) {
  IntList order;
  Shape shape;
  std::int64_t n = 1;
  for (int i = 0; i < x.ndim(); ++i)
    if (!axes.contains(i)) order.push_back(i), shape.push_back(x.shape()[i]);
  for (std::int64_t a : axes) order.push_back(a), n *= x.shape()[a];
  shape.push_back(n);
  return ops::reshape(ops::transpose(x, order), shape);
}

Array with_last(const Array& x) { return ops::expand_dims(x, {x.ndim()}); }

// Elements at positions (…, Q) of the sorted rows (…, n).
Array at_positions(const Array& sorted, const Array& positions, DType index) {
  return ops::take_along_axis(sorted, ops::convert_element_type(positions, index), sorted.ndim() - 1);
}

Array broadcast_to(const Array& x, Shape shape, std::int64_t last) {
  shape[shape.ndim() - 1] = last;
  IntList dims;
  for (int i = 0; i < x.ndim(); ++i) dims.push_back(shape.ndim() - x.ndim() + i);
  return x.shape() == shape ? x : ops::broadcast_in_dim(x, shape, dims);
}

// The first place at which the weights so far reach q of their sum.
Array by_weight(const Array& sorted, const Array& weights, const Array& q, DType index) {
  const int last = sorted.ndim() - 1;
  const std::int64_t n = sorted.shape()[last], count = q.size();
  const Array so_far = ops::cumsum(weights, last);
  const Array total = ops::slice_in_dim(so_far, n - 1, n, 1, last);
  Shape shape = sorted.shape();
  shape[last] = count;
  shape.push_back(n);
  IntList to_q = IntList::range(last);
  to_q.push_back(last);
  const Array wanted = ops::mul(broadcast_to(total, sorted.shape(), count), broadcast_to(q, sorted.shape(), count));
  IntList to_n = IntList::range(last);
  to_n.push_back(last + 1);
  const Array below = ops::lt(ops::broadcast_in_dim(so_far, shape, to_n), ops::broadcast_in_dim(wanted, shape, to_q));
  const Array place = ops::reduce_sum(ops::convert_element_type(below, index), {last + 1});
  const Array most = ops::broadcast_to_shape(ops::scalar_int(index, n - 1), place.shape());
  return at_positions(sorted, ops::min(place, most), index);
}

// q (Q,) of the rows (…, n): (…, Q), in q's dtype.
Array of_sorted(const Array& sorted, const Array& count, const Array& q, Method method, DType index) {
  const DType d = q.dtype();
  const std::int64_t quantiles = q.size();
  const Array n = broadcast_to(with_last(count), sorted.shape(), quantiles);  // elements that count
  const Array all_q = broadcast_to(q, sorted.shape(), quantiles);
  const Array one = ops::scalar(d, 1), zero = ops::scalar(d, 0), end = ops::sub(n, one);
  const auto inside = [&](const Array& x) { return ops::max(ops::min(x, end), zero); };
  const auto values = [&](const Array& x) {
    return ops::convert_element_type(at_positions(sorted, inside(x), index), d);
  };
  if (method == Method::inverted_cdf) return values(ops::sub(ops::ceil(ops::mul(all_q, n)), one));
  const Array position = ops::mul(all_q, end), low = ops::floor(position), high = ops::ceil(position);
  const Array high_weight = ops::sub(position, low), low_weight = ops::sub(one, high_weight);
  switch (method) {
    case Method::lower: return values(low);
    case Method::higher: return values(high);
    case Method::midpoint: return ops::mul(ops::add(values(low), values(high)), ops::scalar(d, 0.5));
    case Method::nearest: return ops::select(ops::le(high_weight, ops::scalar(d, 0.5)), values(low), values(high));
    default: return ops::add(ops::mul(values(low), low_weight), ops::mul(values(high), high_weight));
  }
}

Array with_nan(const Array& condition, const Array& x) {
  return where(condition, ops::scalar(x.dtype(), std::nan("")), x);
}

// a and, if weighted, the weights of its shape; q of rank 0 or 1.
Array answer(const Question& what, const Array& a, const Array& q, const Array& weights) {
  const DType result = a.dtype();
  Array x = rows(a, what.axes);
  const int last = x.ndim() - 1;
  const std::int64_t n = x.shape()[last];
  const DType index = n > 0x7fffffff ? DType::int64 : DType::int32;
  const Array nan = ops::ne(x, x), list = ops::reshape(q, Shape(q.size()));
  Array r;
  if (what.weighted) {
    Array w = rows(weights, what.axes);
    const Array none = ops::broadcast_to_shape(ops::scalar(w.dtype(), 0), w.shape());
    const Array negative = ops::reduce_or(ops::lt(w, none), {last});
    if (what.without_nan) w = ops::select(nan, none, w);
    else x = with_nan(with_last(ops::reduce_or(nan, {last})), x);
    const Array both[] = {x, w};
    const std::vector<Array> sorted = ops::sort(both, last);
    r = with_nan(with_last(negative),
                 by_weight(sorted[0], sorted[1], ops::convert_element_type(list, w.dtype()), index));
  } else {
    if (!what.without_nan) x = with_nan(with_last(ops::reduce_or(nan, {last})), x);
    const Array sorted = ops::sort(x, last);
    Shape kept = x.shape();
    kept.erase(last);
    const Array count =
        what.without_nan ? ops::convert_element_type(
                               ops::reduce_sum(ops::convert_element_type(ops::bit_not(nan), index), {last}), q.dtype())
                         : ops::broadcast_to_shape(ops::scalar(q.dtype(), static_cast<double>(n)), kept);
    r = with_nan(ops::ne(list, list), of_sorted(sorted, count, list, what.method, index));
  }
  r = ops::convert_element_type(ops::move_axis(r, last, 0), result);
  if (q.ndim() == 0) r = ops::squeeze(r, {0});
  if (!what.keepdims) return r;
  IntList axes = what.axes;
  for (std::int64_t& i : axes) i += q.ndim();
  return ops::expand_dims(r, axes);
}

// Weights of a's shape.
Array fitting_weights(const char* function, const Array& a, const Array& weights, const Axes& axis) {
  if (axis.all() && !(weights.shape() == a.shape()))
    throw ValueError(std::string(function) + ": the weights must have the shape of a when axis is none, got " +
                     weights.shape().str() + " and " + a.shape().str());
  if (weights.shape() == a.shape()) return weights;
  const IntList axes = canonical_axes(function, axis.list(), a.ndim());
  Shape reduced;
  for (std::int64_t i : axes) reduced.push_back(a.shape()[i]);
  if (!(weights.shape() == reduced))
    throw ValueError(std::string(function) + ": weights of shape " + weights.shape().str() +
                     " must have the shape of a, " + a.shape().str() + ", or that of the reduced axes, " +
                     reduced.str());
  return ops::broadcast_in_dim(weights, a.shape(), axes);
}

// JAX indexes with the number of the last element, or gathers.
[[noreturn]] void refuse_nothing(const char* function, const Array& a, const IntList& axes, bool indexes) {
  const std::string what =
      std::string(function) + " over no element, got shape " + a.shape().str() + " and axes " + axes.str();
  if (indexes && axes.length() == a.ndim()) throw IndexError(what);
  throw TypeError(what);
}

Array of_no_question(const Array& a, const IntList& axes, bool keepdims) {
  Shape shape(0);
  for (int i = 0; i < a.ndim(); ++i)
    if (!axes.contains(i)) shape.push_back(a.shape()[i]);
    else if (keepdims) shape.push_back(1);
  return ops::full({shape, canonical_dtype(to_inexact_dtype(a.dtype())), false}, 0);
}

Array ask(const char* function, const Array& a, const Array& q, const Axes& axis, const QuantileOptions& o,
          bool without_nan) {
  const Method method = method_of(o.method);
  if (o.weights.has_value() && method != Method::inverted_cdf)
    throw NotImplementedError(std::string(function) + ": weights go with method 'inverted_cdf' only, got '" +
                              std::string(o.method) + "'");
  if (is_complex(a.dtype()))
    throw ValueError(std::string(function) + " of complex numbers is not defined, got " + a.aval().str());
  if (!is_floating(q.dtype()))
    throw TypeError(std::string(function) + ": q must be of a floating dtype, got " + q.aval().str());
  if (q.ndim() > 1) throw ValueError(std::string(function) + ": q must have rank 0 or 1, got shape " + q.shape().str());
  const IntList axes = axis.all() ? IntList::range(a.ndim()) : canonical_axes(function, axis.list(), a.ndim());
  std::uint64_t key = static_cast<std::uint64_t>(o.method.size()) * 4 + o.keepdims * 2 + without_nan;
  key = combine_key(key, static_cast<std::uint64_t>(method));
  for (std::int64_t i : axes) {
    key = combine_key(key, static_cast<std::uint64_t>(i));
    if (a.shape()[i] == 0 && q.size() > 0)
      refuse_nothing(function, a, axes, without_nan && q.ndim() == 0 && !o.keepdims);
  }
  if (q.size() == 0) return of_no_question(a, axes, o.keepdims);
  const Question what{method, axes, o.keepdims, without_nan, o.weights.has_value()};
  Arrays in{promote_inexact(a), q};
  if (what.weighted) in.push_back(fitting_weights(function, a, promote_inexact(o.weights), axis));
  return named_jit(
      function,
      [&](const Arrays& x) {
        return Arrays{answer(what, to_dtype(x[0], x[0].dtype(), false), to_dtype(x[1], x[1].dtype(), false),
                             what.weighted ? to_dtype(x[2], x[2].dtype(), false) : Array())};
      },
      in, key)[0];
}

Array hundredth(const Array& q) {
  const Array p = promote_inexact(q);
  return ops::div(p, number_like(p, 100));
}

}  // namespace

Array quantile(const Array& a, const Array& q, const Axes& axis, const QuantileOptions& o) {
  COTAN_API;
  return ask("quantile", a, q, axis, o, false);
}
Array percentile(const Array& a, const Array& q, const Axes& axis, const QuantileOptions& o) {
  COTAN_API;
  return ask("quantile", a, hundredth(q), axis, o, false);
}
Array median(const Array& a, const Axes& axis, const MedianOptions& o) {
  COTAN_API;
  return quantile(a, 0.5, axis, {.method = "midpoint", .keepdims = o.keepdims});
}
Array nanquantile(const Array& a, const Array& q, const Axes& axis, const QuantileOptions& o) {
  COTAN_API;
  return ask("nanquantile", a, q, axis, o, true);
}
Array nanpercentile(const Array& a, const Array& q, const Axes& axis, const QuantileOptions& o) {
  COTAN_API;
  return ask("nanquantile", a, hundredth(q), axis, o, true);
}
Array nanmedian(const Array& a, const Axes& axis, const MedianOptions& o) {
  COTAN_API;
  return nanquantile(a, 0.5, axis, {.method = "midpoint", .keepdims = o.keepdims});
}

namespace {

void refuse_output(const table::Call& call) {
  if (!call["out"].is_none() || call.get<bool>("overwrite_input"))
    throw ValueError(std::string(call.function()) + " does not support overwrite_input=True or out, got " +
                     call["overwrite_input"].str() + " and " + call["out"].str());
}
template <auto F> Array call_quantile(const table::Call& call) {
  refuse_output(call);
  const table::Value& weights = call["weights"];
  return F(call.get<Array>("a"), call.get<Array>("q"), call.get<Axes>("axis"),
           {call.get<std::string_view>("method"), call.get<bool>("keepdims"),
            weights.is_none() ? Array() : call.get<Array>("weights")});
}
template <auto F> Array call_median(const table::Call& call) {
  refuse_output(call);
  return F(call.get<Array>("a"), call.get<Axes>("axis"), {call.get<bool>("keepdims")});
}
Array call_percentile(const table::Call& call) {
  if (!call["out_sharding"].is_none()) throw NotImplementedError("percentile: out_sharding");
  return call_quantile<percentile>(call);
}

}  // namespace

const FunctionTable quantiles_table{
    "numpy",
    {function<call_quantile<quantile>>(
         "quantile(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None)",
         "What a share q of the elements is below."),
     function<call_percentile>("percentile(a, q, axis=None, out=None, overwrite_input=False, method='linear', "
                               "keepdims=False, *, weights=None, out_sharding=None)",
                               "What q hundredths of the elements are below."),
     function<call_median<median>>("median(a, axis=None, out=None, overwrite_input=False, keepdims=False)",
                                   "The middle element, or the mean of the two middle ones."),
     function<call_quantile<nanquantile>>(
         "nanquantile(a, q, axis=None, out=None, overwrite_input=False, method='linear', "
         "keepdims=False, *, weights=None)",
         "As quantile, of the elements that are not NaN."),
     function<call_quantile<nanpercentile>>(
         "nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method='linear', "
         "keepdims=False, *, weights=None)",
         "As percentile, of the elements that are not NaN."),
     function<call_median<nanmedian>>("nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False)",
                                      "As median, of the elements that are not NaN.")}};

}  // namespace cotan::numpy

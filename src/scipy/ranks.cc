// scipy.stats: rankdata, mode, sem.
#include <cmath>

#include "api/function_table.h"
#include "cotan/numpy.h"
#include "cotan/scipy_stats_ranks.h"
#include "numpy/order.h"

namespace cotan::scipy::stats {

namespace {

using numpy::is_nan;

void check_policy(const char* function, std::string_view policy, bool omit) {
  if (policy == "propagate" || (omit && policy == "omit")) return;
  if (policy == "omit" || policy == "raise")
    throw NotImplementedError(std::string(function) + ": nan_policy '" + std::string(policy) + "' is not implemented");
  throw ValueError(std::string(function) + ": nan_policy must be 'propagate', 'omit' or 'raise', got '" +
                   std::string(policy) + "'");
}

// The rows to work along.
struct Rows {
  Array x;
  int axis;
};
Rows rows_of(const char* function, const Array& a, const Axes& axis) {
  if (axis.all() || a.ndim() == 0) return {ops::reshape(a, Shape(a.size())), 0};
  return {a, numpy::one_axis(function, axis, a.ndim())};
}

// Sorted rows, and where in them the run of equals of each element starts and ends.
struct Runs {
  Array sorted, places, starts, begin, end, here;
};
Runs runs_of(const Rows& r, DType index) {
  const std::int64_t n = r.x.shape()[r.axis];
  Runs s;
  s.here = ops::iota(index, r.x.shape(), r.axis);
  const Array operands[] = {r.x, s.here};
  const std::vector<Array> sorted = ops::sort(operands, r.axis);
  s.sorted = sorted[0], s.places = sorted[1];
  const Array after = ops::slice_in_dim(s.sorted, 1, n, 1, r.axis),
              before = ops::slice_in_dim(s.sorted, 0, n - 1, 1, r.axis);
  const Array differ = ops::bit_and(ops::ne(after, before), ops::bit_not(ops::bit_and(is_nan(after), is_nan(before))));
  Shape one = r.x.shape();
  one[r.axis] = 1;
  const Array yes = ops::broadcast_to_shape(ops::scalar_int(DType::bool_, 1), one);
  const Array from_start[] = {yes, differ}, to_end[] = {differ, yes};
  s.starts = ops::concatenate(from_start, r.axis);
  const auto full = [&](std::int64_t v) { return ops::broadcast_to_shape(ops::scalar_int(index, v), r.x.shape()); };
  s.begin = ops::cummax(ops::select(s.starts, s.here, full(0)), r.axis);
  s.end = ops::cummin(ops::select(ops::concatenate(to_end, r.axis), s.here, full(n)), r.axis, true);
  return s;
}

Array ranks(const Runs& s, int axis, std::string_view method, DType index, DType result) {
  const auto number = [&](const Array& x) { return ops::convert_element_type(x, result); };
  const Array one = ops::scalar_int(index, 1);
  if (method == "min") return number(ops::add(s.begin, one));
  if (method == "max") return number(ops::add(s.end, one));
  if (method == "ordinal") return number(ops::add(s.here, one));
  if (method == "dense") return number(ops::cumsum(ops::convert_element_type(s.starts, index), axis));
  const Array both = ops::add(ops::add(number(s.begin), number(s.end)), ops::scalar(result, 2));
  return ops::mul(both, ops::scalar(result, 0.5));
}

}  // namespace

Array rankdata(const Array& a, std::string_view method, const RankdataOptions& o) {
  COTAN_API;
  check_policy("rankdata", o.nan_policy, false);
  bool known = false;
  for (const char* m : {"average", "min", "max", "dense", "ordinal"}) known |= method == m;
  if (!known) throw ValueError("rankdata: unknown method '" + std::string(method) + "'");
  const Rows r = rows_of("rankdata", a, o.axis);
  const DType index = default_int_dtype();
  const DType result = canonical_dtype(DType::float64);
  if (r.x.size() == 0) return ops::broadcast_to_shape(ops::scalar(result, 0), r.x.shape());
  const Runs s = runs_of(r, index);
  const Array back[] = {s.places, ranks(s, r.axis, method, index, result)};
  const Array rank = ops::sort(back, r.axis)[1];
  const Array nan = ops::expand_dims(ops::reduce_or(is_nan(r.x), {r.axis}), {r.axis});
  return numpy::where(nan, ops::scalar(result, std::nan("")), rank);
}

ModeResult mode(const Array& a, const Axes& axis, std::string_view nan_policy, const ModeOptions& o) {
  COTAN_API;
  check_policy("mode", nan_policy, false);
  const Rows r = rows_of("mode", a, axis);
  Shape one = r.x.shape();
  one[r.axis] = 1;
  ModeResult m;
  if (r.x.size() == 0) {
    const DType d = canonical_dtype(DType::float64);
    m = {ops::broadcast_to_shape(ops::scalar(d, std::nan("")), one), ops::broadcast_to_shape(ops::scalar(d, 0), one)};
  } else {
    const DType index = default_int_dtype();
    const Runs s = runs_of(r, index);
    const Array length = ops::add(ops::sub(s.end, s.begin), ops::scalar_int(index, 1));
    const Array first = ops::reshape(ops::argmax(length, r.axis, DType::int32), one);
    m = {ops::take_along_axis(s.sorted, first, r.axis), ops::take_along_axis(length, first, r.axis)};
  }
  Shape kept = a.shape();
  if (a.ndim() == 0 || (axis.all() && !o.keepdims)) kept = Shape();
  else if (axis.all()) kept = Shape(IntList::filled(a.ndim(), 1));
  else if (o.keepdims) kept = one;
  else kept.erase(r.axis);
  return {ops::reshape(m.mode, kept), ops::reshape(m.count, kept)};
}

Array sem(const Array& a, const Axes& axis, int ddof, std::string_view nan_policy, const SemOptions& o) {
  COTAN_API;
  check_policy("sem", nan_policy, true);
  if (nan_policy == "omit") {
    const Array count = numpy::sum(numpy::logical_not(numpy::isnan(a)), axis, {.keepdims = o.keepdims});
    return numpy::nanstd(a, axis, {.ddof = ddof, .keepdims = o.keepdims}) /
           numpy::sqrt(count.astype(numpy::promote_inexact(a).dtype()));
  }
  std::int64_t n = 1;
  if (axis.all()) n = a.size();
  else {
    for (std::int64_t i : axis.list())
      if (i < -a.ndim() || i >= a.ndim())
        throw IndexError("sem: axis " + std::to_string(i) + " is out of bounds for an array of dimension " +
                         std::to_string(a.ndim()));
    for (std::int64_t i : canonical_axes("sem", axis.list(), a.ndim())) n *= a.shape()[i];
  }
  const Array root = numpy::sqrt(Array(n).astype(canonical_dtype(to_inexact_dtype(a.dtype()))));
  return numpy::std(a, axis, {.ddof = ddof, .keepdims = o.keepdims}) / root;
}

const FunctionTable ranks_table{
    "scipy.stats",
    {
        function<rankdata>("rankdata(a, method='average', *, axis=None, nan_policy='propagate')",
                           "The ranks of the elements."),
        function<mode>("mode(a, axis=0, nan_policy='propagate', keepdims=False)", "The most frequent elements."),
        function<sem>("sem(a, axis=0, ddof=1, nan_policy='propagate', *, keepdims=False)",
                      "The standard error of the mean."),
    }};

}  // namespace cotan::scipy::stats

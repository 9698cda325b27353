// scipy.special: logsumexp and softmax.
#include <cmath>

#include "cotan/scipy_special.h"
#include "scipy/common.h"

namespace cotan::scipy::special {

using numpy::where;

namespace {

Array largest(const Array& x, const Axes& axis) {
  return numpy::max(x, axis, {.keepdims = true, .initial = ops::number_like(x, -INFINITY)});
}
Array finite_or_zero(const Array& m) {
  return ops::stop_gradient(where(numpy::isfinite(m), m, ops::number_like(m, 0)));
}

// The sum of b exp(a - shift), and the shift, with the axes kept.
struct Sum {
  Array total, shift;
};
Sum shifted_sum(const Array& a0, const Axes& axis, const LogsumexpOptions& o) {
  Arrays v = o.b.has_value() ? inexact("logsumexp", {a0, o.b}, Complex::accepted)
                             : inexact("logsumexp", {a0}, Complex::accepted);
  Array a = v[0];
  if (o.where.has_value()) a = where(o.where, a, ops::number_like(a, -INFINITY));
  if (o.b.has_value()) {
    a = where(v[1] != 0, a, ops::number_like(a, -INFINITY));  // also broadcasts
    if (!is_complex(a.dtype())) a = strong(a);
  }
  a = strong(a);
  const Array shift = finite_or_zero(largest(is_complex(a.dtype()) ? ops::real(a) : a, axis));
  const Array e = ops::exp(a - to_dtype(shift, a.dtype(), false));
  return {numpy::sum(o.b.has_value() ? v[1] * e : e, axis, {.keepdims = true}), shift};
}

Array without_axes(const Array& x, const Axes& axis, bool keepdims) {
  if (keepdims) return x;
  return ops::squeeze(x, canonical_axes("logsumexp", axis.all() ? IntList::range(x.ndim()) : axis.list(), x.ndim()));
}

}  // namespace

Array logsumexp(const Array& a, const Axes& axis, const LogsumexpOptions& o) {
  COTAN_API;
  const Sum s = shifted_sum(a, axis, o);
  if (is_complex(s.total.dtype())) {
    const Array value = ops::log(s.total) + to_dtype(s.shift, s.total.dtype(), false);
    return without_axes(value, axis, o.keepdims);
  }
  Array value = ops::log(ops::abs(s.total)) + s.shift;
  if (o.b.has_value()) value = where(s.total < 0, ops::number_like(value, NAN), value);
  return without_axes(value, axis, o.keepdims);
}

std::vector<Array> logsumexp_with_sign(const Array& a, const Axes& axis, const LogsumexpOptions& o) {
  COTAN_API;
  const Sum s = shifted_sum(a, axis, o);
  const Array value = ops::log(ops::abs(s.total)) + s.shift;
  return {without_axes(value, axis, o.keepdims), without_axes(ops::sign(s.total), axis, o.keepdims)};
}

namespace {
struct Shifted {
  Array value, exp;
};
Shifted shifted(const Array& x, const Axes& axis) {
  const Array v = strong(is_integer(x.dtype()) ? numpy::promote_inexact(x) : x);
  const Array d = ops::sub(
      v, ops::stop_gradient(numpy::max(v, axis, {.keepdims = true, .initial = ops::number_like(v, -INFINITY)})));
  return {d, ops::exp(d)};
}
}  // namespace

Array softmax(const Array& x, const SoftmaxOptions& o) {
  COTAN_API;
  const Shifted s = shifted(x, o.axis);
  return s.exp / numpy::sum(s.exp, o.axis, {.keepdims = true});
}
Array log_softmax(const Array& x, const SoftmaxOptions& o) {
  COTAN_API;
  const Shifted s = shifted(x, o.axis);
  return s.value - ops::log(numpy::sum(s.exp, o.axis, {.keepdims = true}));
}

}  // namespace cotan::scipy::special

// jax.nn's functions.
#include "cotan/nn.h"

#include <cmath>

#include "base/host_scalar.h"
#include "control/jit.h"
#include "cotan/numpy.h"
#include "lax/operands.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/reduction.h"
#include "ops/structural.h"

namespace cotan::nn {

namespace {

Array to_inexact(const Array& x) { return to_dtype(x, canonical_dtype(to_inexact_dtype(x.dtype())), x.weak_type()); }

// The largest along the axis; -inf, or the smallest integer, over no element.
Array largest(const Array& x, int axis) {
  const Array m = ops::reduce_max(x, {axis});
  const HostScalar least(-INFINITY, x.dtype());
  Array floor = evaluation_hook().from_bytes({Shape(), x.dtype(), false}, least.bytes);
  floor.node()->plain_number = true;
  return ops::max(floor, m);
}

}  // namespace

// max(x, 0), with the tangent of x where x > 0, and nothing elsewhere.
Array relu(const Array& x) {
  COTAN_API;
  return named_jit("relu",
                   [](const Arrays& a) {
                     const Array v = a[0].dtype() == DType::bool_ ? to_dtype(a[0], default_int_dtype(), false) : a[0];
                     const Array zero = ops::number_like(v, 0);
                     return Arrays{ops::select(ops::gt(v, zero), v, ops::max(ops::stop_gradient(v), zero))};
                   },
                   {x})[0];
}

Array sigmoid(const Array& x) {
  COTAN_API;
  return ops::logistic(x);
}

Array softplus(const Array& x) {
  COTAN_API;
  return named_jit("softplus", [](const Arrays& a) { return Arrays{numpy::logaddexp(to_inexact(a[0]), Array(0.0))}; },
                   {x})[0];
}

Array silu(const Array& x) {
  COTAN_API;
  return named_jit("silu", [](const Arrays& a) { return Arrays{ops::mul(a[0], ops::logistic(a[0]))}; }, {x})[0];
}

// The largest element is taken out first, so that exp can't overflow; where it is not finite, nothing is.
Array logsumexp(const Array& x, int axis) {
  COTAN_API;
  const Array v = to_inexact(x);
  const int a = canonical_axis("logsumexp", axis, v.ndim());
  const Array m = is_complex(v.dtype()) ? largest(ops::real(v), a) : largest(v, a);
  const Array shift = ops::stop_gradient(ops::select(ops::is_finite(m), m, ops::full(m.aval(), 0)));
  const Array c = to_dtype(shift, v.dtype(), false);
  const Array total = ops::reduce_sum(ops::exp(ops::sub(v, ops::expand_dims(c, {a}))), {a});
  if (is_complex(v.dtype())) return ops::add(ops::log(total), c);
  return ops::add(ops::log(ops::abs(total)), c);
}

namespace {

// exp(x - max), and the shifted x.
struct Shifted {
  Array value, exp;
  int axis;
};
Shifted shifted(const char* function, const Array& x, int axis) {
  const int a = canonical_axis(function, axis, x.ndim());
  const Array m = ops::stop_gradient(ops::expand_dims(largest(x, a), {a}));
  const Array d = ops::sub(x, m);
  return {d, ops::exp(to_inexact(d)), a};
}

Array sum_kept(const Array& x, int axis) { return numpy::sum(x, axis, {.keepdims = true}); }

}  // namespace

Array softmax(const Array& x, int axis) {
  COTAN_API;
  const Shifted s = shifted("softmax", x, axis);
  return ops::div(s.exp, sum_kept(s.exp, s.axis));
}

Array log_softmax(const Array& x, int axis) {
  COTAN_API;
  return named_jit(
      "log_softmax",
      [axis](const Arrays& a) {
        const Shifted s = shifted("log_softmax", a[0], axis);
        return Arrays{ops::sub(to_inexact(s.value), ops::log(sum_kept(s.exp, s.axis)))};
      },
      {x}, static_cast<std::uint64_t>(axis))[0];
}

Array one_hot(const Array& indices, std::int64_t num_classes, DType dtype) {
  COTAN_API;
  if (num_classes < 0)
    throw ValueError("one_hot: num_classes must not be negative, got " + std::to_string(num_classes));
  const DType d = canonical_dtype(dtype);
  return named_jit(
      "_one_hot",
      [&](const Arrays& a) {
        Shape classes = Shape(IntList::filled(a[0].ndim() + 1, 1));
        classes[a[0].ndim()] = num_classes;
        const Array index = ops::expand_dims(a[0], {a[0].ndim()});
        return Arrays{to_dtype(ops::eq(index, ops::iota(a[0].dtype(), classes, a[0].ndim())), d, false)};
      },
      {indices}, static_cast<std::uint64_t>(num_classes) * 64 + static_cast<std::uint64_t>(d))[0];
}

}  // namespace cotan::nn

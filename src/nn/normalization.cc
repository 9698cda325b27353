// jax.nn's softmax and its kin, standardize, one_hot.
#include <cmath>

#include "api/function_table.h"
#include "base/host_scalar.h"
#include "cotan/nn.h"
#include "numpy/common.h"

namespace cotan::nn {

namespace jnp = cotan::numpy;
using jnp::combine_key;

namespace {

IntList axes_of(const char* function, const Axes& axis, int ndim) {
  return axis.all() ? IntList::range(ndim) : canonical_axes(function, axis.list(), ndim);
}
std::uint64_t key_of(const IntList& axes, std::uint64_t more = 0) {
  for (std::int64_t a : axes) more = combine_key(more, static_cast<std::uint64_t>(a) + 1);
  return more;
}
Array kept(const Array& reduced, const IntList& axes, bool keepdims) {
  return keepdims ? ops::expand_dims(reduced, axes) : reduced;
}
// x, and `elsewhere` where `where` is given and false.
Array masked(const Array& where, const Array& x, const Array& elsewhere) {
  return where.has_value() ? jnp::where(where, x, elsewhere) : x;
}

// The largest over the axes; -inf, or the smallest integer, over no element.
Array largest(const Array& x, const IntList& axes, const Array& where, bool keepdims) {
  const HostScalar least(-INFINITY, x.dtype());
  Array floor = evaluation_hook().from_bytes({Shape(), x.dtype(), false}, least.bytes);
  floor.node()->plain_number = true;
  const Array m = ops::max(floor, ops::reduce_max(masked(where, x, floor), axes));
  return kept(m, axes, keepdims);
}

Array sum_over(const Array& x, const IntList& axes, const Array& where, bool keepdims) {
  return jnp::sum(masked(where, x, ops::scalar(x.dtype(), 0)), axes, {.keepdims = keepdims});
}

// x less its largest, and the exponentials of that.
struct Shifted {
  Array value, exp;
};
Shifted shifted(const Array& x, const IntList& axes, const Array& where) {
  const Array m = largest(x, axes, where, true), v = masked(where, x, -INFINITY);
  const Array d = jnp::subtract(v, ops::stop_gradient(m));
  return {d, jnp::exp(d)};
}

}  // namespace

Array softmax(const Array& x, const Axes& axis, const SoftmaxOptions& o) {
  COTAN_API;
  const IntList axes = axes_of("softmax", axis, x.ndim());
  const Shifted s = shifted(x, axes, o.where);
  const Array r = jnp::divide(s.exp, sum_over(s.exp, axes, o.where, true));
  return masked(o.where, r, 0);
}

Array log_softmax(const Array& x, const Axes& axis, const SoftmaxOptions& o) {
  COTAN_API;
  const IntList axes = axes_of("log_softmax", axis, x.ndim());
  Arrays args{x};
  if (o.where.has_value()) args.push_back(o.where);
  return named_jit(
      "log_softmax",
      [axes](const Arrays& a) {
        const Array where = a.size() > 1 ? a[1] : Array();
        const Shifted s = shifted(a[0], axes, where);
        const Array r = jnp::subtract(s.value, jnp::log(sum_over(s.exp, axes, where, true)));
        return Arrays{masked(where, r, -INFINITY)};
      },
      args, key_of(axes))[0];
}

namespace {

// The sum is total times exp(shift). The largest element is taken out first, so that exp can't overflow; where it is not finite,
// nothing is.
struct ShiftedSum {
  Array total, shift;
};
ShiftedSum sum_of_exp(const Array& x, const Axes& axis, const LogsumexpOptions& o) {
  Array a = jnp::promote_inexact(x), b = o.b;
  if (b.has_value()) {
    const jnp::Pair p = jnp::promote_inexact("logsumexp", x, b);
    a = p.x, b = p.y;
  }
  if (o.where.has_value()) a = jnp::where(o.where, a, 0);
  if (b.has_value()) a = jnp::where(jnp::not_equal(b, 0.0), a, -INFINITY);
  const IntList axes = axes_of("logsumexp", axis, a.ndim());
  const Array m = largest(is_complex(a.dtype()) ? ops::real(a) : a, axes, o.where, o.keepdims);
  const Array finite = ops::is_finite(m), zero = ops::full({m.shape(), m.dtype(), false}, 0);
  const Array shift = ops::stop_gradient(ops::select(finite, m, zero));
  const Array wide = o.keepdims ? shift : ops::expand_dims(shift, axes);
  Array e = ops::exp(jnp::subtract(a, to_dtype(wide, a.dtype(), false)));
  if (b.has_value()) e = jnp::multiply(e, b);
  return {sum_over(e, axes, o.where, o.keepdims), shift};
}

}  // namespace

SignedLog logsumexp_with_sign(const Array& x, const Axes& axis, const LogsumexpOptions& o) {
  COTAN_API;
  const ShiftedSum s = sum_of_exp(x, axis, o);
  const Array sign = ops::sign(s.total);
  return {jnp::add(ops::log(ops::abs(s.total)), s.shift), sign};
}

Array logsumexp(const Array& x, const Axes& axis, const LogsumexpOptions& o) {
  COTAN_API;
  const ShiftedSum s = sum_of_exp(x, axis, o);
  const Array sign = ops::sign(s.total);  // recorded even where it is not used, as in JAX
  if (is_complex(s.total.dtype())) return jnp::add(ops::log(s.total), s.shift);
  const Array r = jnp::add(ops::log(ops::abs(s.total)), s.shift);
  return o.b.has_value() ? jnp::where(jnp::less(sign, 0), ops::scalar(r.dtype(), NAN), r) : r;
}

Array logmeanexp(const Array& x, const Axes& axis, const LogmeanexpOptions& o) {
  COTAN_API;
  const IntList axes = axes_of("logmeanexp", axis, x.ndim());
  Arrays args{x};
  if (o.where.has_value()) args.push_back(o.where);
  const bool keepdims = o.keepdims;
  return named_jit(
      "logmeanexp",
      [&axes, keepdims](const Arrays& a) {
        const Array where = a.size() > 1 ? a[1] : Array();
        const Array l = logsumexp(a[0], axes, {.keepdims = keepdims, .where = where});
        Array count = 1.0;
        if (where.has_value()) {
          const Array w = jnp::broadcast_to(to_dtype(where, real_dtype(l.dtype()), false), a[0].shape());
          count = jnp::sum(w, axes, {.keepdims = keepdims});
        } else {
          double n = 1;
          for (std::int64_t d : axes) n *= static_cast<double>(a[0].shape()[d]);
          count = ops::scalar(real_dtype(l.dtype()), n);
        }
        return Arrays{jnp::subtract(l, jnp::log(count))};
      },
      args, key_of(axes, keepdims))[0];
}

namespace {

// The mean over the axes of the elements that `where` chooses. 16-bit floats are added in float32.
Array mean_over(const Array& x, const IntList& axes, const Array& where) {
  if (!where.has_value()) return jnp::mean(x, axes, {.keepdims = true});
  const DType result = canonical_dtype(to_inexact_dtype(x.dtype()));
  const DType wide = is_floating(result) && item_size(result) == 2 ? DType::float32 : result;
  const Array chosen = to_dtype(jnp::broadcast_to(where, x.shape()), default_int_dtype(), false);
  const Array count = sum_over(to_dtype(chosen, wide, false), axes, {}, true);
  const Array total = sum_over(to_dtype(x, wide, false), axes, where, true);
  return to_dtype(ops::div(total, count), result, false);
}

Array at_least_zero(const Array& x) {
  return jnp::jitted("clip", [](const Arrays& a) { return ops::max(to_dtype(a[1], a[0].dtype(), false), a[0]); },
                     {x, 0});
}

Array standardized(const Array& x, const IntList& axes, StandardizeOptions o) {
  if (!o.mean.has_value()) o.mean = mean_over(x, axes, o.where);
  if (!o.variance.has_value() && o.algorithm == "fast") {
    // Not below 0: the difference of two nearly equal numbers may be.
    if (is_complex(x.dtype()))
      throw ValueError("standardize: complex numbers need a variance, or algorithm 'stable', got " + x.aval().str());
    const Array square = mean_over(jnp::square(x), axes, o.where);
    o.variance = at_least_zero(jnp::subtract(square, jnp::square(o.mean)));
  } else if (!o.variance.has_value()) {
    o.variance = mean_over(jnp::square(jnp::subtract(x, o.mean)), axes, o.where);
  }
  const Array d = jnp::subtract(x, o.mean);
  return jnp::multiply(d, ops::rsqrt(jnp::promote_inexact(jnp::add(o.variance, o.epsilon))));
}

}  // namespace

Array standardize(const Array& x, const Axes& axis, const StandardizeOptions& o) {
  COTAN_API;
  if (o.algorithm != "fast" && o.algorithm != "stable")
    throw ValueError("standardize: algorithm must be 'fast' or 'stable', got '" + std::string(o.algorithm) + "'");
  for (std::int64_t a : axis.list())
    if (a < -x.ndim() || a >= x.ndim())
      throw IndexError("standardize: axis " + std::to_string(a) + " is out of range, got shape " + x.shape().str());
  const IntList axes = axes_of("standardize", axis, x.ndim());
  // Operands are what was given; epsilon is part of the function while it is a number.
  Arrays args{x};
  std::uint64_t key = key_of(axes, o.algorithm == "fast");
  const bool number = is_concrete(o.epsilon) && o.epsilon.node()->plain_number;
  if (number) key = combine_key(key, std::bit_cast<std::uint64_t>(o.epsilon.item<double>()));
  for (const Array* a : {&o.mean, &o.variance, &o.where}) {
    if (a->has_value()) args.push_back(*a);
    key = combine_key(key, a->has_value());
  }
  if (!number) args.push_back(o.epsilon);
  return named_jit(
      "standardize",
      [&](const Arrays& a) {
        StandardizeOptions given = o;
        std::size_t i = 1;
        for (Array* p : {&given.mean, &given.variance, &given.where})
          if (p->has_value()) *p = a[i++];
        if (!number) given.epsilon = a[i];
        return Arrays{standardized(a[0], axes, given)};
      },
      args, key)[0];
}

Array one_hot(const Array& x, std::int64_t num_classes, const OneHotOptions& o) {
  COTAN_API;
  if (num_classes < 0) throw TypeError("one_hot: num_classes must not be negative, got " + std::to_string(num_classes));
  const DType d = canonical_dtype(o.dtype.value_or(DType::float64));
  const int axis = canonical_axis("one_hot", o.axis, x.ndim() + 1);
  const std::uint64_t key =
      combine_key(combine_key(static_cast<std::uint64_t>(num_classes), static_cast<std::uint64_t>(d)),
                  static_cast<std::uint64_t>(axis));
  return named_jit(
      "_one_hot",
      [&](const Arrays& a) {
        Shape classes = Shape(IntList::filled(a[0].ndim() + 1, 1));
        classes[axis] = num_classes;
        const Array index = ops::expand_dims(a[0], {axis});
        return Arrays{to_dtype(ops::eq(index, ops::iota(a[0].dtype(), classes, axis)), d, false)};
      },
      {x}, key)[0];
}

const FunctionTable normalization_table{
    "nn",
    {
        function<softmax>("softmax(x, axis=-1, where=None)", "exp(x) over the sum of exp(x) along the axes."),
        function<log_softmax>("log_softmax(x, axis=-1, where=None)", "The logarithm of softmax, without overflow."),
        function<[](const table::Call& c) -> table::Value {
          const LogsumexpOptions o{c.get<Array>("b"), c.get<bool>("keepdims"), c.get<Array>("where")};
          const Array a = c.get<Array>("a");
          const Axes axis = c.get<Axes>("axis");
          if (!c.get<bool>("return_sign")) return logsumexp(a, axis, o);
          const SignedLog s = logsumexp_with_sign(a, axis, o);
          return table::Value::tuple({s.values, s.sign});
        }>("logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False, where=None)",
           "log(sum of b exp(a)) over the axes, without overflow."),
        function<logmeanexp>("logmeanexp(x, axis=None, where=None, keepdims=False)",
                             "log(mean of exp(x)) over the axes, without overflow."),
        function<standardize>(
            "standardize(x, axis=-1, mean=None, variance=None, epsilon=1e-05, where=None, *, algorithm='fast')",
            "(x - mean) / sqrt(variance + epsilon)."),
        function<one_hot>("one_hot(x, num_classes, *, dtype=None, axis=-1)",
                          "1 where the index is the position along a new axis, 0 elsewhere."),
    }};

}  // namespace cotan::nn

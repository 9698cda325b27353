// jax.nn's activations.
#include <cmath>

#include "api/function_table.h"
#include "cotan/nn.h"
#include "numpy/common.h"
#include "ops/special.h"

namespace cotan::nn {

namespace jnp = cotan::numpy;
using jnp::is_bool;
using jnp::jitted;

namespace {

// Whether the number was written as the parameter's default: then it is part of the function, and no operand of its call.
bool is_default(const Array& x, double value) {
  return is_concrete(x) && x.node()->plain_number && x.ndim() == 0 && !is_complex(x.dtype()) &&
         x.item<float>() == static_cast<float>(value);
}

// Of x and one parameter.
template <class F> Array with_parameter(const char* name, F f, const Array& x, const Array& parameter, double value) {
  if (!is_default(parameter, value))
    return jitted(name, [f](const Arrays& a) { return f(a[0], a[1]); }, {x, parameter});
  return jitted(name, [f, parameter](const Arrays& a) { return f(a[0], parameter); }, {x});
}

// kept, where the condition holds; elsewhere the value of `flat`, without a derivative.
Array flat_elsewhere(const Array& condition, const Array& kept, const Array& flat) {
  return ops::select(condition, kept, ops::stop_gradient(flat));
}

Array celu_values(const Array& x, const Array& alpha) {
  const Array above = jnp::maximum(x, 0.0), below = jnp::minimum(x, 0.0);
  const Array e = jnp::expm1(jnp::divide(below, alpha));
  return jnp::add(above, jnp::multiply(alpha, e));
}

// exp is taken of 0 where the result is x, so that its overflow reaches no derivative.
Array elu_values(const Array& x, const Array& alpha) {
  const Array positive = jnp::greater(x, 0), positive_again = jnp::greater(x, 0);
  const Array e = jnp::expm1(jnp::where(positive_again, 0.0, x));
  return jnp::where(positive, x, jnp::multiply(alpha, e));
}

}  // namespace

Array celu(const Array& x, const Array& alpha) {
  COTAN_API;
  return with_parameter("celu", celu_values, x, alpha, 1);
}

Array elu(const Array& x, const Array& alpha) {
  COTAN_API;
  return with_parameter("elu", elu_values, x, alpha, 1);
}

Array selu(const Array& x) {
  COTAN_API;
  return jitted("selu",
                [](const Arrays& a) {
                  const Array e = elu(a[0], 1.6732632423543772848170429916717);
                  return jnp::multiply(1.0507009873554804934193349852946, e);
                },
                {x});
}

// The approximation: P = (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 (Hendrycks and Gimpel, arXiv:1606.08415).
Array gelu(const Array& x, bool approximate) {
  COTAN_API;
  const Array v = jnp::promote_inexact(x);
  if (!approximate) {
    const Array half = jnp::multiply(0.5, v), scaled = ops::mul(ops::neg(v), ops::scalar(v.dtype(), M_SQRT1_2));
    return jnp::multiply(half, ops::erfc(scaled));
  }
  const Array cube = jnp::multiply(0.044715, ops::integer_pow(v, 3));
  const Array inner = ops::mul(ops::scalar(v.dtype(), M_2_SQRTPI * M_SQRT1_2), jnp::add(v, cube));
  const Array p = jnp::multiply(0.5, jnp::add(1.0, jnp::tanh(inner)));
  return jnp::multiply(v, p);
}

Array glu(const Array& x, int axis) {
  COTAN_API;
  if (axis < -x.ndim() || axis >= x.ndim())
    throw IndexError("glu: axis " + std::to_string(axis) + " is out of range, got shape " + x.shape().str());
  const int a = canonical_axis("glu", axis, x.ndim());
  const std::int64_t n = x.shape()[a];
  if (n % 2 != 0)
    throw ValueError("glu: the size of axis " + std::to_string(axis) + " must be even, got shape " + x.shape().str());
  return named_jit(
      "glu",
      [a, n](const Arrays& v) {
        const Arrays halves = ops::split(v[0], {n / 2, n / 2}, a);
        return Arrays{jnp::multiply(halves[0], sigmoid(halves[1]))};
      },
      {x}, static_cast<std::uint64_t>(a))[0];
}

Array hard_sigmoid(const Array& x) {
  COTAN_API;
  return jitted("hard_sigmoid", [](const Arrays& a) { return jnp::divide(relu6(jnp::add(a[0], 3.0)), 6.0); }, {x});
}

Array hard_silu(const Array& x) {
  COTAN_API;
  return jitted("hard_silu",
                [](const Arrays& a) {
                  const Array gate = hard_sigmoid(a[0]);
                  return jnp::multiply(a[0], gate);
                },
                {x});
}
Array hard_swish(const Array& x) {
  COTAN_API;
  return hard_silu(x);
}

Array hard_tanh(const Array& x) {
  COTAN_API;
  return jitted("hard_tanh",
                [](const Arrays& a) {
                  const Array above = jnp::greater(a[0], 1), below = jnp::less(a[0], -1);
                  const Array kept = jnp::where(below, -1, a[0]);
                  return jnp::where(above, 1, kept);
                },
                {x});
}

Array identity(const Array& x) {
  COTAN_API;
  return jitted("identity", [](const Arrays& a) { return a[0]; }, {x});
}

Array leaky_relu(const Array& x, const Array& negative_slope) {
  COTAN_API;
  const auto values = [](const Array& v, const Array& slope) {
    const Array positive = jnp::greater_equal(v, 0), scaled = jnp::multiply(slope, v);
    return jnp::where(positive, v, scaled);
  };
  return with_parameter("leaky_relu", values, x, negative_slope, 0.01);
}

// Near 0 from expm1, else from log1p (Maechler, "Accurately Computing log(1 - exp(-|a|))", 2012). Each branch sees a number of
// its own domain, so that the other's derivative is finite.
Array log1mexp(const Array& x) {
  COTAN_API;
  return jitted("log1mexp",
                [](const Arrays& a) {
                  const Array small = jnp::less(a[0], M_LN2), v = jnp::promote_inexact(jnp::negative(a[0]));
                  const Array one = ops::full({v.shape(), v.dtype(), v.weak_type()}, -1);
                  const Array near = jnp::where(small, v, one), far = jnp::where(small, one, v);
                  const Array from_expm1 = ops::log(ops::neg(ops::expm1(near)));
                  const Array from_log1p = ops::log1p(ops::neg(ops::exp(far)));
                  return jnp::where(small, from_expm1, from_log1p);
                },
                {x});
}

Array log_sigmoid(const Array& x) {
  COTAN_API;
  return jitted("log_sigmoid", [](const Arrays& a) { return jnp::negative(softplus(jnp::negative(a[0]))); }, {x});
}

Array mish(const Array& x) {
  COTAN_API;
  return jitted("mish", [](const Arrays& a) { return jnp::multiply(a[0], jnp::tanh(softplus(a[0]))); }, {x});
}

// max(x, 0), with the tangent of x where x > 0, and nothing elsewhere.
Array relu(const Array& x) {
  COTAN_API;
  return jitted("relu",
                [](const Arrays& a) {
                  const Array v = is_bool(a[0]) ? to_dtype(a[0], default_int_dtype(), true) : a[0];
                  const Array zero = ops::number_like(v, 0);
                  return flat_elsewhere(jnp::greater(v, zero), v, ops::max(ops::stop_gradient(v), zero));
                },
                {x});
}

Array relu6(const Array& x) {
  COTAN_API;
  return jitted("relu6",
                [](const Arrays& a) {
                  const Array v = jnp::minimum(jnp::maximum(a[0], 0), 6.0);
                  if (!is_inexact(a[0].dtype())) return v;
                  const Array inside = ops::bit_and(jnp::greater(a[0], 0), jnp::less(a[0], 6));
                  return flat_elsewhere(inside, a[0], v);
                },
                {x});
}

Array sigmoid(const Array& x) {
  COTAN_API;
  return ops::logistic(x);
}

Array silu(const Array& x) {
  COTAN_API;
  return jitted("silu", [](const Arrays& a) { return jnp::multiply(a[0], sigmoid(a[0])); }, {x});
}
Array swish(const Array& x) {
  COTAN_API;
  return silu(x);
}

Array soft_sign(const Array& x) {
  COTAN_API;
  return jitted("soft_sign", [](const Arrays& a) { return jnp::divide(a[0], jnp::add(jnp::abs(a[0]), 1)); }, {x});
}

Array softplus(const Array& x) {
  COTAN_API;
  return jitted("softplus",
                [](const Arrays& a) {
                  const Array v = jnp::promote_inexact(a[0]);  // strong but for bool
                  return jnp::logaddexp(is_bool(a[0]) ? to_dtype(v, v.dtype(), true) : v, 0.0);
                },
                {x});
}

Array sparse_plus(const Array& x) {
  COTAN_API;
  return jitted("sparse_plus",
                [](const Arrays& a) {
                  const Array below = jnp::less_equal(a[0], -1.0), above = jnp::greater_equal(a[0], 1.0);
                  const Array square = jnp::divide(jnp::power(jnp::add(a[0], 1.0), 2), 4);
                  const Array rising = jnp::where(above, a[0], square);
                  return jnp::where(below, 0.0, rising);
                },
                {x});
}

Array sparse_sigmoid(const Array& x) {
  COTAN_API;
  return jitted("sparse_sigmoid",
                [](const Arrays& a) { return jnp::multiply(0.5, jnp::clip(jnp::add(a[0], 1.0), 0.0, 2.0)); }, {x});
}

Array squareplus(const Array& x, const Array& b) {
  COTAN_API;
  const auto values = [](const Array& v, const Array& c) {
    const Array root = jnp::sqrt(jnp::add(jnp::square(v), c));
    return jnp::divide(jnp::add(v, root), 2);
  };
  return with_parameter("squareplus", values, x, b, 4);
}

Array tanh(const Array& x) {
  COTAN_API;
  return jnp::tanh(x);
}

const FunctionTable activations_table{
    "nn",
    {
        function<celu>("celu(x, alpha=1.0)", "max(x, 0) + alpha (exp(min(x, 0) / alpha) - 1)."),
        function<elu>("elu(x, alpha=1.0)", "x where it is positive, else alpha (exp(x) - 1)."),
        function<gelu>("gelu(x, approximate=True)",
                       "x times the normal distribution function, or its approximation by tanh."),
        function<glu>("glu(x, axis=-1)", "The first half along the axis times the sigmoid of the second half."),
        function<hard_sigmoid>("hard_sigmoid(x)", "relu6(x + 3) / 6."),
        function<hard_silu>("hard_silu(x)", "x times hard_sigmoid(x)."),
        function<hard_swish>("hard_swish(x)", "x times hard_sigmoid(x)."),
        function<hard_tanh>("hard_tanh(x)", "x, kept within -1 and 1."),
        function<identity>("identity(x)", "x itself, for where an activation is expected."),
        function<leaky_relu>("leaky_relu(x, negative_slope=0.01)",
                             "x where it is not negative, else negative_slope times x."),
        function<log1mexp>("log1mexp(x)", "log(1 - exp(-x)), without cancellation."),
        function<log_sigmoid>("log_sigmoid(x)", "The logarithm of sigmoid(x)."),
        function<mish>("mish(x)", "x tanh(softplus(x))."),
        function<relu>("relu(x)", "max(x, 0), its derivative at 0 being 0."),
        function<relu6>("relu6(x)", "min(max(x, 0), 6)."),
        function<selu>("selu(x)", "elu, scaled so that mean 0 and variance 1 persist through layers."),
        function<sigmoid>("sigmoid(x)", "1 / (1 + exp(-x))."),
        function<silu>("silu(x)", "x times sigmoid(x)."),
        function<soft_sign>("soft_sign(x)", "x / (1 + |x|)."),
        function<softplus>("softplus(x)", "log(1 + exp(x)), without overflow."),
        function<sparse_plus>("sparse_plus(x)", "0 below -1, x above 1, (x + 1)**2 / 4 between."),
        function<sparse_sigmoid>("sparse_sigmoid(x)", "(x + 1) / 2, kept within 0 and 1."),
        function<squareplus>("squareplus(x, b=4)", "(x + sqrt(x**2 + b)) / 2."),
        function<swish>("swish(x)", "x times sigmoid(x)."),
        function<nn::tanh>("tanh(x, /)", "Hyperbolic tangent."),
    }};

}  // namespace cotan::nn

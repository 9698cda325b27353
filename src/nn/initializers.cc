// jax.nn.initializers.
#include <cmath>
#include <string>

#include "api/function_table.h"
#include "cotan/nn.h"
#include "cotan/random.h"
#include "numpy/common.h"

namespace cotan::nn {

namespace jnp = cotan::numpy;

Array Initializer::operator()(const Array& key, const Shape& shape, std::optional<DType> dtype) const {
  COTAN_API;
  const DType d = dtype ? *dtype : recipe_.dtype.value_or(DType::float64);
  if (recipe_.value.has_value()) refuse_complex_number("constant", recipe_.value, d);
  return recipe_.rule(recipe_, key, shape, canonical_dtype(d));
}

// To the table: a function of (key, shape, dtype=None).
static table::Value to_value(const Initializer& initializer) {
  return table::Value::Function([initializer](const table::Value::Items& a) -> table::Value {
    if (a.size() < 2 || a.size() > 3)
      throw TypeError("an initializer takes a key, a shape and perhaps a dtype, got " + std::to_string(a.size()) +
                      " arguments");
    const auto place = [](const char* parameter) { return table::Place{"initializer", parameter, true}; };
    const Array key = table::FromValue<Array>::get(a[0], place("key"));
    const Shape shape = table::FromValue<Shape>::get(a[1], place("shape"));
    const table::Value dtype = a.size() == 3 ? a[2] : table::Value();
    return initializer(key, shape, table::FromValue<std::optional<DType>>::get(dtype, place("dtype")));
  });
}

namespace initializers {

namespace {

DType dtype_or_default(std::optional<DType> d) { return canonical_dtype(d.value_or(DType::float64)); }
Array scaled(const Array& x, double factor) { return ops::mul(x, ops::scalar(x.dtype(), factor)); }

// Sizes of the axes; IndexError for one that the shape lacks.
double sizes_of(const Shape& shape, const IntList& axes) {
  double n = 1;
  for (std::int64_t a : axes) {
    if (a < -shape.length() || a >= shape.length())
      throw IndexError("variance_scaling: axis " + std::to_string(a) + " is out of range for weights of shape " +
                       shape.str());
    n *= static_cast<double>(shape[a < 0 ? a + shape.length() : a]);
  }
  return n;
}

using Recipe = Initializer::Recipe;

// Of how many numbers an output is the sum, or an input a part, or their mean.
double fan(const Recipe& r, const Shape& shape) {
  if (shape.length() <= 1)
    throw ValueError("variance_scaling: weights must have at least 2 axes, got shape " + shape.str());
  const double in = sizes_of(shape, r.in_axis), out = sizes_of(shape, r.out_axis),
               batch = sizes_of(shape, r.batch_axis);
  const double field = static_cast<double>(shape.product()) / in / out / batch;
  return r.fan(in * field, out * field);
}

// A complex number whose modulus is the root of `squared` of a uniform number, at a uniform angle.
template <class F> Array complex_from(const Array& key, const Shape& shape, DType d, F&& squared) {
  const Array keys = random::split(key), r = random::uniform(keys(0), shape, real_dtype(d));
  const Array modulus = jnp::sqrt(squared(r)), turn = random::uniform(keys(1), shape, real_dtype(d));
  const Array angle = scaled(turn, 2 * M_PI);
  return ops::complex(ops::mul(modulus, ops::cos(angle)), ops::mul(modulus, ops::sin(angle)));
}

// The standard deviation of a normal variable that is cut off at two: real, and of the complex one by its modulus.
constexpr double truncated_stddev = .87962566103423978, complex_truncated_stddev = .95311164380491208;

Array truncated_values(const Array& key, const Shape& shape, DType d, double variance) {
  if (!is_complex(d))
    return scaled(random::truncated_normal(key, -2, 2, shape, d), std::sqrt(variance) / truncated_stddev);
  const Array r = complex_from(
      key, shape, d, [&](const Array& u) { return ops::neg(ops::log1p(ops::neg(scaled(u, -std::expm1(-4.0))))); });
  return scaled(r, std::sqrt(variance) / complex_truncated_stddev);
}
Array uniform_values(const Array& key, const Shape& shape, DType d, double variance) {
  if (!is_complex(d)) return scaled(random::uniform(key, shape, d, -1.0), std::sqrt(3 * variance));
  const Array r = complex_from(key, shape, d, [](const Array& u) { return scaled(u, 2); });
  return scaled(r, std::sqrt(variance));
}

}  // namespace

Array zeros(const Array&, const Shape& shape, std::optional<DType> dtype) {
  COTAN_API;
  return jnp::zeros(shape, dtype_or_default(dtype));
}
Array ones(const Array&, const Shape& shape, std::optional<DType> dtype) {
  COTAN_API;
  return jnp::ones(shape, dtype_or_default(dtype));
}
Initializer constant(const Array& value, std::optional<DType> dtype) {
  const auto rule = [](const Recipe& r, const Array&, const Shape& shape, DType d) {
    return jnp::broadcast_to(to_dtype(r.value, d, false), shape);
  };
  return Initializer({.rule = rule, .dtype = dtype, .value = value});
}
Initializer uniform(double scale, std::optional<DType> dtype) {
  const auto rule = [](const Recipe& r, const Array& key, const Shape& shape, DType d) {
    return scaled(random::uniform(key, shape, d), r.scale);
  };
  return Initializer({.rule = rule, .dtype = dtype, .scale = scale});
}
Initializer normal(double stddev, std::optional<DType> dtype) {
  const auto rule = [](const Recipe& r, const Array& key, const Shape& shape, DType d) {
    return scaled(random::normal(key, shape, d), r.scale);
  };
  return Initializer({.rule = rule, .dtype = dtype, .scale = stddev});
}
Initializer truncated_normal(double stddev, std::optional<DType> dtype, double lower, double upper) {
  const auto rule = [](const Recipe& r, const Array& key, const Shape& shape, DType d) {
    return scaled(random::truncated_normal(key, r.lower, r.upper, shape, d), r.scale);
  };
  return Initializer({.rule = rule, .dtype = dtype, .scale = stddev, .lower = lower, .upper = upper});
}

Initializer variance_scaling(double scale, std::string_view mode, std::string_view distribution, const FanOptions& o) {
  Recipe r{.dtype = o.dtype, .scale = scale, .in_axis = o.in_axis, .out_axis = o.out_axis, .batch_axis = o.batch_axis};
  if (mode == "fan_in") r.fan = [](double in, double) { return in; };
  else if (mode == "fan_out") r.fan = [](double, double out) { return out; };
  else if (mode == "fan_avg") r.fan = [](double in, double out) { return (in + out) / 2; };
  else if (mode == "fan_geo_avg") r.fan = [](double in, double out) { return std::sqrt(in * out); };
  else
    throw ValueError("variance_scaling: mode must be 'fan_in', 'fan_out', 'fan_avg' or 'fan_geo_avg', got '" +
                     std::string(mode) + "'");
  if (distribution == "truncated_normal")
    r.rule = [](const Recipe& q, const Array& key, const Shape& shape, DType d) {
      return truncated_values(key, shape, d, q.scale / fan(q, shape));
    };
  else if (distribution == "normal")
    r.rule = [](const Recipe& q, const Array& key, const Shape& shape, DType d) {
      return scaled(random::normal(key, shape, d), std::sqrt(q.scale / fan(q, shape)));
    };
  else if (distribution == "uniform")
    r.rule = [](const Recipe& q, const Array& key, const Shape& shape, DType d) {
      return uniform_values(key, shape, d, q.scale / fan(q, shape));
    };
  else
    throw ValueError("variance_scaling: distribution must be 'truncated_normal', 'normal' or 'uniform', got '" +
                     std::string(distribution) + "'");
  return Initializer(r);
}

Initializer glorot_uniform(const FanOptions& o) { return variance_scaling(1, "fan_avg", "uniform", o); }
Initializer glorot_normal(const FanOptions& o) { return variance_scaling(1, "fan_avg", "truncated_normal", o); }
Initializer xavier_uniform(const FanOptions& o) { return glorot_uniform(o); }
Initializer xavier_normal(const FanOptions& o) { return glorot_normal(o); }
Initializer lecun_uniform(const FanOptions& o) { return variance_scaling(1, "fan_in", "uniform", o); }
Initializer lecun_normal(const FanOptions& o) { return variance_scaling(1, "fan_in", "truncated_normal", o); }
Initializer he_uniform(const FanOptions& o) { return variance_scaling(2, "fan_in", "uniform", o); }
Initializer he_normal(const FanOptions& o) { return variance_scaling(2, "fan_in", "truncated_normal", o); }
Initializer kaiming_uniform(const FanOptions& o) { return he_uniform(o); }
Initializer kaiming_normal(const FanOptions& o) { return he_normal(o); }

namespace {
// For any key, None too.
template <Array (*F)(const Array&, const Shape&, std::optional<DType>)>
Array without_key(const table::Value&, const Shape& shape, const std::optional<DType>& dtype) {
  return F({}, shape, dtype);
}
}  // namespace

const FunctionTable initializers_table{
    "nn.initializers",
    {
        function<without_key<zeros>>("zeros(key, shape, dtype=None, out_sharding=None)", "Zeros, for any key.",
                                     "key shape dtype"),
        function<without_key<ones>>("ones(key, shape, dtype=None, out_sharding=None)", "Ones, for any key.",
                                    "key shape dtype"),
        function<constant>("constant(value, dtype=None)", "An initializer of weights that are all the value."),
        function<uniform>("uniform(scale=0.01, dtype=None)", "An initializer of uniform weights in [0, scale)."),
        function<normal>("normal(stddev=0.01, dtype=None)", "An initializer of normal weights of mean 0."),
        function<truncated_normal>("truncated_normal(stddev=0.01, dtype=None, lower=-2.0, upper=2.0)",
                                   "An initializer of normal weights, cut off at lower and upper times stddev."),
        function<variance_scaling>(
            "variance_scaling(scale, mode, distribution, in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
            "An initializer of weights of variance scale / n, n by the mode."),
#define COTAN_FAN(NAME, DOC) function<NAME>(#NAME "(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)", DOC)
        COTAN_FAN(glorot_uniform, "variance_scaling of scale 1, mode fan_avg and the uniform distribution."),
        COTAN_FAN(glorot_normal, "variance_scaling of scale 1, mode fan_avg and the truncated normal distribution."),
        COTAN_FAN(xavier_uniform, "variance_scaling of scale 1, mode fan_avg and the uniform distribution."),
        COTAN_FAN(xavier_normal, "variance_scaling of scale 1, mode fan_avg and the truncated normal distribution."),
        COTAN_FAN(lecun_uniform, "variance_scaling of scale 1, mode fan_in and the uniform distribution."),
        COTAN_FAN(lecun_normal, "variance_scaling of scale 1, mode fan_in and the truncated normal distribution."),
        COTAN_FAN(he_uniform, "variance_scaling of scale 2, mode fan_in and the uniform distribution."),
        COTAN_FAN(he_normal, "variance_scaling of scale 2, mode fan_in and the truncated normal distribution."),
        COTAN_FAN(kaiming_uniform, "variance_scaling of scale 2, mode fan_in and the uniform distribution."),
        COTAN_FAN(kaiming_normal, "variance_scaling of scale 2, mode fan_in and the truncated normal distribution."),
#undef COTAN_FAN
    }};

}  // namespace initializers
}  // namespace cotan::nn

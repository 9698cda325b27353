// Samplers that are formulas of uniform and normal numbers. The formulas, and the order of their operations, are JAX's.
#include <cmath>

#include "ops/random_emit.h"
#include "ops/special.h"
#include "random/common.h"
#include "random/table_values.h"

namespace cotan::random {

namespace {

// -log(1 - u)
Array minus_log1m(const Array& u) { return ops::neg(ops::log1p(ops::neg(u))); }

Array maxwell_call(const Array& key, const Shape& shape, DType d) {
  return sampler("_maxwell", d, shape, {key}, [&](const Arrays& a) {
    Shape vectors = shape;
    vectors.push_back(3);
    const Array x = normal_call(a[0], vectors, d);
    return named_jit("norm", [](const Arrays& v) { return Arrays{ops::sqrt(numpy::sum(ops::mul(v[0], v[0]), -1))}; },
                     {x})[0];
  });
}

}  // namespace

Array exponential_call(const Array& key, const Shape& shape, DType d) {
  return sampler("_exponential", d, shape, {key},
                 [&](const Arrays& a) { return minus_log1m(unit_uniform(a[0], shape, d)); });
}

Array exponential(const Array& key, const Shape& shape, OptionalDType dtype) {
  COTAN_API;
  const Request r = request("exponential", key, shape, dtype);
  return exponential_call(r.key, shape, r.dtype);
}

Array laplace(const Array& key, const Shape& shape, OptionalDType dtype) {
  COTAN_API;
  const Request r = request("laplace", key, shape, dtype);
  const DType d = r.dtype;
  return sampler("_laplace", d, shape, {r.key}, [&](const Arrays& a) {
    const Array u = uniform_call(a[0], shape, d, ops::scalar(d, -1 + below_one(d)), 1.0);
    return ops::mul(ops::sign(u), ops::log1p(ops::neg(ops::abs(u))));
  });
}

Array logistic(const Array& key, const Shape& shape, OptionalDType dtype) {
  COTAN_API;
  const Request r = request("logistic", key, shape, dtype);
  const DType d = r.dtype;
  return sampler("_logistic", d, shape, {r.key}, [&](const Arrays& a) {
    const Array x = uniform_call(a[0], shape, d, ops::scalar(d, smallest_normal(d)), 1.0);
    return ops::sub(ops::log(x), ops::log1p(ops::neg(x)));
  });
}

Array cauchy(const Array& key, const Shape& shape, OptionalDType dtype) {
  COTAN_API;
  const Request r = request("cauchy", key, shape, dtype);
  const DType d = r.dtype;
  return sampler("_cauchy", d, shape, {r.key}, [&](const Arrays& a) {
    const Array u = uniform_call(a[0], shape, d, ops::scalar(d, machine_epsilon(d)), 1.0);
    return ops::tan(ops::mul(ops::scalar(d, 3.14159265358979323846), ops::sub(u, ops::scalar(d, 0.5))));
  });
}

namespace {

// A uniform number of twice the resolution where it is below 1/2, as 1 - u.
Array gumbel_high(const Array& key, const Shape& shape, DType d) {
  Shape pair = shape;
  pair.insert(0, 2);
  const Array u = uniform_call(key, pair, d, 0.0, 1.0, Bounds::by_name);
  const Array first = key_at(u, 0), second = key_at(u, 1);
  const Array large = ops::ge(first, ops::scalar(d, 0.5));
  const Array joined = ops::add(ops::add(first, ops::mul(ops::scalar(d, machine_epsilon(d)), second)),
                                ops::scalar(d, smallest_normal(d)));
  return ops::neg(ops::log(minus_log1m(numpy::where(large, first, joined))));
}

}  // namespace

Array gumbel_call(const Array& key, const Shape& shape, DType d, bool high) {
  return named_jit(
      "_gumbel",
      [&](const Arrays& a) {
        if (high) return Arrays{gumbel_high(a[0], shape, d)};
        const Array u = uniform_call(a[0], shape, d, ops::scalar(d, smallest_normal(d)), 1.0, Bounds::by_name);
        return Arrays{ops::neg(ops::log(ops::neg(ops::log(u))))};
      },
      {key}, numpy::combine_key(static_key(d, shape), high))[0];
}

Array gumbel(const Array& key, const Shape& shape, OptionalDType dtype, ModeOptions o) {
  COTAN_API;
  const Request r = request("gumbel", key, shape, dtype);
  return gumbel_call(r.key, shape, r.dtype, high_mode("gumbel", o.mode));
}

Array maxwell(const Array& key, const Shape& shape, OptionalDType dtype) {
  COTAN_API;
  const Request r = request("maxwell", key, shape, dtype);
  return maxwell_call(r.key, shape, r.dtype);
}

Array double_sided_maxwell(const Array& key, const Array& loc, const Array& scale, const Shape& shape,
                           OptionalDType dtype) {
  COTAN_API;
  const Request r = request("double_sided_maxwell", key, shape, dtype);
  const Shape parameters[] = {loc.shape(), scale.shape()};
  const Shape own = numpy::broadcast_shapes("double_sided_maxwell", parameters);
  const Shape full = ops::joined(shape.ndim() ? shape : own, own);  // the parameters' dimensions come after the shape's
  return sampler("_double_sided_maxwell", r.dtype, full, {r.key, loc, scale}, [&](const Arrays& a) {
    const TwoKeys keys = split_in_two(a[0]);
    const Array size = maxwell_call(keys.first, full, r.dtype), side = rademacher_call(keys.second, full, r.dtype);
    return numpy::add(numpy::multiply(ops::mul(side, size), a[2]), a[1]);
  });
}

Array rayleigh(const Array& key, const Array& scale, const ShapeOrNone& shape, OptionalDType dtype) {
  COTAN_API;
  const auto [k, d, full] = request("rayleigh", key, shape, dtype, {&scale});
  return sampler("_rayleigh", d, full, {k, scale}, [&](const Arrays& a) {
    const Array u = unit_uniform(a[0], full, d), size = fitted(to_dtype(a[1], d, false), full);
    return ops::mul(size, ops::sqrt(ops::mul(ops::log(u), ops::scalar(d, -2))));
  });
}

Array pareto(const Array& key, const Array& b, const ShapeOrNone& shape, OptionalDType dtype) {
  COTAN_API;
  const auto [k, d, full] = request("pareto", key, shape, dtype, {&b});
  return sampler("_pareto", d, full, {k, b}, [&](const Arrays& a) {
    const Array power = to_dtype(a[1], d, false), e = exponential_call(a[0], full, d);
    return ops::exp(ops::div(e, aligned(power, full.ndim())));
  });
}

Array weibull_min(const Array& key, const Array& scale, const Array& concentration, const Shape& shape,
                  OptionalDType dtype) {
  COTAN_API;
  const Request r = request("weibull_min", key, shape, dtype);
  return sampler("_weibull_min", r.dtype, shape, {r.key, scale, concentration}, [&](const Arrays& a) {
    const Array e = minus_log1m(uniform_call(a[0], shape, r.dtype, 0, 1));
    return numpy::multiply(numpy::power(e, numpy::divide(Array(1.0), a[2])), a[1]);
  });
}

Array triangular(const Array& key, const Array& left, const Array& mode, const Array& right, const ShapeOrNone& shape,
                 OptionalDType dtype) {
  COTAN_API;
  const auto [k, d, full] = request("triangular", key, shape, dtype, {&left, &mode, &right});
  const auto parameter = [&](const Array& x) { return fitted(to_dtype(x, d, false), full); };
  const Array low = parameter(left), high = parameter(right), peak = parameter(mode);
  const Array below = ops::div(ops::sub(peak, low), ops::sub(high, low));  // the probability of less than the mode
  const Array u = unit_uniform(k, full, d);
  const Array first = ops::add(low, ops::sqrt(ops::mul(ops::mul(u, ops::sub(high, low)), ops::sub(peak, low))));
  const Array rest = ops::mul(ops::sub(ops::scalar(d, 1), u), ops::sub(high, low));
  const Array second = ops::sub(high, ops::sqrt(ops::mul(rest, ops::sub(high, peak))));
  return ops::select(ops::lt(u, below), first, second);
}

// Michael, Schucany and Haas, "Generating random variates using transformations with multiple roots", 1976.
Array wald(const Array& key, const Array& mean, const ShapeOrNone& shape, OptionalDType dtype) {
  COTAN_API;
  const auto [k, d, full] = request("wald", key, shape, dtype, {&mean});
  return sampler("_wald", d, full, {k, mean}, [&](const Arrays& a) {
    const TwoKeys keys = split_in_two(a[0]);
    const Array m = fitted(to_dtype(a[1], d, false), full);
    const Array v = normal_call(keys.first, full, d), z = unit_uniform(keys.second, full, d);
    const Array y = ops::integer_pow(v, 2), y2 = ops::integer_pow(y, 2), m2 = ops::integer_pow(m, 2);
    const Array root = ops::sqrt(ops::add(ops::mul(ops::mul(ops::scalar(d, 4), m), y), ops::mul(m2, y2)));
    const Array half = ops::add(m, ops::div(ops::mul(m2, y), ops::scalar(d, 2)));
    const Array x = ops::sub(half, ops::mul(ops::div(m, ops::scalar(d, 2)), root));
    return ops::select(ops::le(z, ops::div(m, ops::add(m, x))), x, ops::div(m2, x));
  });
}

Array geometric(const Array& key, const Array& p, const ShapeOrNone& shape, OptionalDType dtype) {
  COTAN_API;
  const Array k = single_key("geometric", key);
  const DType d = int_dtype(dtype);
  if (!is_integer(d)) fail_dtype("geometric", "an int", d);
  const Shape full = sample_shape("geometric", shape, {&p});
  const DType drawn = canonical_dtype(to_inexact_dtype(p.dtype()));
  if (!is_floating(drawn)) fail_dtype("geometric", "a float", drawn);
  const Array chance = to_dtype(p, drawn, p.weak_type());
  return sampler("_geometric", d, full, {k, chance}, [&](const Arrays& a) {
    const Array u = unit_uniform(a[0], full, drawn);
    const Array log_u = ops::log(numpy::where(ops::eq(u, ops::scalar(drawn, 0)), Array(1), u));
    const Array log_q = fitted(ops::log1p(ops::neg(a[1])), full);
    return to_dtype(ops::add(ops::floor(ops::div(log_u, log_q)), ops::scalar(drawn, 1)), d, false);
  });
}

Array lognormal(const Array& key, const Array& sigma, const ShapeOrNone& shape, OptionalDType dtype) {
  COTAN_API;
  const Array k = single_key("lognormal", key);
  const DType d = canonical_dtype(dtype.value_or(DType::float64));
  if (!is_inexact(d)) fail_dtype("lognormal", "a float or complex", d);
  const Shape full = sample_shape("lognormal", shape, {&sigma});
  if (!is_complex(d)) check_real("lognormal", sigma, d);
  const Array scale = to_dtype(sigma, d, false);
  return ops::exp(ops::mul(normal_call(k, full, d), aligned(scale, full.ndim())));
}

Array truncated_normal(const Array& key, const Array& lower, const Array& upper, const ShapeOrNone& shape,
                       OptionalDType dtype) {
  COTAN_API;
  const Array k = single_key("truncated_normal", key);
  const DType d = float_dtype("truncated_normal", dtype);
  const Shape full = sample_shape("truncated_normal", shape, {&lower, &upper});
  return sampler("_truncated_normal", d, full, {k, lower, upper}, [&](const Arrays& a) {
    const Array low = to_dtype(a[1], d, false), high = to_dtype(a[2], d, false), root = ops::scalar(d, std::sqrt(2.0));
    const Array u = uniform_call(a[0], full, d, ops::erf(ops::div(low, root)), ops::erf(ops::div(high, root)));
    const Array x = ops::mul(root, ops::erf_inv(u));
    const Array least = ops::nextafter(ops::stop_gradient(low), ops::scalar(d, infinity)),
                most = ops::nextafter(ops::stop_gradient(high), ops::scalar(d, -infinity));
    return numpy::clip(x, least, most);
  });
}

const FunctionTable distributions_table{
    "random",
    {
        function<exponential>("exponential(key, shape=(), dtype=None, *, out_sharding=None)",
                              "Exponential numbers of rate 1."),
        function<laplace>("laplace(key, shape=(), dtype=None, *, out_sharding=None)", "Laplace numbers."),
        function<logistic>("logistic(key, shape=(), dtype=None, *, out_sharding=None)", "Logistic numbers."),
        function<cauchy>("cauchy(key, shape=(), dtype=None, *, out_sharding=None)", "Cauchy numbers."),
        function<gumbel>("gumbel(key, shape=(), dtype=None, mode=None, *, out_sharding=None)", "Gumbel numbers."),
        function<maxwell>("maxwell(key, shape=(), dtype=None, *, out_sharding=None)",
                          "Maxwell numbers: the length of a vector of three normal numbers."),
        function<double_sided_maxwell>("double_sided_maxwell(key, loc, scale, shape=(), dtype=None)",
                                       "Maxwell numbers of either sign, scaled and moved."),
        function<rayleigh>("rayleigh(key, scale, shape=None, dtype=None, *, out_sharding=None)", "Rayleigh numbers."),
        function<pareto>("pareto(key, b, shape=None, dtype=None, *, out_sharding=None)", "Pareto numbers."),
        function<weibull_min>("weibull_min(key, scale, concentration, shape=(), dtype=None)", "Weibull numbers."),
        function<triangular>("triangular(key, left, mode, right, shape=None, dtype=None, *, out_sharding=None)",
                             "Numbers of a triangular density."),
        function<wald>("wald(key, mean, shape=None, dtype=None, *, out_sharding=None)",
                       "Wald (inverse Gaussian) numbers."),
        function<geometric>("geometric(key, p, shape=None, dtype=None, *, out_sharding=None)",
                            "Trials up to the first success."),
        function<lognormal>("lognormal(key, sigma=np.float32(1.0), shape=None, dtype=None, *, out_sharding=None)",
                            "The exponential of normal numbers."),
        function<truncated_normal>("truncated_normal(key, lower, upper, shape=None, dtype=None, *, out_sharding=None)",
                                   "Normal numbers between two bounds."),
    }};

}  // namespace cotan::random

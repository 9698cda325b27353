// Samplers by rejection, and those made of them.
#include "random/common.h"
#include "random/table_values.h"

namespace cotan::random {

namespace {

Array half(const Array& x) { return ops::div(x, ops::scalar(x.dtype(), 2)); }

Array gamma_of(const char* function, const Array& key, const Array& a, const ShapeOrNone& shape, OptionalDType dtype,
               bool log_space) {
  const Array k = single_key(function, key);
  const DType d = float_dtype(function, dtype);
  return gamma_call(k, a, sample_shape(function, shape, {&a}), d, log_space);
}

Array chisquare_call(const Array& key, const Array& df, const Shape& shape, DType d) {
  return sampler("_chisquare", d, shape, {key, df}, [&](const Arrays& a) {
    const Array g = gamma_call(a[0], half(to_dtype(a[1], d, false)), shape, d, true);
    return ops::mul(ops::exp(g), ops::scalar(d, 2));
  });
}

}  // namespace

Array gamma_call(const Array& key, const Array& alpha, const Shape& shape, DType d, bool log_space) {
  return named_jit(
      "_gamma",
      [&](const Arrays& a) {
        const Array shape_parameter = to_dtype(is_complex(a[1].dtype()) ? ops::real(a[1]) : a[1], d, false);
        return Arrays{ops::random_gamma(a[0], fitted(shape_parameter, shape), log_space)};
      },
      {key, alpha}, numpy::combine_key(static_key(d, shape), log_space))[0];
}

Array gamma(const Array& key, const Array& a, const ShapeOrNone& shape, OptionalDType dtype) {
  COTAN_API;
  return gamma_of("gamma", key, a, shape, dtype, false);
}

Array loggamma(const Array& key, const Array& a, const ShapeOrNone& shape, OptionalDType dtype) {
  COTAN_API;
  return gamma_of("loggamma", key, a, shape, dtype, true);
}

// In logarithms, less the larger one: parameters far below 1 give samples that underflow.
Array beta(const Array& key, const Array& a, const Array& b, const ShapeOrNone& shape, OptionalDType dtype) {
  COTAN_API;
  const auto [k, d, full] = request("beta", key, shape, dtype, {&a, &b});
  return sampler("_beta", d, full, {k, a, b}, [&](const Arrays& x) {
    const Array first = to_dtype(x[1], d, false), second = to_dtype(x[2], d, false);
    const TwoKeys keys = split_in_two(x[0]);
    const Array alpha = fitted(first, full), complement = fitted(second, full);
    const Array log_a = gamma_call(keys.first, alpha, full, d, true),
                log_b = gamma_call(keys.second, complement, full, d, true);
    const Array most = ops::max(log_a, log_b);
    const Array part = ops::exp(ops::sub(log_a, most)), other = ops::exp(ops::sub(log_b, most));
    return ops::div(part, ops::add(part, other));
  });
}

Array dirichlet(const Array& key, const Array& alpha, const ShapeOrNone& shape, OptionalDType dtype) {
  COTAN_API;
  const Array k = single_key("dirichlet", key);
  const DType d = float_dtype("dirichlet", dtype);
  if (alpha.ndim() == 0)
    throw ValueError("dirichlet requires alpha of at least one dimension, got " + alpha.aval().str());
  Shape batch = alpha.shape();
  batch.erase(batch.ndim() - 1);
  if (shape.given()) {
    check_sizes("dirichlet", shape.shape());
    const Shape shapes[] = {shape.shape(), batch};
    if (!(numpy::broadcast_shapes("dirichlet", shapes) == shape.shape()))
      throw ValueError("dirichlet: the shape " + shape.shape().str() + " cannot hold alpha of shape " +
                       alpha.shape().str());
    batch = shape.shape();
  }
  Shape full = batch;
  full.push_back(alpha.shape().back());
  return sampler("_dirichlet", d, full, {k, alpha}, [&](const Arrays& x) {
    const Array log_g = gamma_call(x[0], to_dtype(x[1], d, false), full, d, true);
    const int axis = full.ndim() - 1;
    const Array most = ops::max(ops::scalar(d, -infinity), ops::reduce_max(log_g, {axis}));
    const Array e = ops::exp(ops::sub(log_g, ops::stop_gradient(ops::expand_dims(most, {axis}))));
    return ops::div(e, ops::expand_dims(numpy::sum(e, axis), {axis}));
  });
}

Array chisquare(const Array& key, const Array& df, const ShapeOrNone& shape, OptionalDType dtype) {
  COTAN_API;
  const auto [k, d, full] = request("chisquare", key, shape, dtype, {&df});
  return chisquare_call(k, df, full, d);
}

Array t(const Array& key, const Array& df, const ShapeOrNone& shape, OptionalDType dtype) {
  COTAN_API;
  const auto [k, d, full] = request("t", key, shape, dtype, {&df});
  return sampler("_t", d, full, {k, df}, [&](const Arrays& a) {
    const Array freedom = to_dtype(a[1], d, false);
    const TwoKeys keys = split_in_two(a[0]);
    const Array n = normal_call(keys.first, full, d), h = half(freedom);
    const Array g = gamma_call(keys.second, h, full, d, false);
    return ops::mul(n, ops::sqrt(ops::div(aligned(h, full.ndim()), g)));
  });
}

Array f(const Array& key, const Array& dfnum, const Array& dfden, const ShapeOrNone& shape, OptionalDType dtype) {
  COTAN_API;
  const auto [k, d, full] = request("f", key, shape, dtype, {&dfnum, &dfden});
  return sampler("_f", d, full, {k, dfnum, dfden}, [&](const Arrays& a) {
    const Array below = to_dtype(a[2], d, false), above = to_dtype(a[1], d, false);
    const TwoKeys keys = split_in_two(a[0]);
    const Array x = chisquare_call(keys.second, above, full, d), y = chisquare_call(keys.first, below, full, d);
    return ops::div(ops::div(x, aligned(above, full.ndim())), ops::div(y, aligned(below, full.ndim())));
  });
}

namespace {

Array generalized_normal_call(const Array& key, const Array& p, const Shape& shape, DType d) {
  return sampler("_generalized_normal", d, shape, {key, p}, [&](const Arrays& a) {
    const TwoKeys keys = split_in_two(a[0]);
    const Array g = gamma_call(keys.first, numpy::divide(Array(1.0), a[1]), shape, d, false);
    const Array side = rademacher_call(keys.second, shape, d);
    return numpy::multiply(side, numpy::power(g, numpy::divide(Array(1.0), a[1])));
  });
}

}  // namespace

Array generalized_normal(const Array& key, const Array& p, const Shape& shape, OptionalDType dtype) {
  COTAN_API;
  const Array k = single_key("generalized_normal", key);
  check_sizes("generalized_normal", shape);
  return generalized_normal_call(k, p, shape, float_dtype("generalized_normal", dtype));
}

// Barthe, Guedon, Mendelson and Naor, "A probabilistic approach to the geometry of the l_p^n-ball", 2005.
Array ball(const Array& key, std::int64_t d, const Array& p, const Shape& shape, OptionalDType dtype) {
  COTAN_API;
  const Array k = single_key("ball", key);
  Shape full = shape;
  full.push_back(d);
  check_sizes("ball", full);
  const DType type = float_dtype("ball", dtype);
  return sampler("_ball", type, full, {k, p}, [&](const Arrays& a) {
    const TwoKeys keys = split_in_two(a[0]);
    const Array g = generalized_normal_call(keys.first, a[1], full, type),
                e = exponential_call(keys.second, shape, type);
    const Array norm = numpy::sum(numpy::power(numpy::abs(g), a[1]), -1);
    const Array radius = numpy::power(numpy::add(norm, e), numpy::divide(Array(1.0), a[1]));
    return numpy::divide(g, numpy::expand_dims(radius, -1));
  });
}

Array poisson(const Array& key, const Array& lam, const ShapeOrNone& shape, OptionalDType dtype) {
  COTAN_API;
  const Array k = single_key("poisson", key);
  if (k.dtype() != DType::key_fry)
    throw NotImplementedError("`poisson` is only implemented for the threefry2x32 RNG, not " + key_impl(k));
  const DType d = int_dtype(dtype);
  if (!is_integer(d)) fail_dtype("poisson", "an int", d);
  const Shape full = sample_shape("poisson", shape, {&lam});
  const Array real = is_complex(lam.dtype()) ? ops::real(lam) : lam;
  const DType rate_type = DType::float64 == canonical_dtype(DType::float64) ? DType::float64 : DType::float32;
  return sampler("_poisson", d, full, {k, real}, [&](const Arrays& a) {
    return ops::random_poisson(a[0], fitted(to_dtype(a[1], rate_type, false), full), d);
  });
}

Array binomial_call(const Array& key, const Array& n, const Array& p, const Shape& shape, DType d) {
  return sampler("_binomial", d, shape, {key, n, p}, [&](const Arrays& a) {
    return ops::random_binomial(a[0], fitted(to_dtype(a[1], d, false), shape), fitted(to_dtype(a[2], d, false), shape));
  });
}

Array binomial(const Array& key, const Array& n, const Array& p, const ShapeOrNone& shape, OptionalDType dtype) {
  COTAN_API;
  const auto [k, d, full] = request("binomial", key, shape, dtype, {&n, &p});
  return binomial_call(k, n, p, full, d);
}

namespace {

// a0 b0 a1 b1 ..., along the first axis.
Array interleaved(const Array& a, const Array& b) {
  Shape shape = a.shape();
  shape[0] *= 2;
  return ops::reshape(numpy::stack({a, b}, 1), shape);
}
Array every_second(const Array& x, std::int64_t first) { return ops::slice_in_dim(x, first, x.shape()[0], 2, 0); }

// Categories, along the first axis, are halved again and again: of the trials of each part a binomial number goes to its first half.
Array multinomial_counts(const Array& key, const Array& trials, const Array& chances) {
  const DType d = chances.dtype();
  const Array zero = ops::scalar(d, 0);
  std::vector<Array> sums{
      chances};  // of parts of 1, 2, 4, ... categories, a last one of probability 0 where they are odd in number
  while (sums.back().shape()[0] > 1) {
    Shape one = sums.back().shape();
    if (one[0] % 2) {
      one[0] = 1;
      sums.back() = numpy::concatenate({sums.back(), ops::full({one, d, false}, 0)});
    }
    sums.push_back(ops::add(every_second(sums.back(), 0), every_second(sums.back(), 1)));
  }
  const Array& total = sums.back();
  Array counts = ops::select(ops::eq(total, zero), ops::full(total.aval(), 0), ops::expand_dims(trials, {0}));
  if (sums.size() == 1) return counts;
  const Array keys = ops::random_split(key, Shape{static_cast<std::int64_t>(sums.size()) - 1});
  for (std::size_t level = sums.size() - 1; level-- > 0;) {
    const Array first = every_second(sums[level], 0);
    const std::int64_t parts = first.shape()[0];
    const Array whole = ops::slice_in_dim(sums[level + 1], 0, parts, 1, 0);
    const Array share = ops::div(first, ops::select(ops::eq(whole, zero), ops::full(whole.aval(), 1), whole));
    counts = ops::slice_in_dim(counts, 0, parts, 1, 0);
    const Array own = binomial_call(key_at(keys, static_cast<std::int64_t>(level)), counts, share, first.shape(), d);
    counts = interleaved(own, ops::sub(counts, own));
  }
  return ops::slice_in_dim(counts, 0, chances.shape()[0], 1, 0);
}

}  // namespace

Array multinomial(const Array& key, const Array& n, const Array& p, MultinomialOptions o) {
  COTAN_API;
  const Array k = single_key("multinomial", key);
  if (p.ndim() == 0) throw ValueError("multinomial requires p of at least one dimension, got " + p.aval().str());
  Shape batch = p.shape();
  batch.erase(batch.ndim() - 1);
  const Shape parts[] = {n.shape(), batch};
  Shape full = numpy::broadcast_shapes("multinomial", parts);
  full.push_back(p.shape().back());
  if (o.shape.given()) {
    check_shape("multinomial", o.shape.shape());
    check_fits("multinomial", p, o.shape.shape());
    full = o.shape.shape();
  }
  batch = full;
  batch.erase(batch.ndim() - 1);
  const DType d = canonical_dtype(DType::float64), result = o.dtype ? canonical_dtype(*o.dtype) : d;
  if (full.size() == 0) return numpy::zeros(full, result);
  const Array chances = numpy::moveaxis(fitted(real_parameter("multinomial", p, d), full), -1, 0);
  const Array trials = fitted(real_parameter("multinomial", n, d), batch);
  return to_dtype(numpy::moveaxis(multinomial_counts(k, trials, chances), 0, -1), result, false);
}

Array orthogonal(const Array&, std::int64_t, const Shape&, OptionalDType, std::optional<std::int64_t>) {
  COTAN_API;
  throw NotImplementedError("random.orthogonal: it waits for linear algebra (qr)");
}

Array multivariate_normal(const Array&, const Array&, const Array&, const ShapeOrNone&, OptionalDType,
                          MultivariateNormalOptions) {
  COTAN_API;
  throw NotImplementedError("random.multivariate_normal: it waits for linear algebra (cholesky)");
}

const FunctionTable rejection_table{
    "random",
    {
        function<gamma>("gamma(key, a, shape=None, dtype=None, *, out_sharding=None)", "Gamma numbers."),
        function<loggamma>("loggamma(key, a, shape=None, dtype=None, *, out_sharding=None)",
                           "The logarithm of gamma numbers."),
        function<beta>("beta(key, a, b, shape=None, dtype=None, *, out_sharding=None)", "Beta numbers."),
        function<dirichlet>("dirichlet(key, alpha, shape=None, dtype=None, *, out_sharding=None)",
                            "Dirichlet vectors."),
        function<chisquare>("chisquare(key, df, shape=None, dtype=None, *, out_sharding=None)", "Chi-square numbers."),
        function<t>("t(key, df, shape=None, dtype=None, *, out_sharding=None)", "Student's t numbers."),
        function<f>("f(key, dfnum, dfden, shape=None, dtype=None, *, out_sharding=None)",
                    "Numbers of the F distribution."),
        function<generalized_normal>("generalized_normal(key, p, shape=(), dtype=None, *, out_sharding=None)",
                                     "Numbers of density exp(-|x|^p)."),
        function<ball>("ball(key, d, p=2, shape=(), dtype=None, *, out_sharding=None)",
                       "Points, uniform in the unit ball of the p-norm."),
        function<poisson>("poisson(key, lam, shape=None, dtype=None, *, out_sharding=None)", "Poisson numbers."),
        function<binomial>("binomial(key, n, p, shape=None, dtype=None)", "Binomial numbers."),
        function<multinomial>("multinomial(key, n, p, *, shape=None, dtype=None, unroll=1)", "Multinomial vectors."),
        function<orthogonal>("orthogonal(key, n, shape=(), dtype=None, m=None, *, out_sharding=None)",
                             "Orthogonal matrices: not there yet."),
        function<multivariate_normal>(
            "multivariate_normal(key, mean, cov, shape=None, dtype=None, method='cholesky', *, out_sharding=None)",
            "Normal vectors: not there yet."),
    }};

}  // namespace cotan::random

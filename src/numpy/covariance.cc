// numpy's cov and corrcoef.
#include "api/function_table.h"
#include "numpy/reduce_common.h"

namespace cotan::numpy {

namespace {

void check_observations(const char* name, const Array& x) {
  check_number_operand("cov", x);
  if (x.ndim() > 2)
    throw ValueError(std::string("cov: ") + name + " has more than 2 dimensions, got " + x.aval().str());
}

// Variables in rows. A vector is one variable.
Array in_rows(const Array& x, bool rowvar, bool keep_one_row) {
  const Array rows = named_jit(
      "atleast_2d",
      [](const Arrays& a) { return Arrays{ops::expand_dims(a[0], IntList::range(std::max(2 - a[0].ndim(), 0)))}; },
      {x})[0];
  return rowvar || (keep_one_row && rows.shape()[0] == 1) ? rows : ops::transpose(rows, {1, 0});
}

Array checked_weights(const char* name, const Array& w, std::int64_t samples) {
  if (w.ndim() > 1) throw RuntimeError(std::string("cov: ") + name + " must have one dimension, got " + w.aval().str());
  if (w.ndim() == 1 && w.shape()[0] != samples)
    throw RuntimeError(std::string("cov: ") + name + " must have one weight for each of the " +
                       std::to_string(samples) + " observations, got " + w.aval().str());
  return ops::abs(w);
}

struct Observations {
  Array x;        // a row for each variable
  Array weights;  // of each observation; no value: all count once
  Array aweights;
};

Array covariance(const Observations& in, double ddof) {
  const AverageResult center = average_returned(in.x, 1, {.weights = in.weights});
  const Array total = center.sum_of_weights(0);
  Array divisor;
  if (!in.weights.has_value()) divisor = Array(static_cast<double>(in.x.shape()[1]) - ddof);
  else if (ddof == 0) divisor = total;
  else if (!in.aweights.has_value()) divisor = subtract(total, Array(ddof));
  else divisor = subtract(total, divide(multiply(Array(ddof), sum(multiply(in.weights, in.aweights))), total));
  const Array x = subtract(in.x, expand_dims(center.average, 1));
  Array weighted = x;
  if (in.weights.has_value()) weighted = multiply(x, expand_dims(in.weights, 0));
  const Array right = conj(ops::transpose(weighted, {1, 0}));
  return squeeze(divide(dot(x, right), divisor));
}

Array cov_values(const Array& m, const Array& y, const Array& fweights, const Array& aweights, const CovOptions& o) {
  Array x = promote_inexact(m), more;
  if (y.has_value()) {
    const Pair p = promote_inexact_types("cov", m, y);
    x = p.x, more = p.y;
  }
  x = in_rows(x, o.rowvar || m.ndim() < 2, false);
  if (x.shape()[0] == 0) return ops::full({{0, 0}, default_float_dtype(), false}, 0);
  if (y.has_value()) x = concatenate({x, in_rows(more, o.rowvar, true)}, 0);
  if (o.dtype) x = to_dtype(x, canonical_dtype(*o.dtype), false);
  Observations in{x, {}, {}};
  if (fweights.has_value()) in.weights = checked_weights("fweights", fweights, x.shape()[1]);
  if (aweights.has_value()) {
    in.aweights = checked_weights("aweights", aweights, x.shape()[1]);
    in.weights = fweights.has_value() ? multiply(in.weights, in.aweights) : in.aweights;
  }
  return covariance(in, o.ddof ? *o.ddof : o.bias ? 0 : 1);
}

std::uint64_t cov_key(const CovOptions& o, std::uint64_t given) {
  return static_key({}, {o.rowvar, o.bias, o.ddof.has_value(), std::bit_cast<std::uint64_t>(o.ddof.value_or(0)),
                         dtype_key(o.dtype), given});
}

}  // namespace

Array cov(const Array& m, const CovOptions& o) {
  COTAN_API;
  check_observations("m", m);
  if (o.y.has_value()) check_observations("y", o.y);
  if (o.fweights.has_value() && !is_integer(o.fweights.dtype()))
    throw TypeError("cov: fweights must be integers, got " + o.fweights.aval().str());
  OptionalOperands operands;
  operands.add(m), operands.add(o.y), operands.add(o.fweights), operands.add(o.aweights);
  return named_jit(
      "cov",
      [&](const Arrays& a) {
        OptionalOperands::Reader in(operands, a);
        const Array x = in.next(), y = in.next(), fweights = in.next(), aweights = in.next();
        return Arrays{cov_values(x, y, fweights, aweights, o)};
      },
      operands.arrays(), cov_key(o, operands.key()))[0];
}

namespace {

Array diagonal_of(const Array& square) {
  const IntList& shape = square.shape();
  const Array rows = ops::iota(DType::int32, shape, 0), columns = ops::iota(DType::int32, shape, 1);
  const Array zeros = ops::full({shape, square.dtype(), false}, 0);
  return ops::reduce_sum(ops::select(ops::eq(rows, columns), square, zeros), {0});
}

Array corrcoef_values(const Array& x, const Array& y, const CorrcoefOptions& o) {
  Array c = cov(x, {.y = y, .rowvar = o.rowvar, .dtype = o.dtype});
  if (c.ndim() == 0) return divide(c, c);
  const Array deviation = to_dtype(sqrt(real(diagonal_of(c))), c.dtype(), false);
  c = divide(c, expand_dims(deviation, 1));
  c = divide(c, expand_dims(deviation, 0));
  if (!is_complex(c.dtype())) return clip(c, -1, 1);
  const Array re = clip(real(c), -1, 1), im = clip(imag(c), -1, 1);
  return ops::complex(re, im);
}

}  // namespace

Array corrcoef(const Array& x, const CorrcoefOptions& o) {
  COTAN_API;
  OptionalOperands operands;
  operands.add(x), operands.add(o.y);
  return named_jit(
      "corrcoef", [&](const Arrays& a) { return Arrays{corrcoef_values(a[0], a.size() > 1 ? a[1] : Array(), o)}; },
      operands.arrays(), static_key({}, {o.rowvar, dtype_key(o.dtype)}))[0];
}

const FunctionTable covariance_table{
    "numpy",
    {

        function<cov>("cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, dtype=None)",
                      "Covariance matrix of variables, each a row of observations."),
        function<corrcoef>("corrcoef(x, y=None, rowvar=True, dtype=None)",
                           "Correlation coefficients of variables, each a row of observations."),
    }};

}  // namespace cotan::numpy

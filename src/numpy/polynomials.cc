// numpy's polynomials: their coefficients, the highest power first.
#include <cmath>

#include "api/function_table.h"
#include "numpy/reduce_common.h"
#include "numpy/slices.h"

namespace cotan::numpy {

namespace {

void check_polynomial(const char* function, const Array& p) {
  check_number_operand(function, p);
  if (p.ndim() == 0)
    throw TypeError(std::string(function) + ": a polynomial needs a dimension of coefficients, got " + p.aval().str());
}

Array coefficient(const Array& p, std::int64_t i) { return element_of(p, i, 0); }

// In one inexact type, weak where both are.
struct Coefficients {
  Array u, v;
};
Coefficients promoted_coefficients(const Array& u, const Array& v, bool inexact) {
  const LatticeType t = promote_types({u.dtype(), u.weak_type()}, {v.dtype(), v.weak_type()});
  const DType d = canonical_dtype(inexact ? to_inexact_dtype(t.dtype) : t.dtype);
  return {to_dtype(u, d, t.weak), to_dtype(v, d, t.weak)};
}

// The shorter one's coefficients are added to the last ones of the longer.
Array polyadd_values(const Array& p, const Array& q) {
  const Coefficients c = promoted_coefficients(p, q, false);
  const bool first_longer = c.u.shape()[0] >= c.v.shape()[0];
  const Array &longer = first_longer ? c.u : c.v, &shorter = first_longer ? c.v : c.u;
  const std::int64_t n = longer.shape()[0], head = n - shorter.shape()[0];
  const Array tail = slice_of(longer, head, n, 0);
  const Array sum = ops::add(tail, broadcast_to(shorter, tail.shape()));
  return head == 0 ? sum : concatenate({slice_of(longer, 0, head, 0), sum}, 0);
}

void check_sum(const char* function, const Array& p, const Array& q) {
  for (const Array* a : {&p, &q}) {
    check_number_operand(function, *a);
    if (a->ndim() == 0)
      throw IndexError(std::string(function) + ": a polynomial needs a dimension of coefficients, got " +
                       a->aval().str());
  }
  if (is_bool(p) && is_bool(q))
    throw TypeError(std::string(function) + " does not accept dtype bool, got " + p.aval().str());
}

// p without the zeros (values up to `tolerance`) in front; all of them go.
Array trimmed(const char* function, const Array& p, double tolerance) {
  if (!is_concrete(p))
    throw ConcretizationTypeError(std::string(function) +
                                  ": trim_leading_zeros needs the values of the coefficients, which are traced here");
  std::int64_t first = 0;
  const Array magnitude = abs(p);
  while (first < p.shape()[0] && magnitude(first).item<double>() <= tolerance) ++first;
  return slice_of(p, first, p.shape()[0], 0);
}

}  // namespace

Array polyval(const Array& p, const Array& x, const PolyvalOptions&) {
  COTAN_API;
  check_number_operand("polyval", p);
  check_number_operand("polyval", x);
  if (p.ndim() == 0) throw IndexError("polyval: a polynomial needs a dimension of coefficients, got " + p.aval().str());
  return jitted("polyval",
                [](const Arrays& a) {
                  const Coefficients c = promoted_coefficients(a[0], a[1], false);
                  Shape rest = c.u.shape();
                  rest.erase(0);
                  const Shape shapes[] = {c.v.shape(), rest};
                  const Shape shape = broadcast_shapes("polyval", shapes);
                  Array y = ops::full({shape, c.u.dtype(), false}, 0);
                  for (std::int64_t i = 0; i < c.u.shape()[0]; ++i) y = add(multiply(y, c.v), coefficient(c.u, i));
                  return to_dtype(y, y.dtype(), false);
                },
                {p, x});
}

Array polyadd(const Array& p, const Array& q) {
  COTAN_API;
  check_sum("polyadd", p, q);
  return jitted("polyadd", [](const Arrays& a) { return polyadd_values(a[0], a[1]); }, {p, q});
}

Array polysub(const Array& p, const Array& q) {
  COTAN_API;
  check_sum("polysub", p, q);
  return jitted("polysub",
                [](const Arrays& a) {
                  const Coefficients c = promoted_coefficients(a[0], a[1], false);
                  return polyadd(c.u, ops::neg(c.v));
                },
                {p, q});
}

Array polymul(const Array& p, const Array& q, const PolynomialOptions& o) {
  COTAN_API;
  check_polynomial("polymul", p);
  check_polynomial("polymul", q);
  Coefficients c = promoted_coefficients(p, q, true);
  if (o.trim_leading_zeros && p.ndim() == 1 && q.ndim() == 1)
    c = {trimmed("polymul", c.u, 0), trimmed("polymul", c.v, 0)};
  for (Array* a : {&c.u, &c.v})
    if (a->ndim() == 1 && a->shape()[0] == 0) *a = ops::full({{1}, a->dtype(), false}, 0);
  return convolve(c.u, c.v);
}

PolydivResult polydiv(const Array& u, const Array& v, const PolynomialOptions& o) {
  COTAN_API;
  for (const Array* a : {&u, &v}) {
    check_number_operand("polydiv", *a);
    if (a->ndim() != 1) throw ValueError("polydiv: polynomials must have one dimension, got " + a->aval().str());
    if (a->shape()[0] == 0) throw IndexError("polydiv: a polynomial without coefficients, got " + a->aval().str());
  }
  const Coefficients c = promoted_coefficients(u, v, true);
  const DType d = c.u.dtype();
  const std::int64_t m = c.u.shape()[0], n = c.v.shape()[0], steps = m - n + 1;
  Array r = to_dtype(c.u, d, false), q = ops::full({{std::max<std::int64_t>(steps, 1)}, d, false}, 0);
  const Array divisor = to_dtype(c.v, d, false);
  if (steps > 0) {
    const Array scale = ops::div(ops::scalar(d, 1), coefficient(divisor, 0));
    std::vector<Array> quotient;
    for (std::int64_t k = 0; k < steps; ++k) {
      const Array factor = ops::mul(scale, coefficient(r, k));
      quotient.push_back(ops::reshape(factor, {1}));
      const Array part = slice_of(r, k, k + n, 0), rest = ops::add(part, ops::mul(ops::neg(factor), divisor));
      std::vector<Array> parts;
      if (k > 0) parts.push_back(slice_of(r, 0, k, 0));
      parts.push_back(rest);
      if (k + n < m) parts.push_back(slice_of(r, k + n, m, 0));
      r = concatenate(parts, 0);
    }
    q = concatenate(quotient, 0);
  }
  if (o.trim_leading_zeros) {
    const DType real = real_dtype(d);
    const double epsilon = real == DType::float64    ? 0x1p-52
                           : real == DType::float32  ? 0x1p-23
                           : real == DType::bfloat16 ? 0x1p-7
                                                     : 0x1p-10;
    r = trimmed("polydiv", r, std::sqrt(epsilon));
  }
  return {q, r};
}

namespace {

// i, i - 1, ..., in rows of falling factors: row k has first + j - k at j.
Array falling_factors(DType d, std::int64_t first, std::int64_t count, std::int64_t rows) {
  Array upper = ops::iota(d, {count}, 0);
  if (first != 0) upper = ops::add(ops::scalar(d, static_cast<double>(first)), upper);
  const Array top = ops::expand_dims(upper, {0}), lower = ops::iota(d, {rows}, 0);
  return subtract(top, ops::expand_dims(lower, {1}));
}

}  // namespace

Array polyder(const Array& p, std::int64_t m) {
  COTAN_API;
  check_polynomial("polyder", p);
  if (m < 0) throw ValueError("polyder: the order m must not be negative, got " + std::to_string(m));
  const DType d = canonical_dtype(to_inexact_dtype(p.dtype()));
  return named_jit(
      "polyder",
      [&](const Arrays& a) {
        const Array c = to_dtype(a[0], d, false);
        const std::int64_t n = c.shape()[0], left = std::max<std::int64_t>(n - m, 0);
        if (m == 0) return Arrays{c};
        if (left == 0) return Arrays{slice_of(c, 0, 0, 0)};
        const Array factors = ops::reduce_prod(falling_factors(d, m, left, m), {0}), kept = slice_of(c, 0, left, 0);
        return Arrays{multiply(kept, ops::rev(factors, {0}))};
      },
      {p}, combine_key(static_cast<std::uint64_t>(m), 0))[0];
}

namespace {

Array constants_of_integration(const Array& k, std::int64_t m, DType d) {
  if (!k.has_value()) return ops::full({{m}, d, false}, 0);
  if (k.ndim() > 1 || (k.ndim() == 1 && k.shape()[0] != 1 && k.shape()[0] != m))
    throw ValueError("polyint: k must be a number, or a vector of 1 or " + std::to_string(m) + " constants, got " +
                     k.aval().str());
  return broadcast_to(ravel(to_dtype(k, d, false)), {m});
}

}  // namespace

Array polyint(const Array& p, std::int64_t m, const PolyintOptions& o) {
  COTAN_API;
  check_polynomial("polyint", p);
  if (m < 0) throw ValueError("polyint: the order m must not be negative, got " + std::to_string(m));
  LatticeType t{p.dtype(), p.weak_type()};
  if (o.k.has_value()) t = promote_types(t, {o.k.dtype(), o.k.weak_type()});
  const DType d = canonical_dtype(to_inexact_dtype(t.dtype));
  Arrays operands{p};
  if (o.k.has_value()) operands.push_back(o.k);
  return named_jit(
      "polyint",
      [&](const Arrays& a) {
        const Array c = to_dtype(a[0], d, false), k = constants_of_integration(a.size() > 1 ? a[1] : Array(), m, d);
        if (m == 0) return Arrays{c};
        if (c.ndim() != 1) throw TypeError("polyint: a polynomial must have one dimension, got " + a[0].aval().str());
        const Array grid = ops::max(ops::scalar(d, 1), falling_factors(d, 0, c.shape()[0] + m, m));
        const Array factors = ops::rev(ops::reduce_prod(grid, {0}), {0});
        return Arrays{ops::div(concatenate({c, k}, 0), factors)};
      },
      operands, combine_key(static_cast<std::uint64_t>(m), o.k.has_value()))[0];
}

Array poly(const Array& roots) {
  COTAN_API;
  check_number_operand("poly", roots);
  const int n = roots.ndim();
  if (n > 2 || (n == 2 && (roots.shape()[0] != roots.shape()[1] || roots.shape()[0] == 0)))
    throw ValueError("poly: roots must be a vector, or a square matrix that is not empty, got " + roots.aval().str());
  if (n == 2)
    throw NotImplementedError("poly of a matrix needs its eigenvalues (linear algebra), got " + roots.aval().str());
  return jitted("poly",
                [](const Arrays& v) {
                  const DType d = canonical_dtype(to_inexact_dtype(v[0].dtype()));
                  const Array zeros = ravel(to_dtype(v[0], d, false));
                  if (zeros.size() == 0) return ops::scalar(d, 1);
                  Array a = ops::full({{1}, d, false}, 1);
                  for (std::int64_t i = 0; i < zeros.size(); ++i) {
                    const Array minus = ops::reshape(ops::neg(coefficient(zeros, i)), {1});
                    a = convolve(a, concatenate({ops::full({{1}, d, false}, 1), minus}, 0));
                  }
                  return a;
                },
                {roots});
}

Array polyfit(const Array&, const Array&, std::int64_t, const PolyfitOptions&) {
  COTAN_API;
  throw NotImplementedError("polyfit needs a least squares solver (linear algebra), which is not there yet");
}
Array roots(const Array&, const RootsOptions&) {
  COTAN_API;
  throw NotImplementedError("roots needs the eigenvalues of a matrix (linear algebra), which are not there yet");
}

const FunctionTable polynomials_table{
    "numpy",
    {
        function<polyval>("polyval(p, x, *, unroll=16)", "Values of a polynomial."),
        function<polyadd>("polyadd(a1, a2)", "Sum of polynomials."),
        function<polysub>("polysub(a1, a2)", "Difference of polynomials."),
        function<polymul>("polymul(a1, a2, *, trim_leading_zeros=False)", "Product of polynomials."),
        function<polydiv>("polydiv(u, v, *, trim_leading_zeros=False)", "Quotient and remainder of polynomials."),
        function<polyder>("polyder(p, m=1)", "Derivative of a polynomial."),
        function<polyint>("polyint(p, m=1, k=None)", "Integral of a polynomial."),
        function<polyfit>("polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False)",
                          "A polynomial of least squares: needs linear algebra."),
        function<roots>("roots(p, *, strip_zeros=True)", "Roots of a polynomial: needs linear algebra."),
        function<poly>("poly(seq_of_zeros)", "The polynomial with the given roots."),
    }};

}  // namespace cotan::numpy

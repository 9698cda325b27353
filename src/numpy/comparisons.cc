// numpy's comparisons of whole arrays, and questions about elements and types.
#include <algorithm>
#include <cmath>

#include "api/function_table.h"
#include "numpy/common.h"

namespace cotan::numpy {

namespace {

Array isclose_values(const Array& a, const Array& b, const Array& rtol, const Array& atol, bool equal_nan) {
  const Pair p = promote_inexact("isclose", a, b);
  const DType real = real_dtype(p.x.dtype());
  const Array relative = to_dtype(rtol, real, false), absolute = to_dtype(atol, real, false);
  const Array no_a = ops::ne(p.x, p.x), no_b = ops::ne(p.y, p.y), both_nan = ops::bit_and(no_a, no_b);
  const Array finite = isfinite(p.y), distance = ops::abs(ops::sub(p.x, p.y));
  const Array scaled = promoted("isclose", ops::mul, relative, ops::abs(p.y));
  const Array bound = promoted("isclose", ops::add, absolute, scaled);
  const Array near = promoted("isclose", ops::le, distance, bound), same = ops::eq(p.x, p.y);
  const Array close = ops::bit_or(same, promoted("isclose", ops::bit_and, finite, near));
  return equal_nan ? ops::bit_or(close, both_nan) : close;
}

std::uint64_t tolerance_key(const Array& tolerance, std::uint64_t key) {
  return is_plain(tolerance) ? combine_key(std::bit_cast<std::uint64_t>(tolerance.item<double>()), key) : key;
}

Array any_infinity(const char* name, const Array& x, double which) {
  if (is_complex(x.dtype()))
    throw ValueError(std::string(name) + " is not well defined for complex values, got " + x.aval().str());
  if (is_floating(x.dtype())) return ops::eq(x, number_like(x, which));
  return ops::full({x.shape(), DType::bool_, false}, 0);
}

Array imaginary_against_zero(const Array& x, Binary compare) {
  const Array im = is_complex(x.dtype()) ? ops::imag(x) : ops::full({x.shape(), x.dtype(), false}, 0);
  return compare(im, ops::number_like(im, 0));
}

}  // namespace

Array isclose(const Array& a, const Array& b, const Array& rtol, const Array& atol, const EqualNanOptions& o) {
  COTAN_API;
  Arrays args{a, b};
  const bool plain_r = is_plain(rtol), plain_a = is_plain(atol);
  if (!plain_r) args.push_back(rtol);
  if (!plain_a) args.push_back(atol);
  return named_jit(
      "isclose",
      [&, nan = o.equal_nan](const Arrays& v) {
        return Arrays{isclose_values(v[0], v[1], plain_r ? rtol : v[2], plain_a ? atol : v.back(), nan)};
      },
      args, tolerance_key(rtol, tolerance_key(atol, o.equal_nan)))[0];
}

Array allclose(const Array& a, const Array& b, const Array& rtol, const Array& atol, const EqualNanOptions& o) {
  COTAN_API;
  Arrays args{a, b};
  const bool plain_r = is_plain(rtol), plain_a = is_plain(atol);
  if (!plain_r) args.push_back(rtol);
  if (!plain_a) args.push_back(atol);
  const auto close = [nan = o.equal_nan](const Arrays& v) {
    return Arrays{isclose_values(v[0], v[1], v[2], v[3], nan)};
  };
  return named_jit(
      "allclose",
      [&](const Arrays& v) {
        const Arrays inner{v[0], v[1], plain_r ? rtol : v[2], plain_a ? atol : v.back()};
        return Arrays{all(named_jit("isclose", close, inner, o.equal_nan)[0])};
      },
      args, tolerance_key(rtol, tolerance_key(atol, o.equal_nan)))[0];
}

Array array_equal(const Array& a, const Array& b, const EqualNanOptions& o) {
  COTAN_API;
  if (!(a.shape() == b.shape())) return ops::scalar_int(DType::bool_, 0);
  const Array same = equal(a, b);
  if (!o.equal_nan) return all(same);
  const Array no_a = isnan(a), no_b = isnan(b);
  return all(logical_or(same, logical_and(no_a, no_b)));
}

Array array_equiv(const Array& a, const Array& b) {
  COTAN_API;
  const Shape shapes[] = {a.shape(), b.shape()};
  try {
    broadcast_shapes("array_equiv", shapes);
  } catch (const ValueError&) { return ops::scalar_int(DType::bool_, 0); }
  return all(equal(a, b));
}

Array isposinf(const Array& x) {
  COTAN_API;
  return any_infinity("isposinf", x, INFINITY);
}
Array isneginf(const Array& x) {
  COTAN_API;
  return any_infinity("isneginf", x, -INFINITY);
}
Array iscomplex(const Array& x) {
  COTAN_API;
  return jitted("iscomplex", [](const Arrays& a) { return imaginary_against_zero(a[0], ops::ne); }, {x});
}
Array isreal(const Array& x) {
  COTAN_API;
  return jitted("isreal", [](const Arrays& a) { return imaginary_against_zero(a[0], ops::eq); }, {x});
}
bool iscomplexobj(const Array& x) { return is_complex(x.dtype()); }
bool isrealobj(const Array& x) { return !is_complex(x.dtype()); }
bool isscalar(const Array& x) { return x.ndim() == 0; }

namespace {
bool has_complex(const table::Value& x) {
  if (x.is_sequence()) return std::any_of(x.items().begin(), x.items().end(), has_complex);
  return x.get<std::complex<double>>() || (x.get<Array>() && iscomplexobj(*x.get<Array>()));
}
}  // namespace

const FunctionTable comparisons_table{
    "numpy",
    {
        function<isclose>("isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)",
                          "Whether |a - b| <= atol + rtol |b|; equal infinities are close."),
        function<allclose>("allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)",
                           "Whether all elements are close."),
        function<array_equal>("array_equal(a1, a2, equal_nan=False)", "Whether shapes and all elements are equal."),
        function<array_equiv>("array_equiv(a1, a2)",
                              "Whether all elements are equal once broadcast; false where they cannot be."),
        function<isposinf>("isposinf(x, /, out=None)", "Whether elements are +inf. ValueError for complex values."),
        function<isneginf>("isneginf(x, /, out=None)", "Whether elements are -inf. ValueError for complex values."),
        function<iscomplex>("iscomplex(x)", "Whether imaginary parts are not 0."),
        function<isreal>("isreal(x)", "Whether imaginary parts are 0."),
        function<[](const table::Value& x) { return has_complex(x); }>("iscomplexobj(x)",
                                                                       "Whether the dtype is complex."),
        function<[](const table::Value& x) { return !has_complex(x); }>("isrealobj(x)",
                                                                        "Whether the dtype is not complex."),
        function<[](const table::Value& x) {
          return !x.is_none() && !x.is_sequence() && (!x.get<Array>() || isscalar(*x.get<Array>())) &&
                 !x.get<DType>() && !x.is_dict();
        }>("isscalar(element)", "Whether it is a number, or an array of no dimension."),
    }};

}  // namespace cotan::numpy

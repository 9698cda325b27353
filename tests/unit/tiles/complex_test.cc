// Complex arithmetic. Division and the absolute value are compared with long double, within an error bound.
#include "unit/tiles/tile_check.h"

namespace cotan::tile_test {
namespace {

template <class Z> using Part = decltype(Z{}.re);

// Within `ulps` of |want|, or both NaN, or the same infinity.
template <class T> bool near(T got, T want, T magnitude, double ulps) {
  if (std::isnan(want) || std::isinf(want)) return same(got, want);
  if (std::isnan(got) || std::isinf(got))
    return std::isinf(got) &&
           std::fabs(want) > std::numeric_limits<T>::max() * (1 - 4 * std::numeric_limits<T>::epsilon());
  const long double unit =
      std::max<long double>(std::numeric_limits<T>::denorm_min(),
                            std::fabs(static_cast<long double>(magnitude)) * std::numeric_limits<T>::epsilon());
  return std::fabs(static_cast<long double>(got) - want) <= ulps * unit;
}
template <class Z> bool near_complex(Z got, Z want, double ulps) {
  using T = Part<Z>;
  const T m =
      std::max(std::isfinite(want.re) ? std::fabs(want.re) : T(0), std::isfinite(want.im) ? std::fabs(want.im) : T(0));
  return near<T>(got.re, want.re, m, ulps) && near<T>(got.im, want.im, m, ulps);
}

// C's Annex G over long double, whose range and precision spare the scaling for most operands.
template <class Z> Z quotient(Z x, Z y) {
  using T = Part<Z>;
  using L = long double;
  L a = x.re, b = x.im, c = y.re, d = y.im;
  const L scale = std::ldexp(
      L(1), -std::ilogb(std::max({std::fabs(c), std::fabs(d), L(0) + std::numeric_limits<L>::denorm_min()})));
  const bool scaled = std::isfinite(c) && std::isfinite(d) && (c != 0 || d != 0);
  const L sc = scaled ? c * scale : c, sd = scaled ? d * scale : d, norm = sc * sc + sd * sd,
          back = scaled ? scale : L(1);
  L re = (a * sc + b * sd) / norm * back, im = (b * sc - a * sd) / norm * back;
  if (std::isnan(re) && std::isnan(im)) {
    auto unit = [](L v) { return std::copysign(std::isinf(v) ? L(1) : L(0), v); };
    const L inf = std::numeric_limits<L>::infinity();
    if (c == 0 && d == 0 && (!std::isnan(a) || !std::isnan(b))) {
      re = std::copysign(inf, c) * a, im = std::copysign(inf, c) * b;
    } else if ((std::isinf(a) || std::isinf(b)) && std::isfinite(c) && std::isfinite(d)) {
      a = unit(a), b = unit(b);
      re = inf * (a * c + b * d), im = inf * (b * c - a * d);
    } else if ((std::isinf(c) || std::isinf(d)) && std::isfinite(a) && std::isfinite(b)) {
      c = unit(c), d = unit(d);
      re = L(0) * (a * c + b * d), im = L(0) * (b * c - a * d);
    }
  }
  return {static_cast<T>(re), static_cast<T>(im)};
}
template <class Z> Z product(Z x, Z y) {
  using T = Part<Z>;
  volatile T p = x.re * y.re, q = x.im * y.im, r = x.re * y.im, s = x.im * y.re;  // volatile: no fused form
  return {p - q, r + s};
}
template <class Z> Z lexicographic(Z x, Z y, bool greater) {
  const auto is_nan = [](Z z) { return std::isnan(z.re) || std::isnan(z.im); };
  if (is_nan(x) || is_nan(y)) return is_nan(x) ? x : y;
  const bool less = x.re < y.re || (x.re == y.re && x.im < y.im), more = x.re > y.re || (x.re == y.re && x.im > y.im);
  return (greater ? more : less) ? x : y;
}
template <class Z> Part<Z> modulus(Z x) {
  using T = Part<Z>;
  if (std::isinf(x.re) || std::isinf(x.im)) return std::numeric_limits<T>::infinity();
  return static_cast<T>(hypotl(x.re, x.im));
}

template <class Z> struct ComplexTiles : testing::Test {};
using Types = testing::Types<Complex<float>, Complex<double>>;
TYPED_TEST_SUITE(ComplexTiles, Types);

TYPED_TEST(ComplexTiles, Exact) {
  using Z = TypeParam;
  using T = Part<Z>;
  check<Z, Z>("add", 2, [](Z x, Z y) { return Z{x.re + y.re, x.im + y.im}; });
  check<Z, Z>("sub", 2, [](Z x, Z y) { return Z{x.re - y.re, x.im - y.im}; });
  check<Z, Z>("mul", 2, product<Z>);
  check<Z, Z>("max", 2, [](Z x, Z y) { return lexicographic(x, y, true); });
  check<Z, Z>("min", 2, [](Z x, Z y) { return lexicographic(x, y, false); });
  check<Z, Z>("neg", 1, [](Z x) { return Z{-x.re, -x.im}; });
  check<Z, Z>("conj", 1, [](Z x) { return Z{x.re, -x.im}; });
  check<Z, Z>("square", 1, [](Z x) { return product(x, x); });
  check<Z, Z>("clamp", 3, [](Z lo, Z x, Z hi) { return lexicographic(lexicographic(lo, x, true), hi, false); });
  check<T, Z>("real", 1, [](Z x) { return x.re; });
  check<T, Z>("imag", 1, [](Z x) { return x.im; });
  check<Z, T>("complex", 2, [](T x, T y) { return Z{x, y}; });
  check<Z, Z>(
      "integer_pow", 1, [](Z x) { return product(x, product(x, x)); }, 3);
  check<Z, Z>(
      "integer_pow", 1,
      [](Z) {
        return Z{1, 0};
      },
      0);
}
TYPED_TEST(ComplexTiles, Rounded) {
  using Z = TypeParam;
  using T = Part<Z>;
  std::function<bool(Z, Z)> close = [](Z x, Z y) { return near_complex(x, y, 3); };
  std::function<bool(T, T)> close_real = [](T x, T y) { return near<T>(x, y, y, 0.6); };
  check<Z, Z>("div", 2, quotient<Z>, 0, kernel::dtype_of<Z>, close);
  check<T, Z>("abs", 1, modulus<Z>, 0, kernel::dtype_of<Z>, close_real);
  check<Z, Z>(
      "sign", 1,
      [](Z x) -> Z {
        if (x.re == 0 && x.im == 0) return {0, 0};
        const long double m = std::isinf(x.re) || std::isinf(x.im) ? INFINITY : hypotl(x.re, x.im);
        return {static_cast<T>(x.re / m), static_cast<T>(x.im / m)};
      },
      0, kernel::dtype_of<Z>, close);
  check<Z, Z>(
      "integer_pow", 1,
      [](Z x) {
        return quotient(Z{1, 0}, product(x, x));
      },
      static_cast<std::uint32_t>(-2), kernel::dtype_of<Z>, close);
}

}  // namespace
}  // namespace cotan::tile_test

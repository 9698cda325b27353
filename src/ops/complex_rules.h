// Scalar rules of complex arithmetic on single elements. Included without guard; uses kernel::Complex<T> and std::fma.

template <class T> using C = kernel::Complex<T>;

template <class T> COTAN_RULE C<T> c_add(C<T> x, C<T> y) { return {x.re + y.re, x.im + y.im}; }
template <class T> COTAN_RULE C<T> c_sub(C<T> x, C<T> y) { return {x.re - y.re, x.im - y.im}; }
template <class T> COTAN_RULE C<T> c_mul(C<T> x, C<T> y) {
  using kernel::unfused;
  return {unfused(x.re * y.re) - unfused(x.im * y.im), unfused(x.re * y.im) + unfused(x.im * y.re)};
}
template <class T> COTAN_RULE C<T> c_neg(C<T> x) { return {-x.re, -x.im}; }
template <class T> COTAN_RULE C<T> c_conj(C<T> x) { return {x.re, -x.im}; }

// Lexicographic; a value with a NaN in either part wins, the first of two.
template <class T> COTAN_RULE bool c_less(C<T> x, C<T> y) { return x.re < y.re || (x.re == y.re && x.im < y.im); }
template <class T> COTAN_RULE bool c_is_nan(C<T> x) { return x.re != x.re || x.im != x.im; }
template <class T> COTAN_RULE C<T> c_max(C<T> x, C<T> y) {
  return c_is_nan(x) || (!c_is_nan(y) && c_less(y, x)) ? x : y;
}
template <class T> COTAN_RULE C<T> c_min(C<T> x, C<T> y) {
  return c_is_nan(x) || (!c_is_nan(y) && c_less(x, y)) ? x : y;
}

// The scale that brings x near 1: the exponent of x as a shift, for finite nonzero x; 0 otherwise.
COTAN_RULE int scale_of(double x) {
  if (!(x > 0 && x < __builtin_inf())) return 0;
  const int e = static_cast<int>(kernel::bit_copy<std::uint64_t>(x) >> 52);
  return e != 0 ? e - 1023 : static_cast<int>(kernel::bit_copy<std::uint64_t>(x * 0x1p54) >> 52) - 1023 - 54;
}
COTAN_RULE double power_of_two(int e) { return kernel::bit_copy<double>(static_cast<std::uint64_t>(e + 1023) << 52); }
COTAN_RULE double scale_by(double x, int e) {  // x 2^e, with the one rounding last
  if (e == 0) return x;
  const int half = e / 2;
  const int rest = e - half;
  if (rest > 1023) return x * power_of_two(1023) * power_of_two(e - 1023 > 1023 ? 1023 : e - 1023);
  if (rest < -1022) return x * power_of_two(-1022) * power_of_two(e + 1022 < -1022 ? -1022 : e + 1022);
  return e >= -1022 && e <= 1023 ? x * power_of_two(e) : x * power_of_two(half) * power_of_two(rest);
}

COTAN_RULE double scale_nonzero(double x, int e) {  // and what is not zero stays so: infinity times it is infinite
  const double y = scale_by(x, e);
  return y == 0 && x != 0 ? std::copysign(0x1p-1074, x) : y;
}

// sqrt(x^2 + y^2) without overflow; infinite where either part is, even beside a NaN.
COTAN_RULE float hypotenuse(float x, float y) {
  if (std::isinf(x) || std::isinf(y)) return __builtin_inff();
  const double a = x, b = y;
  return static_cast<float>(std::sqrt(a * a + b * b));
}
COTAN_RULE double hypotenuse(double x, double y) {
  x = std::fabs(x), y = std::fabs(y);
  if (std::isinf(x) || std::isinf(y)) return __builtin_inf();
  const double big = x < y ? y : x, small = x < y ? x : y;
  if (!(big > 0) || std::isnan(x) || std::isnan(y)) return x + y;
  const int e = big > 0x1p-400 && big < 0x1p400 ? 0 : scale_of(big);
  const double a = scale_by(big, -e), b = scale_by(small, -e);
  double h = std::sqrt(std::fma(a, a, b * b));
  // One Newton step on the residual h^2 - a^2 - b^2, which is computed with the errors of its squares.
  const double h2 = h * h, a2 = a * a;
  const double residual = std::fma(-b, b, h2 - a2) + std::fma(h, h, -h2) - std::fma(a, a, -a2);
  h -= residual / (2 * h);
  return scale_by(h, e);
}
template <class T> COTAN_RULE T c_abs(C<T> x) { return hypotenuse(x.re, x.im); }

template <class T> COTAN_RULE C<T> c_sign(C<T> x) {  // x / |x|, and 0 for 0
  if (x.re == 0 && x.im == 0) return {0, 0};
  if constexpr (sizeof(T) == 4) {
    const double a = x.re, b = x.im;
    const double h = std::isinf(x.re) || std::isinf(x.im) ? __builtin_inf() : std::sqrt(a * a + b * b);
    return {static_cast<float>(a / h), static_cast<float>(b / h)};
  } else {
    const double big = std::fabs(x.re) < std::fabs(x.im) ? std::fabs(x.im) : std::fabs(x.re);
    const int e = scale_of(big);  // so that |x| keeps its bits when x is tiny or huge
    const double a = scale_by(x.re, -e), b = scale_by(x.im, -e), h = hypotenuse(a, b);
    return {a / h, b / h};
  }
}

// a b + c d with one rounding's error, whatever cancels.
COTAN_RULE double sum_of_products(double a, double b, double c, double d) {
  const double w = c * d, error = std::isinf(w) ? 0.0 : std::fma(c, d, -w);
  return std::fma(a, b, w) + error;
}

template <class T> COTAN_RULE T unit_if_infinite(T x) { return std::copysign(std::isinf(x) ? T(1) : T(0), x); }

// What C's Annex G gives where the formula yields NaN + NaN i: division by zero and infinite operands.
template <class T> COTAN_RULE C<T> repair_quotient(T a, T b, T c, T d, C<T> q) {
  const T inf = std::numeric_limits<T>::infinity();
  if (c == 0 && d == 0 && (!std::isnan(a) || !std::isnan(b)))
    return {std::copysign(inf, c) * a, std::copysign(inf, c) * b};
  if ((std::isinf(a) || std::isinf(b)) && std::isfinite(c) && std::isfinite(d)) {
    a = unit_if_infinite(a), b = unit_if_infinite(b);
    return {inf * (a * c + b * d), inf * (b * c - a * d)};
  }
  if ((std::isinf(c) || std::isinf(d)) && std::isfinite(a) && std::isfinite(b)) {
    c = unit_if_infinite(c), d = unit_if_infinite(d);
    return {T(0) * (a * c + b * d), T(0) * (b * c - a * d)};
  }
  return q;
}

// In float64 for complex64, where nothing over- or underflows; complex128 is scaled by powers of two.
COTAN_RULE C<float> c_div(C<float> x, C<float> y) {
  const double a = x.re, b = x.im, c = y.re, d = y.im, norm = c * c + d * d;
  const C<float> q = {static_cast<float>((a * c + b * d) / norm), static_cast<float>((b * c - a * d) / norm)};
  return std::isnan(q.re) && std::isnan(q.im) ? repair_quotient(x.re, x.im, y.re, y.im, q) : q;
}
COTAN_RULE C<double> c_div(C<double> x, C<double> y) {
  const double big_x = std::fabs(x.re) < std::fabs(x.im) ? std::fabs(x.im) : std::fabs(x.re);
  const double big_y = std::fabs(y.re) < std::fabs(y.im) ? std::fabs(y.im) : std::fabs(y.re);
  // The divisor is brought near 1; the dividend only away from the ends, so that a small part beside a large one is kept.
  const bool moderate = big_x > 0x1p-400 && big_x < 0x1p400 && big_y > 0x1p-400 && big_y < 0x1p400;
  const int ex = big_x > 0x1p1000 ? 3 : big_x < 0x1p-800 ? -200 : 0, ey = moderate ? 0 : scale_of(big_y);
  const double a = scale_by(x.re, -ex), b = scale_by(x.im, -ex), c = scale_nonzero(y.re, -ey),
               d = scale_nonzero(y.im, -ey);
  const double norm = c * c + d * d;
  const C<double> q = {scale_by(sum_of_products(a, c, b, d) / norm, ex - ey),
                       scale_by(sum_of_products(b, c, -a, d) / norm, ex - ey)};
  return std::isnan(q.re) && std::isnan(q.im) ? repair_quotient(x.re, x.im, y.re, y.im, q) : q;
}

template <class T> COTAN_RULE C<T> c_integer_pow(C<T> x, std::uint32_t exponent) {
  const bool negative = exponent >> 31 != 0;
  std::uint32_t n = negative ? 0u - exponent : exponent;
  if (n == 0) return {1, 0};
  for (; (n & 1) == 0; n >>= 1) x = c_mul(x, x);
  C<T> y = x;
  while ((n >>= 1) != 0) {
    x = c_mul(x, x);
    if ((n & 1) != 0) y = c_mul(y, x);
  }
  return negative ? c_div(C<T>{1, 0}, y) : y;
}

// Scalar rules of integers on single elements. Included without guard; T and U are the signed or unsigned element types.
// Arithmetic wraps: it is done on unsigned values at least as wide as unsigned int, so that no promotion overflows.

template <class T> using wrap_t = std::conditional_t<(sizeof(T) > 4), std::uint64_t, std::uint32_t>;
template <class T> using signed_t = std::make_signed_t<T>;

template <class T> COTAN_RULE T int_add(T x, T y) { return static_cast<T>(wrap_t<T>(x) + wrap_t<T>(y)); }
template <class T> COTAN_RULE T int_sub(T x, T y) { return static_cast<T>(wrap_t<T>(x) - wrap_t<T>(y)); }
template <class T> COTAN_RULE T int_mul(T x, T y) { return static_cast<T>(wrap_t<T>(x) * wrap_t<T>(y)); }
template <class T> COTAN_RULE T int_neg(T x) { return static_cast<T>(wrap_t<T>(0) - wrap_t<T>(x)); }
template <class T> COTAN_RULE T int_abs(T x) { return x < 0 ? int_neg(x) : x; }
template <class T> COTAN_RULE T int_sign(T x) { return static_cast<T>((x > 0) - (x < 0)); }
template <class T> COTAN_RULE T int_max(T x, T y) { return x < y ? y : x; }
template <class T> COTAN_RULE T int_min(T x, T y) { return y < x ? y : x; }
template <class T> COTAN_RULE T int_wrap_index(T x, T n) { return x < 0 ? int_add(x, n) : x; }
template <class T> COTAN_RULE T int_clamp(T lo, T x, T hi) { return int_min(int_max(lo, x), hi); }

// By zero: all bits set, which is -1 or the largest value. The quotient of the smallest value by -1 wraps to itself.
template <class T> COTAN_RULE T int_div(T x, T y) {
  const bool negate = std::is_signed_v<T> && y == T(-1);
  const T safe = y == 0 || negate ? T(1) : y;
  const T q = static_cast<T>(x / safe);
  return y == 0 ? T(-1) : negate ? int_neg(x) : q;
}
// By zero: the dividend. By -1: zero. The sign is the dividend's.
template <class T> COTAN_RULE T int_rem(T x, T y) {
  const bool negate = std::is_signed_v<T> && y == T(-1);
  const T r = static_cast<T>(x % (y == 0 || negate ? T(1) : y));
  return y == 0 ? x : r;
}
// The exponent's bits from the low one up. Negative exponents do not exist for integers; they give what 1 / x^|n| rounds to.
template <class T> COTAN_RULE T int_pow(T x, std::uint32_t exponent) {
  const bool negative = exponent >> 31 != 0;
  std::uint32_t n = negative ? 0u - exponent : exponent;
  T y = 1;
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) y = int_mul(y, x);
    x = int_mul(x, x);
  }
  return negative ? int_div(T(1), y) : y;
}

// Not negative, but that of the smallest values and 0, which has no positive counterpart and is itself.
template <class T> COTAN_RULE T int_gcd(T x, T y) {
  wrap_t<T> a = x < 0 ? wrap_t<T>(0) - wrap_t<T>(x) : wrap_t<T>(x),
            b = y < 0 ? wrap_t<T>(0) - wrap_t<T>(y) : wrap_t<T>(y);
  while (b != 0) {
    const wrap_t<T> r = a % b;
    a = b, b = r;
  }
  return static_cast<T>(a);
}

// A shift by the width or more, or by a negative count, shifts every bit out. T is unsigned.
template <class T> COTAN_RULE T shift_left(T x, T n) {
  constexpr T width = 8 * sizeof(T);
  return n < width ? static_cast<T>(wrap_t<T>(x) << n) : T(0);
}
template <class T> COTAN_RULE T shift_right_logical(T x, T n) {
  constexpr T width = 8 * sizeof(T);
  return n < width ? static_cast<T>(x >> n) : T(0);
}
template <class T> COTAN_RULE T shift_right_arithmetic(T x, T n) {
  constexpr T most = 8 * sizeof(T) - 1;
  return static_cast<T>(static_cast<signed_t<T>>(x) >> (n < most ? n : most));
}

template <class T> COTAN_RULE T population_count(T x) { return static_cast<T>(__builtin_popcountll(x)); }
template <class T> COTAN_RULE T count_leading_zeros(T x) {
  return x == 0 ? static_cast<T>(8 * sizeof(T))
                : static_cast<T>(__builtin_clzll(x) - (64 - 8 * static_cast<int>(sizeof(T))));
}

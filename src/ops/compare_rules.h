// Scalar rules of comparison on single elements; results are 0 or 1. Included without guard.

template <class T> COTAN_RULE std::uint8_t equal(T x, T y) { return x == y; }
template <class T> COTAN_RULE std::uint8_t less(T x, T y) { return x < y; }
template <class T> COTAN_RULE std::uint8_t less_equal(T x, T y) { return x <= y; }

// The 16-bit floats by their bits: equal where the bits are, or where both are zero, and neither is a NaN.
template <class H> constexpr std::uint16_t infinity_bits = std::is_same_v<H, BFloat16> ? 0x7f80 : 0x7c00;
template <class H> COTAN_RULE bool half_is_nan(H x) { return (x.bits & 0x7fff) > infinity_bits<H>; }
// Sign and magnitude as an integer whose order is that of the values, with both zeros at 0.
template <class H> COTAN_RULE std::int16_t half_order(H x) {
  const auto magnitude = static_cast<std::int16_t>(x.bits & 0x7fff);
  return static_cast<std::int16_t>((x.bits & 0x8000) != 0 ? -magnitude : magnitude);
}
#define COTAN_COMPARE_HALF(Half)                                                 \
  COTAN_RULE std::uint8_t equal(Half x, Half y) {                                \
    return !half_is_nan(x) & !half_is_nan(y) & (half_order(x) == half_order(y)); \
  }                                                                              \
  COTAN_RULE std::uint8_t less(Half x, Half y) {                                 \
    return !half_is_nan(x) & !half_is_nan(y) & (half_order(x) < half_order(y));  \
  }                                                                              \
  COTAN_RULE std::uint8_t less_equal(Half x, Half y) {                           \
    return !half_is_nan(x) & !half_is_nan(y) & (half_order(x) <= half_order(y)); \
  }
COTAN_COMPARE_HALF(BFloat16)
COTAN_COMPARE_HALF(Float16)
#undef COTAN_COMPARE_HALF

template <class T> COTAN_RULE std::uint8_t equal(kernel::Complex<T> x, kernel::Complex<T> y) {
  return (x.re == y.re) & (x.im == y.im);
}

// The bits of a float as an integer in the total order: -NaN, -inf, ..., -0, +0, ..., inf, NaN.
template <class U> COTAN_RULE std::make_signed_t<U> ordered(U x) {
  using S = std::make_signed_t<U>;
  constexpr U magnitude = static_cast<U>(U(-1) >> 1);
  return static_cast<S>(static_cast<S>(x) < 0 ? x ^ magnitude : x);
}

COTAN_RULE std::uint8_t finite(float x) { return __builtin_fabsf(x) < __builtin_inff(); }
COTAN_RULE std::uint8_t finite(double x) { return __builtin_fabs(x) < __builtin_inf(); }
template <class H> COTAN_RULE std::uint8_t finite(H x) { return (x.bits & 0x7fff) < infinity_bits<H>; }

// Scalar rules on the bits of floats and on double-width products. Included without guard; U is an unsigned element type, F has
// the floats' layout: mantissa_bits, and so many bits of exponent that the sign is left.

template <class F>
inline constexpr
    typename F::U sign_bit = static_cast<typename F::U>(typename F::U(1) << (8 * sizeof(typename F::U) - 1));
template <class F>
inline constexpr
    typename F::U infinity_bits = static_cast<typename F::U>(sign_bit<F> - (typename F::U(1) << F::mantissa_bits));

template <class F> COTAN_RULE typename F::U next_after(typename F::U x, typename F::U y) {
  using U = typename F::U;
  constexpr U sign = sign_bit<F>, quiet = static_cast<U>(U(1) << (F::mantissa_bits - 1));
  const U ax = static_cast<U>(x & static_cast<U>(~sign)), ay = static_cast<U>(y & static_cast<U>(~sign));
  if (ax > infinity_bits<F>) return static_cast<U>(x | quiet);
  if (ay > infinity_bits<F>) return static_cast<U>(y | quiet);
  if (x == y || (ax == 0 && ay == 0)) return y;
  if (ax == 0) return static_cast<U>((y & sign) | 1);
  const bool away = ((x ^ y) & sign) == 0 && ax < ay;  // from zero
  return static_cast<U>(away ? x + 1 : x - 1);
}

template <class F> COTAN_RULE typename F::U fewer_bits(typename F::U x, std::uint32_t bits) {
  using U = typename F::U;
  constexpr int exponent_width = static_cast<int>(8 * sizeof(U)) - 1 - F::mantissa_bits;
  const int exponent_bits = static_cast<int>(bits >> 8), mantissa_bits = static_cast<int>(bits & 255);
  const U sign = static_cast<U>(x & sign_bit<F>), infinity = infinity_bits<F>;
  U a = static_cast<U>(x ^ sign);
  if (a > infinity) return x;
  if (mantissa_bits < F::mantissa_bits) {
    const int cut = F::mantissa_bits - mantissa_bits;
    const U last = static_cast<U>(a >> cut & 1), half = static_cast<U>((U(1) << (cut - 1)) - 1);
    a = static_cast<U>((a + half + last) >> cut << cut);
  }
  if (exponent_bits < exponent_width) {
    const int bias = (1 << (exponent_width - 1)) - 1, reduced = (1 << (exponent_bits - 1)) - 1;
    const int exponent = static_cast<int>(a >> F::mantissa_bits);
    a = exponent > bias + reduced ? infinity : exponent <= bias - reduced ? U(0) : a;
  }
  return static_cast<U>(sign | a);
}

__extension__ typedef __int128 SignedDouble;
__extension__ typedef unsigned __int128 UnsignedDouble;

template <class T> COTAN_RULE T multiply_high(T x, T y) {
  constexpr bool is_signed = std::is_signed_v<T>;
  if constexpr (sizeof(T) == 8) {
    using Double = std::conditional_t<is_signed, SignedDouble, UnsignedDouble>;
    return static_cast<T>((static_cast<Double>(x) * static_cast<Double>(y)) >> 64);
  } else {
    using Double = std::conditional_t<is_signed, std::int64_t, std::uint64_t>;
    return static_cast<T>((static_cast<Double>(x) * static_cast<Double>(y)) >> (8 * sizeof(T)));
  }
}

// Scalar rules of conversion between element types. Included without guard, inside a namespace of its own.
// Integers wrap; floats saturate to integers, with NaN to 0; complex numbers lose their imaginary part, except to bool; every result is
// rounded once.
using kernel::Bool;
using kernel::Complex;

template <class T> constexpr bool is_half = std::is_same_v<T, BFloat16> || std::is_same_v<T, Float16>;
template <class T> struct complex_part { using type = void; };
template <class T> struct complex_part<Complex<T>> { using type = T; };
template <class T> constexpr bool is_complex_v = !std::is_void_v<typename complex_part<T>::type>;

// The value clamped to those whose truncation fits I. `beyond` is 2^digits, the first float that does not fit.
template <class I, class F> COTAN_RULE I float_to_int(F x) {
  constexpr F beyond = static_cast<F>(I(1) << (std::numeric_limits<I>::digits - 1)) * 2;
  constexpr F lowest = std::is_signed_v<I> ? -beyond : F(0);
  constexpr bool fits =
      std::numeric_limits<I>::digits <= std::numeric_limits<F>::digits;  // the largest I is a value of F
  x = x == x ? x : F(0);
  x = x < lowest ? lowest : x;
  if constexpr (fits) {
    constexpr F most = static_cast<F>(std::numeric_limits<I>::max());
    x = x > most ? most : x;
    if constexpr (sizeof(I) < 4) return static_cast<I>(static_cast<std::int32_t>(x));  // what the vector units have
    else return static_cast<I>(x);
  } else {
    const I inside = static_cast<I>(x < beyond ? x : F(0));
    return x < beyond ? inside : std::numeric_limits<I>::max();
  }
}

// Bits below the 53 that a double keeps are gathered into an odd last one: a second rounding then rounds as one would.
template <class I> COTAN_RULE double int_to_double_odd(I x) {
  if constexpr (sizeof(I) < 8) {
    return static_cast<double>(x);
  } else {
    constexpr std::uint64_t low = 0x7ff;
    const auto u = static_cast<std::uint64_t>(x);
    const auto gathered = static_cast<I>((u & ~low) | ((u & low) != 0 ? low + 1 : 0));
    const bool large = x >= I(1) << 53 || (std::is_signed_v<I> && x <= I(0) - (I(1) << 53));
    return static_cast<double>(large ? gathered : x);
  }
}

template <class H, class From> COTAN_RULE H to_half(From x) {
  H h;
  if constexpr (std::is_same_v<From, float>) {
    kernel::float_to_half(x, &h);
  } else if constexpr (std::is_same_v<From, double>) {
    kernel::float_to_half(kernel::double_to_float_odd(x), &h);
  } else if constexpr (sizeof(From) < 4) {
    kernel::float_to_half(static_cast<float>(x), &h);  // exact
  } else {
    kernel::float_to_half(kernel::double_to_float_odd(int_to_double_odd(x)), &h);
  }
  return h;
}

template <class To, class From> COTAN_RULE To convert(From x) {
  if constexpr (std::is_same_v<From, To>) {
    return x;
  } else if constexpr (std::is_same_v<From, Bool>) {
    return convert<To>(x.value);
  } else if constexpr (is_half<From>) {
    return convert<To>(kernel::half_to_float(x));
  } else if constexpr (is_complex_v<To>) {
    using T = typename complex_part<To>::type;
    if constexpr (is_complex_v<From>) return {static_cast<T>(x.re), static_cast<T>(x.im)};
    else return {convert<T>(x), T(0)};
  } else if constexpr (is_complex_v<From> && std::is_same_v<To, Bool>) {
    return Bool{static_cast<std::uint8_t>(x.re != 0 || x.im != 0)};
  } else if constexpr (is_complex_v<From>) {
    return convert<To>(x.re);
  } else if constexpr (std::is_same_v<To, Bool>) {
    return Bool{static_cast<std::uint8_t>(x != 0)};
  } else if constexpr (is_half<To>) {
    return to_half<To>(x);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return float_to_int<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

// C++ numbers as elements of arrays.
#pragma once
#include <type_traits>

#include "cotan/dtype.h"

namespace cotan {

struct none_t {
  friend constexpr bool operator==(none_t, none_t) = default;
};
inline constexpr none_t none{};

// Numbers become Arrays where one is expected. The exact type is asked for: a pointer is not a bool here, a char no number.
template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, char> && !std::is_same_v<T, wchar_t> &&
                 !std::is_same_v<T, char8_t> && !std::is_same_v<T, char16_t> && !std::is_same_v<T, char32_t>;
template <class T>
concept ComplexNumber = requires(const T& t) {
  typename T::value_type;
  t.real();
  t.imag();
  requires std::is_floating_point_v<typename T::value_type>;
};

// The dtype whose elements are stored as T; only these types can be read by item and span.
template <class T> struct DTypeOf;
template <> struct DTypeOf<bool> { static constexpr DType value = DType::bool_; };
template <Number T> struct DTypeOf<T> {
  static constexpr DType value = std::is_same_v<T, float>    ? DType::float32
                                 : std::is_same_v<T, double> ? DType::float64
                                 : std::is_signed_v<T>       ? (sizeof(T) == 1   ? DType::int8
                                                                : sizeof(T) == 2 ? DType::int16
                                                                : sizeof(T) == 4 ? DType::int32
                                                                                 : DType::int64)
                                                             : (sizeof(T) == 1   ? DType::uint8
                                                                : sizeof(T) == 2 ? DType::uint16
                                                                : sizeof(T) == 4 ? DType::uint32
                                                                                 : DType::uint64);
};
template <ComplexNumber T> struct DTypeOf<T> {
  static constexpr DType value = sizeof(T) == 8 ? DType::complex64 : DType::complex128;
};

}  // namespace cotan

// Element types of arrays, and the properties that the rest of the system asks of them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iosfwd>

namespace cotan {

// The order within a kind is by width. PRNG keys are element types of their own: one element is a whole key, whose bits
// are the uint32 words that `random::key_data` shows. float0 is the type of tangents of integer and bool values; it has
// no bits. Sub-byte integers and 8-bit floats are to be added inside their kinds.
enum class DType : std::uint8_t {
  bool_,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  bfloat16,
  float16,
  float32,
  float64,
  complex64,
  complex128,
  float0,
  key_fry,
  key_rbg,
  key_unsafe_rbg,
};
inline constexpr int dtype_count = 19;

inline constexpr DType bool_ = DType::bool_;
inline constexpr DType int8 = DType::int8, int16 = DType::int16, int32 = DType::int32, int64 = DType::int64;
inline constexpr DType uint8 = DType::uint8, uint16 = DType::uint16, uint32 = DType::uint32, uint64 = DType::uint64;
inline constexpr DType bfloat16 = DType::bfloat16, float16 = DType::float16, float32 = DType::float32,
                       float64 = DType::float64;
inline constexpr DType complex64 = DType::complex64, complex128 = DType::complex128;
inline constexpr DType float0 = DType::float0;

constexpr bool is_signed_integer(DType d) { return d >= DType::int8 && d <= DType::int64; }
constexpr bool is_unsigned_integer(DType d) { return d >= DType::uint8 && d <= DType::uint64; }
constexpr bool is_integer(DType d) { return d >= DType::int8 && d <= DType::uint64; }  // bool is not one
constexpr bool is_floating(DType d) { return d >= DType::bfloat16 && d <= DType::float64; }
constexpr bool is_complex(DType d) { return d == DType::complex64 || d == DType::complex128; }
constexpr bool is_inexact(DType d) { return d >= DType::bfloat16 && d <= DType::complex128; }
constexpr bool is_key(DType d) { return d >= DType::key_fry && d <= DType::key_unsafe_rbg; }

namespace detail {
inline constexpr std::uint8_t item_size_table[dtype_count] = {1, 1, 2, 4, 8,  1, 2, 4,  8, 2,
                                                              2, 4, 8, 8, 16, 0, 8, 16, 16};
}
// Bytes of one element: 0 for float0; 8 or 16 for keys (two or four uint32 words).
constexpr std::size_t item_size(DType d) { return detail::item_size_table[static_cast<int>(d)]; }

const char* dtype_name(DType);  // "float32", "key<fry>": as JAX spells it
std::ostream& operator<<(std::ostream&, DType);
const char* dtype_short_name(DType);                                     // "f32", "key<fry>": as a jaxpr spells it
bool dtype_from_name(const char* name, std::size_t length, DType* out);  // either spelling; false: no such type

constexpr DType real_dtype(DType d) {  // of complex64: float32; of a real type: itself
  return d == DType::complex64 ? DType::float32 : d == DType::complex128 ? DType::float64 : d;
}
constexpr DType complex_dtype(DType d) {
  return d == DType::float64 || d == DType::complex128 ? DType::complex128 : DType::complex64;
}

// What a derivative with respect to a value of type d is made of: itself for floating and complex types, float0 for the rest.
constexpr DType tangent_dtype(DType d) { return is_inexact(d) ? d : DType::float0; }

}  // namespace cotan

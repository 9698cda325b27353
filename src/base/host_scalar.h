// One element of any dtype, on the host: the value of a literal.
#pragma once
#include <complex>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "cotan/dtype.h"

namespace cotan {

struct HostScalar {
  DType dtype = DType::float32;
  alignas(8) unsigned char bytes[16] = {};  // those past item_size(dtype) are zero

  HostScalar() = default;  // float32 zero
  // bool, int64, uint64, float64 or complex128: the type that holds the value exactly.
  explicit HostScalar(std::same_as<bool> auto v) : dtype(DType::bool_) { put(v); }
  template <std::integral T>
  requires(!std::same_as<T, bool>) explicit HostScalar(T v)
      : dtype(std::unsigned_integral<T> ? DType::uint64 : DType::int64) {
    put(static_cast<std::conditional_t<std::unsigned_integral<T>, std::uint64_t, std::int64_t>>(v));
  }
  explicit HostScalar(std::floating_point auto v) : dtype(DType::float64) { put(static_cast<double>(v)); }
  explicit HostScalar(std::complex<double> v) : dtype(DType::complex128) { put(v); }
  // The value converted to d, as by `convert`.
  template <class T> HostScalar(T v, DType d) : HostScalar(HostScalar(v).convert(d)) {}

  // The element of type d that starts at p.
  static HostScalar load(DType d, const void* p);
  void store(void* p) const;  // writes item_size(dtype) bytes

  // The bytes as a T, which must be the C++ type of the dtype.
  template <class T> T value() const {
    T v;
    __builtin_memcpy(&v, bytes, sizeof v);
    return v;
  }
  double as_double() const;       // the real part of a complex value
  std::int64_t as_int64() const;  // as convert(int64)
  std::complex<double> as_complex() const;
  bool is_zero() const;  // 0, -0, false; never a key; always float0
  bool is_nan() const;

  // As lax.convert_element_type: integers wrap; floating to integer truncates and saturates, NaN to 0; complex to real or bool
  // drops the imaginary part; to bool is x != 0; every type is rounded to once, from the exact value. All to float0 is its one
  // value, which is 0 to the others. Throws TypeError where a key is converted to another type.
  HostScalar convert(DType) const;

  // The shortest decimal text that reads back as the same value of this type, in Python's form: "2.0", "1e-05", "inf", "True",
  // "(1+2j)".
  std::string str() const;
  // The text of the value as a Python number, which is how jaxprs show literals: 9.999999747378752e-06 for 1e-05 in float32.
  std::string item_str() const;
  // As str, and keeps the sign and the payload of NaN: "nan(0xffc00001)"; keys as "0x0000000100000002".
  std::string exact_str() const;
  // Reads either text. Throws ValueError where the text is no value of the type, or is out of an integer type's range.
  static HostScalar parse(std::string_view text, DType);

  // The same type and the same bits.
  friend bool operator==(const HostScalar&, const HostScalar&) = default;

 private:
  template <class T> void put(const T& v) { __builtin_memcpy(bytes, &v, sizeof v); }
};

}  // namespace cotan

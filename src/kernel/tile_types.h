// The C++ types that stand for elements in tile loops. Bool is a byte of its own type, so that it does not mix with uint8.
#pragma once
#include "base/float16.h"
#include "cotan/dtype.h"

namespace cotan::kernel {

struct Bool {
  std::uint8_t value;  // 0 or 1
};
template <class T> struct Complex { T re, im; };
using Complex64 = Complex<float>;
using Complex128 = Complex<double>;

// Hides a product from the vectoriser: GCC 12 makes vfmaddsub out of the pair a*b - c*d, a*d + c*b of a complex product, whatever
// -ffp-contract says.
template <class T> inline __attribute__((always_inline)) T unfused(T product) {
#if defined(__x86_64__)
  asm("" : "+x"(product));
#else
  asm("" : "+w"(product));
#endif
  return product;
}

// clang-format off
template <class T> inline constexpr DType dtype_of = DType::float0;
template <> inline constexpr DType dtype_of<Bool> = DType::bool_;
template <> inline constexpr DType dtype_of<std::int8_t> = DType::int8;
template <> inline constexpr DType dtype_of<std::int16_t> = DType::int16;
template <> inline constexpr DType dtype_of<std::int32_t> = DType::int32;
template <> inline constexpr DType dtype_of<std::int64_t> = DType::int64;
template <> inline constexpr DType dtype_of<std::uint8_t> = DType::uint8;
template <> inline constexpr DType dtype_of<std::uint16_t> = DType::uint16;
template <> inline constexpr DType dtype_of<std::uint32_t> = DType::uint32;
template <> inline constexpr DType dtype_of<std::uint64_t> = DType::uint64;
template <> inline constexpr DType dtype_of<BFloat16> = DType::bfloat16;
template <> inline constexpr DType dtype_of<Float16> = DType::float16;
template <> inline constexpr DType dtype_of<float> = DType::float32;
template <> inline constexpr DType dtype_of<double> = DType::float64;
template <> inline constexpr DType dtype_of<Complex64> = DType::complex64;
template <> inline constexpr DType dtype_of<Complex128> = DType::complex128;
// clang-format on

}  // namespace cotan::kernel

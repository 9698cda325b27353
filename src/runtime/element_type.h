// Calls a generic function with an element of the C++ type that stands for a dtype.
#pragma once
#include "kernel/tile_types.h"

namespace cotan::runtime {

template <class F> void with_element_type(DType d, F f) {
  switch (d) {
    case DType::bool_: return f(kernel::Bool{});
    case DType::int8: return f(std::int8_t{});
    case DType::int16: return f(std::int16_t{});
    case DType::int32: return f(std::int32_t{});
    case DType::int64: return f(std::int64_t{});
    case DType::uint8: return f(std::uint8_t{});
    case DType::uint16: return f(std::uint16_t{});
    case DType::uint32: return f(std::uint32_t{});
    case DType::uint64: return f(std::uint64_t{});
    case DType::bfloat16: return f(BFloat16{});
    case DType::float16: return f(Float16{});
    case DType::float32: return f(float{});
    case DType::float64: return f(double{});
    case DType::complex64: return f(kernel::Complex64{});
    case DType::complex128: return f(kernel::Complex128{});
    default: return;
  }
}

}  // namespace cotan::runtime

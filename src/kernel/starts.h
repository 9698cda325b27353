// The part of an offset that is known at run time only.
#pragma once
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "kernel/program.h"

namespace cotan::kernel {

// The integer at p, plus `wrap` where it is below 0, clamped to [0, limit]. An unsigned number beyond int64 is beyond any array.
inline std::int64_t clamped_start(DType d, const void* p, std::int64_t limit, std::int64_t wrap) {
  const auto clamp = [&](auto value) -> std::int64_t {
    std::memcpy(&value, p, sizeof value);
    if constexpr (std::is_unsigned_v<decltype(value)>)
      return static_cast<std::int64_t>(std::min<std::uint64_t>(value, static_cast<std::uint64_t>(limit)));
    else return std::clamp<std::int64_t>(value < 0 ? value + wrap : value, 0, limit);
  };
  switch (d) {
    case DType::int8: return clamp(std::int8_t{});
    case DType::int16: return clamp(std::int16_t{});
    case DType::int32: return clamp(std::int32_t{});
    case DType::uint8: return clamp(std::uint8_t{});
    case DType::uint16: return clamp(std::uint16_t{});
    case DType::uint32: return clamp(std::uint32_t{});
    case DType::uint64: return clamp(std::uint64_t{});
    default: return clamp(std::int64_t{});
  }
}

inline std::int64_t started(const Starts& starts, void* const* buffers) {
  std::int64_t n = 0;
  for (const Start& t : starts) n += clamped_start(t.dtype, buffers[t.buffer], t.limit, t.wrap) * t.stride;
  return n;
}

}  // namespace cotan::kernel

// Windows of an array at index vectors known at run time.
#include <cstring>
#include <type_traits>

#include "runtime/indexed.h"
#include "runtime/library.h"

namespace cotan::runtime {

namespace {

template <class I>
void offsets_as(const IndexedParams& p, const I* indices, std::int64_t index_stride, std::int64_t base,
                std::int64_t base_stride, std::int64_t n, std::int64_t* offsets) {
  for (std::int64_t m = 0; m < n; ++m) offsets[m] = base + m * base_stride;
  for (int k = 0; k < p.component_stride.length(); ++k) {
    const std::int64_t stride = p.component_stride[k], limit = p.component_limit[k];
    const I* at = indices + k;
    for (std::int64_t m = 0; m < n; ++m, at += index_stride) {
      const I i = *at;
      // As unsigned, what is below 0 is above every limit.
      const bool fits = static_cast<std::uint64_t>(static_cast<std::int64_t>(i)) <= static_cast<std::uint64_t>(limit);
      bool below = false;
      if constexpr (std::is_signed_v<I>) below = i < 0;
      const std::int64_t clamped = fits ? static_cast<std::int64_t>(i) : below ? 0 : limit;
      if (p.clamps || fits) offsets[m] += offsets[m] == outside ? 0 : clamped * stride;
      else offsets[m] = outside;
    }
  }
}

struct Words {
  std::uint64_t low, high;
};

template <class T> struct Read {
  T value;
  void operator()(const T& a, T& b) const { b = a; }
  void fill(T& b) const { b = value; }
  void row(const T* a, T* b, std::int64_t n) const { std::memcpy(b, a, static_cast<std::size_t>(n) * sizeof(T)); }
};

template <class T>
void gather_as(const IndexedParams& p, DType index, const void* indices, const void* array, void* out) {
  Read<T> op;
  std::memcpy(&op.value, p.fill, sizeof(T));
  each_window(p, op, index, indices, static_cast<T*>(const_cast<void*>(array)), static_cast<T*>(out));
}

}  // namespace

void window_offsets(const IndexedParams& p, DType index, const void* indices, std::int64_t index_stride,
                    std::int64_t base, std::int64_t base_stride, std::int64_t n, std::int64_t* offsets) {
  const auto as = [&](auto type) {
    offsets_as(p, static_cast<const decltype(type)*>(indices), index_stride, base, base_stride, n, offsets);
  };
  switch (index) {
    case DType::int8: return as(std::int8_t{});
    case DType::int16: return as(std::int16_t{});
    case DType::int32: return as(std::int32_t{});
    case DType::uint8: return as(std::uint8_t{});
    case DType::uint16: return as(std::uint16_t{});
    case DType::uint32: return as(std::uint32_t{});
    case DType::uint64: return as(std::uint64_t{});
    default: return as(std::int64_t{});
  }
}

void gather(const IndexedParams& p, DType d, DType index, const void* array, const void* indices, void* out) {
  switch (item_size(d)) {
    case 1: return gather_as<std::uint8_t>(p, index, indices, array, out);
    case 2: return gather_as<std::uint16_t>(p, index, indices, array, out);
    case 4: return gather_as<std::uint32_t>(p, index, indices, array, out);
    case 8: return gather_as<std::uint64_t>(p, index, indices, array, out);
    default: return gather_as<Words>(p, index, indices, array, out);
  }
}

}  // namespace cotan::runtime

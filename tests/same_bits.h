// Equality of arrays to the bit.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/primitive.h"

namespace cotan {

namespace detail {
// Whether the number, of a float type of so many bytes and bits of fraction, is NaN.
inline bool is_nan(const std::byte* number, std::size_t bytes, int fraction) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, number, bytes);
  const std::uint64_t without_sign = bits & ((std::uint64_t{1} << (8 * bytes - 1)) - 1),
                      infinity = (std::uint64_t{1} << (8 * bytes - 1)) - (std::uint64_t{1} << fraction);
  return without_sign > infinity;
}
}  // namespace detail

// And the same avals. One NaN is like another: which of two operands' an operation gives, the order decides in which the compiler has
// them.
inline bool same_bits(const Array& a, const Array& b) {
  if (!(a.aval() == b.aval())) return false;
  const std::size_t n = static_cast<std::size_t>(a.size()) * item_size(a.dtype());
  if (n == 0 || std::memcmp(bytes_of(a), bytes_of(b), n) == 0) return true;
  const DType d = a.dtype();
  if (!is_inexact(d)) return false;
  const std::size_t size = item_size(d) / (is_complex(d) ? 2 : 1);
  const int fraction = size == 8 ? 52 : size == 4 ? 23 : d == DType::float16 ? 10 : 7;
  const auto *x = static_cast<const std::byte*>(bytes_of(a)), *y = static_cast<const std::byte*>(bytes_of(b));
  for (std::size_t i = 0; i < n; i += size)
    if (std::memcmp(x + i, y + i, size) != 0 &&
        !(detail::is_nan(x + i, size, fraction) && detail::is_nan(y + i, size, fraction)))
      return false;
  return true;
}

}  // namespace cotan

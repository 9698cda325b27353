// A 64-bit hash of what is added, one word after the other; the same in every process.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cotan {

class Hasher {
 public:
  constexpr Hasher() = default;
  constexpr explicit Hasher(std::uint64_t seed) { add(seed); }

  constexpr void add(std::uint64_t word) { state_ = fold(state_ ^ word, 0xd6e8feb86659fd93u) + 0x9e3779b97f4a7c15u; }

  // The length is part of the hash, so that neighbouring byte strings do not run together.
  void add_bytes(const void* bytes, std::size_t length) {
    const auto* p = static_cast<const unsigned char*>(bytes);
    add(length);
    for (; length >= 8; p += 8, length -= 8) add(load(p, 8));
    if (length) add(load(p, length));
  }

  constexpr std::uint64_t value() const {
    std::uint64_t h = fold(state_ ^ state_ >> 32, 0xa0761d6478bd642fu);
    h = (h ^ h >> 29) * 0xe7037ed1a0b428dbu;
    return h ^ h >> 32;
  }

 private:
  static constexpr std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide p = Wide{a} * b;
    return static_cast<std::uint64_t>(p) ^ static_cast<std::uint64_t>(p >> 64);
  }
  static std::uint64_t load(const unsigned char* p, std::size_t n) {
    std::uint64_t w = 0;
    std::memcpy(&w, p, n);
    return w;
  }
  std::uint64_t state_ = 0x243f6a8885a308d3u;
};

}  // namespace cotan

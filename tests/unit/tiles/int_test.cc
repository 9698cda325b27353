// Integer arithmetic and bit operations, against arithmetic in 128 bits or bit by bit.
#include "unit/tiles/tile_check.h"

namespace cotan::tile_test {
namespace {

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

template <class T> T wrap(Wide x) { return static_cast<T>(static_cast<std::uint64_t>(x)); }
template <class T> T quotient(T x, T y) {
  if (y == 0) return static_cast<T>(-1);
  return wrap<T>(Wide{x} / y);
}
template <class T> T remainder(T x, T y) { return y == 0 ? x : wrap<T>(Wide{x} % y); }
template <class T> T power(T x, std::uint32_t n) {
  T y = 1;
  for (std::uint32_t i = 0; i < n; ++i)
    y = wrap<T>(static_cast<Wide>(static_cast<UnsignedWide>(Wide{y}) * static_cast<UnsignedWide>(Wide{x})));
  return y;
}
template <class T> T shifted(T x, T count, int direction, bool arithmetic) {  // bit by bit
  constexpr int width = 8 * sizeof(T);
  using U = std::make_unsigned_t<T>;
  const U n = static_cast<U>(count), bits = static_cast<U>(x);
  const bool sign = (bits >> (width - 1) & 1) != 0;
  U y = 0;
  for (int i = 0; i < width; ++i) {
    const Wide from = Wide{i} + (direction > 0 ? -Wide{n} : Wide{n});
    const bool bit = from < 0        ? false
                     : from >= width ? (arithmetic && sign)
                                     : (bits >> static_cast<int>(from) & 1) != 0;
    y = static_cast<U>(y | (U{bit} << i));
  }
  return static_cast<T>(y);
}

// Modulo 2^128, which keeps the bits that T holds.
template <class T> Wide product(T x, T y) {
  return static_cast<Wide>(static_cast<UnsignedWide>(Wide{x}) * static_cast<UnsignedWide>(Wide{y}));
}

template <class T> struct IntTiles : testing::Test {};
using Ints = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                            std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(IntTiles, Ints);

TYPED_TEST(IntTiles, Arithmetic) {
  using T = TypeParam;
  check<T, T>("add", 2, [](T x, T y) { return wrap<T>(Wide{x} + y); });
  check<T, T>("sub", 2, [](T x, T y) { return wrap<T>(Wide{x} - y); });
  check<T, T>("mul", 2, [](T x, T y) { return wrap<T>(product(x, y)); });
  check<T, T>("div", 2, quotient<T>);
  check<T, T>("rem", 2, remainder<T>);
  check<T, T>("max", 2, [](T x, T y) { return std::max(x, y); });
  check<T, T>("min", 2, [](T x, T y) { return std::min(x, y); });
  check<T, T>("neg", 1, [](T x) { return wrap<T>(-Wide{x}); });
  check<T, T>("square", 1, [](T x) { return wrap<T>(product(x, x)); });
  check<T, T>("sign", 1, [](T x) { return static_cast<T>(x > 0 ? 1 : x < 0 ? -1 : 0); });
  if constexpr (std::is_signed_v<T>) {
    check<T, T>("abs", 1, [](T x) { return wrap<T>(x < 0 ? -Wide{x} : Wide{x}); });
    check<T, T>("wrap_index", 2, [](T x, T n) { return wrap<T>(x < 0 ? Wide{x} + n : Wide{x}); });
  }
  check<T, T>("clamp", 3, [](T lo, T x, T hi) { return std::min(std::max(lo, x), hi); });
  for (std::uint32_t n : {0u, 1u, 2u, 3u, 6u, 31u})
    check<T, T>(
        "integer_pow", 1, [n](T x) { return power(x, n); }, n);
}
TYPED_TEST(IntTiles, Bits) {
  using T = TypeParam;
  check<T, T>("and", 2, [](T x, T y) { return static_cast<T>(x & y); });
  check<T, T>("or", 2, [](T x, T y) { return static_cast<T>(x | y); });
  check<T, T>("xor", 2, [](T x, T y) { return static_cast<T>(x ^ y); });
  check<T, T>("not", 1, [](T x) { return static_cast<T>(~x); });
  check<T, T>("shift_left", 2, [](T x, T n) { return shifted(x, n, 1, false); });
  check<T, T>("shift_right_logical", 2, [](T x, T n) { return shifted(x, n, -1, false); });
  check<T, T>("shift_right_arithmetic", 2, [](T x, T n) { return shifted(x, n, -1, true); });
  auto bit = [](T x, int i) { return static_cast<int>(static_cast<std::uint64_t>(x) >> i & 1); };
  constexpr int width = 8 * sizeof(T);
  check<T, T>("population_count", 1, [bit](T x) {
    int sum = 0;
    for (int i = 0; i < width; ++i) sum += bit(x, i);
    return static_cast<T>(sum);
  });
  check<T, T>("clz", 1, [bit](T x) {
    int zeros = 0;
    while (zeros < width && bit(x, width - 1 - zeros) == 0) ++zeros;
    return static_cast<T>(zeros);
  });
}
TEST(BoolTiles, All) {
  auto two = [](auto f) {
    return [f](Bool x, Bool y) { return Bool{static_cast<std::uint8_t>(f(x.value != 0, y.value != 0))}; };
  };
  check<Bool, Bool>("and", 2, two([](bool x, bool y) { return x && y; }));
  check<Bool, Bool>("or", 2, two([](bool x, bool y) { return x || y; }));
  check<Bool, Bool>("xor", 2, two([](bool x, bool y) { return x != y; }));
  check<Bool, Bool>("max", 2, two([](bool x, bool y) { return x || y; }));
  check<Bool, Bool>("min", 2, two([](bool x, bool y) { return x && y; }));
  check<Bool, Bool>("not", 1, [](Bool x) { return Bool{static_cast<std::uint8_t>(x.value == 0)}; });
  check<Bool, Bool>("clamp", 3, [](Bool lo, Bool x, Bool hi) {
    return Bool{static_cast<std::uint8_t>((lo.value != 0 || x.value != 0) && hi.value != 0)};
  });
}

}  // namespace
}  // namespace cotan::tile_test

// Floating-point arithmetic, 16-bit floats included: those are float32 operations rounded once.
#include "unit/tiles/tile_check.h"

namespace cotan::tile_test {
namespace {

template <class T> T max_of(T x, T y) {
  if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<T>::quiet_NaN();
  if (x == 0 && y == 0) return std::signbit(x) && std::signbit(y) ? T(-0.0) : T(0);
  return x > y ? x : y;
}
template <class T> T min_of(T x, T y) {
  if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<T>::quiet_NaN();
  if (x == 0 && y == 0) return std::signbit(x) || std::signbit(y) ? T(-0.0) : T(0);
  return x < y ? x : y;
}
template <class T> T sign_of(T x) { return x > 0 ? T(1) : x < 0 ? T(-1) : x; }
template <class T> T power(T x, int n) {
  std::uint32_t m = static_cast<std::uint32_t>(n < 0 ? -static_cast<std::int64_t>(n) : n);
  T y = 1;
  bool first = true;
  for (; m != 0; m >>= 1, x = x * x) {
    if ((m & 1) == 0) continue;
    y = first ? x : y * x;
    first = false;
  }
  return n < 0 ? T(1) / y : y;
}

// f on T, or on float32 with one rounding.
template <class T, class F> void check_float(const char* name, int arity, F f, std::uint32_t aux = 0) {
  if constexpr (std::is_floating_point_v<T>) {
    check<T, T>(name, arity, f, aux);
  } else {
    auto narrow = [](float x) {
      if constexpr (std::is_same_v<T, BFloat16>) return to_bfloat16(x);
      else return to_float16(x);
    };
    if (arity == 1) {
      check<T, T>(
          name, 1,
          [=](T x) {
            if constexpr (std::is_invocable_v<F, float>) return narrow(f(to_float(x)));
            else return x;
          },
          aux);
    } else if (arity == 2) {
      check<T, T>(name, 2, [=](T x, T y) {
        if constexpr (std::is_invocable_v<F, float, float>) return narrow(f(to_float(x), to_float(y)));
        else return x;
      });
    } else {
      check<T, T>(name, 3, [=](T x, T y, T z) {
        if constexpr (std::is_invocable_v<F, float, float, float>)
          return narrow(f(to_float(x), to_float(y), to_float(z)));
        else return x;
      });
    }
  }
}

template <class T> struct FloatTiles : testing::Test {};
using Floats = testing::Types<float, double, BFloat16, Float16>;
TYPED_TEST_SUITE(FloatTiles, Floats);

TYPED_TEST(FloatTiles, Unary) {
  using T = TypeParam;
  check_float<T>("neg", 1, [](auto x) { return -x; });
  check_float<T>("abs", 1, [](auto x) { return std::fabs(x); });
  check_float<T>("sign", 1, [](auto x) { return sign_of(x); });
  check_float<T>("floor", 1, [](auto x) { return std::floor(x); });
  check_float<T>("ceil", 1, [](auto x) { return std::ceil(x); });
  check_float<T>(
      "round", 1, [](auto x) { return std::round(x); }, 0);
  check_float<T>(
      "round", 1, [](auto x) { return std::nearbyint(x); }, 1);
  check_float<T>("sqrt", 1, [](auto x) { return std::sqrt(x); });
  check_float<T>("square", 1, [](auto x) { return x * x; });
}
TYPED_TEST(FloatTiles, Binary) {
  using T = TypeParam;
  check_float<T>("add", 2, [](auto x, auto y) { return x + y; });
  check_float<T>("sub", 2, [](auto x, auto y) { return x - y; });
  check_float<T>("mul", 2, [](auto x, auto y) { return x * y; });
  check_float<T>("div", 2, [](auto x, auto y) { return x / y; });
  check_float<T>("rem", 2, [](auto x, auto y) { return std::fmod(x, y); });
  check_float<T>("max", 2, [](auto x, auto y) { return max_of(x, y); });
  check_float<T>("min", 2, [](auto x, auto y) { return min_of(x, y); });
}
TYPED_TEST(FloatTiles, Clamp) {
  check_float<TypeParam>("clamp", 3, [](auto lo, auto x, auto hi) { return min_of(max_of(lo, x), hi); });
}
TYPED_TEST(FloatTiles, IntegerPow) {
  for (int n : {0, 1, 2, 3, 5, 7, 8, 10, -1, -2, -6, 100, std::numeric_limits<int>::min()}) {
    check_float<TypeParam>(
        "integer_pow", 1, [n](auto x) { return power(x, n); }, static_cast<std::uint32_t>(n));
  }
}

// Two operations in one: rounded twice.
template <class T> void check_pairs() {
  using Binary = T (*)(T, T);
  const std::pair<const char*, Binary> operations[] = {{"add", [](T x, T y) { return x + y; }},
                                                       {"sub", [](T x, T y) { return x - y; }},
                                                       {"mul", [](T x, T y) { return x * y; }}};
  for (const auto& [first, f] : operations) {
    const auto square = [f = f](T x, T y) {
      const T inner = f(x, y);
      return inner * inner;
    };
    check<T, T>((std::string(first) + "_square").c_str(), 2, square);
    for (const auto& [second, g] : operations) {
      check<T, T>((std::string(first) + "_" + second).c_str(), 3,
                  [f = f, g = g](T x, T y, T z) { return g(f(x, y), z); });
      check<T, T>((std::string(first) + "_r" + second).c_str(), 3,
                  [f = f, g = g](T x, T y, T z) { return g(z, f(x, y)); });
    }
  }
}
// With maxima and minima: as the operations one after the other.
template <class T> void check_extreme_pairs() {
  const int type = static_cast<int>(kernel::dtype_of<T>);
  const auto list = Specials<T>::get();
  std::vector<T> x, y, z;
  for (const T a : list)
    for (const T b : list)
      for (const T c : {list[0], list[1], list[2], T(-0.0), std::numeric_limits<T>::quiet_NaN(), T(3)})
        x.push_back(a), y.push_back(b), z.push_back(c);
  for (Isa isa : isas()) {
    const auto& tiles = kernel::tiles_for(isa);
    int found = 0;
    for (const char* first : {"add", "sub", "mul", "max", "min"})
      for (const char* second : {"add", "mul", "max", "min"}) {
        const kernel::TileOp* const op = tiles.find((std::string(first) + "_" + second).c_str());
        if (!op) continue;
        ++found;
        for (std::uint8_t steps = 1; steps < 8; ++steps) {
          std::vector<T> inner(x.size()), want(x.size()), got(x.size());
          void* regs[6] = {inner.data(), x.data(), y.data(), z.data(), want.data(), got.data()};
          std::vector<T> splats[3];
          const std::uint8_t step[3] = {static_cast<std::uint8_t>(steps & 1), static_cast<std::uint8_t>(steps >> 1 & 1),
                                        static_cast<std::uint8_t>(steps >> 2)};
          for (int k = 0; k < 3; ++k)
            if (step[k] == 0) splats[k].assign(16, T(1.5)), regs[k + 1] = splats[k].data();
          const Ins one{tiles.find(first)->fn[type], 0, 1, 2, 0, step[0], step[1], 1, 0, 0};
          one.fn(regs, &one, x.size());
          const Ins two{tiles.find(second)->fn[type], 4, 0, 3, 0, 1, step[2], 1, 0, 0};
          two.fn(regs, &two, x.size());
          const Ins both{op->fn[type], 5, 1, 2, 3, step[0], step[1], step[2], 0, 0};
          both.fn(regs, &both, x.size());
          for (std::size_t i = 0; i < x.size(); ++i)
            ASSERT_TRUE(same(got[i], want[i]))
                << first << " " << second << ": " << show(x[i]) << " " << show(y[i]) << " " << show(z[i]);
        }
      }
    EXPECT_EQ(found, 18);
  }
}
TEST(FloatTiles, PairsWithExtremes) {
  check_extreme_pairs<float>();
  check_extreme_pairs<double>();
}

TEST(FloatTiles, Pairs) {
  check_pairs<float>();
  check_pairs<double>();
}

// The remainder is exact also just below and above multiples, where the rounded quotient is off by one.
template <class T> void check_remainders() {
  std::mt19937_64 g(7);
  std::vector<T> x, y, got(20000);
  for (std::size_t i = 0; i < got.size(); ++i) {
    y.push_back(static_cast<T>(std::ldexp(static_cast<double>(g() >> 11), static_cast<int>(g() % 40) - 70)));
    const T multiple = y[i] * static_cast<T>(g() % 5000000);
    x.push_back(g() % 2 == 0   ? std::nextafter(multiple, T(0))
                : g() % 2 == 0 ? multiple
                               : -std::nextafter(multiple, T(1e30)));
  }
  for (Isa isa : isas()) {
    TileFn fn = kernel::tiles_for(isa).find("rem")->fn[static_cast<int>(kernel::dtype_of<T>)];
    void* regs[3] = {got.data(), x.data(), y.data()};
    Ins ins{fn, 0, 1, 2, 0, 1, 1, 0, 0, 0};
    fn(regs, &ins, got.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_TRUE(same(got[i], std::fmod(x[i], y[i]))) << show(x[i]) << " rem " << show(y[i]) << " = " << show(got[i]);
    }
  }
}
TEST(FloatTiles, RemainderNearMultiples) {
  check_remainders<float>();
  check_remainders<double>();
}

}  // namespace
}  // namespace cotan::tile_test

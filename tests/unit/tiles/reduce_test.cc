// Reductions and arg-reductions; the order of a floating-point reduction is 64 lanes, then halving.
#include "unit/tiles/tile_check.h"

namespace cotan::tile_test {
namespace {

template <class T> struct Wider { using type = T; };
template <> struct Wider<BFloat16> { using type = float; };
template <> struct Wider<Float16> { using type = float; };
template <class T> typename Wider<T>::type widen(T x) {
  if constexpr (std::is_same_v<T, BFloat16> || std::is_same_v<T, Float16>) return to_float(x);
  else return x;
}
template <class T> T narrow(typename Wider<T>::type x) {
  if constexpr (std::is_same_v<T, BFloat16>) return to_bfloat16(x);
  else if constexpr (std::is_same_v<T, Float16>) return to_float16(x);
  else return x;
}

template <class T>
T run_tile(const char* name, Isa isa, const std::vector<T>& a, std::size_t at, std::size_t n, bool step) {
  TileFn fn = kernel::tiles_for(isa).find(name)->fn[static_cast<int>(kernel::dtype_of<T>)];
  EXPECT_NE(fn, nullptr) << name;
  alignas(64) T splat[64];
  std::fill_n(splat, 64, a[at]);
  T out[2] = {a[at], a[at + 1]};
  void* regs[2] = {out, step ? const_cast<T*>(a.data() + at) : splat};
  Ins ins{fn, 0, 1, 0, 0, step, 0, 0, 0, 0};
  fn(regs, &ins, n);
  EXPECT_EQ(std::memcmp(&out[1], &a[at + 1], sizeof(T)), 0) << name << " wrote more than one element";
  return out[0];
}

// The documented order, one element at a time.
template <class T, class F>
T expected(const std::vector<T>& a, std::size_t at, std::size_t n, bool step, typename Wider<T>::type identity, F f) {
  using W = typename Wider<T>::type;
  if (n == 0) return narrow<T>(identity);
  if (n == 1) return a[at];
  W lanes[64];
  std::fill_n(lanes, 64, identity);
  for (std::size_t i = 0; i < n; ++i) lanes[i % 64] = f(lanes[i % 64], widen(a[at + (step ? i : 0)]));
  for (std::size_t half = 32; half > 0; half /= 2) {
    for (std::size_t j = 0; j < half; ++j) lanes[j] = f(lanes[j], lanes[j + half]);
  }
  return narrow<T>(lanes[0]);
}

template <class T> std::vector<T> operands(bool specials) {
  std::mt19937_64 g(5);
  std::vector<T> a;
  for (int i = 0; i < 3000; ++i) {
    if constexpr (std::is_floating_point_v<typename Wider<T>::type>) {
      a.push_back(narrow<T>(static_cast<typename Wider<T>::type>(
          std::ldexp(static_cast<double>(static_cast<std::int64_t>(g())), -63) + 1)));
    } else {
      a.push_back(random_value<T>(g));
    }
    if (specials && g() % 40 == 0) {
      const auto list = Specials<T>::get();
      a.back() = list[g() % list.size()];
    }
  }
  return a;
}

std::vector<std::size_t> lengths() {
  std::vector<std::size_t> list;
  for (std::size_t n = 0; n <= 200; ++n) list.push_back(n);
  for (std::size_t n : {255, 256, 257, 319, 320, 512, 513, 1000, 1023, 1024, 2048, 2900}) list.push_back(n);
  return list;
}

template <class T, class F> void check_reduce(const char* name, typename Wider<T>::type identity, F f) {
  for (bool specials : {false, true}) {
    const auto a = operands<T>(specials);
    for (Isa isa : isas()) {
      for (std::size_t n : lengths()) {
        for (bool step : {true, false}) {
          const std::size_t at = (n * 7) % (a.size() - n);
          const T got = run_tile(name, isa, a, at, n, step), want = expected<T>(a, at, n, step, identity, f);
          ASSERT_TRUE(same(got, want)) << name << " of " << n << " isa " << static_cast<int>(isa) << " dtype "
                                       << static_cast<int>(kernel::dtype_of<T>) << " step " << step << ": " << show(got)
                                       << ", not " << show(want);
        }
      }
    }
  }
}

template <class T> struct ReduceTiles : testing::Test {};
using Floats = testing::Types<float, double, BFloat16, Float16>;
TYPED_TEST_SUITE(ReduceTiles, Floats);

TYPED_TEST(ReduceTiles, Floats) {
  using T = TypeParam;
  using W = typename Wider<T>::type;
  const W inf = std::numeric_limits<W>::infinity(), nan = std::numeric_limits<W>::quiet_NaN();
  check_reduce<T>("reduce_sum", 0, [](W x, W y) { return x + y; });
  check_reduce<T>("reduce_prod", 1, [](W x, W y) { return x * y; });
  check_reduce<T>("reduce_max", -inf, [=](W x, W y) {
    return x != x || y != y ? nan : x == y ? (std::signbit(x) ? y : x) : x > y ? x : y;
  });
  check_reduce<T>("reduce_min", inf, [=](W x, W y) {
    return x != x || y != y ? nan : x == y ? (std::signbit(x) ? x : y) : x < y ? x : y;
  });
}

template <class T> struct ReduceIntTiles : testing::Test {};
using Ints = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                            std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(ReduceIntTiles, Ints);
TYPED_TEST(ReduceIntTiles, All) {
  using T = TypeParam;
  using U = std::uint64_t;
  using L = std::numeric_limits<T>;
  check_reduce<T>("reduce_sum", 0, [](T x, T y) { return static_cast<T>(U(x) + U(y)); });
  check_reduce<T>("reduce_prod", 1, [](T x, T y) { return static_cast<T>(U(x) * U(y)); });
  check_reduce<T>("reduce_max", L::min(), [](T x, T y) { return std::max(x, y); });
  check_reduce<T>("reduce_min", L::max(), [](T x, T y) { return std::min(x, y); });
  check_reduce<T>("reduce_and", static_cast<T>(-1), [](T x, T y) { return static_cast<T>(x & y); });
  check_reduce<T>("reduce_or", 0, [](T x, T y) { return static_cast<T>(x | y); });
  check_reduce<T>("reduce_xor", 0, [](T x, T y) { return static_cast<T>(x ^ y); });
}
TEST(ReduceBoolTiles, All) {
  for (const char* name : {"reduce_and", "reduce_min"}) {
    check_reduce<Bool>(name, Bool{1},
                       [](Bool x, Bool y) { return Bool{static_cast<std::uint8_t>(x.value & y.value)}; });
  }
  for (const char* name : {"reduce_or", "reduce_max"}) {
    check_reduce<Bool>(name, Bool{0},
                       [](Bool x, Bool y) { return Bool{static_cast<std::uint8_t>(x.value | y.value)}; });
  }
  check_reduce<Bool>("reduce_xor", Bool{0},
                     [](Bool x, Bool y) { return Bool{static_cast<std::uint8_t>(x.value ^ y.value)}; });
}
template <class T> void check_complex() {
  using Z = Complex<T>;
  const T inf = std::numeric_limits<T>::infinity();
  check_reduce<Z>("reduce_sum", {0, 0}, [](Z x, Z y) { return Z{x.re + y.re, x.im + y.im}; });
  check_reduce<Z>("reduce_prod", {1, 0}, [](Z x, Z y) {
    volatile T p = x.re * y.re, q = x.im * y.im, r = x.re * y.im, s = x.im * y.re;
    return Z{p - q, r + s};
  });
  auto less = [](Z x, Z y) { return x.re < y.re || (x.re == y.re && x.im < y.im); };
  auto is_nan = [](Z x) { return std::isnan(x.re) || std::isnan(x.im); };
  check_reduce<Z>("reduce_max", {-inf, -inf},
                  [=](Z x, Z y) { return is_nan(x) || (!is_nan(y) && less(y, x)) ? x : y; });
  check_reduce<Z>("reduce_min", {inf, inf}, [=](Z x, Z y) { return is_nan(x) || (!is_nan(y) && less(x, y)) ? x : y; });
}
TEST(ReduceComplexTiles, All) {
  check_complex<float>();
  check_complex<double>();
}

// The position of the first extreme element, NaN first of all.
template <class T> void check_arg() {
  for (int mode = 0; mode < 3; ++mode) {
    auto a = operands<T>(mode == 2);
    if (mode == 1) {  // many ties
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i % 3];
    }
    for (Isa isa : isas()) {
      for (const char* name : {"argmax", "argmin"}) {
        TileFn fn = kernel::tiles_for(isa).find(name)->fn[static_cast<int>(kernel::dtype_of<T>)];
        ASSERT_NE(fn, nullptr) << name;
        for (std::size_t n : lengths()) {
          if (n == 0) continue;
          const std::size_t at = (n * 5) % (a.size() - n);
          std::int64_t got[2] = {-1, -1};
          void* regs[2] = {got, a.data() + at};
          Ins ins{fn, 0, 1, 0, 0, 1, 0, 0, 0, 0};
          fn(regs, &ins, n);
          auto value = [](T x) {
            if constexpr (std::is_same_v<T, Bool>) return x.value;
            else return widen(x);
          };
          std::size_t best = 0;
          for (std::size_t i = 0; i < n; ++i) {
            const auto x = value(a[at + i]), y = value(a[at + best]);
            if (y != y) break;
            if (x != x || (name[3] == 'm' && name[4] == 'a' ? x > y : x < y)) best = i;
          }
          ASSERT_EQ(got[0], static_cast<std::int64_t>(best))
              << name << " of " << n << " dtype " << static_cast<int>(kernel::dtype_of<T>);
          ASSERT_EQ(got[1], -1);
        }
      }
    }
  }
}
TEST(ArgTiles, AllTypes) {
  check_arg<float>(), check_arg<double>(), check_arg<BFloat16>(), check_arg<Float16>(), check_arg<Bool>();
  check_arg<std::int8_t>(), check_arg<std::int16_t>(), check_arg<std::int32_t>(), check_arg<std::int64_t>();
  check_arg<std::uint8_t>(), check_arg<std::uint16_t>(), check_arg<std::uint32_t>(), check_arg<std::uint64_t>();
}

}  // namespace
}  // namespace cotan::tile_test

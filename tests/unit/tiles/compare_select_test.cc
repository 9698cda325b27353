// Comparisons, the total order, is_finite; select, copy and fill.
#include "unit/tiles/tile_check.h"

namespace cotan::tile_test {
namespace {

template <class T> auto widen(T x) {
  if constexpr (std::is_same_v<T, Bool>) return x.value;
  else if constexpr (std::is_same_v<T, BFloat16> || std::is_same_v<T, Float16>) return to_float(x);
  else return x;
}
Bool truth(bool b) { return Bool{b}; }

// -1, 0, 1 in the total order: by sign, then by magnitude of the bits.
template <class T> int total_order(T x, T y) {
  if constexpr (std::is_same_v<T, Bool> || std::is_integral_v<T>) {
    return (widen(x) > widen(y)) - (widen(x) < widen(y));
  } else {
    auto rank = [](T v) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &v, sizeof v);
      const std::uint64_t sign = std::uint64_t{1} << (8 * sizeof v - 1);
      const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
      return (bits & sign) != 0 ? -magnitude - 1 : magnitude;
    };
    return (rank(x) > rank(y)) - (rank(x) < rank(y));
  }
}

template <class T> struct CompareTiles : testing::Test {};
using Types = testing::Types<Bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                             std::uint32_t, std::uint64_t, BFloat16, Float16, float, double>;
TYPED_TEST_SUITE(CompareTiles, Types);

TYPED_TEST(CompareTiles, Order) {
  using T = TypeParam;
  check<Bool, T>("eq", 2, [](T x, T y) { return truth(widen(x) == widen(y)); });
  check<Bool, T>("ne", 2, [](T x, T y) { return truth(widen(x) != widen(y)); });
  check<Bool, T>("lt", 2, [](T x, T y) { return truth(widen(x) < widen(y)); });
  check<Bool, T>("le", 2, [](T x, T y) { return truth(widen(x) <= widen(y)); });
  check<Bool, T>("gt", 2, [](T x, T y) { return truth(widen(x) > widen(y)); });
  check<Bool, T>("ge", 2, [](T x, T y) { return truth(widen(x) >= widen(y)); });
}
TYPED_TEST(CompareTiles, TotalOrder) {
  using T = TypeParam;
  check<Bool, T>("eq_to", 2, [](T x, T y) { return truth(total_order(x, y) == 0); });
  check<Bool, T>("lt_to", 2, [](T x, T y) { return truth(total_order(x, y) < 0); });
  check<Bool, T>("le_to", 2, [](T x, T y) { return truth(total_order(x, y) <= 0); });
  EXPECT_TRUE(kernel::tiles().find("lt_to")->predicate);
}
template <class T> void check_finite() {
  check<Bool, T>("is_finite", 1, [](T x) { return truth(std::isfinite(widen(x))); });
}
template <class T> void check_numbers() {
  const int type = static_cast<int>(kernel::dtype_of<T>);
  std::mt19937_64 g(3);
  std::vector<T> x, y;
  for (int i = 0; i < 37; ++i) {
    x.push_back(random_value<T>(g));
    y.push_back(i % 3 == 0 ? x.back() : random_value<T>(g));
  }
  if constexpr (std::is_floating_point_v<T>) x[4] = y[5] = std::numeric_limits<T>::quiet_NaN(), x[6] = 0, y[6] = -T(0);
  for (Isa isa : isas())
    for (const char* name : {"eq", "ne", "lt", "le", "gt", "ge"})
      for (std::uint8_t steps = 0; steps < 4; ++steps) {
        const auto& tiles = kernel::tiles_for(isa);
        std::vector<std::uint8_t> truth(x.size());
        std::vector<float> number(x.size());
        void* regs[4] = {truth.data(), x.data(), y.data(), number.data()};
        Ins compare{tiles.find(name)->fn[type],
                    0,
                    1,
                    2,
                    0,
                    static_cast<std::uint8_t>(steps & 1),
                    static_cast<std::uint8_t>(steps >> 1),
                    1,
                    0,
                    0};
        compare.fn(regs, &compare, x.size());
        compare.fn = tiles.find((std::string(name) + "_number").c_str())->fn[type], compare.dst = 3;
        compare.fn(regs, &compare, x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
          EXPECT_EQ(number[i], truth[i] != 0 ? 1.0f : 0.0f) << name << " " << i;
      }
}
TEST(CompareTiles, AsNumbers) { check_numbers<std::int32_t>(), check_numbers<float>(); }

TEST(CompareTiles, IsFinite) {
  check_finite<float>();
  check_finite<double>();
  check_finite<BFloat16>();
  check_finite<Float16>();
  EXPECT_EQ(kernel::tiles().find("is_finite")->fn[static_cast<int>(DType::int32)], nullptr);
}
template <class T> void check_complex_equality() {
  using Z = Complex<T>;
  check<Bool, Z>("eq", 2, [](Z x, Z y) { return truth(x.re == y.re && x.im == y.im); });
  check<Bool, Z>("ne", 2, [](Z x, Z y) { return truth(x.re != y.re || x.im != y.im); });
}
TEST(CompareTiles, Complex) {
  check_complex_equality<float>();
  check_complex_equality<double>();
}

// select, copy and fill keep every bit, NaN payloads too.
template <class T> void check_moves(DType key) {
  auto bits_equal = [](T x, T y) { return std::memcmp(&x, &y, sizeof x) == 0; };
  for (Isa isa : isas()) {
    Check<T, T, Bool> c{"select", kernel::tiles_for(isa).find("select")->fn[static_cast<int>(key)],
                        3,        [](Bool p, T no, T yes) { return p.value != 0 ? yes : no; },
                        0,        bits_equal,
                        {},       {},
                        {}};
    ASSERT_NE(c.fn, nullptr);
    c.fill(3);
    c.run_all();
  }
  check<T, T>(
      "copy", 1, [](T x) { return x; }, 0, key, bits_equal);
}
TEST(SelectTiles, AllTypes) {
  check_moves<Bool>(DType::bool_);
  check_moves<std::int8_t>(DType::int8);
  check_moves<std::uint16_t>(DType::uint16);
  check_moves<BFloat16>(DType::bfloat16);
  check_moves<float>(DType::float32);
  check_moves<std::int32_t>(DType::int32);
  check_moves<double>(DType::float64);
  check_moves<Complex<float>>(DType::complex64);
  check_moves<Complex<double>>(DType::complex128);
  check_moves<std::uint64_t>(DType::key_fry);
  check_moves<Complex<double>>(DType::key_rbg);
  for (int i = 0; i < dtype_count; ++i) {
    for (const char* name : {"select", "copy", "fill"}) {
      EXPECT_EQ(kernel::tiles().find(name)->fn[i] != nullptr, item_size(static_cast<DType>(i)) != 0)
          << name << " " << i;
    }
  }
}
TEST(SelectTiles, Fill) {
  for (Isa isa : isas()) {
    TileFn fn = kernel::tiles_for(isa).find("fill")->fn[static_cast<int>(DType::complex128)];
    for (std::size_t n = 0; n < 40; ++n) {
      alignas(64) Complex<double> splat[4] = {{1, 2}, {1, 2}, {1, 2}, {1, 2}};
      std::vector<Complex<double>> out(n + 1, {7, 7});
      void* regs[2] = {out.data(), splat};
      Ins ins{fn, 0, 1, 0, 0, 0, 0, 0, 0, 0};
      fn(regs, &ins, n);
      for (std::size_t i = 0; i <= n; ++i) EXPECT_EQ(out[i].im, i < n ? 2 : 7);
    }
  }
}

}  // namespace
}  // namespace cotan::tile_test

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "kernel/half_bits.h"
#include "runtime/library.h"

namespace cotan::runtime {
namespace {

using kernel::DotParams;

template <class T> struct IsComplex : std::false_type {};
template <class T> struct IsComplex<std::complex<T>> : std::true_type {};

template <class T> T draw(std::mt19937& r) {
  const auto v = [&] { return (static_cast<int>(r() % 2001) - 1000) / 500.0; };
  if constexpr (IsComplex<T>::value)
    return T(static_cast<typename T::value_type>(v()), static_cast<typename T::value_type>(v()));
  else if constexpr (std::is_floating_point_v<T>) return static_cast<T>(v());
  else if constexpr (std::is_same_v<T, bool>) return r() % 4 == 0;
  else return static_cast<T>(r());
}

// A matrix in one of several layouts: by rows, by columns, neither contiguous, each with gaps.
template <class T> struct Operand {
  std::vector<T> data;
  std::int64_t offset = 0, batch = 0, row = 0, column = 0;
  T at(std::int64_t b, std::int64_t i, std::int64_t j) const {
    return data[static_cast<std::size_t>(offset + b * batch + i * row + j * column)];
  }
};

template <class T>
Operand<T> make(std::mt19937& random, int layout, std::int64_t batch, std::int64_t rows, std::int64_t columns) {
  Operand<T> m;
  switch (layout) {
    case 0: m.row = columns, m.column = 1; break;
    case 1: m.row = 1, m.column = rows; break;
    case 2: m.row = columns + 3, m.column = 1; break;
    case 3: m.row = 1, m.column = rows + 2; break;
    case 4: m.row = 2 * columns, m.column = 2; break;
    default: m.row = -columns, m.column = 1, m.offset = columns * std::max<std::int64_t>(rows - 1, 0); break;
  }
  m.batch = std::max(rows, std::int64_t{1}) * std::max(columns, std::int64_t{1}) * 2 + 3 * rows + 3 * columns + 1;
  m.data.resize(static_cast<std::size_t>(m.batch * batch + 64));
  for (auto&& x : m.data) x = draw<T>(random);
  return m;
}

// Doubles (or exact integers) by plain loops.
template <class T>
void check(DType d, std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k, int left, int right,
           unsigned seed) {
  using S = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;
  std::mt19937 random(seed);
  const Operand<S> a = make<S>(random, left, batch, m, k), b = make<S>(random, right, batch, k, n);
  Operand<S> x = a, y = b;
  if constexpr (std::is_same_v<T, bool>) {
    for (S& v : x.data) v = v % 4 == 0;
    for (S& v : y.data) v = v % 4 == 0;
  }
  std::vector<S> out(static_cast<std::size_t>(batch * m * n) + 1);
  std::memset(static_cast<void*>(out.data()), 0xff, out.size() * sizeof(S));  // NaN: must never be read
  const DotParams p{batch, m, n, k, x.batch, x.row, x.column, y.batch, y.row, y.column};
  dot(d, p, x.data.data() + x.offset, y.data.data() + y.offset, out.data());
  for (std::int64_t e = 0; e < batch * m * n; ++e) {
    const std::int64_t bi = e / (m * n), i = e / n % m, j = e % n;
    const S got = out[static_cast<std::size_t>(e)];
    if constexpr (IsComplex<S>::value || std::is_floating_point_v<S>) {
      std::complex<double> sum = 0;
      double size = 0;
      for (std::int64_t q = 0; q < k; ++q) {
        const std::complex<double> t = std::complex<double>(x.at(bi, i, q)) * std::complex<double>(y.at(bi, q, j));
        sum += t, size += std::abs(t);
      }
      const double unit = sizeof(S) == 4 || std::is_same_v<S, std::complex<float>> ? 6e-8 : 2e-16;
      ASSERT_LE(std::abs(std::complex<double>(got) - sum),
                4 * unit * size * std::sqrt(static_cast<double>(k) + 1) + 1e-300)
          << dtype_name(d) << " " << m << "x" << k << "x" << n << " layouts " << left << right;
    } else {
      S sum = 0;
      for (std::int64_t q = 0; q < k; ++q) {
        const std::uint64_t t = static_cast<std::uint64_t>(x.at(bi, i, q)) * static_cast<std::uint64_t>(y.at(bi, q, j));
        if constexpr (std::is_same_v<T, bool>) sum = static_cast<S>(sum | t);
        else sum = static_cast<S>(static_cast<std::uint64_t>(sum) + t);
      }
      ASSERT_EQ(+got, +sum) << dtype_name(d);
    }
  }
  EXPECT_EQ(std::memcmp(&out.back(), "\xff", 1), 0) << "wrote past the end";
}

template <class T> void check_all(DType d) {
  struct Size {
    std::int64_t b, m, n, k;
  };
  const Size sizes[] = {{1, 0, 3, 2},      {1, 2, 0, 3},    {1, 2, 3, 0},   {0, 2, 2, 2},  {1, 1, 1, 1},
                        {2, 1, 1, 7},      {1, 1, 1, 5000}, {1, 1, 9, 4},   {1, 9, 1, 4},  {1, 1, 300, 33},
                        {1, 300, 1, 2100}, {3, 2, 3, 4},    {1, 5, 17, 3},  {2, 4, 16, 8}, {1, 33, 35, 37},
                        {2, 40, 41, 42},   {1, 7, 130, 65}, {1, 64, 64, 64}};
  unsigned seed = 1;
  for (const Size& s : sizes)
    for (int left = 0; left < 6; ++left)
      check<T>(d, s.b, s.m, s.n, s.k, left, static_cast<int>(seed % 6), seed), ++seed;
  for (const Size& s : sizes)
    check<T>(d, s.b, s.m, s.n, s.k, static_cast<int>(seed % 6), static_cast<int>(seed % 5), seed), ++seed;
}

TEST(Dot, Floats) {
  check_all<float>(DType::float32);
  check_all<double>(DType::float64);
}
TEST(Dot, Complex) {
  check_all<std::complex<float>>(DType::complex64);
  check_all<std::complex<double>>(DType::complex128);
}
TEST(Dot, IntegersWrap) {
  check_all<std::int8_t>(DType::int8);
  check_all<std::uint16_t>(DType::uint16);
  check_all<std::int32_t>(DType::int32);
  check_all<std::uint64_t>(DType::uint64);
}
TEST(Dot, BoolIsOrOfAnds) { check_all<bool>(DType::bool_); }

// The bits depend on sizes and values, not on the layout of the operands.
template <class T> void same_bits(DType d, std::int64_t m, std::int64_t n, std::int64_t k) {
  std::mt19937 random(5);
  const Operand<T> a = make<T>(random, 0, 1, m, k), b = make<T>(random, 0, 1, k, n);
  std::vector<T> first(static_cast<std::size_t>(m * n)), other(first.size());
  dot(d, {1, m, n, k, 0, a.row, a.column, 0, b.row, b.column}, a.data.data(), b.data.data(), first.data());
  for (int left = 0; left < 6; ++left)
    for (int right : {left, (left + 1) % 6}) {
      Operand<T> x = make<T>(random, left, 1, m, k), y = make<T>(random, right, 1, k, n);
      for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < k; ++j)
          x.data[static_cast<std::size_t>(x.offset + i * x.row + j * x.column)] = a.at(0, i, j);
      for (std::int64_t i = 0; i < k; ++i)
        for (std::int64_t j = 0; j < n; ++j)
          y.data[static_cast<std::size_t>(y.offset + i * y.row + j * y.column)] = b.at(0, i, j);
      dot(d, {1, m, n, k, 0, x.row, x.column, 0, y.row, y.column}, x.data.data() + x.offset, y.data.data() + y.offset,
          other.data());
      ASSERT_EQ(std::memcmp(first.data(), other.data(), first.size() * sizeof(T)), 0)
          << m << "x" << k << "x" << n << " layouts " << left << right;
    }
}
TEST(Dot, BitsDoNotDependOnLayout) {
  for (const auto& [m, n, k] :
       {std::tuple{5, 7, 9}, {1, 40, 300}, {300, 1, 5000}, {1, 1, 3000}, {31, 33, 30}, {70, 65, 80}, {130, 200, 90}}) {
    same_bits<float>(DType::float32, m, n, k);
    same_bits<double>(DType::float64, m, n, k);
    same_bits<std::complex<float>>(DType::complex64, m, n, k);
  }
}

TEST(Dot, InfinityAndNaNArrive) {
  const float inf = std::numeric_limits<float>::infinity();
  for (std::int64_t size : {1, 2, 20, 80}) {
    std::vector<float> a(static_cast<std::size_t>(size * size), 0), b(a), c(a.size(), std::nanf(""));
    b[0] = inf;  // 0 * inf in the first column
    dot(DType::float32, {1, size, size, size, 0, size, 1, 0, size, 1}, a.data(), b.data(), c.data());
    for (std::int64_t i = 0; i < size; ++i)
      for (std::int64_t j = 0; j < size; ++j)
        EXPECT_EQ(std::isnan(c[static_cast<std::size_t>(i * size + j)]), j == 0) << size;
    std::fill(c.begin(), c.end(), std::nanf(""));
    dot(DType::float32, {1, size, 1, size, 0, size, 1, 0, size, 1}, a.data(), b.data(), c.data());
    for (std::int64_t i = 0; i < size; ++i) EXPECT_TRUE(std::isnan(c[static_cast<std::size_t>(i)]));
  }
}

// 16-bit floats give what float32 gives, rounded once, to the bit.
template <class T>
void check_halves(DType d, std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k, int left, int right) {
  std::mt19937 random(7);
  const auto narrow = [](float x) {
    T h;
    kernel::float_to_half(x, &h);
    return h;
  };
  Operand<float> a = make<float>(random, left, batch, m, k), b = make<float>(random, right, batch, k, n);
  std::vector<T> x, y;
  for (auto [wide, narrowed] : {std::pair{&a.data, &x}, {&b.data, &y}})
    for (float& v : *wide) {
      narrowed->push_back(narrow(v));
      v = kernel::half_to_float(narrowed->back());
    }
  const DotParams p{batch, m, n, k, a.batch, a.row, a.column, b.batch, b.row, b.column};
  const auto size = static_cast<std::size_t>(batch * m * n);
  std::vector<float> want(size + 1, 7), got(size + 1, 7);
  std::vector<T> rounded(size + 1, narrow(7));
  dot(DType::float32, p, a.data.data() + a.offset, b.data.data() + b.offset, want.data());
  dot(d, p, x.data() + a.offset, y.data() + b.offset, got.data(), true);
  dot(d, p, x.data() + a.offset, y.data() + b.offset, rounded.data());
  for (std::size_t i = 0; i <= size; ++i) {
    ASSERT_EQ(got[i], want[i]) << dtype_name(d) << " " << m << "x" << k << "x" << n << " layouts " << left << right;
    ASSERT_EQ(rounded[i].bits, narrow(want[i]).bits) << dtype_name(d) << " " << m << "x" << k << "x" << n;
  }
}
TEST(Dot, HalvesAreComputedInFloat32) {
  struct Size {
    std::int64_t b, m, n, k;
  };
  const Size sizes[] = {{1, 0, 3, 2},    {1, 2, 3, 0},       {1, 1, 1, 5000}, {1, 1, 9, 4},      {1, 300, 1, 2100},
                        {3, 2, 3, 4},    {1, 33, 35, 37},    {2, 40, 41, 42}, {1, 130, 200, 90}, {1, 1, 300, 4200},
                        {2, 130, 7, 65}, {1, 300, 290, 150}, {4, 1, 33, 64},  {9, 17, 1, 40}};
  for (const Size& s : sizes)
    for (int left = 0; left < 6; ++left) {
      check_halves<BFloat16>(DType::bfloat16, s.b, s.m, s.n, s.k, left, (left + 1) % 6);
      check_halves<Float16>(DType::float16, s.b, s.m, s.n, s.k, left, left);
    }
}

}  // namespace
}  // namespace cotan::runtime

// Reductions of many rows at once make the bits of the functions for one run and for two operands.
#include "kernel/half_bits.h"
#include "unit/tiles/tile_check.h"

namespace cotan::tile_test {
namespace {

using kernel::RowsFns;

template <class T> std::vector<T> operands(std::size_t n) {
  std::mt19937_64 g(7);
  std::vector<T> a;
  for (std::size_t i = 0; i < n; ++i) a.push_back(random_value<T>(g));
  if constexpr (std::is_floating_point_v<T>) {
    const auto list = Specials<T>::get();
    for (std::size_t i = 0; i < n; i += 37) a[i] = list[(i / 37) % std::size(list)];
  }
  return a;
}

// Bits, but any NaN for a NaN.
template <class T> bool same(T x, T y) {
  if constexpr (std::is_floating_point_v<T>)
    if (x != x) return y != y;
  return std::memcmp(&x, &y, sizeof x) == 0;
}

template <class T> void check(const char* row, const char* combine) {
  constexpr std::size_t stride = 700, rows = 9;
  const std::vector<T> a = operands<T>(stride * rows);
  const int type = static_cast<int>(kernel::dtype_of<T>);
  for (Isa isa : isas()) {
    const auto& tiles = kernel::tiles_for(isa);
    const RowsFns fns = tiles.rows_fns(row, kernel::dtype_of<T>);
    ASSERT_NE(fns.each, nullptr) << row << " dtype " << type;
    for (std::size_t n : {1, 2, 3, 5, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 128, 500, 512, 600}) {
      std::vector<T> each(rows + 1, a[0]), fold(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n) + 1),
          expected = fold;
      fns.each(each.data(), a.data(), n, rows, stride);
      fns.fold(fold.data(), a.data() + stride, n, rows - 1, stride);
      for (std::size_t r = 0; r < rows; ++r) {
        T one{};
        void* regs[2] = {&one, const_cast<T*>(a.data() + r * stride)};
        Ins ins{tiles.find(row)->fn[type], 0, 1, 0, 0, 1, 0, 0, 0, 0};
        ins.fn(regs, &ins, n);
        ASSERT_TRUE(same(each[r], one)) << row << " dtype " << type << " n " << n << " row " << r;
        if (r == 0) continue;
        void* three[3] = {expected.data(), expected.data(), const_cast<T*>(a.data() + r * stride)};
        Ins add{tiles.find(combine)->fn[type], 0, 1, 2, 0, 1, 1, 0, 0, 0};
        add.fn(three, &add, n);
      }
      ASSERT_TRUE(same(each[rows], a[0])) << "wrote too much";
      for (std::size_t j = 0; j <= n; ++j)
        ASSERT_TRUE(same(fold[j], expected[j])) << combine << " dtype " << type << " n " << n << " column " << j;
    }
  }
}

template <class T> void check_all() {
  check<T>("reduce_sum", "add"), check<T>("reduce_prod", "mul"), check<T>("reduce_max", "max"),
      check<T>("reduce_min", "min");
  if constexpr (std::is_integral_v<T>)
    check<T>("reduce_and", "and"), check<T>("reduce_or", "or"), check<T>("reduce_xor", "xor");
}

TEST(Rows, EqualOneByOne) {
  check_all<float>(), check_all<double>();
  check_all<std::int8_t>(), check_all<std::uint16_t>(), check_all<std::int32_t>(), check_all<std::uint64_t>();
}

// Sums of values that are computed on the way.
template <class T> void check_computed() {
  constexpr std::size_t stride = 600, rows = 9;
  const std::vector<T> a = operands<T>(stride * rows + 1), b = operands<T>(stride * rows);
  const T* const x = a.data() + 1;
  std::vector<T> splat(16, T(1.5));
  const int type = static_cast<int>(kernel::dtype_of<T>);
  for (Isa isa : isas()) {
    const auto& tiles = kernel::tiles_for(isa);
    const RowsFns fns = tiles.rows_fns("reduce_sum", kernel::dtype_of<T>);
    for (const auto& [name, each] : {std::pair("mul", fns.each_product), {"sub_square", fns.each_squared_difference}})
      for (bool repeated : {false, true})
        for (std::size_t n : {1, 2, 3, 8, 15, 16, 17, 33, 63, 64, 65, 100, 128, 500, 512}) {
          const T* const y = repeated ? splat.data() : b.data();
          std::vector<T> sums(rows + 1, a[0]), values(n);
          each(sums.data(), x, y, repeated, n, rows, stride);
          for (std::size_t r = 0; r < rows; ++r) {
            T one{};
            void* regs[4] = {values.data(), const_cast<T*>(x + r * stride),
                             const_cast<T*>(repeated ? y : y + r * stride), &one};
            Ins compute{tiles.find(name)->fn[type], 0, 1, 2, 0, 1, static_cast<std::uint8_t>(!repeated), 1, 0, 0};
            compute.fn(regs, &compute, n);
            Ins sum{tiles.find("reduce_sum")->fn[type], 3, 0, 0, 0, 1, 0, 0, 0, 0};
            sum.fn(regs, &sum, n);
            ASSERT_TRUE(same(sums[r], one)) << name << " dtype " << type << " n " << n << " row " << r;
          }
          ASSERT_TRUE(same(sums[rows], a[0])) << "wrote too much";
        }
  }
}
TEST(Rows, SumsOfComputedValues) { check_computed<float>(), check_computed<double>(); }

// 16-bit floats make the partial results of the float32 values that they are.
template <class H> void check_halves() {
  constexpr std::size_t stride = 600, rows = 9;
  std::mt19937_64 g(11);
  std::vector<H> narrow(stride * rows);
  std::vector<float> wide;
  for (H& h : narrow) {
    h.bits = static_cast<std::uint16_t>(g());
    wide.push_back(kernel::half_to_float(h));
  }
  for (Isa isa : isas())
    for (const char* name : {"reduce_sum", "reduce_prod", "reduce_max", "reduce_min"}) {
      const RowsFns half = kernel::tiles_for(isa).rows_fns(name, kernel::dtype_of<H>),
                    whole = kernel::tiles_for(isa).rows_fns(name, DType::float32);
      for (std::size_t n : {1, 2, 5, 15, 16, 17, 33, 64, 100, 512}) {
        std::vector<float> got(rows), expected(rows), fold(n, 1.5f), expected_fold = fold;
        half.each(got.data(), narrow.data(), n, rows, stride);
        whole.each(expected.data(), wide.data(), n, rows, stride);
        half.fold(fold.data(), narrow.data(), n, rows, stride);
        whole.fold(expected_fold.data(), wide.data(), n, rows, stride);
        for (std::size_t r = 0; r < rows; ++r)
          ASSERT_TRUE(same(got[r], expected[r])) << name << " n " << n << " row " << r;
        for (std::size_t j = 0; j < n; ++j)
          ASSERT_TRUE(same(fold[j], expected_fold[j])) << name << " n " << n << " column " << j;
      }
    }
}
TEST(Rows, HalvesAsFloats) {
  check_halves<BFloat16>();
  check_halves<Float16>();
}

}  // namespace
}  // namespace cotan::tile_test

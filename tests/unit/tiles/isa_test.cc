// Every tile function gives the same bits on every instruction set that this CPU has, NaN payloads aside: the whole registry on
// random bit patterns and plain numbers. And the registry itself.
#include "unit/tiles/tile_check.h"

#include <cstdlib>

namespace cotan::tile_test {
namespace {

constexpr std::size_t count = 1000;
constexpr std::size_t widest = 16;

// `count` elements of type d: half of them any bits, half moderate numbers.
std::vector<char> operand(DType d, std::uint64_t seed) {
  std::mt19937_64 g(seed);
  std::vector<char> out((count + 8) * widest);
  auto put = [&](std::size_t i, auto value) { std::memcpy(out.data() + i * sizeof value, &value, sizeof value); };
  for (std::size_t i = 0; i < count; ++i) {
    switch (d) {
      case DType::bool_: put(i, random_value<Bool>(g)); break;
      case DType::float32: put(i, random_value<float>(g)); break;
      case DType::float64: put(i, random_value<double>(g)); break;
      case DType::complex64: put(i, random_value<Complex<float>>(g)); break;
      case DType::complex128: put(i, random_value<Complex<double>>(g)); break;
      case DType::bfloat16: put(i, i % 2 == 0 ? to_bfloat16(random_value<float>(g)) : random_value<BFloat16>(g)); break;
      case DType::float16: put(i, i % 2 == 0 ? to_float16(random_value<float>(g)) : random_value<Float16>(g)); break;
      default: {
        const std::uint64_t bits[2] = {g() % 4 == 0 ? g() : g() % 70, g()};
        std::memcpy(out.data() + i * item_size(d), bits, item_size(d));
      }
    }
  }
  return out;
}

DType result_type(const kernel::TileOp& op, DType d) {
  const std::string name = op.name;
  if (op.predicate) return DType::bool_;
  if (name == "argmax" || name == "argmin") return DType::int64;
  if (name == "abs" || name == "real" || name == "imag") return real_dtype(d);
  if (name == "complex") return complex_dtype(d);
  return d;
}

template <class T> std::size_t first_difference(const std::vector<char>& x, const std::vector<char>& y) {
  for (std::size_t i = 0; i < x.size() / sizeof(T); ++i) {
    T a, b;
    std::memcpy(&a, x.data() + i * sizeof(T), sizeof a), std::memcpy(&b, y.data() + i * sizeof(T), sizeof b);
    if (!same(a, b)) return i;
  }
  return x.size();
}
std::size_t difference(DType d, const std::vector<char>& x, const std::vector<char>& y) {
  switch (d) {
    case DType::float32:
    case DType::complex64: return first_difference<float>(x, y);
    case DType::float64:
    case DType::complex128: return first_difference<double>(x, y);
    case DType::bfloat16: return first_difference<BFloat16>(x, y);
    case DType::float16: return first_difference<Float16>(x, y);
    default: return first_difference<std::uint8_t>(x, y);
  }
}

std::vector<char> run(TileFn fn, const std::vector<char> (&in)[3], DType first, DType rest, DType result, std::size_t n,
                      int steps, std::uint32_t aux) {
  std::vector<char> out((n + 1) * item_size(result), '\0');
  const std::size_t size[3] = {item_size(first), item_size(rest), item_size(rest)};
  alignas(64) char splats[3][64];
  void* regs[4] = {out.data()};
  for (int j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < sizeof splats[j]; ++i) splats[j][i] = in[j][i % size[j]];
    regs[j + 1] = (steps >> j & 1) != 0 ? const_cast<char*>(in[j].data()) : splats[j];
  }
  Ins ins{fn, 0, 1, 2, 3, std::uint8_t(steps & 1), std::uint8_t(steps >> 1 & 1), std::uint8_t(steps >> 2 & 1), 0, aux};
  fn(regs, &ins, n);
  return out;
}

// One that the operation accepts.
std::uint32_t immediate(const std::string& op, int steps) {
  if (op == "integer_pow") return 5;
  if (op == "reduce_precision") return 5 << 8 | 7;  // bits of the exponent and of the mantissa
  return static_cast<std::uint32_t>(steps & 1);
}

TEST(IsaTiles, WholeRegistryAgrees) {
  const auto list = isas();
  int compared = 0;
  for (const kernel::TileOp& op : kernel::tiles_for(list[0]).all()) {
    for (int t = 0; t < dtype_count; ++t) {
      if (op.fn[t] == nullptr) continue;
      const auto d = static_cast<DType>(t);
      const DType first = std::string(op.name) == "select" ? DType::bool_ : d, result = result_type(op, d);
      const std::vector<char> in[3] = {operand(first, 11), operand(d, 22), operand(d, 33)};
      for (std::size_t i = 1; i < list.size(); ++i) {
        const kernel::TileOp* other = kernel::tiles_for(list[i]).find(op.name);
        ASSERT_NE(other, nullptr) << op.name;
        ASSERT_NE(other->fn[t], nullptr) << op.name;
        for (std::size_t n : {count, std::size_t{1}, std::size_t{5}, std::size_t{37}}) {
          for (int steps : {7, 1, 2, 3}) {
            const std::uint32_t aux = immediate(op.name, steps);
            const auto x = run(op.fn[t], in, first, d, result, n, steps, aux),
                       y = run(other->fn[t], in, first, d, result, n, steps, aux);
            EXPECT_EQ(difference(result, x, y), x.size())
                << op.name << " of " << dtype_name(d) << ", n " << n << ", steps " << steps;
          }
        }
        ++compared;
      }
    }
  }
  if (list.size() > 1) { EXPECT_GT(compared, 400); }
}

TEST(IsaTiles, ConversionsAgree) {
  const auto list = isas();
  for (int from = 0; from <= static_cast<int>(DType::complex128); ++from) {
    for (int to = 0; to <= static_cast<int>(DType::complex128); ++to) {
      const auto f = static_cast<DType>(from), t = static_cast<DType>(to);
      const std::vector<char> in[3] = {operand(f, 44), operand(f, 1), operand(f, 1)};
      ASSERT_NE(kernel::tiles_for(list[0]).convert_fn(f, t), nullptr);
      for (std::size_t i = 1; i < list.size(); ++i) {
        const auto x = run(kernel::tiles_for(list[0]).convert_fn(f, t), in, f, f, t, count, 1, 0);
        const auto y = run(kernel::tiles_for(list[i]).convert_fn(f, t), in, f, f, t, count, 1, 0);
        EXPECT_EQ(difference(t, x, y), x.size()) << dtype_name(f) << " to " << dtype_name(t);
      }
    }
  }
  EXPECT_EQ(kernel::tiles_for(list[0]).convert_fn(DType::float0, DType::float32), nullptr);
}

void nothing(void* const*, const Ins*, std::size_t) {}

TEST(TileRegistryDeathTest, RefusesDuplicates) {
  kernel::TileRegistry r(Isa::avx2);
  r.add("x", 1, DType::float32, nothing);
  r.add("x", 1, DType::float64, nothing);
  EXPECT_DEATH(r.add("x", 1, DType::float32, nothing), "registered twice: x");
  EXPECT_DEATH(r.add("x", 2, DType::int8, nothing), "disagree");
  EXPECT_EQ(r.find("y"), nullptr);
  EXPECT_EQ(r.find("x")->arity, 1);
  r.add_convert(DType::int8, DType::int16, nothing);
  EXPECT_DEATH(r.add_convert(DType::int8, DType::int16, nothing), "twice");
}
TEST(TileRegistryDeathTest, ChoiceOfIsa) {
  ops::install_tiles();
  EXPECT_DEATH(
      {
        setenv("COTAN_ISA", "sse9", 1);
        kernel::tiles();
      },
      "COTAN_ISA");
  for (Isa isa : isas()) {
    kernel::choose_isa_for_test(isa);
    EXPECT_EQ(kernel::tiles().isa(), isa);
  }
}

}  // namespace
}  // namespace cotan::tile_test

// Conversions: against golden values (tests/golden/convert.py), and on random values against plain C++.
#include <fstream>
#include <map>
#include <sstream>

#include "unit/tiles/tile_check.h"

namespace cotan::tile_test {
namespace {

const char* const names[15] = {"bool",    "int8",    "int16",   "int32",     "int64",
                               "uint8",   "uint16",  "uint32",  "uint64",    "bfloat16",
                               "float16", "float32", "float64", "complex64", "complex128"};
DType dtype_of_name(const std::string& name) {
  for (int i = 0; i < 15; ++i) {
    if (name == names[i]) return static_cast<DType>(i);
  }
  ADD_FAILURE() << name;
  return DType::bool_;
}

// The bytes of an element, from its hexadecimal text.
std::string bytes(const std::string& text, DType d) {
  std::string out;
  const std::size_t part = item_size(d) / (is_complex(d) ? 2 : 1);
  std::stringstream parts(text);
  for (std::string p; std::getline(parts, p, ',');) {
    const std::uint64_t v = std::stoull(p, nullptr, 16);
    out.append(reinterpret_cast<const char*>(&v), part);  // little endian
  }
  return out;
}
bool nan_bits(const char* p, DType d) {
  std::uint64_t v = 0;
  std::memcpy(&v, p, item_size(d));
  switch (d) {
    case DType::bfloat16: return (v & 0x7fff) > 0x7f80;
    case DType::float16: return (v & 0x7fff) > 0x7c00;
    case DType::float32: return (v & 0x7fffffff) > 0x7f800000;
    case DType::float64: return (v & 0x7fffffffffffffff) > 0x7ff0000000000000;
    default: return false;
  }
}
bool same_bytes(const std::string& x, const std::string& y, DType d) {
  if (!is_complex(d)) return x == y || (nan_bits(x.data(), d) && nan_bits(y.data(), d));
  const std::size_t half = x.size() / 2;
  return same_bytes(x.substr(0, half), y.substr(0, half), real_dtype(d)) &&
         same_bytes(x.substr(half), y.substr(half), real_dtype(d));
}

TEST(ConvertTiles, Golden) {
  std::ifstream file(COTAN_SOURCE_DIR "/tests/golden/convert.txt");
  ASSERT_TRUE(file);
  int pairs = 0;
  for (std::string line; std::getline(file, line); ++pairs) {
    std::stringstream in(line);
    std::string from_name, to_name, item;
    in >> from_name >> to_name;
    to_name.pop_back();
    const DType from = dtype_of_name(from_name), to = dtype_of_name(to_name);
    std::vector<std::string> inputs, outputs, texts;
    while (in >> item) {
      const std::size_t eq = item.find('=');
      inputs.push_back(bytes(item.substr(0, eq), from)), outputs.push_back(bytes(item.substr(eq + 1), to)),
          texts.push_back(item);
    }
    const std::size_t count = inputs.size();
    std::string source(item_size(from), '\0');  // aligned to the element only
    for (int repeat = 0; repeat < 3; ++repeat) {
      for (const std::string& s : inputs) source += s;
    }
    for (Isa isa : isas()) {
      TileFn fn = kernel::tiles_for(isa).convert_fn(from, to);
      ASSERT_NE(fn, nullptr) << line;
      for (std::size_t n : {count * 3, count, std::size_t{1}, std::size_t{0}}) {
        std::string result(n * item_size(to) + 1, '\x5a');
        void* regs[2] = {result.data(), source.data() + item_size(from)};
        Ins ins{fn, 0, 1, 0, 0, 1, 0, 0, 0, 0};
        fn(regs, &ins, n);
        EXPECT_EQ(result.back(), '\x5a');
        for (std::size_t i = 0; i < n; ++i) {
          EXPECT_TRUE(same_bytes(result.substr(i * item_size(to), item_size(to)), outputs[i % count], to))
              << from_name << " to " << to_name << " " << texts[i % count] << " isa " << static_cast<int>(isa)
              << " element " << i;
        }
      }
    }
  }
  EXPECT_EQ(pairs, 225);
}

template <class To, class From, class F> void check_convert(F f) {
  for (Isa isa : isas()) {
    TileFn fn = kernel::tiles_for(isa).convert_fn(kernel::dtype_of<From>, kernel::dtype_of<To>);
    Check<To, From> c{
        "convert", fn, 1, [f](From x, From, From) -> To { return f(x); }, 0, [](To x, To y) { return same(x, y); },
        {},        {}, {}};
    c.fill(9);
    c.run_all();
  }
}
// Splats, all lengths, aliasing where sizes agree; random bit patterns.
TEST(ConvertTiles, Loops) {
  check_convert<BFloat16, float>([](float x) { return to_bfloat16(x); });
  check_convert<Float16, float>([](float x) { return to_float16(x); });
  check_convert<BFloat16, double>([](double x) { return to_bfloat16(x); });
  check_convert<Float16, double>([](double x) { return to_float16(x); });
  check_convert<float, BFloat16>([](BFloat16 x) { return to_float(x); });
  check_convert<float, Float16>([](Float16 x) { return to_float(x); });
  check_convert<double, Float16>([](Float16 x) { return double{to_float(x)}; });
  check_convert<float, double>([](double x) { return static_cast<float>(x); });
  check_convert<double, std::int32_t>([](std::int32_t x) { return static_cast<double>(x); });
  check_convert<float, std::uint32_t>([](std::uint32_t x) { return static_cast<float>(x); });
  check_convert<float, std::uint64_t>([](std::uint64_t x) { return static_cast<float>(x); });
  check_convert<double, std::uint64_t>([](std::uint64_t x) { return static_cast<double>(x); });
  check_convert<std::int32_t, float>([](float x) {
    return std::isnan(x)  ? 0
           : x >= 0x1p31f ? 2147483647
           : x < -0x1p31f ? std::numeric_limits<std::int32_t>::min()
                          : static_cast<std::int32_t>(x);
  });
  check_convert<std::uint8_t, double>([](double x) {
    return static_cast<std::uint8_t>(std::isnan(x) || x <= 0 ? 0 : x >= 255 ? 255 : static_cast<int>(x));
  });
  check_convert<std::uint64_t, float>([](float x) {
    return std::isnan(x) || x <= 0 ? 0 : x >= 0x1p64f ? ~std::uint64_t{0} : static_cast<std::uint64_t>(x);
  });
  check_convert<std::int8_t, std::uint64_t>([](std::uint64_t x) { return static_cast<std::int8_t>(x); });
  check_convert<std::uint64_t, std::int8_t>([](std::int8_t x) { return static_cast<std::uint64_t>(x); });
  check_convert<Bool, float>([](float x) { return Bool{static_cast<std::uint8_t>(x != 0)}; });
  check_convert<Complex<double>, float>([](float x) { return Complex<double>{x, 0}; });
  check_convert<float, Complex<double>>([](Complex<double> x) { return static_cast<float>(x.re); });
}

}  // namespace
}  // namespace cotan::tile_test

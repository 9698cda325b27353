// Prints, for each elementary function and type, a hash of its results over fixed samples; NaNs count as one value. Two
// machines that print the same text have the same bits. tools/test_aarch64.sh compares x86-64 with AArch64.
#include <cinttypes>
#include <cstdio>

#include "ops/complex_host.h"
#include "unit/elementary/elementary_support.h"

namespace {

using namespace cotan;
using namespace cotan::test;

struct Hash {
  std::uint64_t value = 14695981039346656037ull;
  template <class T> void add(T x) {
    std::uint64_t bits = 0;
    if (std::isnan(x)) {
      bits = 0x7ff8;
    } else {
      std::memcpy(&bits, &x, sizeof x);
    }
    value = (value ^ bits) * 1099511628211ull;
  }
};

template <class T> void print(const char* name, const std::vector<T>& x, const std::vector<T>& y = {}) {
  Hash h;
  for (T z : evaluate(elementary_tiles(available_isas().back()), name, float_dtype<T>, x, y)) h.add(z);
  std::printf("%s float%d %016" PRIx64 "\n", name, static_cast<int>(8 * sizeof(T)), h.value);
}

template <class T> void print_binary(const std::vector<T>& x) {
  const std::vector<T> reversed(x.rbegin(), x.rend());
  print("pow", x, reversed);
  print("atan2", x, reversed);
}

void print_complex(const char* name, kernel::Complex128 (*f)(kernel::Complex128), const std::vector<double>& x) {
  Hash h;
  for (std::size_t i = 1; i < x.size(); i += 7) {
    const kernel::Complex128 z = f({x[i - 1], x[i]});
    h.add(z.re);
    h.add(z.im);
  }
  std::printf("%s complex128 %016" PRIx64 "\n", name, h.value);
}

}  // namespace

int main() {
  const std::vector<float> x32 = float32_samples();
  const std::vector<double> x64 = float64_samples(20000);
  for (const Unary& f : unary_functions()) {
    print(f.name, x32);
    print(f.name, x64);
  }
  print_binary(x32);
  print_binary(x64);
#define COTAN_PRINT(f) print_complex(#f, ops::host::f, x64);
  COTAN_COMPLEX_UNARY(COTAN_PRINT)
}

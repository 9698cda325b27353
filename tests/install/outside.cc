#include <cotan/cotan.h>

#include <cstdio>

namespace ct = cotan;
using ct::Array;

static Array cube(const Array& x) { return x * x * x; }

int main() {
  const float slope = ct::jit(ct::grad(cube))(2.0).item<float>();
  if (slope != 12.0f) {
    std::fprintf(stderr, "the slope of x^3 at 2 is 12, not %g\n", static_cast<double>(slope));
    return 1;
  }
  std::puts("outside ok");
}

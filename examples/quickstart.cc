#include <cotan/cotan.h>

#include <iostream>

namespace ct = cotan;
namespace jnp = cotan::numpy;
using ct::Array;

struct Line {  // a plain struct is a pytree: no registration
  Array slope, offset;
};

Array loss(const Line& line, const Array& x, const Array& y) {
  return jnp::sum(jnp::square(line.slope * x + line.offset - y));
}

int main() {
  const Array x = jnp::array({0.0, 1.0, 2.0, 3.0});
  const Array y = jnp::array({1.0, 3.0, 5.0, 7.0});
  Line line{0.0, 0.0};

  auto step = ct::jit(ct::value_and_grad(loss));
  for (int i = 0; i < 200; ++i) {
    auto [value, gradient] = step(line, x, y);
    line = ct::tree::map([](const Array& p, const Array& g) { return p - 0.02 * g; }, line, gradient);
  }
  std::cout << line.slope << " x + " << line.offset << "\n";

  // One gradient for each point, and the program that computes it.
  auto each = ct::vmap(ct::grad(loss), ct::in_axes(ct::none, 0, 0));
  std::cout << each(line, x, y).slope << "\n" << ct::make_jaxpr(each)(line, x, y) << "\n";
}

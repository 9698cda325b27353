// The Lorenz system by the method of Runge and Kutta: sensitivities to the start and the largest Lyapunov exponent.
#include <cotan/cotan.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

namespace ct = cotan;
namespace jnp = cotan::numpy;
namespace lax = cotan::lax;
using ct::Array;

namespace {

constexpr double sigma = 10, rho = 28, beta = 8.0 / 3, dt = 0.01;

Array velocity(const Array& u) {
  const Array x = u(0), y = u(1), z = u(2);
  return jnp::stack({sigma * (y - x), x * (rho - z) - y, x * y - beta * z});
}

Array step(const Array& u) {
  const Array k1 = velocity(u);
  const Array k2 = velocity(u + dt / 2 * k1);
  const Array k3 = velocity(u + dt / 2 * k2);
  const Array k4 = velocity(u + dt * k3);
  return u + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

Array advance(const Array& u, const Array& steps) {  // a loop whose length is an argument
  return lax::fori_loop(
      0, steps, [](const Array&, const Array& v) { return step(v); }, u);
}

Array after_one(const Array& u) {  // the state one unit of time later, by a loop of known length
  return lax::fori_loop(
      0, 100, [](const Array&, const Array& v) { return step(v); }, u);
}

struct Growing {
  Array u, difference;
};

// The mean growth of a small difference per unit of time: its length is made 1 again after each step (Benettin, 1980).
Array lyapunov(const Array& u) {
  const auto grow = [](const Growing& s, const ct::none_t&) {
    const auto [v, w] = ct::jvp(step, s.u, s.difference);
    const Array norm = jnp::sqrt(jnp::dot(w, w));
    return std::pair(Growing{v, w / norm}, jnp::log(norm));
  };
  const Growing start{u, jnp::array({1.0, 0.0, 0.0})};
  return jnp::mean(lax::scan(grow, start, ct::none, {.length = 60000}).second) / dt;
}

std::string text(const Array& u) {
  std::string out;
  for (int i = 0; i < 3; ++i) {
    char number[32];
    std::snprintf(number, sizeof number, " %.3f", u(i).item<double>());
    out += number;
  }
  return out;
}

}  // namespace

int main() {
  const Array start = ct::jit(advance)(jnp::array({1.0, 1.0, 1.0}), 500);  // on the attractor
  std::printf("from%s to%s\n", text(start).c_str(), text(ct::jit(after_one)(start)).c_str());

  const Array forward = ct::jit(ct::jacfwd(after_one))(start), reverse = ct::jit(ct::jacrev(after_one))(start);
  const double largest = jnp::max(jnp::abs(forward)).item<double>();
  const double difference = jnp::max(jnp::abs(forward - reverse)).item<double>() / largest;
  std::printf("d end / d start: largest %.3f\n", largest);
  const double exponent = ct::jit(lyapunov)(start).item<double>();
  std::printf("largest Lyapunov exponent %.1f\n", exponent);
  const bool right = difference < 1e-5 && std::abs(exponent - 0.906) < 0.03;
  std::puts(right ? "lorenz ok" : "lorenz: the numbers are wrong");
  return right ? 0 : 1;
}

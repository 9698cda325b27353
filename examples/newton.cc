// Newton's method in a while_loop, differentiated through its solution instead of its steps.
#include <cotan/cotan.h>

#include <cstdio>
#include <utility>

namespace ct = cotan;
namespace jnp = cotan::numpy;
namespace lax = cotan::lax;
using ct::Array;

namespace {

struct Search {
  Array x, last_move, count;
};

// A root of f near the guess; f takes and gives a number.
template <class F> Array newton(F f, const Array& guess) {
  const auto unfinished = [](const Search& s) { return (jnp::abs(s.last_move) > 1e-6) & (s.count < 50); };
  const auto improve = [f](const Search& s) {
    const auto [value, slope] = ct::value_and_grad(f)(s.x);
    const Array move = value / slope;
    return Search{s.x - move, move, s.count + 1};
  };
  return lax::while_loop(unfinished, improve, Search{guess, jnp::ones_like(guess), 0}).x;
}

// The x with f(x, p) = 0. By the theorem of implicit functions dx = -(df/dp dp) / (df/dx).
template <auto f, class P> Array root(const P& p, const Array& guess) {
  static const auto solution = ct::custom_jvp(
      [](const P& q, const Array& start) { return newton([q](const Array& x) { return f(x, q); }, start); },
      [](const P& q, const Array& start, const P& dq, const Array&) {
        const Array x = root<f>(q, start);  // this function again: it has derivatives of every order
        const Array change = ct::jvp([x](const P& r) { return f(x, r); }, q, dq).second;
        return std::pair(x, -change / ct::grad([q](const Array& y) { return f(y, q); })(x));
      });
  return solution(p, guess);
}

Array cube_root(const Array& a) {
  constexpr auto f = [](const Array& x, const Array& cube) { return x * x * x - cube; };
  return root<f>(a, jnp::ones_like(a));
}

struct Orbit {
  Array e, m;
};
// The eccentric anomaly E of Kepler's equation, E - e sin E = M.
Array anomaly(const Orbit& o) {
  constexpr auto f = [](const Array& x, const Orbit& orbit) { return x - orbit.e * jnp::sin(x) - orbit.m; };
  return root<f>(o, o.m + o.e);
}

}  // namespace

int main() {
  const Array a = jnp::array({0.5, 1.0, 8.0, 27.0});
  const auto slope = ct::grad(cube_root);
  const Array roots = ct::jit(ct::vmap(cube_root))(a), slopes = ct::jit(ct::vmap(slope))(a);
  const Array curvatures = ct::jit(ct::vmap(ct::grad(slope)))(a);
  for (int i = 0; i < 4; ++i)
    std::printf("a %6.3f  root %.4f  slope %.4f  second %8.4f\n", a(i).item<double>(), roots(i).item<double>(),
                slopes(i).item<double>(), curvatures(i).item<double>());
  const auto close = [](const Array& got, const Array& want) { return bool(jnp::allclose(got, want, 1e-5)); };
  bool right =
      close(roots, jnp::cbrt(a)) && close(slopes, roots / (3 * a)) && close(curvatures, -2 * roots / (9 * a * a));

  const Orbit orbits{jnp::array({0.1, 0.5, 0.9}), jnp::array({0.5, 1.5, 2.5, 3.0})};
  const auto over = [](auto g) {
    return ct::jit(ct::vmap(ct::vmap(g, ct::in_axes({ct::none, 0})), ct::in_axes({0, ct::none})));
  };
  const Array kepler = over(anomaly)(orbits), e = orbits.e(ct::all, ct::newaxis);
  const Orbit by = over(ct::grad(anomaly))(orbits);
  for (int i = 0; i < 3; ++i)
    std::printf("E %.4f %.4f %.4f %.4f\n", kepler(i, 0).item<double>(), kepler(i, 1).item<double>(),
                kepler(i, 2).item<double>(), kepler(i, 3).item<double>());
  right = right && close(kepler - e * jnp::sin(kepler), orbits.m) &&
          close(by.e, jnp::sin(kepler) / (1 - e * jnp::cos(kepler))) && close(by.m, 1 / (1 - e * jnp::cos(kepler)));
  std::puts(right ? "newton ok" : "newton: the derivatives are wrong");
  return right ? 0 : 1;
}

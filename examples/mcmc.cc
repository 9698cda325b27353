// Metropolis' algorithm: 1,000 chains under one vmap find the mean and variance of a distribution known up to a factor.
#include <cotan/cotan.h>

#include <cmath>
#include <cstdio>
#include <numbers>

namespace ct = cotan;
namespace jnp = cotan::numpy;
using ct::Array;

namespace {

constexpr int chains = 1000, warm_up = 200, steps = 2000;

// Gumbel's distribution, without its factor: mean 0.5772 (Euler's constant), variance pi^2 / 6.
Array log_density(const Array& x) { return -x - jnp::exp(-x); }

struct State {
  Array x, total, squares, accepted;
};

// The state after some steps, and the sums of x and x^2 over them.
State metropolis(const Array& key, const Array& start, int count) {
  const auto step = [key](const Array& i, const State& s) {
    const Array keys = ct::random::split(ct::random::fold_in(key, i));
    const Array proposal = s.x + 2.5 * ct::random::normal(keys(0));
    const Array accept = jnp::log(ct::random::uniform(keys(1))) < log_density(proposal) - log_density(s.x);
    const Array x = jnp::where(accept, proposal, s.x);
    return State{x, s.total + x, s.squares + x * x, s.accepted + accept};
  };
  return ct::lax::fori_loop(0, count, step, State{start, 0.0, 0.0, 0});
}

struct Summary {
  Array mean, square, accepted;
};

Summary chain(const Array& key) {
  const Array keys = ct::random::split(key, 3);
  const State warm = metropolis(keys(0), ct::random::normal(keys(2)), warm_up);
  const State s = metropolis(keys(1), warm.x, steps);
  return {s.total / steps, s.squares / steps, s.accepted / steps};
}

}  // namespace

int main() {
  const Summary all = ct::jit(ct::vmap(chain))(ct::random::split(ct::random::key(0), chains));
  const double mean = jnp::mean(all.mean).item<double>();
  const double variance = jnp::mean(all.square).item<double>() - mean * mean;
  const double error = jnp::std(all.mean).item<double>() / std::sqrt(double(chains));
  std::printf("%d chains of %d steps, %.2f of the moves accepted\n", chains, steps,
              jnp::mean(all.accepted).item<double>());
  std::printf("mean %.3f +- %.3f, variance %.2f\n", mean, error, variance);
  constexpr double pi = std::numbers::pi;
  const bool right =
      std::abs(mean - std::numbers::egamma) < 4 * error && error < 0.01 && std::abs(variance - pi * pi / 6) < 0.05;
  std::puts(right ? "mcmc ok" : "mcmc: the chains have not converged");
  return right ? 0 : 1;
}

// A Kalman filter as a scan; the gradient of its likelihood finds how noisy a sensor is.
#include <cotan/cotan.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

namespace ct = cotan;
namespace jnp = cotan::numpy;
namespace lax = cotan::lax;
using ct::Array;

namespace {

constexpr int steps = 400;
constexpr double push = 0.1, true_noise = 1.5;

struct Model {
  Array f = jnp::array({{1.0, 1.0}, {0.0, 1.0}});                 // position and velocity, a unit of time later
  Array q = push * push * jnp::array({{0.25, 0.5}, {0.5, 1.0}});  // from random accelerations
};

struct Track {
  Array position, seen;
};
// Positions of a track, and what a noisy sensor sees of them.
Track simulate(const Array& key) {
  const auto move = [f = Model().f](const Array& state, const Array& noise) {
    const Array next = jnp::dot(f, state) + noise(0) * push * jnp::array({0.5, 1.0});
    return std::pair(next, Track{next(0), next(0) + noise(1) * true_noise});
  };
  return lax::scan(move, jnp::zeros(2), ct::random::normal(key, {steps, 2})).second;
}

struct State {
  Array mean, cov;
};
// The mean negative log-likelihood of what was seen, and the filtered positions.
std::pair<Array, Array> kalman(const Array& log_noise, const Array& seen) {
  const Array r = jnp::exp(2 * log_noise);
  const auto update = [r, model = Model()](const State& state, const Array& y) {
    const Array mean = jnp::dot(model.f, state.mean);
    const Array cov = jnp::dot(jnp::dot(model.f, state.cov), model.f.T()) + model.q;
    const Array error = y - mean(0), variance = cov(0, 0) + r;
    const Array gain = cov(ct::all, 0) / variance;
    const State next{mean + gain * error, cov - jnp::outer(gain, cov(0))};
    const Array loss = 0.5 * (jnp::log(2 * std::numbers::pi * variance) + error * error / variance);
    return std::pair(next, std::pair(loss, next.mean(0)));
  };
  const State start{jnp::zeros(2), 10.0 * jnp::eye(2)};
  const auto [losses, positions] = lax::scan(update, start, seen).second;
  return {jnp::mean(losses), positions};
}

double rms(const Array& x) { return jnp::sqrt(jnp::mean(x * x)).item<double>(); }

}  // namespace

int main() {
  const auto [track, seen] = simulate(ct::random::key(4));
  const auto step = ct::jit(ct::value_and_grad(kalman, ct::has_aux));
  Array log_noise = jnp::log(5.0), positions;
  double first = 0, last = 0, slope = 0;
  for (int i = 0; i <= 40; ++i) {
    const auto [value, gradient] = step(log_noise, seen);
    last = value.first.item<double>(), slope = gradient.item<double>(), positions = value.second;
    if (i == 0) first = last;
    if (i % 10 == 0) std::printf("step %2d  noise %.3f  loss %.4f\n", i, jnp::exp(log_noise).item<double>(), last);
    log_noise = log_noise - 0.5 * gradient;
  }
  const double sensor = rms(seen - track), filter = rms(positions - track);
  std::printf("error of the sensor %.3f, of the filter %.3f\n", sensor, filter);
  const double noise = jnp::exp(log_noise).item<double>();
  const bool right =
      last < first && std::abs(slope) < 1e-3 && std::abs(noise - true_noise) < 0.15 && filter < 0.7 * sensor;
  std::puts(right ? "kalman ok" : "kalman: the filter is wrong");
  return right ? 0 : 1;
}

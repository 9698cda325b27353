// A recurrent network, a scan over the years, learns to predict next year's number of sunspots.
#include <cotan/cotan.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ct = cotan;
namespace jnp = cotan::numpy;
using ct::Array, ct::slice;

namespace {

constexpr int hidden = 16, steps = 600, train = 230;  // years 1700 to 1929 to train on, 1930 to 2008 to test

struct Network {
  Array in, state, bias, out;
};

Network make_network(const Array& key) {
  const Array keys = ct::random::split(key, 3);
  return {ct::random::normal(keys(0), hidden), ct::random::normal(keys(1), {hidden, hidden}) / 4, jnp::zeros(hidden),
          ct::random::normal(keys(2), hidden) / 10};
}

// For every year the next year's number.
Array predict(const Network& net, const Array& series) {
  const auto year = [net](const Array& before, const Array& x) {
    const Array h = jnp::tanh(net.in * x + jnp::dot(net.state, before) + net.bias);
    return std::pair(h, x + jnp::dot(h, net.out));
  };
  return ct::lax::scan(year, jnp::zeros(hidden), series).second;
}

Array loss(const Network& net, const Array& series) {
  return jnp::mean(jnp::square(predict(net, series(slice(-1))) - series(slice(1, ct::none))));
}

struct Adam {
  Network net, mean, square;
};
Adam adam(const Adam& a, const Network& gradient, const Array& step) {
  const auto mean = ct::tree::map([](const Array& m, const Array& g) { return 0.9 * m + 0.1 * g; }, a.mean, gradient);
  const auto square =
      ct::tree::map([](const Array& s, const Array& g) { return 0.999 * s + 0.001 * g * g; }, a.square, gradient);
  const Array c1 = 1 - jnp::power(0.9, step), c2 = 1 - jnp::power(0.999, step);
  const auto move = [&](const Array& p, const Array& m, const Array& s) {
    return p - 0.001 * (m / c1) / (jnp::sqrt(s / c2) + 1e-8);
  };
  return {ct::tree::map(move, a.net, mean, square), mean, square};
}

Array load_series() {
  std::ifstream in(COTAN_EXAMPLES_DATA "/sunspots.txt");
  std::vector<float> values;
  for (double year, sunspots; in >> year >> sunspots;) values.push_back(static_cast<float>(sunspots / 100));
  if (values.size() != 309) throw std::runtime_error(COTAN_EXAMPLES_DATA "/sunspots.txt: 309 years expected");
  return jnp::array(values);
}

double rms_error(const Array& prediction, const Array& series) {
  const Array error = prediction(slice(train - 1, ct::none)) - series(slice(train, ct::none));
  return 100 * jnp::sqrt(jnp::mean(error * error)).item<double>();
}

}  // namespace

int main() {
  const Array series = load_series(), past = series(slice(train));
  const Network start = make_network(ct::random::key(0));
  const Network zeros = ct::tree::map([](const Array& p) { return jnp::zeros_like(p); }, start);
  Adam state{start, zeros, zeros};
  const auto slope = ct::jit(ct::value_and_grad(loss));
  const auto update = ct::jit(adam);
  double first = 0, last = 0;
  for (int step = 1; step <= steps; ++step) {
    const auto [value, gradient] = slope(state.net, past);
    state = update(state, gradient, double(step));
    last = value.item<double>();
    if (step == 1) first = last;
    if (step % 100 == 0 || step == 1) std::printf("step %3d  loss %.4f\n", step, last);
  }
  const double error = rms_error(ct::jit(predict)(state.net, series(slice(-1))), series);
  const double baseline = rms_error(series(slice(-1)), series);  // next year is as this year
  std::printf("error from 1930 on %.1f sunspots, of 'as this year' %.1f\n", error, baseline);
  const bool right = last < first / 4 && error < 0.75 * baseline;
  std::puts(right ? "rnn ok" : "rnn: the network has not learnt");
  return right ? 0 : 1;
}

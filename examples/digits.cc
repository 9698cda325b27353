// Trains a network of two layers on 1,797 handwritten digits.
#include <cotan/cotan.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "digits_data.h"

namespace ct = cotan;
namespace jnp = cotan::numpy;
namespace nn = cotan::nn;
using ct::Array;

namespace {

// Plain structs of Arrays: gradients and the optimiser's state have the same form, with no registration.
struct Layer {
  Array w, b;
};
struct Network {
  Layer hidden, output;
};

constexpr int pixels = 64, hidden = 128, classes = 10;
constexpr int epochs = 30, batch = 32;

Network make_network() {
  const Array keys = ct::random::split(ct::random::key(0));
  const auto layer = [](const Array& key, int in, int out) {
    return Layer{ct::random::normal(key, {in, out}) / jnp::sqrt(double(in)), jnp::zeros({out})};
  };
  return {layer(keys(0), pixels, hidden), layer(keys(1), hidden, classes)};
}

Array logits(const Network& net, const Array& x) {
  const Array h = nn::relu(jnp::dot(x, net.hidden.w) + net.hidden.b);
  return jnp::dot(h, net.output.w) + net.output.b;
}

// The mean cross-entropy; x: [..., 64], label: [...].
Array loss(const Network& net, const Array& x, const Array& label) {
  const Array target = nn::one_hot(label, classes);
  return -jnp::mean(jnp::sum(target * nn::log_softmax(logits(net, x)), -1));
}

// --- Adam ---------------------------------------------------------------------------------------------------------------------
struct Adam {
  Network mean, square;
  Array step;
};

Network zeros_like(const Network& net) {
  return ct::tree::map([](const Array& p) { return jnp::zeros_like(p); }, net);
}

std::pair<Network, Adam> descend(const Network& net, const Network& gradient, const Adam& adam) {
  constexpr double rate = 2e-3, b1 = 0.9, b2 = 0.999, tiny = 1e-8;
  const Adam next{
      ct::tree::map([](const Array& m, const Array& g) { return b1 * m + (1 - b1) * g; }, adam.mean, gradient),
      ct::tree::map([](const Array& s, const Array& g) { return b2 * s + (1 - b2) * g * g; }, adam.square, gradient),
      adam.step + 1.0};
  const Array c1 = 1.0 - jnp::power(b1, next.step), c2 = 1.0 - jnp::power(b2, next.step);
  const auto move = [&](const Array& p, const Array& m, const Array& s) {
    return p - rate * (m / c1) / (jnp::sqrt(s / c2) + tiny);
  };
  return {ct::tree::map(move, net, next.mean, next.square), next};
}

// --- data ---------------------------------------------------------------------------------------------------------------------
struct Set {
  std::vector<float> x;
  std::vector<int> label;
  std::size_t count() const { return label.size(); }
  void add(const Digits& d, std::size_t i) {
    x.insert(x.end(), d.pixels.begin() + static_cast<std::ptrdiff_t>(i * pixels),
             d.pixels.begin() + static_cast<std::ptrdiff_t>((i + 1) * pixels));
    label.push_back(d.labels[i]);
  }
  Array pixels_of(const std::vector<std::size_t>& order, std::size_t first, std::size_t n) const {
    std::vector<float> v;
    for (std::size_t k = first; k < first + n; ++k)
      v.insert(v.end(), x.begin() + static_cast<std::ptrdiff_t>(order[k] * pixels),
               x.begin() + static_cast<std::ptrdiff_t>((order[k] + 1) * pixels));
    return jnp::array(v).reshape({n, pixels});
  }
  Array labels_of(const std::vector<std::size_t>& order, std::size_t first, std::size_t n) const {
    std::vector<int> v;
    for (std::size_t k = first; k < first + n; ++k) v.push_back(label[order[k]]);
    return jnp::array(v);
  }
  std::vector<std::size_t> order() const {
    std::vector<std::size_t> v(count());
    std::iota(v.begin(), v.end(), std::size_t{0});
    return v;
  }
};

double accuracy(const Network& net, const Array& x, const Array& label) {
  return jnp::mean(jnp::argmax(logits(net, x), -1) == label).item<double>();
}

void run() {
  const Digits digits = load_digits();
  Set train, test;
  for (std::size_t i = 0; i < digits.count; ++i) (i % 5 == 4 ? test : train).add(digits, i);
  std::printf("%zu digits to train on, %zu to test on\n", train.count(), test.count());

  Network net = make_network();
  const Array test_x = test.pixels_of(test.order(), 0, test.count()),
              test_label = test.labels_of(test.order(), 0, test.count());
  Adam adam{zeros_like(net), zeros_like(net), jnp::zeros({})};
  const auto step = ct::jit(ct::value_and_grad(loss));
  const auto update = ct::jit(descend);
  std::vector<std::size_t> order = train.order();
  std::mt19937 shuffler(1);  // std::shuffle differs between standard libraries: written out
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[shuffler() % i]);
    double total = 0;
    int batches = 0;
    for (std::size_t i = 0; i + batch <= order.size(); i += batch, ++batches) {
      const auto [value, gradient] = step(net, train.pixels_of(order, i, batch), train.labels_of(order, i, batch));
      std::tie(net, adam) = update(net, gradient, adam);
      total += value.item<double>();
    }
    std::printf("epoch %2d  loss %.4f  test accuracy %.4f\n", epoch, total / batches,
                accuracy(net, test_x, test_label));
  }

  // How much each digit of the test set would still change the network: a gradient for every one, in one call.
  const auto each = ct::jit(ct::vmap(ct::grad(loss), ct::in_axes(ct::none, 0, 0)));
  const Network g = each(net, test_x, test_label);
  const auto squares = [](const Array& v) { return jnp::sum(jnp::square(v.reshape({v.shape()[0], -1})), 1); };
  const Array norms = jnp::sqrt(squares(g.hidden.w) + squares(g.hidden.b) + squares(g.output.w) + squares(g.output.b));
  std::printf("gradient norm per example: mean %.4f, max %.4f (digit %d of the test set)\n",
              jnp::mean(norms).item<double>(), jnp::max(norms).item<double>(), jnp::argmax(norms).item<int>());

  std::cout << "the loss of one batch:\n"
            << ct::make_jaxpr(loss)(net, test_x(ct::slice(batch)), test_label(ct::slice(batch))) << "\n";
  std::printf("test accuracy %.2f\n", accuracy(net, test_x, test_label));
}

}  // namespace

int main() {
  try {
    run();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "digits: %s\n", e.what());
    return 1;
  }
}

// Checks of random primitives that differences and loops cannot make.
#include "derived/samplers.h"

#include <cmath>
#include <string_view>

#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/random.h"
#include "ops/special.h"
#include "transforms/flat.h"

namespace cotan::derived {

namespace {

// By how much the distribution function changes along (1, slope) in (shape, sample), at most.
double drift(const Numbers& shape, const Numbers& sample, const Numbers& slope) {
  const double h = 1e-5;
  const auto p = [](double a, double x) {
    const Aval scalar{Shape(), DType::float64, false};
    return numbers_of(ops::igamma(array_of(scalar, {a}), array_of(scalar, {x})))[0].real();
  };
  double most = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const double a = shape[i].real(), x = sample[i].real(), d = slope[i].real();
    most = std::max(most, std::fabs(p(a + h, x + h * d) - p(a - h, x - h * d)) / (2 * h));
  }
  return most;
}

}  // namespace

std::string check_gamma_jvp(const Case& given) {
  Case c = given;
  c.in[1].dtype = DType::float64;
  const Arrays x = c.operands();
  const Array ones = array_of(c.in[1], Numbers(static_cast<std::size_t>(c.in[1].size()), 1.0));
  const auto r = flat_jvp(c.function(), x, {Tangent::zero_of(c.in[0]), Tangent(ones)});
  if (c.in[1].size() == 0) return "";
  if (r.tangents[0].is_zero()) return "the derivative is zero";
  const Numbers shape = numbers_of(x[1]), sample = numbers_of(r.primals[0]), slope = numbers_of(r.tangents[0].value());
  if (drift(shape, sample, slope) < 1e-7) return "";
  Numbers plain = sample, plain_slope = slope;  // of logarithms
  for (std::size_t i = 0; i < plain.size(); ++i)
    plain[i] = std::exp(sample[i].real()), plain_slope[i] = plain[i].real() * slope[i].real();
  return drift(shape, plain, plain_slope) < 1e-7 ? "" : "the distribution function of a sample moves with the shape";
}

std::string check_generator_batching(const Case& c) {
  const Aval& state = c.in[0];
  Aval states = state;
  states.shape.insert(0, 3);
  const Array x = operand(states, c.domain, 5);
  const std::vector<BatchedOutput> made = flat_vmap(c.function(), {x}, {0}, 3, "");
  const Array moved = with_batch_axis(made[0], 0, 3), bits = with_batch_axis(made[1], 0, 3);
  const auto words = static_cast<std::ptrdiff_t>(state.size());
  const Numbers all = numbers_of(x), first(all.begin(), all.begin() + words);
  Shape shape = c.out_avals()[1].shape;
  shape.insert(0, 3);
  for (auto algorithm : {ops::RandomAlgorithm::three_fry, ops::RandomAlgorithm::philox}) {
    const std::vector<Array> want =
        ops::rng_bit_generator(array_of(state, first), shape, c.out_avals()[1].dtype, algorithm);
    Numbers next = numbers_of(want[0]);
    next.insert(next.end(), all.begin() + words, all.end());
    if (same_bits(bits, want[1]) && same_bits(moved, array_of(states, next))) return "";
  }
  return "a batch of states does not share the sequence of the first";
}

namespace {

bool says(const Case& c, const char* param) { return c.str().find(param) != std::string::npos; }

// As random::uniform and random::normal record it: bits under the exponent of 1, less 1.
std::string check_floats(const Case& c) {
  const Arrays x = c.operands();
  const Aval out = c.out_avals()[0];
  const DType d = out.dtype;
  const bool narrow = d == DType::float32;
  const DType word = narrow ? DType::uint32 : DType::uint64;
  const Array bits = ops::random_bits(x[0], narrow ? 32 : 64, out.shape);
  const Array mantissa =
      ops::convert_element_type(ops::shift_right_logical(bits, ops::scalar(word, narrow ? 9 : 12)), d);
  const Array unit = ops::mul(mantissa, ops::scalar(d, narrow ? 0x1p-23 : 0x1p-52));
  Array want = ops::max(x[1], ops::add(ops::mul(unit, ops::sub(x[2], x[1])), x[1]));
  if (says(c, "normal=True")) want = ops::mul(ops::scalar(d, std::sqrt(2.0)), ops::erf_inv(want));
  return difference(c.apply(x)[0], want, 4 * epsilon_of(d), 4 * epsilon_of(d));
}

struct Moments {
  double mean, variance;
};
// Of a sample with these parameters.
Moments moments_of(const std::string& name, double first, double second) {
  if (name != "random_binomial") return {first, first};
  const double trials = std::floor(first);
  return {trials * second, trials * second * (1 - second)};
}

// Samples less their means over their deviations have mean 0 and variance 1. Keys are fixed, so this holds always or never.
std::string check_moments(Case c) {
  for (std::size_t i = 1; i < c.in.size(); ++i) c.in[i].shape.push_back(4000);
  if (c.in[1].size() == 0) return "";
  const Arrays x = c.operands();
  const Numbers drawn = numbers_of(c.apply(x)[0]), first = numbers_of(x[1]), second = numbers_of(x.back());
  const bool logarithms = says(c, "log_space=True");
  double n = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const double v = drawn[i].real(), sample = logarithms ? std::exp(v) : v;
    const Moments m = moments_of(c.primitive->name, first[i].real(), second[i].real());
    if (!(m.variance > 0)) {  // as many as there must be
      if (sample != m.mean) return "a sample without variance is not its mean";
      continue;
    }
    const double z = (sample - m.mean) / std::sqrt(m.variance);
    ++n, sum += z, squares += z * z;
  }
  const double mean = sum / std::sqrt(n), variance = squares / n;
  if (std::fabs(mean) < 4 && std::fabs(variance - 1) < 0.2) return "";
  return "over their deviations, the samples' sum is " + std::to_string(mean) + " deviations and their variance " +
         std::to_string(variance);
}

}  // namespace

bool is_drawn(const Primitive& p) {
  const std::string name = p.name;
  return name == "random_floats" || name == "random_gamma" || name == "random_poisson" || name == "random_binomial";
}
std::string check_drawn_values(const Case& c) {
  return c.primitive->name == std::string_view("random_floats") ? check_floats(c) : check_moments(c);
}

}  // namespace cotan::derived

// The samplers of random_sampler_rules.h for StableHLO: the same draws as of random_sampler_tiles.cc.
#include "ops/expand_lanes.h"
#include "ops/random_expand.h"
#include "ops/random_sampler_rules.h"
#include "ops/structural.h"

namespace cotan::ops {

namespace {

constexpr auto u32 = DType::uint32, f64 = DType::float64;

struct LaneDraws {
  WordPair key;
  // A multiple of 2^-53 that is none of 2^-52.
  Lanes operator()(const Lanes& i) const {
    const WordPair h = threefry_hash(key, {convert_element_type(i.array(), u32), scalar_int(u32, 0)});
    const Array low = shift_right_logical(h.first, scalar_int(u32, 12));
    const Lanes high_part(convert_element_type(h.second, f64)), low_part(convert_element_type(low, f64));
    return (high_part * 0x1p20 + low_part + 0.5) * 0x1p-52;
  }
};

// The key of each element: with n left for each of the keys, element i's is the hash of i.
WordPair element_keys(const Array& keys, const Shape& shape) {
  WordPair made;
  for (const WordPair& pair : word_pairs(keys)) {
    const WordPair h = threefry_hash(pair, {iota(u32, {1, shape[1]}, 1), scalar_int(u32, 0)});
    made = made.first.has_value() ? WordPair{bit_xor(made.first, h.first), bit_xor(made.second, h.second)} : h;
  }
  return made;
}

template <class F> Array sampled(std::span<const Array> in, const F& f) {
  const Shape& shape = in[1].shape();
  if (shape.size() == 0) return full(Aval{shape, f64, false}, 0);
  const Shape rows{in[0].size(), shape.size() / in[0].size()};
  const lanes::Within within(rows);
  const auto parameter = [&](std::size_t i) { return expand::double_lanes(reshape(in[i], rows)); };
  return reshape(f(parameter, LaneDraws{element_keys(in[0], rows)}).wide(), shape);
}

}  // namespace

Array expand_gamma(std::span<const Array> in, bool log_space) {
  return sampled(in, [&](const auto& parameter, const LaneDraws& draws) {
    return special::gamma_sample(parameter(1), draws, log_space);
  });
}
Array expand_poisson(std::span<const Array> in, double invalid) {
  return sampled(in, [&](const auto& parameter, const LaneDraws& draws) {
    return special::poisson_sample(parameter(1), draws, invalid);
  });
}
Array expand_binomial(std::span<const Array> in) {
  return sampled(in, [&](const auto& parameter, const LaneDraws& draws) {
    return special::binomial_sample(parameter(1), parameter(2), draws);
  });
}

}  // namespace cotan::ops

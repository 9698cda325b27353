// Expansions of the special functions of special_hyper_rules.h and special_complex_rules.h, and of Bessel's J.
#include "ops/expand.h"
#include "ops/expand_lanes.h"
#include "ops/special_complex_rules.h"
#include "ops/special_hyper_rules.h"
#include "ops/special_integrals_rules.h"

namespace cotan::ops {

namespace special {

namespace {

Array complex_of(const Pair<Lanes>& z) { return complex(z.re.wide(), z.im.wide()); }
Pair<Lanes> parts_of(const Array& z) { return {Lanes(real(z)), Lanes(imag(z))}; }

// --- Bessel's J_n(x) for whole n >= 0 and x > 0 -------------------------------------------------------------------------------------
// Of order 0 or 1 by Hankel's series, DLMF 10.17.3, for x > 30.
Lanes bessel_far(int order, const Lanes& x) {
  using State = std::array<Lanes, 3>;  // P, Q, the next term of P
  const double four_square = 4.0 * order * order;
  const auto factor = [&](const Lanes& k) { return (four_square - (2 * k - 1) * (2 * k - 1)) / (k * 8 * x); };
  const State s = repeat(12, State{0, 0, 1}, [&](const Lanes& i, const State& v) {
    const Lanes k = 2 * i + 1, odd = v[2] * factor(k);
    return State{v[0] + v[2], v[1] + odd, -odd * factor(k + 1)};
  });
  // cos and sin of x - pi/4 or x - 3 pi/4, times sqrt 2.
  const Lanes sum = cos(x) + sin(x), difference = sin(x) - cos(x);
  const Lanes c = order == 0 ? sum : difference, d = order == 0 ? difference : -sum;
  return (s[0] * c - s[1] * d) / sqrt(pi * x);
}
Lanes bessel_upwards(const Lanes& n, const Lanes& x) {
  using State = std::array<Lanes, 3>;  // J_k, J_k+1, k
  return iterate(
      State{bessel_far(0, x), bessel_far(1, x), 0}, [&](const State& s) { return s[2] < n; },
      [&](const State& s) {
        return State{s[1], 2 * (s[2] + 1) / x * s[1] - s[0], s[2] + 1};
      })[0];
}
// Miller: downwards from where J is nothing beside J_n, divided by J_0 + 2 J_2 + 2 J_4 + ..., which is 1.
Lanes bessel_downwards(const Lanes& n, const Lanes& x) {
  using State = std::array<Lanes, 5>;  // p_k, p_k+1, k, p_n, the sum
  const Lanes most = larger(n, x);
  const State s = iterate(
      State{1e-200, 0, 2 * floor(0.5 * (most + 13 * pow(most, Lanes(1.0 / 3))) + 20), 0, 0},
      [](const State& v) { return v[2] > 0; },
      [&](const State& v) {
        const Lanes next = 2 * v[2] / x * v[0] - v[1], k = v[2] - 1;
        const Lanes scale = choose(abs(next) > 1e100, Lanes(1e-100), Lanes(1.0)), p = next * scale;
        const Lanes weight = choose(!is_even(k), Lanes(0.0), k == 0, Lanes(1.0), Lanes(2.0));
        return State{p, v[0] * scale, k, choose(k == n, p, v[3] * scale), v[4] * scale + weight * p};
      });
  return s[3] / s[4];
}
Lanes bessel_jn(const Lanes& order, const Lanes& at) {
  const Lanes n = abs(order), x = abs(at);
  const auto tiny = [&] { return pow(0.5 * x, n) / gamma(n + 1); };
  const Lanes magnitude = choose(
      isnan(order) || isnan(at) || n > 1e5 || !whole(order), nan_value, x == 0,
      [&] { return choose(n == 0, Lanes(1.0), Lanes(0.0)); }, x == inf, 0.0, x<1e-8, tiny, x> 30 && n <= x,
      [&] { return bessel_upwards(n, x); }, [&] { return bessel_downwards(n, x); });
  const Mask negative = ((order < 0 && at > 0) || (order >= 0 && at < 0)) && !is_even(n);
  return choose(
      negative, [&] { return -magnitude; }, magnitude);
}

}  // namespace

Pair<Lanes> complex_log(const Pair<Lanes>& z) { return parts_of(ops::log(complex_of(z))); }
Pair<Lanes> complex_exp(const Pair<Lanes>& z) { return parts_of(ops::exp(complex_of(z))); }
Pair<Lanes> complex_expm1(const Pair<Lanes>& z) { return parts_of(ops::expm1(complex_of(z))); }

}  // namespace special

namespace expand {

namespace {

template <class F> Array by_pairs(const Array& z, const F& f) {
  const lanes::Within within(z.shape());
  const Array wide = convert_element_type(z, DType::complex128);
  return convert_element_type(special::complex_of(f(special::parts_of(wide))), z.dtype());
}

}  // namespace

#define COTAN_EXPAND(arity, name)                                                     \
  Array name(const EqnContext&, std::span<const Array> in) {                          \
    return by_lanes<arity>(in, [](const auto&... x) { return special::name(x...); }); \
  }
#define COTAN_EXPAND_COMPLEX(name)                                          \
  Array name(const EqnContext&, std::span<const Array> in) {                \
    return by_pairs(in[0], [](const auto& z) { return special::name(z); }); \
  }
// clang-format off
COTAN_EXPAND(2, poch) COTAN_EXPAND(3, sph_legendre) COTAN_EXPAND(3, hyp1f1) COTAN_EXPAND(4, hyp2f1) COTAN_EXPAND(2, bessel_jn)
COTAN_EXPAND_COMPLEX(wofz) COTAN_EXPAND_COMPLEX(loggamma) COTAN_EXPAND_COMPLEX(complex_gamma)
// clang-format on
#undef COTAN_EXPAND
#undef COTAN_EXPAND_COMPLEX

        Array complex_polygamma(int order, std::span<const Array> in) {
  return by_pairs(in[0], [order](const auto& z) { return special::complex_polygamma(order, z); });
}
Array zeta_grad_x(int order, std::span<const Array> in) {
  return by_lanes<2>(in, [order](const auto&... x) { return special::zeta_grad_x(order, x...); });
}
Array hyp1f1_grad(int first, int second, std::span<const Array> in) {
  return by_lanes<3>(in, [=](const auto&... x) { return special::hyp1f1_grad(first, second, x...); });
}
Array hyp2f1_grad(int first, int second, std::span<const Array> in) {
  return by_lanes<4>(in, [=](const auto&... x) { return special::hyp2f1_grad(first, second, x...); });
}

}  // namespace expand
}  // namespace cotan::ops

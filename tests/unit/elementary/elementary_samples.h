// The arguments at which the elementary functions are tested. The same on every machine.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

namespace cotan::test {

// A small reproducible generator (xorshift).
struct Random {
  std::uint64_t state = 88172645463325252ull;
  std::uint64_t bits() {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  }
  double unit() { return static_cast<double>(static_cast<std::int64_t>(bits())) * 0x1p-63; }  // [-1, 1)
  double scaled(int count, int first) {  // times 2^first .. 2^(first + count - 1)
    const double x = unit();
    return std::ldexp(x, first + static_cast<int>(bits() % static_cast<unsigned>(count)));
  }
};

template <class T> std::vector<T> special_values() {
  const T inf = std::numeric_limits<T>::infinity(), largest = std::numeric_limits<T>::max();
  const T normal = std::numeric_limits<T>::min(), denormal = std::numeric_limits<T>::denorm_min();
  std::vector<T> v;
  for (T x :
       {T(0), denormal, 3 * denormal, normal, normal - denormal, std::numeric_limits<T>::epsilon(), T(0.5), T(1), T(2),
        T(3), T(88.7), T(89.4159), T(709.78), T(710.4758), largest, inf, std::numeric_limits<T>::quiet_NaN()}) {
    for (T y : {x, std::nextafter(x, inf), std::nextafter(x, -inf)}) v.insert(v.end(), {y, -y});
  }
  return v;
}

// The neighbours of multiples of pi/2, for k below `count` in steps of `stride`, and for powers of two times them.
template <class T> std::vector<T> near_half_pi_multiples(int count, int stride) {
  std::vector<T> v;
  auto around = [&](double centre) {  // no long double: its format differs between machines
    T x = static_cast<T>(centre);
    for (int j = 0; j < 2; ++j) x = std::nextafter(x, T(0));
    for (int j = 0; j < 5; ++j, x = std::nextafter(x, std::numeric_limits<T>::infinity())) v.push_back(x);
  };
  constexpr double half_pi = 1.57079632679489661923, half_pi_lo = 6.123233995736766e-17;
  for (int k = 1; k < count; k += stride) around(std::fma(k, half_pi, k * half_pi_lo));
  for (int e = 1; e < std::numeric_limits<T>::max_exponent - 2; ++e) around(std::ldexp(half_pi, e));
  if constexpr (sizeof(T) == 8) {  // the double nearest to a multiple of pi/2 of all: 6381956970095103 * 2^797
    around(std::ldexp(6381956970095103.0, 797));
  } else {
    around(std::ldexp(16367173.0, 72));  // and one of the nearest floats
  }
  return v;
}

// COTAN_TEST_THIN=n: an n-th of the samples, for emulated machines.
inline int thin() {
  const char* text = std::getenv("COTAN_TEST_THIN");
  return text != nullptr ? std::max(1, std::atoi(text)) : 1;
}
inline std::vector<float> float32_samples() {
  std::vector<float> v = special_values<float>();
  const std::uint64_t stride = 9973 * static_cast<std::uint64_t>(thin());
  for (std::uint64_t u = 0; u < 1ull << 32; u += stride)
    v.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(u)));
  for (float x = -120; x < 120; x += 1.3e-3f * static_cast<float>(thin())) v.push_back(x);
  for (float x = -1.1f; x < 1.1f; x += 2.3e-5f * static_cast<float>(thin())) v.push_back(x);
  const std::vector<float> near = near_half_pi_multiples<float>(130000, 37 * thin());
  v.insert(v.end(), near.begin(), near.end());
  return v;
}
inline std::vector<double> float64_samples(int count) {
  std::vector<double> v = special_values<double>();
  Random random;
  for (int i = 0; i < count / thin(); ++i) {
    v.push_back(std::bit_cast<double>(random.bits()));
    v.push_back(random.unit() * 20);
    v.push_back(random.unit() * 1.1);
    v.push_back(random.scaled(60, -40));
    v.push_back(random.unit() * 745);
  }
  const std::vector<double> near = near_half_pi_multiples<double>(60000, (count > 5000 ? 97 : 331) * thin());
  v.insert(v.end(), near.begin(), near.end());
  return v;
}

}  // namespace cotan::test

#include "derived/values.h"

#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/host_scalar.h"

namespace cotan::derived {

namespace {
Array from(const Aval& a, const std::vector<unsigned char>& bytes) {
  return evaluation_hook().from_bytes(a, bytes.data());
}
std::size_t byte_count(const Aval& a) { return static_cast<std::size_t>(a.size()) * item_size(a.dtype); }
double fraction(double x) { return x - std::floor(x); }
}  // namespace

Array array_of(const Aval& a, const Numbers& values) {
  std::vector<unsigned char> bytes(byte_count(a) + 1);
  const std::size_t item = item_size(a.dtype);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_key(a.dtype)) {
      const std::uint32_t words[4] = {static_cast<std::uint32_t>(values[i].real()), 7u + static_cast<std::uint32_t>(i),
                                      0, 0};
      std::memcpy(bytes.data() + i * item, words, item);
    } else HostScalar(values[i], a.dtype).store(bytes.data() + i * item);
  }
  return from(a, bytes);
}

Numbers numbers_of(const Array& x) {
  Numbers v;
  const auto* bytes = static_cast<const unsigned char*>(bytes_of(x));
  const std::size_t item = item_size(x.dtype());
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const unsigned char* at = bytes + static_cast<std::size_t>(i) * item;
    if (is_key(x.dtype())) {
      std::uint32_t word;
      std::memcpy(&word, at, sizeof word);
      v.emplace_back(word);
    } else v.push_back(HostScalar::load(x.dtype(), at).as_complex());
  }
  return v;
}

Array operand(const Aval& a, Interval domain, int seed) {
  const bool integral = is_integer(a.dtype);
  if (integral && domain.low == Interval().low && domain.high == Interval().high) domain = {-4, 7};
  Numbers v;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    const double n = static_cast<double>(i) + 1;
    const double u = fraction(n * 0.6180339887498949 + seed * 0.4142135623730951 + 0.137),
                 w = fraction(n * 0.7548776662466927 + seed * 0.21 + 0.31);
    const double re = domain.low + (domain.high - domain.low) * u, im = domain.low + (domain.high - domain.low) * w;
    if (is_key(a.dtype)) v.emplace_back(std::floor(u * 4e9));
    else if (a.dtype == DType::bool_) v.emplace_back(u > 0.45 ? 1.0 : 0.0);
    else if (integral) v.emplace_back(is_unsigned_integer(a.dtype) ? std::abs(std::round(re)) : std::round(re));
    else if (is_complex(a.dtype)) v.emplace_back(re, im);
    else v.emplace_back(re);
  }
  return array_of(a, v);
}

Array special_values(DType d, int rotate) {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  Numbers v;
  if (is_floating(d) || is_complex(d)) {
    const bool wide = d == DType::float64 || d == DType::complex128;
    for (double x : {nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e4, wide ? 1e300 : 1e38,
                     wide ? 1e-310 : 1e-40, wide ? -5e-324 : -1e-45})
      v.emplace_back(x);
    if (is_complex(d)) {
      const std::size_t n = v.size();
      for (std::size_t i = 0; i < n; ++i) v[i] = {v[i].real(), v[(i * 5 + 3) % n].real()};
    }
  } else if (d == DType::bool_) v = {0.0, 1.0};
  else if (is_integer(d)) {
    const int bits = static_cast<int>(item_size(d)) * 8;
    const double top = std::ldexp(1.0, is_signed_integer(d) ? bits - 1 : bits);
    for (double x : {0.0, 1.0, 2.0, 3.0, 7.0, 31.0, 64.0, top, top / 2}) v.emplace_back(x);  // top saturates
    if (is_signed_integer(d))
      for (double x : {-1.0, -2.0, -7.0, -top}) v.emplace_back(x);
  }
  Numbers out;
  for (std::size_t i = 0; i < v.size() * 3; ++i)
    out.push_back(
        v[(i * static_cast<std::size_t>(1 + rotate) + i / v.size() * static_cast<std::size_t>(rotate)) % v.size()]);
  return array_of({Shape(out.size()), d, false}, out);
}

std::string difference(const Array& got, const Array& want, double rtol, double atol) {
  if (got.shape() != want.shape() || got.dtype() != want.dtype())
    return "got " + got.aval().str() + ", expected " + want.aval().str();
  if (is_key(got.dtype())) return same_bits(got, want) ? "" : "keys differ";
  const Numbers g = numbers_of(got), w = numbers_of(want);
  const auto differs = [&](double x, double y, double scale) {
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) != std::isnan(y);
    if (x == y) return false;
    return !(std::abs(x - y) <= atol + rtol * scale);
  };
  for (std::size_t i = 0; i < g.size(); ++i) {
    const double scale = std::abs(w[i]);
    if (!differs(g[i].real(), w[i].real(), scale) && !differs(g[i].imag(), w[i].imag(), scale)) continue;
    char text[200];
    std::snprintf(text, sizeof text, "element %zu is (%.17g, %.17g), expected (%.17g, %.17g)", i, g[i].real(),
                  g[i].imag(), w[i].real(), w[i].imag());
    return text;
  }
  return "";
}

Array example_of(const Array& batch, int dim, std::int64_t index) {
  Aval a = batch.aval();
  const std::int64_t n = a.shape[dim];
  std::int64_t outer = 1, inner = 1;
  for (int i = 0; i < a.ndim(); ++i) (i < dim ? outer : inner) *= i == dim ? 1 : a.shape[i];
  a.shape.erase(dim);
  const std::size_t block = static_cast<std::size_t>(inner) * item_size(a.dtype);
  std::vector<unsigned char> bytes(static_cast<std::size_t>(outer) * block + 1);
  const auto* from_bytes = static_cast<const unsigned char*>(bytes_of(batch));
  for (std::int64_t o = 0; o < outer && block; ++o)
    std::memcpy(bytes.data() + static_cast<std::size_t>(o) * block,
                from_bytes + static_cast<std::size_t>(o * n + index) * block, block);
  return from(a, bytes);
}

Array batch_of(const std::vector<Array>& examples, const Aval& example, int dim) {
  Aval a = example;
  const auto n = static_cast<std::int64_t>(examples.size());
  std::int64_t outer = 1, inner = 1;
  for (int i = 0; i < a.ndim(); ++i) (i < dim ? outer : inner) *= a.shape[i];
  a.shape.insert(dim, n);
  const std::size_t block = static_cast<std::size_t>(inner) * item_size(a.dtype);
  std::vector<unsigned char> bytes(byte_count(a) + 1);
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t o = 0; o < outer && block; ++o)
      std::memcpy(bytes.data() + static_cast<std::size_t>(o * n + k) * block,
                  static_cast<const unsigned char*>(bytes_of(examples[static_cast<std::size_t>(k)])) +
                      static_cast<std::size_t>(o) * block,
                  block);
  return from(a, bytes);
}

double dot(const Array& a, const Array& b) {
  const Numbers x = numbers_of(a), y = numbers_of(b);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] * y[i]).real();
  return sum;
}

double epsilon_of(DType d) {
  switch (real_dtype(d)) {
    case DType::float64: return DBL_EPSILON;
    case DType::float32: return FLT_EPSILON;
    case DType::float16: return 0x1p-10;
    case DType::bfloat16: return 0x1p-7;
    default: return 0;
  }
}

}  // namespace cotan::derived

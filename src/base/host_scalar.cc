#include "base/host_scalar.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/float16.h"
#include "cotan/errors.h"

namespace cotan {
namespace {

template <class T> HostScalar make(DType d, T v) {
  HostScalar s;
  s.dtype = d;
  std::memcpy(s.bytes, &v, sizeof v);
  return s;
}

// Integers of every type as 128-bit ones, so that uint64 needs no case of its own.
__extension__ using Wide = __int128;

Wide integer_of(const HostScalar& s) {
  switch (s.dtype) {
    case DType::bool_: return s.bytes[0] != 0;
    case DType::int8: return s.value<std::int8_t>();
    case DType::int16: return s.value<std::int16_t>();
    case DType::int32: return s.value<std::int32_t>();
    case DType::int64: return s.value<std::int64_t>();
    case DType::uint8: return s.value<std::uint8_t>();
    case DType::uint16: return s.value<std::uint16_t>();
    case DType::uint32: return s.value<std::uint32_t>();
    default: return s.value<std::uint64_t>();
  }
}

// Exact for all but complex values, whose real part it is.
double float_of(const HostScalar& s) {
  switch (s.dtype) {
    case DType::bfloat16: return to_float(s.value<BFloat16>());
    case DType::float16: return to_float(s.value<Float16>());
    case DType::float32: return s.value<float>();
    case DType::float64: return s.value<double>();
    case DType::complex64: return s.value<std::complex<float>>().real();
    default: return s.value<std::complex<double>>().real();
  }
}

// The double nearest to v whose rounding to a narrower type is that of v: where v does not fit, the last bit is set (round to odd).
double to_odd_double(Wide v) {
  auto d = static_cast<double>(v);
  const auto back = static_cast<Wide>(d);
  if (back == v) return d;
  auto bits = std::bit_cast<std::uint64_t>(d);
  if ((back < 0 ? -back : back) > (v < 0 ? -v : v)) --bits;  // towards zero
  return std::bit_cast<double>(bits | 1);
}

HostScalar from_integer(Wide v, DType d) {
  switch (d) {
    case DType::bool_: return make(d, v != 0);
    case DType::bfloat16: return make(d, to_bfloat16(to_odd_double(v)));
    case DType::float16: return make(d, to_float16(to_odd_double(v)));
    case DType::float32: return make(d, static_cast<float>(v));
    case DType::float64: return make(d, static_cast<double>(v));
    case DType::complex64: return make(d, std::complex<float>(static_cast<float>(v)));
    case DType::complex128: return make(d, std::complex<double>(static_cast<double>(v)));
    default: break;
  }
  const auto bits = static_cast<std::uint64_t>(v);
  HostScalar s = make(d, bits);
  std::fill(s.bytes + item_size(d), s.bytes + 8, 0);
  return s;
}

Wide least_integer(DType d) { return is_signed_integer(d) ? -(Wide{1} << (8 * item_size(d) - 1)) : 0; }

Wide greatest_integer(DType d) { return (Wide{1} << (8 * item_size(d) - (is_signed_integer(d) ? 1 : 0))) - 1; }

Wide saturate(double v, DType d) {
  if (std::isnan(v)) return 0;
  const Wide low = least_integer(d), high = greatest_integer(d);
  if (v <= static_cast<double>(low)) return low;
  if (v >= static_cast<double>(high)) return high;
  return static_cast<Wide>(v);
}

HostScalar from_float(double re, double im, DType d) {
  switch (d) {
    case DType::bool_: return make(d, re != 0 || im != 0);
    case DType::bfloat16: return make(d, to_bfloat16(re));
    case DType::float16: return make(d, to_float16(re));
    case DType::float32: return make(d, static_cast<float>(re));
    case DType::float64: return make(d, re);
    case DType::complex64: return make(d, std::complex<float>(static_cast<float>(re), static_cast<float>(im)));
    case DType::complex128: return make(d, std::complex<double>(re, im));
    default: return from_integer(saturate(re, d), d);
  }
}

double imaginary_of(const HostScalar& s) {
  if (s.dtype == DType::complex64) return s.value<std::complex<float>>().imag();
  return s.dtype == DType::complex128 ? s.value<std::complex<double>>().imag() : 0.0;
}

}  // namespace

HostScalar HostScalar::load(DType d, const void* p) {
  HostScalar s;
  s.dtype = d;
  std::memcpy(s.bytes, p, item_size(d));
  return s;
}

void HostScalar::store(void* p) const { std::memcpy(p, bytes, item_size(dtype)); }

double HostScalar::as_double() const { return convert(DType::float64).value<double>(); }

std::int64_t HostScalar::as_int64() const { return convert(DType::int64).value<std::int64_t>(); }

std::complex<double> HostScalar::as_complex() const { return convert(DType::complex128).value<std::complex<double>>(); }

bool HostScalar::is_zero() const {
  if (dtype == DType::float0) return true;
  if (is_key(dtype)) return false;
  return is_inexact(dtype) ? float_of(*this) == 0 && imaginary_of(*this) == 0 : integer_of(*this) == 0;
}

bool HostScalar::is_nan() const {
  return is_inexact(dtype) && (std::isnan(float_of(*this)) || std::isnan(imaginary_of(*this)));
}

HostScalar HostScalar::convert(DType d) const {
  if (d == dtype) return *this;
  if (is_key(d) || is_key(dtype)) {
    throw TypeError(std::string("convert_element_type: cannot convert ") + dtype_name(dtype) + " to " + dtype_name(d) +
                    "\nA PRNG key has no numeric value; random::key_data gives its bits.");
  }
  if (d == DType::float0) return load(d, bytes);
  if (dtype == DType::float0) return from_integer(0, d);
  return is_inexact(dtype) ? from_float(float_of(*this), imaginary_of(*this), d) : from_integer(integer_of(*this), d);
}

}  // namespace cotan

// The text of scalars: printing and reading.
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/float16.h"
#include "base/host_scalar.h"
#include "cotan/errors.h"

namespace cotan {
namespace {

struct Decimal {
  std::string digits;  // d1 d2 d3 ..., no trailing zeros
  int exponent = 0;    // the value is d1.d2d3... * 10^exponent
};

Decimal split_scientific(std::string_view text) {
  Decimal out;
  const std::size_t e = text.find('e');
  for (char c : text.substr(0, e)) {
    if (c != '.') out.digits += c;
  }
  while (out.digits.size() > 1 && out.digits.back() == '0') out.digits.pop_back();
  out.exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
  return out;
}

std::uint16_t bits16(DType d, double v) { return d == DType::bfloat16 ? to_bfloat16(v).bits : to_float16(v).bits; }

// The shortest decimal that reads back as the positive finite value v of type d.
Decimal shortest(double v, DType d) {
  char buffer[64];
  char* const end = buffer + sizeof buffer;
  constexpr auto scientific = std::chars_format::scientific;
  if (item_size(d) == 2) {
    for (int precision = 0;; ++precision) {
      const std::string_view text(buffer, std::to_chars(buffer, end, v, scientific, precision).ptr);
      double back = 0;
      std::from_chars(text.begin(), text.end(), back);
      if (bits16(d, back) == bits16(d, v)) return split_scientific(text);
    }
  }
  const auto r = d == DType::float32 ? std::to_chars(buffer, end, static_cast<float>(v), scientific)
                                     : std::to_chars(buffer, end, v, scientific);
  return split_scientific({buffer, r.ptr});
}

// Python's form of a float; `point`: whole numbers end in ".0".
std::string float_text(double v, DType d, bool point) {
  std::string s = std::signbit(v) && !std::isnan(v) ? "-" : "";
  v = std::fabs(v);
  if (std::isnan(v)) return s + "nan";
  if (std::isinf(v)) return s + "inf";
  if (v == 0) return s + (point ? "0.0" : "0");
  const auto [digits, exponent] = shortest(v, d);
  const int n = static_cast<int>(digits.size());
  if (exponent < -4 || exponent >= 16) {
    s += digits[0];
    if (n > 1) s += '.' + digits.substr(1);
    const std::string e = std::to_string(std::abs(exponent));
    return s + (exponent < 0 ? "e-" : "e+") + (e.size() < 2 ? "0" : "") + e;
  }
  if (exponent < 0) return s + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  if (n <= exponent + 1)
    return s + digits + std::string(static_cast<std::size_t>(exponent + 1 - n), '0') + (point ? ".0" : "");
  const auto whole = static_cast<std::size_t>(exponent + 1);
  return s + digits.substr(0, whole) + '.' + digits.substr(whole);
}

std::string hex(const unsigned char* little_endian, std::size_t n) {
  std::string s = "0x";
  for (std::size_t i = n; i-- > 0;) {
    s += "0123456789abcdef"[little_endian[i] >> 4];
    s += "0123456789abcdef"[little_endian[i] & 15];
  }
  return s;
}

// The bits of the NaN that the text "nan" stands for.
HostScalar plain_nan(DType d) { return HostScalar(std::numeric_limits<double>::quiet_NaN(), d); }

HostScalar part(const HostScalar& z, int i) {
  const DType r = real_dtype(z.dtype);
  return HostScalar::load(r, z.bytes + static_cast<std::size_t>(i) * item_size(r));
}

std::string real_text(const HostScalar& x, DType precision, bool exact, bool point) {
  if (exact && x.is_nan() && x != plain_nan(x.dtype)) return "nan(" + hex(x.bytes, item_size(x.dtype)) + ")";
  return float_text(x.as_double(), precision, point);
}

std::string text_of(const HostScalar& x, bool item, bool exact) {
  const DType d = x.dtype;
  if (d == DType::float0) return "float0";
  if (d == DType::bool_) return x.is_zero() ? "False" : "True";
  if (is_key(d)) {  // the words in order, the first on the left
    std::string s = "0x";
    for (std::size_t i = 0; i < item_size(d); i += 4) s += hex(x.bytes + i, 4).substr(2);
    return s;
  }
  if (d == DType::uint64) return std::to_string(x.value<std::uint64_t>());
  if (is_integer(d)) return std::to_string(x.as_int64());
  const DType precision = item ? DType::float64 : real_dtype(d);
  if (!is_complex(d)) return real_text(x, precision, exact, true);
  const HostScalar re = part(x, 0), im = part(x, 1);
  const std::string imaginary = real_text(im, precision, exact, false) + 'j';
  if (re == HostScalar(0.0, re.dtype)) return imaginary;
  const std::string sign = imaginary[0] == '-' ? "" : "+";
  return '(' + real_text(re, precision, exact, false) + sign + imaginary + ')';
}

[[noreturn]] void refuse(std::string_view text, DType d) {
  throw ValueError("'" + std::string(text) + "' is no value of type " + dtype_name(d));
}

bool parse_hex(std::string_view digits, std::uint64_t* out) {
  const auto r = std::from_chars(digits.begin(), digits.end(), *out, 16);
  return !digits.empty() && r.ec == std::errc() && r.ptr == digits.end();
}

// Reads text that begins with a number; the rest stays in `text`.
bool parse_real(std::string_view& text, DType d, HostScalar* out) {
  std::string_view s = text;
  const bool plus = s.starts_with('+');
  if (plus) s.remove_prefix(1);
  if (s.starts_with("nan(0x")) {
    const std::size_t close = s.find(')');
    std::uint64_t bits = 0;
    if (close == s.npos || close - 6 != 2 * item_size(d) || !parse_hex(s.substr(6, close - 6), &bits)) return false;
    *out = HostScalar::load(d, &bits);
    text = s.substr(close + 1);
    return out->is_nan();
  }
  double v = 0;
  float f = 0;
  const bool single = d == DType::float32;
  const auto r = single ? std::from_chars(s.begin(), s.end(), f) : std::from_chars(s.begin(), s.end(), v);
  if (single) v = f;
  if (plus && s.starts_with('-')) return false;
  if (r.ec == std::errc::result_out_of_range) {  // from_chars leaves the value alone: strtod rounds to 0 or inf
    v = std::strtod(std::string(s.begin(), r.ptr).c_str(), nullptr);
  } else if (r.ec != std::errc()) {
    return false;
  }
  *out = std::isnan(v) ? plain_nan(d) : HostScalar(v, d);
  text = s.substr(static_cast<std::size_t>(r.ptr - s.begin()));
  return true;
}

HostScalar parse_complex(std::string_view text, DType d) {
  const DType r = real_dtype(d);
  HostScalar re(0.0, r), im(0.0, r);
  std::string_view s = text;
  const bool brackets = s.starts_with('(') && s.ends_with(')');
  if (brackets) s = s.substr(1, s.size() - 2);
  HostScalar first;
  if (!parse_real(s, r, &first)) refuse(text, d);
  if (s.empty()) {
    re = first;
  } else if (s == "j") {
    im = first;
  } else {
    re = first;
    if ((s[0] != '+' && s[0] != '-') || !parse_real(s, r, &im) || s != "j") refuse(text, d);
  }
  unsigned char both[16] = {};
  re.store(both);
  im.store(both + item_size(r));
  return HostScalar::load(d, both);
}

template <class T> HostScalar parse_integer(std::string_view text, DType d) {
  T v{};
  const auto r = std::from_chars(text.begin(), text.end(), v);
  const HostScalar out(v, d);
  if (r.ec != std::errc() || r.ptr != text.end() || HostScalar(v) != out.convert(HostScalar(v).dtype)) refuse(text, d);
  return out;
}

HostScalar parse_key(std::string_view text, DType d) {
  if (!text.starts_with("0x") || text.size() != 2 + 2 * item_size(d)) refuse(text, d);
  std::uint32_t words[4] = {};
  for (std::size_t i = 0; i < item_size(d) / 4; ++i) {
    std::uint64_t word = 0;
    if (!parse_hex(text.substr(2 + 8 * i, 8), &word)) refuse(text, d);
    words[i] = static_cast<std::uint32_t>(word);
  }
  return HostScalar::load(d, words);
}

}  // namespace

std::string HostScalar::str() const { return text_of(*this, false, false); }

std::string HostScalar::item_str() const { return text_of(*this, true, false); }

std::string HostScalar::exact_str() const { return text_of(*this, false, true); }

HostScalar HostScalar::parse(std::string_view text, DType d) {
  if (d == DType::bool_ && (text == "True" || text == "False")) return HostScalar(text == "True");
  if (d == DType::float0 && text == "float0") return load(d, "");
  if (is_key(d)) return parse_key(text, d);
  if (is_signed_integer(d)) return parse_integer<std::int64_t>(text, d);
  if (is_unsigned_integer(d)) return parse_integer<std::uint64_t>(text, d);
  if (is_complex(d)) return parse_complex(text, d);
  HostScalar out;
  std::string_view rest = text;
  if (!is_floating(d) || !parse_real(rest, d, &out) || !rest.empty()) refuse(text, d);
  return out;
}

}  // namespace cotan

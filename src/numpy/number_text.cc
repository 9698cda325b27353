#include "numpy/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace cotan::numpy {

namespace {

// Digits after the point, at most.
int most_digits() { return print_settings().mode == "unique" ? 340 : print_settings().precision; }

// The value is d1.d2d3... * 10^exponent; no trailing zeros but a sole one.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

// From Python's text of a positive number or zero.
Decimal decimal_of(const std::string& text) {
  Decimal d;
  const std::size_t e = text.find('e'), point = std::min(text.find('.'), std::min(e, text.size()));
  for (char c : text.substr(0, e))
    if (c != '.') d.digits += c;
  d.exponent = static_cast<int>(point) - 1 + (e == text.npos ? 0 : std::stoi(text.substr(e + 1)));
  const std::size_t zeros = std::min(d.digits.find_first_not_of('0'), d.digits.size() - 1);
  d.digits.erase(0, zeros);
  d.exponent -= static_cast<int>(zeros);
  while (d.digits.size() > 1 && d.digits.back() == '0') d.digits.pop_back();
  if (d.digits == "0") d.exponent = 0;
  return d;
}

// The shortest decimal that reads back as |v|.
Decimal shortest(double v, DType d) { return decimal_of(HostScalar(std::fabs(v), d).str()); }

std::string exact(const char* format, double v, int digits) {
  char buffer[1024];
  return {buffer, static_cast<std::size_t>(std::snprintf(buffer, sizeof buffer, format, digits, v))};
}

struct Parts {
  std::string whole, fraction;
  int exponent = 0;
};

Parts positional_parts(double v, DType d) {
  Decimal x = shortest(v, d);
  const int n = static_cast<int>(x.digits.size());
  if (n - 1 - x.exponent > most_digits()) x = decimal_of(exact("%.*f", std::fabs(v), most_digits()));
  const int whole = x.exponent + 1;  // digits before the point
  if (whole <= 0) return {"0", x.digits == "0" ? "" : std::string(static_cast<std::size_t>(-whole), '0') + x.digits};
  const auto w = static_cast<std::size_t>(whole);
  if (x.digits.size() <= w) return {x.digits == "0" ? "0" : x.digits + std::string(w - x.digits.size(), '0'), ""};
  return {x.digits.substr(0, w), x.digits.substr(w)};
}

Parts scientific_parts(double v, DType d) {
  Decimal x = shortest(v, d);
  if (std::cmp_greater(x.digits.size(), most_digits() + 1)) x = decimal_of(exact("%.*e", std::fabs(v), most_digits()));
  return {x.digits.substr(0, 1), x.digits.substr(1), x.exponent};
}

std::string exponent_digits(int e) {
  const std::string s = std::to_string(std::abs(e));
  return s.size() < 2 ? "0" + s : s;
}

// Numbers from this on are printed with an exponent: the digits before the point are no longer all known.
double largest_positional(DType d, double most) {
  return std::min(most, d == DType::float16 ? 1e3 : d == DType::float32 ? 1e6 : 1e15);
}

std::string float_text(double v, DType d, bool point) {
  if (std::isnan(v)) return "nan";
  const std::string sign = std::signbit(v) ? "-" : "";
  const double size = std::fabs(v), limit = d == DType::float64 ? 1e16 : largest_positional(d, 1e16);
  if (std::isinf(v)) return sign + "inf";
  if (v == 0 || (size >= 1e-4 && size < limit)) {
    const Decimal x = shortest(v, d);
    Parts p{"0", ""};
    const int whole = x.exponent + 1;
    if (whole <= 0) p.fraction = std::string(static_cast<std::size_t>(-whole), '0') + x.digits;
    else if (const auto w = static_cast<std::size_t>(whole); x.digits.size() <= w)
      p.whole = x.digits + std::string(w - x.digits.size(), '0');
    else p = {x.digits.substr(0, w), x.digits.substr(w)};
    return sign + p.whole + (p.fraction.empty() ? point ? ".0" : "" : "." + p.fraction);
  }
  const Decimal x = shortest(v, d);
  return sign + x.digits[0] + (x.digits.size() > 1 ? "." + x.digits.substr(1) : "") + (x.exponent < 0 ? "e-" : "e+") +
         exponent_digits(x.exponent);
}

}  // namespace

std::string bfloat16_text(double v) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%g", v);
  return std::isnan(v) ? "nan" : buffer;
}

std::string number_text(const HostScalar& v) {
  if (v.dtype == DType::bfloat16) return bfloat16_text(v.as_double());
  if (is_floating(v.dtype)) return float_text(v.as_double(), v.dtype, true);
  if (!is_complex(v.dtype)) return v.str();
  const DType d = real_dtype(v.dtype);
  const double re = v.as_complex().real(), im = v.as_complex().imag();
  const std::string i = float_text(im, d, false) + "j";
  if (re == 0 && !std::signbit(re)) return i;
  return "(" + float_text(re, d, false) + (std::signbit(im) && !std::isnan(im) ? "" : "+") + i + ")";
}

PrintSettings& print_settings() {
  thread_local PrintSettings settings;
  return settings;
}

const char* FloatColumn::sign_of(double v) const { return std::signbit(v) ? "-" : plus_ ? "+" : space_ ? " " : ""; }

FloatColumn::FloatColumn(DType d, const std::vector<double>& values, bool plus_sign) : dtype_(d) {
  const PrintSettings& settings = print_settings();
  plus_ = plus_sign || settings.sign == '+';
  space_ = settings.sign == ' ';
  zeros_ = settings.mode == "fixed" || settings.mode == "maxprec_equal";
  double largest = 0, smallest = 0;
  bool any_finite = false;
  for (double v : values) {
    if (!std::isfinite(v)) continue;
    any_finite = true;
    const double size = std::fabs(v);
    if (size == 0) continue;
    largest = std::max(largest, size);
    smallest = smallest == 0 ? size : std::min(smallest, size);
  }
  // NumPy compares in the elements' own type.
  const double ratio = HostScalar(largest / smallest, d).as_double();
  scientific_ =
      smallest != 0 && (largest >= largest_positional(d, 1e8) ||
                        (!settings.suppress && (smallest < HostScalar(0.0001, d).as_double() || ratio > 1000)));
  for (double v : values) {
    if (!std::isfinite(v)) continue;
    const Parts p = scientific_ ? scientific_parts(v, d) : positional_parts(v, d);
    left_ = std::max(left_, p.whole.size() + (sign_of(v)[0] != 0));
    right_ = std::max(right_, p.fraction.size());
    if (scientific_) exponent_digits_ = std::max(exponent_digits_, exponent_digits(p.exponent).size());
  }
  if (settings.mode == "fixed" && any_finite) right_ = static_cast<std::size_t>(settings.precision);
  for (double v : values) {  // "nan" and "inf" need room too
    if (std::isfinite(v)) continue;
    const std::size_t after = right_ + 1 + (scientific_ ? exponent_digits_ + 2 : 0);
    const std::size_t width =
        (std::isinf(v) ? settings.inf : settings.nan).size() + (std::isinf(v) && sign_of(v)[0] != 0);
    if (width > left_ + after) left_ = width - after;
  }
  if (!any_finite) right_ = 0;
}

std::string FloatColumn::positional(double v) const {
  const Parts p = positional_parts(v, dtype_);
  return sign_of(v) + p.whole + "." + p.fraction + std::string(zeros_ ? right_ - p.fraction.size() : 0, '0');
}

std::string FloatColumn::scientific(double v) const {
  Parts p = scientific_parts(v, dtype_);
  if (p.fraction.size() < right_) {  // the column's further digits are those of the exact value
    const Decimal x = decimal_of(exact("%.*e", std::fabs(v), static_cast<int>(right_)));
    p = {x.digits.substr(0, 1), x.digits.substr(1), x.exponent};
  }
  std::string e = exponent_digits(p.exponent);
  e.insert(0, exponent_digits_ - e.size(), '0');
  return sign_of(v) + p.whole + "." + p.fraction + std::string(right_ - p.fraction.size(), '0') +
         (p.exponent < 0 ? "e-" : "e+") + e;
}

std::string FloatColumn::text(double v) const {
  const std::size_t width = left_ + 1 + right_ + (scientific_ ? exponent_digits_ + 2 : 0);
  if (!std::isfinite(v)) {
    const std::string s = std::isnan(v) ? (plus_ ? "+" : "") + print_settings().nan : sign_of(v) + print_settings().inf;
    return std::string(width > s.size() ? width - s.size() : 0, ' ') + s;
  }
  std::string s = scientific_ ? scientific(v) : positional(v);
  const std::size_t point = s.find('.');
  s.insert(0, left_ - std::min(left_, point), ' ');
  if (!scientific_) s.append(width - std::min(width, s.size()), ' ');
  return s;
}

}  // namespace cotan::numpy

// The text of numbers as NumPy prints them, alone and in columns.
#pragma once
#include <string>
#include <vector>

#include "base/host_scalar.h"

namespace cotan::numpy {

// How numbers are printed on this thread.
struct PrintSettings {
  int precision = 8, edge = 3, line_width = 75;
  std::int64_t threshold = 1000;
  bool suppress = false;
  char sign = '-';
  std::string nan = "nan", inf = "inf", mode = "maxprec";
};
PrintSettings& print_settings();

std::string number_text(const HostScalar&);  // "1.0", "1e+06", "(1+2j)", "True"
std::string bfloat16_text(double);           // six significant digits

// The common form of the elements of an array of floats: positional or scientific, padded to one width.
class FloatColumn {
 public:
  FloatColumn(DType, const std::vector<double>& values, bool plus_sign);
  std::string text(double) const;

 private:
  std::string positional(double) const;
  const char* sign_of(double) const;
  std::string scientific(double) const;
  DType dtype_;
  bool plus_, space_ = false, zeros_ = false, scientific_ = false;  // zeros_: fractions are filled up with zeros
  std::size_t left_ = 0, right_ = 0, exponent_digits_ = 0;          // widths before and after the point
};

}  // namespace cotan::numpy

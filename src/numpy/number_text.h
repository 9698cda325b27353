// The text of numbers as NumPy prints them, alone and in columns.
#pragma once
#include <string>
#include <vector>

#include "base/host_scalar.h"

namespace cotan::numpy {

std::string number_text(const HostScalar&);  // "1.0", "1e+06", "(1+2j)", "True"
std::string bfloat16_text(double);           // six significant digits

// The common form of the elements of an array of floats: positional or scientific, padded to one width.
class FloatColumn {
 public:
  FloatColumn(DType, const std::vector<double>& values, bool plus_sign);
  std::string text(double) const;

 private:
  std::string positional(double) const;
  std::string scientific(double) const;
  DType dtype_;
  bool plus_, scientific_ = false;
  std::size_t left_ = 0, right_ = 0, exponent_digits_ = 0;  // widths before and after the point
};

}  // namespace cotan::numpy

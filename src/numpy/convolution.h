// Convolutions as sums of products over shifted slices.
#pragma once
#include <string_view>

#include "numpy/common.h"

namespace cotan::numpy {

enum class ConvolutionMode { full, same, valid };
ConvolutionMode convolution_mode(const char* function, std::string_view mode);  // ValueError

// r[i...] = sum over k... of x[i + k ...] v[k ...]: operands of one rank and dtype, v no longer than x along any axis.
Array correlate_inside(const Array& x, const Array& v);

// correlate_inside over x with zeros around: over all positions in which the operands meet, or those of the mode along each
// axis, where "same" has the sizes of x, or of the longer operand.
struct Convolution {
  ConvolutionMode mode;
  bool same_as_first;
  bool end_of_middle = false;  // "same" takes the later of two middles
};
Array convolved(const Convolution&, const Array& x, const Array& v);

}  // namespace cotan::numpy

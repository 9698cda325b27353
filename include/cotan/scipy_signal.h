// jax.scipy.signal, jax.scipy.integrate and jax.scipy.cluster.vq. Functions that need FFTs or linear algebra are not there yet.
#pragma once
#include <string_view>

#include "cotan/array.h"
#include "cotan/axes.h"
#include "cotan/precision.h"

namespace cotan::scipy::signal {

struct ConvolveOptions {
  using is_options = void;
  std::string_view method = "auto";  // or "direct"; "fft" raises NotImplementedError
  Precision precision = {};
};
struct Convolve2dOptions {
  using is_options = void;
  std::string_view boundary = "fill";  // others, and another fill value, raise NotImplementedError
  double fillvalue = 0;
  Precision precision = {};
};
// Convolution and correlation (in2 conjugated) in any number of dimensions, directly. mode: "full": all sums in which the operands
// meet; "same": the middle, of in1's shape; "valid": those in which they meet whole. ValueError when the dimensions differ in
// number, when neither operand has the larger size along all of them, or for an operand without elements.
Array convolve(const Array& in1, const Array& in2, std::string_view mode = "full", const ConvolveOptions& = {});
Array correlate(const Array& in1, const Array& in2, std::string_view mode = "full", const ConvolveOptions& = {});
Array convolve2d(const Array& in1, const Array& in2, std::string_view mode = "full", const Convolve2dOptions& = {});
Array correlate2d(const Array& in1, const Array& in2, std::string_view mode = "full", const Convolve2dOptions& = {});

// data less its mean (type "constant") or less the line of least squares ("linear"), between breakpoints along the axis.
Array detrend(const Array& data, std::int64_t axis = -1, std::string_view type = "linear", const IntList& bp = {0});

}  // namespace cotan::scipy::signal

namespace cotan::scipy::integrate {

struct TrapezoidOptions {
  using is_options = void;
  Array dx = {};
  std::int64_t axis = -1;
};
Array trapezoid(const Array& y, const Array& x = {}, const TrapezoidOptions& = {});  // numpy's

}  // namespace cotan::scipy::integrate

namespace cotan::scipy::cluster::vq {

struct VqResult {
  Array code, dist;  // the nearest entry's index (int32), and its distance
};
// For each row of obs (or number, of a vector) the nearest row of code_book. ValueError unless both have one rank, 1 or 2.
VqResult vq(const Array& obs, const Array& code_book, bool check_finite = true);

}  // namespace cotan::scipy::cluster::vq

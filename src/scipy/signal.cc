// scipy.signal, as far as it needs neither FFTs nor linear algebra.
#include <algorithm>
#include <set>

#include "api/function_table.h"
#include "cotan/scipy_signal.h"
#include "numpy/convolution.h"

namespace cotan::scipy::signal {

namespace {

using numpy::Convolution;

// One operand has the larger size along every dimension.
bool nested(const Shape& a, const Shape& b) {
  bool larger = true, smaller = true;
  for (int i = 0; i < a.ndim(); ++i) larger &= a[i] >= b[i], smaller &= a[i] <= b[i];
  return larger || smaller;
}

Array directly(const char* function, bool correlation, const Array& in1, const Array& in2, std::string_view mode,
               bool end_of_middle = false) {
  const std::string got = ", got shapes " + in1.shape().str() + " and " + in2.shape().str();
  if (in1.ndim() != in2.ndim())
    throw ValueError(std::string(function) + ": operands must have the same number of dimensions" + got);
  const numpy::ConvolutionMode m = numpy::convolution_mode(function, mode);
  if (in1.size() == 0 || in2.size() == 0)
    throw ValueError(std::string(function) + ": operands must have elements" + got);
  if (!nested(in1.shape(), in2.shape()))
    throw ValueError(std::string(function) + ": one operand must be smaller than the other along every dimension" +
                     got);
  const numpy::Pair p = numpy::promote_inexact_types(function, in1, in2);
  const DType d = p.x.dtype(), computed = item_size(d) == 2 ? DType::float32 : d;
  const Array x = to_dtype(p.x, computed, false);
  Array v = to_dtype(p.y, computed, false);
  if (!correlation) v = ops::rev(v, IntList::range(v.ndim()));
  else if (is_complex(d)) v = ops::conj(v, d);
  return to_dtype(numpy::convolved(Convolution{m, true, end_of_middle && m == numpy::ConvolutionMode::same}, x, v), d,
                  false);
}

void check_method(const char* function, std::string_view method) {
  if (method == "auto" || method == "direct") return;
  const std::string message =
      std::string(function) + ": method must be \"auto\", \"direct\" or \"fft\", got \"" + std::string(method) + "\"";
  if (method == "fft") throw NotImplementedError(std::string(function) + " with method \"fft\" waits for FFTs");
  throw ValueError(message);
}

void check_planes(const char* function, const Array& in1, const Array& in2, const Convolve2dOptions& o) {
  if (o.boundary != "fill" || o.fillvalue != 0)
    throw NotImplementedError(std::string(function) + " has only boundary \"fill\" with fillvalue 0, got \"" +
                              std::string(o.boundary) + "\" with " + std::to_string(o.fillvalue));
  if (in1.ndim() != 2 || in2.ndim() != 2)
    throw ValueError(std::string(function) + ": operands must have two dimensions, got shapes " + in1.shape().str() +
                     " and " + in2.shape().str());
}

}  // namespace

Array convolve(const Array& in1, const Array& in2, std::string_view mode, const ConvolveOptions& o) {
  COTAN_API;
  check_method("convolve", o.method);
  return directly("convolve", false, in1, in2, mode);
}
Array correlate(const Array& in1, const Array& in2, std::string_view mode, const ConvolveOptions& o) {
  COTAN_API;
  check_method("correlate", o.method);
  return directly("correlate", true, in1, in2, mode);
}
Array convolve2d(const Array& in1, const Array& in2, std::string_view mode, const Convolve2dOptions& o) {
  COTAN_API;
  check_planes("convolve2d", in1, in2, o);
  return directly("convolve2d", false, in1, in2, mode);
}
Array correlate2d(const Array& in1, const Array& in2, std::string_view mode, const Convolve2dOptions& o) {
  COTAN_API;
  check_planes("correlate2d", in1, in2, o);
  return directly("correlate2d", true, in1, in2, mode, true);  // whose "same" starts later where it can
}

namespace {

// y less its line of least squares along the first axis: mean and slope are found separately, over times that sum to 0.
Array without_line(const Array& y) {
  const std::int64_t n = y.shape()[0];
  if (n == 1) return numpy::subtract(y, y);
  const DType d = y.dtype();
  const Array steps = ops::iota(real_dtype(d), {n}, 0);
  const Array times =
      to_dtype(numpy::subtract(steps, ops::scalar(real_dtype(d), static_cast<double>(n - 1) / 2)), d, false);
  const Array rest = numpy::subtract(y, numpy::mean(y, 0, {.keepdims = true}));
  const auto length = static_cast<double>(n);
  const Array slope =
      numpy::divide(numpy::tensordot(times, rest, {0, 0}), ops::scalar(d, length * (length * length - 1) / 12));
  IntList after;
  for (int i = 1; i < y.ndim(); ++i) after.push_back(i);
  return numpy::subtract(rest, numpy::multiply(ops::expand_dims(times, after), ops::expand_dims(slope, {0})));
}

}  // namespace

Array detrend(const Array& data, std::int64_t axis, std::string_view type, const IntList& bp) {
  COTAN_API;
  if (type != "linear" && type != "constant" && type != "l" && type != "c")
    throw ValueError("detrend: type must be \"linear\" or \"constant\", got \"" + std::string(type) + "\"");
  if (axis < -data.ndim() || axis >= data.ndim())
    throw IndexError("detrend: axis " + std::to_string(axis) + " is out of bounds for array of dimension " +
                     std::to_string(data.ndim()));
  const int a = canonical_axis("detrend", axis, data.ndim());
  const Array y = to_dtype(data, canonical_dtype(to_inexact_dtype(data.dtype())), false);
  if (type.front() == 'c') return numpy::subtract(y, numpy::mean(y, a, {.keepdims = true}));
  const std::int64_t n = y.shape()[a];
  std::set<std::int64_t> cuts{0, n};
  for (std::int64_t b : bp) {
    if (b < 0 || b > n)
      throw ValueError("detrend: breakpoints must not be negative nor more than the length along the axis, " +
                       std::to_string(n) + ", got " + bp.str());
    cuts.insert(b);
  }
  const Array first = ops::move_axis(y, a, 0);
  std::vector<Array> parts;
  for (auto at = cuts.begin(); std::next(at) != cuts.end(); ++at)
    parts.push_back(without_line(ops::slice_in_dim(first, *at, *std::next(at), 1, 0)));
  return parts.empty() ? y : ops::move_axis(numpy::concatenate(parts, 0), 0, a);
}

namespace {
table::Value waits_for_fft(const table::Call& c) {
  throw NotImplementedError(std::string("scipy.signal.") + c.function() + " needs FFTs, which are not there yet");
}
}  // namespace

const FunctionTable signal_table{
    "scipy.signal",
    {
        function<waits_for_fft>("fftconvolve(in1, in2, mode='full', axes=None)",
                                "Convolution by Fourier transforms: needs FFTs."),
        function<waits_for_fft>("stft(x, fs=1.0, window='hann', nperseg=256, noverlap=None, nfft=None, detrend=False, "
                                "return_onesided=True, boundary='zeros', padded=True, axis=-1)",
                                "Short-time Fourier transform: needs FFTs."),
        function<waits_for_fft>("istft(Zxx, fs=1.0, window='hann', nperseg=None, noverlap=None, nfft=None, "
                                "input_onesided=True, boundary=True, time_axis=-1, freq_axis=-2)",
                                "Inverse short-time Fourier transform: needs FFTs."),
        function<waits_for_fft>("csd(x, y, fs=1.0, window='hann', nperseg=None, noverlap=None, nfft=None, "
                                "detrend='constant', return_onesided=True, scaling='density', axis=-1, average='mean')",
                                "Cross power spectral density: needs FFTs."),
        function<waits_for_fft>("welch(x, fs=1.0, window='hann', nperseg=None, noverlap=None, nfft=None, "
                                "detrend='constant', return_onesided=True, scaling='density', axis=-1, average='mean')",
                                "Power spectral density: needs FFTs."),
        function<convolve>("convolve(in1, in2, mode='full', method='auto', precision=None)",
                           "Convolution in any number of dimensions."),
        function<correlate>("correlate(in1, in2, mode='full', method='auto', precision=None)",
                            "Cross-correlation in any number of dimensions."),
        function<convolve2d>("convolve2d(in1, in2, mode='full', boundary='fill', fillvalue=0, precision=None)",
                             "Convolution of matrices."),
        function<correlate2d>("correlate2d(in1, in2, mode='full', boundary='fill', fillvalue=0, precision=None)",
                              "Cross-correlation of matrices."),
        function<detrend>("detrend(data, axis=-1, type='linear', bp=0, overwrite_data=None)",
                          "Data less their mean, or less their line of least squares between breakpoints."),
    }};

}  // namespace cotan::scipy::signal

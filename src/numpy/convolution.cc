// Convolutions, in any number of dimensions, until a primitive for them lands: products of v's elements with shifted slices of
// x. An element of x meets only the elements of v that it should, so that a NaN stays where it belongs.
#include "numpy/convolution.h"

#include <algorithm>

#include "api/function_table.h"
#include "numpy/products.h"

namespace cotan::numpy {

ConvolutionMode convolution_mode(const char* function, std::string_view mode) {
  if (mode == "full") return ConvolutionMode::full;
  if (mode == "same") return ConvolutionMode::same;
  if (mode == "valid") return ConvolutionMode::valid;
  throw ValueError(std::string(function) + ": mode must be \"full\", \"same\" or \"valid\", got \"" +
                   std::string(mode) + "\"");
}

namespace {

// Row i is x[i : i + length], of `rows` rows: x repeated is read in rows that are one element longer than x.
Array shifted_rows(const Array& x, std::int64_t rows, std::int64_t length) {
  const std::int64_t n = x.shape()[0], repeats = rows + rows / n + 1;
  const Array repeated = ops::reshape(ops::broadcast_in_dim(x, {repeats, n}, {1}), {repeats * n});
  const Array table = ops::reshape(ops::slice_in_dim(repeated, 0, rows * (n + 1), 1, 0), {rows, n + 1});
  return ops::slice_in_dim(table, 0, length, 1, 1);
}

// sum over k of x[i + k] v[k], for i < length; x has no more elements than that needs.
Array correlate_vectors(const Array& x, const Array& v, std::int64_t length) {
  constexpr std::int64_t unrolled = 8, table_elements = 1 << 20;
  const std::int64_t m = v.shape()[0];
  Array r;
  const auto add = [&r](const Array& term) { r = r.has_value() ? ops::add(r, term) : term; };
  if (m <= unrolled) {
    for (std::int64_t k = 0; k < m; ++k) {
      const Array factor = ops::squeeze(ops::slice_in_dim(v, k, k + 1, 1, 0), {0});
      add(ops::mul(ops::slice_in_dim(x, k, k + length, 1, 0), factor));
    }
    return r;
  }
  const std::int64_t block = std::max(unrolled, table_elements / std::max<std::int64_t>(length, 1));
  for (std::int64_t k = 0; k < m; k += block) {
    const std::int64_t rows = std::min(block, m - k);
    const Array table = shifted_rows(ops::slice_in_dim(x, k, k + length + rows - 1, 1, 0), rows, length);
    add(ops::dot_general(ops::slice_in_dim(v, k, k + rows, 1, 0), table, {{0}, {0}, {}, {}}, x.dtype()));
  }
  return r;
}

}  // namespace

Array correlate_inside(const Array& x, const Array& v) {
  const int n = x.ndim();
  Shape result = x.shape();
  IntList strides = IntList::filled(n, 1);  // of x's elements
  for (int i = n - 1; i > 0; --i) strides[i - 1] = strides[i] * x.shape()[i];
  std::int64_t vectors = 1;  // of v, along its last axis
  for (int i = 0; i < n; ++i) {
    result[i] = x.shape()[i] - v.shape()[i] + 1;
    if (i + 1 < n) vectors *= v.shape()[i];
  }
  if (result.size() == 0) return ops::full({result, x.dtype(), false}, 0);
  // In x flattened, a shift along any axis is a shift: sums are formed for all starts up to the last one, and those at which v
  // would leave its row are cut out at the end.
  std::int64_t starts = 1;
  for (int i = 0; i < n; ++i) starts += strides[i] * (result[i] - 1);
  const std::int64_t m = v.shape()[n - 1];
  const Array flat = ops::reshape(x, {x.size()}), rows = ops::reshape(v, {vectors, m});
  Array sum;
  for (std::int64_t row = 0; row < vectors; ++row) {
    std::int64_t offset = 0, rest = row;
    for (int i = n - 1; i-- > 0; rest /= v.shape()[i]) offset += strides[i] * (rest % v.shape()[i]);
    const Array factors = ops::squeeze(ops::slice_in_dim(rows, row, row + 1, 1, 0), {0});
    const Array term =
        correlate_vectors(ops::slice_in_dim(flat, offset, offset + starts + m - 1, 1, 0), factors, starts);
    sum = sum.has_value() ? ops::add(sum, term) : term;
  }
  const std::int64_t whole = strides[0] * result[0];
  const ops::PadDim tail[] = {{0, whole - starts, 0}};
  Shape wide = x.shape();
  wide[0] = result[0];
  const Array spread = ops::reshape(ops::pad(sum, ops::scalar(x.dtype(), 0), tail), wide);
  return ops::slice(spread, IntList::filled(n, 0), result);
}

Array convolved(const Convolution& c, const Array& x, const Array& v) {
  std::vector<ops::PadDim> padding;
  for (int i = 0; i < x.ndim(); ++i) {
    const std::int64_t n = x.shape()[i], m = v.shape()[i], shorter = std::min(n, m);
    const std::int64_t target = c.mode == ConvolutionMode::full    ? n + m - 1
                                : c.mode == ConvolutionMode::valid ? std::max(n, m) - shorter + 1
                                : c.same_as_first                  ? n
                                                                   : std::max(n, m);
    // Of the n + m - 1 positions, `target` in the middle; the odd one more is cut off at one end.
    const std::int64_t cut = (n + m - 1 - target + (c.end_of_middle ? 1 : 0)) / 2;
    padding.push_back({m - 1 - cut, target - n + cut, 0});
  }
  return correlate_inside(ops::pad(x, ops::scalar(x.dtype(), 0), padding), v);
}

namespace {

Array vector_convolution(bool correlation, const Array& a, const Array& v, ConvolutionMode mode,
                         const ProductOptions& o) {
  const Pair p = promote_inexact_types("convolve", a, v);
  const DType result = o.preferred_element_type ? canonical_dtype(*o.preferred_element_type) : p.x.dtype(),
              computed = item_size(result) == 2 && is_floating(result) ? DType::float32 : result;
  Array x = to_dtype(o.preferred_element_type ? a : p.x, computed, false),
        y = to_dtype(o.preferred_element_type ? v : p.y, computed, false);
  if (correlation && is_complex(computed)) y = ops::conj(y, computed);
  const bool swap = x.shape()[0] < y.shape()[0];
  if (swap) std::swap(x, y);
  if (!correlation) y = ops::rev(y, {0});
  Array r = convolved({mode, false}, x, y);
  if (correlation && swap) r = ops::rev(r, {0});  // the positions run backwards when the operands have changed places
  return to_dtype(r, result, !o.preferred_element_type && p.x.weak_type());
}

void check_preferred(const char* name, const Array& a, const Array& v, const ProductOptions& o) {
  const Array operands[] = {a, v};
  const DType common = product_type(name, operands, std::nullopt).dtype;
  if (!o.preferred_element_type || !is_inexact(common)) return;
  const DType d = canonical_dtype(*o.preferred_element_type);
  if (is_complex(d) != is_complex(common) || !is_inexact(d) || item_size(d) < item_size(common))
    throw TypeError(std::string(name) +
                    ": preferred_element_type must be of the operands' kind and not narrower, got " + dtype_name(d) +
                    " for " + dtype_name(common));
}

Array named_convolution(const char* name, bool correlation, const Array& a, const Array& v, std::string_view mode,
                        const ProductOptions& o) {
  check_preferred(name, a, v, o);
  if (a.ndim() != 1 || v.ndim() != 1)
    throw ValueError(std::string(name) + ": operands must have one dimension, got shapes " + a.shape().str() + " and " +
                     v.shape().str());
  if (a.size() == 0 || v.size() == 0)
    throw ValueError(std::string(name) + ": operands cannot be empty, got shapes " + a.shape().str() + " and " +
                     v.shape().str());
  const ConvolutionMode m = convolution_mode(name, mode);
  return named_jit(
      name, [&](const Arrays& x) { return Arrays{vector_convolution(correlation, x[0], x[1], m, o)}; }, {a, v},
      combine_key(static_cast<std::uint64_t>(m),
                  o.preferred_element_type ? static_cast<std::uint64_t>(*o.preferred_element_type) + 1 : 0))[0];
}

}  // namespace

Array convolve(const Array& a, const Array& v, std::string_view mode, const ProductOptions& o) {
  COTAN_API;
  return named_convolution("convolve", false, a, v, mode, o);
}
Array correlate(const Array& a, const Array& v, std::string_view mode, const ProductOptions& o) {
  COTAN_API;
  return named_convolution("correlate", true, a, v, mode, o);
}

const FunctionTable convolution_table{
    "numpy",
    {
        function<convolve>("convolve(a, v, mode='full', *, precision=None, preferred_element_type=None)",
                           "Convolution of two vectors."),
        function<correlate>("correlate(a, v, mode='valid', *, precision=None, preferred_element_type=None)",
                            "Cross-correlation of two vectors, the second one conjugated."),
    }};

}  // namespace cotan::numpy

// numpy's sorting, searching, cumulative and order-statistics functions. NaNs are larger than all numbers; -0 equals 0; complex
// numbers compare by real, then imaginary part. An axis that is out of range raises ValueError.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "cotan/array.h"
#include "cotan/axes.h"

namespace cotan::numpy {

// --- sorting. axis none: of the flattened array.
struct SortOptions {
  using is_options = void;
  bool stable = true;  // equal elements keep their order; they do so anyway
  bool descending = false;
};
struct ArgsortOptions {
  using is_options = void;
  bool stable = true;
  bool descending = false;
  std::optional<DType> dtype = std::nullopt;  // of the indices
};
Array sort(const Array& a, const Axes& axis = -1, const SortOptions& = {});
Array argsort(const Array& a, const Axes& axis = -1, const ArgsortOptions& = {});
Array lexsort(const std::vector<Array>& keys, int axis = -1);  // indices; the last key is compared first
// The kth + 1 smallest, in ascending order, then the rest. TypeError for bool, NotImplementedError for complex numbers.
Array partition(const Array& a, int kth, int axis = -1);
Array argpartition(const Array& a, int kth, int axis = -1);
Array sort_complex(const Array& a);  // along the last axis, as complex numbers

// --- searching
struct SearchOptions {
  using is_options = void;
  std::string_view method = "scan";  // scan, scan_unrolled, sort or compare_all: the results are the same
};
// Where the values v stand in the sorted 1-d array a (or in a[sorter]): before equal elements ("left") or after ("right"). int32.
Array searchsorted(const Array& a, const Array& v, std::string_view side = "left", const Array& sorter = {},
                   const SearchOptions& = {});
struct DigitizeOptions {
  using is_options = void;
  std::string_view method = "";
};
// The bin of each x: bins rise or fall; right: whether a bin holds its right edge.
Array digitize(const Array& x, const Array& bins, bool right = false, const DigitizeOptions& = {});

// --- cumulative: of the flattened array where axis is none. bool is added as the default integer; other types keep theirs.
Array cumsum(const Array& a, const Axes& axis = none, std::optional<DType> dtype = std::nullopt);
Array cumprod(const Array& a, const Axes& axis = none, std::optional<DType> dtype = std::nullopt);
Array nancumsum(const Array& a, const Axes& axis = none, std::optional<DType> dtype = std::nullopt);  // NaN counts as 0
Array nancumprod(const Array& a, const Axes& axis = none,
                 std::optional<DType> dtype = std::nullopt);  // NaN counts as 1
struct CumulativeOptions {
  using is_options = void;
  Axes axis = none;  // may be left out for 1-d arrays, else ValueError
  std::optional<DType> dtype = std::nullopt;
  bool include_initial = false;  // 0 or 1 comes first
};
Array cumulative_sum(const Array& x, const CumulativeOptions& = {});
Array cumulative_prod(const Array& x, const CumulativeOptions& = {});

// --- order statistics, over one axis, several or all
struct MedianOptions {
  using is_options = void;
  bool keepdims = false;
};
// q: a float between 0 and 1 (percentile: 100), or a 1-d array of them, whose axis comes first in the result. method: linear, lower,
// higher, midpoint, nearest or inverted_cdf, of which the last takes weights: of a's shape, or 1-d along the one axis.
struct QuantileOptions {
  using is_options = void;
  std::string_view method = "linear";
  bool keepdims = false;
  Array weights = {};
};
Array median(const Array& a, const Axes& axis = none, const MedianOptions& = {});
Array quantile(const Array& a, const Array& q, const Axes& axis = none, const QuantileOptions& = {});
Array percentile(const Array& a, const Array& q, const Axes& axis = none, const QuantileOptions& = {});
Array nanmedian(const Array& a, const Axes& axis = none, const MedianOptions& = {});  // NaNs left out
Array nanquantile(const Array& a, const Array& q, const Axes& axis = none, const QuantileOptions& = {});
Array nanpercentile(const Array& a, const Array& q, const Axes& axis = none, const QuantileOptions& = {});

// --- histograms. bins: how many, a concrete 0-d integer, or the edges, 1-d. range: the outer edges; none: the extreme elements.
using HistogramRange = std::optional<std::vector<Array>>;  // of two
struct HistogramOptions {
  using is_options = void;
  HistogramRange range = std::nullopt;
  Array weights = {};
  bool density = false;  // divided by the sum and the widths
};
struct Histogram {
  Array hist, bin_edges;
};
Histogram histogram(const Array& a, const Array& bins = 10, const HistogramOptions& = {});
Array histogram_bin_edges(const Array& a, const Array& bins = 10, const HistogramRange& range = std::nullopt,
                          const Array& weights = {});
// bins: one for all dimensions, or one for each. range: for each dimension a pair, or empty.
struct HistogramBins {
  HistogramBins(const Array& all = 10) : each{all}, shared(true) {}
  HistogramBins(std::vector<Array> list) : each(std::move(list)), shared(false) {}
  std::vector<Array> each;
  bool shared;
};
struct HistogramddOptions {
  using is_options = void;
  std::optional<std::vector<HistogramRange>> range = std::nullopt;
  Array weights = {};
  bool density = false;
};
struct Histogramdd {
  Array hist;
  std::vector<Array> edges;
};
Histogramdd histogramdd(const Array& sample, const HistogramBins& bins = {}, const HistogramddOptions& = {});  // (n, d)
struct Histogram2d {
  Array hist, xedges, yedges;
};
Histogram2d histogram2d(const Array& x, const Array& y, const HistogramBins& bins = {}, const HistogramddOptions& = {});
struct BincountOptions {
  using is_options = void;
  std::optional<std::int64_t> length =
      std::nullopt;  // of the result; none: one more than the largest x, which is then concrete
};
// How often each integer occurs; negative ones count as 0, those beyond the length do not count.
Array bincount(const Array& x, const Array& weights = {}, std::int64_t minlength = 0, const BincountOptions& = {});

// --- bits
Array bitwise_count(const Array& x);              // of the absolute values of integers, as uint8
Array nextafter(const Array& x, const Array& y);  // the float beside x towards y
Array spacing(const Array& x);                    // from x to the float beside it; negative for negative x

}  // namespace cotan::numpy

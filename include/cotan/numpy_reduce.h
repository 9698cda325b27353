// numpy's reductions. `axis`: none (all), one or several; ValueError for one out of range or given twice. Common options:
//   keepdims  reduced axes stay, with size 1
//   where     bool Array that broadcasts with the operand: which elements count (ValueError for another dtype)
//   initial   a number that the elements are combined with (ValueError unless 0-d); needed by min and max with `where`
//   dtype     of the accumulation and the result; none: floats keep theirs (16-bit ones are added in float32), integers
//             narrower than the default integer are widened to it
#pragma once
#include <optional>

#include "cotan/array.h"
#include "cotan/axes.h"

namespace cotan::numpy {

struct KeepdimsOptions {
  using is_options = void;
  bool keepdims = false;
};
struct SumOptions {
  using is_options = void;
  std::optional<DType> dtype = std::nullopt;
  bool keepdims = false;
  Array initial = {}, where = {};
  bool promote_integers = true;  // false: narrow integers are added in their own type
};
struct MeanOptions {
  using is_options = void;
  std::optional<DType> dtype = std::nullopt;
  bool keepdims = false;
  Array where = {};
};
struct VarOptions {
  using is_options = void;
  std::optional<DType> dtype = std::nullopt;
  Array ddof = {};  // the divisor is the count less ddof; none: 0
  bool keepdims = false;
  Array where = {};
  Array mean = {};        // if known, as mean gives it with keepdims
  Array correction = {};  // another name of ddof; ValueError for both
};
struct ExtremumOptions {
  using is_options = void;
  bool keepdims = false;
  Array initial = {}, where = {};
};
struct LogicalOptions {
  using is_options = void;
  bool keepdims = false;
  Array where = {};
};

Array sum(const Array&, const Axes& axis = none, const SumOptions& = {});
Array prod(const Array&, const Axes& axis = none, const SumOptions& = {});
Array mean(const Array&, const Axes& axis = none, const MeanOptions& = {});
Array var(const Array&, const Axes& axis = none,
          const VarOptions& = {});  // real; NaN where the divisor is not positive
Array std(const Array&, const Axes& axis = none, const VarOptions& = {});
// ValueError over no element without `initial`. NaN wins. Complex numbers compare by real, then imaginary part.
Array max(const Array&, const Axes& axis = none, const ExtremumOptions& = {});
Array min(const Array&, const Axes& axis = none, const ExtremumOptions& = {});
Array amax(const Array&, const Axes& axis = none, const ExtremumOptions& = {});
Array amin(const Array&, const Axes& axis = none, const ExtremumOptions& = {});
Array ptp(const Array&, const Axes& axis = none, const KeepdimsOptions& = {});  // max less min
Array all(const Array&, const Axes& axis = none, const LogicalOptions& = {});
Array any(const Array&, const Axes& axis = none, const LogicalOptions& = {});
// Of one axis, or of the flattened array: the first position of the extremum, or of a NaN. ValueError over no element.
Array argmax(const Array&, const Axes& axis = none, const KeepdimsOptions& = {});
Array argmin(const Array&, const Axes& axis = none, const KeepdimsOptions& = {});
Array count_nonzero(const Array&, const Axes& axis = none, const KeepdimsOptions& = {});

struct TraceOptions {
  using is_options = void;
  std::optional<DType> dtype = std::nullopt;
};
// The sum over the diagonal `offset` (none: 0; positive: above) of the matrices over two axes.
Array trace(const Array&, const Array& offset = {}, std::int64_t axis1 = 0, std::int64_t axis2 = 1,
            const TraceOptions& = {});

struct AverageOptions {
  using is_options = void;
  Array weights = {};  // of the operand's shape, or of its sizes over the axes in their order
  bool keepdims = false;
};
struct AverageResult {
  Array average, sum_of_weights;  // of one shape
};
// sum(w x) / sum(w). ValueError when the weights' shape does not fit.
Array average(const Array&, const Axes& axis = none, const AverageOptions& = {});
AverageResult average_returned(const Array&, const Axes& axis = none, const AverageOptions& = {});

struct CovOptions {
  using is_options = void;
  Array y = {};                     // further variables
  bool rowvar = true;               // each row is a variable; false: each column
  bool bias = false;                // the divisor is the number of observations; false: that less one
  std::optional<double> ddof = {};  // in place of 0 or 1 for bias
  Array fweights = {};              // integers, how often each observation was seen (TypeError otherwise)
  Array aweights = {};              // of each observation
  std::optional<DType> dtype = std::nullopt;
};
struct CorrcoefOptions {
  using is_options = void;
  Array y = {};
  bool rowvar = true;
  std::optional<DType> dtype = std::nullopt;
};
// Of observations of at most 2 dimensions (ValueError). RuntimeError for weights that do not fit.
Array cov(const Array& m, const CovOptions& = {});
Array corrcoef(const Array& x, const CorrcoefOptions& = {});  // in [-1, 1], both parts of complex ones

// As the functions above, over the elements that are not NaN.
struct NanVarOptions {
  using is_options = void;
  std::optional<DType> dtype = std::nullopt;
  Array ddof = {};
  bool keepdims = false;
  Array where = {};
  Array mean = {};
};
struct NanSumOptions {
  using is_options = void;
  std::optional<DType> dtype = std::nullopt;
  bool keepdims = false;
  Array initial = {}, where = {};
};
Array nansum(const Array&, const Axes& axis = none, const NanSumOptions& = {});
Array nanprod(const Array&, const Axes& axis = none, const NanSumOptions& = {});
Array nanmax(const Array&, const Axes& axis = none, const ExtremumOptions& = {});  // NaN where all are
Array nanmin(const Array&, const Axes& axis = none, const ExtremumOptions& = {});
Array nanmean(const Array&, const Axes& axis = none, const MeanOptions& = {});
Array nanvar(const Array&, const Axes& axis = none, const NanVarOptions& = {});
Array nanstd(const Array&, const Axes& axis = none, const NanVarOptions& = {});
Array nanargmax(const Array&, const Axes& axis = none, const KeepdimsOptions& = {});  // -1 where all are NaN
Array nanargmin(const Array&, const Axes& axis = none, const KeepdimsOptions& = {});

}  // namespace cotan::numpy

// scipy.stats: ranks, modes and standard errors. nan_policy: "propagate"; "omit" where said; NotImplementedError for what SciPy has
// besides, ValueError for other words.
#pragma once
#include <string_view>

#include "cotan/array.h"
#include "cotan/axes.h"

namespace cotan::scipy::stats {

struct RankdataOptions {
  using is_options = void;
  Axes axis = none;  // none: of the flattened array
  std::string_view nan_policy = "propagate";
};
// The ranks of the elements from 1 on, floating; NaN where a row has one. Equal elements get the average, min, max or dense rank, or
// with ordinal one after the other.
Array rankdata(const Array& a, std::string_view method = "average", const RankdataOptions& = {});

struct ModeResult {
  Array mode, count;
};
struct ModeOptions {
  using is_options = void;
  bool keepdims = false;
};
// The most frequent element along the axis, the smallest of several, and how often it occurs; of no elements NaN and 0.
ModeResult mode(const Array& a, const Axes& axis = 0, std::string_view nan_policy = "propagate",
                const ModeOptions& = {});

struct SemOptions {
  using is_options = void;
  bool keepdims = false;
};
// The standard error of the mean: the standard deviation with ddof over the square root of the count. nan_policy "omit" leaves out NaN.
Array sem(const Array& a, const Axes& axis = 0, int ddof = 1, std::string_view nan_policy = "propagate",
          const SemOptions& = {});

}  // namespace cotan::scipy::stats

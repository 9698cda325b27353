// numpy's sets of elements: sorted results. The number of results depends on the values, which must be concrete, unless `size` is
// given: then results beyond it are left out, and missing ones filled with fill_value, or with the smallest of the results
// (setxor1d: with NaN if it is one).
#pragma once
#include <optional>
#include <string_view>

#include "cotan/array.h"
#include "cotan/axes.h"

namespace cotan::numpy {

struct SetOptions {
  using is_options = void;
  std::optional<std::int64_t> size = std::nullopt;
  Array fill_value = {};
};
struct UniqueOptions {
  using is_options = void;
  Axes axis = none;       // none: of the flattened array; else its slices along the axis
  bool equal_nan = true;  // all NaNs are one
  std::optional<std::int64_t> size = std::nullopt;
  Array fill_value = {};
  bool sorted = true;  // they are, in any case
};
Array unique(const Array& ar, const UniqueOptions& = {});
// indices: where each occurs first; inverse_indices: of each element among the values; counts: how often each occurs.
struct UniqueAll {
  Array values, indices, inverse_indices, counts;
};
struct UniqueCounts {
  Array values, counts;
};
struct UniqueInverse {
  Array values, inverse_indices;
};
UniqueAll unique_parts(const Array& ar, const UniqueOptions& = {});  // all that numpy.unique can return
// Of the flattened array; every NaN is a value of its own.
UniqueAll unique_all(const Array& x, const SetOptions& = {});
UniqueCounts unique_counts(const Array& x, const SetOptions& = {});
UniqueInverse unique_inverse(const Array& x, const SetOptions& = {});
Array unique_values(const Array& x, const SetOptions& = {});

Array union1d(const Array& ar1, const Array& ar2, const SetOptions& = {});
// Elements of both; NaN is in no other. assume_unique changes nothing.
Array intersect1d(const Array& ar1, const Array& ar2, bool assume_unique = false, const SetOptions& = {});
struct Intersection {
  Array values, indices1, indices2;  // where they occur first; beyond the results: the sizes of ar1 and ar2
};
Intersection intersect1d_indices(const Array& ar1, const Array& ar2, const SetOptions& = {});
// Those of ar1 that are not in ar2; filled with 0. assume_unique: ar1 is taken in its order, with what it repeats.
Array setdiff1d(const Array& ar1, const Array& ar2, bool assume_unique = false, const SetOptions& = {});
Array setxor1d(const Array& ar1, const Array& ar2, bool assume_unique = false, const SetOptions& = {});  // of one only
struct IsinOptions {
  using is_options = void;
  std::string_view method = "auto";  // compare_all, binary_search, sort or auto: the results are the same
};
Array isin(const Array& element, const Array& test_elements, bool assume_unique = false, bool invert = false,
           const IsinOptions& = {});

}  // namespace cotan::numpy

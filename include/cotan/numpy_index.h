// numpy's functions that take, put and find elements by position.
#pragma once
#include <optional>
#include <string_view>

#include "cotan/array.h"
#include "cotan/axes.h"
#include "cotan/function_ref.h"

namespace cotan::numpy {

// mode: what indices outside do. "fill" (the default): fill_value (NaN, the lowest integer, the highest unsigned one, true) is read;
// negative indices count from the end. "clip": they are clamped. "wrap": they wrap around. ValueError for others.
struct TakeOptions {
  using is_options = void;
  std::string_view mode = {};
  bool unique_indices = false, indices_are_sorted = false;
  Array fill_value = {};
};
Array take(const Array& a, const Array& indices, const Axes& axis = none, const TakeOptions& = {});

// mode: "fill" (the default), "clip" or "promise_in_bounds". The other axes of arr and indices broadcast.
struct TakeAlongAxisOptions {
  using is_options = void;
  std::string_view mode = {};
  Array fill_value = {};
  bool wrap_negative_indices = true;
};
Array take_along_axis(const Array& arr, const Array& indices, const Axes& axis = -1, const TakeAlongAxisOptions& = {});

// Arrays are not changed: inplace must be false (ValueError). mode: as of updates, "clip" or "wrap"; none: what lies outside is
// left out. v is repeated as often as needed.
struct PutOptions {
  using is_options = void;
  std::string_view mode = {};
  bool inplace = true;
};
Array put(const Array& a, const Array& ind, const Array& v, const PutOptions& = {});
Array put_along_axis(const Array& arr, const Array& indices, const Array& values, const Axes& axis,
                     const PutOptions& = {});
struct InplaceOptions {
  using is_options = void;
  bool inplace = true;
};
Array place(const Array& arr, const Array& mask, const Array& vals, const InplaceOptions& = {});
struct FillDiagonalOptions {
  using is_options = void;
  bool wrap = false, inplace = true;
};
Array fill_diagonal(const Array& a, const Array& val, const FillDiagonalOptions& = {});

// mode: "raise" (indices must be concrete), "wrap" or "clip".
struct ChooseOptions {
  using is_options = void;
  std::string_view mode = "raise";
};
Array choose(const Array& a, const std::vector<Array>& choices, const ChooseOptions& = {});
Array select(const std::vector<Array>& condlist, const std::vector<Array>& choicelist, const Array& default_ = 0);

// size: of the result, needed where values are traced (ConcretizationTypeError); what is missing is fill_value.
struct SizeOptions {
  using is_options = void;
  std::optional<std::int64_t> size = std::nullopt;
  Array fill_value = 0;
};
Array compress(const Array& condition, const Array& a, const Axes& axis = none, const SizeOptions& = {});
Array extract(const Array& condition, const Array& arr, const SizeOptions& = {});

// fill_value: one number for all axes, or one for each.
struct NonzeroOptions {
  using is_options = void;
  std::optional<std::int64_t> size = std::nullopt;
  std::vector<Array> fill_value = {};
};
std::vector<Array> nonzero(const Array& a, const NonzeroOptions& = {});
Array argwhere(const Array& a, const NonzeroOptions& = {});
Array flatnonzero(const Array& a, const NonzeroOptions& = {});

std::vector<Array> ix_(const std::vector<Array>& args);
struct IndicesOptions {
  using is_options = void;
  std::optional<DType> dtype = std::nullopt;
};
Array indices(const Shape& dimensions, const IndicesOptions& = {});
std::vector<Array> sparse_indices(const Shape& dimensions,
                                  const IndicesOptions& = {});  // one for each axis, that broadcast
std::vector<Array> unravel_index(const Array& indices, const Shape& shape);
// mode: "raise" (indices must be concrete), "wrap", "clip" or "ignore"; order: "C" or "F".
struct RavelMultiIndexOptions {
  using is_options = void;
  std::optional<DType> dtype = std::nullopt;
};
Array ravel_multi_index(const std::vector<Array>& multi_index, const Shape& dims, std::string_view mode = "raise",
                        std::string_view order = "C", const RavelMultiIndexOptions& = {});

std::vector<Array> tril_indices(std::int64_t n, std::int64_t k = 0, std::optional<std::int64_t> m = std::nullopt);
std::vector<Array> triu_indices(std::int64_t n, std::int64_t k = 0, std::optional<std::int64_t> m = std::nullopt);
std::vector<Array> tril_indices_from(const Array& arr, std::int64_t k = 0);
std::vector<Array> triu_indices_from(const Array& arr, std::int64_t k = 0);
std::vector<Array> diag_indices(std::int64_t n, std::int64_t ndim = 2);
std::vector<Array> diag_indices_from(const Array& arr);
struct MaskIndicesOptions {
  using is_options = void;
  std::optional<std::int64_t> size = std::nullopt;
};
std::vector<Array> mask_indices(std::int64_t n, const FunctionRef<Array(const Array&, std::int64_t)>& mask_func,
                                std::int64_t k = 0, const MaskIndicesOptions& = {});

// obj: an integer, a slice, or a concrete Array of integers or bools. assume_unique_indices: obj may be traced.
struct DeleteOptions {
  using is_options = void;
  bool assume_unique_indices = false;
};
Array delete_(const Array& arr, const Index& obj, const Axes& axis = none, const DeleteOptions& = {});
Array insert(const Array& arr, const Index& obj, const Array& values, const Axes& axis = none);

}  // namespace cotan::numpy

// numpy's sequences of numbers, grids, windows, and building by ranges.
#pragma once
#include <complex>
#include <optional>
#include <string_view>

#include "cotan/array.h"

namespace cotan::numpy {

struct LinspaceOptions {
  using is_options = void;
  bool endpoint = true;
  std::optional<DType> dtype = std::nullopt;  // of integers: rounded down
  int axis = 0;                               // of the result, where the samples lie
};
struct LogspaceOptions {
  using is_options = void;
  bool endpoint = true;
  Array base = 10.0;
  std::optional<DType> dtype = std::nullopt;
  int axis = 0;
};
struct LinspaceResult {
  Array samples, step;
};
// num samples from start to stop; bounds may be arrays, which broadcast.
Array linspace(const Array& start, const Array& stop, std::int64_t num = 50, const LinspaceOptions& = {});
LinspaceResult linspace_with_step(const Array& start, const Array& stop, std::int64_t num = 50,
                                  const LinspaceOptions& = {});  // Python's retstep=True
Array logspace(const Array& start, const Array& stop, std::int64_t num = 50,
               const LogspaceOptions& = {});  // base^start to base^stop
Array geomspace(const Array& start, const Array& stop, std::int64_t num = 50, const LinspaceOptions& = {});

struct MeshgridOptions {
  using is_options = void;
  bool copy = true;
  bool sparse = false;
  std::string_view indexing = "xy";  // "ij": the first vector runs along the first axis
};
std::vector<Array> meshgrid(const std::vector<Array>&, const MeshgridOptions& = {});

// start, start + step, ... below stop; of a complex step nj: n samples up to stop itself. Python's start:stop:step.
struct GridRange {
  Array start, stop, step = 1;
  GridRange(const Array& stop_) : start(0), stop(stop_) {}
  GridRange(const Array& start_, const Array& stop_, const Array& step_ = 1)
      : start(start_), stop(stop_), step(step_) {}
};
Array mgrid(const std::vector<GridRange>&);  // mgrid({{0, 2}, {0, 3}}): shape (2, 2, 3)
std::vector<Array> ogrid(const std::vector<GridRange>&);

// What r_ and c_ join: an Array, or a range.
class GridItem {
 public:
  template <class T>
  requires std::is_convertible_v<const T&, Array> GridItem(const T& x) : array_(x) {}
  GridItem(const GridRange& r) : range_(r) {}
  const Array& array() const { return array_; }  // empty: a range
  const GridRange& range() const { return *range_; }

 private:
  Array array_;
  std::optional<GridRange> range_;
};
// directive "axis", "axis,ndim" or "axis,ndim,trans": joined along that axis, each made of at least ndim dimensions, its own from
// place `trans` on.
Array r_(const std::vector<GridItem>&, std::string_view directive = "0");
Array c_(const std::vector<GridItem>&, std::string_view directive = "-1,2,0");

// The indices themselves, for later use.
template <class... I> std::vector<Index> index_exp(const I&... i) { return {Index(i)...}; }
template <class... I> std::vector<Index> s_(const I&... i) { return {Index(i)...}; }

// Windows of M points; 1 alone is 1, and less none.
Array bartlett(std::int64_t M);
Array blackman(std::int64_t M);
Array hamming(std::int64_t M);
Array hanning(std::int64_t M);
Array kaiser(std::int64_t M, const Array& beta);

// Eight elements, zero or not, as the bits of a uint8, and back; along an axis, or of the flattened array. Bits beyond the
// end are 0. bitorder "big": the first is the highest bit; or "little".
struct PackOptions {
  using is_options = void;
  std::string_view bitorder = "big";
};
Array packbits(const Array&, std::optional<int> axis = std::nullopt, const PackOptions& = {});
Array unpackbits(const Array&, std::optional<int> axis = std::nullopt, std::optional<std::int64_t> count = std::nullopt,
                 const PackOptions& = {});

}  // namespace cotan::numpy

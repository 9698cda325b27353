// The parameters of library operations on rows: sort, top_k, scan.
#pragma once
#include <cstdint>
#include <vector>

namespace cotan::kernel {

// Rows of an array: element i of row (o, j) stands at (o * n + i) * inner + j.
struct RowParams {
  std::int64_t outer = 1, n = 1, inner = 1;
};

// sort: inputs and outputs are the operands, of one shape; rows are ordered by the first `keys` of them. Equal elements keep
// their order. -0 and 0 are equal; NaNs are equal, and the last; complex numbers go by the real, then the imaginary part.
struct SortParams {
  RowParams rows;
  std::int64_t keys = 1;

  std::vector<std::int64_t> encode() const { return {rows.outer, rows.n, rows.inner, keys}; }
  static SortParams decode(const std::vector<std::int64_t>& v) { return {{v[0], v[1], v[2]}, v[3]}; }
};

// top_k: the k largest of each row, the largest first, and their places as int32; of equal ones the first comes first. Floats are
// in the total order, in which -0 is below 0, and NaN the largest or, with a sign, the smallest.
struct TopKParams {
  RowParams rows;
  std::int64_t k = 1;

  std::vector<std::int64_t> encode() const { return {rows.outer, rows.n, rows.inner, k}; }
  static TopKParams decode(const std::vector<std::int64_t>& v) { return {{v[0], v[1], v[2]}, v[3]}; }
};

// scan: each element of a row with those before it (reverse: after it) combined. Floats are added and multiplied in float64.
enum class ScanKind : std::uint8_t { sum, prod, max, min, logsumexp };
struct ScanParams {
  RowParams rows;
  ScanKind kind = ScanKind::sum;
  bool reverse = false;

  std::vector<std::int64_t> encode() const {
    return {rows.outer, rows.n, rows.inner, static_cast<std::int64_t>(kind), reverse};
  }
  static ScanParams decode(const std::vector<std::int64_t>& v) {
    return {{v[0], v[1], v[2]}, static_cast<ScanKind>(v[3]), v[4] != 0};
  }
};

}  // namespace cotan::kernel

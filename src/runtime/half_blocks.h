// Blocks of 16-bit floats as float32 for the time of a product, and results rounded back.
#pragma once
#include <cstdint>
#include <type_traits>

#include "base/float16.h"
#include "runtime/allocator.h"

namespace cotan::runtime {

// Rows of columns with strides in elements; one of the strides should be 1.
struct BlockShape {
  std::int64_t rows = 0, columns = 0, row = 0, column = 0;
};
void widen(const BlockShape&, const BFloat16* from,
           float* to);  // contiguous in the order in which it stands: see Widened
void widen(const BlockShape&, const Float16* from, float* to);
// Row-major, with rows of `from` contiguous.
void narrow(std::int64_t rows, std::int64_t columns, const float* from, BFloat16* to, std::int64_t to_row);
void narrow(std::int64_t rows, std::int64_t columns, const float* from, Float16* to, std::int64_t to_row);

// Whether columns are what stays contiguous.
inline bool by_columns(const BlockShape& s) { return s.column != 1 && s.row == 1; }

// A copy of a block as float32: by columns if it stands so, else by rows.
template <class S> class Widened {
 public:
  Widened(const BlockShape& s, const S* from)
      : memory_(static_cast<std::size_t>(s.rows * s.columns) * sizeof(float)),
        row_(by_columns(s) ? 1 : s.columns),
        column_(by_columns(s) ? s.rows : 1) {
    widen(s, from, static_cast<float*>(memory_.data()));
  }
  const float* data() const { return static_cast<const float*>(memory_.data()); }
  std::int64_t row() const { return row_; }
  std::int64_t column() const { return column_; }

 private:
  ScopedBlock memory_;
  std::int64_t row_, column_;
};

// A block of a row-major result, in float32 until finish().
template <class R> class Rounded {
 public:
  Rounded(std::int64_t rows, std::int64_t columns, R* to, std::int64_t to_row)
      : memory_(is_own ? static_cast<std::size_t>(rows * columns) * sizeof(float) : 0),
        rows_(rows),
        columns_(columns),
        to_row_(to_row),
        to_(to) {}
  float* data() {
    if constexpr (is_own) return static_cast<float*>(memory_.data());
    else return to_;
  }
  std::int64_t row() const { return is_own ? columns_ : to_row_; }
  void finish() {
    if constexpr (is_own) narrow(rows_, columns_, data(), to_, to_row_);
  }

 private:
  static constexpr bool is_own = !std::is_same_v<R, float>;
  ScopedBlock memory_;
  std::int64_t rows_, columns_, to_row_;
  R* to_;
};

}  // namespace cotan::runtime

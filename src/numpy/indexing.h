// What an index expression says about each axis of the array.
#pragma once
#include <span>
#include <vector>

#include "numpy/common.h"

namespace cotan::numpy {

// One axis of the array: a position that drops it (known, or an integer Array), or count positions from start on.
struct AxisRegion {
  std::int64_t start = 0, count = 1, step = 1;  // step > 0; of a reversed range, the order of positions is forward
  std::int64_t limit = 0;                       // of a forward range with step > 1: its end as given, clamped
  bool drops = false, reversed = false;
  Array position;  // of a dynamic one

  bool is_dynamic() const { return position.has_value(); }
};

struct Region {
  std::vector<AxisRegion> axes;
  IntList new_axes;      // places in the result
  bool dynamic = false;  // some position is an Array, or lies outside
  bool outside = false;  // some known position does: reads are clamped, updates dropped

  IntList dropped() const;
  IntList reversed() const;
  IntList counts() const;      // sizes per axis, dropped ones as 1
  Shape result_shape() const;  // with new axes, without dropped ones
  bool is_contiguous() const;  // every step is 1
};

// IndexError for too many indices; TypeError for an index of another type.
Region parse_index(const Array& x, std::span<const Index> index);

// The elements of the region with every axis kept and ranges forward; of a dynamic one, at clamped positions.
Array read_block(const Array& x, const Region&);
// x with those elements replaced. Nothing is written where a position lies outside.
Array write_block(const Array& x, const Array& block, const Region&);

}  // namespace cotan::numpy

// What an index expression says about an array, and what reads and writes it.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "lax/indexing.h"
#include "numpy/common.h"

namespace cotan::numpy {

// A slice's positions: start + i * step for i < count, from the highest down where it is reversed.
struct Range {
  std::int64_t start = 0, count = 0, step = 1;  // step > 0; start: the lowest position
  std::int64_t limit = 0;                       // of a forward range: its end as given, clamped
  bool reversed = false;
  std::int64_t last() const { return start + (count - 1) * step; }
};
Range range_of(const slice&, std::int64_t n);

// One entry of an index expression, with ellipsis and masks written out.
struct IndexEntry {
  enum class Kind : std::uint8_t { position, range, new_axis, array };
  Kind kind;
  int axis = -1;                         // of the array with axes for truth values; -1: new_axis
  std::int64_t given = 0, position = 0;  // as written, and counted from the start
  Range range;
  Array array;            // of integers
  bool in_range = false;  // array: made from a mask
};

struct ParsedIndex {
  IntList truth_axes;  // places in x where an axis of size 1 is put for true or false
  std::vector<IndexEntry> entries;
  bool advanced = false;  // some array has axes, so that positions and arrays broadcast together

  bool is_static(const Shape&) const;  // known positions that lie inside, and ranges
  bool is_block() const;               // no entry needs more than the start of a block
};
// IndexError for too many indices, masks that do not fit, or a position on an axis without elements; TypeError for other types;
// NonConcreteBooleanIndexError for traced masks.
ParsedIndex parse_index(const Array& x, std::span<const Index> index, bool wrap_negative);

// The index as that of a gather or scatter.
struct GatherIndex {
  Array indices;
  ops::GatherDims dims;
  Shape sizes;       // of a window
  Shape gathered;    // of the gather's result
  IntList reversed;  // its dimensions that come in the other order
  IntList new_axes;  // places in the indexed shape
  bool advanced = false;
  Shape shape() const;  // of the indexed part
};
GatherIndex lower_index(const Shape& x, const ParsedIndex&, bool wrap_negative);

enum class Update : std::uint8_t { set, add, subtract, multiply, divide, power, min, max };
Array get_at(const Array& x, std::span<const Index>, const AtGetOptions& = {});
Array update_at(Update, const Array& x, std::span<const Index>, const Array& v, const AtSetOptions& = {});
Array apply_at(const Array& x, std::span<const Index>, const UnaryFn& f, const AtSetOptions& = {});

// i in a type that holds n; arithmetic with n does not wrap there.
Array wide_for(const Array& i, std::int64_t n);
// Negative positions, counted from the end of an axis of n elements.
Array wrapped(const Array& i, std::int64_t n);
// Of a concrete Array: for each axis, the positions of what is not zero; of the default integer type.
std::vector<Array> host_nonzero(const Array& x);
// The sum of a vector's elements up to each, as int32; the positions of the first `size` true elements of a mask, and its size
// where there are fewer.
Array running_sum(const Array& x);
Array true_positions(const Array& mask, std::int64_t size);
// What reads outside give where no value is given, as a number of the dtype.
HostScalar default_fill(DType);

}  // namespace cotan::numpy

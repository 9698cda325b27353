// What gather and the scatters share: checks of dimension numbers, and the loops of the library call.
#pragma once
#include <string>

#include "kernel/library_params.h"
#include "kernel/plan.h"
#include "ops/gather.h"
#include "ops/stablehlo.h"

namespace cotan::ops {

std::span<const char* const> enum_names(GatherScatterMode);

// The roles of dimensions, in the same words for both: windows are the result of a gather, the updates of a scatter.
struct IndexedDims {
  const char* name;  // "gather": of the messages
  const char *window_name, *dropped_name, *map_name, *batching_name, *indices_batching_name;
  const IntList &window, &dropped, &map, &batching, &indices_batching;

  static IndexedDims of(const char* name, const GatherDims&);
  static IndexedDims of(const char* name, const ScatterDims&);
  // The dimensions of the operand that a window has.
  IntList kept(int ndim) const;
  // Of the windows array, those that are not of the window.
  IntList batch(int windows_ndim) const;
};

// TypeErrors that name the dimension numbers. sizes: of a window, per dimension of the operand.
void check_indexed(const IndexedDims&, const Aval& operand, const Aval& indices, const Shape& sizes, int windows_ndim);

// The loops over windows of `sizes`; the windows array has this shape.
kernel::IndexedParams indexed_params(const IndexedDims&, const Shape& operand, const Shape& indices, const Shape& sizes,
                                     const Shape& windows, GatherScatterMode mode, bool clips);

// StableHLO: index vectors as one integer type, signed, with the index vectors in the last dimension; how high each may be so
// that its window lies inside; and, for each vector, whether it does.
struct HloIndices {
  HloValue vectors, highest;
};
HloIndices hlo_index_vectors(HloWriter&, const IndexedDims&, const HloValue& indices, const Shape& operand,
                             const Shape& sizes);
HloValue hlo_inside(HloWriter&, const HloIndices&);
std::string hlo_flag(const char* name, bool);

void register_scatter();

// Dimension numbers in which a dimension was put in front (of the operand, of the indices, of the windows).
void shift_all(IntList& dims);

}  // namespace cotan::ops

// The loops of programs rewritten, and one program's element found by the loops of another: what fusing programs is made of.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/program.h"

namespace cotan::kernel {

// Whether strides visit a row-major array of `extents` whole and in order. Extents of 1 do not count.
bool is_row_major(const Dims& extents, const Dims& strides);

// The coarsest extents that split both lists into parts; none where their boundaries do not nest, or one is 0. Extents of 1 are left out.
std::optional<Dims> common_split(const Dims& a, const Dims& b);

// The strides of an access in loops of `extents`, when these are split into `split`.
Dims split_strides(const Dims& extents, const Dims& split, const Dims& strides);

// The program with its loops split into `extents` (a common_split of its own with others); what it computes stays the same.
void split_loops(Program*, const Dims& extents);

// Makes one loop of the first `count`; false, and nothing is done, where an access does not run through them evenly, or only
// some are reduced.
bool merge_leading_loops(Program*, int count);

// An array of `dims` whose elements stand `weights` apart, read at offset + index . strides, as an index of that array: dimension
// d is at start[d] + the sum over loops l of steps[d][l] * index[l], which stays within the dimension.
struct IndexMap {
  Dims start;
  std::vector<Dims> steps;
};
std::optional<IndexMap> index_map(const Dims& dims, const Dims& weights, const Dims& loops, std::int64_t offset,
                                  const Dims& strides);

// The loops split where they run through several of the dimensions, so that index_map may exist.
Dims split_at_dims(const Dims& dims, const Dims& weights, const Dims& loops, const Dims& strides);

// The source read at the mapped index: `loops` of them in the program that reads it. The map's others are what `starts` give.
Source mapped(const Source&, const IndexMap&, int loops, const Starts& starts);

}  // namespace cotan::kernel

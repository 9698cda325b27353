// Parts of arrays: the elements that an access reaches, whether two accesses share some, and where one leaves the other.
#pragma once
#include <cstdint>
#include <optional>

#include "kernel/loops.h"

namespace cotan::kernel {

// The elements at offset + index . strides.
struct Box {
  std::int64_t offset = 0;
  Dims extents, strides;
};
// Of a source or store in a program over these loops: all that it may reach, wherever it starts.
template <class Access> Box box_of(const Access& a, const Dims& loops) {
  Box b{a.offset, loops, a.strides};
  for (const Start& t : a.starts) b.extents.push_back(t.limit + 1), b.strides.push_back(t.stride);
  return b;
}

// Whether an element's place tells its index, digit by digit: each stride is positive and beyond all that the later loops reach.
bool is_part(const Box&);

// Whether no element is in both; false too where that is not easily seen.
bool disjoint(const Box&, const Box&);

// How many iterations of the access reach an element of the part, at most: exact where each dimension is walked by one loop.
std::int64_t iterations_in(const Box& access, const Box& part);

// The access is in two: the iterations of `loop`, of the loops split into these, below `at`, and those from there on. One has more
// dimensions inside or outside of the part. None where the access is inside or outside already, or neither is easily seen.
struct Cut {
  Dims loops;
  int loop = 0;
  std::int64_t at = 0;
};
std::optional<Cut> cut_at(const Box& access, const Box& part);

}  // namespace cotan::kernel

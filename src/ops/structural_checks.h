// Checks of axes and sizes that the records of structural operations share.
#pragma once
#include <string>

#include "cotan/errors.h"
#include "cotan/shape.h"
#include "ops/common.h"

namespace cotan::ops {

inline bool distinct(const IntList& l) {
  for (int i = 0; i < l.length(); ++i)
    for (int j = 0; j < i; ++j)
      if (l[i] == l[j]) return false;
  return true;
}
// a + by; an axis that no array has may wrap: abstract_eval, which comes after, rejects it either way.
inline std::int64_t plus(std::int64_t a, std::int64_t by) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(by));
}
// Axes of an array as those of one with `by` dimensions more in front.
inline IntList shifted(const IntList& axes, int by) {
  IntList r = axes;
  for (std::int64_t& a : r) a = plus(a, by);
  return r;
}
// The place of each axis beside a batch dimension at `dim`.
inline IntList around(const IntList& axes, int dim) {
  IntList r = axes;
  for (std::int64_t& a : r) a = plus(a, a >= dim);
  return r;
}
inline bool is_permutation(const IntList& l, int n) {
  for (std::int64_t d : l)
    if (d < 0 || d >= n) return false;
  return l.length() == n && distinct(l);
}
// `what`: "iota shape".
inline void check_nonnegative(const char* what, const IntList& l) {
  for (std::int64_t d : l)
    if (d < 0) throw TypeError(std::string(what) + " must have every element be nonnegative, got " + l.str() + ".");
}
inline void check_axis(std::int64_t axis, int ndim) {
  if (axis < 0 || axis >= ndim)
    throw ValueError("axis " + std::to_string(axis) + " is out of bounds for array of dimension " +
                     std::to_string(ndim));
}

// The first `count` operands with their batch dimensions at one place, which is returned: where they stand if all agree, else in
// front, where those that are not mapped are repeated.
inline int same_batch_dim(const BatchIn& in, std::size_t count, ArrayVec& out) {
  bool agree = in.dims[0] != not_mapped;
  for (std::size_t i = 1; i < count; ++i) agree &= in.dims[i] == in.dims[0];
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(agree ? in.args[i] : with_batch_front(in.args[i], in.dims[i], in.axis_size));
  return agree ? in.dims[0] : 0;
}

// Parts of the structural family with files of their own.
void register_broadcasting();  // broadcast_in_dim, iota
void register_joining();       // concatenate, stack, pad
void register_repeating();     // tile, unstack
void register_splitting();     // split
void register_copying();       // copy, optimization_barrier

}  // namespace cotan::ops

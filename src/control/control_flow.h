// Structured control flow over functions of lists of Arrays. Front ends add pytrees.
#pragma once
#include <optional>

#include "control/loops.h"

namespace cotan {

// What front ends know of the trees behind the lists; for messages and checks.
struct ControlNames {
  std::function<std::string(std::size_t leaf)> carry;   // " component c[1]"; of a loop
  std::function<std::string(std::size_t leaf)> result;  // " at path ['b']"; of a branch
  std::function<void()> check_branches;  // after all branches are traced, before their types are compared
};

// TypeError when the predicate is no scalar or neither bool nor number; numbers are true unless they are 0. Both functions are traced
// unless jit is disabled; results that differ only in weak types lose them, others that differ in type raise TypeError.
Arrays flat_cond(const Array& predicate, const FlatFn& on_true, const FlatFn& on_false, const Arrays& operands,
                 const ControlNames&);
// TypeError for an index that is no integer scalar; it is clamped.
Arrays flat_switch(const Array& index, const std::vector<FlatFn>& branches, const Arrays& operands,
                   const ControlNames&);

// The body takes carries, or carries and a row of each of xs, and gives carries, or carries and rows. A weak type of a carry gives way
// to what the body makes of it. TypeError, naming the carry, when a type changes.
Arrays flat_while(const FlatFn& condition, const FlatFn& body, Arrays init, const ControlNames&);
// The carries with the types that the body makes of weak ones. TypeError, naming `what` and the carry, when a type changes.
Arrays promoted_carries(const char* what, const FlatFn& body, Arrays carries, const ControlNames&);
struct ScanOptionsFlat {
  std::optional<std::int64_t> length = std::nullopt;
  bool reverse = false;
  std::int64_t unroll = 1;
};
// ValueError for leading axes of several sizes, or none and no length.
Arrays flat_scan(const FlatFn& body, Arrays init, const Arrays& xs, const ScanOptionsFlat&, const ControlNames&);
// For i from lower to upper - 1. The body takes i and the carries. A scan where the bounds are known, else a while loop.
Arrays flat_fori(const Array& lower, const Array& upper, const FlatFn& body, Arrays init, std::int64_t unroll,
                 const ControlNames&);

}  // namespace cotan

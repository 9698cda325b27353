// Loops beyond JAX's: a while loop of at most so many steps, which reverse mode goes through, and scans whose derivative needs memory
// for the square root of their length.
#pragma once
#include "control/control_flow.h"

namespace cotan {

// As flat_scan: in about the square root of the length segments, of each of which the derivative keeps the carry that it starts with
// and computes the rest again.
Arrays flat_checkpointed_scan(const FlatFn& body, Arrays init, const Arrays& xs, const ScanOptionsFlat&,
                              const ControlNames&);

// As flat_while, but the body runs at most max_steps times: then the loop ends whatever the condition says. A scan of max_steps
// steps that do nothing once the condition has failed. ValueError for max_steps below 0.
Arrays flat_bounded_while(const FlatFn& condition, const FlatFn& body, Arrays init, std::int64_t max_steps,
                          bool checkpoint, const ControlNames&);

}  // namespace cotan

// What functions that index share: modes by name, fill values, and the application of a function at places.
#pragma once
#include <string_view>

#include "cotan/function_ref.h"
#include "ops/gather.h"

namespace cotan {

// "clip", "fill", "drop", "promise_in_bounds", or the names of Python's enum; `otherwise` for an empty name. ValueError for other
// words.
ops::GatherScatterMode mode_of(std::string_view name, ops::GatherScatterMode otherwise);

// The number that reads outside give. TypeError unless it is a concrete number.
HostScalar fill_number(const Array& value);

using UnaryFn = FunctionRef<Array(const Array&)>;
// x with f of the windows in their places: as often as a place occurs. f gives the type and shape that it gets (TypeError).
Array apply_windows(const Array& x, const Array& indices, const Shape& updates, const UnaryFn& f,
                    const ops::ScatterDims&, const ops::GatherScatterOptions&);

}  // namespace cotan

// Nested lists of a table's call as arrays.
#pragma once
#include <optional>

#include "api/convert_value.h"

namespace cotan::numpy {

// As numpy.array makes of numbers, arrays, and lists of them. ValueError for lists of different lengths; OverflowError for
// integers that the dtype does not hold.
Array array_of_value(const table::Value&, std::optional<DType> dtype, const table::Place&);

}  // namespace cotan::numpy

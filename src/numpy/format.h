// The text of arrays, as NumPy prints them.
#pragma once
#include <string>

#include "cotan/array.h"

namespace cotan::numpy {

std::string array_str(const Array&);   // "[1. 2.]", a number alone as "1.0"; of a traced value, its type
std::string array_repr(const Array&);  // "Array([1., 2.], dtype=float32)"

}  // namespace cotan::numpy

// The .npy format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
#pragma once
#include <string>
#include <string_view>

#include "cotan/array.h"

namespace cotan::numpy {

std::string npy_of_array(const char* function, const Array&);
// name: of the file, for messages.
Array array_of_npy(std::string_view bytes, const std::string& name);

}  // namespace cotan::numpy

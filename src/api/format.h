// Messages with places for Arrays.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "cotan/array.h"

namespace cotan::api {

// The text between the places {} of a format. ValueError, naming `what`, when there are not as many places as arguments.
std::vector<std::string> format_parts(const char* what, const std::string& format, std::size_t arguments);
std::string formatted(const std::vector<std::string>& parts, std::span<const Array> values);

}  // namespace cotan::api

#include "api/format.h"

#include <sstream>

#include "cotan/errors.h"

namespace cotan::api {

std::vector<std::string> format_parts(const char* what, const std::string& format, std::size_t arguments) {
  std::vector<std::string> parts{""};
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format.compare(i, 2, "{}") == 0) parts.emplace_back(), ++i;
    else parts.back() += format[i];
  }
  if (parts.size() != arguments + 1)
    throw ValueError(std::string(what) + ": the format has " + std::to_string(parts.size() - 1) + " places, got " +
                     std::to_string(arguments) + " arguments");
  return parts;
}

std::string formatted(const std::vector<std::string>& parts, std::span<const Array> values) {
  std::ostringstream text;
  text << parts[0];
  for (std::size_t i = 0; i < values.size(); ++i) text << values[i] << parts[i + 1];
  return text.str();
}

}  // namespace cotan::api

#include "cotan/errors.h"

#include <utility>

#include "base/user_location.h"

namespace cotan {
namespace {

std::string with_location(const std::string& message) {
  std::string where;
  try {
    where = find_user_line();
  } catch (...) {  // the error itself matters more than its place
    return message;
  }
  if (where.empty()) return message;
  const std::size_t first = message.find('\n');
  std::string out = message.substr(0, first);
  out += "\n  at " + where;
  if (first != std::string::npos) out += message.substr(first);
  return out;
}

}  // namespace

Error::Error(std::string message) : message_(std::move(message)), what_(with_location(message_)) {}

Error::~Error() = default;

const char* Error::what() const noexcept { return what_.c_str(); }

}  // namespace cotan

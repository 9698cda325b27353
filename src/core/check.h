// What checkify tests of an equation.
#pragma once
#include <functional>
#include <memory>

#include "core/params.h"
#include "core/trace.h"

namespace cotan {

enum class CheckKind : std::uint8_t { user, nan, index, division };

// The message of a failed check, of the concrete values that the check keeps for it.
struct CheckMessage final : Callable {
  std::function<std::string(std::span<const Array> values)> text;
  std::function<const void*(std::span<const Array> values)>
      position;  // where the check stands, if not where its equation does
  CheckMessage(std::string n, decltype(text) f, decltype(position) p = nullptr)
      : Callable(std::move(n)), text(std::move(f)), position(std::move(p)) {}
};
using CheckMessageRef = std::shared_ptr<const CheckMessage>;

struct Check {
  CheckKind kind = CheckKind::user;
  Array failed;  // a bool scalar
  ArrayVec values;
  CheckMessageRef message;
};

}  // namespace cotan

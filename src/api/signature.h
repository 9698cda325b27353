// A Python signature, as inspect.signature prints it without annotations, and the binding of arguments to it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/table_value.h"

namespace cotan::table {

struct Parameter {
  enum class Kind : std::uint8_t { positional_only, either, many, keyword_only, keywords };  // many: *args
  std::string name;
  Kind kind;
  std::optional<Value> otherwise;  // the default
};

struct Signature {
  std::string name;
  std::vector<Parameter> parameters;
  static Signature parse(std::string_view);     // "sum(a, axis=None, *, where=None)"
  int index(std::string_view parameter) const;  // -1: none
};

struct Arguments {
  Value::Items positional;
  Value::Entries keywords;
};

// One value for each parameter, or nullopt where none was given; *args is a tuple, **kwargs a dict. TypeError, as a call in
// Python would raise, for one too many, one unexpected, one given twice, one missing.
std::vector<std::optional<Value>> bind_arguments(const Signature&, const Arguments&);

}  // namespace cotan::table

// The text of arrays.
#pragma once
#include <optional>

#include "cotan/array.h"

namespace cotan::numpy {

struct ArrayTextOptions {
  using is_options = void;
  std::optional<int> max_line_width = std::nullopt, precision = std::nullopt;
  std::optional<bool> suppress_small = std::nullopt;
};
std::string array_str(const Array&, const ArrayTextOptions& = {});   // "[1. 2.]"; of a traced value, its type
std::string array_repr(const Array&, const ArrayTextOptions& = {});  // "Array([1., 2.], dtype=float32)"

// How arrays are printed; what is not given stays as it is.
struct PrintOptions {
  std::optional<int> precision = std::nullopt;           // digits after the point; 8
  std::optional<std::int64_t> threshold = std::nullopt;  // more elements than these are summarised; 1000
  std::optional<int> edgeitems = std::nullopt;           // elements at each end of a summary; 3
  std::optional<int> linewidth = std::nullopt;           // 75
  std::optional<bool> suppress = std::nullopt;           // no exponents; false
  std::optional<std::string> nanstr = std::nullopt, infstr = std::nullopt;
  std::optional<char> sign = std::nullopt;              // '-', '+' or ' ' (a place for it)
  std::optional<std::string> floatmode = std::nullopt;  // "maxprec"; "fixed", "unique", "maxprec_equal"
};
PrintOptions get_printoptions();             // all given
void set_printoptions(const PrintOptions&);  // of this thread; ValueError for a value out of range
class printoptions {                         // until the object goes: `jnp::printoptions p({.precision = 3});`
 public:
  explicit printoptions(const PrintOptions&);
  ~printoptions();
  printoptions(const printoptions&) = delete;
  printoptions& operator=(const printoptions&) = delete;

 private:
  PrintOptions before_;
};

}  // namespace cotan::numpy

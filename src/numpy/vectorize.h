// Functions of numbers, or of core axes, over the leading axes of their arguments.
#pragma once
#include <string>
#include <vector>

#include "transforms/flat.h"

namespace cotan::numpy {

// The axes that a function takes and gives: "(n,m),(m)->(n)". Without a text: of numbers, and results have any axes.
struct CoreAxes {
  std::vector<std::vector<std::string>> in, out;
  std::string text;
  static CoreAxes parse(const std::string&);  // ValueError
};

Arrays vectorized(const FlatFn& f, const Arrays& in, const CoreAxes&);

}  // namespace cotan::numpy

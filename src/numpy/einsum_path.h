// The subscripts of einsum, read, and the order of its contractions.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cotan/numpy_products.h"

namespace cotan::numpy {

using Labels = std::vector<int>;  // characters; the axes of "..." are numbers below 0, in their order

struct Subscripts {
  std::vector<Labels> inputs;
  Labels output;
  std::map<int, std::int64_t> sizes;  // of each label; operands may have 1 instead
};
// ValueError where subscripts do not fit the shapes.
Subscripts read_subscripts(std::string_view text, const std::vector<Shape>& shapes);

// Which operands meet in each step, ascending; the result is appended to those that are left.
std::vector<IntList> contraction_order(const Subscripts&, const EinsumOrder&);

// What one step does to the labels.
struct Step {
  std::vector<Labels> operands;  // the last one first
  Labels result;
};
// Takes the step's operands out of `labels` and appends its result.
Step take_step(std::vector<Labels>& labels, const IntList& positions, const Labels& output);

}  // namespace cotan::numpy

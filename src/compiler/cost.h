// What a program costs: arithmetic and memory traffic, by equation and in all. include/cotan/analysis.h says what counts.
#pragma once
#include <string>

#include "core/primitive.h"
#include "cotan/analysis.h"

namespace cotan {

CostAnalysis cost_of(const Jaxpr&, const JaxprEqn&);
CostAnalysis cost_of(const Jaxpr&);

// The equations, the dearest first, one a line; at most so many, then how many more there are.
std::string cost_table(const Jaxpr&, std::size_t lines);

}  // namespace cotan

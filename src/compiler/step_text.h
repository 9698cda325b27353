// A step of a plan in one line, for people.
#pragma once
#include <string>

#include "kernel/plan.h"

namespace cotan {

// "[4096, 1024] sin, mul -> sum": a loop nest and what it computes; "dot"; "while".
std::string step_text(const kernel::Step&);

}  // namespace cotan

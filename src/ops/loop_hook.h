// Loops of expansions. The primitive of loops stands above ops: src/control/ installs the hook when it registers it.
#pragma once
#include <functional>
#include <vector>

#include "core/primitive.h"

namespace cotan::ops {

using LoopStep = std::function<std::vector<Array>(const std::vector<Array>&)>;
// Records a loop: while `condition` of the carries, which gives one truth value, the carries become `body` of them.
using ExpansionLoop = std::vector<Array> (*)(const LoopStep& condition, const LoopStep& body,
                                             const std::vector<Array>& init);
void install_expansion_loop(ExpansionLoop);

}  // namespace cotan::ops

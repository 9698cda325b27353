// A function with a batching rule of its own.
#pragma once
#include "control/programs.h"

namespace cotan {

extern const Primitive custom_vmap_call_p;

struct BatchedResults {
  Arrays results;
  Bits batched;  // where it holds, a result has the batch's axis at the front
};
// Of arguments, of which those marked have the batch's axis at the front.
using VmapRule = std::function<BatchedResults(std::int64_t axis_size, const Bits& batched, const Arrays& args)>;

// f of the arguments; vmap uses the rule.
Arrays bind_custom_vmap(const FlatFn& f, VmapRule rule, const std::string& rule_name, const Arrays& args);

}  // namespace cotan

#include "cotan/custom_vmap.h"

#include "control/custom_vmap.h"
#include "control/map.h"

namespace cotan::detail {

LeavesVmapRule::~LeavesVmapRule() = default;

namespace {

VmapRule in_turn(const LeavesFn& f) {
  return [f](std::int64_t, const std::vector<bool>& batched, const Arrays& args) {
    const FlatFn lane = [&](const Arrays& rows) {
      Arrays all_args = args;
      std::size_t next = 0;
      for (std::size_t i = 0; i < args.size(); ++i)
        if (batched[i]) all_args[i] = rows[next++];
      return f(all_args);
    };
    BatchedResults r;
    r.results = flat_map(lane, chosen(args, batched), 0);
    r.batched.assign(r.results.size(), true);
    return r;
  };
}

}  // namespace

Leaves run_custom_vmap(const LeavesFn& f, std::shared_ptr<const LeavesVmapRule> rule, const Leaves& args) {
  VmapRule flat_rule = in_turn(f);
  if (rule)
    flat_rule = [rule](std::int64_t size, const std::vector<bool>& batched, const Arrays& x) {
      BatchedLeaves got = (*rule)(size, batched, x);
      if (got.batched.size() != got.leaves.size())
        throw ValueError("custom_vmap: the rule said of " + std::to_string(got.batched.size()) +
                         " leaves whether they are batched, the result has " + std::to_string(got.leaves.size()));
      return BatchedResults{std::move(got.leaves), std::move(got.batched)};
    };
  return bind_custom_vmap([f](const Arrays& x) { return f(x); }, std::move(flat_rule), "rule", args);
}

}  // namespace cotan::detail

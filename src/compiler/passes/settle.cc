#include "compiler/passes/settle.h"

#include <algorithm>

namespace cotan {

namespace {

class Settler {
 public:
  explicit Settler(kernel::Plan plan)
      : plan_(std::move(plan)), uses_(plan_.buffers.size()), last_(plan_.buffers.size(), -1) {
    for (std::size_t s = 0; s < plan_.steps.size(); ++s)
      each(s, [&](std::size_t b) { ++uses_[b], last_[b] = static_cast<int>(s); });
  }

  kernel::Plan run() {
    std::vector<int> before(plan_.buffers.size(), -1);        // the last step so far, where it has gone
    std::vector<std::pair<std::int64_t, std::size_t>> order;  // the step that each follows, or itself; then itself
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
      int after = static_cast<int>(s);
      if (settles(s)) {
        after = -1;
        each(s, [&](std::size_t b) { after = std::max(after, before[b]); });
      }
      order.emplace_back(after, s);
      each(s, [&](std::size_t b) { before[b] = std::max(before[b], after); });
    }
    std::sort(order.begin(), order.end());
    std::vector<kernel::Step> steps;
    steps.reserve(order.size());
    for (const auto& [after, s] : order) steps.push_back(std::move(plan_.steps[s]));
    plan_.steps = std::move(steps);
    return std::move(plan_);
  }

 private:
  template <class F> void each(std::size_t s, F f) const {
    for (int b : kernel::reads_of(plan_.steps[s])) f(static_cast<std::size_t>(b));
    for (int b : kernel::writes_of(plan_.steps[s])) f(static_cast<std::size_t>(b));
  }

  bool settles(std::size_t s) const {
    if (!std::holds_alternative<kernel::Program>(plan_.steps[s])) return false;
    std::int64_t bytes = 0;  // that it takes, less those that it frees
    bool alone = true;
    for (int b : kernel::writes_of(plan_.steps[s])) {
      const kernel::BufferInfo& i = plan_.buffers[static_cast<std::size_t>(b)];
      alone &= i.kind == kernel::BufferKind::output && uses_[static_cast<std::size_t>(b)] == 1;
      bytes += i.bytes;
    }
    std::vector<int> read = kernel::reads_of(plan_.steps[s]);
    std::sort(read.begin(), read.end());
    read.erase(std::unique(read.begin(), read.end()), read.end());
    for (int b : read) {
      const kernel::BufferInfo& i = plan_.buffers[static_cast<std::size_t>(b)];
      if (i.kind == kernel::BufferKind::temporary && last_[static_cast<std::size_t>(b)] == static_cast<int>(s))
        bytes -= i.bytes;
    }
    return alone && bytes <= 0;
  }

  kernel::Plan plan_;
  std::vector<int> uses_, last_;  // of each buffer: how often, and the last step
};

}  // namespace

kernel::Plan settle_results(kernel::Plan plan) { return Settler(std::move(plan)).run(); }

}  // namespace cotan

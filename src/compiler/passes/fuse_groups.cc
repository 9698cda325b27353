#include "compiler/passes/fuse_groups.h"

#include <algorithm>
#include <utility>

#include "compiler/passes/program_parts.h"
#include "kernel/combine.h"

namespace cotan {

using kernel::Box;
using kernel::Dims;
using kernel::Program;
using kernel::Source;
using kernel::ValueKind;

FuseGroups::FuseGroups(kernel::Plan plan) : plan_(std::move(plan)), facts_(plan_.buffers.size()) { count(); }

void FuseGroups::count() {
  for (std::size_t b = 0; b < facts_.size(); ++b)
    facts_[b].output = plan_.buffers[b].kind == kernel::BufferKind::output;
  for (std::size_t s = 0; s < plan_.steps.size(); ++s)
    for (int b : kernel::writes_of(plan_.steps[s])) ++facts(b).writers, facts(b).last_writer = s;
  for (kernel::Step& step : plan_.steps) {
    if (auto* p = std::get_if<Program>(&step)) {
      take_constants(plan_, p);
      ProgramParts(p).merge_sources();
      count(*p);
    } else {
      for (int b : kernel::reads_of(step)) facts(b).demand += unbounded, facts(b).maps_only = false;
    }
  }
}

void FuseGroups::count(const Program& p) {
  const auto starts = [&](const kernel::Starts& all) {
    for (const kernel::Start& t : all) facts(t.buffer).demand += unbounded;
  };
  for (const Source& s : p.sources) {
    starts(s.starts);
    if (!is_memory(s)) continue;
    Buffer& b = facts(s.buffer);
    if (b.writers > 1) b.reads.push_back({s, p.extents});
    else b.demand += p.iterations();
    b.maps_only &= !p.reduction;
  }
  for (const kernel::Store& s : p.stores) starts(s.starts);
}

std::int64_t FuseGroups::reads_of(const Source& s, const Dims& loops, const Box& part) {
  const Box mine = kernel::box_of(s, loops);
  if (s.starts.empty() && facts(s.buffer).writers > 1) return kernel::iterations_in(mine, part);
  return kernel::disjoint(mine, part) ? 0 : loops.product();
}

void FuseGroups::add_reader(const Source& s, const Dims& loops, int n) {
  std::vector<int> left;
  add_reader(s, loops, n, &left);
  while (!left.empty()) {
    Group& g = group(left.back());
    left.pop_back();
    if (!std::exchange(g.open, false)) continue;
    for (const Source& r : g.program().sources) add_reader(r, g.program().extents, -1, &left);
  }
}

void FuseGroups::add_reader(const Source& s, const Dims& loops, int n, std::vector<int>* left) {
  const auto add = [&](const Part& part, std::int64_t times) {
    demand(part) += n * times;
    if (n < 0 && is_unread(group(part.group))) left->push_back(part.group);
  };
  if (is_memory(s)) {
    const auto& parts = facts(s.buffer).parts;
    for (const Part& part : parts)
      if (const auto times = parts.size() == 1 ? loops.product() : reads_of(s, loops, box(part)); times > 0)
        add(part, times);
  }
  for (const kernel::Start& t : s.starts)
    for (const Part& part : facts(t.buffer).parts) add(part, unbounded);
}

bool FuseGroups::is_unread(Group& g) {
  for (std::size_t k = 0; k < g.demand.size(); ++k)
    if (g.demand[k] > 0 || facts(g.program().stores[k].buffer).output) return false;
  return true;
}

bool FuseGroups::is_handed_over(const Program& p) {
  if (p.reduction || !p.instructions.empty() || p.stores.size() != 1) return false;
  const kernel::Store& w = p.stores[0];
  if (w.value.kind != ValueKind::source || facts(w.buffer).writers < 2) return false;
  const Source& r = p.sources[static_cast<std::size_t>(w.value.index)];
  return is_memory(r) && r.offset == w.offset && r.strides == w.strides && r.starts == w.starts;
}

void FuseGroups::make(int at, kernel::Store s) {
  Group& g = group(at);
  Buffer& b = facts(s.buffer);
  const int k = static_cast<int>(g.program().stores.size());
  std::int64_t demand = b.demand;
  const Box mine = kernel::box_of(s, g.program().extents);
  for (const Read& r : b.reads) demand += reads_of(r.source, r.loops, mine);
  b.position = std::max(b.position, at);
  b.parts.push_back({at, k});
  g.demand.push_back(demand);
  if (s.value.kind == ValueKind::instruction) g.made_by[static_cast<std::size_t>(s.value.index)] = k;
  g.program().stores.push_back(std::move(s));
}

void FuseGroups::add_closed(kernel::Step step) {
  const auto* p = std::get_if<Program>(&step);
  for (int b : kernel::writes_of(step)) {
    facts(b).position = static_cast<int>(groups_.size());
    if (p && is_handed_over(*p)) facts(b).handed = kernel::reads_of(step);
    facts(b).parts.clear();
    facts(b).open = false;
  }
  groups_.push_back({std::move(step)});
}

kernel::Plan FuseGroups::finish() {
  std::vector<bool> needed(facts_.size());
  for (std::size_t b = 0; b < facts_.size(); ++b) needed[b] = facts_[b].output;
  const auto is_needed = [&](const kernel::Step& step) {
    if (std::holds_alternative<kernel::EquationCall>(step)) return true;  // it may have effects
    const std::vector<int> writes = kernel::writes_of(step);
    return std::any_of(writes.begin(), writes.end(), [&](int b) { return needed[static_cast<std::size_t>(b)]; });
  };
  std::vector<kernel::Step> steps;
  for (std::size_t g = groups_.size(); g-- > 0;) {
    Group& from = groups_[g];
    if (!(from.demand.empty() ? is_needed(from.step) : store_needed(from, needed))) continue;
    if (auto* call = std::get_if<kernel::LibraryCall>(&from.step); call && kernel::may_omit_outputs(call->op))
      for (kernel::BufferRef& r : call->outputs)
        if (!needed[static_cast<std::size_t>(r.buffer)]) r.buffer = -1;
    for (int b : kernel::reads_of(from.step)) needed[static_cast<std::size_t>(b)] = true;
    steps.push_back(std::move(from.step));
  }
  std::reverse(steps.begin(), steps.end());
  plan_.steps = std::move(steps);
  return std::move(plan_);
}

bool FuseGroups::store_needed(Group& g, const std::vector<bool>& needed) {
  Program& p = g.program();
  std::vector<kernel::Store> stores;
  for (std::size_t k = 0; k < p.stores.size(); ++k) {
    const Buffer& b = facts(p.stores[k].buffer);
    if (needed[static_cast<std::size_t>(p.stores[k].buffer)] && (b.writers == 1 || b.output || g.demand[k] > 0))
      stores.push_back(std::move(p.stores[k]));
  }
  p.stores = std::move(stores);
  if (p.stores.empty()) return false;
  ProgramParts(&p).merge_instructions();
  kernel::drop_unused(&p);
  return true;
}

}  // namespace cotan

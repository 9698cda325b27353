#include "compiler/passes/fuse_taking.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace cotan {

using kernel::Dims;
using kernel::Program;
using kernel::Source;
using kernel::SourceKind;
using kernel::Value;
using kernel::ValueKind;

namespace {

constexpr int cheap = 3;  // additions that cost no more than a trip through memory

// Whether consecutive iterations read memory in order, or the same element.
bool reads_in_order(const Dims& loops, const Dims& strides) {
  for (int l = loops.length() - 1; l >= 0; --l)
    if (loops[l] != 1) return std::abs(strides[l]) <= 1;
  return true;
}

// Whether the elements that the source reads are not far fewer than the iterations.
bool reads_much(const Dims& loops, const Source& s) {
  constexpr std::int64_t repeats = 8;
  std::int64_t again = 1;
  for (int l = 0; l < loops.length(); ++l) again *= s.strides[l] == 0 ? loops[l] : 1;
  return s.kind == SourceKind::memory && again < repeats;
}

// Whether it may be computed where it is read, however often.
bool is_cheap_cone(const Program& maker, const Cone& cone) {
  const auto large = std::count_if(cone.sources.begin(), cone.sources.end(), [&](std::int32_t i) {
    return reads_much(maker.extents, maker.sources[static_cast<std::size_t>(i)]);
  });
  return cone.weight <= cheap && (maker.iterations() == 1 || static_cast<std::size_t>(large) + cone.cuts.size() <= 1);
}

}  // namespace

std::optional<FuseTaking::Taken> FuseTaking::taken(const Program& p, const Source& s) {
  if (!is_memory(s)) return std::nullopt;
  for (const Part& part : facts(s.buffer).parts)
    if (auto t = taken(p, s, part)) return t;
  return std::nullopt;
}

std::optional<FuseTaking::Taken> FuseTaking::taken(const Program& p, const Source& s, const Part& part) {
  Group& g = group(part.group);
  const Program& maker = g.program();
  const kernel::Store& made = store(part);
  if (maker.dtype_of(made.value) != s.dtype) return std::nullopt;
  Taken t{part, p.extents, {}, {}};
  if (const auto common = kernel::common_split(maker.extents, p.extents);
      common && kernel::split_strides(maker.extents, *common, made.strides) ==
                    kernel::split_strides(p.extents, *common, s.strides))
    t.loops = *common;
  else t.loops = kernel::split_at_dims(maker.extents, made.strides, p.extents, s.strides);
  if (t.loops.length() > most_loops) return std::nullopt;
  Dims loops = t.loops, strides = kernel::split_strides(p.extents, t.loops, s.strides);
  for (const kernel::Start& start : s.starts) loops.push_back(start.limit + 1), strides.push_back(start.stride);
  auto map = kernel::index_map(maker.extents, made.strides, loops, s.offset - made.offset, strides);
  if (!map) return std::nullopt;
  t.map = std::move(*map);
  t.cone = cone_of(maker, made.value, [&](std::int32_t i) { return kept_in_memory(g, i, part.store); });
  if (p.instructions.size() + t.cone.instructions.size() > most_instructions ||
      p.sources.size() + t.cone.sources.size() + t.cone.cuts.size() > most_sources)
    return std::nullopt;
  return t;
}

// Whether the value of instruction i is in memory anyway: of what reads it too, it is not worth computing again.
bool FuseTaking::kept_in_memory(Group& g, std::int32_t i, int except) {
  const int k = g.made_by[static_cast<std::size_t>(i)];
  if (k < 0 || k == except) return false;
  return facts(g.program().stores[static_cast<std::size_t>(k)].buffer).output ||
         g.demand[static_cast<std::size_t>(k)] > g.program().iterations();
}

bool FuseTaking::in_order(const Taken& t, const Source& read, const Program& maker) {
  return std::all_of(t.cone.sources.begin(), t.cone.sources.end(), [&](std::int32_t i) {
    const Source& s = maker.sources[static_cast<std::size_t>(i)];
    return !is_memory(s) || reads_in_order(t.loops, kernel::mapped(s, t.map, t.loops.length(), read.starts).strides);
  });
}

bool FuseTaking::is_read_once(const Part& part) {
  return demand(part) <= group(part.group).program().iterations() && !facts(store(part).buffer).output;
}

bool FuseTaking::worth_taking(const Program& p, const Source& s, const Taken& t) {
  const Program& maker = group(t.part.group).program();
  const std::int64_t size = maker.iterations(), times = p.iterations();
  const bool once = is_read_once(t.part);
  if (!in_order(t, s, maker) && (p.reduction || !once)) return false;
  if (reads_what_is_handed_over(p, t, maker)) return false;
  if (t.cone.instructions.empty() && t.cone.cuts.empty()) return true;
  return once || (is_cheap_cone(maker, t.cone) && (size == 1 || times <= 2 * size));
}

bool FuseTaking::is_cheap(const Part& part) {
  Group& g = group(part.group);
  return is_cheap_cone(g.program(), cone_of(g.program(), store(part).value,
                                            [&](std::int32_t i) { return kept_in_memory(g, i, part.store); }));
}

// An array that what the program writes begins as: to read it here is to keep it for longer.
bool FuseTaking::reads_what_is_handed_over(const Program& p, const Taken& t, const Program& maker) {
  const auto is = [&](int buffer) {
    return std::any_of(p.stores.begin(), p.stores.end(), [&](const kernel::Store& w) {
      const std::vector<int>& handed = facts(w.buffer).handed;
      return std::find(handed.begin(), handed.end(), buffer) != handed.end();
    });
  };
  return std::any_of(t.cone.sources.begin(), t.cone.sources.end(),
                     [&](std::int32_t i) { return is(maker.sources[static_cast<std::size_t>(i)].buffer); }) ||
         std::any_of(t.cone.cuts.begin(), t.cone.cuts.end(), [&](std::int32_t i) {
           return is(store({t.part.group, group(t.part.group).made_by[static_cast<std::size_t>(i)]}).buffer);
         });
}

void FuseTaking::take(Program* p, std::size_t i, const Taken& t) {
  const Source s = p->sources[i];
  const Program& maker = group(t.part.group).program();
  const Dims before = p->extents;
  kernel::split_loops(p, t.loops);
  ProgramParts parts(p);
  const auto at = [&](const Source& from) {
    Source r = kernel::mapped(from, t.map, t.loops.length(), s.starts);
    add_reader(r, t.loops, 1);
    return parts.source(std::move(r));
  };
  const Value v = parts.prepend(maker, t.cone, store(t.part).value, at, [&](std::int32_t k) {
    const kernel::Store& cut = store({t.part.group, group(t.part.group).made_by[static_cast<std::size_t>(k)]});
    return at({SourceKind::memory, cut.buffer, maker.dtype_of(cut.value), cut.offset, cut.strides});
  });
  parts.replace_source(i, v);
  add_reader(s, before, -1);  // last: what it needs has found its readers
}

bool FuseTaking::take_copy(Program* p) {
  for (std::size_t i = 0; i < p->sources.size(); ++i) {
    const Source& s = p->sources[i];
    if (!is_memory(s)) continue;
    for (const Part& part : facts(s.buffer).parts) {
      if (store(part).value.kind == ValueKind::instruction) continue;
      const auto t = taken(*p, s, part);
      if (!t || !worth_taking(*p, s, *t)) continue;
      take(p, i, *t);
      return true;
    }
  }
  return false;
}

void FuseTaking::take_single_uses(Program* p, int at) {
  for (std::size_t i = 0; i < p->sources.size(); ++i) {
    const Source& s = p->sources[i];
    if (!is_memory(s) || facts(s.buffer).position >= at) continue;
    const auto t = taken(*p, s);
    if (!t || !is_read_once(t->part) || !worth_taking(*p, s, *t)) continue;
    take(p, i, *t);
    i = static_cast<std::size_t>(-1);  // sources have moved: from the first again
  }
}

bool FuseTaking::take_one(Program* p, int at) {
  for (bool from_latest : {true, false})
    for (std::size_t i = 0; i < p->sources.size(); ++i) {
      const Source& s = p->sources[i];
      if (!is_memory(s) || (facts(s.buffer).position == at) != from_latest) continue;
      const auto t = taken(*p, s);
      if (!t || !worth_taking(*p, s, *t)) continue;
      take(p, i, *t);
      return true;
    }
  return false;
}

}  // namespace cotan

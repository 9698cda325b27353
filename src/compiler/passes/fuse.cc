#include "compiler/passes/fuse.h"

#include <algorithm>
#include <utility>

#include "compiler/passes/fuse_taking.h"
#include "compiler/passes/program_parts.h"

namespace cotan {

namespace {

using kernel::Box;
using kernel::Dims;
using kernel::Program;
using kernel::Source;
using kernel::Value;

constexpr int most_parts = 32;              // of a buffer, to be known apart
constexpr int most_pieces = 12;             // of a program that reads parts
constexpr std::int64_t least_split = 2048;  // iterations that are worth a program more
constexpr std::size_t most_sibling_stores = 8;
constexpr int siblings = 4;  // groups that are looked at

class Fuser : FuseTaking {
 public:
  explicit Fuser(kernel::Plan plan) : FuseTaking(std::move(plan)) {}

  kernel::Plan run() {
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
      pieces_ = 1;
      if (auto* p = std::get_if<Program>(&plan_.steps[s]); p && p->iterations() > 0) visit(std::move(*p), s);
      else add_closed(std::move(plan_.steps[s]));
    }
    return finish();
  }

 private:
  void visit(Program p, std::size_t step) {
    p.aliases.clear();
    for (const Source& s : p.sources)  // what is written again later must be read now
      if (is_memory(s) && facts(s.buffer).writers > 0 && facts(s.buffer).last_writer >= step)
        return add_closed(std::move(p));
    while (take_copy(&p)) {}
    for (;;) {
      if (auto rest = split(&p)) {
        visit(std::move(p), step);
        return visit(std::move(*rest), step);
      }
      const int at = latest(p);
      if (at >= 0 && may_join(at, p)) {
        take_single_uses(&p, at);
        if (may_join(at, p)) return join(at, std::move(p));
      }
      if (!take_one(&p, at)) break;
    }
    if (const int at = sibling(p); at >= 0) return join(at, std::move(p));
    start_group(std::move(p));
  }

  // The last group that the program reads from memory; -1: none.
  int latest(const Program& p) {
    int at = -1;
    each_read(p, [&](int b) { at = std::max(at, facts(b).position); });
    return at;
  }
  template <class F> static void each_read(const Program& p, F f) {
    for (const Source& s : p.sources) {
      if (is_memory(s)) f(s.buffer);
      for (const kernel::Start& t : s.starts) f(t.buffer);
    }
    for (const kernel::Store& s : p.stores)
      for (const kernel::Start& t : s.starts) f(t.buffer);
  }

  // --- joining: the program's values become values of the group ---

  // Whether all it writes are parts of arrays that nothing else writes.
  bool makes_values(const Program& p) {
    if (p.reduction || is_handed_over(p)) return false;
    for (std::size_t k = 0; k < p.stores.size(); ++k) {
      const Buffer& b = facts(p.stores[k].buffer);
      const Box mine = kernel::box_of(p.stores[k], p.extents);
      if (!p.stores[k].starts.empty() || !b.open || b.writers > most_parts || !kernel::is_part(mine)) return false;
      for (const Part& other : b.parts)
        if (!kernel::disjoint(mine, box(other))) return false;
    }
    return true;
  }

  // The store of the group that writes what the source reads, in loops that are a common split; -1: none.
  static int store_at(const Program& g, const Program& p, const Source& s, const Dims& common) {
    if (!is_memory(s) || !s.starts.empty()) return -1;
    for (std::size_t k = 0; k < g.stores.size(); ++k)
      if (const kernel::Store& w = g.stores[k];
          w.buffer == s.buffer && w.offset == s.offset && g.dtype_of(w.value) == s.dtype &&
          kernel::split_strides(g.extents, common, w.strides) == kernel::split_strides(p.extents, common, s.strides))
        return static_cast<int>(k);
    return -1;
  }

  bool may_join(int at, const Program& p) {
    Group& g = group(at);
    if (!g.open || !makes_values(p)) return false;
    const Program& to = g.program();
    if (to.instructions.size() + p.instructions.size() > most_instructions ||
        to.sources.size() + p.sources.size() > most_sources)
      return false;
    const auto common = kernel::common_split(to.extents, p.extents);
    if (!common || common->length() > most_loops) return false;
    return std::all_of(p.sources.begin(), p.sources.end(), [&](const Source& s) {
      for (const kernel::Start& t : s.starts)
        if (facts(t.buffer).position == at) return false;
      return !is_memory(s) || facts(s.buffer).position != at || store_at(to, p, s, *common) >= 0;
    });
  }

  // An earlier group, whose values the program does not read, that reads what it reads: both in one go.
  int sibling(const Program& p) {
    if (!makes_values(p)) return -1;
    const int last = static_cast<int>(groups_.size()) - 1, first = std::max(latest(p), last - siblings + 1);
    for (int at = last; at >= std::max(first, 0); --at)
      if (group(at).open && group(at).program().stores.size() < most_sibling_stores && may_join(at, p) &&
          reads_alike(group(at).program(), p))
        return at;
    return -1;
  }
  static bool reads_alike(const Program& g, const Program& p) {
    const Dims common = *kernel::common_split(g.extents, p.extents);
    return std::any_of(p.sources.begin(), p.sources.end(), [&](const Source& s) {
      return is_memory(s) && std::any_of(g.sources.begin(), g.sources.end(), [&](const Source& r) {
               if (r.buffer != s.buffer || r.offset != s.offset || r.dtype != s.dtype || r.starts != s.starts)
                 return false;
               const Dims strides = kernel::split_strides(p.extents, common, s.strides);
               return strides == kernel::split_strides(g.extents, common, r.strides) &&
                      !(strides == Dims::filled(strides.length(), 0));
             });
    });
  }

  void join(int at, Program p) {
    Group& g = group(at);
    Program& to = g.program();
    const Dims common = *kernel::common_split(to.extents, p.extents);
    kernel::split_loops(&to, common);
    kernel::split_loops(&p, common);
    ProgramParts parts(&to);
    std::vector<Value> sources;
    for (Source& s : p.sources) {
      const int k = store_at(to, p, s, common);
      sources.push_back(k >= 0 ? to.stores[static_cast<std::size_t>(k)].value : parts.source(std::move(s)));
    }
    const auto added = parts.append(p, sources);
    g.made_by.resize(to.instructions.size(), -1);
    for (kernel::Store& s : p.stores) {
      s.value = added(s.value);
      make(at, std::move(s));
    }
  }

  void start_group(Program p) {
    const int at = static_cast<int>(groups_.size());
    if (!makes_values(p)) return add_closed(std::move(p));
    std::vector<kernel::Store> stores = std::move(p.stores);
    p.stores.clear();
    Group& g = groups_.emplace_back();
    g.open = true;
    g.made_by.assign(p.instructions.size(), -1);
    g.step = std::move(p);
    for (kernel::Store& s : stores) make(at, std::move(s));
  }

  // --- splitting: pieces of the program read parts ---

  // Where it pays, cuts the program where it leaves a part of an array that it alone reads; returns the rest.
  std::optional<Program> split(Program* p) {
    const bool small = pieces_ == 1 && p->iterations() < least_split;  // a piece's pieces may be small
    if (pieces_ >= most_pieces || small || !makes_values(*p)) return std::nullopt;
    for (const Source& s : p->sources) {
      const auto cut = cut_of(*p, s);
      if (!cut || !pays(*cut)) continue;
      ++pieces_;
      const Program whole = *p;
      kernel::split_loops(p, cut->loops);
      Program rest = *p;
      p->extents[cut->loop] = cut->at;
      rest.extents[cut->loop] -= cut->at;
      for (Source& r : rest.sources) r.offset += cut->at * r.strides[cut->loop];
      for (kernel::Store& r : rest.stores) r.offset += cut->at * r.strides[cut->loop];
      for (const Program* half : {p, &rest})
        for (const Source& r : half->sources) add_reader(r, half->extents, 1);
      for (const Source& r : whole.sources) add_reader(r, whole.extents, -1);
      return rest;
    }
    return std::nullopt;
  }
  std::optional<kernel::Cut> cut_of(const Program& p, const Source& s) {
    if (!is_memory(s) || !s.starts.empty() || facts(s.buffer).parts.size() < 2 || facts(s.buffer).output ||
        !facts(s.buffer).maps_only)
      return std::nullopt;
    const Box mine = kernel::box_of(s, p.extents);
    std::optional<kernel::Cut> cut;
    for (const Part& part : facts(s.buffer).parts) {
      const Box its = box(part);
      if (kernel::disjoint(mine, its)) continue;
      std::int64_t own = 0;
      for (const Source& r : p.sources)
        if (r.buffer == s.buffer) own += reads_of(r, p.extents, its);
      if (demand(part) > own && !is_cheap(part)) return std::nullopt;  // it is written anyway
      if (!cut) cut = kernel::cut_at(mine, its);
    }
    return cut;
  }
  // Whether the rows that are left are long enough.
  static bool pays(const kernel::Cut& cut) {
    std::int64_t rows = 1, row = 1;
    for (int l = 0; l < cut.loops.length(); ++l) (l < cut.loop ? rows : row) *= cut.loops[l];
    return cut.loops.length() <= most_loops && (rows == 1 || row >= 1024 || (row >= 256 && rows * row >= 1 << 18));
  }

  int pieces_ = 1;  // of the step that is visited
};

}  // namespace

kernel::Plan fuse(kernel::Plan plan) { return Fuser(std::move(plan)).run(); }

}  // namespace cotan

#include "compiler/passes/fuse.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "compiler/passes/program_parts.h"
#include "kernel/combine.h"
#include "kernel/loops.h"

namespace cotan {

namespace {

using kernel::Dims;
using kernel::Program;
using kernel::Source;
using kernel::SourceKind;
using kernel::Value;
using kernel::ValueKind;

constexpr std::size_t most_instructions = 128, most_sources = 40;  // of one program: its tiles share L1
constexpr int most_loops = 24;
constexpr int cheap = 3;  // additions that cost no more than a trip through memory

class Fuser {
 public:
  explicit Fuser(kernel::Plan plan) : plan_(std::move(plan)), facts_(plan_.buffers.size()) {}

  kernel::Plan run() {
    count();
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
      if (auto* p = std::get_if<Program>(&plan_.steps[s]); p && p->iterations() > 0) visit(std::move(*p), s);
      else add_closed(std::move(plan_.steps[s]));
    }
    return finish();
  }

 private:
  struct Buffer {
    int writers = 0, readers = 0;
    std::size_t last_writer = 0;  // step
    int position = -1;            // the group that writes it last; -1: it is given
    int group = -1;               // the open group that makes it, as `value`
    Value value;
    bool output = false;
  };
  struct Group {
    kernel::Step step;
    bool open = false;              // a program whose values others may join, without stores as yet
    std::vector<int> made = {};     // buffers
    std::vector<int> made_by = {};  // per instruction: the buffer that is its value, or -1
    Program& program() { return std::get<Program>(step); }
  };

  Buffer& facts(int b) { return facts_[static_cast<std::size_t>(b)]; }
  Group& group(int g) { return groups_[static_cast<std::size_t>(g)]; }
  static bool is_memory(const Source& s) { return s.kind == SourceKind::memory; }

  void count() {
    for (std::size_t b = 0; b < facts_.size(); ++b)
      facts_[b].output = plan_.buffers[b].kind == kernel::BufferKind::output;
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
      for (int b : kernel::reads_of(plan_.steps[s])) ++facts(b).readers;
      for (int b : kernel::writes_of(plan_.steps[s])) ++facts(b).writers, facts(b).last_writer = s;
    }
  }

  void add_closed(kernel::Step step) {
    for (int b : kernel::writes_of(step)) facts(b).position = static_cast<int>(groups_.size());
    groups_.push_back({std::move(step)});
  }

  void visit(Program p, std::size_t step) {
    p.aliases.clear();
    for (const Source& s : p.sources)  // what is written again later must be read now
      if (is_memory(s) && facts(s.buffer).writers > 0 && facts(s.buffer).last_writer >= step)
        return add_closed(std::move(p));
    take_constants(plan_, &p);
    ProgramParts(&p).merge_sources();
    while (take_copy(&p)) {}
    for (;;) {
      const int at = latest(p);
      if (at >= 0 && may_join(at, p)) {
        take_single_uses(&p, at);
        if (may_join(at, p)) return join(at, std::move(p));
      }
      if (!take_one(&p, at)) break;
    }
    start_group(std::move(p));
  }

  // The last group that the program reads from memory; -1: none.
  int latest(const Program& p) {
    int at = -1;
    for (const Source& s : p.sources)
      if (is_memory(s)) at = std::max(at, facts(s.buffer).position);
    return at;
  }

  // --- joining: the program's values become values of the group ---

  // Whether all it writes are whole arrays in order that nothing else writes.
  bool makes_values(const Program& p) {
    if (p.reduction) return false;
    return std::all_of(p.stores.begin(), p.stores.end(), [&](const kernel::Store& s) {
      return s.offset == 0 && kernel::is_row_major(p.extents, s.strides) && facts(s.buffer).writers == 1;
    });
  }
  bool is_value(const Source& s, const Program& reader) {
    if (!is_memory(s)) return false;
    const Buffer& b = facts(s.buffer);
    if (b.group < 0 || s.offset != 0 || !kernel::is_row_major(reader.extents, s.strides)) return false;
    const Program& maker = group(b.group).program();
    return maker.iterations() == reader.iterations() && maker.dtype_of(b.value) == s.dtype;
  }

  bool may_join(int at, const Program& p) {
    Group& g = group(at);
    if (!g.open || !makes_values(p)) return false;
    if (g.program().instructions.size() + p.instructions.size() > most_instructions ||
        g.program().sources.size() + p.sources.size() > most_sources)
      return false;
    for (const Source& s : p.sources)
      if (is_memory(s) && facts(s.buffer).position == at && !(facts(s.buffer).group == at && is_value(s, p)))
        return false;
    const auto common = kernel::common_split(g.program().extents, p.extents);
    return common && common->length() <= most_loops;
  }

  void join(int at, Program p) {
    Group& g = group(at);
    Program& to = g.program();
    const Dims common = *kernel::common_split(to.extents, p.extents);
    kernel::split_loops(&to, common);
    kernel::split_loops(&p, common);
    ProgramParts parts(&to);
    std::vector<Value> sources;
    for (Source& s : p.sources)
      sources.push_back(is_memory(s) && facts(s.buffer).group == at ? facts(s.buffer).value
                                                                    : parts.source(std::move(s)));
    const auto added = parts.append(p, sources);
    g.made_by.resize(to.instructions.size(), -1);
    for (const kernel::Store& s : p.stores) make(at, s.buffer, added(s.value));
  }

  void make(int at, int buffer, Value v) {
    Group& g = group(at);
    facts(buffer).position = facts(buffer).group = at;
    facts(buffer).value = v;
    g.made.push_back(buffer);
    if (v.kind == ValueKind::instruction) g.made_by[static_cast<std::size_t>(v.index)] = buffer;
  }

  void start_group(Program p) {
    const int at = static_cast<int>(groups_.size());
    if (!makes_values(p)) return add_closed(std::move(p));
    const std::vector<kernel::Store> stores = std::move(p.stores);
    p.stores.clear();
    Group& g = groups_.emplace_back();
    g.open = true;
    g.made_by.assign(p.instructions.size(), -1);
    g.step = std::move(p);
    for (const kernel::Store& s : stores) make(at, s.buffer, s.value);
  }

  // --- taking: the program computes a value of a group itself ---

  struct Taken {
    Dims loops;            // of the program, split where the map needs it
    kernel::IndexMap map;  // from its loops to those of the maker
    Cone cone;
  };

  // How the program can compute what source i reads; none where it cannot.
  std::optional<Taken> taken(const Program& p, const Source& s) {
    if (!is_memory(s) || facts(s.buffer).group < 0) return std::nullopt;
    const Buffer& b = facts(s.buffer);
    Group& g = group(b.group);
    const Program& maker = g.program();
    if (maker.dtype_of(b.value) != s.dtype) return std::nullopt;
    Taken t;
    t.loops = p.extents;
    Dims strides = s.strides;
    if (is_value(s, p)) {
      const auto common = kernel::common_split(maker.extents, p.extents);
      if (!common) return std::nullopt;
      t.loops = *common;
      strides = kernel::row_major_strides(t.loops);
    } else if (const Dims split = kernel::split_at_dims(maker.extents, p.extents, s.strides); !(split == p.extents)) {
      Program view;
      view.extents = p.extents;
      view.sources.push_back(s);
      kernel::split_loops(&view, split);
      t.loops = split, strides = view.sources[0].strides;
    }
    auto map = kernel::index_map(maker.extents, t.loops, s.offset, strides);
    if (!map || t.loops.length() > most_loops) return std::nullopt;
    t.map = std::move(*map);
    t.cone = cone_of(maker, b.value, [&](std::int32_t i) { return kept_in_memory(g, i, s.buffer); });
    if (p.instructions.size() + t.cone.instructions.size() > most_instructions ||
        p.sources.size() + t.cone.sources.size() + t.cone.cuts.size() > most_sources)
      return std::nullopt;
    return t;
  }
  // Whether the value of instruction i is in memory anyway: of what reads it too, it is not worth computing again.
  bool kept_in_memory(const Group& g, std::int32_t i, int except) {
    const int b = g.made_by[static_cast<std::size_t>(i)];
    return b >= 0 && b != except && (facts(b).output || facts(b).readers > 1);
  }

  // Whether consecutive iterations read memory in order, or the same element.
  static bool reads_in_order(const Dims& loops, const Dims& strides) {
    for (int l = loops.length() - 1; l >= 0; --l)
      if (loops[l] != 1) return std::abs(strides[l]) <= 1;
    return true;
  }
  bool in_order(const Taken& t, const Program& maker) {
    return std::all_of(t.cone.sources.begin(), t.cone.sources.end(), [&](std::int32_t i) {
      const Source& s = maker.sources[static_cast<std::size_t>(i)];
      return !is_memory(s) || reads_in_order(t.loops, kernel::mapped(s, t.map, t.loops.length()).strides);
    });
  }

  bool is_only_reader(int buffer) { return facts(buffer).readers == 1 && !facts(buffer).output; }

  bool worth_taking(const Program& p, const Source& s, const Taken& t) {
    const Program& maker = group(facts(s.buffer).group).program();
    const std::int64_t size = maker.iterations(), times = p.iterations();
    const bool only = is_only_reader(s.buffer);
    if (!in_order(t, maker) && (p.reduction || !only)) return false;
    if (t.cone.instructions.empty() && t.cone.cuts.empty()) return true;
    if (only && times <= size) return true;
    if (size == 1) return t.cone.weight <= cheap;
    const auto large = std::count_if(t.cone.sources.begin(), t.cone.sources.end(), [&](std::int32_t i) {
      return reads_much(maker.extents, maker.sources[static_cast<std::size_t>(i)]);
    });
    return t.cone.weight <= cheap && static_cast<std::size_t>(large) + t.cone.cuts.size() <= 1 && times <= 2 * size;
  }
  // Whether the elements that the source reads are not far fewer than the iterations.
  static bool reads_much(const Dims& loops, const Source& s) {
    constexpr std::int64_t repeats = 8;
    std::int64_t again = 1;
    for (int l = 0; l < loops.length(); ++l) again *= s.strides[l] == 0 ? loops[l] : 1;
    return is_memory(s) && again < repeats;
  }

  void take(Program* p, std::size_t i, const Taken& t) {
    const Source s = p->sources[i];
    const Program& maker = group(facts(s.buffer).group).program();
    kernel::split_loops(p, t.loops);
    --facts(s.buffer).readers;
    ProgramParts parts(p);
    const auto at = [&](const Source& from) {
      Source r = kernel::mapped(from, t.map, t.loops.length());
      if (is_memory(r)) ++facts(r.buffer).readers;
      return parts.source(std::move(r));
    };
    const Value v = parts.prepend(maker, t.cone, facts(s.buffer).value, at, [&](std::int32_t k) {
      const int buffer = group(facts(s.buffer).group).made_by[static_cast<std::size_t>(k)];
      return at({SourceKind::memory, buffer, maker.dtype_of({ValueKind::instruction, k}), 0,
                 kernel::row_major_strides(maker.extents)});
    });
    parts.replace_source(i, v);
  }

  // A source that only copies: what it copies is read instead.
  bool take_copy(Program* p) {
    for (std::size_t i = 0; i < p->sources.size(); ++i) {
      const auto t = taken(*p, p->sources[i]);
      if (!t || !t->cone.instructions.empty() || !t->cone.cuts.empty() || !worth_taking(*p, p->sources[i], *t))
        continue;
      take(p, i, *t);
      return true;
    }
    return false;
  }

  // Before joining group `at`: values of earlier groups that only this program reads.
  void take_single_uses(Program* p, int at) {
    for (std::size_t i = 0; i < p->sources.size(); ++i) {
      const Source& s = p->sources[i];
      if (!is_memory(s) || facts(s.buffer).group < 0 || facts(s.buffer).position >= at || !is_only_reader(s.buffer))
        continue;
      const auto t = taken(*p, s);
      if (!t || !worth_taking(*p, s, *t)) continue;
      take(p, i, *t);
      i = static_cast<std::size_t>(-1);  // sources have moved: from the first again
    }
  }

  // One value, of the latest group if there is a choice.
  bool take_one(Program* p, int at) {
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

  // --- the plan that comes out: what nothing reads is dropped, from the end ---

  kernel::Plan finish() {
    std::vector<bool> needed(facts_.size());
    for (std::size_t b = 0; b < facts_.size(); ++b) needed[b] = facts_[b].output;
    std::vector<kernel::Step> steps;
    for (std::size_t g = groups_.size(); g-- > 0;) {
      Group& from = groups_[g];
      if (from.open && !store_needed(from, needed)) continue;
      if (!from.open && !is_needed(from.step, needed)) continue;
      for (int b : kernel::reads_of(from.step)) needed[static_cast<std::size_t>(b)] = true;
      steps.push_back(std::move(from.step));
    }
    std::reverse(steps.begin(), steps.end());
    plan_.steps = std::move(steps);
    return std::move(plan_);
  }
  static bool is_needed(const kernel::Step& step, const std::vector<bool>& needed) {
    if (std::holds_alternative<kernel::EquationCall>(step)) return true;  // it may have effects
    const std::vector<int> writes = kernel::writes_of(step);
    return std::any_of(writes.begin(), writes.end(), [&](int b) { return needed[static_cast<std::size_t>(b)]; });
  }
  bool store_needed(Group& g, const std::vector<bool>& needed) {
    Program& p = g.program();
    for (int b : g.made)
      if (needed[static_cast<std::size_t>(b)])
        p.stores.push_back({facts(b).value, b, 0, kernel::row_major_strides(p.extents)});
    if (p.stores.empty()) return false;
    kernel::drop_unused(&p);
    return true;
  }

  kernel::Plan plan_;
  std::vector<Buffer> facts_;
  std::vector<Group> groups_;
};

}  // namespace

kernel::Plan fuse(kernel::Plan plan) { return Fuser(std::move(plan)).run(); }

}  // namespace cotan

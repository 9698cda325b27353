#include "compiler/passes/buffers.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "compiler/passes/block_layout.h"
#include "cotan/errors.h"

namespace cotan {

namespace {

using kernel::BufferKind;

class Assignment {
 public:
  Assignment(kernel::Plan* plan, const Donations& donations)
      : plan_(*plan), donations_(donations), life_(plan->buffers.size()), root_(plan->buffers.size()) {
    std::iota(root_.begin(), root_.end(), 0);
    homes_.donor.assign(static_cast<std::size_t>(plan->output_count()), -1);
  }

  Homes run() {
    find_lives();
    for (std::size_t s = plan_.steps.size(); s-- > 0;) work_in_place(s);
    find_births();
    give_dead_inputs();
    find_hosts();
    lay_out();
    report();
    return std::move(homes_);
  }

 private:
  static constexpr std::size_t never = ~std::size_t{0};
  static constexpr std::size_t most_hosts = 16;

  struct Life {
    std::size_t first_write = never, first_use = never, last_use = never;
    bool taken = false;         // an operand has its memory
    bool gives = false;         // its memory is a result's
    std::size_t birth = never;  // of a root: when the first of those in its memory is there
  };
  // Memory that is free from one step on, until before another.
  struct Host {
    int buffer;
    std::size_t opens, closes;
    BlockLayout layout;
    bool used = false;
  };

  kernel::BufferInfo& info(int b) { return plan_.buffers[static_cast<std::size_t>(b)]; }
  Life& life(int b) { return life_[static_cast<std::size_t>(b)]; }
  int root(int b) const { return root_[static_cast<std::size_t>(b)]; }
  int count() const { return static_cast<int>(root_.size()); }
  std::size_t free_from(int input) { return life(input).last_use == never ? 0 : life(input).last_use + 1; }

  void find_lives() {
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
      const auto use = [&](int b) {
        life(b).last_use = s;
        life(b).first_use = std::min(life(b).first_use, s);
      };
      for (int b : kernel::reads_of(plan_.steps[s])) use(b);
      for (int b : kernel::writes_of(plan_.steps[s])) {
        life(b).first_write = std::min(life(b).first_write, s);
        use(b);
      }
    }
  }

  // --- in place, from the last step to the first: a result whose memory an operand has may itself have that of a later result ---

  void work_in_place(std::size_t s) {
    kernel::Step& step = plan_.steps[s];
    const std::vector<int> operands = operands_of(step);
    if (operands.empty()) return;
    for (int to : kernel::writes_of(step)) {
      if (life(to).first_write != s || life(to).taken) continue;
      for (BufferKind kind : {BufferKind::input, BufferKind::temporary})
        for (int from : operands)
          if (!life(to).taken && info(from).kind == kind && life(from).last_use == s && may_give(from, to) &&
              kernel::may_write_over(step, to, from))
            write_over(step, to, from);
    }
  }

  // Those that a result may be written over.
  static std::vector<int> operands_of(const kernel::Step& step) {
    if (std::holds_alternative<kernel::LibraryCall>(step)) return {};
    const auto* call = std::get_if<kernel::EquationCall>(&step);
    if (!call) return kernel::reads_of(step);
    std::vector<int> operands;
    for (const kernel::Alias& a : call->aliases) operands.push_back(call->inputs[static_cast<std::size_t>(a.input)]);
    return operands;
  }

  bool may_give(int from, int to) {
    if (from == to || life(from).gives || info(from).bytes != info(to).bytes || info(to).bytes == 0) return false;
    if (info(from).kind != BufferKind::input) return true;
    const int taker = donations_.of(info(from).position);
    const kernel::BufferInfo& r = info(root(to));
    return r.kind == BufferKind::output && (taker == Donations::any || taker == r.position);
  }

  void write_over(kernel::Step& step, int to, int from) {
    const auto note = [&](kernel::Program& p) {
      if (kernel::may_alias(p, to, from)) p.aliases.push_back({to, from});
    };
    if (auto* p = std::get_if<kernel::Program>(&step)) note(*p);
    if (auto* blocks = std::get_if<kernel::Blocks>(&step))
      for (auto& part : blocks->steps)
        if (auto* p = std::get_if<kernel::Program>(&part)) note(*p);
    take(to, from);
  }
  void take(int to, int from) {
    life(from).gives = life(to).taken = true;
    if (info(from).kind == BufferKind::input)
      homes_.donor[static_cast<std::size_t>(info(root(to)).position)] = info(from).position;
    else root_[static_cast<std::size_t>(from)] = root(to);
  }

  // --- memory that is somebody's at another time ---

  void find_births() {
    for (int b = 0; b < count(); ++b) life(root(b)).birth = std::min(life(root(b)).birth, life(b).first_use);
  }
  bool is_free_output(int b) {
    return info(b).kind == BufferKind::output && info(b).bytes > 0 &&
           homes_.donor[static_cast<std::size_t>(info(b).position)] < 0;
  }

  // An output may be born in the memory of an input that was read before.
  void give_dead_inputs() {
    std::map<std::int64_t, std::vector<int>> inputs;  // by bytes; the last first
    for (int b = count(); b-- > 0;)
      if (info(b).kind == BufferKind::input && !life(b).gives && donations_.of(info(b).position) != Donations::none)
        inputs[info(b).bytes].push_back(b);
    if (inputs.empty()) return;
    for (int to = 0; to < count(); ++to) {
      const auto of_size = is_free_output(to) ? inputs.find(info(to).bytes) : inputs.end();
      if (of_size == inputs.end()) continue;
      std::vector<int>& from = of_size->second;
      for (std::size_t i = from.size(); i-- > from.size() - std::min(from.size(), most_hosts);) {
        const int taker = donations_.of(info(from[i]).position);
        if (free_from(from[i]) > life(to).birth || (taker != Donations::any && taker != info(to).position)) continue;
        take(to, from[i]);
        from.erase(from.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
    }
  }

  void find_hosts() {
    if (!donations_.hold_temporaries) return;
    const auto add = [&](int b, std::size_t opens, std::size_t closes) {
      if (info(b).bytes > 0 && opens < closes)
        hosts_.push_back({b, opens, closes, BlockLayout(BlockLayout::padded(info(b).bytes))});
    };
    for (int b = 0; b < count(); ++b) {
      if (is_free_output(b)) add(b, 0, life(b).birth);
      if (info(b).kind == BufferKind::input && donations_.of(info(b).position) == Donations::any && !life(b).gives)
        add(b, free_from(b), never);
    }
    std::stable_sort(hosts_.begin(), hosts_.end(),
                     [&](const Host& a, const Host& b) { return info(a.buffer).bytes > info(b.buffer).bytes; });
    if (hosts_.size() > most_hosts) hosts_.resize(most_hosts);
  }

  struct Place {
    Host* host = nullptr;  // null: the block
    std::int64_t at = 0;
  };
  Place place(int b) {
    const std::int64_t bytes = BlockLayout::padded(info(b).bytes);
    for (Host& h : hosts_) {
      if (h.opens > life(b).birth || h.closes <= life(b).last_use) continue;
      if (const std::int64_t at = h.layout.allocate(bytes); at >= 0) {
        h.used = true;
        return {&h, at};
      }
    }
    const std::int64_t at = block_.allocate(bytes);
    if (at < 0) throw MemoryError("Out of memory: the values of a program have more bytes than can be addressed");
    return {nullptr, at};
  }

  void lay_out() {
    std::vector<std::vector<int>> starts(plan_.steps.size()), ends(plan_.steps.size());
    for (int b = 0; b < count(); ++b) {
      if (info(b).kind != BufferKind::temporary || root(b) != b || life(b).birth == never) continue;
      starts[life(b).birth].push_back(b);
      ends[life(b).last_use].push_back(b);
    }
    std::vector<Place> places(root_.size());
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
      for (int b : starts[s]) places[static_cast<std::size_t>(b)] = place(b);
      for (int b : ends[s]) {
        const Place& p = places[static_cast<std::size_t>(b)];
        (p.host ? p.host->layout : block_).free(p.at, BlockLayout::padded(info(b).bytes));
      }
    }
    homes_.block_bytes = block_.size();
    for (int b = 0; b < count(); ++b) {
      const kernel::BufferInfo& i = info(root(b));
      const Place& p = places[static_cast<std::size_t>(root(b))];
      if (i.kind != BufferKind::temporary) homes_.of.push_back({i.kind, i.position});
      else if (!p.host) homes_.of.push_back({i.kind, p.at});
      else homes_.of.push_back({info(p.host->buffer).kind, info(p.host->buffer).position, p.at});
    }
  }

  void report() {
    std::map<std::int64_t, int> early;  // free outputs by bytes
    for (int b = count(); b-- > 0;)
      if (is_free_output(b)) early[info(b).bytes] = b;
    for (int b = 0; b < count(); ++b) {
      if (info(b).kind != BufferKind::input || donations_.of(info(b).position) != Donations::any) continue;
      Donated d{info(b).position};
      const auto out = std::find(homes_.donor.begin(), homes_.donor.end(), d.input);
      if (out != homes_.donor.end()) {
        d.output = static_cast<int>(out - homes_.donor.begin());
      } else if (const auto it = early.find(info(b).bytes); it != early.end()) {
        d.early_output = info(it->second).position;
        d.written = life(it->second).birth, d.read = life(b).last_use;
      }
      d.holds_temporaries =
          std::any_of(hosts_.begin(), hosts_.end(), [&](const Host& h) { return h.buffer == b && h.used; });
      homes_.donated.push_back(d);
    }
  }

  kernel::Plan& plan_;
  const Donations& donations_;
  std::vector<Life> life_;
  std::vector<int> root_;  // whose memory a buffer has: the last of the results that take it over
  std::vector<Host> hosts_;
  BlockLayout block_;
  Homes homes_;
};

}  // namespace

Homes assign_buffers(kernel::Plan* plan, const Donations& donations) { return Assignment(plan, donations).run(); }

}  // namespace cotan

#include "compiler/passes/buffers.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "cotan/errors.h"

namespace cotan {

namespace {

using kernel::BufferKind;
using kernel::Program;

constexpr std::int64_t alignment = 64;
constexpr std::int64_t most_bytes = std::int64_t{1} << 62;

// Offsets in one block for values that live for a while: the smallest gap that is large enough, gaps merged when freed.
class BlockLayout {
 public:
  std::int64_t allocate(std::int64_t bytes) {
    if (bytes == 0) return 0;
    if (const auto fit = by_size_.lower_bound({bytes, 0}); fit != by_size_.end()) {
      const auto [size, at] = *fit;
      remove(gaps_.find(at));
      if (size > bytes) add(at + bytes, size - bytes);
      return at;
    }
    if (end_ > most_bytes - bytes)
      throw MemoryError("Out of memory: the values of a program have more bytes than can be addressed");
    return std::exchange(end_, end_ + bytes);
  }
  void free(std::int64_t at, std::int64_t bytes) {
    if (bytes == 0) return;
    auto next = gaps_.lower_bound(at);
    if (next != gaps_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == at) {
        at = before->first;
        bytes += before->second;
        remove(before);
      }
    }
    if (next != gaps_.end() && next->first == at + bytes) {
      bytes += next->second;
      remove(next);
    }
    add(at, bytes);
  }
  std::int64_t size() const { return end_; }

 private:
  using Gaps = std::map<std::int64_t, std::int64_t>;
  void add(std::int64_t at, std::int64_t bytes) {
    gaps_[at] = bytes;
    by_size_.insert({bytes, at});
  }
  void remove(Gaps::iterator gap) {
    by_size_.erase({gap->second, gap->first});
    gaps_.erase(gap);
  }
  Gaps gaps_;                                                // sizes by offset
  std::set<std::pair<std::int64_t, std::int64_t>> by_size_;  // the same as (size, offset): a search takes no scan
  std::int64_t end_ = 0;
};

class Assignment {
 public:
  explicit Assignment(kernel::Plan* plan) : plan_(*plan), life_(plan->buffers.size()), root_(plan->buffers.size()) {
    std::iota(root_.begin(), root_.end(), 0);
  }

  Homes run() {
    find_lives();
    for (std::size_t s = plan_.steps.size(); s-- > 0;)
      if (auto* p = std::get_if<Program>(&plan_.steps[s])) work_in_place(*p, s);
    lay_out();
    return std::move(homes_);
  }

 private:
  struct Life {
    std::size_t first_write = never, first_use = never, last_use = never;
    bool taken = false;  // an operand has its memory
    bool gives = false;  // its memory is a result's
  };
  static constexpr std::size_t never = ~std::size_t{0};

  kernel::BufferInfo& info(int b) { return plan_.buffers[static_cast<std::size_t>(b)]; }
  Life& life(int b) { return life_[static_cast<std::size_t>(b)]; }

  void find_lives() {
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
      for (int b : kernel::reads_of(plan_.steps[s])) {
        life(b).last_use = s;
        life(b).first_use = std::min(life(b).first_use, s);
      }
      for (int b : kernel::writes_of(plan_.steps[s])) {
        if (life(b).first_write == never) life(b).first_write = s;
        life(b).last_use = s;
        life(b).first_use = std::min(life(b).first_use, s);
      }
    }
  }

  // From the last step to the first: a result whose memory an operand has may itself have that of a later result.
  void work_in_place(Program& p, std::size_t s) {
    for (const kernel::Store& store : p.stores) {
      const int to = store.buffer;
      if (life(to).first_write != s || life(to).taken) continue;
      for (BufferKind kind : {BufferKind::temporary, BufferKind::input})
        if (!life(to).taken) find_operand(p, s, to, kind);
    }
  }
  void find_operand(Program& p, std::size_t s, int to, BufferKind kind) {
    const int root = root_[static_cast<std::size_t>(to)];
    if (kind == BufferKind::input && info(root).kind != BufferKind::output) return;
    for (const kernel::Source& source : p.sources) {
      const int from = source.buffer;
      if (source.kind != kernel::SourceKind::memory || from == to || info(from).kind != kind ||
          info(from).bytes != info(to).bytes || life(from).last_use != s || life(from).gives ||
          !kernel::may_alias(p, to, from))
        continue;
      life(from).gives = life(to).taken = true;
      p.aliases.push_back({to, from});
      if (kind == BufferKind::input) plan_.donations.push_back({info(root).position, info(from).position});
      else root_[static_cast<std::size_t>(from)] = root;
      return;
    }
  }

  static std::int64_t padded(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

  void lay_out() {
    const std::size_t count = root_.size();
    std::vector<std::vector<int>> starts(plan_.steps.size()), ends(plan_.steps.size());
    std::vector<std::size_t> first(count, never);
    for (std::size_t b = 0; b < count; ++b) {
      std::size_t& f = first[static_cast<std::size_t>(root_[b])];
      f = std::min(f, life_[b].first_use);
    }
    for (std::size_t b = 0; b < count; ++b) {
      if (plan_.buffers[b].kind != BufferKind::temporary || root_[b] != static_cast<int>(b) || first[b] == never)
        continue;
      starts[first[b]].push_back(static_cast<int>(b));
      ends[life_[b].last_use].push_back(static_cast<int>(b));
    }
    std::vector<std::int64_t> at(count, 0);
    BlockLayout block;
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
      for (int b : starts[s]) at[static_cast<std::size_t>(b)] = block.allocate(padded(info(b).bytes));
      for (int b : ends[s]) block.free(at[static_cast<std::size_t>(b)], padded(info(b).bytes));
    }
    homes_.block_bytes = block.size();
    for (std::size_t b = 0; b < count; ++b) {
      const auto r = static_cast<std::size_t>(root_[b]);
      const kernel::BufferInfo& i = plan_.buffers[r];
      homes_.of.push_back({i.kind, i.kind == BufferKind::temporary ? at[r] : i.position});
    }
  }

  kernel::Plan& plan_;
  std::vector<Life> life_;
  std::vector<int> root_;  // whose memory a buffer has: the last of the results that take it over
  Homes homes_;
};

}  // namespace

Homes assign_buffers(kernel::Plan* plan) { return Assignment(plan).run(); }

}  // namespace cotan

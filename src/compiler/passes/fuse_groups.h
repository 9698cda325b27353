// What fusing knows of a plan: the steps so far as groups, which parts of which buffers they make, and who reads these.
#pragma once
#include <cstdint>
#include <vector>

#include "kernel/boxes.h"
#include "kernel/plan.h"

namespace cotan {

class FuseGroups {
 protected:
  explicit FuseGroups(kernel::Plan);

  // Elements of a buffer that a group computes: its store number `store`.
  struct Part {
    int group = -1, store = -1;
  };
  // The elements that are read are counted, by all readers together: what is read no more than once may be computed by those who
  // read it. What others than programs read is in memory anyway.
  static constexpr std::int64_t unbounded = std::int64_t{1} << 40;
  struct Read {
    kernel::Source source;
    kernel::Dims loops;
  };
  struct Buffer {
    int writers = 0;
    std::size_t last_writer = 0;   // step
    int position = -1;             // the last group that writes it; -1: it is given
    std::int64_t demand = 0;       // elements that are read, those in `reads` apart
    std::vector<Read> reads = {};  // of one that is written in parts
    std::vector<Part> parts = {};  // disjoint
    std::vector<int> handed = {};  // of one that begins as a copy: what the copy reads
    bool open = true;              // all that has been written is in `parts`
    bool maps_only = true;         // who reads it is a program without a reduction
    bool output = false;
  };
  struct Group {
    kernel::Step step;
    bool open = false;                      // a program whose values others may join and take
    std::vector<std::int64_t> demand = {};  // per store: elements that are read of what it writes
    std::vector<int> made_by = {};          // per instruction: the store of its value, or -1
    kernel::Program& program() { return std::get<kernel::Program>(step); }
  };

  Buffer& facts(int b) { return facts_[static_cast<std::size_t>(b)]; }
  Group& group(int g) { return groups_[static_cast<std::size_t>(g)]; }
  const kernel::Store& store(const Part& p) {
    return group(p.group).program().stores[static_cast<std::size_t>(p.store)];
  }
  std::int64_t& demand(const Part& p) { return group(p.group).demand[static_cast<std::size_t>(p.store)]; }
  kernel::Box box(const Part& p) { return kernel::box_of(store(p), group(p.group).program().extents); }
  // How many iterations of these loops are counted as readers of the part there: of an array that one step writes, whose readers are
  // not kept apart, all if there are any.
  std::int64_t reads_of(const kernel::Source&, const kernel::Dims& loops, const kernel::Box& part);
  static bool is_memory(const kernel::Source& s) { return s.kind == kernel::SourceKind::memory; }

  // A copy of an array that is then written in parts: it costs nothing where the array can be given up.
  bool is_handed_over(const kernel::Program&);
  // One reader more (n = 1) or less (-1) of what groups make. A group that has none left reads no more itself.
  void add_reader(const kernel::Source&, const kernel::Dims& loops, int n);
  // The group's program stores this; of the right value.
  void make(int group, kernel::Store);
  void add_closed(kernel::Step);
  // The plan of the groups: what nothing reads is dropped.
  kernel::Plan finish();

  kernel::Plan plan_;
  std::vector<Group> groups_;

 private:
  void count();
  void count(const kernel::Program&);
  void add_reader(const kernel::Source&, const kernel::Dims& loops, int n, std::vector<int>* left);
  bool is_unread(Group&);
  bool store_needed(Group&, const std::vector<bool>& needed);

  std::vector<Buffer> facts_;
};

}  // namespace cotan

#include "kernel/lower_accesses.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cotan::kernel {

namespace {

constexpr std::int64_t panel_block = 16;  // rows

Access access(int buffer, DType d, std::int64_t offset, Starts starts = {}) {
  Access a;
  a.buffer = buffer, a.dtype = d, a.item = static_cast<int>(item_size(d)), a.offset = offset;
  a.starts = std::move(starts);
  return a;
}

void set_loops(const LoopGroups& groups, Lowered* l) {
  const auto set = [](const Nest& nest, Dims& extents, std::vector<std::int64_t>* strides) {
    for (const LoopRow& row : nest) {
      extents.push_back(row.n);
      if (strides != nullptr) strides->insert(strides->end(), row.strides.begin(), row.strides.end());
    }
  };
  set(groups.outer, l->outer, &l->outer_strides);
  set(groups.mid, l->mid, &l->mid_strides);
  set(groups.tile, l->tile, nullptr);
  l->outer_count = iterations(groups.outer), l->mid_count = iterations(groups.mid);
  l->tile_size = iterations(groups.tile);
}

class Reaches {
 public:
  Reaches(const LoopGroups& groups, Lowered* l) : groups_(groups), l_(*l) {}

  std::int64_t run() {
    for (std::size_t a = 0; a < l_.sources.size() + l_.stores.size(); ++a) classify(a);
    return period_;
  }

 private:
  void classify(std::size_t index) {
    Access& a = l_.access(index);
    const Nest& tile = groups_.tile;
    bool linear = true, still = true;
    for (std::size_t l = 0; l < tile.size(); ++l) {
      const std::int64_t stride = tile[l].strides[index];
      a.tile.push_back(stride);
      still &= stride == 0;
      linear &= l + 1 == tile.size() || stride == tile[l + 1].strides[index] * tile[l + 1].n;
    }
    a.step = tile.empty() ? 1 : a.tile.back();
    const bool source = index < l_.sources.size(), memory = a.kind == SourceKind::memory;
    if (still && source)
      a.reach = moves(groups_.outer, index) || moves(groups_.mid, index) ? Reach::splat : Reach::fixed;
    else if (!linear) a.reach = source && repeats(a) ? Reach::repeated : Reach::nested;
    else if (source && memory && a.step != 1 && contiguous_across(index)) make_panel(a);
    else if (a.step != 1 || !memory) a.reach = Reach::strided;
    else a.reach = Reach::direct;
  }

  static bool moves(const Nest& nest, std::size_t index) {
    return std::any_of(nest.begin(), nest.end(), [&](const LoopRow& r) { return r.strides[index] != 0; });
  }
  // Whether the source is contiguous along the loop whose rows panels hold.
  bool contiguous_across(std::size_t index) const {
    if (l_.scheme == Scheme::map) return groups_.panels && groups_.outer.back().strides[index] == 1;
    return l_.scheme == Scheme::columns && !groups_.mid.empty() && groups_.mid.back().n >= 8 &&
           groups_.mid.back().strides[index] == 1;
  }
  void make_panel(Access& a) {
    a.reach = Reach::panel;
    l_.panel_rows = panel_block;
  }
  // Whether the leading tile loops read the same again, so that tiles of whole periods are alike.
  bool repeats(const Access& a) {
    if (a.tile[0] != 0 || (l_.scheme != Scheme::map && l_.row == 0)) return false;
    std::int64_t period = 1;
    for (int l = a.tile.length() - 1; l > 0; --l) {
      const bool all_zero = std::all_of(a.tile.begin(), a.tile.begin() + l + 1, [](std::int64_t s) { return s == 0; });
      if (!all_zero) period *= groups_.tile[static_cast<std::size_t>(l)].n;
    }
    if (period > shortest_tile) return false;
    period_ = std::lcm(period_, period);
    return true;
  }

  const LoopGroups& groups_;
  Lowered& l_;
  std::int64_t period_ = 1;
};

}  // namespace

void make_accesses(const Program& p, Lowered* l) {
  for (const Source& s : p.sources) {
    l->sources.push_back(access(s.buffer, s.dtype, s.offset, s.starts));
    l->sources.back().kind = s.kind;
  }
  for (const Store& s : p.stores) l->stores.push_back({access(s.buffer, p.dtype_of(s.value), s.offset, s.starts)});
  if (p.reduction) l->stores.push_back({access(p.reduction->buffer, p.reduction->result, p.reduction->offset)});
}

std::int64_t reach_accesses(const LoopGroups& groups, Lowered* l) {
  if (groups.panels) l->panel_rows = panel_block;
  set_loops(groups, l);
  return Reaches(groups, l).run();
}

}  // namespace cotan::kernel

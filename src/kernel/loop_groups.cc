#include "kernel/loop_groups.h"

#include <algorithm>
#include <utility>

#include "kernel/reduce.h"

namespace cotan::kernel {

std::int64_t iterations(const Nest& nest) {
  std::int64_t n = 1;
  for (const LoopRow& l : nest) n *= l.n;
  return n;
}

namespace {

std::int64_t magnitude(std::int64_t v) { return v < 0 ? -v : v; }

void merge_contiguous(Nest& nest) {
  std::size_t kept = 0;
  for (std::size_t l = 0; l < nest.size(); ++l) {
    if (nest[l].n == 1) continue;
    bool merge = kept > 0;
    for (std::size_t a = 0; merge && a < nest[l].strides.size(); ++a)
      merge = nest[kept - 1].strides[a] == nest[l].strides[a] * nest[l].n;
    if (merge) nest[kept - 1].n *= nest[l].n, nest[kept - 1].strides = std::move(nest[l].strides);
    else if (kept == l) ++kept;
    else nest[kept++] = std::move(nest[l]);
  }
  nest.resize(kept);
}

class Choice {
 public:
  explicit Choice(const Program& p) : p_(p) {}

  LoopGroups run() {
    if (p_.reduction) choose_reduction();
    else choose_map();
    return std::move(g_);
  }

 private:
  LoopRow loop(int at, bool reduced) const {
    LoopRow row{p_.extents[at], {}};
    for (const Source& s : p_.sources) row.strides.push_back(s.strides[at]);
    for (const Store& s : p_.stores) row.strides.push_back(s.strides[at]);
    if (p_.reduction) row.strides.push_back(reduced ? 0 : p_.reduction->strides[at]);
    return row;
  }

  void choose_map() {
    if (p_.iterations() == 0) return;
    const Store& first = p_.stores[0];
    if (p_.instructions.empty() && p_.stores.size() == 1 && first.value.kind == ValueKind::source &&
        p_.sources[static_cast<std::size_t>(first.value.index)].kind == SourceKind::memory) {
      g_.scheme = Scheme::copy;
      return;
    }
    g_.scheme = Scheme::map;
    for (int i = 0; i < p_.extents.length(); ++i) kept_.push_back(loop(i, false));
    const std::size_t store = p_.sources.size();
    std::stable_sort(kept_.begin(), kept_.end(), [&](const LoopRow& a, const LoopRow& b) {
      return magnitude(a.strides[store]) > magnitude(b.strides[store]);
    });
    merge_contiguous(kept_);
    split_tile();
    choose_panel();
  }

  void choose_reduction() {
    std::vector<bool> reduced(static_cast<std::size_t>(p_.extents.length()));
    for (int i : p_.reduction->loops) reduced[static_cast<std::size_t>(i)] = true;
    for (int i = 0; i < p_.extents.length(); ++i) {
      const bool red = reduced[static_cast<std::size_t>(i)];
      (red ? g_.mid : kept_).push_back(loop(i, red));
    }
    const std::int64_t m = iterations(g_.mid), k = iterations(kept_);
    if (k == 0) return;
    merge_contiguous(kept_);
    if (m == 0) {
      g_.scheme = Scheme::identity;
      g_.outer = std::move(kept_);
      return;
    }
    merge_contiguous(g_.mid);
    if (order_of(p_) == Order::rows) {
      g_.scheme = Scheme::rows;
      g_.outer = std::move(kept_), g_.tile = std::exchange(g_.mid, {});
      pack_short_rows(m);
    } else {
      g_.scheme = Scheme::columns;
      split_tile();
    }
  }

  void pack_short_rows(std::int64_t m) {
    constexpr std::int64_t longest = 256;
    if (p_.instructions.empty() || is_arg(p_.reduction->combiner) || m < 2 || m > longest || g_.outer.empty()) return;
    if (g_.outer.back().strides.back() != 1 ||
        !reducer(p_.reduction->combiner, p_.dtype_of(p_.reduction->value)).rows.each)
      return;
    g_.row = m;
    g_.tile.insert(g_.tile.begin(), std::move(g_.outer.back()));
    g_.outer.pop_back();
  }

  // The tile takes the innermost kept loop, and more while it is short.
  void split_tile() {
    std::size_t first = kept_.size();
    std::int64_t n = 1;
    while (first > 0 && (first == kept_.size() || n < 128)) n *= kept_[--first].n;
    g_.tile.assign(std::make_move_iterator(kept_.begin() + static_cast<std::ptrdiff_t>(first)),
                   std::make_move_iterator(kept_.end()));
    kept_.resize(first);
    g_.outer = std::move(kept_);
  }

  // A source that is contiguous along an outer loop only: that loop goes innermost and is walked in blocks.
  void choose_panel() {
    if (g_.tile.size() != 1 || g_.tile[0].n < 64) return;
    for (std::size_t a = 0; a < p_.sources.size(); ++a) {
      if (p_.sources[a].kind != SourceKind::memory || g_.tile[0].strides[a] == 1 || g_.tile[0].strides[a] == 0)
        continue;
      for (std::size_t l = 0; l < g_.outer.size(); ++l)
        if (g_.outer[l].strides[a] == 1 && g_.outer[l].n >= 4) {
          std::rotate(g_.outer.begin() + static_cast<std::ptrdiff_t>(l),
                      g_.outer.begin() + static_cast<std::ptrdiff_t>(l) + 1, g_.outer.end());
          g_.panels = true;
          return;
        }
    }
  }

  const Program& p_;
  LoopGroups g_;
  Nest kept_;
};

}  // namespace

LoopGroups choose_loops(const Program& p) { return Choice(p).run(); }

Order order_of(const Program& p) {
  const Reduction& r = *p.reduction;
  if (r.order != Order::of_extents) return r.order;
  std::int64_t m = 1, k = 1, inner_kept = 1;
  bool innermost_reduced = false;
  for (int l = 0; l < p.extents.length(); ++l) {
    const bool reduced = std::find(r.loops.begin(), r.loops.end(), l) != r.loops.end();
    (reduced ? m : k) *= p.extents[l];
    if (p.extents[l] == 1) continue;
    innermost_reduced = reduced;
    inner_kept = reduced ? 1 : inner_kept * p.extents[l];
  }
  return reduces_by_rows(m, k, inner_kept, innermost_reduced) ? Order::rows : Order::columns;
}

}  // namespace cotan::kernel

#include "kernel/loops.h"

#include <algorithm>
#include <utility>

namespace cotan::kernel {

bool is_row_major(const Dims& extents, const Dims& strides) {
  std::int64_t step = 1;
  for (int l = extents.length() - 1; l >= 0; --l) {
    if (extents[l] != 1 && strides[l] != step) return false;
    step *= extents[l];
  }
  return true;
}

std::optional<Dims> common_split(const Dims& a, const Dims& b) {
  if (a.contains(0) || b.contains(0)) return std::nullopt;
  Dims parts;  // innermost first
  int i = a.length(), j = b.length();
  std::int64_t left = 1, right = 1;
  for (;;) {
    while (left == 1 && i > 0) left = a[--i];
    while (right == 1 && j > 0) right = b[--j];
    if (left == 1 && right == 1) break;
    const std::int64_t part = std::min(left, right);
    if (part == 1 || left % part != 0 || right % part != 0) return std::nullopt;
    parts.push_back(part);
    left /= part, right /= part;
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

namespace {

// Which of the new loops each old one becomes: [first, end).
std::vector<std::pair<int, int>> parts_of(const Dims& loops, const Dims& split) {
  std::vector<std::pair<int, int>> parts;
  int next = 0;
  for (std::int64_t n : loops) {
    const int first = next;
    for (std::int64_t product = 1; product < n; ++next) product *= split[next];
    parts.emplace_back(first, next);
  }
  return parts;
}

}  // namespace

Dims split_strides(const Dims& extents, const Dims& split, const Dims& strides) {
  const auto parts = parts_of(extents, split);
  Dims to = Dims::filled(split.length(), 0);
  for (int l = 0; l < extents.length(); ++l) {
    std::int64_t stride = strides[l];
    for (int k = parts[static_cast<std::size_t>(l)].second; k-- > parts[static_cast<std::size_t>(l)].first;) {
      to[k] = stride;
      stride *= split[k];
    }
  }
  return to;
}

void split_loops(Program* p, const Dims& extents) {
  if (p->extents == extents) return;
  const auto parts = parts_of(p->extents, extents);
  const auto split = [&](Dims* strides) { *strides = split_strides(p->extents, extents, *strides); };
  for (Source& s : p->sources) split(&s.strides);
  for (Store& s : p->stores) split(&s.strides);
  if (p->reduction) {
    split(&p->reduction->strides);
    std::vector<int> loops;
    for (int l : p->reduction->loops)
      for (int k = parts[static_cast<std::size_t>(l)].first; k < parts[static_cast<std::size_t>(l)].second; ++k)
        loops.push_back(k);
    p->reduction->loops = std::move(loops);
  }
  p->extents = extents;
}

bool merge_leading_loops(Program* p, int count) {
  const auto even = [&](const Dims& strides) {
    for (int l = 0; l + 1 < count; ++l)
      if (strides[l] != strides[l + 1] * p->extents[l + 1]) return false;
    return true;
  };
  bool merges = std::all_of(p->sources.begin(), p->sources.end(), [&](const Source& s) { return even(s.strides); }) &&
                std::all_of(p->stores.begin(), p->stores.end(), [&](const Store& s) { return even(s.strides); });
  if (p->reduction) {
    const auto& loops = p->reduction->loops;
    merges &= even(p->reduction->strides) && std::none_of(loops.begin(), loops.end(), [&](int l) { return l < count; });
  }
  if (!merges || count < 2) return merges;
  const auto merge = [&](Dims* strides) {
    for (int l = 0; l + 1 < count; ++l) strides->erase(0);
  };
  for (Source& s : p->sources) merge(&s.strides);
  for (Store& s : p->stores) merge(&s.strides);
  if (p->reduction) {
    merge(&p->reduction->strides);
    for (int& l : p->reduction->loops) l -= count - 1;
  }
  std::int64_t n = 1;
  for (int l = 0; l < count; ++l) n *= p->extents[l];
  for (int l = 0; l + 1 < count; ++l) p->extents.erase(0);
  p->extents[0] = n;
  return true;
}

std::optional<IndexMap> index_map(const Dims& dims, const Dims& weights, const Dims& loops, std::int64_t offset,
                                  const Dims& strides) {
  if (dims.contains(0) || loops.contains(0) || offset < 0) return std::nullopt;
  IndexMap map{Dims::filled(dims.length(), 0), {}};
  for (int d = 0; d < dims.length(); ++d) {
    map.steps.push_back(Dims::filled(loops.length(), 0));
    if (dims[d] == 1) continue;
    map.start[d] = offset / weights[d];
    offset %= weights[d];
  }
  if (offset != 0) return std::nullopt;
  for (int l = 0; l < loops.length(); ++l) {
    if (loops[l] == 1) continue;
    std::int64_t rest = strides[l];
    for (int d = 0; d < dims.length(); ++d) {
      if (dims[d] == 1) continue;
      map.steps[static_cast<std::size_t>(d)][l] = rest / weights[d];
      rest %= weights[d];
    }
    if (rest != 0) return std::nullopt;
  }
  for (int d = 0; d < dims.length(); ++d) {
    std::int64_t low = map.start[d], high = low;
    for (int l = 0; l < loops.length(); ++l) {
      const std::int64_t step = map.steps[static_cast<std::size_t>(d)][l];
      (step < 0 ? low : high) += step * (loops[l] - 1);
    }
    if (low < 0 || high >= dims[d]) return std::nullopt;
  }
  return map;
}

Dims split_at_dims(const Dims& dims, const Dims& weights, const Dims& loops, const Dims& strides) {
  Dims split;
  for (int l = 0; l < loops.length(); ++l) {
    std::int64_t n = loops[l], stride = strides[l] < 0 ? -strides[l] : strides[l];
    Dims parts;  // innermost first
    for (int d = dims.length() - 1; d >= 0 && n > 1 && stride > 0; --d) {
      const std::int64_t end = weights[d] * dims[d];  // the stride at which the next dimension moves
      if (stride >= end || stride % weights[d] != 0 || end % stride != 0) continue;
      const std::int64_t part = end / stride;
      if (n <= part || n % part != 0) break;
      parts.push_back(part);
      n /= part, stride = end;
    }
    parts.push_back(n);
    for (int k = parts.length() - 1; k >= 0; --k) split.push_back(parts[k]);
  }
  return split;
}

Source mapped(const Source& s, const IndexMap& map, int loops, const Starts& starts) {
  Source r = s;
  r.strides = Dims::filled(loops, 0);
  const auto stride = [&](int l) {
    std::int64_t sum = 0;
    for (int d = 0; d < map.start.length(); ++d) sum += map.steps[static_cast<std::size_t>(d)][l] * s.strides[d];
    return sum;
  };
  for (int d = 0; d < map.start.length(); ++d) r.offset += map.start[d] * s.strides[d];
  for (int l = 0; l < loops; ++l) r.strides[l] = stride(l);
  for (std::size_t k = 0; k < starts.size(); ++k)
    if (const std::int64_t n = stride(loops + static_cast<int>(k)); n != 0) {
      r.starts.push_back(starts[k]);
      r.starts.back().stride = n;
    }
  return r;
}

}  // namespace cotan::kernel

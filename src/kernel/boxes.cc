#include "kernel/boxes.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace cotan::kernel {

namespace {

using Range = std::pair<std::int64_t, std::int64_t>;  // first and last

Range range(std::int64_t start, const Dims& extents, const Dims& steps) {
  Range r{start, start};
  for (int l = 0; l < extents.length(); ++l) (steps[l] < 0 ? r.first : r.second) += steps[l] * (extents[l] - 1);
  return r;
}
bool apart(const Range& a, const Range& b) { return a.second < b.first || b.second < a.first; }

// A box as an index of an array that has a dimension for each stride of two boxes.
struct Digits {
  Dims loops;  // split where they run through several dimensions
  IndexMap map;
  Range range(int d) const { return kernel::range(map.start[d], loops, map.steps[static_cast<std::size_t>(d)]); }
};
struct CommonArray {
  int ndim;
  Digits a, b;
};

std::optional<Digits> digits_of(const Box& b, const Dims& dims) {
  const Dims weights = row_major_strides(dims);
  Digits r{split_at_dims(dims, weights, b.extents, b.strides), {}};
  auto map = index_map(dims, weights, r.loops, b.offset, split_strides(b.extents, r.loops, b.strides));
  if (!map) return std::nullopt;
  r.map = std::move(*map);
  return r;
}

std::optional<CommonArray> common_array(const Box& a, const Box& b) {
  std::vector<std::int64_t> weights{1};
  std::int64_t last = 0;
  for (const Box* box : {&a, &b}) {
    for (int l = 0; l < box->extents.length(); ++l)
      if (box->extents[l] > 1 && box->strides[l] != 0) weights.push_back(std::abs(box->strides[l]));
    last = std::max(last, range(box->offset, box->extents, box->strides).second);
  }
  std::sort(weights.begin(), weights.end(), std::greater<>());
  weights.erase(std::unique(weights.begin(), weights.end()), weights.end());
  Dims dims{last / weights[0] + 1};
  for (std::size_t k = 1; k < weights.size(); ++k) {
    if (weights[k - 1] % weights[k] != 0) return std::nullopt;
    dims.push_back(weights[k - 1] / weights[k]);
  }
  auto in_a = digits_of(a, dims), in_b = digits_of(b, dims);
  if (!in_a || !in_b) return std::nullopt;
  return CommonArray{dims.length(), std::move(*in_a), std::move(*in_b)};
}

}  // namespace

bool is_part(const Box& b) {
  if (b.extents.contains(0) || b.offset < 0) return false;
  std::int64_t reach = 0;
  for (int l = b.extents.length() - 1; l >= 0; --l) {
    if (b.extents[l] == 1) continue;
    if (b.strides[l] <= reach) return false;
    reach += b.strides[l] * (b.extents[l] - 1);
  }
  return true;
}

bool disjoint(const Box& a, const Box& b) {
  if (a.extents.contains(0) || b.extents.contains(0)) return true;
  if (apart(range(a.offset, a.extents, a.strides), range(b.offset, b.extents, b.strides))) return true;
  const auto common = common_array(a, b);
  if (!common) return false;
  for (int d = 0; d < common->ndim; ++d)
    if (apart(common->a.range(d), common->b.range(d))) return true;
  return false;
}

namespace {

// The loop that alone walks the dimension; -1: there is none, or there are several.
int only_loop(const Digits& of, int d) {
  int loop = -1;
  for (int l = 0; l < of.loops.length(); ++l)
    if (of.loops[l] > 1 && of.map.steps[static_cast<std::size_t>(d)][l] != 0) {
      if (loop >= 0) return -1;
      loop = l;
    }
  return loop;
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

}  // namespace

std::int64_t iterations_in(const Box& access, const Box& part) {
  if (disjoint(access, part)) return 0;
  const std::int64_t all = access.extents.product();
  const auto common = common_array(access, part);
  if (!common) return all;
  Dims reached = common->a.loops;
  for (int d = 0; d < common->ndim; ++d) {
    const int loop = only_loop(common->a, d);
    if (loop < 0) continue;
    const Range its = common->b.range(d);
    const std::int64_t start = common->a.map.start[d], step = common->a.map.steps[static_cast<std::size_t>(d)][loop];
    const std::int64_t low = step > 0 ? its.first : its.second, high = step > 0 ? its.second : its.first;
    const std::int64_t first = std::max<std::int64_t>(0, -floor_div(start - low, step)),
                       last = std::min(common->a.loops[loop] - 1, floor_div(high - start, step));
    reached[loop] = std::min(reached[loop], std::max<std::int64_t>(0, last - first + 1));
  }
  return reached.product();
}

std::optional<Cut> cut_at(const Box& access, const Box& part) {
  const auto common = common_array(access, part);
  if (!common) return std::nullopt;
  const Digits& of = common->a;
  std::optional<Cut> cut;
  for (int d = 0; d < common->ndim; ++d) {
    const Range mine = of.range(d), its = common->b.range(d);
    if (apart(mine, its)) return std::nullopt;
    if (cut || (mine.first >= its.first && mine.second <= its.second)) continue;
    const std::int64_t border = mine.first < its.first ? its.first : its.second + 1;  // the digit is cut below it
    const int loop = only_loop(of, d);
    if (loop < 0) return std::nullopt;
    const std::int64_t start = of.map.start[d], step = of.map.steps[static_cast<std::size_t>(d)][loop];
    cut = Cut{of.loops, loop, step > 0 ? (border - start + step - 1) / step : (start - border) / -step + 1};
  }
  return cut;
}

}  // namespace cotan::kernel

// The walk over windows that gather and scatter share: where each stands in the array, and loops over their elements.
#pragma once
#include <algorithm>
#include <cstdint>

#include "cotan/dtype.h"
#include "kernel/library_params.h"

namespace cotan::runtime {

using kernel::IndexedParams;

inline constexpr std::int64_t windows_at_once = 512;
inline constexpr std::int64_t outside = -1;

// Up to windows_at_once windows with index vectors index_stride apart: `offsets` gets the place of each in the array, or
// `outside`; returns whether none is outside. `base` and base_stride: of the array, from the batch loop.
bool window_offsets(const IndexedParams&, DType index, const void* indices, std::int64_t index_stride,
                    std::int64_t base, std::int64_t base_stride, std::int64_t n, std::int64_t* offsets);

// Steps through a loop nest, keeping two offsets.
class Walk {
 public:
  Walk(const IntList& extents, int loops, const IntList& a_strides, const IntList& b_strides)
      : extents_(extents), a_(a_strides), b_(b_strides), index_(IntList::filled(loops, 0)) {}
  std::int64_t a = 0, b = 0;
  bool next() {
    for (int i = index_.length() - 1; i >= 0; --i) {
      a += a_[i], b += b_[i];
      if (++index_[i] < extents_[i]) return true;
      a -= a_[i] * extents_[i], b -= b_[i] * extents_[i];
      index_[i] = 0;
    }
    return false;
  }
  std::int64_t index(int i) const { return index_[i]; }

 private:
  const IntList &extents_, &a_, &b_;
  IntList index_;
};

// Windows that are runs of `count` elements, anywhere in memory: each is on its way to the cache while those before it are used.
template <class Op, class T>
void each_row(const Op& op, T* array, const std::int64_t* offsets, T* windows, std::int64_t stride, std::int64_t n,
              std::int64_t count) {
  constexpr std::int64_t ahead = 6, most_lines = 8;
  const auto bytes = std::min<std::int64_t>(count * static_cast<std::int64_t>(sizeof(T)), 64 * most_lines);
  for (std::int64_t m = 0; m < n; ++m) {
    if (m + ahead < n && offsets[m + ahead] != outside) {
      const char* const next = reinterpret_cast<const char*>(array + offsets[m + ahead]);
      for (std::int64_t b = 0; b < bytes; b += 64) __builtin_prefetch(next + b);
    }
    T* __restrict const to = windows + m * stride;
    if (offsets[m] != outside) op.row(array + offsets[m], to, count);
    else
      for (std::int64_t j = 0; j < count; ++j) op.fill(to[j]);
  }
}

// Calls op(element of the array, element of the window) for every element of n windows, in order; op.fill(element of the window)
// where the window is outside.
template <class Op, class T>
void each_element(const IndexedParams& p, const Op& op, T* array, const std::int64_t* offsets, T* windows,
                  std::int64_t stride, std::int64_t n, bool inside) {
  const int inner = p.window.length() - 1;
  if (inner < 0 && inside) {
    for (std::int64_t m = 0; m < n; ++m) op(array[offsets[m]], windows[m * stride]);
    return;
  }
  if (inner < 0) {
    for (std::int64_t m = 0; m < n; ++m)
      if (offsets[m] != outside) op(array[offsets[m]], windows[m * stride]);
      else op.fill(windows[m * stride]);
    return;
  }
  const std::int64_t count = p.window[inner], to = p.window_array[inner], from = p.window_windows[inner];
  const bool rows = to == 1 && from == 1;
  if (!rows && stride == 1 && !p.windows_overlap) {  // neighbouring elements belong to neighbouring windows
    Walk w(p.window, inner + 1, p.window_array, p.window_windows);
    do {
      for (std::int64_t m = 0; m < n; ++m)
        if (offsets[m] != outside) op(array[offsets[m] + w.a], windows[m + w.b]);
        else op.fill(windows[m + w.b]);
    } while (w.next());
    return;
  }
  if (inner == 0 && rows) return each_row(op, array, offsets, windows, stride, n, count);
  for (std::int64_t m = 0; m < n; ++m) {
    Walk w(p.window, inner, p.window_array, p.window_windows);
    do {
      T* __restrict b = windows + m * stride + w.b;
      if (offsets[m] == outside) {
        for (std::int64_t j = 0; j < count; ++j) op.fill(b[j * from]);
        continue;
      }
      T* __restrict a = array + offsets[m] + w.a;
      if (rows) op.row(a, b, count);
      else
        for (std::int64_t j = 0; j < count; ++j) op(a[j * to], b[j * from]);
    } while (w.next());
  }
}

// Windows of one element at int32 positions along one axis, as most are: without a pass for their places.
struct Positions {
  const std::int32_t* at;
  std::int64_t step, limit, stride;
  std::int32_t wrap;  // added to what is below 0
};
// `unit`: all strides are 1, as in most calls; then eight positions are looked at together.
template <bool clamps, bool unit, class Op, class T>
void each_position(const Op& op, const Positions& p, T* array, T* windows, std::int64_t by_window, std::int64_t n) {
  const std::int64_t step = unit ? 1 : p.step, stride = unit ? 1 : p.stride, by = unit ? 1 : by_window;
  const auto top = static_cast<std::int32_t>(std::min<std::int64_t>(p.limit, INT32_MAX));
  const auto position = [wrap = p.wrap, top](std::int32_t i) {
    i = static_cast<std::int32_t>(static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(i >> 31 & wrap));
    return clamps ? std::max(std::min(i, top), 0) : i;
  };
  const auto inside = [top](std::int32_t i) {
    return static_cast<std::uint32_t>(i) <= static_cast<std::uint32_t>(top);
  };
  const auto one = [&](std::int32_t i, T& window) {
    if (clamps || inside(i)) op(array[i * stride], window);
    else op.fill(window);
  };
  std::int64_t m = 0;
  if constexpr (unit)
    for (constexpr int block = 8; m + block <= n; m += block) {
      std::int32_t at[block], outside_count = 0;
      for (int k = 0; k < block; ++k) at[k] = position(p.at[m + k]);
      for (int k = 0; !clamps && k < block; ++k) outside_count += !inside(at[k]);
      if (outside_count == 0) {
#pragma GCC unroll 8
        for (int k = 0; k < block; ++k) op(array[at[k]], windows[m + k]);
      } else {
        for (int k = 0; k < block; ++k) one(at[k], windows[m + k]);
      }
    }
  for (; m < n; ++m) one(position(p.at[m * step]), windows[m * by]);
}

// The same for all windows.
template <class Op, class T>
void each_window(const IndexedParams& p, const Op& op, DType index, const void* indices, T* array, T* windows) {
  const auto item = static_cast<std::int64_t>(item_size(index));
  const int last = p.batch.length() - 1;
  const std::int64_t total = last < 0 ? 1 : p.batch[last];
  const auto inner = [&](const IntList& strides) { return last < 0 ? 0 : strides[last]; };
  const std::int64_t by_window = inner(p.batch_windows), by_index = inner(p.batch_indices),
                     by_array = inner(p.batch_array);
  const bool plain = index == DType::int32 && p.single_positions();
  std::int64_t offsets[windows_at_once];
  Walk outer(p.batch, std::max(last, 0), p.batch_windows, p.batch_indices);
  do {
    std::int64_t base = 0;
    for (int i = 0; i < last; ++i) base += outer.index(i) * p.batch_array[i];
    if (plain) {
      const auto* const at = static_cast<const std::int32_t*>(indices) + outer.b;
      const Positions at_once{at, by_index, p.component_limit[0], p.component_stride[0],
                              static_cast<std::int32_t>(p.wrap)};
      const bool unit = by_index == 1 && by_window == 1 && at_once.stride == 1;
      const auto run = p.clamps ? unit ? each_position<true, true, Op, T> : each_position<true, false, Op, T>
                       : unit ? each_position<false, true, Op, T>
                                : each_position<false, false, Op, T>;
      run(op, at_once, array + base, windows + outer.a, by_window, total);
      continue;
    }
    for (std::int64_t start = 0; start < total; start += windows_at_once) {
      const std::int64_t n = std::min(windows_at_once, total - start);
      const bool inside =
          window_offsets(p, index, static_cast<const char*>(indices) + (outer.b + start * by_index) * item, by_index,
                         base + start * by_array, by_array, n, offsets);
      each_element(p, op, array, offsets, windows + outer.a + start * by_window, by_window, n, inside);
    }
  } while (outer.next());
}

}  // namespace cotan::runtime

// The partial results of a reduction by rows: every 512 of a level make one of the next.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernel/reduce.h"

namespace cotan::kernel {

class PartialTree {
 public:
  // `memory` holds as many levels of level_bytes as the number of partials needs, each with room for partials_length + 1.
  PartialTree(TileFn row, std::size_t item, char* memory, std::size_t level_bytes)
      : row_(row), item_(item), memory_(memory), level_bytes_(level_bytes) {}

  // Where the next partial result goes.
  void* next() {
    if (count_[0] == partials_length) make_room();
    return at(0, count_[0]++);
  }

  // Where the next ones go, at most `*count` of them: so many as fit.
  void* next(std::int64_t* count) {
    if (count_[0] == partials_length) make_room();
    *count = std::min(*count, partials_length - count_[0]);
    void* const to = at(0, count_[0]);
    count_[0] += *count;
    return to;
  }

  // What is left of each level, from below, makes one more element of the level above.
  const void* total() {
    int top = max_levels - 1;
    while (count_[top] == 0) --top;
    bool carried = false;
    for (int level = 0; level <= top; ++level) {
      if (carried) std::memcpy(at(level, count_[level]++), total_, item_);
      const std::int64_t n = count_[level];
      carried = n > 0;
      if (n == 1) std::memcpy(total_, at(level, 0), item_);
      else if (n > 1) reduce(total_, level, n);
    }
    return total_;
  }

 private:
  static constexpr int max_levels = 8;  // enough for 2^63 elements

  // Of the full levels the highest goes first.
  void make_room() {
    int full = 0;
    while (count_[full + 1] == partials_length) ++full;
    for (; full >= 0; --full) {
      reduce(at(full + 1, count_[full + 1]++), full, partials_length);
      count_[full] = 0;
    }
  }

  void reduce(void* to, int level, std::int64_t n) {
    call_tile(row_, to, at(level, 0), nullptr, static_cast<std::size_t>(n));
  }
  char* at(int level, std::int64_t i) const {
    return memory_ + static_cast<std::size_t>(level) * level_bytes_ + static_cast<std::size_t>(i) * item_;
  }

  TileFn row_;
  std::size_t item_;
  char* memory_;
  std::size_t level_bytes_;
  std::int64_t count_[max_levels] = {};
  alignas(16) char total_[16];
};

}  // namespace cotan::kernel

// Offsets in one block of memory for values that live for a while.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace cotan {

// Gives the smallest gap that is large enough, or grows the block; gaps are merged when freed. In time logarithmic in the gaps.
class BlockLayout {
 public:
  static constexpr std::int64_t most_bytes = std::int64_t{1} << 62;
  explicit BlockLayout(std::int64_t capacity = most_bytes) : capacity_(capacity) {}

  std::int64_t allocate(std::int64_t bytes);  // -1: the block is too small
  void free(std::int64_t at, std::int64_t bytes);
  std::int64_t size() const { return end_; }

  static constexpr std::int64_t alignment = 64;
  static std::int64_t padded(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

 private:
  using Gaps = std::map<std::int64_t, std::int64_t>;
  void add(std::int64_t at, std::int64_t bytes);
  void remove(Gaps::iterator);

  Gaps gaps_;                                                // sizes by offset
  std::set<std::pair<std::int64_t, std::int64_t>> by_size_;  // the same as (size, offset): a search takes no scan
  std::int64_t end_ = 0, capacity_;
};

}  // namespace cotan

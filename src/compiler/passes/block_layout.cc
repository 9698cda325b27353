#include "compiler/passes/block_layout.h"

#include <iterator>

namespace cotan {

std::int64_t BlockLayout::allocate(std::int64_t bytes) {
  if (bytes == 0) return 0;
  if (const auto fit = by_size_.lower_bound({bytes, 0}); fit != by_size_.end()) {
    const auto [size, at] = *fit;
    remove(gaps_.find(at));
    if (size > bytes) add(at + bytes, size - bytes);
    return at;
  }
  const auto last = gaps_.empty() ? gaps_.end() : std::prev(gaps_.end());
  const bool open = last != gaps_.end() && last->first + last->second == end_;  // it grows with the block
  const std::int64_t at = open ? last->first : end_;
  if (at > capacity_ - bytes) return -1;
  if (open) remove(last);
  end_ = at + bytes;
  return at;
}

void BlockLayout::free(std::int64_t at, std::int64_t bytes) {
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

void BlockLayout::add(std::int64_t at, std::int64_t bytes) {
  gaps_[at] = bytes;
  by_size_.insert({bytes, at});
}

void BlockLayout::remove(Gaps::iterator gap) {
  by_size_.erase({gap->second, gap->first});
  gaps_.erase(gap);
}

}  // namespace cotan

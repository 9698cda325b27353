#include "core/jaxpr.h"

namespace cotan {

DerivedPrograms::Item DerivedPrograms::find(const std::string& key) {
  std::lock_guard lock(mutex_);
  for (const auto& [k, item] : items_)
    if (k == key) return item;
  return nullptr;
}

void DerivedPrograms::add(const std::string& key, Item item) {
  Item dropped;  // destroyed outside the lock: it may hold programs
  std::lock_guard lock(mutex_);
  if (items_.size() == capacity) {
    dropped = std::move(items_.front().second);
    items_.erase(items_.begin());
  }
  items_.emplace_back(key, std::move(item));
}

}  // namespace cotan

// A table of at most so many entries: the least recently used one goes first. For one thread at a time.
#pragma once
#include <cstddef>
#include <functional>
#include <list>
#include <unordered_map>
#include <utility>

namespace cotan {

template <class Key, class Value, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>> class LruTable {
 public:
  using Entries = std::list<std::pair<const Key, Value>>;
  explicit LruTable(std::size_t capacity) : capacity_(capacity) {}

  // Null: there is none.
  const Value* find(const Key& k) {
    const auto it = index_.find(&k);
    if (it == index_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, it->second);
    return &it->second->second;
  }
  // Nothing where the key is there already. Returns what has to go, which the caller destroys where it may, outside of its lock.
  [[nodiscard]] Entries insert(Key k, Value v) {
    Entries gone;
    if (find(k)) return gone;
    entries_.emplace_front(std::move(k), std::move(v));
    index_.emplace(&entries_.front().first, entries_.begin());
    if (entries_.size() > capacity_) {
      index_.erase(&entries_.back().first);
      gone.splice(gone.begin(), entries_, std::prev(entries_.end()));
    }
    return gone;
  }
  [[nodiscard]] Entries clear() {
    index_.clear();
    return std::exchange(entries_, Entries());
  }
  std::size_t size() const { return entries_.size(); }

 private:
  struct HashOf {
    std::size_t operator()(const Key* k) const { return Hash()(*k); }
  };
  struct EqualOf {
    bool operator()(const Key* a, const Key* b) const { return Equal()(*a, *b); }
  };
  std::size_t capacity_;
  Entries entries_;  // most recently used first
  std::unordered_map<const Key*, typename Entries::iterator, HashOf, EqualOf> index_;
};

}  // namespace cotan

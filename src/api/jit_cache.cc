#include "api/jit_cache.h"

#include <atomic>

namespace cotan::detail {
namespace {

constexpr std::size_t own_capacity = 1024, shared_capacity = 4096;
constexpr int max_recursion = 64;  // traces of one key inside one another

std::string_view text(const Key& k) { return {k.data(), k.size()}; }

std::atomic<std::uint64_t> epoch{0};

}  // namespace

JitCacheRef::JitCacheRef() : p_(new JitCache(own_capacity)) { p_->refs = 1; }
JitCacheRef::JitCacheRef(const JitCacheRef& o) noexcept : p_(o.p_) {
  __atomic_add_fetch(&p_->refs, 1, __ATOMIC_RELAXED);
}
JitCacheRef::~JitCacheRef() {
  if (__atomic_sub_fetch(&p_->refs, 1, __ATOMIC_ACQ_REL) == 0) delete p_;
}

JitCache& shared_jit_cache() {
  static JitCache* cache =
      new JitCache(shared_capacity);  // never destroyed: static destructors may still call functions
  return *cache;
}

JitCache::Entry JitCache::lookup(std::uint64_t hash, std::string_view key) {
  const auto [first, last] = index_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (it->second->key != key) continue;
    nodes_.splice(nodes_.begin(), nodes_, it->second);
    return it->second->entry;
  }
  return nullptr;
}

void JitCache::erase_everywhere() { epoch.fetch_add(1); }

void JitCache::drop_stale(Nodes& to) {
  const std::uint64_t now = epoch.load();
  if (epoch_ == now) return;
  epoch_ = now;
  index_.clear();
  to.splice(to.end(), nodes_);
}

// Nodes are destroyed outside of the lock: what they hold may be a user's.
void JitCache::unlink(Nodes::iterator n, Nodes& to) {
  const auto [first, last] = index_.equal_range(n->hash);
  for (auto it = first; it != last; ++it)
    if (it->second == n) {
      index_.erase(it);
      break;
    }
  to.splice(to.end(), nodes_, n);
}

void JitCache::insert(std::uint64_t hash, std::string_view key, const Entry& e, Nodes& evicted) {
  if (lookup(hash, key)) return;  // a recursive call was first
  nodes_.push_front({hash, std::string(key), e});
  try {
    index_.emplace(hash, nodes_.begin());
  } catch (...) {
    nodes_.pop_front();
    throw;
  }
  if (nodes_.size() > capacity_) unlink(std::prev(nodes_.end()), evicted);
}

// A thread waits for another one's trace of the same key; its own outer trace it can't wait for, and traces again.
bool JitCache::wait_or_start(std::unique_lock<std::mutex>& lock, const Running& r) {
  int mine = 0;
  for (const Running& other : running_) {
    if (other.hash != r.hash || other.key != r.key) continue;
    if (other.thread != r.thread) {
      traced_.wait(lock);
      return false;
    }
    ++mine;
  }
  if (mine >= max_recursion)
    throw RuntimeError("jit: the function calls itself without end, with the same types of arguments each time");
  running_.push_back(r);
  return true;
}

void JitCache::finish(const Running& r) {
  for (auto it = running_.rbegin(); it != running_.rend(); ++it)
    if (it->hash == r.hash && it->key == r.key && it->thread == r.thread) {
      running_.erase(std::next(it).base());
      break;
    }
  traced_.notify_all();
}

JitCache::Entry JitCache::find_or_trace(const Key& k, const std::function<Entry()>& trace, bool (*keep)(const Entry&)) {
  const std::uint64_t hash = k.hash();
  const std::string_view key = text(k);
  const Running running{hash, key, std::this_thread::get_id()};
  Nodes evicted;
  std::unique_lock lock(mutex_);
  drop_stale(evicted);
  do {
    if (Entry e = lookup(hash, key)) return e;
  } while (!wait_or_start(lock, running));
  lock.unlock();
  Entry e;
  try {
    e = trace();
  } catch (...) {
    lock.lock();
    finish(running);
    throw;
  }
  lock.lock();
  finish(running);
  if (keep(e)) insert(hash, key, e, evicted);
  return e;
}

int JitCache::count(const Key& prefix) const {
  std::lock_guard lock(mutex_);
  if (epoch_ != epoch.load()) return 0;
  int n = 0;
  for (const Node& node : nodes_) n += node.key.starts_with(text(prefix));
  return n;
}

std::vector<JitCache::Entry> JitCache::entries(const Key& prefix) const {
  std::vector<Entry> found;
  std::lock_guard lock(mutex_);
  if (epoch_ != epoch.load()) return found;
  for (const Node& node : nodes_)
    if (node.key.starts_with(text(prefix))) found.push_back(node.entry);
  return found;
}

void JitCache::erase(const Key& prefix) {
  Nodes gone;
  std::lock_guard lock(mutex_);
  for (auto it = nodes_.begin(); it != nodes_.end();) {
    const auto n = it++;
    if (n->key.starts_with(text(prefix))) unlink(n, gone);
  }
}

}  // namespace cotan::detail

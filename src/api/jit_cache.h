// What was traced: a bounded table of programs by key.
#pragma once
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

#include "api/explain.h"
#include "api/values.h"
#include "cotan/jit.h"

namespace cotan::api {

struct JitEntry {  // of one key; never changed
  std::string name;
  ClosedJaxpr jaxpr;
  Value result;  // with empty leaves: statics and containers
  std::vector<TraceFact> facts;
  std::vector<void*> frames;             // of the call, which tell its line
  std::uint64_t serial;                  // later traces have larger ones
  std::vector<std::size_t> usable = {};  // donated leaves that serve a result
  std::vector<DonatedLeaf> donated = {};
};
using JitEntryRef = std::shared_ptr<const JitEntry>;

}  // namespace cotan::api

namespace cotan::detail {

// Least recently used entries go first. All members may be called from any thread.
class JitCache {
 public:
  using Entry = api::JitEntryRef;
  explicit JitCache(std::size_t capacity) : capacity_(capacity) {}

  // The entry of a key, traced if need be; by one thread at a time for one key, while others with that key wait. Tracing
  // happens outside of the lock, and may come back here. An entry for which `keep` is false is not put into the table.
  Entry find_or_trace(const Key&, const std::function<Entry()>& trace, bool (*keep)(const Entry&));
  // Entries whose key begins so.
  int count(const Key& prefix) const;
  std::vector<Entry> entries(const Key& prefix) const;
  void erase(const Key& prefix);   // empty: all
  static void erase_everywhere();  // the entries of every cache, each when it is next looked at

  long refs = 0;  // of JitCacheRef

 private:
  struct Node {
    std::uint64_t hash;
    std::string key;
    Entry entry;
  };
  struct Running {  // a trace in progress
    std::uint64_t hash;
    std::string_view key;
    std::thread::id thread;
  };
  using Nodes = std::list<Node>;
  Entry lookup(std::uint64_t hash, std::string_view key);
  void insert(std::uint64_t hash, std::string_view key, const Entry&, Nodes& evicted);
  void unlink(Nodes::iterator, Nodes& to);
  bool wait_or_start(std::unique_lock<std::mutex>&, const Running&);  // false: look again
  void finish(const Running&);
  void drop_stale(Nodes& to);  // what was traced before the last erase_everywhere

  std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable traced_;
  Nodes nodes_;  // most recently used first
  std::unordered_multimap<std::uint64_t, Nodes::iterator> index_;
  std::vector<Running> running_;
  std::uint64_t epoch_ = 0;
};

// Of functions with an identity; lives as long as the process.
JitCache& shared_jit_cache();

}  // namespace cotan::detail

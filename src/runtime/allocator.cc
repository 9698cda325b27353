#include "runtime/allocator.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cotan/errors.h"

namespace cotan::runtime {

namespace {

// What a free block holds.
struct Block {
  Block* next;  // of its class
  Block* previous;
  Block* older;  // among all cached large blocks
  Block* newer;
  std::uint32_t size_class;
};
static_assert(sizeof(Block) <= 64);

// Size classes: multiples of 64 up to 1 KiB, then eight to a doubling.
constexpr std::uint32_t linear_classes = 16, small_classes = linear_classes + 6 * 8,
                        class_count = linear_classes + 53 * 8;
constexpr std::size_t huge_page = std::size_t{2} << 20;

std::uint32_t class_of(std::size_t bytes) {
  if (bytes <= 1024) return bytes == 0 ? 0 : static_cast<std::uint32_t>((bytes - 1) / 64);
  const auto k = static_cast<std::uint32_t>(std::bit_width(bytes - 1)) - 1;
  return linear_classes + (k - 10) * 8 + static_cast<std::uint32_t>((bytes - 1) >> (k - 3)) - 8;
}
std::size_t capacity_of(std::uint32_t size_class) {
  if (size_class < linear_classes) return 64 * (std::size_t{size_class} + 1);
  const std::uint32_t k = (size_class - linear_classes) / 8 + 10, step = (size_class - linear_classes) % 8 + 9;
  return std::size_t{step} << (k - 3);
}
std::uint32_t most_kept(std::uint32_t size_class) {  // free small blocks of a class in one thread
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(256 * 1024 / capacity_of(size_class), 4, 256));
}

std::atomic<bool> poison{false};
std::atomic<std::int64_t> system_requests{0};

// Null when the system has no memory. Large blocks ask for huge pages: fewer faults when they are first written.
void* from_system(std::uint32_t size_class) {
  const std::size_t bytes = capacity_of(size_class);
  const bool large = bytes >= 2 * huge_page;
  const std::size_t align = large ? huge_page : 64;
  void* p = std::aligned_alloc(align, (bytes + align - 1) & ~(align - 1));
  if (p == nullptr) return nullptr;
#ifdef MADV_HUGEPAGE
  if (large) madvise(p, bytes, MADV_HUGEPAGE);
#endif
  system_requests.fetch_add(1, std::memory_order_relaxed);
  return p;
}

// --- Large blocks ---

class LargeCache {
 public:
  Block* take(std::uint32_t size_class) {
    const std::lock_guard lock(mutex_);
    Block* b = first_[size_class];
    if (b != nullptr) remove(b);
    return b;
  }

  void give(void* block, std::uint32_t size_class) {
    const std::size_t size = capacity_of(size_class);
    Block* b = new (block) Block{};
    b->size_class = size_class;
    Block* dropped = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (size <= limit()) {
        while (bytes_ + size > limit()) drop_oldest(&dropped);
        insert(b);
      } else {
        b->next = dropped, dropped = b;
      }
    }
    free_all(dropped);
  }

  void drop() {
    Block* dropped = nullptr;
    {
      const std::lock_guard lock(mutex_);
      while (oldest_ != nullptr) drop_oldest(&dropped);
    }
    free_all(dropped);
  }

  void set_limit(std::size_t bytes) {
    Block* dropped = nullptr;
    {
      const std::lock_guard lock(mutex_);
      limit_ = bytes;
      while (bytes_ > limit_) drop_oldest(&dropped);
    }
    free_all(dropped);
  }

  std::int64_t bytes() {
    const std::lock_guard lock(mutex_);
    return static_cast<std::int64_t>(bytes_);
  }

 private:
  std::size_t limit() {
    if (limit_ == unknown)
      limit_ = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) / 4 * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return limit_;
  }
  void insert(Block* b) {
    b->previous = nullptr, b->next = first_[b->size_class];
    if (b->next != nullptr) b->next->previous = b;
    first_[b->size_class] = b;
    b->newer = nullptr, b->older = newest_;
    (newest_ != nullptr ? newest_->newer : oldest_) = b;
    newest_ = b;
    bytes_ += capacity_of(b->size_class);
  }
  void remove(Block* b) {
    (b->previous != nullptr ? b->previous->next : first_[b->size_class]) = b->next;
    if (b->next != nullptr) b->next->previous = b->previous;
    (b->older != nullptr ? b->older->newer : oldest_) = b->newer;
    (b->newer != nullptr ? b->newer->older : newest_) = b->older;
    bytes_ -= capacity_of(b->size_class);
  }
  void drop_oldest(Block** dropped) {
    Block* b = oldest_;
    remove(b);
    b->next = *dropped, *dropped = b;
  }
  static void free_all(Block* b) {
    while (b != nullptr) std::free(std::exchange(b, b->next));
  }

  static constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();
  std::mutex mutex_;
  std::size_t bytes_ = 0, limit_ = unknown;
  Block *oldest_ = nullptr, *newest_ = nullptr;
  Block* first_[class_count] = {};
};

// --- Small blocks, and counts, of one thread ---

struct ThreadCache {
  Block* first[small_classes] = {};
  std::uint32_t count[small_classes] = {};
  // Written by this thread alone, read by allocator_statistics.
  std::atomic<std::int64_t> live_bytes{0}, live_blocks{0};

  void add(std::int64_t bytes, std::int64_t blocks) {
    live_bytes.store(live_bytes.load(std::memory_order_relaxed) + bytes, std::memory_order_relaxed);
    live_blocks.store(live_blocks.load(std::memory_order_relaxed) + blocks, std::memory_order_relaxed);
  }
  void drop() {
    for (std::uint32_t c = 0; c < small_classes; ++c) {
      while (first[c] != nullptr) std::free(std::exchange(first[c], first[c]->next));
      count[c] = 0;
    }
  }
};

// Never destroyed: blocks may be given back by destructors of static objects.
struct Shared {
  LargeCache large;
  std::mutex mutex;
  std::vector<ThreadCache*> threads;
  std::atomic<std::int64_t> ended_bytes{0}, ended_blocks{0};  // of threads that have ended
};
Shared& shared() {
  static Shared* const s = new Shared;
  return *s;
}

enum class ThreadState : std::uint8_t { fresh, running, ended };
thread_local constinit ThreadCache* thread_cache = nullptr;
thread_local constinit ThreadState thread_state = ThreadState::fresh;

struct ThreadEnd {
  ~ThreadEnd() {
    ThreadCache* c = std::exchange(thread_cache, nullptr);
    thread_state = ThreadState::ended;
    Shared& s = shared();
    const std::lock_guard lock(s.mutex);
    s.ended_bytes += c->live_bytes, s.ended_blocks += c->live_blocks;
    std::erase(s.threads, c);
    c->drop();
    delete c;
  }
};

// Null while the thread ends.
ThreadCache* start_thread() {
  if (thread_state == ThreadState::ended) return nullptr;
  static thread_local ThreadEnd end;
  thread_cache = new ThreadCache;
  thread_state = ThreadState::running;
  Shared& s = shared();
  const std::lock_guard lock(s.mutex);
  s.threads.push_back(thread_cache);
  return thread_cache;
}
inline ThreadCache* this_thread() { return thread_cache != nullptr ? thread_cache : start_thread(); }

void count(ThreadCache* c, std::int64_t bytes, std::int64_t blocks) {
  if (c != nullptr) return c->add(bytes, blocks);
  shared().ended_bytes += bytes, shared().ended_blocks += blocks;
}

[[noreturn, gnu::noinline]] void out_of_memory(std::size_t bytes) {
  throw MemoryError("out of memory: an array of " + std::to_string(bytes) + " bytes cannot be allocated");
}

[[gnu::noinline]] void* allocate_slowly(std::size_t bytes, std::uint32_t size_class) {
  void* p = size_class >= small_classes ? shared().large.take(size_class) : nullptr;
  if (p == nullptr) p = from_system(size_class);
  if (p == nullptr) {
    drop_cache();
    p = from_system(size_class);
  }
  if (p == nullptr) out_of_memory(bytes);
  return p;
}

}  // namespace

void* allocate(std::size_t bytes) {
  if (bytes > (std::size_t{1} << 62)) out_of_memory(bytes);
  const std::uint32_t size_class = class_of(bytes);
  ThreadCache* const cache = this_thread();
  void* p = nullptr;
  if (size_class < small_classes && cache != nullptr && cache->first[size_class] != nullptr) {
    p = cache->first[size_class];
    cache->first[size_class] = cache->first[size_class]->next;
    --cache->count[size_class];
  } else {
    p = allocate_slowly(bytes, size_class);
  }
  count(cache, static_cast<std::int64_t>(bytes), 1);
  if (poison.load(std::memory_order_relaxed)) std::memset(p, 0xff, capacity_of(size_class));
  return p;
}

void deallocate(void* block, std::size_t bytes) noexcept {
  if (block == nullptr) return;
  ThreadCache* const cache = this_thread();
  count(cache, -static_cast<std::int64_t>(bytes), -1);
  const std::uint32_t c = class_of(bytes);
  if (c >= small_classes) return shared().large.give(block, c);
  if (cache == nullptr || cache->count[c] >= most_kept(c)) return std::free(block);
  cache->first[c] = new (block) Block{cache->first[c], nullptr, nullptr, nullptr, c};
  ++cache->count[c];
}

AllocatorStatistics allocator_statistics() {
  Shared& s = shared();
  AllocatorStatistics t;
  t.cached_bytes = s.large.bytes();
  t.system_requests = system_requests.load(std::memory_order_relaxed);
  const std::lock_guard lock(s.mutex);
  t.live_bytes = s.ended_bytes, t.live_blocks = s.ended_blocks;
  for (const ThreadCache* c : s.threads) {
    t.live_bytes += c->live_bytes.load(std::memory_order_relaxed);
    t.live_blocks += c->live_blocks.load(std::memory_order_relaxed);
  }
  return t;
}

void set_cache_limit(std::size_t bytes) { shared().large.set_limit(bytes); }

void drop_cache() {
  if (thread_cache != nullptr) thread_cache->drop();
  shared().large.drop();
}

void set_poison(bool on) { poison.store(on, std::memory_order_relaxed); }

}  // namespace cotan::runtime

// Memory of arrays: 64-byte aligned and cached. All functions may be called from any thread.
//
// Small blocks (up to 64 KiB) come from lists of the calling thread; large ones from one cache ordered by size class and
// bounded in bytes, since writing to fresh memory costs two to three times the writing itself.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

namespace cotan::runtime {

// At least `bytes` bytes with undefined content; 0 gives a valid, distinct pointer. MemoryError when there are none, even
// after the cache is dropped.
void* allocate(std::size_t bytes);
// A block and the size that it was asked for; any thread may give it back. Null is allowed.
void deallocate(void* block, std::size_t bytes) noexcept;

// Memory that lives as long as this does; of 0 bytes none is taken, and data() is null.
class ScopedBlock {
 public:
  explicit ScopedBlock(std::size_t bytes) : bytes_(bytes), data_(bytes == 0 ? nullptr : allocate(bytes)) {}
  ~ScopedBlock() { deallocate(data_, bytes_); }
  ScopedBlock(const ScopedBlock&) = delete;
  ScopedBlock& operator=(const ScopedBlock&) = delete;
  void* data() const { return data_; }
  void* release() { return std::exchange(data_, nullptr); }  // the caller gives it back

 private:
  std::size_t bytes_;
  void* data_;
};

struct AllocatorStatistics {
  std::int64_t live_bytes = 0;  // asked for and not yet given back
  std::int64_t live_blocks = 0;
  std::int64_t cached_bytes = 0;     // in the cache of large blocks
  std::int64_t system_requests = 0;  // allocations that no cache could serve
};
AllocatorStatistics allocator_statistics();
void set_cache_limit(std::size_t bytes);  // of the cache of large blocks; at first a quarter of the machine's memory
void drop_cache();                        // the large blocks, and the small ones of this thread
void set_poison(bool on);                 // for tests: new blocks are filled with 0xff, which is NaN in every float

}  // namespace cotan::runtime

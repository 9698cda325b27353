#include "runtime/allocator.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "cotan/errors.h"

#ifdef __SANITIZE_ADDRESS__
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
#endif
#ifdef __SANITIZE_THREAD__
extern "C" const char* __tsan_default_options() { return "allocator_may_return_null=1"; }
#endif

namespace cotan::runtime {
namespace {

// Owns a block.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t n) : data_(allocate(n)), bytes_(n) {}
  Buffer(Buffer&& o) noexcept : data_(std::exchange(o.data_, nullptr)), bytes_(o.bytes_) {}
  Buffer& operator=(Buffer o) noexcept { return std::swap(data_, o.data_), std::swap(bytes_, o.bytes_), *this; }
  ~Buffer() { deallocate(data_, bytes_); }
  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

bool aligned(const Buffer& b) { return reinterpret_cast<std::uintptr_t>(b.data()) % 64 == 0; }

TEST(Allocator, SizesAreAlignedAndDistinct) {
  std::vector<Buffer> all;
  for (std::size_t n : {0, 1, 63, 64, 65, 1023, 1024, 1025, 1152, 1153, 65535, 65536, 65537, 1 << 20, (1 << 23) + 1}) {
    all.emplace_back(n);
    EXPECT_TRUE(aligned(all.back())) << n;
    EXPECT_EQ(all.back().bytes(), n);
    std::memset(all.back().data(), static_cast<int>(all.size()), n);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto* p = static_cast<const unsigned char*>(all[i].data());
    for (std::size_t k = 0; k < all[i].bytes(); k += 61) ASSERT_EQ(p[k], i + 1);
  }
}

TEST(Allocator, ReusesSmallAndLarge) {
  for (std::size_t n : {100u, 300000u}) {
    Buffer a(n);
    void* p = a.data();
    a = Buffer();
    EXPECT_EQ(Buffer(n - 1).data(), p);
  }
}

TEST(Allocator, CountsWhatIsLive) {
  const auto before = allocator_statistics();
  Buffer a(1000), b(2000000);
  EXPECT_EQ(allocator_statistics().live_bytes, before.live_bytes + 2001000);
  EXPECT_EQ(allocator_statistics().live_blocks, before.live_blocks + 2);
  a = Buffer(), b = Buffer();
  EXPECT_EQ(allocator_statistics().live_bytes, before.live_bytes);
  EXPECT_EQ(allocator_statistics().live_blocks, before.live_blocks);
}

TEST(Allocator, CacheIsBounded) {
  drop_cache();
  set_cache_limit(std::size_t{8} << 20);
  {
    std::vector<Buffer> many;
    for (int i = 0; i < 20; ++i) many.emplace_back(std::size_t{1} << 20);
  }
  EXPECT_LE(allocator_statistics().cached_bytes, 8 << 20);
  EXPECT_GT(allocator_statistics().cached_bytes, 4 << 20);
  { const Buffer too_large(std::size_t{9} << 20); }
  EXPECT_LE(allocator_statistics().cached_bytes, 8 << 20);
  drop_cache();
  EXPECT_EQ(allocator_statistics().cached_bytes, 0);
  set_cache_limit(std::size_t{256} << 20);
}

TEST(Allocator, PoisonIsNaN) {
  set_poison(true);
  for (std::size_t n : {16u, 100000u}) {
    const Buffer b(n);
    const auto* f = static_cast<const float*>(b.data());
    EXPECT_NE(f[0], f[0]);
    EXPECT_NE(f[n / 4 - 1], f[n / 4 - 1]);
  }
  set_poison(false);
}

TEST(Allocator, ImpossibleSizesThrow) {
  EXPECT_THROW(allocate(~std::size_t{0}), MemoryError);
  EXPECT_THROW(allocate(std::size_t{1} << 62), MemoryError);
  EXPECT_THROW(allocate(std::size_t{1} << 50), MemoryError);
  EXPECT_NE(Buffer(10).data(), nullptr);
}

// What is cached must serve a request that the system cannot.
TEST(Allocator, DropsTheCacheBeforeGivingUp) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const pid_t child = fork();
  if (child == 0) {
    drop_cache();
    set_cache_limit(std::size_t{1} << 40);
    const rlimit limit{std::size_t{2} << 30, std::size_t{2} << 30};
    setrlimit(RLIMIT_AS, &limit);
    try {
      for (int i = 0; i < 12; ++i) Buffer(std::size_t{120} << 20);  // reused
      {
        std::vector<Buffer> v;
        for (int i = 0; i < 8; ++i) v.emplace_back(std::size_t{100} << 20);
      }
      const Buffer b(std::size_t{1500} << 20);
    } catch (const MemoryError&) { _exit(2); }
    try {
      allocate(std::size_t{3} << 30);
      _exit(3);
    } catch (const MemoryError&) {}
    _exit(Buffer(1 << 20).data() != nullptr ? 0 : 4);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
#endif
}

// Buffers made by one thread and released by another, every byte owned by exactly one buffer.
TEST(Allocator, ManyThreads) {
  const auto before = allocator_statistics();
  std::mutex mutex;
  std::vector<Buffer> exchange;
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::pair<Buffer, unsigned char>> mine;
    for (int i = 0; i < 20000; ++i) {
      const std::size_t n = random() % 100 == 0 ? random() % 300000 : random() % 3000;
      mine.emplace_back(Buffer(n), static_cast<unsigned char>(random()));
      std::memset(mine.back().first.data(), mine.back().second, n);
      if (mine.size() > 20) {
        const std::size_t k = random() % mine.size();
        const auto& [b, mark] = mine[k];
        for (std::size_t j = 0; j < b.bytes(); j += 97) ASSERT_EQ(static_cast<unsigned char*>(b.data())[j], mark);
        if (random() % 2 == 0) {
          const std::lock_guard lock(mutex);
          exchange.push_back(std::move(mine[k].first));
          if (exchange.size() > 50) exchange.erase(exchange.begin(), exchange.begin() + 25);
        }
        mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) threads.emplace_back(work, t);
  for (std::thread& t : threads) t.join();
  exchange.clear();
  EXPECT_EQ(allocator_statistics().live_bytes, before.live_bytes);
  EXPECT_EQ(allocator_statistics().live_blocks, before.live_blocks);
}

}  // namespace
}  // namespace cotan::runtime

// The key of static values.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace cotan::detail {

// Bytes that tell static values apart, without heap memory while they are few. A class of a user becomes a static value by
// friend void tree_key(const T& t, auto& key) { key.put(t.a_); key.put(t.b_); }
class Key {
 public:
  Key() noexcept {}
  Key(const Key& o) { put(o.p_, o.n_); }
  Key& operator=(const Key&) = delete;
  ~Key() {
    if (p_ != inline_) delete[] p_;
  }
  template <class T> void put(const T&);  // any static value
  void put(const void* bytes, std::size_t n) {
    if (n > cap_ - n_) grow(n);
    std::memcpy(p_ + n_, bytes, n);
    n_ += n;
  }
  // What is put between these two has its length before it, so that it does not run into what follows.
  std::size_t begin_part() {
    const std::size_t start = n_;
    put(&start, sizeof start);
    return start;
  }
  void end_part(std::size_t start) {
    const std::size_t n = n_ - start;
    std::memcpy(p_ + start, &n, sizeof n);
  }
  const char* data() const { return p_; }
  std::size_t size() const { return n_; }
  std::uint64_t hash() const;
  friend bool operator==(const Key& a, const Key& b) { return a.n_ == b.n_ && std::memcmp(a.p_, b.p_, a.n_) == 0; }

 private:
  void grow(std::size_t more);
  char* p_ = inline_;
  std::size_t n_ = 0, cap_ = sizeof inline_;
  char inline_[488];
};

}  // namespace cotan::detail

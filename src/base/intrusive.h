// Objects that count their owners, and the pointer that owns a share.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace cotan {

// An object starts with no owner. Copies of an object have their own count.
class RefCounted {
 public:
  RefCounted() noexcept = default;
  RefCounted(const RefCounted&) noexcept {}
  RefCounted& operator=(const RefCounted&) noexcept { return *this; }

  void add_ref() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void drop_ref() const noexcept {
    // A sole owner sees no other thread's count: no locked instruction is needed.
    if (count_.load(std::memory_order_acquire) == 1 || count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  bool has_one_owner() const noexcept { return count_.load(std::memory_order_acquire) == 1; }
  std::uint32_t ref_count() const noexcept { return count_.load(std::memory_order_relaxed); }

 protected:
  virtual ~RefCounted() = default;

 private:
  mutable std::atomic<std::uint32_t> count_{0};
};

template <class T> class Ref {
 public:
  constexpr Ref() noexcept = default;
  constexpr Ref(std::nullptr_t) noexcept {}
  explicit Ref(T* p) noexcept : p_(p) { share(); }
  Ref(const Ref& o) noexcept : p_(o.p_) { share(); }
  Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  template <class U>
  requires std::is_convertible_v<U*, T*> Ref(const Ref<U>& o)
  noexcept : p_(o.get()) { share(); }
  template <class U>
  requires std::is_convertible_v<U*, T*> Ref(Ref<U>&& o)
  noexcept : p_(o.release()) {}
  Ref& operator=(Ref o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  ~Ref() {
    if (p_) p_->drop_ref();
  }

  // Takes over a share that `release` gave away.
  static Ref adopt(T* p) noexcept {
    Ref r;
    r.p_ = p;
    return r;
  }
  [[nodiscard]] T* release() noexcept { return std::exchange(p_, nullptr); }
  void reset() noexcept { *this = Ref(); }

  T* get() const noexcept { return p_; }
  T* operator->() const noexcept { return p_; }
  T& operator*() const noexcept { return *p_; }
  explicit operator bool() const noexcept { return p_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) noexcept { return a.p_ == b.p_; }

 private:
  void share() const noexcept {
    if (p_) p_->add_ref();
  }
  T* p_ = nullptr;
};

template <class T, class... A> Ref<T> make_ref(A&&... a) { return Ref<T>(new T(std::forward<A>(a)...)); }

}  // namespace cotan

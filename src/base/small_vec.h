// A vector with room for N elements inside; for argument lists, which are nearly always short.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace cotan {

template <class T, std::size_t N = 4> class SmallVec {
 public:
  SmallVec() noexcept {}
  // Constructors delegate to the first one, so that the destructor runs when an element's throws.
  explicit SmallVec(std::size_t n) : SmallVec() { resize(n); }
  SmallVec(std::size_t n, const T& v) : SmallVec() {
    for (std::size_t i = 0; i < n; ++i) push_back(v);
  }
  SmallVec(std::initializer_list<T> v) : SmallVec() {
    for (const T& x : v) push_back(x);
  }
  explicit SmallVec(std::span<const T> v) : SmallVec() {
    reserve(v.size());
    for (const T& x : v) push_back(x);
  }
  SmallVec(const SmallVec& o) : SmallVec() {
    reserve(o.n_);
    for (const T& x : o) push_back(x);
  }
  SmallVec(SmallVec&& o) noexcept { take(o); }
  SmallVec& operator=(const SmallVec& o) {
    if (this != &o) {
      SmallVec c(o);
      swap_in(c);
    }
    return *this;
  }
  SmallVec& operator=(SmallVec&& o) noexcept {
    if (this != &o) swap_in(o);
    return *this;
  }
  ~SmallVec() {
    clear();
    release();
  }

  std::size_t size() const { return n_; }
  bool empty() const { return n_ == 0; }
  T* data() { return p_; }
  const T* data() const { return p_; }
  T& operator[](std::size_t i) { return p_[i]; }
  const T& operator[](std::size_t i) const { return p_[i]; }
  T* begin() { return p_; }
  T* end() { return p_ + n_; }
  const T* begin() const { return p_; }
  const T* end() const { return p_ + n_; }
  T& back() { return p_[n_ - 1]; }
  const T& back() const { return p_[n_ - 1]; }
  operator std::span<const T>() const { return {p_, n_}; }
  operator std::span<T>() { return {p_, n_}; }

  template <class... A> T& emplace_back(A&&... a) {
    if (n_ == cap_) {  // the argument may live in this vector: build it first
      T v{std::forward<A>(a)...};
      reserve(cap_ * 2);
      new (p_ + n_) T(std::move(v));
    } else {
      new (p_ + n_) T{std::forward<A>(a)...};
    }
    return p_[n_++];  // counts once it is there: the constructor may throw
  }
  void push_back(const T& v) { emplace_back(v); }
  void push_back(T&& v) { emplace_back(std::move(v)); }
  void pop_back() { p_[--n_].~T(); }
  void clear() {
    while (n_) pop_back();
  }
  void resize(std::size_t n) {
    while (n_ > n) pop_back();
    reserve(n);
    while (n_ < n) emplace_back();
  }
  void reserve(std::size_t cap) {
    static_assert(std::is_nothrow_move_constructible_v<T>, "elements are moved when the vector grows");
    if (cap <= cap_) return;
    if (cap < cap_ * 2) cap = cap_ * 2;
    T* q = static_cast<T*>(::operator new(cap * sizeof(T), std::align_val_t(alignof(T))));
    for (std::size_t i = 0; i < n_; ++i) {
      new (q + i) T(std::move(p_[i]));
      p_[i].~T();
    }
    release();
    p_ = q;
    cap_ = cap;
  }

 private:
  T* inline_data() { return reinterpret_cast<T*>(buf_); }
  void release() {
    if (p_ != inline_data()) ::operator delete(p_, std::align_val_t(alignof(T)));
    p_ = inline_data();
    cap_ = N;
  }
  void take(SmallVec& o) noexcept {
    if (o.p_ != o.inline_data()) {
      p_ = std::exchange(o.p_, o.inline_data());
      n_ = std::exchange(o.n_, 0);
      cap_ = std::exchange(o.cap_, N);
    } else {
      for (std::size_t i = 0; i < o.n_; ++i) new (p_ + n_++) T(std::move(o.p_[i]));
      o.clear();
    }
  }
  void swap_in(SmallVec& o) noexcept {
    clear();
    release();
    take(o);
  }
  alignas(T) unsigned char buf_[N * sizeof(T)];
  T* p_ = inline_data();
  std::size_t n_ = 0, cap_ = N;
};

}  // namespace cotan

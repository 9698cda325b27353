// Shapes, and the short lists of integers (axes, permutations, strides) that operations on them need.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <vector>

namespace cotan {

// A size inside braces: takes any integer type, so that {v.size(), 3} needs no cast.
struct Dim {
  std::int64_t n;
  template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) constexpr Dim(T v) : n(static_cast<std::int64_t>(v)) {}
};

namespace detail {
// g++ takes {.minval = 5} for the number 5 where sizes are expected. Classes of sizes and axes have a constructor that it likes
// better, which braces may not use; this is its last parameter, and the compiler's message.
struct these_braces_name_an_option_but_sizes_or_axes_are_expected_here {};
}  // namespace detail

// A list of int64 that needs no heap memory up to six entries.
class IntList {
 public:
  IntList() noexcept {}
  IntList(std::initializer_list<Dim> d);
  IntList(const std::int64_t* first, std::size_t count);
  explicit IntList(const std::vector<std::int64_t>& v) : IntList(v.data(), v.size()) {}
  IntList(const IntList& o) : IntList(o.data(), static_cast<std::size_t>(o.n_)) {}
  IntList(IntList&& o) noexcept { steal(o); }
  IntList& operator=(const IntList& o);
  IntList& operator=(IntList&& o) noexcept;
  ~IntList() {
    if (cap_ > inline_capacity) delete[] heap_;
  }

  static IntList filled(std::int64_t count, std::int64_t value);
  static IntList range(std::int64_t count);  // 0, 1, ... count - 1

  int length() const { return n_; }
  bool empty() const { return n_ == 0; }
  std::int64_t* data() { return cap_ > inline_capacity ? heap_ : buf_; }
  const std::int64_t* data() const { return cap_ > inline_capacity ? heap_ : buf_; }
  std::int64_t& operator[](std::int64_t i) { return data()[i]; }
  std::int64_t operator[](std::int64_t i) const { return data()[i]; }
  std::int64_t* begin() { return data(); }
  std::int64_t* end() { return data() + n_; }
  const std::int64_t* begin() const { return data(); }
  const std::int64_t* end() const { return data() + n_; }
  std::int64_t back() const { return data()[n_ - 1]; }

  void push_back(std::int64_t v);
  void insert(std::int64_t at, std::int64_t v);
  void erase(std::int64_t at);
  void clear() { n_ = 0; }
  bool contains(std::int64_t v) const;
  std::int64_t product() const;  // 1 for the empty list
  std::string str() const;       // "(2, 3)", "(2,)", "()"
  friend bool operator==(const IntList& a, const IntList& b) { return a.equal(b); }

 private:
  static constexpr int inline_capacity = 6;
  bool equal(const IntList&) const;
  void steal(IntList& o) noexcept;
  void grow(int capacity);
  int n_ = 0, cap_ = inline_capacity;
  union {
    std::int64_t buf_[inline_capacity];
    std::int64_t* heap_;
  };
};

std::ostream& operator<<(std::ostream&, const IntList&);  // as str

// The sizes of an array's dimensions.
class Shape : public IntList {
 public:
  Shape() noexcept {}
  Shape(std::initializer_list<Dim> d) : IntList(d) {}
  template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) Shape(T n) : IntList({Dim(n)}) {}
  explicit Shape(int n, detail::these_braces_name_an_option_but_sizes_or_axes_are_expected_here = {})
      : IntList({Dim(n)}) {}
  Shape(const IntList& l) : IntList(l) {}
  Shape(IntList&& l) noexcept : IntList(static_cast<IntList&&>(l)) {}
  explicit Shape(const std::vector<std::int64_t>& v) : IntList(v) {}
  using IntList::IntList;

  int ndim() const { return length(); }
  std::int64_t size() const { return product(); }  // number of elements
};

}  // namespace cotan

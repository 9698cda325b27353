// Indexing: x(0), x(all, slice(1, none, 2)), x(newaxis), x(ellipsis, 0), x(i) with a 0-d integer Array, and x.at(...).set(v).
// An Array of several indices, or of bools, raises NotImplementedError: it needs gather and scatter, which are to come.
#pragma once
#include "cotan/array.h"

namespace cotan {

struct all_t {};
inline constexpr all_t all{};
struct newaxis_t {};
inline constexpr newaxis_t newaxis{};
struct ellipsis_t {};
inline constexpr ellipsis_t ellipsis{};

struct Bound {  // a slice's start, stop or step: an integer or none
  std::int64_t value = 0;
  bool given = false;
  constexpr Bound(none_t) {}
  template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) constexpr Bound(T i)
      : value(static_cast<std::int64_t>(i)), given(true) {}
};
struct slice {  // slice(stop), slice(start, stop), slice(start, stop, step)
  Bound first, last, stride;
  explicit slice(Bound end) : first(none), last(end), stride(none) {}
  slice(Bound begin, Bound end, Bound by = none) : first(begin), last(end), stride(by) {}
};

class Index {
 public:
  enum class Kind : std::uint8_t { at, range, new_axis, rest, array };
  Kind kind;
  slice range{none, none};
  std::int64_t position = 0;
  Array array;

  template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) Index(T v)
      : kind(Kind::at), position(static_cast<std::int64_t>(v)) {}
  Index(all_t) : kind(Kind::range) {}
  Index(const slice& s) : kind(Kind::range), range(s) {}
  Index(newaxis_t) : kind(Kind::new_axis) {}
  Index(ellipsis_t) : kind(Kind::rest) {}
  template <class T>
  requires std::is_same_v<T, Array> Index(const T& v) : kind(Kind::array), array(v) {}
};

// x.at(i): a place in x. Each method returns a new Array of x's shape and dtype; x keeps its value.
class IndexedArray {
 public:
  IndexedArray(Array x, std::initializer_list<Index> i);
  ~IndexedArray();
  IndexedArray(const IndexedArray&) = delete;
  IndexedArray& operator=(const IndexedArray&) = delete;
  [[nodiscard]] Array get() const;
  [[nodiscard]] Array set(const Array& v) const;
  [[nodiscard]] Array add(const Array& v) const;
  [[nodiscard]] Array subtract(const Array& v) const;
  [[nodiscard]] Array multiply(const Array& v) const;
  [[nodiscard]] Array divide(const Array& v) const;
  [[nodiscard]] Array power(const Array& v) const;
  [[nodiscard]] Array min(const Array& v) const;
  [[nodiscard]] Array max(const Array& v) const;

 private:
  Array x_;
  std::vector<Index> index_;
};

namespace detail {
template <class I> inline constexpr bool is_index = std::is_constructible_v<Index, const I&>;
}
template <class... I>
requires(sizeof...(I) > 0) Array Array::operator()(const I&... i) const {
  static_assert((detail::is_index<I> && ...),
                "cotan: an index is an integer, ct::slice(start, stop), ct::all, ct::newaxis, ct::ellipsis or a 0-d "
                "integer Array");
  if constexpr ((detail::is_index<I> && ...)) return index({Index(i)...});
  else return {};
}
template <class... I>
requires(sizeof...(I) > 0) IndexedArray Array::at(const I&... i)
const {
  static_assert((detail::is_index<I> && ...),
                "cotan: an index is an integer, ct::slice(start, stop), ct::all, ct::newaxis, ct::ellipsis or a 0-d "
                "integer Array");
  return IndexedArray(*this, {Index(i)...});
}

}  // namespace cotan

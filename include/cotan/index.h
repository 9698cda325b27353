// Indexing: x(0), x(all, slice(1, none, 2)), x(newaxis), x(ellipsis, 0), x(i) with Arrays of integers or bools, and
// x.at(...).set(v). As in NumPy, but for what lies outside: reads are clamped, updates left out, unless a mode says otherwise.
#pragma once
#include <string_view>

#include "cotan/array.h"
#include "cotan/function_ref.h"

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

// An Array of integers takes elements; one of bools, which must be concrete, is its true positions, along as many axes as it has.
// true is a new axis of size 1, false one of size 0.
class Index {
 public:
  enum class Kind : std::uint8_t { at, range, new_axis, rest, array, truth };
  Kind kind;
  slice range{none, none};
  std::int64_t position = 0;
  Array array;

  template <class T>
  requires(std::is_integral_v<T>) Index(T v)
      : kind(std::is_same_v<T, bool> ? Kind::truth : Kind::at), position(static_cast<std::int64_t>(v)) {}
  Index(all_t) : kind(Kind::range) {}
  Index(const slice& s) : kind(Kind::range), range(s) {}
  Index(newaxis_t) : kind(Kind::new_axis) {}
  Index(ellipsis_t) : kind(Kind::rest) {}
  template <class T>
  requires std::is_same_v<T, Array> Index(const T& v) : kind(Kind::array), array(v) {}
};

// mode: "fill", "drop", "clip" or "promise_in_bounds" (ValueError for others); none: reads are clamped, updates dropped. fill_value:
// what reads outside give; by default NaN, the lowest integer, the highest unsigned one, true. indices_are_sorted and
// unique_indices are promises. wrap_negative_indices: they count from the end.
struct AtGetOptions {
  using is_options = void;
  bool indices_are_sorted = false, unique_indices = false;
  std::string_view mode = {};
  Array fill_value = {};
  bool wrap_negative_indices = true;
};
struct AtSetOptions {
  using is_options = void;
  bool indices_are_sorted = false, unique_indices = false;
  std::string_view mode = {};
  bool wrap_negative_indices = true;
};

// x.at(i): a place in x. Each method but get returns a new Array of x's shape and dtype; x keeps its value. The value broadcasts to
// the place's shape (ValueError). Places that occur several times are updated as often, in order. Where the index is one traced
// mask, the value must broadcast without knowing how many elements are true.
class IndexedArray {
 public:
  IndexedArray(Array x, std::initializer_list<Index> i);
  ~IndexedArray();
  IndexedArray(const IndexedArray&) = delete;
  IndexedArray& operator=(const IndexedArray&) = delete;
  [[nodiscard]] Array get(const AtGetOptions& = {}) const;
  [[nodiscard]] Array set(const Array& v, const AtSetOptions& = {}) const;
  [[nodiscard]] Array add(const Array& v, const AtSetOptions& = {}) const;
  [[nodiscard]] Array subtract(const Array& v, const AtSetOptions& = {}) const;
  [[nodiscard]] Array multiply(const Array& v, const AtSetOptions& = {}) const;
  [[nodiscard]] Array divide(const Array& v, const AtSetOptions& = {}) const;
  [[nodiscard]] Array power(const Array& v, const AtSetOptions& = {}) const;
  [[nodiscard]] Array min(const Array& v, const AtSetOptions& = {}) const;
  [[nodiscard]] Array max(const Array& v, const AtSetOptions& = {}) const;
  // f is elementwise and gives the dtype that it gets (TypeError).
  [[nodiscard]] Array apply(const FunctionRef<Array(const Array&)>& f, const AtSetOptions& = {}) const;

 private:
  Array x_;
  std::vector<Index> index_;
};

namespace detail {
template <class I> inline constexpr bool is_index = std::is_constructible_v<Index, const I&>;
}
template <class... I>
requires(sizeof...(I) > 0) Array Array::operator()(const I&... i) const {
  static_assert(
      (detail::is_index<I> && ...),
      "cotan: an index is an integer, ct::slice(start, stop), ct::all, ct::newaxis, ct::ellipsis, a bool or an "
      "Array of integers or bools");
  if constexpr ((detail::is_index<I> && ...)) return index({Index(i)...});
  else return {};
}
template <class... I>
requires(sizeof...(I) > 0) IndexedArray Array::at(const I&... i)
const {
  static_assert(
      (detail::is_index<I> && ...),
      "cotan: an index is an integer, ct::slice(start, stop), ct::all, ct::newaxis, ct::ellipsis, a bool or an "
      "Array of integers or bools");
  return IndexedArray(*this, {Index(i)...});
}

}  // namespace cotan

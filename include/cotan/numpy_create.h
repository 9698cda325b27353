// numpy's functions that create arrays, from sizes or from C++ numbers and containers.
#pragma once
#include <concepts>
#include <optional>
#include <string_view>

#include "cotan/array.h"

namespace cotan::numpy {

struct ArrayOptions {
  using is_options = void;
  bool copy = true;              // a value is immutable: a program records a copy, nothing else differs
  std::string_view order = "K";  // of the memory, which is the library's matter
  int ndmin = 0;                 // sizes of 1 are put in front
};

namespace detail {
// Numbers of `type` in memory. The default dtype is `type`, or of 32 bits unless x64. OverflowError when an integer does not fit.
Array from_host(const void* elements, DType type, const Shape& shape, std::optional<DType> dtype = std::nullopt,
                const ArrayOptions& = {});
Array stack_rows(const std::vector<Array>& rows, std::optional<DType> dtype = std::nullopt, const ArrayOptions& = {});
template <class T>
concept Element = Number<T> || ComplexNumber<T>;
}  // namespace detail

// A bound of arange: a number in full precision, or a known 0-d Array.
class RangeNumber {
 public:
  RangeNumber() = default;  // not given
  template <Number T> RangeNumber(T v) : whole_(std::is_integral_v<T>), given_(true) {
    if constexpr (std::is_integral_v<T>) integer_ = static_cast<std::int64_t>(v);
    value_ = static_cast<double>(v);
  }
  RangeNumber(const Array& x);  // ValueError for several elements; ConcretizationTypeError for a traced value
  bool given() const { return given_; }
  bool is_whole() const { return whole_; }
  std::int64_t integer() const { return integer_; }
  double value() const { return value_; }
  const Array& array() const { return array_; }  // empty: a C++ number

 private:
  Array array_;
  double value_ = 0;
  std::int64_t integer_ = 0;
  bool whole_ = true, given_ = false;
};

// array({1, 2}), array({{1., 2.}, {3., 4.}}), array({1, 2.5, x}), array(vector). Not weak. The type is that of the elements,
// 64-bit ones narrowed unless enable_x64 is set (OverflowError when an integer does not fit).
template <detail::Element T>
Array array(std::initializer_list<T> object, std::optional<DType> dtype = std::nullopt, const ArrayOptions& o = {}) {
  return detail::from_host(object.begin(), DTypeOf<T>::value, Shape(object.size()), dtype, o);
}
template <detail::Element T>
Array array(std::initializer_list<std::initializer_list<T>> rows, std::optional<DType> dtype = std::nullopt,
            const ArrayOptions& o = {}) {
  std::vector<Array> a;
  for (const auto& r : rows) a.push_back(array(r, dtype));
  return detail::stack_rows(a, dtype, o);
}
template <detail::Element T>
Array array(std::initializer_list<std::initializer_list<std::initializer_list<T>>> planes,
            std::optional<DType> dtype = std::nullopt, const ArrayOptions& o = {}) {
  std::vector<Array> a;
  for (const auto& p : planes) a.push_back(array(p, dtype));
  return detail::stack_rows(a, dtype, o);
}
template <detail::Element T>
requires(!std::is_same_v<T, bool>) Array
    array(const std::vector<T>& object, std::optional<DType> dtype = std::nullopt, const ArrayOptions& o = {}) {
  return detail::from_host(object.data(), DTypeOf<T>::value, Shape(object.size()), dtype, o);
}
inline Array array(std::initializer_list<Array> object, std::optional<DType> dtype = std::nullopt,
                   const ArrayOptions& o = {}) {
  return detail::stack_rows(object, dtype, o);
}
inline Array array(std::initializer_list<std::initializer_list<Array>> rows, std::optional<DType> dtype = std::nullopt,
                   const ArrayOptions& o = {}) {  // {{1, 2.5}, {x, 4}}
  std::vector<Array> a;
  for (const auto& r : rows) a.push_back(array(r, dtype));
  return detail::stack_rows(a, dtype, o);
}
template <class T>
Array array(const std::vector<std::vector<T>>& rows, std::optional<DType> dtype = std::nullopt,
            const ArrayOptions& o = {}) {
  std::vector<Array> a;
  for (const auto& r : rows) a.push_back(array(r, dtype));
  return detail::stack_rows(a, dtype, o);
}
inline Array array(const std::vector<bool>& object, std::optional<DType> dtype = std::nullopt,
                   const ArrayOptions& o = {}) {  // which has no elements in memory to point to
  const std::vector<unsigned char> bytes(object.begin(), object.end());
  return detail::from_host(bytes.data(), DType::bool_, Shape(object.size()), dtype, o);
}
// An unsigned number of that type, also where it is too large for a plain number: array(4000000000u, uint32). OverflowError where
// the type does not hold it.
template <std::unsigned_integral T>
requires(!std::is_same_v<T, bool>) Array array(T object, DType dtype) {
  return detail::from_host(&object, DTypeOf<T>::value, {}, dtype, {});
}
// A number or an Array, not weak.
Array array(const Array& object, std::optional<DType> dtype = std::nullopt, const ArrayOptions& = {});
struct AsarrayOptions {
  using is_options = void;
  std::string_view order = "K";
  std::optional<bool> copy = std::nullopt;
};
Array asarray(const Array&, std::optional<DType> dtype = std::nullopt, const AsarrayOptions& = {});
struct CopyOptions {
  using is_options = void;
  std::string_view order = "K";
};
Array copy(const Array&, const CopyOptions& = {});

struct ArangeOptions {
  using is_options = void;
  std::optional<DType> dtype = std::nullopt;
};
// start <= start + i * step < stop. The type is that to which the numbers promote; C++ numbers are int32 and float32 (64 bits
// with x64). ValueError for a step of 0.
Array arange(const RangeNumber& start, const RangeNumber& stop, const RangeNumber& step = {},
             const ArangeOptions& = {});
inline Array arange(const RangeNumber& stop, const ArangeOptions& o = {}) { return arange({}, stop, {}, o); }

Array zeros(const Shape&, std::optional<DType> dtype = std::nullopt);  // of the default float type
Array ones(const Shape&, std::optional<DType> dtype = std::nullopt);
Array full(const Shape&, const Array& fill_value, std::optional<DType> dtype = std::nullopt);
Array empty(const Shape&, std::optional<DType> dtype = std::nullopt);  // zeros
// Of the dtype and shape of an array, where no others are given.
struct LikeOptions {
  using is_options = void;
  std::optional<DType> dtype = std::nullopt;
  std::optional<Shape> shape = std::nullopt;
};
Array zeros_like(const Array&, const LikeOptions& = {});
Array ones_like(const Array&, const LikeOptions& = {});
Array empty_like(const Array&, const LikeOptions& = {});
Array full_like(const Array&, const Array& fill_value, const LikeOptions& = {});

// n rows, m columns (none: n), k: the diagonal.
using OptionalSize = std::optional<std::int64_t>;
Array eye(std::int64_t n, OptionalSize m = std::nullopt, std::int64_t k = 0, std::optional<DType> dtype = std::nullopt);
Array identity(std::int64_t n, std::optional<DType> dtype = std::nullopt);
Array tri(std::int64_t n, OptionalSize m = std::nullopt, std::int64_t k = 0, std::optional<DType> dtype = std::nullopt);
Array tril(const Array&, std::int64_t k = 0);
Array triu(const Array&, std::int64_t k = 0);
Array diag(const Array&, std::int64_t k = 0);      // of a vector: a matrix; of a matrix: its diagonal
Array diagflat(const Array&, std::int64_t k = 0);  // of the flattened array: a matrix
Array diagonal(const Array&, std::int64_t offset = 0, int axis1 = 0, int axis2 = 1);
struct VanderOptions {
  using is_options = void;
  bool increasing = false;
};
Array vander(const Array&, OptionalSize N = std::nullopt, const VanderOptions& = {});

}  // namespace cotan::numpy

#include "cotan/numpy_grid.h"

// numpy's functions that create arrays, from sizes or from C++ numbers and containers.
#pragma once
#include <optional>

#include "cotan/array.h"

namespace cotan::numpy {

namespace detail {
Array from_host(const void* elements, DType type, const Shape& shape);  // double gives float32 unless x64
Array arange_float(double start, double stop, double step);
Array arange_int(std::int64_t start, std::int64_t stop, std::int64_t step);
Array stack_rows(const std::vector<Array>& rows);
template <class T>
concept Element = Number<T> || ComplexNumber<T>;
}  // namespace detail

// array({1, 2}), array({{1., 2.}, {3., 4.}}), array({1, 2.5, x}), array(vector). Not weak. The type is that of the elements,
// 64-bit ones narrowed unless enable_x64 is set (OverflowError when an integer does not fit).
template <detail::Element T> Array array(std::initializer_list<T> v) {
  if constexpr (std::is_same_v<T, bool>) return detail::from_host(v.begin(), DType::bool_, Shape(v.size()));
  else return detail::from_host(v.begin(), DTypeOf<T>::value, Shape(v.size()));
}
template <detail::Element T> Array array(std::initializer_list<std::initializer_list<T>> rows) {
  std::vector<Array> a;
  for (const auto& r : rows) a.push_back(array(r));
  return detail::stack_rows(a);
}
template <detail::Element T>
Array array(std::initializer_list<std::initializer_list<std::initializer_list<T>>> planes) {
  std::vector<Array> a;
  for (const auto& p : planes) a.push_back(array(p));
  return detail::stack_rows(a);
}
template <detail::Element T>
requires(!std::is_same_v<T, bool>) Array array(const std::vector<T>& v) {
  return detail::from_host(v.data(), DTypeOf<T>::value, Shape(v.size()));
}
inline Array array(std::initializer_list<Array> v) { return detail::stack_rows(v); }
inline Array array(std::initializer_list<std::initializer_list<Array>> rows) {  // {{1, 2.5}, {x, 4}}
  std::vector<Array> a;
  for (const auto& r : rows) a.push_back(array(r));
  return detail::stack_rows(a);
}
template <class T> Array array(const std::vector<std::vector<T>>& rows) {
  std::vector<Array> a;
  for (const auto& r : rows) a.push_back(array(r));
  return detail::stack_rows(a);
}
inline Array array(const std::vector<bool>& v) {  // which has no elements in memory to point to
  const std::vector<unsigned char> bytes(v.begin(), v.end());
  return detail::from_host(bytes.data(), DType::bool_, Shape(v.size()));
}
// A number or an Array as an Array that is not weak.
Array asarray(const Array&);
inline Array array(const Array& x) { return asarray(x); }

// 0 <= i < stop; start <= start + i * step < stop. Integers give the default integer type, others the default float type.
template <Number T> Array arange(T stop) {
  if constexpr (std::is_integral_v<T>) return detail::arange_int(0, static_cast<std::int64_t>(stop), 1);
  else return detail::arange_float(0, static_cast<double>(stop), 1);
}
template <Number T, Number U, Number V = int> Array arange(T start, U stop, V step = 1) {
  if constexpr (std::is_integral_v<T> && std::is_integral_v<U> && std::is_integral_v<V>)
    return detail::arange_int(static_cast<std::int64_t>(start), static_cast<std::int64_t>(stop),
                              static_cast<std::int64_t>(step));
  else return detail::arange_float(static_cast<double>(start), static_cast<double>(stop), static_cast<double>(step));
}

Array zeros(const Shape&, std::optional<DType> dtype = std::nullopt);  // of the default float type
Array ones(const Shape&, std::optional<DType> dtype = std::nullopt);
Array full(const Shape&, const Array& value, std::optional<DType> dtype = std::nullopt);
Array empty(const Shape&, std::optional<DType> dtype = std::nullopt);  // zeros
Array zeros_like(const Array&);
Array ones_like(const Array&);
Array full_like(const Array&, const Array& value);
Array eye(std::int64_t n, std::int64_t m = -1, std::int64_t k = 0, std::optional<DType> dtype = std::nullopt);
Array identity(std::int64_t n, std::optional<DType> dtype = std::nullopt);
Array tri(std::int64_t n, std::int64_t m = -1, std::int64_t k = 0, std::optional<DType> dtype = std::nullopt);
Array tril(const Array&, std::int64_t k = 0);
Array triu(const Array&, std::int64_t k = 0);
Array linspace(double start, double stop, std::int64_t num = 50);
Array astype(const Array&, DType);

}  // namespace cotan::numpy

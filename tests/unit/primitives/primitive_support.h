// What the tests of single primitives share: arrays from lists and of arbitrary bytes, and elements by index.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>

#include "core/primitive.h"
#include "cotan/array.h"

namespace cotan::detail {
int initialise();
}

namespace cotan::primitive_test {

inline const int initialised = detail::initialise();

template <class T> Array array(const Shape& shape, const std::vector<T>& values, DType d = DTypeOf<T>::value) {
  EXPECT_EQ(static_cast<std::int64_t>(values.size()), shape.size());
  return evaluation_hook().from_bytes({shape, d, false}, values.data());
}
template <class T> Array vector(const std::vector<T>& values) { return array<T>({values.size()}, values); }
inline Array bools(const Shape& shape, const std::vector<std::uint8_t>& values) {
  return array(shape, values, DType::bool_);
}

template <class T> std::vector<T> elements(const Array& a) {
  EXPECT_EQ(a.dtype(), DTypeOf<T>::value);
  std::vector<T> v(static_cast<std::size_t>(a.size()));
  if (!v.empty()) std::memcpy(v.data(), bytes_of(a), v.size() * sizeof(T));
  return v;
}

// An array of arbitrary bits; bool stays 0 or 1.
inline Array arbitrary(const Aval& a, unsigned seed = 1) {
  std::mt19937 gen(seed);
  std::vector<unsigned char> bytes(static_cast<std::size_t>(a.size()) * item_size(a.dtype) + 1);
  for (unsigned char& b : bytes) b = static_cast<unsigned char>(a.dtype == DType::bool_ ? gen() & 1 : gen());
  return evaluation_hook().from_bytes(a, bytes.data());
}

inline std::int64_t offset_of(const Shape& shape, const IntList& index) {
  std::int64_t at = 0;
  for (int i = 0; i < shape.ndim(); ++i) at = at * shape[i] + index[i];
  return at;
}
inline std::string element(const Array& a, const IntList& index) {
  const std::size_t item = item_size(a.dtype());
  return {static_cast<const char*>(bytes_of(a)) + static_cast<std::size_t>(offset_of(a.shape(), index)) * item, item};
}
// Calls f at every index of an array of that shape.
inline void each_index(const Shape& shape, const std::function<void(const IntList&)>& f) {
  if (shape.size() == 0) return;
  IntList index = IntList::filled(shape.ndim(), 0);
  for (;;) {
    f(index);
    int i = shape.ndim() - 1;
    for (; i >= 0 && ++index[i] == shape[i]; --i) index[i] = 0;
    if (i < 0) return;
  }
}

inline const std::vector<DType> moved_dtypes = {DType::bool_,     DType::int8,       DType::uint16,  DType::int32,
                                                DType::uint64,    DType::bfloat16,   DType::float32, DType::float64,
                                                DType::complex64, DType::complex128, DType::key_fry, DType::key_rbg};

// The message's first line, or "" when f does not throw an E.
template <class E> std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const E& e) { return e.message(); } catch (const Error& e) {
    return "another exception: " + e.message();
  }
  return "";
}

}  // namespace cotan::primitive_test

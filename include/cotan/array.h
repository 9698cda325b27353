// Array: an immutable n-dimensional value, concrete or traced. A handle of one pointer; copies share the value.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cotan/aval.h"
#include "cotan/errors.h"
#include "cotan/number.h"

namespace cotan {

template <class T> struct View {  // elements in row-major order; valid while the Array lives
  const T* first;
  std::size_t count;
  const T& operator[](std::size_t i) const { return first[i]; }
  const T* begin() const { return first; }
  const T* end() const { return first + count; }
  const T* data() const { return first; }
  std::size_t size() const { return count; }
};

class Array;
class Index;
class IndexedArray;

namespace detail {
enum class NodeKind : std::uint8_t { concrete, jvp, linearize, batch, jaxpr, other };
struct Node {  // the start of every value; what follows is core's
  long refs = 1;
  NodeKind kind = NodeKind::concrete;
  bool plain_number = false;  // made from a C++ number: becomes a literal in a jaxpr
  Aval aval;
};
void destroy(Node*) noexcept;
inline void retain(Node* n) noexcept { __atomic_add_fetch(&n->refs, 1, __ATOMIC_RELAXED); }
inline void release(Node* n) noexcept {
  if (__atomic_sub_fetch(&n->refs, 1, __ATOMIC_ACQ_REL) == 0) destroy(n);
}
[[noreturn]] void fail_empty_array();
// Registers the primitives and their evaluation, once, before main in every program that includes this header.
int initialise();
[[maybe_unused]] inline const int initialised = initialise();
}  // namespace detail

class Array {
 public:
  Array() noexcept = default;                           // no value: only to be assigned to
  template <Number T> Array(T v) : Array(number(v)) {}  // 0-d; weakly typed but for bool; OverflowError if too large
  template <ComplexNumber T> Array(const T& v) : Array(make_complex(double(v.real()), double(v.imag()))) {}
  Array(const Array& o) noexcept : p_(o.p_) {
    if (p_) detail::retain(p_);
  }
  Array(Array&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  Array& operator=(const Array& o) & noexcept {
    Array c(o);
    std::swap(p_, c.p_);
    return *this;
  }
  Array& operator=(Array&& o) & noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  template <class V>
  requires std::is_convertible_v<const V&, Array>
  void operator=(const V&) && {
    static_assert(!std::is_same_v<V, V>,
                  "cotan: an Array is a value, x(i) = v would change a temporary; write x = x.at(i).set(v)");
  }
  ~Array() {
    if (p_) detail::release(p_);
  }

  const Aval& aval() const {
    if (!p_) detail::fail_empty_array();
    return p_->aval;
  }
  const Shape& shape() const { return aval().shape; }
  DType dtype() const { return aval().dtype; }
  bool weak_type() const { return aval().weak_type; }
  int ndim() const { return shape().ndim(); }
  std::int64_t size() const { return shape().size(); }
  Array T() const;  // axes reversed
  Array astype(DType) const;
  Array reshape(const Shape&) const;  // one size may be -1

  // The one element, converted to S. ValueError when there are several; ConcretizationTypeError when traced.
  template <class S>
  requires(Number<S> || ComplexNumber<S>) S item()
  const {
    S out{};
    read_item(DTypeOf<S>::value, &out);
    return out;
  }
  // All elements, in place. TypeError unless S is the type of the elements; TracerArrayConversionError when traced.
  template <class S> View<S> span() const {
    return {static_cast<const S*>(elements(DTypeOf<S>::value)), static_cast<std::size_t>(size())};
  }
  // The elements as bytes, whatever their type.
  const void* data() const { return elements(dtype()); }
  explicit operator bool() const;                 // of a concrete value of one element
  Array& block_until_ready() & { return *this; }  // CPU work is done when a call returns

  // x(1, all, slice(1, none, 2), newaxis, indices): as x[...] in NumPy, with JAX's rules for what lies outside.
  template <class... I>
  requires(sizeof...(I) > 0) Array operator()(const I&... i) const;
  template <class... I>
  requires(sizeof...(I) > 0) IndexedArray at(const I&... i)
  const;

  Array& operator+=(const Array& o) &;
  Array& operator-=(const Array& o) &;
  Array& operator*=(const Array& o) &;
  Array& operator/=(const Array& o) &;
  template <class V> void operator+=(const V&) && { no_update<V>(); }
  template <class V> void operator-=(const V&) && { no_update<V>(); }
  template <class V> void operator*=(const V&) && { no_update<V>(); }
  template <class V> void operator/=(const V&) && { no_update<V>(); }
  std::string str() const;   // the elements, as NumPy prints them
  std::string repr() const;  // "Array([1., 2.], dtype=float32)"

  // For the library: takes over one reference.
  explicit Array(detail::Node* p) noexcept : p_(p) {}
  detail::Node* node() const noexcept { return p_; }
  bool has_value() const noexcept { return p_ != nullptr; }

 private:
  template <class V> static void no_update() {
    static_assert(!std::is_same_v<V, V>,
                  "cotan: an Array is a value, x(i) += v would change a temporary; write x = x.at(i).add(v)");
  }
  template <class T> static Array number(T v) {
    if constexpr (std::is_same_v<T, bool>) return make_bool(v);
    else if constexpr (std::is_floating_point_v<T>) return make_double(static_cast<double>(v));
    else if constexpr (std::is_signed_v<T>) return make_int(static_cast<std::int64_t>(v));
    else return make_uint(static_cast<std::uint64_t>(v));
  }
  static Array make_bool(bool);
  static Array make_int(std::int64_t);
  static Array make_uint(std::uint64_t);
  static Array make_double(double);
  static Array make_complex(double re, double im);
  void read_item(DType, void*) const;
  const void* elements(DType) const;
  Array index(std::initializer_list<Index>) const;
  detail::Node* p_ = nullptr;
};

// Operators broadcast and promote as NumPy's with JAX's types. Comparisons are elementwise and give bool Arrays.
Array operator+(const Array&, const Array&);
Array operator-(const Array&, const Array&);
Array operator*(const Array&, const Array&);
Array operator/(const Array&, const Array&);
Array operator%(const Array&, const Array&);
Array operator-(const Array&);
inline Array operator+(const Array& x) { return x; }
Array operator<(const Array&, const Array&);
Array operator>(const Array&, const Array&);
Array operator<=(const Array&, const Array&);
Array operator>=(const Array&, const Array&);
Array operator==(const Array&, const Array&);
Array operator!=(const Array&, const Array&);
Array operator&(const Array&, const Array&);
Array operator|(const Array&, const Array&);
Array operator^(const Array&, const Array&);
Array operator~(const Array&);
Array operator<<(const Array&, const Array&);
Array operator>>(const Array&, const Array&);
std::ostream& operator<<(std::ostream&, const Array&);

}  // namespace cotan

#include "cotan/index.h"

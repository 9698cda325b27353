// Promotion and broadcasting of numpy functions' operands.
#pragma once
#include "base/hash.h"
#include "control/jit.h"
#include "cotan/numpy.h"
#include "lax/operands.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/reduction.h"
#include "ops/structural.h"

namespace cotan::numpy {

// The operands in their common dtype, with ranks evened by leading sizes of 1 (scalars stay scalars).
struct Pair {
  Array x, y;
};
Pair promote(const char* function, const Array& x, const Array& y);
Pair promote_inexact(const char* function, const Array& x, const Array& y);  // integers become floats
Array promote_inexact(const Array& x);
// The operands in their common inexact type; their shapes stay and need not broadcast.
Pair promote_inexact_types(const char* function, const Array& x, const Array& y);
using cotan::broadcast_shapes;

// What elementwise functions share.
using Unary = Array (*)(const Array&);
using Binary = Array (*)(const Array&, const Array&);
inline bool is_bool(const Array& x) { return x.dtype() == DType::bool_; }
using ops::number_like;
// A constant beside x: strong beside weak arrays, so that the result is strong, as in JAX; weak beside weak numbers.
inline Array constant_like(const Array& x, double v) {
  return x.ndim() == 0 ? number_like(x, v) : ops::scalar(x.dtype(), v);
}
inline Array to_bool(const Array& x) { return is_bool(x) ? x : ops::ne(x, number_like(x, 0)); }
inline Array promoted(const char* name, Binary f, const Array& x, const Array& y) {
  Pair p = promote(name, x, y);
  return f(p.x, p.y);
}
// As promoted; bools count as int32.
inline Array promoted_numbers(const char* name, Binary f, const Array& x, const Array& y) {
  const Pair p = promote(name, x, y);
  if (!is_bool(p.x)) return f(p.x, p.y);
  const Array a = to_dtype(p.x, DType::int32, false), b = to_dtype(p.y, DType::int32, false);
  return f(a, b);
}
// A function that JAX defines under jit: `body` gives one Array.
template <class F> Array jitted(const char* name, F body, const Arrays& args) {
  return named_jit(
      name, [body](const Arrays& a) { return Arrays{body(a)}; }, args)[0];
}

// Of static arguments, for named_jit: a hash of 64 well-mixed bits, since two keys that are equal share one program.
inline std::uint64_t combine_key(std::uint64_t a, std::uint64_t b) {
  Hasher h;
  h.add(a);
  h.add(b);
  return h.value();
}

inline std::uint64_t list_key(const IntList& l) {
  std::uint64_t key = static_cast<std::uint64_t>(l.length());
  for (std::int64_t i : l) key = combine_key(key, static_cast<std::uint64_t>(i));
  return key;
}
// A C++ number: static where JAX takes a Python number for static.
inline bool is_plain(const Array& x) { return is_concrete(x) && x.node()->plain_number; }

// Axes in the order given.
inline IntList listed_axes(const char* function, const IntList& axes, int ndim) {
  IntList r;
  for (std::int64_t a : axes) r.push_back(canonical_axis(function, a, ndim));
  return r;
}
// All in their common type.
std::vector<Array> promoted(const std::vector<Array>& xs);
// ValueError where the product of sizes is too large.
std::int64_t checked_size(const char* function, std::int64_t size, std::int64_t factor);

}  // namespace cotan::numpy

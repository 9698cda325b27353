// numpy's elementwise functions as objects with methods: jnp::ufunc(jnp::add).reduce(x, 0).
#pragma once
#include <optional>

#include "cotan/numpy_callables.h"

namespace cotan::numpy {

struct UfuncReduceOptions {
  using is_options = void;
  std::optional<DType> dtype = std::nullopt;
  bool keepdims = false;
  Array initial = {}, where = {};
};
struct UfuncOptions {
  using is_options = void;
  std::optional<DType> dtype = std::nullopt;
};
struct FrompyfuncOptions {
  using is_options = void;
  Array identity = {};
};

namespace detail {
struct UfuncRecord;
}

class ufunc {
 public:
  // One of numpy's functions. add, multiply, maximum, minimum, logical_and, logical_or, logical_xor, bitwise_and, bitwise_or,
  // bitwise_xor, logaddexp and logaddexp2 have reductions of their own; of the others the methods go element by element.
  ufunc(Array (*f)(const Array&, const Array&));
  ufunc(Array (*f)(const Array&));
  ufunc(const detail::OfArrays& f, int inputs, const Array& first);  // see frompyfunc

  int nin, nout = 1, nargs;  // operands, results, operands that a call takes
  Array identity;            // no value: none
  const char* name() const;

  Array operator()(const std::vector<Array>& x) const;
  Array operator()(const Array& x) const { return (*this)(std::vector<Array>{x}); }
  Array operator()(const Array& x, const Array& y) const { return (*this)(std::vector<Array>{x, y}); }

  // The function between all elements along the axes, from the first on. ValueError for no element, or for `where`, when
  // there is neither an identity nor `initial`. Several axes: NotImplementedError but for the functions named above.
  Array reduce(const Array& a, const Axes& axis = 0, const UfuncReduceOptions& = {}) const;
  // Every prefix of that: of a's shape.
  Array accumulate(const Array& a, const Axes& axis = 0, const UfuncOptions& = {}) const;
  // Of the parts that begin at the indices and end before the next one; a part that would end before it begins is the element
  // at its index. The indices must be known.
  Array reduceat(const Array& a, const Array& indices, int axis = 0, const UfuncOptions& = {}) const;
  // a with f(a(index), b), or f(a(index)), in the place of a(index); places that occur several times are updated as often, in
  // order. `index`: an integer, a slice or an Array.
  Array at(const Array& a, const Index& index, const Array& b = {}) const;
  // Of every pair of elements: shape A.shape + B.shape.
  Array outer(const Array& A, const Array& B) const;

 private:
  void check_binary(const char* method) const;
  Array accumulated(const Array& x, int axis) const;
  Array call2(const Array& x, const Array& y) const;
  const detail::UfuncRecord* record_ = nullptr;
  detail::OfArrays f_;
};

// A function of nin numbers that gives one number, as a ufunc. NotImplementedError for more results.
ufunc frompyfunc(const detail::OfArrays& func, int nin, int nout, const FrompyfuncOptions& = {});

}  // namespace cotan::numpy

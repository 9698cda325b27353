// jax.lax: sorting, cumulative operations, general reductions and scans, operations on bits. Errors are those of lax.h.
#pragma once
#include <optional>
#include <string_view>

#include "cotan/tree.h"

namespace cotan::lax {

// --- sorting. NaNs come last; -0 and 0 are equal; complex numbers compare by real, then imaginary part.
struct SortOptions {
  using is_options = void;
  bool is_stable = true;  // equal elements keep their order; they do so anyway
  int num_keys = 1;       // operands that are compared, one after the other
};
Array sort(const Array& operand, int dimension = -1, const SortOptions& = {});
// All in the order of the first num_keys operands. TypeError unless they have one shape, ValueError for a num_keys that does not fit.
std::vector<Array> sort_operands(const std::vector<Array>& operands, int dimension = -1, const SortOptions& = {});
struct SortStableOptions {
  using is_options = void;
  bool is_stable = true;
};
struct KeysAndValues {
  Array keys, values;
};
KeysAndValues sort_key_val(const Array& keys, const Array& values, int dimension = -1, const SortStableOptions& = {});

// The k largest along the axis, in the total order of floats (NaN first, -0 below 0), and their int32 places. ValueError where k
// does not fit, and for complex numbers.
struct TopK {
  Array values, indices;
};
struct TopKOptions {
  using is_options = void;
  int axis = -1;
};
TopK top_k(const Array& operand, std::int64_t k, const TopKOptions& = {});
// The same of floats, exact whatever recall_target. aggregate_to_topk = false is not implemented.
struct ApproxOptions {
  using is_options = void;
  double recall_target = 0.95;
  std::int64_t reduction_input_size_override = -1;
  bool aggregate_to_topk = true;
};
TopK approx_max_k(const Array& operand, std::int64_t k, int reduction_dimension = -1, const ApproxOptions& = {});
TopK approx_min_k(const Array& operand, std::int64_t k, int reduction_dimension = -1, const ApproxOptions& = {});

// --- cumulative: each element with those before it, or after it. Of numbers, logsumexp of floating and complex ones.
Array cumsum(const Array& operand, int axis = 0, bool reverse = false);
Array cumprod(const Array& operand, int axis = 0, bool reverse = false);
Array cummax(const Array& operand, int axis = 0, bool reverse = false);
Array cummin(const Array& operand, int axis = 0, bool reverse = false);
Array cumlogsumexp(const Array& operand, int axis = 0, bool reverse = false);

// --- bits
Array clz(const Array& x);                          // zero bits above the highest that is set; integers
Array population_count(const Array& x);             // bits set; integers
Array nextafter(const Array& x1, const Array& x2);  // the float beside x1 towards x2
Array mulhi(const Array& x, const Array& y);        // high half of the product; integers
Array reduce_precision(const Array& operand, int exponent_bits, int mantissa_bits);  // floats

// --- shapes
std::vector<Array> split(const Array& operand, const IntList& sizes, int axis = 0);
// Axes from start up to stop (none: the end) become one; negative ones count from the end.
Array collapse(const Array& operand, int start_dimension, std::optional<int> stop_dimension = std::nullopt);
Array broadcast_to_rank(const Array& x, int rank);  // new leading axes of size 1

namespace detail {
using ArrayList = std::vector<Array>;
struct ListFn {  // of two lists of Arrays
  ArrayList (*call)(const void* self, const ArrayList& before, const ArrayList& after);
  const void* self;
  ArrayList operator()(const ArrayList& before, const ArrayList& after) const { return call(self, before, after); }
};
ArrayList associative_scan(const ListFn&, const ArrayList& elems, bool reverse, int axis);
ArrayList reduce(const ArrayList& operands, const ArrayList& init_values, const ListFn&, const IntList& dimensions);

template <class F, class T> struct OnTrees {
  static_assert(Pytree<T>, "cotan: the operands hold no Array");
  static_assert(std::is_invocable_r_v<T, const F&, const T&, const T&>,
                "cotan: the function takes two values like the operands and returns one");
  const F& f;
  const T& tree;
  static ArrayList call(const void* self, const ArrayList& before, const ArrayList& after) {
    const auto& s = *static_cast<const OnTrees*>(self);
    return tree::leaves(static_cast<T>(s.f(tree::with_leaves(s.tree, before), tree::with_leaves(s.tree, after))));
  }
  operator ListFn() const { return {call, this}; }
};
}  // namespace detail

// All prefixes of `elems`, an Array or a pytree of them, combined along the axis by fn(before, after), which must be associative
// and work along arrays. In about 2 log2(n) steps of slices.
template <class F, class T> T associative_scan(const F& fn, const T& elems, bool reverse = false, int axis = 0) {
  return tree::with_leaves(
      elems, detail::associative_scan(detail::OnTrees<F, T>{fn, elems}, tree::leaves(elems), reverse, axis));
}

// The operands, an Array or a pytree of them, combined over `dimensions` by computation(a, b) of scalars, which must be
// associative; the init_values, scalars, come first. A sum, product, extremum, or bit operation becomes that reduction.
template <class T, class F>
T reduce(const T& operands, const std::type_identity_t<T>& init_values, const F& computation,
         const IntList& dimensions) {
  return tree::with_leaves(operands, detail::reduce(tree::leaves(operands), tree::leaves(init_values),
                                                    detail::OnTrees<F, T>{computation, init_values}, dimensions));
}

}  // namespace cotan::lax

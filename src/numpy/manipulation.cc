// numpy's functions that move elements.
#include <algorithm>

#include "api/function_table.h"
#include "numpy/common.h"

namespace cotan::numpy {

namespace {

IntList backwards(int ndim) {
  IntList r;
  for (int i = ndim; i-- > 0;) r.push_back(i);
  return r;
}

void check_order(const char* function, std::string_view order) {
  if (order == "A" || (order == "K" && std::string_view(function) == "ravel"))
    throw NotImplementedError(std::string(function) + " is not implemented for order='" + std::string(order) + "'");
  if (order != "C" && order != "F")
    throw ValueError(std::string(function) + ": unexpected value for order: '" + std::string(order) +
                     "', expected 'C' or 'F'");
}

Shape resolve(const Array& x, const Shape& sizes) {
  const auto fail = [&](const std::string& why) {
    throw TypeError("cannot reshape array of shape " + x.shape().str() + " (size " + std::to_string(x.size()) +
                    ") into shape " + sizes.str() + why);
  };
  Shape r = sizes;
  std::int64_t known = 1;
  int unknown = -1;
  for (int i = 0; i < r.ndim(); ++i) {
    if (r[i] == -1 && unknown >= 0)
      throw TypeError("can only specify one unknown axis size with a `-1` value, got " + sizes.str());
    if (r[i] == -1) unknown = i;
    else if (r[i] < 0) throw TypeError("shape must have every element be nonnegative, got " + sizes.str() + ".");
    else if (__builtin_mul_overflow(known, r[i], &known)) fail("");
  }
  if (unknown >= 0) {
    if (known == 0 || x.size() % known != 0)
      fail(" because the product of specified axis sizes (" + std::to_string(known) + ") does not evenly divide " +
           std::to_string(x.size()));
    r[unknown] = x.size() / known;
  } else if (known != x.size()) {
    fail(" (size " + std::to_string(known) + ")");
  }
  return r;
}

}  // namespace

Array reshape(const Array& x, const Shape& sizes, const ReshapeOptions& o) {
  COTAN_API;
  const std::string_view order = o.order;
  const Shape shape = resolve(x, sizes);
  if (order == "C") return ops::reshape(x, shape);
  check_order("reshape", order);
  Shape reversed;
  for (int i = shape.ndim(); i-- > 0;) reversed.push_back(shape[i]);
  return ops::transpose(ops::reshape_permuted(x, reversed, backwards(x.ndim())), backwards(shape.ndim()));
}
Array ravel(const Array& x, const RavelOptions& o) {
  COTAN_API;
  const std::string_view order = o.order;
  if (order == "C") return ops::reshape(x, Shape(x.size()));
  check_order("ravel", order);
  return ops::reshape_permuted(x, Shape(x.size()), backwards(x.ndim()));
}

Array resize(const Array& x, const Shape& shape) {
  COTAN_API;
  std::int64_t n = 1;
  for (std::int64_t s : shape) {
    if (s < 0) throw ValueError("resize: all elements of new_shape must be non-negative, got " + shape.str());
    n = checked_size("resize", n, s);
  }
  return named_jit(
      "resize",
      [&](const Arrays& a) {
        const Array flat = ravel(a[0]);
        if (n == 0 || flat.size() == 0) return Arrays{ops::full({shape, flat.dtype(), flat.weak_type()}, 0)};
        const Array copies = ops::tile(flat, {(n - 1) / flat.size() + 1});
        return Arrays{ops::reshape(ops::slice(copies, {0}, {n}), shape)};
      },
      {x}, list_key(shape))[0];
}

int ndim(const Array& x) { return x.ndim(); }
Shape shape(const Array& x) { return x.shape(); }
std::int64_t size(const Array& x, const Axes& axis) {
  COTAN_API;
  if (axis.all()) return x.size();
  std::int64_t n = 1;
  for (std::int64_t a : canonical_axes("size", axis.list(), x.ndim())) n *= x.shape()[a];
  return n;
}

Array broadcast_to(const Array& x, const Shape& shape) {
  COTAN_API;
  if (x.shape() == shape) return x;
  if (shape.ndim() < x.ndim())
    throw ValueError("Cannot broadcast to shape with fewer dimensions: arr_shape=" + x.shape().str() +
                     " shape=" + shape.str());
  IntList dims;
  for (int i = 0; i < x.ndim(); ++i) {
    dims.push_back(shape.ndim() - x.ndim() + i);
    if (x.shape()[i] != 1 && x.shape()[i] != shape[dims[i]])
      throw ValueError("Incompatible types for broadcasting: input type=" + x.aval().str() +
                       " and requested type=" + x.aval().with_shape(shape).str());
  }
  return ops::broadcast_in_dim(x, shape, dims);
}

std::vector<Array> broadcast_arrays(const std::vector<Array>& xs) {
  COTAN_API;
  std::vector<Shape> shapes;
  for (const Array& x : xs) shapes.push_back(x.shape());
  const Shape shape = broadcast_shapes("broadcast_arrays", shapes);
  std::vector<Array> r;
  for (const Array& x : xs) r.push_back(broadcast_to(x, shape));
  return r;
}
Shape broadcast_shapes(const std::vector<Shape>& shapes) {
  COTAN_API;
  for (const Shape& s : shapes)
    for (std::int64_t n : s)
      if (n < 0) throw TypeError("broadcast_shapes: sizes must be non-negative, got shape " + s.str());
  return broadcast_shapes("broadcast_shapes", shapes);
}

namespace {
// The new sizes of 1, before the axes of the array and behind them.
Array at_least(const char* name, const Array& x, int ndim) {
  return named_jit(name,
                   [ndim](const Arrays& a) {
                     const int missing = std::max(ndim - a[0].ndim(), 0);
                     if (ndim < 3) return Arrays{ops::expand_dims(a[0], IntList::range(missing))};
                     const IntList places[] = {{}, {2}, {0, 2}, {0, 1, 2}};
                     return Arrays{ops::expand_dims(a[0], places[missing])};
                   },
                   {x})[0];
}
}  // namespace
Array atleast_1d(const Array& x) {
  COTAN_API;
  return at_least("atleast_1d", x, 1);
}
Array atleast_2d(const Array& x) {
  COTAN_API;
  return at_least("atleast_2d", x, 2);
}
Array atleast_3d(const Array& x) {
  COTAN_API;
  return at_least("atleast_3d", x, 3);
}

Array transpose(const Array& x, const Axes& axes) {
  COTAN_API;
  return ops::transpose(x, axes.all() ? backwards(x.ndim()) : listed_axes("transpose", axes.list(), x.ndim()));
}
Array permute_dims(const Array& x, const Axes& axes) {
  COTAN_API;
  if (axes.all()) throw TypeError("permute_dims: axes must be a list of integers, got none");
  return ops::transpose(x, axes.list());  // negative axes are refused, as in JAX
}
Array matrix_transpose(const Array& x) {
  COTAN_API;
  if (x.ndim() < 2) throw ValueError("x must be at least two-dimensional for matrix_transpose; got " + x.aval().str());
  return swapaxes(x, -1, -2);
}

Array swapaxes(const Array& x, int axis1, int axis2) {
  COTAN_API;
  IntList permutation = IntList::range(x.ndim());
  for (const int axis : {axis1, axis2})  // the class of exception that JAX raises here
    if (axis < -x.ndim() || axis >= x.ndim())
      throw IndexError("swapaxes: axis " + std::to_string(axis) + " is out of bounds for array of dimension " +
                       std::to_string(x.ndim()));
  const int a = canonical_axis("swapaxes", axis1, x.ndim()), b = canonical_axis("swapaxes", axis2, x.ndim());
  std::swap(permutation[a], permutation[b]);
  return ops::transpose(x, permutation);
}

Array moveaxis(const Array& x, const Axes& source, const Axes& destination) {
  COTAN_API;
  if (source.all() || destination.all()) throw TypeError("moveaxis: source and destination must be integers, got none");
  const IntList from = listed_axes("moveaxis", source.list(), x.ndim());
  const IntList to = listed_axes("moveaxis", destination.list(), x.ndim());
  if (from.length() != to.length())
    throw ValueError("moveaxis: source and destination must have as many axes, got " + std::to_string(from.length()) +
                     " and " + std::to_string(to.length()));
  std::vector<std::pair<std::int64_t, std::int64_t>> moves;
  for (int i = 0; i < from.length(); ++i) moves.emplace_back(to[i], from[i]);
  std::sort(moves.begin(), moves.end());
  IntList permutation;
  for (int i = 0; i < x.ndim(); ++i)
    if (!from.contains(i)) permutation.push_back(i);
  for (const auto& [place, axis] : moves) permutation.insert(std::min<std::int64_t>(place, permutation.length()), axis);
  return ops::transpose(x, permutation);
}

Array rollaxis(const Array& x, int axis, int start) {
  COTAN_API;
  const int n = x.ndim(), a = canonical_axis("rollaxis", axis, n);
  if (start < -n || start > n)
    throw ValueError("rollaxis: start must satisfy -ndim <= start <= ndim, got start=" + std::to_string(start) +
                     " and ndim=" + std::to_string(n));
  const int before = start < 0 ? start + n : start;
  return named_jit(
      "rollaxis", [&](const Arrays& v) { return Arrays{ops::move_axis(v[0], a, before > a ? before - 1 : before)}; },
      {x}, combine_key(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(before)))[0];
}

Array expand_dims(const Array& x, const Axes& axis) {
  COTAN_API;
  if (axis.all()) throw TypeError("expand_dims: axis must be an integer or a list of integers, got none");
  return ops::expand_dims(x, canonical_axes("expand_dims", axis.list(), x.ndim() + axis.list().length()));
}

Array squeeze(const Array& x, const Axes& axis) {
  COTAN_API;
  IntList axes;
  if (!axis.all()) axes = canonical_axes("squeeze", axis.list(), x.ndim());
  else
    for (int i = 0; i < x.ndim(); ++i)
      if (x.shape()[i] == 1) axes.push_back(i);
  return ops::squeeze(x, axes);
}

Array tile(const Array& x, const Shape& reps) {
  COTAN_API;
  for (std::int64_t r : reps)
    if (r < 0) throw ValueError("tile: reps must not be negative, got " + reps.str());
  const int more = std::max(reps.ndim() - x.ndim(), 0);
  const Array v = ops::expand_dims(x, IntList::range(more));
  IntList all = reps;
  while (all.length() < v.ndim()) all.insert(0, 1);
  return ops::tile(v, all);
}

namespace {
// One array alone gives an array, more give a list.
template <Array (*F)(const Array&)> table::Value each(const std::vector<Array>& arys) {
  if (arys.size() == 1) return F(arys[0]);
  std::vector<Array> r;
  for (const Array& x : arys) r.push_back(F(x));
  return table::to_value(r);
}
}  // namespace

const FunctionTable manipulation_table{
    "numpy",
    {
        function<reshape>("reshape(a, shape, order='C', *, copy=None, out_sharding=None)",
                          "The same elements in another shape; one size may be -1."),
        function<ravel>("ravel(a, order='C', *, out_sharding=None)", "The elements as a vector."),
        function<resize>("resize(a, new_shape)", "The elements in order, repeated or cut to fill the shape."),
        function<ndim>("ndim(a)", "The number of dimensions."),
        function<shape>("shape(a)", "The sizes of the dimensions."),
        function<size>("size(a, axis=None)", "The number of elements, or of those along axes."),
        function<broadcast_to>("broadcast_to(array, shape, *, out_sharding=None)",
                               "The array repeated along axes of size 1 and new leading axes."),
        function<broadcast_arrays>("broadcast_arrays(*args)", "The arrays broadcast to one shape."),
        function<[](const std::vector<Shape>& shapes) { return broadcast_shapes(shapes); }>(
            "broadcast_shapes(*shapes)", "The shape that shapes broadcast to."),
        function<each<atleast_1d>>("atleast_1d(*arys)", "Arrays of at least one dimension."),
        function<each<atleast_2d>>("atleast_2d(*arys)", "Arrays of at least two dimensions; vectors are rows."),
        function<each<atleast_3d>>("atleast_3d(*arys)", "Arrays of at least three dimensions; vectors are (1, n, 1)."),
        function<transpose>("transpose(a, axes=None)", "The axes in another order, by default reversed."),
        function<permute_dims>("permute_dims(a, /, axes)", "The axes in another order."),
        function<matrix_transpose>("matrix_transpose(x, /)", "The last two axes exchanged."),
        function<swapaxes>("swapaxes(a, axis1, axis2)", "Two axes exchanged."),
        function<moveaxis>("moveaxis(a, source, destination)",
                           "Axes moved to other places; the others keep their order."),
        function<rollaxis>("rollaxis(a, axis, start=0)", "An axis put before another."),
        function<expand_dims>("expand_dims(a, axis)", "New axes of size 1."),
        function<squeeze>("squeeze(a, axis=None)", "Without axes of size 1."),
        function<tile>("tile(A, reps)", "The array repeated as a whole."),
    }};

}  // namespace cotan::numpy

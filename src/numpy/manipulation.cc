// numpy's functions that move elements.
#include "api/function_table.h"
#include "numpy/common.h"

namespace cotan::numpy {

namespace {

std::uint64_t list_key(const IntList& l) {
  std::uint64_t key = static_cast<std::uint64_t>(l.length());
  for (std::int64_t i : l) key = combine_key(key, static_cast<std::uint64_t>(i));
  return key;
}

// Axes in the order given.
IntList listed_axes(const char* function, const IntList& axes, int ndim) {
  IntList r;
  for (std::int64_t a : axes) r.push_back(canonical_axis(function, a, ndim));
  return r;
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

// All in their common type.
std::vector<Array> promoted(const std::vector<Array>& xs) {
  LatticeType t{xs[0].dtype(), xs[0].weak_type()};
  bool same = true;
  std::vector<LatticeType> types;
  for (const Array& x : xs) {
    types.push_back({x.dtype(), x.weak_type()});
    same &= types.back() == t;
  }
  if (same) return xs;
  t = promote_types(types);
  std::vector<Array> r;
  for (const Array& x : xs) r.push_back(is_key(t.dtype) ? x : to_dtype(x, canonical_dtype(t.dtype), t.weak));
  return r;
}

std::int64_t times(const char* function, std::int64_t size, std::int64_t repeats) {
  std::int64_t n;
  if (__builtin_mul_overflow(size, repeats, &n))
    throw ValueError(std::string(function) + ": Maximum allowed size exceeded");
  return n;
}

std::string shapes_of(const std::vector<Array>& xs) {
  std::string s;
  for (const Array& x : xs) s += (s.empty() ? "" : ", ") + x.shape().str();
  return s;
}

// Elements that leave at one end of each axis enter at the other.
Array roll_values(const Array& x, std::int64_t shift, const IntList& axes) {
  Array r = x;
  for (std::int64_t axis : axes) {
    const std::int64_t n = r.shape()[axis];
    if (n == 0) continue;
    const std::int64_t cut = (n - shift % n) % n;
    IntList first = IntList::filled(r.ndim(), 0), last = r.shape();
    const IntList strides = IntList::filled(r.ndim(), 1);
    first[axis] = cut;
    const Array tail = ops::slice(r, first, last, strides);
    first[axis] = 0, last[axis] = cut;
    const Array parts[] = {tail, ops::slice(r, first, last, strides)};
    r = ops::concatenate(parts, static_cast<int>(axis));
  }
  return r;
}

Array at_least(const char* name, const Array& x, int ndim) {
  return named_jit(name,
                   [ndim](const Arrays& a) {
                     const int missing = std::max(ndim - a[0].ndim(), 0);
                     return Arrays{ops::expand_dims(a[0], IntList::range(missing))};
                   },
                   {x})[0];
}

}  // namespace

Array reshape(const Array& x, const Shape& sizes) {
  COTAN_API;
  return ops::reshape(x, resolve(x, sizes));
}
Array ravel(const Array& x) {
  COTAN_API;
  return ops::reshape(x, Shape(x.size()));
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

Array transpose(const Array& x, const Axes& axes) {
  COTAN_API;
  IntList permutation;
  if (axes.all())
    for (int i = x.ndim(); i-- > 0;) permutation.push_back(i);
  else permutation = listed_axes("transpose", axes.list(), x.ndim());
  return ops::transpose(x, permutation);
}

Array swapaxes(const Array& x, int axis1, int axis2) {
  COTAN_API;
  IntList permutation = IntList::range(x.ndim());
  const int a = canonical_axis("swapaxes", axis1, x.ndim()), b = canonical_axis("swapaxes", axis2, x.ndim());
  std::swap(permutation[a], permutation[b]);
  return ops::transpose(x, permutation);
}

Array moveaxis(const Array& x, int source, int destination) {
  COTAN_API;
  return ops::move_axis(x, canonical_axis("moveaxis", source, x.ndim()),
                        canonical_axis("moveaxis", destination, x.ndim()));
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

Array flip(const Array& x, const Axes& axis) {
  COTAN_API;
  const IntList axes = axis.all() ? IntList::range(x.ndim()) : canonical_axes("flip", axis.list(), x.ndim());
  return named_jit(
      "_flip", [&](const Arrays& a) { return Arrays{ops::rev(a[0], axes)}; }, {x}, list_key(axes))[0];
}

Array roll(const Array& x, std::int64_t shift, const Axes& axis) {
  COTAN_API;
  const Array v = axis.all() ? ravel(x) : x;
  const IntList axes = axis.all() ? IntList{0} : listed_axes("roll", axis.list(), x.ndim());
  const std::uint64_t key = combine_key(list_key(axes), static_cast<std::uint64_t>(shift));
  const Array r = named_jit(
      "_roll_static", [&](const Arrays& a) { return Arrays{roll_values(a[0], shift, axes)}; }, {v}, key)[0];
  return axis.all() ? ops::reshape(r, x.shape()) : r;
}

Array tile(const Array& x, const Shape& reps) {
  COTAN_API;
  for (std::int64_t r : reps)
    if (r < 0) throw ValueError("tile: reps must not be negative, got " + reps.str());
  const int ndim = std::max(x.ndim(), reps.ndim());
  Shape repeated, shape;
  IntList dims;
  for (int i = 0; i < ndim; ++i) {
    const int xi = i - (ndim - x.ndim()), ri = i - (ndim - reps.ndim());
    const std::int64_t n = xi < 0 ? 1 : x.shape()[xi], r = ri < 0 ? 1 : reps[ri];
    repeated.push_back(r);
    if (xi >= 0) dims.push_back(repeated.ndim()), repeated.push_back(n);
    shape.push_back(times("tile", n, r));
  }
  return ops::reshape(ops::broadcast_in_dim(x, repeated, dims), shape);
}

Array repeat(const Array& x, std::int64_t repeats, const Axes& axis) {
  COTAN_API;
  if (repeats < 0) throw ValueError("repeat: repeats must not be negative, got " + std::to_string(repeats));
  if (!axis.all() && axis.list().length() != 1)
    throw TypeError("repeat: axis must be one integer or none, got " + axis.list().str());
  if (x.ndim() == 0 && !axis.all()) {
    canonical_axis("repeat", axis.list()[0], 1);
    return ops::broadcast_in_dim(x, Shape(repeats), {});
  }
  const Array v = axis.all() ? ops::reshape(x, Shape(x.size())) : x;
  const int a = axis.all() ? 0 : canonical_axis("repeat", axis.list()[0], v.ndim());
  Shape wide = v.shape(), shape = v.shape();
  wide.insert(a + 1, repeats);
  shape[a] = times("repeat", shape[a], repeats);
  IntList dims = IntList::range(wide.ndim());
  dims.erase(a + 1);
  return ops::reshape(ops::broadcast_in_dim(v, wide, dims), shape);
}

Array concatenate(const std::vector<Array>& xs, int axis) {
  COTAN_API;
  if (xs.empty()) throw ValueError("Need at least one array to concatenate.");
  if (xs[0].ndim() == 0) throw ValueError("Zero-dimensional arrays cannot be concatenated.");
  const int a = canonical_axis("concatenate", axis, xs[0].ndim());
  return xs.size() == 1 ? xs[0] : ops::concatenate(promoted(xs), a);
}

Array stack(const std::vector<Array>& xs, int axis) {
  COTAN_API;
  if (xs.empty()) throw ValueError("Need at least one array to stack.");
  for (const Array& x : xs)
    if (!(x.shape() == xs[0].shape()))
      throw ValueError("All input arrays must have the same shape. Got " + shapes_of(xs) + ".");
  return ops::stack(promoted(xs), canonical_axis("stack", axis, xs[0].ndim() + 1));
}

Array vstack(const std::vector<Array>& xs) {
  COTAN_API;
  std::vector<Array> rows;
  for (const Array& x : xs) rows.push_back(at_least("atleast_2d", x, 2));
  return concatenate(rows, 0);
}

Array hstack(const std::vector<Array>& xs) {
  COTAN_API;
  std::vector<Array> columns;
  for (const Array& x : xs) columns.push_back(at_least("atleast_1d", x, 1));
  return concatenate(columns, columns.empty() || columns[0].ndim() == 1 ? 0 : 1);
}

std::vector<Array> split(const Array& x, int sections, int axis) {
  COTAN_API;
  const int a = canonical_axis("split", axis, x.ndim());
  const std::int64_t n = x.shape()[a];
  if (sections <= 0) throw ValueError("number sections must be larger than 0, got " + std::to_string(sections));
  if (n % sections)
    throw ValueError("array split does not result in an equal division: rest is " + std::to_string(n % sections));
  std::vector<Array> parts;
  for (std::int64_t i = 0; i < sections; ++i)
    parts.push_back(ops::slice_in_dim(x, i * (n / sections), (i + 1) * (n / sections), 1, a));
  return parts;
}

Array pad(const Array& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& pad_width, const Array& constant) {
  COTAN_API;
  const std::size_t n = pad_width.size();
  if (n != 1 && n != static_cast<std::size_t>(x.ndim()))
    throw ValueError("pad: pad_width with ndim=" + std::to_string(x.ndim()) + " has " + std::to_string(n) +
                     " pairs; one, or one for each axis, are expected");
  std::vector<ops::PadDim> config;
  IntList widths;
  for (int i = 0; i < x.ndim(); ++i) {
    const auto [low, high] = pad_width[n == 1 ? 0 : static_cast<std::size_t>(i)];
    if (low < 0 || high < 0)
      throw ValueError("index can't contain negative values, got pad_width (" + std::to_string(low) + ", " +
                       std::to_string(high) + ")");
    config.push_back({low, high, 0});
    widths.push_back(low), widths.push_back(high);
  }
  if (constant.ndim() != 0)
    throw NotImplementedError("pad: constant_values must be one number, got " + constant.aval().str());
  return named_jit(
      "_pad", [&](const Arrays& a) { return Arrays{ops::pad(a[0], to_dtype(a[1], a[0].dtype(), false), config)}; },
      {x, constant}, list_key(widths))[0];
}

const FunctionTable manipulation_table{
    "numpy",
    {
        function<reshape>("reshape(a, shape, order='C', *, copy=None, out_sharding=None)",
                          "The same elements in another shape; one size may be -1."),
        function<ravel>("ravel(a, order='C', *, out_sharding=None)", "The elements as a vector."),
        function<broadcast_to>("broadcast_to(array, shape, *, out_sharding=None)",
                               "The array repeated along axes of size 1 and new leading axes."),
        function<transpose>("transpose(a, axes=None)", "The axes in another order, by default reversed."),
        function<swapaxes>("swapaxes(a, axis1, axis2)", "Two axes exchanged."),
        function<moveaxis>("moveaxis(a, source, destination)",
                           "Axes moved to other places; the others keep their order."),
        function<expand_dims>("expand_dims(a, axis)", "New axes of size 1."),
        function<squeeze>("squeeze(a, axis=None)", "Without axes of size 1."),
        function<flip>("flip(m, axis=None)", "The elements in reverse order along the axes."),
        function<roll>("roll(a, shift, axis=None)",
                       "The elements moved along an axis; what leaves at the end comes back at the start."),
        function<tile>("tile(A, reps)", "The array repeated as a whole."),
        function<repeat>("repeat(a, repeats, axis=None, *, total_repeat_length=None, out_sharding=None)",
                         "Each element repeated."),
        function<concatenate>("concatenate(arrays, axis=0, dtype=None)", "Arrays joined along an axis."),
        function<stack>("stack(arrays, axis=0, out=None, dtype=None)", "Arrays joined along a new axis."),
        function<vstack>("vstack(tup, dtype=None)", "Arrays joined along the first axis, vectors as rows."),
        function<hstack>("hstack(tup, dtype=None)", "Arrays joined along the second axis, vectors along their one."),
    }};

}  // namespace cotan::numpy

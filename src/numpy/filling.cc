// numpy's functions that fill an array: with one number, or along diagonals.
#include "api/function_table.h"
#include "numpy/common.h"

namespace cotan::numpy {

namespace {

DType dtype_or(const std::optional<DType>& d, DType otherwise) { return canonical_dtype(d.value_or(otherwise)); }

Array filled(const Shape& shape, double value, const std::optional<DType>& d) {
  return ops::full({shape, dtype_or(d, DType::float64), false}, value);
}
Array filled_like(const Array& x, double value, const LikeOptions& o) {
  return ops::full({o.shape.value_or(x.shape()), dtype_or(o.dtype, x.dtype()), !o.dtype && x.weak_type()}, value);
}

void check_sizes(std::int64_t n, OptionalSize m) {
  if (n < 0 || m.value_or(0) < 0)
    throw ValueError("negative dimensions are not allowed, got " + std::to_string(n) + " and " +
                     (m ? std::to_string(*m) : "none"));
}

// Row numbers plus k, and column numbers. A diagonal outside of the matrix is as good at its edge.
Pair rows_and_columns(const Shape& shape, std::int64_t k, bool columns_last) {
  const DType d = default_int_dtype();
  const int axis = shape.ndim() - 2;
  k = std::clamp(k, -shape[axis], shape[axis + 1]);
  Array rows = ops::iota(d, shape, axis), columns;
  if (!columns_last) columns = ops::iota(d, shape, axis + 1);
  rows = ops::add(rows, ops::scalar_int(d, k));
  if (columns_last) columns = ops::iota(d, shape, axis + 1);
  return {rows, columns};
}

Array triangle(std::int64_t n, std::int64_t m, std::int64_t k) {
  const Pair p = rows_and_columns({n, m}, k, true);
  return ops::ge(p.x, p.y);
}

// x where the lower triangle below diagonal k is (or is not), 0 elsewhere.
Array masked(const char* name, const Array& x, std::int64_t k, bool lower) {
  if (x.ndim() < 2)
    throw ValueError("Argument to numpy::" + std::string(name) + " must be at least 2D, got " + x.aval().str());
  return named_jit(
      name,
      [&](const Arrays& a) {
        const Shape& s = a[0].shape();
        Array mask = triangle(s[s.ndim() - 2], s[s.ndim() - 1], lower ? k : k - 1);
        mask = broadcast_to(mask, s);
        const Array zeros = ops::full({s, a[0].dtype(), false}, 0);
        return Arrays{lower ? ops::select(mask, a[0], zeros) : ops::select(mask, zeros, a[0])};
      },
      {x}, static_cast<std::uint64_t>(k))[0];
}

// A vector as diagonal k of a matrix.
Array diagonal_matrix(const Array& v, std::int64_t k) {
  std::int64_t n = v.size(), added = k < 0 ? -k : k;
  if (__builtin_add_overflow(n, added, &n)) throw ValueError("diag: Maximum allowed size exceeded");
  const ops::PadDim config[] = {{k < 0 ? added : 0, k < 0 ? 0 : added, 0}};
  const Array padded = ops::pad(v, ops::zeros_of(v.aval().with_shape({})), config);
  const Pair p = rows_and_columns({n, n}, k, false);
  const Array on = ops::eq(p.x, p.y), rows = ops::expand_dims(padded, {1});
  return where(on, rows, number_like(v, 0));
}

Array diagonal_values(const Array& x, std::int64_t offset, int axis1, int axis2) {
  IntList order;
  for (int i = 0; i < x.ndim(); ++i)
    if (i != axis1 && i != axis2) order.push_back(i);
  order.push_back(axis1), order.push_back(axis2);
  const Array v = ops::transpose(x, order);
  const std::int64_t n = x.shape()[axis1], m = x.shape()[axis2];
  const std::int64_t row = offset < 0 ? std::min(n, -std::max(offset, -n)) : 0,
                     column = std::clamp<std::int64_t>(offset, 0, m);
  const std::int64_t count = std::min(n - row, m - column);
  Shape shape = v.shape();
  shape.erase(shape.ndim() - 1), shape.erase(shape.ndim() - 1);
  const int last = shape.ndim();
  shape.push_back(count);
  if (count == 0) return ops::full({shape, x.dtype(), false}, 0);
  Shape flat = shape;
  flat[last] = n * m;
  const std::int64_t start = row * m + column;
  return ops::slice_in_dim(ops::reshape(v, flat), start, start + (count - 1) * (m + 1) + 1, m + 1, last);
}

}  // namespace

Array zeros(const Shape& s, std::optional<DType> d) {
  COTAN_API;
  return filled(s, 0, d);
}
Array ones(const Shape& s, std::optional<DType> d) {
  COTAN_API;
  return filled(s, 1, d);
}
Array empty(const Shape& s, std::optional<DType> d) {
  COTAN_API;
  return filled(s, 0, d);
}
Array full(const Shape& s, const Array& value, std::optional<DType> d) {
  COTAN_API;
  return broadcast_to(d ? to_dtype(value, canonical_dtype(*d), false) : value, s);
}
Array zeros_like(const Array& x, const LikeOptions& o) {
  COTAN_API;
  return filled_like(x, 0, o);
}
Array ones_like(const Array& x, const LikeOptions& o) {
  COTAN_API;
  return filled_like(x, 1, o);
}
Array empty_like(const Array& x, const LikeOptions& o) {
  COTAN_API;
  return filled_like(x, 0, o);
}
Array full_like(const Array& x, const Array& value, const LikeOptions& o) {
  COTAN_API;
  const Array v = to_dtype(value, dtype_or(o.dtype, x.dtype()), !o.dtype && x.weak_type());
  return broadcast_to(v, o.shape.value_or(x.shape()));
}

Array eye(std::int64_t n, OptionalSize m, std::int64_t k, std::optional<DType> d) {
  COTAN_API;
  check_sizes(n, m);
  const Pair p = rows_and_columns({n, m.value_or(n)}, k, false);
  return to_dtype(ops::eq(p.x, p.y), dtype_or(d, DType::float64), false);
}
Array identity(std::int64_t n, std::optional<DType> d) {
  COTAN_API;
  return eye(n, n, 0, d);
}
Array tri(std::int64_t n, OptionalSize m, std::int64_t k, std::optional<DType> d) {
  COTAN_API;
  if (n < 0 || m.value_or(0) < 0)
    throw TypeError("tri: sizes must be nonnegative, got " + std::to_string(n) + " and " +
                    std::to_string(m.value_or(n)));
  return to_dtype(triangle(n, m.value_or(n), k), dtype_or(d, DType::float32),
                  false);  // also with 64-bit types, as in JAX
}
Array tril(const Array& x, std::int64_t k) {
  COTAN_API;
  return masked("tril", x, k, true);
}
Array triu(const Array& x, std::int64_t k) {
  COTAN_API;
  return masked("triu", x, k, false);
}

Array diagonal(const Array& x, std::int64_t offset, int axis1, int axis2) {
  COTAN_API;
  if (x.ndim() < 2) throw ValueError("diagonal requires an array of at least two dimensions, got " + x.aval().str());
  const int a = canonical_axis("diagonal", axis1, x.ndim()), b = canonical_axis("diagonal", axis2, x.ndim());
  if (a == b) throw TypeError("diagonal: axis1 and axis2 must differ, got " + std::to_string(axis1) + " twice");
  return named_jit(
      "diagonal", [&](const Arrays& v) { return Arrays{diagonal_values(v[0], offset, a, b)}; }, {x},
      list_key({offset, a, b}))[0];
}
Array diag(const Array& x, std::int64_t k) {
  COTAN_API;
  if (x.ndim() != 1 && x.ndim() != 2) throw ValueError("diag input must be 1d or 2d, got " + x.aval().str());
  return named_jit(
      "_diag", [&](const Arrays& a) { return Arrays{x.ndim() == 1 ? diagonal_matrix(a[0], k) : diagonal(a[0], k)}; },
      {x}, static_cast<std::uint64_t>(k))[0];
}
Array diagflat(const Array& x, std::int64_t k) {
  COTAN_API;
  return to_dtype(diagonal_matrix(ravel(x), k), x.dtype(), false);
}

Array vander(const Array& x, OptionalSize N, const VanderOptions& o) {
  COTAN_API;
  if (x.ndim() != 1) throw ValueError("vander: x must be a one-dimensional array, got " + x.aval().str());
  const std::int64_t n = N.value_or(x.size());
  if (n < 0) throw ValueError("vander: N must be nonnegative, got " + std::to_string(n));
  return named_jit(
      "vander",
      [&](const Arrays& a) {
        if (is_bool(a[0])) throw TypeError("vander does not accept dtype bool, got " + a[0].aval().str());
        Array powers = ops::iota(a[0].dtype(), Shape(n), 0);
        if (!o.increasing) powers = ops::sub(ops::scalar_int(powers.dtype(), n - 1), powers);
        const Array column = ops::expand_dims(a[0], {1});
        return Arrays{power(column, ops::expand_dims(powers, {0}))};
      },
      {x}, combine_key(static_cast<std::uint64_t>(n), o.increasing))[0];
}

const FunctionTable filling_table{
    "numpy",
    {
        function<zeros>("zeros(shape, dtype=None, *, device=None, out_sharding=None)",
                        "Zeros; of the default float type without dtype."),
        function<ones>("ones(shape, dtype=None, *, device=None, out_sharding=None)",
                       "Ones; of the default float type without dtype."),
        function<empty>("empty(shape, dtype=None, *, device=None, out_sharding=None)", "Zeros, as zeros."),
        function<full>("full(shape, fill_value, dtype=None, *, device=None, out_sharding=None)",
                       "fill_value broadcast to the shape."),
        function<zeros_like>("zeros_like(a, dtype=None, shape=None, *, device=None, out_sharding=None)",
                             "Zeros of a's shape and dtype."),
        function<ones_like>("ones_like(a, dtype=None, shape=None, *, device=None, out_sharding=None)",
                            "Ones of a's shape and dtype."),
        function<empty_like>("empty_like(prototype, dtype=None, shape=None, *, device=None)",
                             "Zeros of the prototype's shape and dtype."),
        function<full_like>("full_like(a, fill_value, dtype=None, shape=None, *, device=None, out_sharding=None)",
                            "fill_value broadcast to a's shape, in a's dtype."),
        function<eye>("eye(N, M=None, k=0, dtype=None, *, device=None)", "Ones on diagonal k of an N x M matrix."),
        function<identity>("identity(n, dtype=None)", "The identity matrix."),
        function<tri>("tri(N, M=None, k=0, dtype=None)", "Ones on and below diagonal k of an N x M matrix."),
        function<tril>("tril(m, k=0)", "Zero above diagonal k of the last two axes."),
        function<triu>("triu(m, k=0)", "Zero below diagonal k of the last two axes."),
        function<diag>("diag(v, k=0)", "A vector as a matrix's diagonal k, or diagonal k of a matrix."),
        function<diagflat>("diagflat(v, k=0)", "The flattened array as a matrix's diagonal k."),
        function<diagonal>("diagonal(a, offset=0, axis1=0, axis2=1)",
                           "Diagonals of the matrices over two axes, as the last axis."),
        function<vander>("vander(x, N=None, increasing=False)",
                         "Powers of x as columns, from the highest unless increasing."),
    }};

}  // namespace cotan::numpy

// numpy's functions that make arrays from numbers.
#include <cmath>
#include <cstring>
#include <limits>

#include "api/function_table.h"
#include "numpy/common.h"

namespace cotan::numpy {

namespace {

DType dtype_or(const std::optional<DType>& d, DType otherwise) { return canonical_dtype(d.value_or(otherwise)); }

Array filled(const Shape& shape, double value, const std::optional<DType>& d) {
  return ops::full({shape, dtype_or(d, DType::float64), false}, value);
}

void check_sizes(std::int64_t n, std::int64_t m) {
  if (n < 0 || m < 0)
    throw ValueError("negative dimensions are not allowed, got " + std::to_string(n) + " and " + std::to_string(m));
}

// Row numbers plus k, and column numbers.
Pair rows_and_columns(const Shape& shape, std::int64_t k, bool columns_last) {
  const DType d = default_int_dtype();
  const int axis = shape.ndim() - 2;
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
Array zeros_like(const Array& x) {
  COTAN_API;
  return ops::full(x.aval(), 0);
}
Array ones_like(const Array& x) {
  COTAN_API;
  return ops::full(x.aval(), 1);
}
Array full_like(const Array& x, const Array& value) {
  COTAN_API;
  return broadcast_to(to_dtype(value, x.dtype(), x.weak_type()), x.shape());
}

Array eye(std::int64_t n, std::int64_t m, std::int64_t k, std::optional<DType> d) {
  COTAN_API;
  if (m == -1) m = n;
  check_sizes(n, m);
  const Pair p = rows_and_columns({n, m}, k, false);
  return to_dtype(ops::eq(p.x, p.y), dtype_or(d, DType::float64), false);
}
Array identity(std::int64_t n, std::optional<DType> d) {
  COTAN_API;
  return eye(n, n, 0, d);
}
Array tri(std::int64_t n, std::int64_t m, std::int64_t k, std::optional<DType> d) {
  COTAN_API;
  if (m == -1) m = n;
  check_sizes(n, m);
  return to_dtype(triangle(n, m, k), dtype_or(d, DType::float32), false);  // also with 64-bit types, as in JAX
}
Array tril(const Array& x, std::int64_t k) {
  COTAN_API;
  return masked("tril", x, k, true);
}
Array triu(const Array& x, std::int64_t k) {
  COTAN_API;
  return masked("triu", x, k, false);
}

Array linspace(double start, double stop, std::int64_t num) {
  COTAN_API;
  if (num < 0) throw ValueError("Number of samples, " + std::to_string(num) + ", must be non-negative.");
  const DType d = default_float_dtype();
  return named_jit(
      "_linspace",
      [&](const Arrays& a) {
        const Array first = to_dtype(a[0], d, false), last = to_dtype(a[1], d, false);
        if (num == 0) return Arrays{ops::full({Shape(0), d, false}, 0)};
        if (num == 1) return Arrays{ops::reshape(first, Shape(1))};
        const Array step = ops::div(ops::iota(d, Shape(num - 1), 0), ops::scalar(d, static_cast<double>(num - 1)));
        const Array before = ops::mul(ops::reshape(first, Shape(1)), ops::sub(ops::scalar(d, 1), step));
        const Array parts[] = {ops::add(before, ops::mul(ops::reshape(last, Shape(1)), step)),
                               ops::expand_dims(last, {0})};
        return Arrays{ops::concatenate(parts, 0)};  // the last element is stop itself
      },
      {Array(start), Array(stop)}, static_cast<std::uint64_t>(num))[0];
}

Array astype(const Array& x, DType d) {
  COTAN_API;
  return to_dtype(x, canonical_dtype(d), false);
}

Array asarray(const Array& x) {
  COTAN_API;
  return to_dtype(x, x.dtype(), false);
}

namespace detail {

namespace {

// start + step * (0, 1, ..., n - 1)
Array affine_iota(DType d, std::int64_t n, const Array& start, const Array& step, bool has_start, bool has_step) {
  Array r = ops::iota(d, Shape(n), 0);
  if (has_step) r = ops::mul(step, r);
  return has_start || has_step ? ops::add(start, r) : r;
}

template <class T> void check_range(const std::int64_t* v, std::int64_t n, const char* type) {
  for (std::int64_t i = 0; i < n; ++i)
    if (static_cast<T>(v[i]) != v[i])
      throw OverflowError("The C++ integer " + std::to_string(v[i]) + " is too large for " + type +
                          ".\nSet enable_x64 for 64-bit integers.");
}

}  // namespace

Array arange_int(std::int64_t start, std::int64_t stop, std::int64_t step) {
  COTAN_API;
  if (step == 0) throw ValueError("arange: step must not be zero");
  const DType d = default_int_dtype();
  const bool up = step > 0;
  const std::uint64_t distance = up ? static_cast<std::uint64_t>(stop) - static_cast<std::uint64_t>(start)
                                    : static_cast<std::uint64_t>(start) - static_cast<std::uint64_t>(stop);
  const std::uint64_t stride = up ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  const std::uint64_t count = (up ? stop > start : stop < start) ? (distance - 1) / stride + 1 : 0;
  if (count > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    throw ValueError("Maximum allowed size exceeded");
  const auto n = static_cast<std::int64_t>(count);
  if (d == DType::int32) {
    const std::int64_t ends[] = {start, n ? start + (n - 1) * step : start};
    check_range<std::int32_t>(ends, 2, "int32");
  }
  return affine_iota(d, n, ops::scalar_int(d, start), ops::scalar_int(d, step), start != 0, step != 1);
}

Array arange_float(double start, double stop, double step) {
  COTAN_API;
  if (step == 0) throw ValueError("arange: step must not be zero");
  const double count = std::ceil((stop - start) / step);
  if (std::isnan(count)) throw ValueError("arange: cannot convert float NaN to integer");
  if (std::isinf(count)) throw OverflowError("arange: cannot convert float infinity to integer");
  if (count > 0x1p62) throw ValueError("Maximum allowed size exceeded");
  const DType d = default_float_dtype();
  const auto n = static_cast<std::int64_t>(std::max(count, 0.0));
  return affine_iota(d, n, ops::scalar(d, start), ops::scalar(d, step), start != 0, step != 1);
}

Array from_host(const void* elements, DType type, const Shape& shape) {
  COTAN_API;
  const DType d = canonical_dtype(type);
  const std::int64_t n = shape.size();
  if (d == type) return evaluation_hook().from_bytes({shape, d, false}, elements);
  std::vector<unsigned char> bytes(static_cast<std::size_t>(n) * item_size(d));
  const auto narrow = [&]<class To, class From>(const From* from, To*) {
    for (std::int64_t i = 0; i < n; ++i) {
      const To v = static_cast<To>(from[i]);
      if constexpr (std::is_integral_v<From>)
        if (static_cast<From>(v) != from[i])
          throw OverflowError("The C++ integer " + std::to_string(from[i]) + " is too large for " + dtype_name(d) +
                              ".\nSet enable_x64 for 64-bit integers.");
      std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof v, &v, sizeof v);
    }
  };
  if (type == DType::int64) narrow(static_cast<const std::int64_t*>(elements), static_cast<std::int32_t*>(nullptr));
  else if (type == DType::uint64)
    narrow(static_cast<const std::uint64_t*>(elements), static_cast<std::uint32_t*>(nullptr));
  else {
    const std::int64_t parts = type == DType::complex128 ? 2 : 1;
    for (std::int64_t i = 0; i < parts * n; ++i) {
      const auto v = static_cast<float>(static_cast<const double*>(elements)[i]);
      std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof v, &v, sizeof v);
    }
  }
  return evaluation_hook().from_bytes({shape, d, false}, bytes.data());
}

namespace {

Array stack_values(const std::vector<Array>& rows) {
  std::vector<Array> parts;
  for (const Array& r : rows) parts.push_back(ops::expand_dims(r, {0}));
  return parts.size() == 1 ? parts[0] : ops::concatenate(parts, 0);
}

// Rows of known values make a constant, also while a program is recorded.
Array stack_concrete(const std::vector<Array>& rows) {
  const std::size_t row = static_cast<std::size_t>(rows[0].size()) * item_size(rows[0].dtype());
  std::vector<unsigned char> bytes(row * rows.size());
  for (std::size_t i = 0; i < rows.size() && row; ++i) std::memcpy(bytes.data() + i * row, bytes_of(rows[i]), row);
  Shape shape = rows[0].shape();
  shape.insert(0, static_cast<std::int64_t>(rows.size()));
  return evaluation_hook().from_bytes({shape, rows[0].dtype(), false}, bytes.data());
}

}  // namespace

Array stack_rows(const std::vector<Array>& rows) {
  COTAN_API;
  if (rows.empty()) return zeros(Shape(0));
  std::vector<LatticeType> types;
  bool concrete = true;
  std::string shapes;
  for (const Array& r : rows) {
    types.push_back({r.dtype(), r.weak_type()});
    concrete &= is_concrete(r);
    shapes += (shapes.empty() ? "" : ", ") + r.shape().str();
  }
  for (const Array& r : rows)
    if (!(r.shape() == rows[0].shape())) throw ValueError("array: all rows must have the same shape, got " + shapes);
  const DType d = is_key(rows[0].dtype()) ? rows[0].dtype() : canonical_dtype(promote_types(types).dtype);
  if (concrete) {
    CurrentTrace evaluation(nullptr);
    std::vector<Array> same;
    for (const Array& r : rows) same.push_back(to_dtype(r, d, false));
    return stack_concrete(same);
  }
  std::vector<Array> same;
  for (const Array& r : rows) same.push_back(to_dtype(r, d, false));
  return stack_values(same);
}

}  // namespace detail

const FunctionTable creation_table{
    "numpy",
    {
        function<zeros>("zeros(shape, dtype=None, *, device=None, out_sharding=None)", "An array of zeros."),
        function<ones>("ones(shape, dtype=None, *, device=None, out_sharding=None)", "An array of ones."),
        function<full>("full(shape, fill_value, dtype=None, *, device=None, out_sharding=None)",
                       "An array of one value."),
        function<empty>("empty(shape, dtype=None, *, device=None, out_sharding=None)", "An array of zeros."),
        function<zeros_like>("zeros_like(a, dtype=None, shape=None, *, device=None, out_sharding=None)",
                             "Zeros of the shape and dtype of another array."),
        function<ones_like>("ones_like(a, dtype=None, shape=None, *, device=None, out_sharding=None)",
                            "Ones of the shape and dtype of another array."),
        function<full_like>("full_like(a, fill_value, dtype=None, shape=None, *, device=None, out_sharding=None)",
                            "One value, in the shape and dtype of another array."),
        function<identity>("identity(n, dtype=None)", "The square matrix with ones on its diagonal."),
        function<tril>("tril(m, k=0)", "The array with zeros above a diagonal."),
        function<triu>("triu(m, k=0)", "The array with zeros below a diagonal."),
        function<astype>("astype(x, dtype, /, *, copy=False, device=None)", "The array in another dtype."),
    }};

}  // namespace cotan::numpy

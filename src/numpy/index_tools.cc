// numpy's functions that make and convert index arrays.
#include <algorithm>

#include "api/function_table.h"
#include "cotan/numpy_index.h"
#include "numpy/indexing.h"

namespace cotan::numpy {

std::vector<Array> ix_(const std::vector<Array>& args) {
  COTAN_API;
  const auto n = static_cast<int>(args.size());
  std::vector<Array> out;
  for (int k = 0; k < n; ++k) {
    const Array& a = args[static_cast<std::size_t>(k)];
    if (a.ndim() != 1) throw ValueError("Arguments to numpy::ix_ must be 1-dimensional, got shape " + a.shape().str());
    if (is_bool(a)) throw NotImplementedError("Boolean arguments to numpy::ix_ are not implemented");
    if (a.size() == 0) {
      Shape none = IntList::filled(n, 1);
      none[k] = 0;
      out.push_back(ops::full({none, default_int_dtype()}, 0));
      continue;
    }
    Shape shape = IntList::filled(n, 1);
    shape[k] = a.size();
    out.push_back(n == 1 ? a : ops::broadcast_in_dim(a, shape, {k}));
  }
  return out;
}

namespace {

void check_dimensions(const Shape& dimensions) {
  for (std::int64_t n : dimensions)
    if (n < 0) throw TypeError("indices: dimensions must be nonnegative, got " + dimensions.str());
}
Array positions(std::int64_t n, DType d) {
  return d == DType::bool_ ? to_dtype(ops::iota(DType::int32, Shape(n), 0), d, false) : ops::iota(d, Shape(n), 0);
}

}  // namespace

Array indices(const Shape& dimensions, const IndicesOptions& o) {
  COTAN_API;
  check_dimensions(dimensions);
  const DType d = canonical_dtype(o.dtype.value_or(default_int_dtype()));
  if (dimensions.empty()) return ops::full({{0}, d}, 0);
  std::vector<Array> planes;
  for (int k = 0; k < dimensions.ndim(); ++k)
    planes.push_back(ops::broadcast_in_dim(positions(dimensions[k], d), dimensions, {k}));
  return ops::stack(planes, 0);
}

std::vector<Array> sparse_indices(const Shape& dimensions, const IndicesOptions& o) {
  COTAN_API;
  check_dimensions(dimensions);
  const DType d = canonical_dtype(o.dtype.value_or(default_int_dtype()));
  std::vector<Array> out;
  for (int k = 0; k < dimensions.ndim(); ++k) {
    Shape shape = IntList::filled(dimensions.ndim(), 1);
    shape[k] = dimensions[k];
    out.push_back(ops::broadcast_in_dim(positions(dimensions[k], d), shape, {k}));
  }
  return out;
}

std::vector<Array> unravel_index(const Array& indices, const Shape& shape) {
  COTAN_API;
  std::vector<Array> out;
  Array rest = indices;
  for (int k = shape.ndim() - 1; k >= 0; --k) {
    const Array n(shape[k]);
    out.insert(out.begin(), remainder(rest, n));
    rest = floor_divide(rest, n);
  }
  // What is left of an index that fits is 0, or -1 where it counts from the end.
  if (shape.empty()) return out;
  const Array above = greater(rest, Array(0));
  const Array below = is_unsigned_integer(rest.dtype()) ? Array(false) : less(rest, Array(-1));
  for (int k = 0; k < shape.ndim(); ++k) {
    Array& i = out[static_cast<std::size_t>(k)];
    i = where(above, Array(shape[k] - 1), where(below, Array(0), i));
  }
  return out;
}

namespace {

void check_coordinates(const Array& i, std::int64_t n) {
  if (!is_concrete(i))
    throw ConcretizationTypeError(
        "ravel_multi_index with mode=\"raise\" needs concrete indices; use mode=\"wrap\" or "
        "mode=\"clip\". Got a traced " +
        i.aval().str());
  const auto item = static_cast<std::int64_t>(item_size(i.dtype()));
  for (std::int64_t k = 0; k < i.size(); ++k) {
    const std::int64_t v = HostScalar::load(i.dtype(), static_cast<const char*>(bytes_of(i)) + k * item).as_int64();
    if (v < 0 || v >= n) throw ValueError("invalid entry in coordinates array");
  }
}

bool holds(DType d, double value) {
  const int bits = static_cast<int>(item_size(d)) * 8 - is_signed_integer(d);
  double top = 1;
  for (int i = 0; i < bits; ++i) top *= 2;
  return value < top;
}

}  // namespace

Array ravel_multi_index(const std::vector<Array>& multi_index, const Shape& dims, std::string_view mode,
                        std::string_view order, const RavelMultiIndexOptions& o) {
  COTAN_API;
  const int n = dims.ndim();
  if (static_cast<int>(multi_index.size()) != n)
    throw ValueError("ravel_multi_index: as many index arrays as dims are expected, got " +
                     std::to_string(multi_index.size()) + " for " + dims.str());
  std::vector<LatticeType> types;
  for (const Array& i : multi_index) types.push_back({i.dtype(), i.weak_type()});
  const DType d = o.dtype         ? canonical_dtype(*o.dtype)
                  : types.empty() ? default_int_dtype()
                                  : promote_types(types).dtype;
  if (!is_integer(d)) throw ValueError(std::string("dtype ") + dtype_name(d) + " is not an integer type.");
  if (order != "C" && order != "F") throw ValueError("invalid order='" + std::string(order) + "'. Expected 'C' or 'F'");
  if (mode != "raise" && mode != "wrap" && mode != "clip" && mode != "ignore")
    throw ValueError("invalid mode='" + std::string(mode) + "'. Expected 'raise', 'wrap', 'clip', or 'ignore'.");
  double count = 1;
  for (std::int64_t m : dims) count *= static_cast<double>(m);
  if (!holds(d, count))
    throw ValueError(std::string("ravel_multi_index: dtype ") + dtype_name(d) +
                     " is not large enough to hold a flat index for dims=" + dims.str() + ". Use the dtype argument");
  std::vector<Array> at;
  for (int k = 0; k < n; ++k) {
    Array i = multi_index[static_cast<std::size_t>(k)];
    if (mode == "raise") check_coordinates(i, dims[k]);
    i = to_dtype(i, d, false);
    if (mode == "wrap") i = remainder(i, Array(dims[k]));
    if (mode == "clip") i = clip(i, 0, Array(dims[k] - 1));
    at.push_back(i);
  }
  IntList strides = IntList::filled(n, 1);
  if (order == "C")
    for (int k = n - 2; k >= 0; --k) strides[k] = strides[k + 1] * dims[k + 1];
  else
    for (int k = 1; k < n; ++k) strides[k] = strides[k - 1] * dims[k - 1];
  Array sum = ops::scalar_int(d, 0);
  for (int k = 0; k < n; ++k) {
    const Array term = ops::mul(at[static_cast<std::size_t>(k)], ops::scalar_int(d, strides[k]));
    sum = add(sum, term);
  }
  return sum;
}

namespace {

std::vector<Array> triangle_indices(const char* name, std::int64_t n, std::int64_t k, std::optional<std::int64_t> m,
                                    bool lower) {
  const std::int64_t columns = m.value_or(n);
  if (n < 0 || columns < 0)
    throw TypeError(std::string(name) + ": sizes must be nonnegative, got " + std::to_string(n) + " and " +
                    std::to_string(columns));
  checked_size(name, n, columns);
  if (std::max(n, columns) > INT32_MAX)
    throw OverflowError(std::string(name) + ": positions in a matrix of " + std::to_string(n) + " by " +
                        std::to_string(columns) + " are beyond int32");
  const std::int64_t diagonal = std::clamp(k, -n, columns);
  const auto begin = [&](std::int64_t i) { return lower ? 0 : std::clamp<std::int64_t>(i + diagonal, 0, columns); };
  const auto end = [&](std::int64_t i) {
    return lower ? std::clamp<std::int64_t>(i + diagonal + 1, 0, columns) : columns;
  };
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < n; ++i) count += end(i) - begin(i);
  const Aval aval{Shape(count), DType::int32, false};
  std::vector<std::int32_t> rows, places;
  try {
    rows.reserve(static_cast<std::size_t>(count)), places.reserve(static_cast<std::size_t>(count));
  } catch (const std::exception&) {
    throw MemoryError(std::string(name) + ": Out of memory for " + std::to_string(count) + " positions");
  }
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = begin(i); j < end(i); ++j) {
      rows.push_back(static_cast<std::int32_t>(i));
      places.push_back(static_cast<std::int32_t>(j));
    }
  std::vector<Array> out;
  for (const auto* v : {&rows, &places})
    out.push_back(to_dtype(evaluation_hook().from_bytes(aval, v->data()), default_int_dtype(), false));
  return out;
}
const Shape& matrix_shape(const Array& a) {
  if (a.ndim() != 2) throw ValueError("Only 2-D inputs are accepted, got " + a.aval().str());
  return a.shape();
}

}  // namespace

std::vector<Array> tril_indices(std::int64_t n, std::int64_t k, std::optional<std::int64_t> m) {
  COTAN_API;
  return triangle_indices("tril_indices", n, k, m, true);
}
std::vector<Array> triu_indices(std::int64_t n, std::int64_t k, std::optional<std::int64_t> m) {
  COTAN_API;
  return triangle_indices("triu_indices", n, k, m, false);
}
std::vector<Array> tril_indices_from(const Array& arr, std::int64_t k) {
  COTAN_API;
  const Shape& s = matrix_shape(arr);
  return triangle_indices("tril_indices_from", s[0], k, s[1], true);
}
std::vector<Array> triu_indices_from(const Array& arr, std::int64_t k) {
  COTAN_API;
  const Shape& s = matrix_shape(arr);
  return triangle_indices("triu_indices_from", s[0], k, s[1], false);
}

std::vector<Array> diag_indices(std::int64_t n, std::int64_t ndim) {
  COTAN_API;
  if (n < 0) throw ValueError("n argument to diag_indices must be nonnegative, got " + std::to_string(n));
  if (ndim < 0) throw ValueError("ndim argument to diag_indices must be nonnegative, got " + std::to_string(ndim));
  return std::vector<Array>(static_cast<std::size_t>(ndim), ops::iota(default_int_dtype(), Shape(n), 0));
}
std::vector<Array> diag_indices_from(const Array& arr) {
  COTAN_API;
  const Shape& s = arr.shape();
  if (arr.ndim() < 2) throw ValueError("input array must be at least 2-d, got " + arr.aval().str());
  if (std::any_of(s.begin(), s.end(), [&](std::int64_t n) { return n != s[0]; }))
    throw ValueError("All dimensions of input must be of equal length, got " + s.str());
  return diag_indices(s[0], arr.ndim());
}

std::vector<Array> mask_indices(std::int64_t n, const FunctionRef<Array(const Array&, std::int64_t)>& mask_func,
                                std::int64_t k, const MaskIndicesOptions& o) {
  COTAN_API;
  NonzeroOptions options;
  options.size = o.size;
  return nonzero(mask_func(ops::full({{n, n}, default_int_dtype()}, 1), k), options);
}

namespace {

using table::Call;
using table::Value;

Value as_tuple(const std::vector<Array>& v) {
  Value::Items items;
  for (const Array& a : v) items.push_back(Value(a));
  return Value::tuple(std::move(items));
}
std::optional<std::int64_t> optional_int(const Call& c, const char* name) {
  return c.get<std::optional<std::int64_t>>(name);
}

}  // namespace

const FunctionTable index_tools_table{
    "numpy",
    {
        function<[](const Call& c) -> Value { return as_tuple(ix_(c.get<std::vector<Array>>("args"))); }>(
            "ix_(*args)", "The vectors as arrays that broadcast to the positions of their product."),
        function<[](const Call& c) -> Value {
          const Shape dimensions(c.get<IntList>("dimensions"));
          const IndicesOptions o{c.get<std::optional<DType>>("dtype")};
          if (c.get<bool>("sparse")) return as_tuple(sparse_indices(dimensions, o));
          return indices(dimensions, o);
        }>("indices(dimensions, dtype=None, sparse=False)", "The positions of an array of these sizes, by axis."),
        function<[](const Call& c) -> Value {
          return as_tuple(unravel_index(c.get<Array>("indices"), Shape(c.get<IntList>("shape"))));
        }>("unravel_index(indices, shape)",
           "Flat positions as one position for each axis; what lies outside is clamped."),
        function<ravel_multi_index>("ravel_multi_index(multi_index, dims, mode='raise', order='C', *, dtype=None)",
                                    "Positions for each axis as flat ones."),
        function<[](const Call& c) -> Value {
          return as_tuple(tril_indices(c.get<std::int64_t>("n"), c.get<std::int64_t>("k"), optional_int(c, "m")));
        }>("tril_indices(n, k=0, m=None)", "The positions on and below a diagonal."),
        function<[](const Call& c) -> Value {
          return as_tuple(triu_indices(c.get<std::int64_t>("n"), c.get<std::int64_t>("k"), optional_int(c, "m")));
        }>("triu_indices(n, k=0, m=None)", "The positions on and above a diagonal."),
        function<[](const Call& c) -> Value {
          return as_tuple(tril_indices_from(c.get<Array>("arr"), c.get<std::int64_t>("k")));
        }>("tril_indices_from(arr, k=0)", "The positions of a matrix on and below a diagonal."),
        function<[](const Call& c) -> Value {
          return as_tuple(triu_indices_from(c.get<Array>("arr"), c.get<std::int64_t>("k")));
        }>("triu_indices_from(arr, k=0)", "The positions of a matrix on and above a diagonal."),
        function<[](const Call& c) -> Value {
          return as_tuple(diag_indices(c.get<std::int64_t>("n"), c.get<std::int64_t>("ndim")));
        }>("diag_indices(n, ndim=2)", "The positions of a main diagonal."),
        function<[](const Call& c) -> Value { return as_tuple(diag_indices_from(c.get<Array>("arr"))); }>(
            "diag_indices_from(arr)", "The positions of the array's main diagonal."),
        function<[](const Call& c) -> Value {
          const auto mask = c.get<std::function<Array(const Array&, std::int64_t)>>("mask_func");
          return as_tuple(
              mask_indices(c.get<std::int64_t>("n"), mask, c.get<std::int64_t>("k"), {optional_int(c, "size")}));
        }>("mask_indices(n, mask_func, k=0, *, size=None)",
           "The positions that a function like tril keeps of a matrix."),
    }};

}  // namespace cotan::numpy

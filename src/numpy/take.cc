// numpy's take and put, by flat positions and along an axis.
#include <algorithm>

#include "api/function_table.h"
#include "cotan/numpy_index.h"
#include "numpy/indexing.h"

namespace cotan::numpy {

using Mode = ops::GatherScatterMode;

namespace {

// The axis given, or -1 for none. TypeError for several.
int one_axis(const char* function, const Axes& axis, int ndim) {
  if (axis.all()) return -1;
  if (axis.list().length() != 1)
    throw TypeError(std::string(function) + ": axis must be one integer or none, got " + axis.list().str());
  return canonical_axis(function, axis.list()[0], ndim);
}
void check_inplace(const char* function, bool inplace) {
  if (inplace)
    throw ValueError(
        std::string("numpy::") + function +
        " cannot modify arrays in-place, because Arrays are immutable. Pass inplace=false to instead return an "
        "updated array.");
}
void check_indices(const char* function, const Array& indices) {
  if (!is_integer(indices.dtype()))
    throw TypeError(std::string(function) + " indices must be of integer type, got " + dtype_name(indices.dtype()));
}

std::uint64_t text_key(std::string_view s) {
  Hasher h;
  h.add_bytes(s.data(), s.size());
  return h.value();
}
std::uint64_t number_key(const HostScalar& v) {
  Hasher h;
  h.add(static_cast<std::uint64_t>(v.dtype));
  h.add_bytes(v.bytes, sizeof v.bytes);
  return h.value();
}
HostScalar fill_or_default(const Array& given, DType d) {
  return given.has_value() ? fill_number(given) : default_fill(d);
}

struct TakePlan {
  int axis;
  bool flat;
  Mode mode;
  bool wraps;
  bool sorted, unique;
  std::optional<HostScalar> fill;
};

Array take_body(const Arrays& in, const TakePlan& p) {
  const Array a = p.flat ? ops::reshape(in[0], Shape(in[0].size())) : in[0];
  const int axis = p.flat ? 0 : p.axis;
  const std::int64_t n = a.shape()[axis];
  Array i = in[1];
  if (i.dtype() == DType::bool_) i = to_dtype(i, DType::int32, false);
  if (p.mode != Mode::clip) i = wide_for(i, n);
  if (p.wraps) i = remainder(i, Array(n));
  else if (p.mode == Mode::fill_or_drop && is_signed_integer(i.dtype())) {
    const Array negative = ops::lt(i, ops::scalar_int(i.dtype(), 0));
    i = where(negative, add(i, Array(n)), i);
  }
  return ops::take_axis(a, i, axis, {p.sorted, p.unique, p.mode}, p.fill);
}

Mode take_mode(std::string_view mode) {
  if (mode.empty() || mode == "fill") return Mode::fill_or_drop;
  if (mode == "clip") return Mode::clip;
  if (mode == "wrap") return Mode::promise_in_bounds;
  if (mode == "raise") throw NotImplementedError("The 'raise' mode to numpy::take is not supported.");
  throw ValueError("Invalid mode '" + std::string(mode) + "' for numpy::take: expected \"fill\", \"clip\" or \"wrap\"");
}

}  // namespace

Array take(const Array& a, const Array& indices, const Axes& axis, const TakeOptions& o) {
  COTAN_API;
  TakePlan p{one_axis("take", axis, a.ndim()),
             axis.all(),
             take_mode(o.mode),
             o.mode == "wrap",
             o.indices_are_sorted,
             o.unique_indices,
             std::nullopt};
  if (!is_integer(indices.dtype()) && !is_bool(indices))
    throw ValueError("indices must have an integer type, got " + indices.aval().str());
  if ((p.flat ? a.size() : a.shape()[p.axis]) == 0 && indices.size() != 0)
    throw IndexError("Cannot do a non-empty take from an empty axis.");
  if (p.mode == Mode::fill_or_drop && !is_key(a.dtype())) p.fill = fill_or_default(o.fill_value, a.dtype());
  std::uint64_t key = combine_key(static_cast<std::uint64_t>(p.axis + 1), text_key(o.mode));
  key = combine_key(key, (p.sorted ? 1u : 0u) | (p.unique ? 2u : 0u));
  if (p.fill) key = combine_key(key, number_key(*p.fill));
  return named_jit(
      "_take", [&](const Arrays& in) { return Arrays{take_body(in, p)}; }, {a, indices}, key)[0];
}

namespace {

struct AlongPlan {
  int axis;
  Mode mode;
  bool wrap;
  std::optional<HostScalar> fill;
};

// Axes that both have go along as batch dimensions; those of size 1 in the indices stay whole; those of size 1 in the array
// are read at 0.
Array along_axis(const Array& a, const Array& given, const AlongPlan& p) {
  const Array i = p.wrap && is_signed_integer(given.dtype()) ? wrapped(given, a.shape()[p.axis]) : given;
  ops::GatherDims d;
  Shape sizes, vectors;
  for (int k = 0; k < a.ndim(); ++k) {
    const std::int64_t n = a.shape()[k], m = i.shape()[k];
    sizes.push_back(1);
    if (k == p.axis) {
      d.start_index_map.push_back(k), d.collapsed_slice_dims.push_back(k);
      vectors.push_back(m);
    } else if (m == 1) {
      sizes[k] = n;
      d.offset_dims.push_back(k);
    } else {
      if (n == 1) d.collapsed_slice_dims.push_back(k);
      else d.operand_batching_dims.push_back(k), d.start_indices_batching_dims.push_back(vectors.ndim());
      vectors.push_back(m);
    }
  }
  vectors.push_back(1);
  return ops::gather(a, ops::reshape(i, vectors), d, sizes, {false, false, p.mode}, p.fill);
}

Array take_along_body(const Arrays& in, AlongPlan p) {
  const bool flat = p.axis < 0;
  const Array a = flat ? ops::reshape(in[0], Shape(in[0].size())) : in[0];
  if (flat) p.axis = 0;
  const Array& i = in[1];
  Shape broadcast[] = {i.shape(), a.shape()};
  broadcast[0][p.axis] = broadcast[1][p.axis] = 1;
  Shape shape = broadcast_shapes("take_along_axis", broadcast);
  shape[p.axis] = i.shape()[p.axis];
  if (a.shape()[p.axis] == 0 || shape.size() == 0) return ops::full({shape, a.dtype(), a.weak_type()}, 0);
  return along_axis(a, i, p);
}

}  // namespace

Array take_along_axis(const Array& arr, const Array& indices, const Axes& axis, const TakeAlongAxisOptions& o) {
  COTAN_API;
  check_indices("take_along_axis", indices);
  AlongPlan p{one_axis("take_along_axis", axis, arr.ndim()), mode_of(o.mode, Mode::fill_or_drop),
              o.wrap_negative_indices, std::nullopt};
  if (p.axis < 0 && indices.ndim() != 1)
    throw ValueError("take_along_axis indices must be 1D if axis=None, got shape " + indices.shape().str());
  if (p.axis >= 0 && indices.ndim() != arr.ndim())
    throw ValueError("indices and arr must have the same number of dimensions; " + std::to_string(indices.ndim()) +
                     " vs. " + std::to_string(arr.ndim()));
  if (p.mode == Mode::fill_or_drop && !is_key(arr.dtype())) p.fill = fill_or_default(o.fill_value, arr.dtype());
  std::uint64_t key =
      combine_key(static_cast<std::uint64_t>(p.axis + 1), static_cast<std::uint64_t>(p.mode) * 2 + p.wrap);
  if (p.fill) key = combine_key(key, number_key(*p.fill));
  return named_jit(
      "take_along_axis", [&](const Arrays& in) { return Arrays{take_along_body(in, p)}; }, {arr, indices}, key)[0];
}

namespace {

// v's elements, repeated or cut to `count`.
Array repeated_to(const Array& v, std::int64_t count) {
  Array flat = ops::reshape(v, Shape(v.size()));
  if (flat.size() < count) {
    const std::int64_t times = (count + flat.size() - 1) / flat.size();
    flat = ops::reshape(ops::broadcast_in_dim(flat, {times, flat.size()}, {1}), Shape(times * flat.size()));
  }
  return flat.size() == count ? flat : ops::slice(flat, {0}, {count});
}

}  // namespace

Array put(const Array& a, const Array& ind, const Array& v, const PutOptions& o) {
  COTAN_API;
  check_inplace("put", o.inplace);
  if (o.mode == "raise") throw NotImplementedError("The 'raise' mode to numpy::put is not supported.");
  if (!o.mode.empty() && o.mode != "wrap" && o.mode != "clip")
    throw ValueError("put: mode should be one of 'wrap' or 'clip'; got mode='" + std::string(o.mode) + "'");
  check_indices("put", ind);
  if (a.size() == 0 || ind.size() == 0 || v.size() == 0) return a;
  const std::int64_t n = a.size();
  Array i = ops::reshape(wide_for(ind, n), Shape(ind.size()));
  if (o.mode == "clip") i = clip(i, 0, Array(n - 1));
  else if (o.mode == "wrap") i = remainder(i, Array(n));
  const Index at[] = {Index(i)};
  const Array flat = ops::reshape(a, Shape(n));
  return ops::reshape(update_at(Update::set, flat, at, repeated_to(v, i.size()), {.mode = "clip"}), a.shape());
}

namespace {

Array put_along_body(const Arrays& in, int axis, std::string_view mode) {
  const bool flat = axis < 0;
  const Array a = flat ? ops::reshape(in[0], Shape(in[0].size())) : in[0];
  if (flat) axis = 0;
  std::vector<Index> at;
  const Array& i = in[1];
  Shape shapes[] = {i.shape(), a.shape()};
  shapes[1][axis] = 1;
  const Array values = broadcast_to(in[2], broadcast_shapes("put_along_axis", shapes));
  for (int k = 0; k < a.ndim(); ++k) {
    if (k == axis) {
      at.push_back(Index(i));
      continue;
    }
    Shape along = IntList::filled(a.ndim(), 1);
    along[k] = a.shape()[k];
    at.push_back(Index(ops::broadcast_in_dim(ops::iota(DType::int32, Shape(a.shape()[k]), 0), along, {k})));
  }
  AtSetOptions o;
  o.mode = mode;
  const Array r = update_at(Update::set, a, at, values, o);
  return flat ? ops::reshape(r, in[0].shape()) : r;
}

}  // namespace

Array put_along_axis(const Array& arr, const Array& indices, const Array& values, const Axes& axis,
                     const PutOptions& o) {
  COTAN_API;
  check_inplace("put_along_axis", o.inplace);
  check_indices("put_along_axis", indices);
  const int a = one_axis("put_along_axis", axis, arr.ndim());
  if (a >= 0 && indices.ndim() != arr.ndim())
    throw ValueError("put_along_axis arguments 'arr' and 'indices' must have same ndim. Got arr.ndim=" +
                     std::to_string(arr.ndim()) + " and indices.ndim=" + std::to_string(indices.ndim()) + ".");
  mode_of(o.mode, Mode::fill_or_drop);
  return named_jit(
      "put_along_axis", [&](const Arrays& in) { return Arrays{put_along_body(in, a, o.mode)}; }, {arr, indices, values},
      combine_key(static_cast<std::uint64_t>(a + 1), text_key(o.mode)))[0];
}

const FunctionTable take_table{
    "numpy",
    {
        function<take>("take(a, indices, axis=None, out=None, mode=None, unique_indices=False, "
                       "indices_are_sorted=False, fill_value=None)",
                       "The elements at positions along an axis, or of the array as a vector."),
        function<take_along_axis>("take_along_axis(arr, indices, axis=-1, mode=None, fill_value=None, *, "
                                  "wrap_negative_indices=None)",
                                  "The elements at positions along an axis, one list of positions for each line."),
        function<put>("put(a, ind, v, mode=None, *, inplace=True)",
                      "The array with the elements at flat positions replaced."),
        function<put_along_axis>("put_along_axis(arr, indices, values, axis, inplace=True, *, mode=None)",
                                 "The array with the elements at positions along an axis replaced."),
    }};

}  // namespace cotan::numpy

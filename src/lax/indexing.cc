// lax's gather, scatters, and slices at one axis.
#include "lax/indexing.h"

#include <algorithm>

#include "api/function_table.h"
#include "control/jit.h"
#include "cotan/lax.h"
#include "lax/listed.h"
#include "lax/operands.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/reduction.h"
#include "ops/structural.h"

namespace cotan {

using Mode = ops::GatherScatterMode;

Mode mode_of(std::string_view name, Mode otherwise) {
  if (name.empty()) return otherwise;
  if (name == "clip" || name == "CLIP") return Mode::clip;
  if (name == "fill" || name == "drop" || name == "FILL_OR_DROP") return Mode::fill_or_drop;
  if (name == "promise_in_bounds" || name == "PROMISE_IN_BOUNDS") return Mode::promise_in_bounds;
  throw ValueError("Unknown gather mode \"" + std::string(name) +
                   "\": expected \"clip\", \"fill\", \"drop\" or \"promise_in_bounds\"");
}

HostScalar fill_number(const Array& value) {
  if (value.ndim() != 0 || is_key(value.dtype()))
    throw TypeError("fill_value must be a scalar, got " + value.aval().str());
  if (!is_concrete(value))
    throw ConcretizationTypeError("fill_value must be known when a program is traced, got a traced " +
                                  value.aval().str());
  const HostScalar v = HostScalar::load(value.dtype(), bytes_of(value));
  if (!value.node()->plain_number) return v;
  return is_floating(v.dtype) ? v.convert(DType::float64) : is_integer(v.dtype) ? v.convert(DType::int64) : v;
}

namespace {

// How many times each element occurs, read at the windows.
Array occurrences(const Array& x, const Array& indices, const Shape& updates, const ops::ScatterDims& d,
                  const ops::GatherScatterOptions& o) {
  const Array ones = ops::full({updates, DType::int32}, 1);
  const Array sums = ops::scatter(ops::scatter_add_p, ops::full({x.shape(), DType::int32}, 0), indices, ones, d, o);
  return ops::gather(sums, indices, ops::gather_dims_of(d), ops::window_sizes(x.shape(), updates, d),
                     {o.indices_are_sorted, o.unique_indices, Mode::clip});
}

constexpr std::int64_t most_rounds = 64;

std::int64_t rounds_of(const Array& counts, std::int64_t windows) {
  if (!is_concrete(counts)) {
    if (windows > most_rounds)
      throw NotImplementedError(
          "apply at more than " + std::to_string(most_rounds) +
          " traced indices, which may be equal, is not implemented: say unique_indices=true where "
          "they are not, or give concrete indices; got " +
          std::to_string(windows) + " windows");
    return windows;
  }
  IntList axes = IntList::range(counts.ndim());
  return ops::reduce_max(counts, axes).item<std::int32_t>();
}

}  // namespace

Array apply_windows(const Array& x, const Array& indices, const Shape& updates, const UnaryFn& f,
                    const ops::ScatterDims& d, const ops::GatherScatterOptions& o) {
  if (updates.size() == 0 || x.size() == 0) return x;
  std::int64_t windows = 1;
  for (int i = 0; i < updates.ndim(); ++i)
    if (!d.update_window_dims.contains(i)) windows *= updates[i];
  Array counts;
  std::int64_t rounds = 1;
  if (windows > 1 && !o.unique_indices) {
    counts = occurrences(x, indices, updates, d, o);
    rounds = std::max<std::int64_t>(rounds_of(counts, windows), 1);
  }
  Array r = x;
  for (std::int64_t k = 0; k < rounds; ++k) {
    const Array before = ops::gather(r, indices, ops::gather_dims_of(d), ops::window_sizes(x.shape(), updates, d),
                                     {o.indices_are_sorted, o.unique_indices, Mode::clip});
    if (!(before.shape() == updates))
      throw TypeError("scatter_apply: the windows have shape " + before.shape().str() + ", got update_shape " +
                      updates.str());
    Array after = f(before);
    if (after.shape() != before.shape() || after.dtype() != before.dtype())
      throw TypeError("apply: the function must be elementwise and give the dtype that it gets; from " +
                      before.aval().str() + " it made " + after.aval().str());
    if (k > 0) {
      const Array again = ops::gt(counts, ops::scalar_int(DType::int32, k));
      after = ops::select(again, after, before);
    }
    r = ops::scatter(ops::scatter_p, r, indices, after, d, o);
  }
  return r;
}

namespace lax {

namespace {

ops::ScatterDims internal(const ScatterDimensionNumbers& d) {
  return {d.update_window_dims, d.inserted_window_dims, d.scatter_dims_to_operand_dims, d.operand_batching_dims,
          d.scatter_indices_batching_dims};
}
void check_integers(const char* function, const Array& indices) {
  if (!is_integer(indices.dtype()))
    throw ValueError(std::string(function) + ": indices must be integers, got " + indices.aval().str());
}
Array scatter_by(const Primitive& how, const Array& x, const Array& indices, const Array& updates,
                 const ScatterDimensionNumbers& d, const ScatterOptions& o) {
  check_integers("scatter", indices);
  return ops::scatter(how, x, indices, with_dtype_of(updates, x), internal(d),
                      {o.indices_are_sorted, o.unique_indices, mode_of(o.mode, Mode::fill_or_drop)});
}

bool from_end(const StartOptions& o) {
  if (o.allow_negative_indices.size() != 1)
    throw ValueError("allow_negative_indices must be one, for one axis, got " +
                     std::to_string(o.allow_negative_indices.size()));
  return o.allow_negative_indices[0];
}

// Starts that are 0 but along one axis.
std::vector<Array> starts_at(const char* function, const Array& x, const Array& index, int axis, bool negative) {
  const Array start = start_from_end(function, index, x.shape()[axis], negative);
  std::vector<Array> starts(static_cast<std::size_t>(x.ndim()), ops::scalar_int(start.dtype(), 0));
  starts[static_cast<std::size_t>(axis)] = start;
  return starts;
}
Array slice_at(const char* function, const Array& x, const Array& start, std::int64_t size, int axis, bool negative) {
  Shape sizes = x.shape();
  sizes[axis] = size;
  return ops::dynamic_slice(x, starts_at(function, x, start, axis, negative), sizes);
}
void check_integer(const char* function, const Array& index) {
  if (!is_integer(index.dtype()))
    throw TypeError(std::string(function) + " requires an integer index, got " + index.aval().str());
}

}  // namespace

Array gather(const Array& x, const Array& indices, const GatherDimensionNumbers& d, const Shape& sizes,
             const GatherOptions& o) {
  COTAN_API;
  check_integers("gather", indices);
  std::optional<HostScalar> fill;
  const Mode mode = mode_of(o.mode, Mode::clip);
  if (o.fill_value.has_value() && !o.fill_value.node()->plain_number && o.fill_value.dtype() != x.dtype())
    throw TypeError("gather: fill_value must have the dtype of the operand, got " + o.fill_value.aval().str() +
                    " for " + x.aval().str());
  if (mode == Mode::fill_or_drop && o.fill_value.has_value()) fill = fill_number(o.fill_value);
  return ops::gather(x, indices,
                     {d.offset_dims, d.collapsed_slice_dims, d.start_index_map, d.operand_batching_dims,
                      d.start_indices_batching_dims},
                     sizes, {o.indices_are_sorted, o.unique_indices, mode}, fill);
}

#define COTAN_SCATTER(NAME)                                                                                \
  Array NAME(const Array& x, const Array& indices, const Array& updates, const ScatterDimensionNumbers& d, \
             const ScatterOptions& o) {                                                                    \
    COTAN_API;                                                                                             \
    return scatter_by(ops::NAME##_p, x, indices, updates, d, o);                                           \
  }
COTAN_SCATTER(scatter)
COTAN_SCATTER(scatter_add)
COTAN_SCATTER(scatter_sub)
COTAN_SCATTER(scatter_mul)
COTAN_SCATTER(scatter_min)
COTAN_SCATTER(scatter_max)
#undef COTAN_SCATTER

Array scatter_apply(const Array& x, const Array& indices, const FunctionRef<Array(const Array&)>& func,
                    const ScatterDimensionNumbers& d, const ScatterApplyOptions& o) {
  COTAN_API;
  return apply_windows(x, indices, o.update_shape, func, internal(d),
                       {o.indices_are_sorted, o.unique_indices, mode_of(o.mode, Mode::fill_or_drop)});
}

Array dynamic_slice_in_dim(const Array& x, const Array& start, std::int64_t size, int axis, const StartOptions& o) {
  COTAN_API;
  constexpr const char* name = "dynamic_slice_in_dim";
  check_integer(name, start);
  return slice_at(name, x, start, size, indexed_axis(name, axis, x.ndim()), from_end(o));
}

Array dynamic_index_in_dim(const Array& x, const Array& index, int axis, bool keepdims, const StartOptions& o) {
  COTAN_API;
  check_integer("dynamic_index_in_dim", index);
  const int a = indexed_axis("dynamic_index_in_dim", axis, x.ndim());
  const bool negative = from_end(o);
  return named_jit(
      "dynamic_index_in_dim",
      [a, keepdims, negative](const Arrays& in) {
        const Array r = slice_at("dynamic_index_in_dim", in[0], in[1], 1, a, negative);
        return Arrays{keepdims ? r : ops::squeeze(r, {a})};
      },
      {x, index}, static_cast<std::uint64_t>(a) * 4 + 2 * negative + keepdims)[0];
}

Array dynamic_update_slice_in_dim(const Array& x, const Array& update, const Array& start, int axis,
                                  const StartOptions& o) {
  COTAN_API;
  constexpr const char* name = "dynamic_update_slice_in_dim";
  check_integer(name, start);
  const int a = indexed_axis(name, axis, x.ndim());
  return ops::dynamic_update_slice(x, with_dtype_of(update, x), starts_at(name, x, start, a, from_end(o)));
}

Array dynamic_update_index_in_dim(const Array& x, const Array& update, const Array& index, int axis,
                                  const StartOptions& o) {
  COTAN_API;
  check_integer("dynamic_update_index_in_dim", index);
  const int a = canonical_axis("dynamic_update_index_in_dim", axis, x.ndim());
  const bool negative = from_end(o);
  return named_jit(
      "dynamic_update_index_in_dim",
      [a, negative](const Arrays& in) {
        Array u = in[1];
        if (u.ndim() != in[0].ndim()) {
          if (u.ndim() + 1 != in[0].ndim())
            throw TypeError("dynamic_update_index_in_dim: the update must have the operand's rank or one less, got " +
                            u.aval().str() + " for " + in[0].aval().str());
          u = ops::expand_dims(u, {a});
        }
        const std::vector<Array> starts = starts_at("dynamic_update_index_in_dim", in[0], in[2], a, negative);
        return Arrays{ops::dynamic_update_slice(in[0], u, starts)};
      },
      {x, with_dtype_of(update, x), index}, static_cast<std::uint64_t>(a) * 2 + negative)[0];
}

Array index_in_dim(const Array& x, std::int64_t index, int axis, bool keepdims) {
  COTAN_API;
  const int a = indexed_axis("index_in_dim", axis, x.ndim());
  const std::int64_t n = x.shape()[a], i = index < 0 ? index + n : index;
  if (i < 0 || i >= n)
    throw IndexError("index " + std::to_string(index) + " is out of bounds for axis " + std::to_string(a) +
                     " with size " + std::to_string(n));
  const Array r = ops::slice_in_dim(x, i, i + 1, 1, a);
  return keepdims ? r : ops::squeeze(r, {a});
}

Array index_take(const Array& src, const std::vector<Array>& idxs, const IntList& axes) {
  COTAN_API;
  if (idxs.empty() || static_cast<int>(idxs.size()) != axes.length())
    throw ValueError("index_take: as many axes as index arrays are expected, got " + axes.str() + " for " +
                     std::to_string(idxs.size()));
  ops::GatherDims d;
  Shape sizes = src.shape();
  std::vector<Array> columns;
  for (std::size_t k = 0; k < idxs.size(); ++k) {
    const std::int64_t axis = axes[static_cast<std::int64_t>(k)];
    if (axis < -src.ndim() || axis >= src.ndim())
      throw IndexError("index_take: axis " + std::to_string(axis) + " is out of bounds for shape " + src.shape().str());
    const auto a = static_cast<int>(axis < 0 ? axis + src.ndim() : axis);
    d.start_index_map.push_back(a), d.collapsed_slice_dims.push_back(a);
    sizes[a] = 1;
    check_integers("index_take", idxs[k]);
    const Array n = ops::scalar_int(idxs[k].dtype(), src.shape()[a]), r = ops::rem(idxs[k], n);
    const Array below = ops::lt(r, ops::scalar_int(r.dtype(), 0)), wrapped = ops::select(below, ops::add(r, n), r);
    columns.push_back(ops::expand_dims(wrapped, {idxs[k].ndim()}));
  }
  std::sort(d.collapsed_slice_dims.begin(), d.collapsed_slice_dims.end());
  const Array indices = ops::concatenate(columns, idxs[0].ndim());
  for (int i = 0; i < src.ndim() - axes.length(); ++i) d.offset_dims.push_back(indices.ndim() - 1 + i);
  return ops::gather(src, indices, d, sizes, {false, false, Mode::promise_in_bounds});
}

namespace {
table::Value call_scatter_apply(const table::Call& call) {
  using Func = std::function<Array(const Array&)>;
  ScatterApplyOptions o{call.get<Shape>("update_shape"), call.get<bool>("indices_are_sorted"),
                        call.get<bool>("unique_indices")};
  if (!call["mode"].is_none()) o.mode = call.get<std::string_view>("mode");
  return scatter_apply(call.get<Array>("operand"), call.get<Array>("scatter_indices"), call.get<Func>("func"),
                       call.get<ScatterDimensionNumbers>("dimension_numbers"), o);
}
}  // namespace

const FunctionTable lax_indexing_table{
    "lax",
    {
        function<gather>("gather(operand, start_indices, dimension_numbers, slice_sizes, *, unique_indices=False, "
                         "indices_are_sorted=False, mode=None, fill_value=None)",
                         "Windows of the operand at the index vectors."),
#define COTAN_SCATTER(NAME, DOC)                                                                        \
  function<NAME>(#NAME                                                                                  \
                 "(operand, scatter_indices, updates, dimension_numbers, *, indices_are_sorted=False, " \
                 "unique_indices=False, mode=None)",                                                    \
                 DOC)
        COTAN_SCATTER(scatter, "The operand with windows at the index vectors replaced by updates."),
        COTAN_SCATTER(scatter_add, "The operand with updates added to windows at the index vectors."),
        COTAN_SCATTER(scatter_sub, "The operand with updates taken from windows at the index vectors."),
        COTAN_SCATTER(scatter_mul, "The operand with windows at the index vectors times updates."),
        COTAN_SCATTER(scatter_min, "The operand with windows at the index vectors, or updates that are smaller."),
        COTAN_SCATTER(scatter_max, "The operand with windows at the index vectors, or updates that are larger."),
#undef COTAN_SCATTER
        function<call_scatter_apply>(
            "scatter_apply(operand, scatter_indices, func, dimension_numbers, *, update_shape=(), "
            "indices_are_sorted=False, unique_indices=False, mode=None)",
            "The operand with a function applied to windows at the index vectors."),
        function<dynamic_slice_in_dim>("dynamic_slice_in_dim(operand, start_index, slice_size, axis=0, *, "
                                       "allow_negative_indices=True)",
                                       "slice_size elements of an axis from a position on, which is clamped."),
        function<dynamic_index_in_dim>("dynamic_index_in_dim(operand, index, axis=0, keepdims=True, *, "
                                       "allow_negative_indices=True)",
                                       "The elements at a position of an axis, which is clamped."),
        function<dynamic_update_slice_in_dim>("dynamic_update_slice_in_dim(operand, update, start_index, axis, *, "
                                              "allow_negative_indices=True)",
                                              "The operand with elements of an axis from a position on replaced."),
        function<dynamic_update_index_in_dim>("dynamic_update_index_in_dim(operand, update, index, axis, *, "
                                              "allow_negative_indices=True)",
                                              "The operand with the elements at a position of an axis replaced."),
        function<index_in_dim>("index_in_dim(operand, index, axis=0, keepdims=True)",
                               "The elements at a position of an axis."),
        function<listed<index_take>>("index_take(src, idxs, axes)",
                                     "The elements at positions of some axes, which wrap around."),
    }};

}  // namespace lax
}  // namespace cotan

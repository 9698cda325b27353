// lax's arrays of one number, and arrays and shapes put together.
#include "api/function_table.h"
#include "cotan/lax.h"
#include "lax/listed.h"
#include "lax/operands.h"
#include "ops/common.h"
#include "ops/structural.h"

namespace cotan::lax {

namespace {
Array filled(const char* function, const Array& value, DType d, bool weak, const Shape& shape) {
  if (value.ndim() != 0)
    throw TypeError(std::string(function) + " must be called with a scalar fill_value, got shape " +
                    value.shape().str());
  refuse_complex_number(function, value, d);
  return ops::broadcast_in_dim(to_dtype(value, d, weak), shape, {});
}
}  // namespace

Array full(const Shape& shape, const Array& value, std::optional<DType> d) {
  COTAN_API;
  return filled("full", value, canonical_dtype(d.value_or(value.dtype())), !d && value.weak_type(), shape);
}
Array full_like(const Array& x, const Array& value, const FullLikeOptions& o) {
  COTAN_API;
  const DType d = canonical_dtype(o.dtype.value_or(x.dtype()));
  return filled("full_like", value, d, !o.dtype && x.weak_type(), o.shape.value_or(x.shape()));
}
Array empty(const Shape& shape, DType d) {
  COTAN_API;
  return ops::full({shape, canonical_dtype(d), false}, 0);
}

Array broadcast_like(const Array& x, const Array& like) {
  COTAN_API;
  const Shape shapes[] = {x.shape(), like.shape()};
  if (!(cotan::broadcast_shapes("broadcast_like", shapes) == like.shape()))
    throw ValueError("broadcast_like: cannot broadcast shape " + x.shape().str() + " to " + like.shape().str());
  return ops::broadcast_to_shape(ops::expand_dims(x, IntList::range(like.ndim() - x.ndim())), like.shape());
}
Shape broadcast_shapes(const std::vector<Shape>& shapes) {
  COTAN_API;
  for (const Shape& s : shapes)
    for (std::int64_t n : s)
      if (n < 0) throw TypeError("broadcast_shapes: sizes must be non-negative, got shape " + s.str());
  return cotan::broadcast_shapes("broadcast_shapes", shapes);
}

Array stack(const std::vector<Array>& xs, int axis) {
  COTAN_API;
  if (xs.empty()) throw IndexError("stack: at least one array is expected, got none");
  std::vector<Array> same;
  for (const Array& x : xs) {
    if (!(x.shape() == xs[0].shape()))
      throw ValueError("stack: arrays of one shape are expected, got " + xs[0].shape().str() + " and " +
                       x.shape().str());
    Array y = x;
    for (const Array& other : xs) y = with_dtype_of(y, other);
    same.push_back(y);
  }
  return ops::stack(same, canonical_axis("stack", axis, xs[0].ndim() + 1));
}
std::vector<Array> unstack(const Array& x, int axis) {
  COTAN_API;
  ArrayVec parts;
  ops::unstack(x, canonical_axis("unstack", axis, x.ndim()), parts);
  return {parts.begin(), parts.end()};
}
Array tile(const Array& x, const IntList& reps) {
  COTAN_API;
  if (reps.length() != x.ndim())
    throw TypeError("tile: reps must have one entry for each dimension, got reps " + reps.str() + " for shape " +
                    x.shape().str());
  return ops::tile(x, reps);
}
Array shape_as_value(const Shape& shape) {
  COTAN_API;
  const DType d = DType::int32;
  std::string bytes;
  for (std::int64_t n : shape) {
    if (!std::in_range<std::int32_t>(n))
      throw OverflowError("shape_as_value: sizes must fit int32, got " + shape.str());
    bytes.append(reinterpret_cast<const char*>(HostScalar(n, d).bytes), item_size(d));
  }
  return evaluation_hook().from_bytes({Shape(shape.ndim()), d, false}, bytes.data());
}

namespace {
using table::Value;

DType dtype_of(const Value& x) {
  const table::Place place{"dtype", "x"};
  if (x.is_none() || x.get<DType>() || x.get<std::string>()) return canonical_dtype(table::to_dtype(x, place));
  return table::to_array(x, place).dtype();
}
}  // namespace

const FunctionTable creation_table{
    "lax",
    {
        function<full>("full(shape, fill_value, dtype=None, *, sharding=None)", "An array of one number."),
        function<full_like>("full_like(x, fill_value, dtype=None, shape=None, sharding=None)",
                            "An array of one number, with the shape and dtype of another."),
        function<empty>("empty(shape, dtype, *, out_sharding=None)", "An array of zeros."),
        function<broadcast_like>("broadcast_like(arr, like_arr)", "An array repeated to the shape of another."),
        function<broadcast_shapes>("broadcast_shapes(*shapes)", "The shape that shapes broadcast to."),
        function<stack>("stack(operands, axis=0)", "Arrays side by side along a new axis."),
        function<[](const Array& x, int axis) { return table::tuple_value(unstack(x, axis)); }>(
            "unstack(x, axis=0)", "The parts along an axis, without it."),
        function<tile>("tile(operand, reps)", "The array repeated along each axis."),
        function<listed<shape_as_value>>("shape_as_value(shape)", "The sizes of a shape as a vector."),
        function<dtype_of>("dtype(x)", "The dtype of an array, a number or a name of a dtype."),
        function<[](const Array& x) { return x; }>("stage(x, /)", "x as an Array."),
    }};

}  // namespace cotan::lax

#include "ops/index_checks.h"

#include <limits>

#include "base/host_scalar.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/reduction.h"
#include "ops/structural.h"

namespace cotan::ops {

namespace {

std::string scalar_text(const Array& a) { return HostScalar::load(a.dtype(), bytes_of(a)).item_str(); }

CheckMessageRef message_for(const Shape& shape) {
  return std::make_shared<const CheckMessage>("out-of-bounds indexing", [shape](std::span<const Array> v) {
    const std::int64_t axis = HostScalar::load(v[1].dtype(), bytes_of(v[1])).as_int64();
    return "out-of-bounds indexing for array of shape " + shape.str() + ": index " + scalar_text(v[0]) +
           " is out of bounds for axis " + std::to_string(axis) + " with size " + std::to_string(shape[axis]) + ". ";
  });
}

// The largest number of a dtype, where an array's size may lie above it.
std::int64_t limited(DType d, std::int64_t n) {
  const int bits = static_cast<int>(item_size(d)) * 8 - (is_signed_integer(d) ? 1 : 0);
  return bits >= 63 ? n : std::min(n, (std::int64_t{1} << bits) - 1);
}

Array vector_of(DType d, const std::vector<std::int64_t>& values) {
  std::vector<Array> parts;
  for (std::int64_t v : values) parts.push_back(broadcast_in_dim(scalar_int(d, v), {1}, {}));
  return concatenate(parts, 0);
}
Array element(const Array& vector, const Array& position) {
  return squeeze(dynamic_slice(vector, {&position, 1}, {1}), {0});
}

}  // namespace

Check index_check(const Shape& operand, const Array& starts, const IntList& axes, const Shape& sizes) {
  constexpr DType i32 = DType::int32;
  Check c{CheckKind::index, scalar(DType::bool_, 0), {scalar_int(i32, 0), scalar_int(i32, 0)}, message_for(operand)};
  if (starts.size() == 0) return c;
  const Array index = item_size(starts.dtype()) < 4 ? convert_element_type(starts, i32) : starts;
  const DType d = index.dtype();
  const int last = index.ndim() - 1;
  std::vector<std::int64_t> limits, names;
  for (std::int64_t axis : axes) limits.push_back(limited(d, operand[axis] - sizes[axis])), names.push_back(axis);
  const Array limit = broadcast_in_dim(vector_of(d, limits), index.shape(), {last});
  Array bad = gt(index, limit);
  if (is_signed_integer(d)) bad = bit_or(bad, lt(index, scalar_int(d, 0)));
  bad = reshape(bad, {bad.size()});
  const Array first = argmax(convert_element_type(bad, i32), 0, i32);
  c.failed = reduce_or(bad, {0});
  c.values = {element(reshape(index, {index.size()}), first),
              element(vector_of(i32, names), rem(first, scalar_int(i32, axes.length())))};
  return c;
}

}  // namespace cotan::ops

#include "random/common.h"

namespace cotan::random {

void check_shape(const char* function, const Shape& shape) {
  for (std::int64_t n : shape)
    if (n < 0) throw ValueError(std::string(function) + ": sizes must not be negative, got shape " + shape.str());
}

void check_sizes(const char* function, const Shape& shape) {
  for (std::int64_t n : shape)
    if (n < 0) throw TypeError(std::string(function) + ": sizes must not be negative, got shape " + shape.str());
}

bool fits(const Array& x, const Shape& shape) {
  if (x.ndim() > shape.ndim()) return false;
  const int skipped = shape.ndim() - x.ndim();
  for (int i = 0; i < x.ndim(); ++i)
    if (x.shape()[i] != 1 && x.shape()[i] != shape[skipped + i]) return false;
  return true;
}
void check_fits(const char* function, const Array& x, const Shape& shape) {
  if (!fits(x, shape))
    throw ValueError(std::string(function) + ": Incompatible shapes for broadcasting: shape " + shape.str() +
                     " cannot hold a parameter of shape " + x.shape().str());
}

Shape sample_shape(const char* function, const ShapeOrNone& shape, std::initializer_list<const Array*> parameters) {
  if (shape.given()) {
    check_sizes(function, shape.shape());
    for (const Array* p : parameters) check_fits(function, *p, shape.shape());
    return shape.shape();
  }
  SmallVec<Shape, 3> shapes;
  for (const Array* p : parameters) shapes.push_back(p->shape());
  return numpy::broadcast_shapes(function, {shapes.begin(), shapes.size()});
}

void fail_dtype(const char* function, const char* wanted, DType got) {
  throw ValueError("dtype argument to `" + std::string(function) + "` must be " + wanted + " dtype, got " +
                   dtype_name(got));
}

DType float_dtype(const char* function, OptionalDType dtype) {
  const DType d = canonical_dtype(dtype.value_or(DType::float64));
  if (!is_floating(d)) fail_dtype(function, "a float", d);
  return d;
}

DType int_dtype(OptionalDType dtype) { return dtype ? canonical_dtype(*dtype) : default_int_dtype(); }

void check_real(const char* function, const Array& x, DType d) {
  if (is_complex(x.dtype()))
    throw ValueError(std::string(function) + ": a parameter of dtype " + dtype_name(x.dtype()) +
                     " cannot safely become " + dtype_name(d));
}
Array real_parameter(const char* function, const Array& x, DType d) {
  check_real(function, x, d);
  return to_dtype(x, d, false);
}

Request request(const char* function, const Array& key, const Shape& shape, OptionalDType dtype) {
  Request r{single_key(function, key), {}, shape};
  check_shape(function, shape);
  r.dtype = float_dtype(function, dtype);
  return r;
}
Request request(const char* function, const Array& key, const ShapeOrNone& shape, OptionalDType dtype,
                std::initializer_list<const Array*> parameters) {
  Request r{single_key(function, key), float_dtype(function, dtype), {}};
  r.shape = sample_shape(function, shape, parameters);
  for (const Array* p : parameters) check_real(function, *p, r.dtype);
  return r;
}

bool high_mode(const char* function, std::string_view mode) {
  if (mode == "high") return true;
  if (mode.empty() || mode == "low") return false;
  throw ValueError(std::string(function) + ": mode must be \"high\" or \"low\", got \"" + std::string(mode) + "\"");
}

std::uint64_t static_key(DType d, const Shape& shape) {
  std::uint64_t key = static_cast<std::uint64_t>(d);
  for (std::int64_t n : shape) key = numpy::combine_key(key, static_cast<std::uint64_t>(n));
  return key;
}

Array with_rank(const Array& x, int ndim) {
  return x.ndim() >= ndim ? x : ops::expand_dims(x, IntList::range(ndim - x.ndim()));
}

double below_one(DType d) {
  return d == DType::bfloat16 ? 0x1p-8 : d == DType::float16 ? 0x1p-11 : d == DType::float64 ? 0x1p-53 : 0x1p-24;
}
double smallest_normal(DType d) { return d == DType::float16 ? 0x1p-14 : d == DType::float64 ? 0x1p-1022 : 0x1p-126; }

Array fitted(const Array& x, const Shape& shape) { return numpy::broadcast_to(x, shape); }

Array key_at(const Array& keys, std::int64_t i) {
  IntList start = IntList::filled(keys.ndim(), 0), limit = keys.shape(), strides = IntList::filled(keys.ndim(), 1);
  start[0] = i, limit[0] = i + 1;
  return ops::squeeze(ops::slice(keys, start, limit, strides), {0});
}

TwoKeys split_in_two(const Array& key) {
  const Array keys = ops::random_split(key, Shape(2));
  return {key_at(keys, 0), key_at(keys, 1)};
}

}  // namespace cotan::random

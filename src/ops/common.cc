#include "ops/common.h"

#include "base/host_scalar.h"
#include "ops/elementwise.h"
#include "ops/reduction.h"
#include "ops/structural.h"

namespace cotan::ops {

namespace {
Array number(const HostScalar& value, bool weak_type) {
  Array a = evaluation_hook().from_bytes({Shape(), value.dtype, weak_type}, value.bytes);
  a.node()->plain_number = true;
  return a;
}

IntList all_axes_from(int first, int ndim) {
  IntList axes;
  for (int i = first; i < ndim; ++i) axes.push_back(i);
  return axes;
}
}  // namespace

Array scalar(DType d, double value) { return number(HostScalar(value, d), false); }
Array scalar_int(DType d, std::int64_t value) { return number(HostScalar(value, d), false); }

Array number_like(const Array& x, double value) { return number(HostScalar(value, x.dtype()), x.weak_type()); }

Array full(const Aval& a, double value) {
  if (is_key(a.dtype)) throw TypeError(std::string("a number cannot fill an array of dtype ") + dtype_name(a.dtype));
  if (a.dtype == DType::float0) return evaluation_hook().from_bytes(a, nullptr);
  Array v = number(HostScalar(value, a.dtype), a.weak_type);
  return a.ndim() == 0 ? v : broadcast_in_dim(v, a.shape, {});
}

Array zeros_of(const Aval& a) { return full(a, 0); }

Array instantiate(const Tangent& t) { return t.is_zero() ? zeros_of(t.aval()) : t.value(); }

Tangent add_tangents(const Tangent& a, const Tangent& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  return add_any(a.value(), b.value());
}

Array broadcast_to_shape(const Array& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  return broadcast_in_dim(x, shape, IntList::range(x.ndim()));
}

Array unbroadcast(const Array& ct, const Shape& shape) {
  if (ct.shape() == shape) return ct;
  IntList axes;
  for (int i = 0; i < ct.ndim(); ++i)
    if (shape.ndim() == 0 || shape[i] != ct.shape()[i]) axes.push_back(i);
  return reshape(reduce_sum(ct, axes), shape);
}

Array move_axis(const Array& x, int from, int to) {
  IntList permutation = IntList::range(x.ndim());
  permutation.erase(from);
  permutation.insert(to, from);
  return transpose(x, permutation);
}

Array with_batch_front(const Array& x, int dim, std::int64_t size) {
  if (dim != not_mapped) return move_axis(x, dim, 0);
  Shape shape = x.shape();
  shape.insert(0, size);
  return broadcast_in_dim(x, shape, all_axes_from(1, shape.ndim()));
}

namespace {
// Whether the operands fit as they are: mapped ones at the same place of the same rank, shared ones scalars.
bool batched_alike(const BatchIn& in, int* dim) {
  int ndim = -1;
  for (std::size_t i = 0; i < in.args.size(); ++i) {
    if (in.dims[i] == not_mapped) {
      if (in.args[i].ndim() != 0) return false;
      continue;
    }
    if (ndim >= 0 && (in.dims[i] != *dim || in.args[i].ndim() != ndim)) return false;
    *dim = in.dims[i];
    ndim = in.args[i].ndim();
  }
  return true;
}

// x with its batch dimension (of size 1 when it is shared) in front of `ndim` others.
Array aligned(const Array& x, int dim, int ndim) {
  if (dim == not_mapped) return x.ndim() == 0 ? x : expand_dims(x, {0});
  const Array front = move_axis(x, dim, 0);
  return front.ndim() == ndim + 1 ? front : expand_dims(front, all_axes_from(1, ndim + 1));
}
}  // namespace

void batch_elementwise(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  int dim = 0;
  const std::size_t before = out.size();
  if (batched_alike(in, &dim)) {
    in.primitive.bind(in.params_ref, in.args, out);
  } else {
    dim = 0;
    int ndim = 0;
    for (std::size_t i = 0; i < in.args.size(); ++i)
      ndim = std::max(ndim, in.args[i].ndim() - (in.dims[i] == not_mapped ? 0 : 1));
    ArrayVec args;
    for (std::size_t i = 0; i < in.args.size(); ++i) args.push_back(aligned(in.args[i], in.dims[i], ndim));
    in.primitive.bind(in.params_ref, args, out);
  }
  for (std::size_t i = before; i < out.size(); ++i) out_dims.push_back(dim);
}

namespace {
// Binds the primitive to the primals and, unless `zero`, to the tangents.
void bind_twice(const JvpIn& in, std::span<const Array> tangents, bool zero, ArrayVec& out, TangentVec& tangents_out) {
  const std::size_t before = out.size();
  in.primitive.bind(in.params_ref, in.primals, out);
  if (zero) {
    for (std::size_t i = before; i < out.size(); ++i) tangents_out.push_back(Tangent::zero_of(out[i].aval()));
    return;
  }
  ArrayVec results;
  in.primitive.bind(in.params_ref, tangents, results);
  for (Array& r : results) tangents_out.push_back(std::move(r));
}
}  // namespace

void jvp_linear_in_first(const JvpIn& in, ArrayVec& out, TangentVec& tangents_out) {
  ArrayVec tangents(in.primals);
  const bool zero = in.tangents[0].is_zero();
  if (!zero) tangents[0] = in.tangents[0].value();
  bind_twice(in, tangents, zero, out, tangents_out);
}

void jvp_linear(const JvpIn& in, ArrayVec& out, TangentVec& tangents_out) {
  bool zero = true;
  for (const Tangent& t : in.tangents) zero &= t.is_zero();
  ArrayVec tangents;
  if (!zero)
    for (const Tangent& t : in.tangents) tangents.push_back(instantiate(t));
  bind_twice(in, tangents, zero, out, tangents_out);
}

}  // namespace cotan::ops

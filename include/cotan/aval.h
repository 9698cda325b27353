// The abstract value of an array: all that is known of it before it is computed.
#pragma once
#include <iosfwd>
#include <string>

#include "cotan/dtype.h"
#include "cotan/shape.h"

namespace cotan {

// weak_type: the dtype came from a plain number and gives way to any other of its kind.
struct Aval {
  Shape shape;
  DType dtype = DType::float32;
  bool weak_type = false;

  int ndim() const { return shape.ndim(); }
  std::int64_t size() const { return shape.size(); }
  Aval strong() const { return {shape, dtype, false}; }
  Aval with_shape(Shape s) const { return {static_cast<Shape&&>(s), dtype, weak_type}; }
  Aval with_dtype(DType d) const { return {shape, d, false}; }
  std::string str() const;  // "f32[2,3]"
  friend bool operator==(const Aval& a, const Aval& b) {
    return a.dtype == b.dtype && a.weak_type == b.weak_type && a.shape == b.shape;
  }
};

// The aval of a tangent of a value: its own for inexact types, float0 of the same shape for the others.
Aval tangent_aval(const Aval&);

}  // namespace cotan

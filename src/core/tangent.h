// A tangent or cotangent: an Array, or a zero known to be one, which costs nothing and still has a type.
#pragma once
#include <utility>

#include "cotan/array.h"

namespace cotan {

class Tangent {
 public:
  Tangent() = default;  // no aval: only to be assigned to
  Tangent(Array value) : aval_(value.aval()), value_(std::move(value)) {}
  static Tangent zero(Aval aval) {
    Tangent t;
    t.aval_ = std::move(aval);
    return t;
  }  // aval: of the tangent
  static Tangent zero_of(const Aval& primal) { return zero(tangent_aval(primal)); }

  bool is_zero() const { return !value_.has_value(); }
  const Aval& aval() const { return aval_; }
  const Array& value() const { return value_; }  // only of one that is not zero

 private:
  Aval aval_;
  Array value_;
};

}  // namespace cotan

// Reductions and products: binding functions. Axes are not negative, sorted and distinct.
#pragma once
#include <optional>

#include "core/primitive.h"
#include "cotan/precision.h"

namespace cotan::ops {

Array reduce_sum(const Array& x, const IntList& axes);
Array reduce_prod(const Array& x, const IntList& axes);
Array reduce_max(const Array& x, const IntList& axes);
Array reduce_min(const Array& x, const IntList& axes);
Array reduce_and(const Array& x, const IntList& axes);
Array reduce_or(const Array& x, const IntList& axes);
Array reduce_xor(const Array& x, const IntList& axes);
Array argmax(const Array& x, int axis, DType index_dtype);
Array argmin(const Array& x, int axis, DType index_dtype);

struct DotDimensionNumbers {
  IntList lhs_contract, rhs_contract, lhs_batch, rhs_batch;
  friend bool operator==(const DotDimensionNumbers&, const DotDimensionNumbers&) = default;
};
const DotDimensionNumbers* dot_dimensions_of(const JaxprEqn&);  // null: it is no dot_general
Array dot_general(const Array& lhs, const Array& rhs, const DotDimensionNumbers&,
                  std::optional<DType> preferred_element_type = std::nullopt, const Precision& = {});

}  // namespace cotan::ops

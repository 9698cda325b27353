// JAX's type promotion: a lattice over dtypes in which the types of plain numbers are weak.
#pragma once
#include <initializer_list>
#include <span>

#include "cotan/dtype.h"

namespace cotan {

struct LatticeType {
  DType dtype;
  bool weak;
  friend bool operator==(const LatticeType&, const LatticeType&) = default;
};

// The least upper bound of the types. Throws TypeError for types that do not mix (keys, float0). The types
// are to be canonical; enable_x64 also decides what int32 and uint32 meet in, and the dtype of a weak result, where not all are weak.
LatticeType promote_types(std::span<const LatticeType>);
LatticeType promote_types(LatticeType a, LatticeType b);

// With 64-bit types disabled: int64 -> int32, float64 -> float32, complex128 -> complex64, uint64 -> uint32.
DType canonical_dtype(DType);

// The default types of plain numbers: float32 or float64, int32 or int64, complex64 or complex128, by enable_x64.
DType default_int_dtype();
DType default_float_dtype();
DType default_complex_dtype();

// The inexact type that numpy functions such as sin compute an operand of type d in.
DType to_inexact_dtype(DType d);

}  // namespace cotan

// StableHLO that the rules of several families write.
#pragma once
#include <cmath>

#include "core/stablehlo_writer.h"

namespace cotan::ops {

// max or min, as `name` says. Complex numbers compare by real, then imaginary part.
HloValue hlo_extremum(HloWriter&, std::string_view name, const HloValue& x, const HloValue& y);

// x, of any number of dimensions, combined over axes by what `combine` does to two scalars.
using HloCombine = FunctionRef<HloValue(const HloValue& before, const HloValue& after)>;
HloValue hlo_reduce(HloWriter&, const HloValue& x, const HloValue& init, const IntList& axes, HloCombine combine);
HloValue hlo_reduce(HloWriter&, const HloValue& x, const char* operation, const HloValue& init, const IntList& axes);

constexpr DType unsigned_like(DType d) {  // of a signed integer type
  return static_cast<DType>(static_cast<int>(d) - static_cast<int>(DType::int8) + static_cast<int>(DType::uint8));
}
// 16-bit floats are added and multiplied in float32, and rounded once.
constexpr DType computed_in(DType d) { return d == DType::bfloat16 || d == DType::float16 ? DType::float32 : d; }

// Indices of any integer type in one that has them all: int32, or int64 where one needs it. What int64 does not hold is its
// largest number.
HloValues hlo_indices(HloWriter&, std::span<const HloValue>);

}  // namespace cotan::ops

// Promotion and broadcasting of numpy functions' operands.
#pragma once
#include "control/jit.h"
#include "cotan/numpy.h"
#include "lax/operands.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/reduction.h"
#include "ops/structural.h"

namespace cotan::numpy {

// The operands in their common dtype, with ranks evened by leading sizes of 1 (scalars stay scalars).
struct Pair { Array x, y; };
Pair promote(const char* function, const Array& x, const Array& y);
Pair promote_inexact(const char* function, const Array& x, const Array& y);        // integers become floats
Array promote_inexact(const Array& x);
// The shape that the operands broadcast to. ValueError, in NumPy's words, when they do not.
Shape broadcast_shapes(const char* function, std::span<const Shape> shapes);

inline std::uint64_t combine_key(std::uint64_t a, std::uint64_t b) { return a * 1000003u + b; }

}  // namespace cotan::numpy

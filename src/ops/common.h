// What the records of first-order primitives share: dtype sets, default rules, parameter-free binding, and helpers for
// tangents and batch axes.
#pragma once
#include "core/params_ops.h"
#include "core/primitive.h"

namespace cotan::ops {

inline constexpr DTypeSet floating{DType::bfloat16, DType::float16, DType::float32, DType::float64};
inline constexpr DTypeSet complexes{DType::complex64, DType::complex128};
inline constexpr DTypeSet signed_ints{DType::int8, DType::int16, DType::int32, DType::int64};
inline constexpr DTypeSet unsigned_ints{DType::uint8, DType::uint16, DType::uint32, DType::uint64};
inline constexpr DTypeSet bools{DType::bool_};
inline constexpr DTypeSet integers = signed_ints | unsigned_ints;
inline constexpr DTypeSet inexact = floating | complexes;
inline constexpr DTypeSet numeric = integers | inexact;
inline constexpr DTypeSet reals = integers | floating;
inline constexpr DTypeSet any_number = numeric | bools;
inline constexpr DTypeSet keys{DType::key_fry, DType::key_rbg, DType::key_unsafe_rbg};
inline constexpr DTypeSet any_dtype = any_number | keys;

// --- arrays ---------------------------------------------------------------------------------------------------------------
// A strongly typed 0-d constant of the dtype; becomes a literal where a program is recorded.
Array scalar(DType, double value);
Array scalar_int(DType, std::int64_t value);
Array number_like(const Array& x, double value);           // 0-d, of the dtype and weak_type of x
Array full(const Aval&, double value);                     // weak_type of the aval kept
Array zeros_of(const Aval& aval);                          // of any dtype, float0 and keys' uint32 form excepted
Array instantiate(const Tangent& t);                       // a zero becomes an Array of zeros
Tangent add_tangents(const Tangent& a, const Tangent& b);  // add_any; zeros cost nothing
// x as an array of `shape`: scalars and sizes of 1 are repeated. x itself when it has that shape.
Array broadcast_to_shape(const Array& x, const Shape& shape);
// The sum of ct over the positions where x, of `shape`, was repeated to ct's shape.
Array unbroadcast(const Array& ct, const Shape& shape);

// --- batch axes -----------------------------------------------------------------------------------------------------------
Array move_axis(const Array& x, int from, int to);                   // a transpose, or x
Array with_batch_front(const Array& x, int dim, std::int64_t size);  // broadcast when not mapped
void batch_elementwise(const BatchIn&, ArrayVec& out, DimVec& out_dims);

// --- rules made from functions ------------------------------------------------------------------------------------------------
// The jvp of an operation that is linear in its first operand (others carry no tangent): itself, applied to the tangent.
void jvp_linear_in_first(const JvpIn&, ArrayVec&, TangentVec&);
// The jvp of one that is linear in all operands jointly (concatenate, pad, select's cases): tangents instantiated.
void jvp_linear(const JvpIn&, ArrayVec&, TangentVec&);

}  // namespace cotan::ops

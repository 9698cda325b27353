// Arrays from numbers and back, for the checks that are derived from primitives' records.
#pragma once
#include <complex>
#include <string>
#include <vector>

#include "core/primitive.h"
#include "same_bits.h"
#include "transforms/flat.h"

namespace cotan::derived {

using Numbers = std::vector<std::complex<double>>;

Array array_of(const Aval&, const Numbers&);  // converted to the dtype; of the words of keys, the real parts
Numbers numbers_of(const Array&);             // of a concrete array; keys: their first word

// Values inside the interval, the same at every call, no two alike (as far as the dtype can tell): integers are rounded, and
// spread over -4..7 for the default interval.
Array operand(const Aval&, Interval, int seed);
// NaN, infinities, zeros of both signs, denormals, the largest and smallest values, and a few plain ones.
Array special_values(DType, int rotate);

using cotan::same_bits;
// What differs, or nothing. |got - want| <= atol + rtol * |want|; NaN equals NaN.
std::string difference(const Array& got, const Array& want, double rtol, double atol);

// Examples of a batch, by copying bytes on the host.
Array example_of(const Array& batch, int dim, std::int64_t index);
Array batch_of(const std::vector<Array>& examples, const Aval& example, int dim);

double dot(const Array& a, const Array& b);  // the real part of sum(a * b), in float64
double epsilon_of(DType);                    // of the real type beneath; 0 for others

}  // namespace cotan::derived

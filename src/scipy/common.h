// What the functions of scipy share: promotion of several operands.
#pragma once
#include "numpy/common.h"

namespace cotan::scipy {

enum class Complex : std::uint8_t { refused, accepted };

// The operands in one inexact dtype, weak if all are, with ranks evened. ValueError for complex ones, unless accepted.
Arrays inexact(const char* function, std::initializer_list<Array> operands, Complex = Complex::refused);
// As inexact, but TypeError for complex operands.
Arrays real_operands(const char* function, std::initializer_list<Array> operands);
// ValueError unless the shapes broadcast, where inexact raises TypeError.
void check_broadcast(const char* function, std::initializer_list<Array> operands);
// x of no weak type.
inline Array strong(const Array& x) { return to_dtype(x, x.dtype(), false); }
// Functions of some dtypes only: TypeError unless x is float32 or float64.
void check_single_or_double(const char* function, const Array& x);

}  // namespace cotan::scipy

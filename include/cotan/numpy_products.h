// numpy's products. TypeError when the contracted sizes differ.
#pragma once
#include "cotan/array.h"

namespace cotan::numpy {

Array dot(const Array&, const Array&);
Array matmul(const Array&, const Array&);
Array vdot(const Array&, const Array&);
Array inner(const Array&, const Array&);
Array outer(const Array&, const Array&);
Array tensordot(const Array&, const Array&, int axes = 2);

}  // namespace cotan::numpy

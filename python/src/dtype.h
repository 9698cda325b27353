// Element types as Python objects.
#pragma once
#include "common.h"

namespace cotan::python {

// numpy.dtype; of keys, an object of cotan.dtypes.
nb::object dtype_object(DType);
// Of a numpy.dtype, a scalar type (numpy.float32, cotan.numpy.float32, int), or a key's dtype. False: none of these.
// Strings are left to whoever knows that a dtype is meant.
bool dtype_from(PyObject*, DType* out);
DType to_dtype(nb::handle, const char* function);  // strings too; TypeError for others

nb::tuple tuple_of(const Shape&);
Shape shape_from(nb::handle);

}  // namespace cotan::python

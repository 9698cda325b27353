// NumPy's arrays and scalars, which are read through their array interface: NumPy itself is imported only by who uses it.
#pragma once
#include "common.h"

namespace cotan::python {

bool is_numpy_array(PyObject*);
bool is_numpy(PyObject*);  // an array or a scalar of NumPy
// A copy of the elements, whatever their order in memory, in the dtype that the configuration allows. TypeError for dtypes
// that are no numbers.
Array array_from_numpy(PyObject*);
PyObject* float0_array(const Shape&);

// The buffer protocol: read-only views of the elements. BufferError for dtypes that it has no code for.
int export_buffer(PyObject* owner, const Array&, Py_buffer*, int flags);
void release_buffer(PyObject* owner, Py_buffer*);

void add_numpy_arrays(nb::module_&);

}  // namespace cotan::python

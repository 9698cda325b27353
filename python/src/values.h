// Python's objects as values of the function table, and back.
#pragma once
#include "api/table_value.h"
#include "common.h"

namespace cotan::python {

table::Value value_from(PyObject*);
// Of a number of Python's own, which table::Value tells from Arrays; OverflowError beyond 64 bits. False: none.
bool number_from(PyObject*, table::Value*);
nb::object object_of(const table::Value&);

}  // namespace cotan::python

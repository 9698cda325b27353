// Python's objects as values of the function table, and back.
#pragma once
#include "api/table_value.h"
#include "common.h"

namespace cotan::python {

table::Value value_from(PyObject*);
nb::object object_of(const table::Value&);

}  // namespace cotan::python

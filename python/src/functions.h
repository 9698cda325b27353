// The functions of the table as Python callables.
#pragma once
#include "api/function_table.h"
#include "common.h"

namespace cotan::python {

const table::Function* function_of(PyObject*);  // null: no function of the table
nb::object callable_of(const table::Value::Function&);

}  // namespace cotan::python

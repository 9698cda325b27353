// Arrays as Python objects: the type Array, and under it ArrayImpl (concrete) and Tracer.
#pragma once
#include "common.h"
#include "core/trace.h"

namespace cotan::python {

struct ArrayObject {
  PyObject_HEAD Array value;
  PyObject* weak_references;
  const Aval* deleted;  // what is still known of an array whose elements were given up; null: it has them
};

extern PyTypeObject *array_type, *concrete_type, *tracer_type;

inline bool is_array(PyObject* o) { return Py_TYPE(o) == concrete_type || Py_TYPE(o) == tracer_type; }
std::string type_text(const Aval&);           // "float32[2,3]"
[[noreturn]] void fail_deleted(const Aval&);  // RuntimeError
inline const Array& array_of(PyObject* o) {
  const auto* a = reinterpret_cast<ArrayObject*>(o);
  if (a->deleted) [[unlikely]]
    fail_deleted(*a->deleted);
  return a->value;
}
inline const Aval& aval_in(PyObject* o) {  // of a deleted array too
  const auto* a = reinterpret_cast<ArrayObject*>(o);
  return a->deleted ? *a->deleted : a->value.aval();
}
void delete_array(PyObject*);  // gives up the elements of a concrete array; again: nothing

// A new object. Of float0: a NumPy array, as JAX has it.
PyObject* wrap(Array);
nb::object wrapped(const Array&);

// What arithmetic takes beside Arrays: numbers, NumPy arrays and scalars, objects with __jax_array__. False for others.
bool array_from(PyObject*, Array* out);
// The same, or TypeError that names the function.
Array to_array(PyObject*, const char* function);

std::vector<Array> arrays_from(nb::handle list, const char* function);
nb::list list_of(const std::vector<Array>&);

// x[index], and the index of x.at[index].
std::vector<Index> index_from(PyObject*);
PyObject* subscript(PyObject* x, PyObject* index);
void add_indexing(nb::module_&);

// Slots of the type, one list per file.
extern const std::vector<PyType_Slot> number_slots;

}  // namespace cotan::python

#include "array.h"

#include <memory>
#include <stdexcept>

#include "api/convert_value.h"
#include "core/primitive.h"
#include "cotan/numpy.h"
#include "dtype.h"
#include "numpy_arrays.h"
#include "values.h"

namespace cotan::python {

PyTypeObject *array_type, *concrete_type, *tracer_type;

PyObject* wrap(Array a) {
  const bool concrete = is_concrete(a);
  if (concrete && a.dtype() == DType::float0) return float0_array(a.shape());
  PyTypeObject* type = concrete ? concrete_type : tracer_type;
  auto* o = PyObject_New(ArrayObject, type);
  if (!o) throw nb::python_error();
  new (&o->value) Array(std::move(a));
  o->weak_references = nullptr;
  o->deleted = nullptr;
  return reinterpret_cast<PyObject*>(o);
}

std::string type_text(const Aval& a) {
  std::string shape;
  for (const std::int64_t n : a.shape) shape += (shape.empty() ? "" : ",") + std::to_string(n);
  return std::string(dtype_name(a.dtype)) + "[" + shape + "]";
}

void fail_deleted(const Aval& a) {
  throw std::runtime_error("Array has been deleted with shape=" + type_text(a) + ".");
}

void delete_array(PyObject* o) {
  if (Py_TYPE(o) != concrete_type) throw TypeError("only a concrete array can be deleted");
  auto* a = reinterpret_cast<ArrayObject*>(o);
  if (a->deleted) return;
  auto aval = std::make_unique<Aval>(a->value.aval());
  a->value = Array();
  a->deleted = aval.release();
}

nb::object wrapped(const Array& a) { return nb::steal(wrap(a)); }

bool array_from(PyObject* o, Array* out) {
  if (is_array(o)) return *out = array_of(o), true;
  if (table::Value number; number_from(o, &number)) return *out = table::to_array(number, {"array", "object"}), true;
  if (is_numpy(o)) {
    *out = array_from_numpy(o);
  } else if (PyFloat_Check(o)) {
    *out = PyFloat_AS_DOUBLE(o);
  } else if (PyComplex_Check(o)) {
    *out = std::complex<double>(PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o));
  } else if (PyObject* method = PyType_Check(o) ? nullptr : PyObject_GetAttrString(o, "__jax_array__")) {
    const nb::object converted = checked(PyObject_CallNoArgs(nb::steal(method).ptr()));
    if (!is_array(converted.ptr())) throw TypeError("__jax_array__ must return an Array");
    *out = array_of(converted.ptr());
  } else {
    PyErr_Clear();
    return false;
  }
  return true;
}

Array to_array(PyObject* o, const char* function) {
  Array a;
  if (array_from(o, &a)) return a;
  throw TypeError(std::string(function) + " requires ndarray or scalar arguments, got " +
                  repr_of(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(o)))) + ".");
}

std::vector<Array> arrays_from(nb::handle list, const char* function) {
  const nb::object fast = checked(PySequence_Fast(list.ptr(), "a list of arrays is needed"));
  const Py_ssize_t n = PySequence_Fast_GET_SIZE(fast.ptr());
  std::vector<Array> r;
  r.reserve(static_cast<std::size_t>(n));
  for (Py_ssize_t i = 0; i < n; ++i) r.push_back(to_array(PySequence_Fast_GET_ITEM(fast.ptr(), i), function));
  return r;
}

nb::list list_of(const std::vector<Array>& arrays) {
  nb::list r;
  for (const Array& a : arrays) r.append(wrapped(a));
  return r;
}

namespace {

void dealloc(PyObject* o) {
  auto* a = reinterpret_cast<ArrayObject*>(o);
  if (a->weak_references) PyObject_ClearWeakRefs(o);
  a->value.~Array();
  delete a->deleted;
  PyTypeObject* type = Py_TYPE(o);
  type->tp_free(o);
  Py_DECREF(type);
}

nb::object text(const std::string& s) {
  return checked(PyUnicode_FromStringAndSize(s.data(), static_cast<Py_ssize_t>(s.size())));
}
PyObject* repr(PyObject* o) {
  return guarded([&] { return text(array_of(o).repr()).release().ptr(); });
}
PyObject* str(PyObject* o) {
  return guarded([&] { return text(array_of(o).str()).release().ptr(); });
}

PyObject* shape(PyObject* o, void*) {
  return guarded([&] { return tuple_of(aval_in(o).shape).release().ptr(); });
}
PyObject* dtype(PyObject* o, void*) {
  return guarded([&] { return dtype_object(aval_in(o).dtype).release().ptr(); });
}
PyObject* ndim(PyObject* o, void*) { return PyLong_FromLong(aval_in(o).ndim()); }
PyObject* size(PyObject* o, void*) { return PyLong_FromLongLong(aval_in(o).size()); }
PyObject* weak_type(PyObject* o, void*) { return PyBool_FromLong(aval_in(o).weak_type); }
PyObject* transposed(PyObject* o, void*) {
  return guarded([&] { return wrap(array_of(o).T()); });
}
PyObject* real(PyObject* o, void*) {
  return guarded([&] { return wrap(numpy::real(array_of(o))); });
}
PyObject* imag(PyObject* o, void*) {
  return guarded([&] { return wrap(numpy::imag(array_of(o))); });
}
PyGetSetDef properties[] = {
    {"shape", shape, nullptr, "Sizes of the axes.", nullptr},
    {"dtype", dtype, nullptr, "Type of the elements.", nullptr},
    {"ndim", ndim, nullptr, "Number of axes.", nullptr},
    {"size", size, nullptr, "Number of elements.", nullptr},
    {"weak_type", weak_type, nullptr, "Whether the dtype yields to those of other operands.", nullptr},
    {"T", transposed, nullptr, "The axes reversed.", nullptr},
    {"real", real, nullptr, "Real parts.", nullptr},
    {"imag", imag, nullptr, "Imaginary parts.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

Py_ssize_t length(PyObject* o) {
  const Aval& a = aval_in(o);
  if (a.ndim() > 0) return a.shape[0];
  PyErr_SetString(PyExc_TypeError, "len() of unsized object");
  return -1;
}

PyObject* item_at(PyObject* o, Py_ssize_t i) {
  return guarded([&]() -> PyObject* {
    const Array& a = array_of(o);
    if (a.ndim() == 0) throw TypeError("iteration over a 0-d array");
    if (i < 0 || i >= a.shape()[0]) throw IndexError("index " + std::to_string(i) + " is out of bounds");
    return wrap(a(static_cast<std::int64_t>(i)));
  });
}

struct Iterator {
  PyObject_HEAD PyObject* array;
  Py_ssize_t next;
};
PyTypeObject* iterator_type;

void iterator_dealloc(PyObject* o) {
  Py_XDECREF(reinterpret_cast<Iterator*>(o)->array);
  PyTypeObject* type = Py_TYPE(o);
  PyObject_Free(o);
  Py_DECREF(type);
}
PyObject* iterator_next(PyObject* o) {
  auto* it = reinterpret_cast<Iterator*>(o);
  if (it->next >= aval_in(it->array).shape[0]) return nullptr;
  return item_at(it->array, it->next++);
}
PyObject* iterate(PyObject* o) {
  if (aval_in(o).ndim() == 0) {
    PyErr_SetString(PyExc_TypeError, "iteration over a 0-d array");
    return nullptr;
  }
  auto* it = PyObject_New(Iterator, iterator_type);
  if (!it) return nullptr;
  Py_INCREF(o);
  it->array = o;
  it->next = 0;
  return reinterpret_cast<PyObject*>(it);
}

int no_assignment(PyObject*, PyObject*, PyObject*) {
  PyErr_SetString(
      PyExc_TypeError,
      "an Array is a value and cannot be changed in place: instead of x[index] = y write x = x.at[index].set(y)");
  return -1;
}

PyObject* compare(PyObject* a, PyObject* b, int op) {
  return guarded([&]() -> PyObject* {
    Array x, y;
    if (!array_from(a, &x) || !array_from(b, &y)) Py_RETURN_NOTIMPLEMENTED;
    switch (op) {
      case Py_LT: return wrap(x < y);
      case Py_LE: return wrap(x <= y);
      case Py_EQ: return wrap(x == y);
      case Py_NE: return wrap(x != y);
      case Py_GT: return wrap(x > y);
      default: return wrap(x >= y);
    }
  });
}

int get_buffer(PyObject* o, Py_buffer* view, int flags) {
  return guarded_int([&] { return export_buffer(o, array_of(o), view, flags); });
}

template <class F>
PyTypeObject* make_type(const char* name, unsigned flags, std::size_t size, F slots, PyTypeObject* base) {
  std::vector<PyType_Slot> all = slots;
  all.push_back({0, nullptr});
  PyType_Spec spec{name, static_cast<int>(size), 0, flags, all.data()};
  const nb::object bases = base ? checked(PyTuple_Pack(1, base)) : nb::object();
  return reinterpret_cast<PyTypeObject*>(checked(PyType_FromSpecWithBases(&spec, bases.ptr())).release().ptr());
}

PyMemberDef members[] = {{"__weaklistoffset__", T_PYSSIZET, offsetof(ArrayObject, weak_references), READONLY, nullptr},
                         {nullptr, 0, 0, 0, nullptr}};

}  // namespace

void add_arrays(nb::module_& m) {
  std::vector<PyType_Slot> slots = {
      {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
      {Py_tp_repr, reinterpret_cast<void*>(repr)},
      {Py_tp_str, reinterpret_cast<void*>(str)},
      {Py_tp_getset, properties},
      {Py_tp_members, members},
      {Py_tp_iter, reinterpret_cast<void*>(iterate)},
      {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
      {Py_tp_hash, reinterpret_cast<void*>(PyObject_HashNotImplemented)},
      {Py_mp_length, reinterpret_cast<void*>(length)},
      {Py_sq_length, reinterpret_cast<void*>(length)},
      {Py_mp_subscript, reinterpret_cast<void*>(subscript)},
      {Py_mp_ass_subscript, reinterpret_cast<void*>(no_assignment)},
  };
  slots.insert(slots.end(), number_slots.begin(), number_slots.end());
  const unsigned flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  array_type = make_type("cotan.Array", flags | Py_TPFLAGS_BASETYPE, sizeof(ArrayObject), slots, nullptr);
  const std::vector<PyType_Slot> buffer = {{Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
                                           {Py_bf_releasebuffer, reinterpret_cast<void*>(release_buffer)}};
  concrete_type = make_type("cotan.ArrayImpl", flags, sizeof(ArrayObject), buffer, array_type);
  tracer_type = make_type("cotan.core.Tracer", flags, sizeof(ArrayObject), std::vector<PyType_Slot>{}, array_type);
  iterator_type =
      make_type("cotan.ArrayIterator", Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, sizeof(Iterator),
                std::vector<PyType_Slot>{{Py_tp_dealloc, reinterpret_cast<void*>(iterator_dealloc)},
                                         {Py_tp_iter, reinterpret_cast<void*>(PyObject_SelfIter)},
                                         {Py_tp_iternext, reinterpret_cast<void*>(iterator_next)}},
                nullptr);
  m.attr("Array") = nb::handle(reinterpret_cast<PyObject*>(array_type));
  m.attr("ArrayImpl") = nb::handle(reinterpret_cast<PyObject*>(concrete_type));
  m.attr("Tracer") = nb::handle(reinterpret_cast<PyObject*>(tracer_type));
  m.def("delete_array", [](nb::handle o) { delete_array(o.ptr()); });
  m.def("is_deleted",
        [](nb::handle o) { return is_array(o.ptr()) && reinterpret_cast<ArrayObject*>(o.ptr())->deleted; });
  add_numpy_arrays(m);
  add_indexing(m);
}

}  // namespace cotan::python

#include "dtype.h"

#include <unordered_map>

#include "base/promotion.h"

namespace cotan::python {
namespace {

// The objects of each dtype, made on first use; never freed, since types outlive the module.
PyObject* known[dtype_count];

bool named(PyObject* name, DType* out) {
  const std::string s = text_of(name);
  return dtype_from_name(s.data(), s.size(), out);
}

// A class: Python's numbers, NumPy's scalar types, those of cotan.numpy.
bool dtype_of_class(PyObject* o, DType* out) {
  if (o == reinterpret_cast<PyObject*>(&PyFloat_Type)) return *out = DType::float64, true;
  if (o == reinterpret_cast<PyObject*>(&PyLong_Type)) return *out = DType::int64, true;
  if (o == reinterpret_cast<PyObject*>(&PyBool_Type)) return *out = DType::bool_, true;
  if (o == reinterpret_cast<PyObject*>(&PyComplex_Type)) return *out = DType::complex128, true;
  const nb::object numpy = nb::module_::import_("numpy");
  const int generic = PyObject_IsSubclass(o, nb::object(numpy.attr("generic")).ptr());
  check(generic);
  if (generic) return named(nb::object(numpy.attr("dtype")(nb::handle(o)).attr("name")).ptr(), out);
  const nb::object dtype = nb::getattr(nb::handle(o), "dtype", nb::none());
  return !dtype.is_none() && !PyType_Check(dtype.ptr()) && dtype_from(dtype.ptr(), out);
}

}  // namespace

nb::object dtype_object(DType d) {
  PyObject*& o = known[static_cast<int>(d)];
  if (!o) o = imported("cotan.dtypes", "_object_of")(dtype_name(d)).release().ptr();
  return nb::borrow(o);
}

bool dtype_from(PyObject* o, DType* out) {
  if (o == Py_None) return false;
  for (int i = 0; i < dtype_count; ++i)
    if (known[i] == o) return *out = static_cast<DType>(i), true;
  if (PyType_Check(o)) return dtype_of_class(o, out);
  const nb::object mark = nb::getattr(nb::handle(o), "_cotan_dtype", nb::none());  // keys'
  if (!mark.is_none()) return named(mark.ptr(), out);
  const char* type = Py_TYPE(o)->tp_name;  // "numpy.dtypes.Float32DType", "numpy.dtype[bfloat16]"
  if (std::string_view(type).find("numpy.dtype") != 0 &&
      std::string_view(type).find("dtype[") == std::string_view::npos)
    return false;
  const nb::object name = nb::getattr(nb::handle(o), "name", nb::none());
  if (name.is_none() || !PyUnicode_Check(name.ptr())) return false;
  if (named(name.ptr(), out)) return true;
  const nb::object names = nb::getattr(nb::handle(o), "names", nb::none());
  if (!names.is_none() && text_of(nb::object(nb::str(names)).ptr()) == "('float0',)") return *out = DType::float0, true;
  throw TypeError("dtype " + str_of(nb::handle(o)) + " is not a valid array dtype");
}

DType to_dtype(nb::handle o, const char* function) {
  DType d;
  if (dtype_from(o.ptr(), &d)) return d;
  if (PyUnicode_Check(o.ptr()) && named(o.ptr(), &d)) return d;
  throw TypeError(std::string(function) + ": a dtype is needed, got " + repr_of(o));
}

nb::tuple tuple_of(const Shape& s) {
  const nb::object t = checked(PyTuple_New(s.ndim()));
  for (int i = 0; i < s.ndim(); ++i) PyTuple_SET_ITEM(t.ptr(), i, checked(PyLong_FromLongLong(s[i])).release().ptr());
  return nb::borrow<nb::tuple>(t);
}

Shape shape_from(nb::handle o) {
  const nb::object fast = checked(PySequence_Fast(o.ptr(), "a shape is a sequence of integers"));
  Shape s;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast.ptr()); ++i) {
    const Py_ssize_t n = PyNumber_AsSsize_t(PySequence_Fast_GET_ITEM(fast.ptr(), i), PyExc_OverflowError);
    if (n == -1 && PyErr_Occurred()) throw nb::python_error();
    s.push_back(n);
  }
  return s;
}

void add_dtypes(nb::module_& m) {
  m.def("dtype_from", [](nb::handle o) { return dtype_object(to_dtype(o, "dtype")); });
  m.def("canonical_dtype", [](nb::handle o) { return dtype_object(canonical_dtype(to_dtype(o, "dtype"))); });
}

}  // namespace cotan::python

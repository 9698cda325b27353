#include "values.h"

#include "array.h"
#include "dtype.h"
#include "functions.h"
#include "numpy_arrays.h"

namespace cotan::python {
namespace {
using table::Value;

Value::Items items_from(PyObject* sequence) {
  const Nesting nesting(" while converting the arguments of a function");
  const Py_ssize_t n = PySequence_Fast_GET_SIZE(sequence);
  Value::Items items;
  items.reserve(static_cast<std::size_t>(n));
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence); ++i)
    items.push_back(value_from(PySequence_Fast_GET_ITEM(sequence, i)));
  return items;
}

Value dict_from(PyObject* o) {
  const Nesting nesting(" while converting the arguments of a function");
  Value::Entries entries;
  for (auto [key, value] : nb::borrow<nb::dict>(o)) {
    if (!PyUnicode_Check(key.ptr()))
      throw TypeError("a dict with keys that are strings is needed, got the key " + repr_of(key));
    entries.emplace_back(text_of(key.ptr()), value_from(value.ptr()));
  }
  return Value::dict(std::move(entries));
}

Bound bound_from(PyObject* o) {
  if (o == Py_None) return none;
  const Py_ssize_t i = PyNumber_AsSsize_t(o, PyExc_OverflowError);
  if (i == -1 && PyErr_Occurred()) throw nb::python_error();
  return static_cast<std::int64_t>(i);
}

Value function_from(PyObject* o) {
  const table::Function* known = function_of(o);
  auto f = std::make_shared<nb::object>(nb::borrow(o));
  return Value::Function{[f](const Value::Items& items) {
                           nb::list arguments;
                           for (const Value& v : items) arguments.append(object_of(v));
                           return value_from(nb::object((*f)(*arguments)).ptr());
                         },
                         known ? known->full_name() : ""};
}

}  // namespace

bool number_from(PyObject* o, Value* out) {
  if (PyFloat_CheckExact(o)) {
    *out = PyFloat_AS_DOUBLE(o);
  } else if (PyBool_Check(o)) {
    *out = o == Py_True;
  } else if (PyLong_Check(o)) {
    int overflow = 0;
    const long long i = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (overflow == 0) {
      *out = static_cast<std::int64_t>(i);
      return true;
    }
    const unsigned long long u = overflow > 0 ? PyLong_AsUnsignedLongLong(o) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
      PyErr_Clear();
      throw OverflowError("Python int " + str_of(nb::handle(o)) + " is too large to convert to an array element");
    }
    *out = static_cast<std::uint64_t>(u);
  } else if (PyComplex_CheckExact(o)) {
    *out = std::complex<double>(PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o));
  } else {
    return false;
  }
  return true;
}

Value value_from(PyObject* o) {
  if (is_array(o)) return array_of(o);
  if (o == Py_None) return {};
  Value number;
  if (number_from(o, &number)) return number;
  if (PyUnicode_Check(o)) return text_of(o);
  if (PyTuple_Check(o)) return Value::tuple(items_from(o));
  if (PyList_Check(o)) return Value::list(items_from(o));
  if (PyDict_Check(o)) return dict_from(o);
  if (o == Py_Ellipsis) return ellipsis;
  if (PySlice_Check(o)) {
    auto* s = reinterpret_cast<PySliceObject*>(o);
    return slice(bound_from(s->start), bound_from(s->stop), bound_from(s->step));
  }
  DType dtype;
  if (dtype_from(o, &dtype)) return dtype;
  Array a;
  if (array_from(o, &a)) return a;
  if (PyCallable_Check(o)) return function_from(o);
  if (PyIndex_Check(o)) return value_from(checked(PyNumber_Index(o)).ptr());
  const nb::object plain =
      imported("cotan._values", "plain")(nb::handle(o));  // enums, ranges, sets and other classes of Python's
  if (plain.ptr() == o)
    throw TypeError("an argument of type " + std::string(Py_TYPE(o)->tp_name) +
                    " is not a valid array, number or container of them");
  return value_from(plain.ptr());
}

namespace {

struct ToObject {
  nb::object operator()(none_t) const { return nb::none(); }
  nb::object operator()(bool b) const { return nb::bool_(b); }
  nb::object operator()(std::int64_t i) const { return nb::int_(i); }
  nb::object operator()(std::uint64_t i) const { return nb::int_(i); }
  nb::object operator()(double d) const { return nb::float_(d); }
  nb::object operator()(std::complex<double> c) const { return checked(PyComplex_FromDoubles(c.real(), c.imag())); }
  nb::object operator()(const std::string& s) const { return nb::str(s.data(), s.size()); }
  nb::object operator()(DType d) const { return dtype_object(d); }
  nb::object operator()(const Array& a) const { return wrapped(a); }
  nb::object operator()(ellipsis_t) const { return nb::borrow(Py_Ellipsis); }
  nb::object operator()(const slice& s) const {
    const nb::object first = bound(s.first), last = bound(s.last), step = bound(s.stride);
    return checked(PySlice_New(first.ptr(), last.ptr(), step.ptr()));
  }
  static nb::object bound(const Bound& b) {
    if (!b.given) return nb::none();
    return nb::int_(b.value);
  }
  nb::object operator()(const Value::Function& f) const { return callable_of(f); }
};

}  // namespace

nb::object object_of(const Value& v) {
  if (v.is_sequence()) {
    nb::list r;
    for (const Value& item : v.items()) r.append(object_of(item));
    if (v.is_list()) return r;
    if (v.names().empty()) return nb::tuple(r);
    nb::list names;
    for (const std::string& name : v.names()) names.append(nb::str(name.data(), name.size()));
    return imported("cotan._values", "named_tuple")(nb::tuple(names), nb::tuple(r));
  }
  if (v.is_dict()) {
    nb::dict r;
    for (const auto& [key, item] : v.entries()) r[nb::str(key.data(), key.size())] = object_of(item);
    return r;
  }
  return v.visit(ToObject());
}

}  // namespace cotan::python

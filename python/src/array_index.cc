// x[...]: Python's index expressions.
#include "array.h"
#include "core/primitive.h"
#include "numpy/indexing.h"
#include "numpy_arrays.h"
#include "ops/elementwise.h"

namespace cotan::python {
namespace {

std::int64_t integer_from(PyObject* o) {
  const Py_ssize_t i = PyNumber_AsSsize_t(o, PyExc_OverflowError);
  if (i == -1 && PyErr_Occurred()) {
    if (!PyErr_ExceptionMatches(PyExc_OverflowError)) throw nb::python_error();
    PyErr_Clear();  // beyond any axis: what lies outside is clamped
    const nb::object zero = checked(PyLong_FromLong(0));
    const int negative = PyObject_RichCompareBool(o, zero.ptr(), Py_LT);
    check(negative);
    return negative ? std::numeric_limits<std::int64_t>::min() / 2 : std::numeric_limits<std::int64_t>::max() / 2;
  }
  return i;
}

Bound bound_from(PyObject* o) {
  if (o == Py_None) return none;
  if (!PyIndex_Check(o))
    throw TypeError("slice indices must be integers or None or have an __index__ method, got " +
                    repr_of(nb::handle(o)));
  return integer_from(o);
}

Index entry_from(PyObject* o) {
  if (PyBool_Check(o)) return o == Py_True;
  if (PyLong_Check(o)) return integer_from(o);
  if (o == Py_None) return newaxis;
  if (o == Py_Ellipsis) return ellipsis;
  if (PySlice_Check(o)) {
    auto* s = reinterpret_cast<PySliceObject*>(o);
    return slice(bound_from(s->start), bound_from(s->stop), bound_from(s->step));
  }
  Array a;
  if (is_array(o)) return array_of(o);
  if (PyUnicode_Check(o)) throw TypeError("an index must not be a string, got " + repr_of(nb::handle(o)));
  if (PyList_Check(o) || PyTuple_Check(o))
    throw TypeError("Using a non-tuple sequence for multidimensional indexing is not allowed; write arr[array(seq)]");
  if (PyIndex_Check(o) && !is_numpy_array(o)) return integer_from(o);
  if (array_from(o, &a)) return a;
  if (!PyNumber_Check(o))
    throw IndexError("an index must be an integer, a slice, None, ... or an array of integers or bools, got " +
                     repr_of(nb::handle(o)));
  throw TypeError("an index must be an integer, a slice, None, ... or an array of integers or bools, got " +
                  repr_of(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(o)))));
}

}  // namespace

std::vector<Index> index_from(PyObject* o) {
  std::vector<Index> r;
  if (PyTuple_Check(o)) {
    const Py_ssize_t n = PyTuple_GET_SIZE(o);
    r.reserve(static_cast<std::size_t>(n));
    for (Py_ssize_t i = 0; i < n; ++i) r.push_back(entry_from(PyTuple_GET_ITEM(o, i)));
  } else {
    r.push_back(entry_from(o));
  }
  return r;
}

PyObject* subscript(PyObject* x, PyObject* index) {
  return guarded([&] {
    const std::vector<Index> i = index_from(index);
    return wrap(numpy::get_at(array_of(x), i));
  });
}

namespace {

constexpr std::string_view update_names[] = {"set", "add", "subtract", "multiply", "divide", "power", "min", "max"};

numpy::Update update_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(update_names); ++i)
    if (update_names[i] == name) return static_cast<numpy::Update>(i);
  throw ValueError("there is no update " + std::string(name));
}

// The value of an update: a number of Python's takes the dtype of x without a detour.
Array update_value(PyObject* v, const Array& x, const char* name) {
  if (!PyLong_Check(v) || PyBool_Check(v)) return to_array(v, name);
  int overflow = 0;
  const long long i = PyLong_AsLongLongAndOverflow(v, &overflow);
  if (overflow || std::in_range<std::int32_t>(i)) return to_array(v, name);
  const CurrentTrace evaluated(nullptr);
  return ops::convert_element_type(evaluation_hook().from_bytes({{}, DType::int64, false}, &i), x.dtype());
}

}  // namespace

void add_indexing(nb::module_& m) {
  m.def(
      "get_at",
      [](nb::handle x, nb::handle index, bool sorted, bool unique, const char* mode, nb::handle fill, bool wrap) {
        const Array value = fill.is_none() ? Array() : to_array(fill.ptr(), "fill_value");
        return wrapped(numpy::get_at(array_of(x.ptr()), index_from(index.ptr()), {sorted, unique, mode, value, wrap}));
      },
      nb::arg("x"), nb::arg("index").none(), nb::arg("sorted"), nb::arg("unique"), nb::arg("mode"),
      nb::arg("fill").none(), nb::arg("wrap"));
  m.def(
      "update_at",
      [](const char* name, nb::handle x, nb::handle index, nb::handle v, bool sorted, bool unique, const char* mode,
         bool wrap) {
        const Array value = update_value(v.ptr(), array_of(x.ptr()), name);
        return wrapped(numpy::update_at(update_named(name), array_of(x.ptr()), index_from(index.ptr()), value,
                                        {sorted, unique, mode, wrap}));
      },
      nb::arg("name"), nb::arg("x"), nb::arg("index").none(), nb::arg("v").none(), nb::arg("sorted"), nb::arg("unique"),
      nb::arg("mode"), nb::arg("wrap"));
  m.def(
      "apply_at",
      [](nb::handle x, nb::handle index, nb::handle f, bool sorted, bool unique, const char* mode, bool wrap) {
        const auto call = [&](const Array& a) { return to_array(nb::object(f(wrapped(a))).ptr(), "apply"); };
        return wrapped(numpy::apply_at(array_of(x.ptr()), index_from(index.ptr()), call, {sorted, unique, mode, wrap}));
      },
      nb::arg("x"), nb::arg("index").none(), nb::arg("f"), nb::arg("sorted"), nb::arg("unique"), nb::arg("mode"),
      nb::arg("wrap"));
}

}  // namespace cotan::python

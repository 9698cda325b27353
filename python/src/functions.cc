#include "functions.h"

#include <nanobind/stl/string.h>

#include "array.h"
#include "values.h"

namespace cotan::python {
namespace {
using table::Arguments;
using table::Parameter;
using table::Value;

struct FunctionObject {
  PyObject_HEAD vectorcallfunc call;
  const table::Function* function;
  PyObject* dict;
};
PyTypeObject* function_type;

FunctionObject* as_function(PyObject* o) { return reinterpret_cast<FunctionObject*>(o); }

// Whether an argument names an axis, or several of which one has a name: axis="i".
bool names_axis(PyObject* o) {
  if (PyUnicode_Check(o)) return true;
  if (!PyTuple_Check(o)) return false;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(o); ++i)
    if (PyUnicode_Check(PyTuple_GET_ITEM(o, i))) return true;
  return false;
}

// A reduction that the table refuses because its axis is one of vmap's: the package makes it of two. NotImplemented: it is none.
nb::object over_named_axes(PyObject* self, PyObject* const* args, std::size_t n, PyObject* names) {
  const std::size_t named = names ? static_cast<std::size_t>(PyTuple_GET_SIZE(names)) : 0;
  bool any = n > 1 && names_axis(args[1]);
  nb::list positional;
  nb::dict keywords;
  for (std::size_t i = 0; i < n; ++i) positional.append(nb::handle(args[i]));
  for (std::size_t i = 0; i < named; ++i) {
    const nb::handle name(PyTuple_GET_ITEM(names, static_cast<Py_ssize_t>(i)));
    any |= text_of(name.ptr()) == "axis" && names_axis(args[n + i]);
    keywords[name] = nb::handle(args[n + i]);
  }
  if (!any) return nb::borrow(Py_NotImplemented);
  return imported("cotan._named_axes", "reduce")(as_function(self)->function->full_name(), nb::tuple(positional),
                                                 keywords);
}

PyObject* call_table(PyObject* self, PyObject* const* args, std::size_t nargsf, PyObject* names);

PyObject* call(PyObject* self, PyObject* const* args, std::size_t nargsf, PyObject* names) {
  PyObject* result = call_table(self, args, nargsf, names);
  if (result || !PyErr_ExceptionMatches(PyExc_TypeError)) return result;
  nb::python_error refused;
  return guarded([&] {
    nb::object other = over_named_axes(self, args, static_cast<std::size_t>(PyVectorcall_NARGS(nargsf)), names);
    if (other.ptr() == Py_NotImplemented) throw std::move(refused);
    return other.release().ptr();
  });
}

PyObject* call_table(PyObject* self, PyObject* const* args, std::size_t nargsf, PyObject* names) {
  return guarded([&] {
    const auto n = static_cast<std::size_t>(PyVectorcall_NARGS(nargsf));
    const std::size_t named = names ? static_cast<std::size_t>(PyTuple_GET_SIZE(names)) : 0;
    Arguments a;
    a.positional.reserve(n);
    for (std::size_t i = 0; i < n; ++i) a.positional.push_back(value_from(args[i]));
    a.keywords.reserve(named);
    for (std::size_t i = 0; i < named; ++i)
      a.keywords.emplace_back(text_of(PyTuple_GET_ITEM(names, static_cast<Py_ssize_t>(i))), value_from(args[n + i]));
    return object_of((*as_function(self)->function)(a)).release().ptr();
  });
}

void dealloc(PyObject* o) {
  PyObject_GC_UnTrack(o);
  Py_CLEAR(as_function(o)->dict);
  PyTypeObject* type = Py_TYPE(o);
  type->tp_free(o);
  Py_DECREF(type);
}
int traverse(PyObject* o, visitproc visit, void* arg) {
  Py_VISIT(as_function(o)->dict);
  Py_VISIT(Py_TYPE(o));
  return 0;
}
int clear(PyObject* o) {
  Py_CLEAR(as_function(o)->dict);
  return 0;
}

nb::object to_str(const std::string& s) { return nb::str(s.data(), s.size()); }

PyObject* repr(PyObject* o) {
  return guarded([&] { return to_str("<function " + as_function(o)->function->full_name() + ">").release().ptr(); });
}
PyObject* name(PyObject* o, void*) {
  return guarded([&] { return to_str(as_function(o)->function->signature.name).release().ptr(); });
}
PyObject* module_name(PyObject* o, void*) {
  return guarded([&] { return to_str("cotan." + as_function(o)->function->module).release().ptr(); });
}
PyObject* doc(PyObject* o, void*) {
  return guarded([&] { return to_str(as_function(o)->function->record->doc).release().ptr(); });
}
PyObject* signature(PyObject* o, void*) {
  return guarded([&] { return imported("cotan._values", "signature")(nb::handle(o)).release().ptr(); });
}
PyObject* reduce(PyObject* o, PyObject*) {
  return guarded([&] {
    return nb::make_tuple(imported("cotan._table", "function"),
                          nb::make_tuple(to_str(as_function(o)->function->full_name())))
        .release()
        .ptr();
  });
}
PyGetSetDef properties[] = {
    {"__name__", name, nullptr, nullptr, nullptr},
    {"__qualname__", name, nullptr, nullptr, nullptr},
    {"__module__", module_name, nullptr, nullptr, nullptr},
    {"__doc__", doc, nullptr, nullptr, nullptr},
    {"__signature__", signature, nullptr, nullptr, nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(FunctionObject, call), READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(FunctionObject, dict), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

nb::object make_function(const table::Function* f) {
  auto* o = PyObject_GC_New(FunctionObject, function_type);
  if (!o) throw nb::python_error();
  o->call = call;
  o->function = f;
  o->dict = nullptr;
  PyObject_GC_Track(o);
  return nb::steal(reinterpret_cast<PyObject*>(o));
}

// (name, kind as inspect numbers them, has a default, default)
nb::list parameters_of(nb::handle o) {
  const table::Function* f = function_of(o.ptr());
  if (!f) throw TypeError("a function of the table is needed");
  nb::list r;
  for (const Parameter& p : f->signature.parameters)
    r.append(nb::make_tuple(to_str(p.name), static_cast<int>(p.kind), p.otherwise.has_value(),
                            p.otherwise ? object_of(*p.otherwise) : nb::object(nb::none())));
  return r;
}

}  // namespace

const table::Function* function_of(PyObject* o) {
  return Py_TYPE(o) == function_type ? as_function(o)->function : nullptr;
}

nb::object callable_of(const Value::Function& f) {
  if (const table::Function* known = f.name.empty() ? nullptr : table::find_function(f.name))
    return make_function(known);
  return nb::cpp_function([f](nb::args args) {
    Value::Items items;
    for (nb::handle a : args) items.push_back(value_from(a.ptr()));
    return object_of(f(items));
  });
}

void add_functions(nb::module_& m) {
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                         {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                         {Py_tp_clear, reinterpret_cast<void*>(clear)},
                         {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                         {Py_tp_descr_get, reinterpret_cast<void*>(bind_to_instance)},
                         {Py_tp_repr, reinterpret_cast<void*>(repr)},
                         {Py_tp_getset, properties},
                         {Py_tp_methods, methods},
                         {Py_tp_members, members},
                         {0, nullptr}};
  PyType_Spec spec{"cotan.Function", sizeof(FunctionObject), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR |
                       Py_TPFLAGS_DISALLOW_INSTANTIATION,
                   slots};
  function_type = reinterpret_cast<PyTypeObject*>(checked(PyType_FromSpec(&spec)).release().ptr());
  m.attr("Function") = nb::handle(reinterpret_cast<PyObject*>(function_type));
  // Every function of the table, by module: {"numpy": [Function, ...]}.
  m.def("all_functions", [] {
    nb::dict modules;
    for (const table::Function& f : table::all_functions()) {
      const nb::str key(f.module.c_str());
      if (!modules.contains(key)) modules[key] = nb::list();
      nb::borrow<nb::list>(modules[key]).append(make_function(&f));
    }
    return modules;
  });
  m.def("function", [](const char* full_name) {
    const table::Function* f = table::find_function(full_name);
    if (!f) throw ValueError(std::string("there is no function ") + full_name);
    return make_function(f);
  });
  m.def("parameters_of", &parameters_of);
}

}  // namespace cotan::python

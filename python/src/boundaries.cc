// Functions of the package as users see them: errors leave them without the package's frames. Being no Python function itself, a
// boundary adds none.
#include <unistd.h>

#include <vector>

#include "common.h"

namespace cotan::python {
namespace {

bool filtering = true;

struct Boundary {
  PyObject_HEAD vectorcallfunc call;
  PyObject* fun;
  PyObject* dict;
  PyObject* weak_references;
};
PyTypeObject* boundary_type;
Boundary* as_boundary(PyObject* o) { return reinterpret_cast<Boundary*>(o); }

PyObject* call(PyObject* self, PyObject* const* args, std::size_t nargsf, PyObject* names) {
  PyObject* const fun = Py_NewRef(as_boundary(self)->fun);
  PyObject* result = call_python([&] { return PyObject_Vectorcall(fun, args, nargsf, names); });
  Py_DECREF(fun);
  if (!result) hide_frames();
  return result;
}

void dealloc(PyObject* o) {
  PyObject_GC_UnTrack(o);
  if (as_boundary(o)->weak_references) PyObject_ClearWeakRefs(o);
  Py_CLEAR(as_boundary(o)->fun);
  Py_CLEAR(as_boundary(o)->dict);
  PyTypeObject* type = Py_TYPE(o);
  type->tp_free(o);
  Py_DECREF(type);
}
int traverse(PyObject* o, visitproc visit, void* arg) {
  Py_VISIT(as_boundary(o)->fun);
  Py_VISIT(as_boundary(o)->dict);
  Py_VISIT(Py_TYPE(o));
  return 0;
}
int clear(PyObject* o) {
  Py_CLEAR(as_boundary(o)->fun);
  Py_CLEAR(as_boundary(o)->dict);
  return 0;
}
PyObject* repr(PyObject* o) { return PyObject_Repr(as_boundary(o)->fun); }
PyObject* reduce(PyObject* o, PyObject*) { return PyObject_GetAttrString(o, "__qualname__"); }  // by name, as functions
PyObject* attribute(PyObject* o, PyObject* name) {  // what it does not have itself is the function's
  if (PyObject* found = PyObject_GenericGetAttr(o, name)) return found;
  if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return nullptr;
  PyErr_Clear();
  return PyObject_GetAttr(as_boundary(o)->fun, name);
}
PyObject* doc(PyObject* o, void*) { return PyObject_GetAttrString(as_boundary(o)->fun, "__doc__"); }
PyObject* module_name(PyObject* o, void*) { return PyObject_GetAttrString(as_boundary(o)->fun, "__module__"); }
PyGetSetDef properties[] = {{"__doc__", doc, nullptr, nullptr, nullptr},
                            {"__module__", module_name, nullptr, nullptr, nullptr},
                            {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyMemberDef members[] = {
    {"__wrapped__", T_OBJECT, offsetof(Boundary, fun), READONLY, nullptr},
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Boundary, call), READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(Boundary, dict), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Boundary, weak_references), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

nb::object boundary(nb::handle fun) {
  if (!PyCallable_Check(fun.ptr())) throw TypeError("a function is needed, got " + repr_of(fun));
  auto* o = PyObject_GC_New(Boundary, boundary_type);
  if (!o) throw nb::python_error();
  o->call = call;
  o->fun = Py_NewRef(fun.ptr());
  o->dict = nullptr;
  o->weak_references = nullptr;
  PyObject_GC_Track(o);
  return nb::steal(reinterpret_cast<PyObject*>(o));
}

// The traceback without the package's frames. Null: none is left.
nb::object filtered(PyObject* traceback) {
  std::vector<PyTracebackObject*> kept;
  bool any = false;
  for (auto* t = reinterpret_cast<PyTracebackObject*>(traceback); t; t = t->tb_next) {
    PyCodeObject* code = PyFrame_GetCode(t->tb_frame);
    if (is_of_package(code)) any = true;
    else kept.push_back(t);
    Py_DECREF(code);
  }
  if (!any) return nb::borrow(traceback);
  nb::object next = nb::none();
  for (auto it = kept.rbegin(); it != kept.rend(); ++it)
    next = nb::handle(reinterpret_cast<PyObject*>(&PyTraceBack_Type))(
        next, nb::handle(reinterpret_cast<PyObject*>((*it)->tb_frame)), (*it)->tb_lasti, (*it)->tb_lineno);
  return next.is_none() ? nb::object() : next;
}

}  // namespace

void hide_frames() noexcept {
  if (!filtering) return;
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  if (traceback) {
    try {
      nb::object shorter = filtered(traceback);
      Py_SETREF(traceback, shorter.release().ptr());
    } catch (...) { PyErr_Clear(); }  // the error itself matters more
  }
  PyErr_NormalizeException(&type, &value, &traceback);
  if (value) PyException_SetTraceback(value, traceback ? traceback : Py_None);
  PyErr_Restore(type, value, traceback);
}

void sleep_for_ever() noexcept {
  for (;;) pause();
}

void WithoutGil::take_back(PyThreadState* state) noexcept {
  try {
    if (!_Py_IsFinalizing()) return PyEval_RestoreThread(state);
  } catch (abi::__forced_unwind&) { sleep_for_ever(); }  // inside the handler, which must not end
  sleep_for_ever();
}

void add_boundaries(nb::module_& m) {
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                         {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                         {Py_tp_clear, reinterpret_cast<void*>(clear)},
                         {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                         {Py_tp_descr_get, reinterpret_cast<void*>(bind_to_instance)},
                         {Py_tp_getattro, reinterpret_cast<void*>(attribute)},
                         {Py_tp_repr, reinterpret_cast<void*>(repr)},
                         {Py_tp_getset, properties},
                         {Py_tp_methods, methods},
                         {Py_tp_members, members},
                         {0, nullptr}};
  PyType_Spec spec{"cotan.Boundary", sizeof(Boundary), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR |
                       Py_TPFLAGS_DISALLOW_INSTANTIATION,
                   slots};
  boundary_type = reinterpret_cast<PyTypeObject*>(checked(PyType_FromSpec(&spec)).release().ptr());
  m.def("boundary", &boundary);
  m.def("set_traceback_filtering", [](bool on) { filtering = on; });
}

}  // namespace cotan::python

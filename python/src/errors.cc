// Exceptions in both directions, and the user's line in a Python program.
#include <new>
#include <utility>

#include "base/interrupt.h"
#include "base/user_location.h"
#include "common.h"

namespace cotan::python {
namespace {

const std::string& package_folder() {
  static const std::string folder = [] {
    const nb::object path = nb::module_::import_("cotan").attr("__path__");
    return text_of(nb::object(path[0]).ptr()) + "/";
  }();
  return folder;
}

void set_error(PyObject* type, const char* text) noexcept { PyErr_SetString(type, text); }

// Of cotan.errors, which holds JAX's classes.
void set_named(const char* name, const char* text) noexcept {
  try {
    PyErr_SetString(imported("cotan.errors", name).ptr(), text);
  } catch (nb::python_error& e) { e.restore(); }
}

// "FILE:LINE" of the innermost frame outside of the package; empty when this thread does not run Python.
std::string python_user_line() {
  if (!Py_IsInitialized() || !PyGILState_Check()) return {};
  PyFrameObject* frame = PyEval_GetFrame();
  Py_XINCREF(frame);
  while (frame) {
    PyCodeObject* code = PyFrame_GetCode(frame);
    const char* file = PyUnicode_AsUTF8(code->co_filename);
    if (!file) PyErr_Clear();
    std::string line;
    if (file && !is_of_package(code) && !std::string_view(file).starts_with("<frozen"))
      line = std::string(file) + ":" + std::to_string(PyFrame_GetLineNumber(frame));
    Py_DECREF(code);
    PyFrameObject* back = PyFrame_GetBack(frame);
    Py_DECREF(frame);
    frame = back;
    if (!line.empty()) {
      Py_XDECREF(frame);
      return line;
    }
  }
  return {};
}

// What a signal handler has raised while C++ was at work: kept until the work has unwound. Of the main thread.
PyObject *raised_type, *raised_value, *raised_traceback;
struct Interrupted {};

void check_signals() {
  static const unsigned long main_thread = [] {
    const PyGILState_STATE held = PyGILState_Ensure();
    const unsigned long id =
        nb::cast<unsigned long>(nb::module_::import_("threading").attr("main_thread")().attr("ident"));
    PyGILState_Release(held);
    return id;
  }();
  if (!Py_IsInitialized() || PyThread_get_thread_ident() != main_thread) return;
  const PyGILState_STATE held = PyGILState_Ensure();
  const bool raised = PyErr_CheckSignals() < 0;
  if (raised) PyErr_Fetch(&raised_type, &raised_value, &raised_traceback);
  PyGILState_Release(held);
  if (raised) throw Interrupted();
}

thread_local const TracingScope* tracing = nullptr;

// "\nThe error occurred while tracing the function f at file.py:3 for jit."
std::string tracing_text() {
  if (!tracing) return {};
  nb::object f = nb::borrow(tracing->function);
  while (nb::hasattr(f, "__wrapped__")) f = f.attr("__wrapped__");
  std::string text =
      "\nThe error occurred while tracing the function " + str_of(nb::getattr(f, "__name__", nb::str("<unnamed>")));
  const nb::object code = nb::getattr(f, "__code__", nb::none());
  if (!code.is_none()) text += " at " + str_of(code.attr("co_filename")) + ":" + str_of(code.attr("co_firstlineno"));
  return text + " for " + tracing->transformation + ".";
}

// The problem and the user's line; then what to do in Python, and which function was traced.
void set_traced(const char* name, const Error& e, const char* cure) noexcept {
  try {
    const std::string what = e.what();
    std::size_t end = what.find('\n');
    if (end != what.npos && what.compare(end + 1, 5, "  at ") == 0) end = what.find('\n', end + 1);
    set_named(name, (what.substr(0, end) + tracing_text() + "\n" + cure).c_str());
  } catch (nb::python_error& other) { other.restore(); }
}

}  // namespace

bool is_of_package(PyCodeObject* code) {
  const char* file = PyUnicode_AsUTF8(code->co_filename);
  if (!file) PyErr_Clear();
  return file && std::string_view(file).starts_with(package_folder());
}

TracingScope::TracingScope(nb::handle f, const char* t) : function(f), transformation(t), outer(tracing) {
  tracing = this;
}
TracingScope::~TracingScope() { tracing = outer; }

void set_python_error() noexcept {
  try {
    throw;
  } catch (nb::python_error& e) { e.restore(); } catch (const Interrupted&) {
    PyErr_Restore(std::exchange(raised_type, nullptr), std::exchange(raised_value, nullptr),
                  std::exchange(raised_traceback, nullptr));
  } catch (const TracerBoolConversionError& e) {
    set_traced("TracerBoolConversionError", e,
               "`if`, `while`, `and` and `or` need a value that is known while the function is traced: use numpy.where "
               "or lax.cond, & and |, or "
               "make the argument static (static_argnums).");
  } catch (const ConcretizationTypeError& e) {
    set_traced(
        "ConcretizationTypeError", e,
        "A value that is known while the function is traced is needed: make the argument static (static_argnums).");
  } catch (const TracerArrayConversionError& e) {
    set_traced("TracerArrayConversionError", e, "In a traced function use cotan.numpy instead of numpy.");
  } catch (const TracerIntegerConversionError& e) {
    set_traced("TracerIntegerConversionError", e,
               "An integer that is known while the function is traced is needed: make the argument static.");
  } catch (const NonConcreteBooleanIndexError& e) {
    set_traced(
        "NonConcreteBooleanIndexError", e,
        "The shape of the result would depend on the mask: use numpy.where with three arguments, or x.at[mask].set.");
  } catch (const UnexpectedTracerError& e) {
    set_named("UnexpectedTracerError", e.what());
  } catch (const KeyReuseError& e) { set_named("KeyReuseError", e.what()); } catch (const TypeError& e) {
    set_error(PyExc_TypeError, e.what());
  } catch (const ValueError& e) { set_error(PyExc_ValueError, e.what()); } catch (const IndexError& e) {
    set_error(PyExc_IndexError, e.what());
  } catch (const OverflowError& e) { set_error(PyExc_OverflowError, e.what()); } catch (const NotImplementedError& e) {
    set_error(PyExc_NotImplementedError, e.what());
  } catch (const MemoryError& e) { set_error(PyExc_MemoryError, e.what()); } catch (const FloatingPointError& e) {
    set_error(PyExc_FloatingPointError, e.what());
  } catch (const NameError& e) { set_error(PyExc_NameError, e.what()); } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const nb::cast_error&) {
    set_error(PyExc_TypeError, "an argument has the wrong type");
  } catch (const std::exception& e) { set_error(PyExc_RuntimeError, e.what()); }
}

nb::object imported(const char* module, const char* name) { return nb::module_::import_(module).attr(name); }

std::string text_of(PyObject* o) {
  Py_ssize_t n = 0;
  const char* s = PyUnicode_AsUTF8AndSize(o, &n);
  if (!s) throw nb::python_error();
  return {s, static_cast<std::size_t>(n)};
}

PyObject* bind_to_instance(PyObject* callable, PyObject* instance, PyObject*) {
  if (!instance || instance == Py_None) return Py_NewRef(callable);
  return PyMethod_New(callable, instance);
}

std::string repr_of(nb::handle o) { return text_of(nb::object(nb::repr(o)).ptr()); }
std::string str_of(nb::handle o) { return text_of(nb::object(nb::str(o)).ptr()); }

void add_errors(nb::module_& m) {
  set_user_line_source(&python_user_line);
  set_interrupt_check(&check_signals);
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (nb::python_error&) {
      throw;  // nanobind's own
    } catch (const Error&) { set_python_error(); } catch (const Interrupted&) {
      set_python_error();
    }
  });
  m.def("user_line", [] { return checked(PyUnicode_FromString(python_user_line().c_str())); });
}

}  // namespace cotan::python

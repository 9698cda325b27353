// Exceptions in both directions, and the user's line in a Python program.
#include <map>
#include <memory>
#include <new>
#include <unordered_map>
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

void set_named(const char* module, const char* name, const char* text) noexcept {
  try {
    PyErr_SetString(imported(module, name).ptr(), text);
  } catch (nb::python_error& e) { e.restore(); }
}

// A line of the user's program. There are as many as lines that were traced; none is ever destroyed.
struct Line {
  std::string file;
  int line;
};

// The lines by the code and the instruction that they come from, which is found without a look at the code's table of lines.
class Lines {
 public:
  const Line* at(PyCodeObject* code, PyFrameObject* frame) {
    const std::pair key(static_cast<const void*>(code), PyFrame_GetLasti(frame));
    if (const auto it = by_instruction_.find(key); it != by_instruction_.end()) return it->second;
    const char* file = PyUnicode_AsUTF8(code->co_filename);
    if (!file) return PyErr_Clear(), nullptr;
    const Line* line = nullptr;
    if (!is_of_package(code) && !std::string_view(file).starts_with("<frozen")) {
      const int number = PyFrame_GetLineNumber(frame);
      std::unique_ptr<const Line>& known = lines_[{file, number}];
      if (!known) known = std::make_unique<const Line>(Line{file, number});
      line = known.get();
    }
    if (by_instruction_.size() >= capacity) forget();
    codes_.push_back(nb::borrow(reinterpret_cast<PyObject*>(code)));  // so that its address stays its own
    return by_instruction_[key] = line;
  }

 private:
  struct Hash {
    std::size_t operator()(const std::pair<const void*, int>& k) const {
      return reinterpret_cast<std::uintptr_t>(k.first) / 16 * 1000003 + static_cast<std::size_t>(k.second);
    }
  };
  void forget() {
    by_instruction_.clear();
    codes_.clear();
  }
  static constexpr std::size_t capacity = 1 << 14;
  std::unordered_map<std::pair<const void*, int>, const Line*, Hash> by_instruction_;  // null: no line of the user's
  std::vector<nb::object> codes_;
  std::map<std::pair<std::string, int>, std::unique_ptr<const Line>> lines_;
};

// Of the innermost frame outside of the package; null when this thread does not run Python.
const void* python_position() {
  if (!Py_IsInitialized() || !PyGILState_Check()) return nullptr;
  static auto* const lines = new Lines;  // under the GIL; never destroyed: errors are also made while the process ends
  PyFrameObject* frame = PyEval_GetFrame();
  Py_XINCREF(frame);
  const Line* line = nullptr;
  while (frame && !line) {
    PyCodeObject* code = PyFrame_GetCode(frame);
    line = lines->at(code, frame);
    Py_DECREF(code);
    PyFrameObject* back = line ? nullptr : PyFrame_GetBack(frame);
    Py_DECREF(frame);
    frame = back;
  }
  Py_XDECREF(frame);
  return line;
}
std::string python_line(const void* position) {
  const auto* line = static_cast<const Line*>(position);
  return line ? line->file + ":" + std::to_string(line->line) : std::string();
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

// Of cotan.errors, which holds JAX's classes.
void set_named(const char* name, const char* text) noexcept { set_named("cotan.errors", name, text); }

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
  } catch (const CheckError& e) {
    set_named("cotan.experimental.checkify", "JaxRuntimeError", e.what());
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
  set_user_positions({&python_position, &python_line});
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
  m.def("user_line", [] { return checked(PyUnicode_FromString(python_line(python_position()).c_str())); });
}

}  // namespace cotan::python

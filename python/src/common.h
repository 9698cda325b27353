// What every file of the module needs: Python's objects, and errors in both directions.
#pragma once
#include <cxxabi.h>
#include <nanobind/nanobind.h>
#include <structmember.h>

#include <string>
#include <vector>

#include "cotan/array.h"

namespace cotan::python {
namespace nb = nanobind;

// The C++ exception in flight becomes Python's current one. Only inside a catch block.
void set_python_error() noexcept;

// When the interpreter ends, Python ends threads that come back to it by unwinding them. C++ must not see that: what its frames hold
// can't be released any more. The thread sleeps instead, until the process is gone.
[[noreturn]] void sleep_for_ever() noexcept;
template <class F> PyObject* call_python(F&& f) {  // f: a call into Python that may last, and holds nothing
  try {
    return f();
  } catch (abi::__forced_unwind&) { sleep_for_ever(); }
}

// Runs f, which returns a PyObject*, for a slot of a type; exceptions become Python's.
template <class F> PyObject* guarded(F&& f) noexcept {
  try {
    return f();
  } catch (abi::__forced_unwind&) { sleep_for_ever(); } catch (...) {
    set_python_error();
    return nullptr;
  }
}
// The same for slots that return an int: -1 on errors.
template <class F> int guarded_int(F&& f) noexcept {
  try {
    return f();
  } catch (abi::__forced_unwind&) { sleep_for_ever(); } catch (...) {
    set_python_error();
    return -1;
  }
}

// Throws the error that Python has set when `o` is null.
inline nb::object checked(PyObject* o) {
  if (!o) throw nb::python_error();
  return nb::steal(o);
}
inline void check(int status) {
  if (status < 0) throw nb::python_error();
}

// An attribute of the package, "cotan.errors" "KeyReuseError"; imported on first use.
nb::object imported(const char* module, const char* name);
std::string text_of(PyObject*);  // of a str; TypeError otherwise
std::string repr_of(nb::handle);
std::string str_of(nb::handle);

// The Python function that this thread is tracing, for messages: "f at file.py:3 for jit".
class TracingScope {
 public:
  explicit TracingScope(nb::handle function, const char* transformation);
  ~TracingScope();
  TracingScope(const TracingScope&) = delete;
  TracingScope& operator=(const TracingScope&) = delete;

  nb::handle function;
  const char* transformation;
  const TracingScope* outer;
};

// A descent into nested containers, which may contain themselves: RecursionError.
class Nesting {
 public:
  explicit Nesting(const char* while_what) { check(Py_EnterRecursiveCall(while_what) ? -1 : 0); }
  ~Nesting() { Py_LeaveRecursiveCall(); }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
};

// Whether code stands in a file of the package: its frames are no user's.
bool is_of_package(PyCodeObject*);
// Takes the package's frames out of the current error's traceback, unless jax_traceback_filtering is off.
void hide_frames() noexcept;

// The slot of a callable that is a method of the instance that it is looked up on.
PyObject* bind_to_instance(PyObject* callable, PyObject* instance, PyObject* owner);

// Gives up the GIL for a scope.
class WithoutGil {
 public:
  explicit WithoutGil(bool on) : state_(on ? PyEval_SaveThread() : nullptr) {}
  ~WithoutGil() {
    if (state_) take_back(state_);
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  static void take_back(PyThreadState*) noexcept;
  PyThreadState* state_;
};

// What the files of the module add to it.
void add_errors(nb::module_&);
void add_boundaries(nb::module_&);
void add_arrays(nb::module_&);
void add_dtypes(nb::module_&);
void add_functions(nb::module_&);
void add_trees(nb::module_&);
void add_transforms(nb::module_&);
void add_jaxprs(nb::module_&);
void add_jit(nb::module_&);
void add_explain(nb::module_&);
void add_control(nb::module_&);
void add_custom(nb::module_&);
void add_callbacks(nb::module_&);
void add_checkify(nb::module_&);
void add_config(nb::module_&);
void add_dlpack(nb::module_&);

}  // namespace cotan::python

#include "handle.h"

#include <mutex>

namespace cotan::python {

namespace {

struct Released {
  std::mutex mutex;
  std::vector<PyObject*> objects;
};
Released& released() {
  static auto* const r = new Released;  // never destroyed: objects are let go of until the process ends
  return *r;
}

int drop_released(void*) {
  std::vector<PyObject*> gone;
  {
    const std::lock_guard lock(released().mutex);
    gone.swap(released().objects);
  }
  for (PyObject* o : gone) Py_DECREF(o);
  return 0;
}

}  // namespace

void release_later(PyObject* o) noexcept {
  if (!Py_IsInitialized()) return;  // the object's memory went with the interpreter
  if (PyGILState_Check()) {
    Py_DECREF(o);
    return;
  }
  bool first = false;
  try {
    const std::lock_guard lock(released().mutex);
    first = released().objects.empty();
    released().objects.push_back(o);
  } catch (...) { return; }  // no memory: the object stays
  if (first) Py_AddPendingCall(&drop_released, nullptr);
}

}  // namespace cotan::python

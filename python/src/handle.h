// A Python object that C++ may hold for long and let go of anywhere: by threads without the GIL, and when the interpreter is gone.
#pragma once
#include <memory>

#include "common.h"

namespace cotan::python {

void release_later(PyObject*) noexcept;  // takes over a reference; dropped when the GIL is next at hand

class Handle {
 public:
  explicit Handle(nb::object o) : object_(o.release().ptr(), &release_later) {}
  nb::handle get() const { return object_.get(); }

 private:
  std::shared_ptr<PyObject> object_;
};

}  // namespace cotan::python
